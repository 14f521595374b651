/** A bot in TypeScript, which is checked and not run: it sees the client as its package shows it. */
import { run, SealError, type About, type Choose, type View } from "euchre-referee-client";
import { verify } from "euchre-referee-client/verifier";

const choose: Choose = async (view, legal, { limitMs, rules }) => {
  const sure: string = view.hand[0] ?? view.dealer;
  const open: string | undefined = view.upcard;
  const taken: number = view.tricks.ns + view.counts.west + limitMs;
  if (view.phase === "round_one" && open !== undefined && taken > 0) return "order";
  return rules["pack"] === "E24" ? (legal[0] ?? "pass") : sure;
};

// @ts-expect-error the upcard may be absent
export const suit = (view: View): string => view.upcard.slice(1);
// @ts-expect-error there is no such phase
export const bidding = (view: View): boolean => view.phase === "bidding";
// @ts-expect-error a bot answers with a text
export const silent: Choose = () => undefined;
// @ts-expect-error a seat is a word
export const first = (about: About): boolean => about.seat === 0;

await run(choose, { name: "typed-bot" });
await run(null, {
  flags: { seed: { type: "string", default: "0" } },
  prepare: ({ name, seed }) => (view) => (name === seed ? "pass" : (view.legal[0] ?? "pass")),
});
export const ended: number = new SealError("it is broken").exit;
export const verified: unknown = verify;
