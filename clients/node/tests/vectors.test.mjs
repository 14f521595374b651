import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ascii, parseKey, readReceipts, verify } from "../verifier/euchre-verify.mjs";

const { cases } = JSON.parse(
  readFileSync(new URL("../../../tests/vectors/transcripts-v1.json", import.meta.url), "utf8"),
);
const lines = new Map(cases.map(({ id, input }) => [id, input]));

/** The bytes of a case: a number in its input is that line of its base. */
function bytesOf({ base, input, tail }) {
  const line = (item) => (typeof item === "number" ? lines.get(base)[item] : item);
  return ascii(input.map((item) => `${line(item)}\n`).join("") + tail);
}

const whole = (file) => ascii(file.map((line) => `${line}\n`).join(""));

for (const one of cases) {
  const seal = !one.flags.includes("rules");
  test(`${one.id}: ${one.comment}`, async () => {
    const { exit, party } = await verify(bytesOf(one), {
      referee_key: one.referee_key === undefined ? null : parseKey(one.referee_key),
      strict: one.strict,
      receipts: one.receipts?.flatMap((file, i) => readReceipts(whole(file), `${i}.jsonl`)) ?? null,
      roster: one.roster === undefined ? null : whole(one.roster),
    });
    assert.deepEqual({ exit, party }, {
      exit: seal ? one.exit : 0, party: seal ? one.party : null,
    });
  });
}
