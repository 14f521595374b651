import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { REFEREE, keyPair, wholeMatch } from "./support/matches.mjs";

const COMMAND = fileURLToPath(new URL("../verifier/euchre-verify.mjs", import.meta.url));
const VECTORS = fileURLToPath(new URL("../../../tests/vectors/sealed-v1.json", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "euchre-verify-"));
after(() => rmSync(folder, { recursive: true }));

const saved = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const run = (words, flags = []) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath, ["--no-warnings", ...flags, COMMAND, ...words], { encoding: "utf8" },
  );
  return { exit: status, stdout, stderr };
};
const GOOD = saved("good.jsonl", wholeMatch().text());
const HALF = saved("half.jsonl", wholeMatch().text().slice(0, 4000));

test("a verified file is exit 0, says that the rules were not replayed and how to pin", () => {
  const { exit, stdout, stderr } = run([GOOD]);
  assert.deepEqual([exit, stderr], [0, ""]);
  assert.match(stdout, /rules not replayed/);
  assert.ok(stdout.includes(`--referee-key '${REFEREE.text}'`));
});

test("with --json each file is one object", () => {
  const { exit, stdout } = run([GOOD, HALF, "--json", `--referee-key=${REFEREE.text}`]);
  const [good, half] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual([exit, good.exit, half.exit, half.party], [5, 0, 5, "nobody"]);
  assert.equal(good.key.pinned, true);
});

test("another key is exit 4, and a file that is not there exit 6", () => {
  assert.equal(run([GOOD, "--referee-key", keyPair(9).text]).exit, 4);
  assert.equal(run([join(folder, "absent")]).exit, 6);
});

test("wrong usage is exit 2 with one line that says why", () => {
  for (const words of [
    [], ["--loud", GOOD], [GOOD, "--referee-key"], [GOOD, "--referee-key", "K"], ["--check-vectors"],
  ]) {
    const { exit, stderr } = run(words);
    assert.equal(exit, 2, words.join(" "));
    assert.match(stderr, /^euchre-verify: [^\n]+\nusage: /);
  }
});

test("without WebCrypto the signatures are not checked and the exit is 7", () => {
  const without = ["--import", "data:text/javascript,delete globalThis.crypto"];
  const { exit, stdout } = run([GOOD], without);
  assert.equal(exit, 7);
  assert.match(stdout, /signatures not checked/);
  assert.doesNotMatch(stdout, /: verified/);
  assert.equal(run(["--check-vectors", VECTORS], without).exit, 7);
});

test("the shared vectors are checked, and a file of another format is refused", () => {
  const { exit, stdout } = run(["--check-vectors", VECTORS]);
  assert.equal(exit, 0);
  assert.match(stdout, /, 0 differ/);
  assert.equal(run(["--check-vectors", GOOD]).exit, 6);
  assert.equal(run(["--check-vectors", saved("other.json", "{}")]).exit, 6);
});
