import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

test("another key is exit 4", () => {
  assert.equal(run([GOOD, "--referee-key", keyPair(9).text]).exit, 4);
});

test("a file that cannot be read is exit 2 in one line, and no other file is verified", () => {
  const absent = join(folder, "absent");
  for (const [file, why] of [[absent, "it does not exist"], [folder, "it is a directory"]]) {
    const { exit, stdout, stderr } = run([GOOD, file]);
    assert.deepEqual([exit, stdout], [2, ""]);
    assert.equal(stderr, `euchre-verify: ${file} cannot be read: ${why}\n`);
  }
});

test("- is standard input", () => {
  const { status, stdout } = spawnSync(process.execPath, [COMMAND, "-"], { input: readFileSync(GOOD) });
  assert.equal(status, 0);
  assert.match(String(stdout), /^-: verified/);
});

const shell = (command) => spawnSync("bash", ["-c", command, "bash", COMMAND, GOOD]);

test("a reader that has seen enough is no error, and a full disk is one line", () => {
  const closed = shell('node "$1" "$2" "$2" | true; exit "${PIPESTATUS[0]}"');
  assert.deepEqual([closed.status, String(closed.stderr)], [141, ""]);
  if (!existsSync("/dev/full")) return;
  const full = shell('exec node "$1" "$2" > /dev/full');
  const said = "euchre-verify: the output cannot be written: no space is left\n";
  assert.deepEqual([full.status, String(full.stderr)], [2, said]);
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

const CASES = new Map(JSON.parse(readFileSync(
  fileURLToPath(new URL("../../../tests/vectors/transcripts-v1.json", import.meta.url)), "utf8",
)).cases.map((one) => [one.id, one]));

/** A case of the shared vectors as files: the transcript, and what it is held against. */
function savedCase(id) {
  const { base, input, tail, receipts = [], roster = [] } = CASES.get(id);
  const lines = input.map((line) => (typeof line === "number" ? CASES.get(base).input[line] : line));
  mkdirSync(join(folder, id, "kept", "deeper"), { recursive: true });
  receipts.forEach((kept, i) => {
    saved(join(id, "kept", i === 0 ? "deeper" : ".", `${i}.jsonl`), `${kept.join("\n")}\n{"torn`);
  });
  return {
    file: saved(join(id, "match.jsonl"), [...lines, tail].join("\n")),
    kept: join(folder, id, "kept"),
    roster: saved(join(id, "roster.jsonl"), roster.map((line) => `${line}\n`).join("")),
  };
}

test("receipts in a folder and the folders in it are held against the file", () => {
  const agree = savedCase("receipts-agree");
  assert.match(run([agree.file, "--receipts", agree.kept]).stdout, /receipts: [1-9]\d* items agree/);
  const withheld = savedCase("receipts-withheld");
  assert.equal(run([withheld.file, "--receipts", withheld.kept]).exit, 3);
  assert.equal(run([withheld.file]).exit, 0);
});

test("a fault that its seat signed is not the referee's word alone", () => {
  const told = (id) => run([savedCase(id).file]).stdout;
  assert.match(told("forfeit-signed"), /north at fault, ILLEGAL, for attempts that it signed/);
  assert.match(told("forfeit-illegal"), /north at fault, ILLEGAL, on the referee's word/);
});

test("the dealer draw is sealed as a deal is, and is none of the deals that are told", () => {
  const told = (id) => run([savedCase(id).file]);
  assert.match(told("draw").stdout, /  verified: 1 of 1 deal, and the dealer draw; voided/);
  assert.match(told("honest").stdout, /  verified: 1 of 1 deal; voided/);
  const { deals, verified, draws } = JSON.parse(run([savedCase("draw").file, "--json"]).stdout);
  assert.deepEqual([deals, verified, draws], [2, 2, undefined]);
});

test("a roster says whether the keys of a file are listed", () => {
  const listed = savedCase("roster-listed");
  assert.match(run([listed.file, "--roster", listed.roster]).stdout, /the roster lists every key/);
  const retired = savedCase("roster-retired");
  assert.equal(run([retired.file, "--roster", retired.roster]).exit, 4);
});

test("receipts and rosters that cannot be read are said in one line", () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const odd = savedCase("receipts-agree");
  saved(join("receipts-agree", "kept", "odd.jsonl"), '{"items":[]}\n');
  const torn = saved("torn.jsonl", "{}");
  for (const [words, exit, told] of [
    [["--receipts", empty], 2, /no receipts in/],
    [["--receipts", join(folder, "nowhere")], 2, /cannot be read: it does not exist/],
    [["--receipts", odd.kept], 6, /line 1 of 'odd.jsonl': no receipt/],
    [["--roster", torn], 4, /its end is missing/],
    [["--roster", saved("none.jsonl", "")], 4, /lists no key/],
    [["--roster", saved("bad.jsonl", "{}\n")], 4, /line 1 of the roster/],
  ]) {
    const said = run([GOOD, ...words]);
    assert.equal(said.exit, exit, String(told));
    assert.match(said.stderr, told);
    assert.equal(said.stderr.trim().split("\n").length, 1);
  }
});
