import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { hex } from "../verifier/euchre-verify.mjs";
import { REFEREE, keyPair, sealSecret } from "./support/matches.mjs";
import { ScriptedReferee } from "./support/referee.mjs";

const folder = mkdtempSync(join(tmpdir(), "euchre-connection-"));
after(() => rmSync(folder, { recursive: true }));
let bots = 0;

/** A bot process at north; its exit code and what it wrote to stderr. */
async function bot(address, { name = "random", token = "good", flags = [], file = null } = {}) {
  bots += 1;
  const path = (file) => join(folder, `${bots}-${file}`);
  writeFileSync(path("token"), `${token}\n`);
  writeFileSync(path("secret"), `${hex(sealSecret("seat 0"))}\n`, { mode: 0o600 });
  const script = file ?? fileURLToPath(new URL(`../bots/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [
    script, "--referee", address, "--token-file", path("token"), "--name", "bot-north",
    "--secret-file", path("secret"), "--state-file", path("state"), ...flags,
  ], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => { stderr += text; });
  const exit = await new Promise((resolve) => { child.on("close", resolve); });
  return { exit, stderr };
}

async function refereed(options, play) {
  const referee = new ScriptedReferee(options);
  const address = await referee.listen();
  try {
    return { referee, ...await play(address) };
  } finally {
    referee.stop();
  }
}

test("a bot plays its seat to the end, prints the result and exits 0", async () => {
  const { exit, stderr, referee } = await refereed({}, (address) => bot(address));
  assert.match(stderr, /match [0-9a-f]{32}: finished: nobody wins, ns 0 ew 0 in games, the last one ns 0 ew 0, after 1 deal\n/);
  assert.equal(exit, 0, stderr);
  assert.deepEqual(referee.inputs.map(({ input }) => input), ["commit", "reveal", "act"]);
  assert.equal(referee.hellos[0].level, "LEVEL_CHECKS");
});

test("a bot whose function fails ends with one line that names its line, and exit 1", async () => {
  const client = new URL("../src/index.mjs", import.meta.url).href;
  const file = join(folder, "my-bot.mjs");
  for (const [body, said] of [
    ["return legal.at(-9).length;", /TypeError: Cannot read .* at my-bot\.mjs:3 \(the seat stays ours/],
    ["JSON.parse('{\\n')", /SyntaxError: .* at my-bot\.mjs:3 \(/],
    ["throw new Error('two\\nlines');", /: Error: two lines at my-bot\.mjs:3 \(/],
    ["throw null;", /the bot failed: null \(/],
    ["throw 'a word';", /the bot failed: 'a word' \(/],
    ["await null; throw {};", /the bot failed: \{\} \(/],
    ["return undefined;", /it answered undefined, which is no text \(/],
    ["return 7n;", /it answered 7n, which is no text \(/],
    ["const a = []; a.push(a); return a;", /it answered <ref \*1> \[ \[Circular \*1\] \], which is no text \(/],
  ]) {
    writeFileSync(file, `import { run } from "${client}";\nawait run(async (view, legal) => {\n${body}\n});\n`);
    const { exit, stderr } = await refereed({}, (address) => bot(address, { file }));
    assert.equal(exit, 1, stderr);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /^ +at /m);
  }
});

test("the sensible bot plays too, under the pinned key without a warning", async () => {
  const { exit, stderr } = await refereed({}, (address) =>
    bot(address, { name: "sensible", flags: ["--key", REFEREE.text] }));
  assert.equal(exit, 0, stderr);
  assert.doesNotMatch(stderr, /warning/);
});

test("a dropped stream is opened again where it stood, and the input goes again unchanged", async () => {
  for (const what of ["commit", "reveal", "act"]) {
    const { exit, stderr, referee } = await refereed(
      { breakAt: [what] }, (address) => bot(address),
    );
    assert.equal(exit, 0, `${what}: ${stderr}`);
    const sent = referee.inputs.filter(({ input }) => input === what);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[0], sent[1]);
    assert.equal(referee.hellos.length, 2);
    assert.ok(referee.hellos[1].resume > 0);
  }
});

test("what the referee accepts without a true and signed receipt ends the bot with exit 3", async () => {
  for (const [lie, why] of [
    [(item) => { item.deal = 7; }, /without a receipt/],
    [(item) => { item.head = new Uint8Array(32); }, /not the one that the referee gave us a receipt/],
    [(item) => { item.seq += 1; }, /receipt/],
  ]) {
    const { exit, stderr } = await refereed({ lie }, (address) => bot(address));
    assert.equal(exit, 3, stderr);
    assert.match(stderr, why);
  }
});

test("receipts are kept as JSON Lines, one file a match and seat", async () => {
  const { referee } = await refereed({}, (address) =>
    bot(address, { flags: ["--receipts", join(folder, "kept")] }));
  const rows = readFileSync(join(folder, "kept", `${referee.match}-north.jsonl`), "utf8")
    .trimEnd().split("\n").map((line) => JSON.parse(line));
  const heads = referee.builder.heads.map(hex);
  assert.equal(rows.length, 3);
  for (const { items: [{ seq, head }] } of rows) assert.equal(head, heads[seq]);
});

test("a token that the referee does not know ends the bot with exit 2 and one line", async () => {
  const { exit, stderr } = await refereed({}, (address) => bot(address, { token: "bad" }));
  assert.equal(exit, 2);
  assert.equal(stderr, "error: UNAUTHENTICATED: no seat has this token\n");
});

test("another key than the pinned one ends the bot with exit 2", async () => {
  const { exit, stderr } = await refereed({}, (address) =>
    bot(address, { flags: ["--key", keyPair(9).text] }));
  assert.equal(exit, 2);
  assert.match(stderr, /not the pinned one but '.+'\n$/);
});

test("a secret that others can read ends the bot before it dials", async () => {
  const secret = join(folder, "open.secret");
  writeFileSync(secret, `${"ab".repeat(32)}\n`, { mode: 0o644 });
  const { exit, stderr } = await bot("127.0.0.1:1", { flags: ["--secret-file", secret] });
  assert.deepEqual([exit, stderr], [2, `error: ${secret} can be read by others: chmod 600 it\n`]);
});

test("wrong flags end the bot with exit 2 and one line", async () => {
  for (const flags of [["--loud"], ["--key", "K"], ["--name", "a+b"], ["--referee", "here"]]) {
    const { exit, stderr } = await bot("127.0.0.1:1", { flags });
    assert.equal(exit, 2, flags.join(" "));
    assert.match(stderr, /^error: [^\n]+\n$/);
  }
});
