import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ascii, checkVectors, parseKey, readReceipts, verify } from "../verifier/euchre-verify.mjs";

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

const CLAIMS = JSON.parse(
  readFileSync(new URL("../../../tests/vectors/derivation-v1.json", import.meta.url), "utf8"),
);

test("every claim of the derivation is judged as the file says", async () => {
  const { checked, differ, signatures } = await checkVectors(CLAIMS);
  assert.deepEqual(differ, []);
  assert.deepEqual([checked, signatures], [CLAIMS.cases.length, true]);
});

test("every claim whose result is turned round is named", async () => {
  const turned = CLAIMS.cases.map((one) => (
    { ...one, result: one.result === "valid" ? "invalid" : "valid" }));
  const { differ } = await checkVectors({ ...CLAIMS, cases: turned });
  assert.deepEqual(differ, CLAIMS.cases.map(({ id }) => id));
});

test("without Ed25519 the claims about signatures are left out, and that is said", async () => {
  const { checked, differ, signatures } = await checkVectors(CLAIMS, null);
  assert.deepEqual([differ, signatures], [[], false]);
  assert.ok(checked > 0 && checked < CLAIMS.cases.length);
});

test("what claims nothing is unreadable", async () => {
  for (const one of [
    { id: "x", op: "guess", input: {}, result: "valid" },
    { id: "x", op: "toString", input: {}, result: "valid" },
    { id: "x", op: "deck", input: {}, result: "valid" },
    { id: "x", op: "key", input: { key: "" }, result: "maybe" },
  ]) {
    await assert.rejects(checkVectors({ ...CLAIMS, cases: [one] }), { exit: 6 });
  }
});
