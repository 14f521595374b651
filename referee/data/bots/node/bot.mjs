// A Euchre bot: change choose.
import { run } from "./euchre/clients/node/src/index.mjs";

/** Call when we hold three of the suit; play the first legal card. */
function choose(view, legal) {
  if (legal.includes("order") && view.upcard) {
    const trumps = view.hand.filter((card) => card.at(-1) === view.upcard.at(-1));
    return trumps.length > 2 ? "order" : legal[0];
  }
  return legal[0];
}

await run(choose, { name: "@NAME@" });
