import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { page } from "../verifier/page/build.mjs";
import { MatchBuilder } from "./support/matches.mjs";
import { Browser, browserProgram } from "./support/browser.mjs";

const PAGE = new URL("../verifier/verify.html", import.meta.url);
const VECTORS = JSON.parse(
  readFileSync(new URL("../../../tests/vectors/transcripts-v1.json", import.meta.url), "utf8"),
);
const CASES = new Map(VECTORS.cases.map((one) => [one.id, one]));
const KEY = "document.querySelector('#key')";
const program = browserProgram();
const skip = program === null && "no chromium is here";

test("the page is what its parts make", () => {
  assert.equal(readFileSync(PAGE, "utf8"), page());
});

test("the page names no address to fetch anything from", () => {
  assert.doesNotMatch(page(), /https?:\/\/|@import|\bsrc=|<link/);
});

describe("the page in a browser", { skip }, () => {
  let browser;
  let home;
  before(() => {
    home = mkdtempSync(join(tmpdir(), "euchre-files-"));
    browser = new Browser(program);
  });
  after(async () => {
    await browser.close();
    rmSync(home, { recursive: true });
  });

  const fileOf = (id) => {
    const { base, input, tail } = CASES.get(id);
    const lines = input.map((line) => (typeof line === "number" ? CASES.get(base).input[line] : line));
    const path = join(home, `${id}.jsonl`);
    writeFileSync(path, [...lines, tail].join("\n"), "latin1");
    return path;
  };
  const textOf = (selector) => browser.value(`document.querySelector('${selector}').innerText`);
  const open = async (options) => {
    browser.session = undefined;
    browser.heard = [];
    await browser.open(PAGE.href, options);
  };

  test("opened from disk it verifies a match and draws every card of the deal", async () => {
    await open();
    assert.equal(await browser.choose(fileOf("honest")), 0);
    assert.match(await textOf("#verdict"), /This match is verified/);
    assert.equal(await browser.value("document.querySelectorAll('.table .card').length"), 24);
    assert.equal(await browser.value("document.querySelectorAll('tbody tr').length"), 5);
    assert.equal(await browser.value("document.querySelectorAll('.good-mark').length"), 4);
    assert.deepEqual(browser.fetched(PAGE.href), []);
    assert.deepEqual(browser.complaints(), []);
  });

  test("a wrong file is told by its first fault, the event and the party", async () => {
    await open();
    for (const [id, exit, ...told] of [
      ["flipped-card", 3, /the chain breaks/i, /somebody has changed it/i],
      ["deck-other", 3, /evidence against the referee/i, /of deal 1/],
      ["seeds-swapped", 3, /reveals what its commit does not hold/, /event 7 of deal 1/],
      ["cut-in-deal", 5, /speaks against nobody/],
      ["sig-wrong", 4, /signature/],
      ["form-space", 6, /cannot be read/],
      ["empty", 5, /the end is missing/],
      ["plain-log", 6, /unsealed log/],
    ]) {
      assert.equal(await browser.choose(fileOf(id)), exit, id);
      for (const words of told) assert.match(await textOf("#verdict"), words);
    }
    assert.deepEqual(browser.complaints(), []);
  });

  test("a file is dropped on the page, and the proof of one deal too", async () => {
    await open();
    for (const [id, told] of [["honest", /This match is verified/], ["proof", /This deal is verified/]]) {
      await browser.value(`{
        const transfer = new DataTransfer();
        transfer.items.add(new File([${JSON.stringify(readFileSync(fileOf(id), "latin1"))}], "x"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
      }`);
      await browser.until(`${told}.test(document.querySelector('#verdict').innerText)`);
      assert.equal(await browser.value("document.querySelectorAll('tbody tr').length"), 5);
    }
  });

  test("of a file that is cut off in a deal, what was played is drawn", async () => {
    await open();
    const lines = readFileSync(fileOf("honest"), "latin1").split("\n");
    const path = join(home, "half.jsonl");
    writeFileSync(path, lines.slice(0, 20).map((line) => `${line}\n`).join(""));
    assert.equal(await browser.choose(path), 5);
    assert.match(await textOf("#deal"), /the hands are not known/);
    assert.match(await textOf("#deal"), /a card that was not shown/);
    const played = lines.slice(0, 20).filter((line) => line.includes('"action":"play ')).length;
    assert.equal(await browser.value("document.querySelectorAll('tbody .card').length"), played);
    assert.equal(await browser.value("document.querySelectorAll('tbody .led').length"), 3);
  });

  test("a deal that fails is drawn as the file's word, its failing check marked", async () => {
    await open();
    await browser.choose(fileOf("deck-other"));
    assert.match(await textOf("#deal"), /they are not verified/);
    assert.equal(await browser.value("document.querySelectorAll('#deal .bad-mark').length"), 2);
    assert.equal(await browser.value("document.querySelectorAll('#deal .good-mark').length"), 3);
  });

  test("another key than the one that was given is said", async () => {
    await open();
    const { referee_key: key } = CASES.get("key-other");
    await browser.value(`${KEY}.value = ${JSON.stringify(key)}`);
    assert.equal(await browser.choose(fileOf("honest")), 4);
    await browser.value(`${KEY}.value = 'nonsense'`);
    assert.equal(await browser.choose(fileOf("honest")), 0);
    assert.match(await browser.value("document.querySelector('#key-said').textContent"), /left out/);
  });

  test("receipts and a roster are asked where they are given", async () => {
    const keep = (id, what, files) => files.map((lines, i) => {
      const path = join(home, `${id}-${what}-${i}.jsonl`);
      writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
      return path;
    });
    await open();
    const kept = keep("withheld", "receipts", CASES.get("receipts-withheld").receipts);
    await browser.fill("#receipts", kept);
    assert.equal(await browser.choose(fileOf("receipts-withheld")), 3);
    assert.match(await textOf("#verdict"), /said to have withheld/);
    await open();
    await browser.fill("#roster", keep("retired", "roster", [CASES.get("roster-retired").roster]));
    assert.equal(await browser.choose(fileOf("roster-retired")), 4);
    await open();
    await browser.fill("#roster", keep("broken", "roster", [["{}"]]));
    await browser.fill("#file", [fileOf("honest")]);
    await browser.until("!document.querySelector('#verdict').hidden");
    assert.match(await textOf("#verdict"), /line 1 of the roster/i);
  });

  test("a long match leaves the page time to do something else", async () => {
    const builder = new MatchBuilder({ firstDealer: "agreed", chain: 64 }).open();
    for (let deal = 1; deal <= 40; deal += 1) builder.wholeDeal(deal, (deal - 1) % 4);
    const path = join(home, "long.jsonl");
    writeFileSync(path, builder.end().bytes());
    await open();
    await browser.value(`globalThis.seen = new Set(); setInterval(
      () => seen.add(document.querySelector('#progress').value), 0); true`);
    assert.equal(await browser.choose(path), 0);
    assert.ok(await browser.value("seen.size") > 3);
    assert.equal(await browser.value("document.querySelectorAll('#which option').length"), 40);
  });

  test("nothing is wider than the window, at either width, light or dark", async () => {
    for (const width of [390, 1280]) {
      for (const scheme of ["light", "dark"]) {
        await open({ width, scheme });
        await browser.choose(fileOf("honest"));
        assert.ok(await browser.value("document.documentElement.scrollWidth <= innerWidth"));
      }
    }
  });

  test("the deals are reached with the keyboard alone", async () => {
    await open();
    await browser.choose(fileOf("draw"));
    const shown = () => textOf("#deal h2");
    const first = await shown();
    await browser.value("document.querySelector('#before').focus()");
    await browser.press("Enter", 13);
    assert.match(await shown(), /first dealer/);
    await browser.press("Tab", 9);
    await browser.press("Tab", 9);
    await browser.press("Enter", 13);
    assert.equal(await shown(), first);
  });

  test("over plain http a page without Ed25519 never says verified", async () => {
    const server = createServer((_, answer) => {
      answer.setHeader("content-type", "text/html; charset=utf-8");
      answer.end(page().replace("<script", "<script>Object.defineProperty(crypto, 'subtle', {value: undefined})</script><script"));
    });
    await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
    const url = `http://127.0.0.1:${server.address().port}/`;
    try {
      browser.session = undefined;
      browser.heard = [];
      await browser.open(url);
      assert.equal(await browser.choose(fileOf("honest")), 7);
      assert.match(await textOf("#verdict"), /Signatures not checked/);
      assert.doesNotMatch(await textOf("#verdict"), /is verified/);
      assert.equal(await browser.choose(fileOf("deck-other")), 3);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
