/** Both sample bots, in the positions that all clients share. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pick } from "../bots/random.mjs";
import { choose } from "../bots/sensible.mjs";

const FILE = new URL("../../vectors/decisions-v1.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(FILE, "ascii"));

const CHOOSERS = {
  sensible: ({ view }, legal) => choose(view, legal),
  random: ({ seed, view }, legal) =>
    pick(seed, legal, { match: view.match, seq: view.state_version + 1, seat: view.seat }),
};

for (const [bot, chosen] of Object.entries(CHOOSERS)) {
  test(`${bot} decides as the same bot of every language`, () => {
    const asked = cases.filter((one) => one.bot === bot);
    assert.notEqual(asked.length, 0);
    for (const one of asked) {
      const { legal } = one.view;
      assert.equal(chosen(one, legal), one.action, JSON.stringify(one.view));
      assert.equal(chosen(one, [...legal].reverse()), one.action, JSON.stringify(one.view));
    }
  });
}
