import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  PACKS, TAGS, Verifier, ascii, checkVectors, dealtPositions, drawDealer, hex, hmacUnder,
  keyIsSound, parseCanonical, parseKey, permutation, sealedDeck, sha256, signatureChecker, signatureIsSound,
  signedBytes, taggedHash, treeHead, unhex, verify,
} from "../verifier/euchre-verify.mjs";
import { MatchBuilder, REFEREE, changing, keyPair, wholeMatch } from "./support/matches.mjs";

const VECTORS = JSON.parse(
  readFileSync(new URL("../../../tests/vectors/sealed-v1.json", import.meta.url), "utf8"),
);
const judged = async (text, options) => {
  const { exit, party, event, deal } = await verify(
    typeof text === "string" ? ascii(text) : text, options,
  );
  return { exit, party, event, deal };
};
const verdictOf = async (options) => judged(wholeMatch(options).text());

test("every field of the shared vectors is recomputed", async () => {
  const { checked, differ, signatures } = await checkVectors(VECTORS);
  assert.deepEqual(differ, []);
  assert.ok(signatures);
  assert.ok(checked >= 100);
});

test("a vectors file with a wrong deck is named by its field", async () => {
  const wrong = structuredClone(VECTORS);
  wrong.deals[1].deck = wrong.deals[1].deck.replace("KC", "QC");
  assert.deepEqual((await checkVectors(wrong)).differ, ["deals.plain.deck"]);
});

test("SHA-256 and HMAC agree with the platform's at every length up to three blocks", () => {
  for (let length = 0; length <= 192; length += 1) {
    const message = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
    assert.equal(hex(sha256(message)), createHash("sha256").update(message).digest("hex"));
    const hmac = createHmac("sha256", message).update(message).digest("hex");
    assert.equal(hex(hmacUnder(message)(message)), hmac);
  }
});

test("every tag has one use", () => {
  assert.equal(new Set(TAGS).size, TAGS.length);
});

test("each course of the shuffle gives another permutation, and all are reached", () => {
  for (let n = 2; n <= 7; n += 1) {
    const seen = new Set();
    const courses = [[]];
    for (let m = n; m >= 2; m -= 1) {
      courses.splice(0, courses.length, ...courses.flatMap(
        (course) => Array.from({ length: m }, (_, j) => [...course, j])));
    }
    for (const course of courses) {
      const draws = [...course];
      seen.add(permutation(n, () => draws.shift()).join());
    }
    assert.equal(seen.size, courses.length);
  }
});

test("a tree of five leaves is split at four and repeats none", () => {
  const leaves = [1, 2, 3, 4, 5].map((n) => sha256(Uint8Array.of(n)));
  const left = treeHead(leaves.slice(0, 4));
  assert.equal(
    hex(treeHead(leaves)), hex(sha256(Uint8Array.from([1, ...left, ...leaves[4]]))),
  );
});

test("the five positions of four seats cover 0 to 19 under every packet pattern", () => {
  for (const packets of ["3-2", "2-3", "3-2-3-2", "2-3-2-3", "single"]) {
    for (const dealer of [0, 1, 2, 3]) {
      const all = [0, 1, 2, 3].flatMap((seat) => dealtPositions(packets, dealer, seat));
      assert.deepEqual(all.sort((a, b) => a - b), Array.from({ length: 20 }, (_, i) => i));
    }
  }
});

test("a tie in the draw is broken by one more card to each tied seat", () => {
  const deck = "9C TC 9D KC AD 2S KD".split(" ");
  assert.deepEqual(drawDealer(deck, "draw_low", 1), { positions: [0, 1, 2, 3, 4, 5, 6], dealer: 1 });
});

test("a draw that runs out of cards falls to the first tied seat", () => {
  assert.deepEqual(
    drawDealer("9C 9D 9H 9S".split(" "), "draw_high", 3), { positions: [0, 1, 2, 3], dealer: 3 },
  );
});

test("an honest match is verified, whatever its pack, cut and dealer draw", async () => {
  for (const options of [
    {}, { pack: "E25", cut: "dealers_right" }, { pack: "E32", cut: "dealers_left" },
    { firstDealer: "draw_low" }, { firstDealer: "draw_high", pack: "E33J" },
    { firstDealer: "agreed" }, { declined: [0, 2], rated: false, cut: "dealers_right" },
  ]) {
    assert.equal((await verdictOf(options)).exit, 0, JSON.stringify(options));
  }
});

test("the report counts deals and seeds and prints the line to pin", async () => {
  const report = await verify(wholeMatch({ declined: [1] }).bytes());
  assert.equal(report.verified, 3);
  assert.deepEqual(report.seeds, { seat: 3, host: 0, declined: 1 });
  assert.deepEqual(report.key, { pinned: false, line: REFEREE.text });
  assert.equal(report.rules, "not replayed");
});

test("seats that sign are checked, and satisfy strict where all four do", async () => {
  const signers = Object.fromEntries([0, 1, 2, 3].map((seat) => [seat, keyPair(20 + seat)]));
  const strict = { strict: true, referee_key: parseKey(REFEREE.text) };
  assert.equal((await judged(wholeMatch({ signers }).text(), strict)).exit, 0);
  const found = {};
  for (const [kind, change, nth] of [
    ["reveal_set", (event) => { event.sigs[2] = event.sigs[1]; }, 0],
    ["reveal_set", (event) => { event.sigs[2] = ""; }, 1],
    ["action", (event) => { event.seat_sig = "00".repeat(64); }, 1],
    ["action", (event) => { delete event.seat_sig; }, 2],
  ]) {
    const { exit, party } = await verdictOf({ signers, change: changing(kind, change, nth) });
    found[`${kind} ${nth}`] = `${exit} ${party}`;
  }
  assert.deepEqual(new Set(Object.values(found)), new Set(["4 referee"]));
});

test("a deal closed by a fault after the commit set needs no deck", async () => {
  const builder = new MatchBuilder({ firstDealer: "agreed" }).open();
  builder.dealOpen(1, 0).commit().close("fault", [{ seat: "east", why: "WITHHELD" }]);
  builder.wholeDeal(2, 1).end();
  assert.equal((await judged(builder.text())).exit, 0);
});

test("a match goes on after a void only where no commit set stood", async () => {
  const early = new MatchBuilder({ firstDealer: "agreed" }).open();
  early.dealOpen(1, 0).close("void").wholeDeal(2, 1).end();
  assert.equal((await judged(early.text())).exit, 0);
  const late = new MatchBuilder({ firstDealer: "agreed" }).open();
  late.dealOpen(1, 0).commit().close("void").wholeDeal(2, 1).end();
  const { exit, party, event } = await judged(late.text());
  assert.deepEqual([exit, party, event], [3, "referee", 8]);
});

test("a flipped card, a deleted play and two swapped events are the file's", async () => {
  const { lines } = wholeMatch();
  const play = lines.findIndex((line) => line.includes("play 9C"));
  const flipped = lines.with(play, lines[play].replace("9C", "TC"));
  const deleted = lines.toSpliced(play, 1);
  const swapped = lines.with(play, lines[play - 1]).with(play - 1, lines[play]);
  for (const [made, at] of [[flipped, play + 1], [deleted, play + 1], [swapped, play]]) {
    const { exit, party, event } = await judged(made.join(""));
    assert.deepEqual([exit, party, event], [3, "file", at]);
  }
});

test("a file without its end is nobody's fault", async () => {
  const text = wholeMatch().text();
  const boundary = text.lastIndexOf("\n", text.length - 2) + 1;
  for (const length of [0, 1, 40, 900, 3000, boundary, text.length - 1]) {
    const { exit, party } = await judged(text.slice(0, length));
    assert.deepEqual([exit, party], [5, "nobody"], `${length} bytes`);
  }
});

test("another pinned key is exit 4 and the key's", async () => {
  const pinned = parseKey(keyPair(9).text);
  const { exit, party } = await judged(wholeMatch().text(), { referee_key: pinned });
  assert.deepEqual([exit, party], [4, "key"]);
  const right = await judged(wholeMatch().text(), { referee_key: parseKey(REFEREE.text) });
  assert.equal(right.exit, 0);
});

test("a match signed throughout by another key than it names is the key's", async () => {
  const other = { ...keyPair(9), text: REFEREE.text };
  const { exit, party } = await verdictOf({ referee: other });
  assert.deepEqual([exit, party], [4, "key"]);
});

test("one changed or missing signature among good ones is the file's", async () => {
  const { lines } = wholeMatch();
  const at = lines.findIndex((line) => line.includes("commit_set"));
  const changed = lines.with(at, lines[at].replace(/"sig":"../, '"sig":"00'));
  const missing = lines.with(at, lines[at].replace(/"sig":"[^"]*"/, '"sig":""'));
  for (const made of [changed, missing]) {
    const { exit, party, event } = await judged(made.join(""));
    assert.deepEqual([exit, party, event], [4, "file", at]);
  }
});

const flip = (text) => (text[0] === "0" ? "1" : "0") + text.slice(1);
const PLAYED = { cut: "dealers_right", pack: "E25" };

/** What a referee may change before it hashes and signs, and what is said of it. */
const LIES = [
  ["match_open", 0, (e) => { e.pack = "E24"; }, /pack is not the rule set's/, PLAYED],
  ["match_open", 0, (e) => { e.rules.target = "5"; }, /rule_set is not the hash/],
  ["match_open", 0, (e) => { e.seats[1].level = "signs"; }, /a key goes with the level signs/],
  ["match_open", 0, (e) => { e.seats[1].key = "junk"; }, /public key was expected/],
  ["match_open", 0, (e) => { e.seats[1].seed_by = "nobody"; }, /one of seat, host/],
  ["match_open", 0, (e) => { e.policy.rated = 1; }, /true or false/],
  ["match_open", 0, (e) => { e.policy.extra_ms = 1; }, /policy.extra_ms: an unknown field/],
  ["match_open", 0, (e) => { delete e.policy.games; }, /policy.games: it is missing/],
  ["match_open", 0, (e) => { e.rules = []; }, /rules: an object was expected/],
  ["match_open", 0, (e) => { e.seats[0] = "north"; }, /seats\[0\]: an object was expected/],
  ["match_open", 0, (e) => { e.seats.pop(); }, /a list of 4/],
  ["match_open", 0, (e) => { e.chain = 2; }, /beyond the referee's chain|not continue/],
  ["deal_open", 0, (e) => { e.deal = 1; e.dealer = "north"; }, /the match begins with deal 1/],
  ["deal_open", 0, (e) => { e.dealer = "north"; }, /only deal 0 has no dealer/],
  ["deal_open", 1, (e) => { delete e.dealer; }, /only deal 0 has no dealer/],
  ["deal_open", 2, (e) => { e.deal = 5; }, /deal 5 follows deal 1: a gap/],
  ["deal_open", 1, (e) => { e.cutter = "north"; }, /cutter is not the rule set's/],
  ["seat_commit", 0, (e) => { e.deal = 1; }, /deal 1 inside deal 0/],
  ["seat_commit", 0, (e) => { e.seat = "north"; }, /north commits twice/],
  ["seat_commit", 0, (e) => { e.seat = "dealer"; }, /one of north, east/],
  ["seat_commit", 0, (e) => { e.commit = flip(e.commit); }, /commit of south is not its own/],
  ["commit_set", 0, (e) => { e.commits[1] = e.commits[0]; }, /commit of east is not its own/],
  ["commit_set", 1, (e) => { e.r_commit = flip(e.r_commit); }, /r_commit does not continue/],
  ["commit_set", 0, (e) => { e.cset = flip(e.cset); }, /cset is not the hash/],
  ["reveal_set", 0, (e) => { e.seeds[3] = flip(e.seeds[3]); }, /west reveals what its commit/],
  ["reveal_set", 0, (e) => { e.seeds[3] = ""; }, /the seed of west is missing/],
  ["reveal_set", 0, (e) => { e.cut = 1; }, /a cut stands where a cutter is/],
  ["reveal_set", 1, (e) => { delete e.cut; }, /a cut stands where a cutter is/, PLAYED],
  ["reveal_set", 1, (e) => { e.cut = 25; }, /the cut is too large/, PLAYED],
  ["reveal_set", 1, (e) => { e.cut = 6; }, /reveals what its commit/, PLAYED],
  ["reveal_set", 0, (e) => { e.sigs[0] = "00".repeat(64); }, /signed without a key/],
  ["deck_root", 0, (e) => { e.leaves.pop(); }, /not one a card/],
  ["deck_root", 0, (e) => { e.leaves[9] = flip(e.leaves[9]); }, /root is not the tree head/],
  ["deck_root", 0, (e) => { e.root = flip(e.root); }, /root is not the tree head/],
  ["dealer_draw", 0, (e) => { e.turned[0].card = "ZZ"; }, /not a card of the pack/],
  ["dealer_draw", 0, (e) => { e.turned.pop(); }, /cards turned are not those/],
  ["dealer_draw", 0, (e) => { e.start = e.start === "north" ? "east" : "north"; }, /draw starts/],
  ["dealer_draw", 0, (e) => { e.dealer = e.dealer === "north" ? "east" : "north"; }, /the dealer/],
  ["turn_up", 0, (e) => { e.card = e.card === "9C" ? "TC" : "9C"; }, /20 does not open to/],
  ["turn_up", 0, (e) => { e.salt = flip(e.salt); }, /position 20 does not open/],
  ["turn_up", 0, (e) => { e.position = 30; }, /upcard lies at position 20/],
  ["turn_up", 0, (e, b) => { Object.assign(e, b.opening(21)); }, /upcard lies at position 20/],
  ["turn_up", 0, (e) => { e.constructor = 1; }, /constructor: an unknown field/],
  ["turn_up", 0, (e) => { e.kind = "turn_over"; }, /not a kind of event/],
  ["turn_up", 0, (e) => { delete e.card; }, /card: it is missing/],
  ["action", 0, (e) => { e.action = ""; }, /an action was expected/],
  ["action", 0, (e) => { e.commit = "00".repeat(32); }, /a commit goes with a hidden move/],
  ["action", 1, (e) => { e.action = "discard 9C"; }, /stands in the open/],
  ["action", 1, (e) => { delete e.commit; }, /a commit goes with a hidden move/],
  ["action", 0, (e) => { e.seat_sig = "00".repeat(64); }, /signed without a key/],
  ["deal_close", 1, (e) => { e.r = flip(e.r); }, /r does not continue/],
  ["deal_close", 1, (e) => { e.deck = e.deck.split(" ").reverse().join(" "); }, /deck is not the deck/],
  ["deal_close", 1, (e) => { delete e.deck; }, /deck stands where/],
  ["deal_close", 1, (e) => { e.outcome = "draw"; }, /draw is deal 0 only/],
  ["deal_close", 0, (e) => { e.outcome = "played"; }, /draw is deal 0 only/],
  ["deal_close", 1, (e) => { e.openings[0].positions = [19]; }, /opens to something else/],
  ["deal_close", 1, (e) => { e.openings[0].positions = [30]; }, /are not of the pack/],
  ["deal_close", 1, (e) => { e.openings[0].positions = [20, 21]; }, /has not 1 position/],
  ["deal_close", 1, (e) => { e.openings = []; }, /openings are not those/],
];

test("what a referee changes and signs again is found, and is the referee's", async () => {
  for (const [kind, nth, change, said, options = {}] of LIES) {
    const match = wholeMatch({ ...options, change: changing(kind, change, nth) });
    const { exit, party, message } = await verify(match.bytes());
    assert.match(message, said, `${kind} ${nth}: ${change}`);
    assert.deepEqual([exit, party], [3, "referee"], message);
  }
});

test("two equal commits in a set are refused even where each seat sent its own", async () => {
  const twice = (event, builder) => {
    if (!builder.deal) return;
    const other = hex(builder.deal.commits[0]);
    if (event.kind === "seat_commit" && event.seat === "east") event.commit = other;
    if (event.kind === "commit_set") event.commits[1] = other;
  };
  const { message } = await verify(wholeMatch({ change: twice }).bytes());
  assert.match(message, /two commits are the same/);
});

test("a commit set without a seat's commit, or with one of a declined seat, is refused", async () => {
  const builder = new MatchBuilder({ firstDealer: "agreed" }).open().dealOpen(1, 0);
  builder.declined = [3];
  builder.commit().close("void").end("void");
  assert.match((await verify(builder.bytes())).message, /west has not committed/);
  const other = new MatchBuilder({ firstDealer: "agreed", declined: [3] }).open().dealOpen(1, 0);
  other.declined = [];
  other.commit().close("void").end("void");
  assert.match((await verify(other.bytes())).message, /west has declined/);
});

test("a deal is not closed as played before its deck is there", async () => {
  const builder = new MatchBuilder({ firstDealer: "agreed" }).open();
  builder.dealOpen(1, 0).commit().close("thrown_in").end();
  const { exit, party, message } = await verify(builder.bytes());
  assert.deepEqual([exit, party], [3, "referee"]);
  assert.match(message, /only a fault or a void/);
});

test("a match voided after a commit set does not close as finished", async () => {
  const builder = new MatchBuilder({ firstDealer: "agreed" }).open();
  builder.dealOpen(1, 0).commit().close("void").end("finished");
  assert.match((await verify(builder.bytes())).message, /the match closes void/);
});

test("a deck that was sealed by another r is found at its root", async () => {
  const change = (event, builder) => {
    if (event.kind === "deck_root" && event.deal === 1) {
      const { cset, seeds } = builder.deal;
      const lie = sealedDeck({ match: builder.match, deal: 1, pack: "E24", r: cset, cset, seeds });
      event.leaves = lie.leaves.map(hex);
      event.root = hex(lie.root);
      builder.deal.sealed = lie;
    }
  };
  const { exit, party, message } = await verify(wholeMatch({ change }).bytes());
  assert.deepEqual([exit, party], [3, "referee"]);
  assert.match(message, /the deck that was sealed is not the one derived/);
});

test("a change that no later signature covers is not the referee's", async () => {
  const { lines } = wholeMatch({
    change: changing("turn_up", (event) => { event.salt = "00".repeat(32); }),
  });
  const at = lines.findIndex((line) => line.includes("turn_up"));
  const { exit, party, event } = await judged(lines.slice(0, at + 2).join(""));
  assert.deepEqual([exit, party, event], [3, "file", at]);
});

test("two signed events of one seq are the referee's", async () => {
  const { lines } = wholeMatch();
  const other = wholeMatch({
    change: changing("match_open", (event) => { event.opened_at += 1; }),
  });
  const { exit, party, event } = await judged([lines[0], other.lines[0]].join(""));
  assert.deepEqual([exit, party, event], [3, "referee", 0]);
  const repeated = await judged([lines[0], lines[0]].join(""));
  assert.deepEqual([repeated.exit, repeated.party], [3, "file"]);
});

test("a plain log is refused as unsealed", async () => {
  const report = await verify(ascii('{"format":"euchre-plain-log/1","seed":"4"}\n'));
  assert.equal(report.exit, 6);
  assert.match(report.message, /unsealed log/);
});

test("a form that is not the canonical one is exit 6", async () => {
  const { lines } = wholeMatch();
  const forms = {
    "a space": (line) => line.replace('"kind":', '"kind": '),
    "a float": (line) => line.replace('"seq":0', '"seq":0.0'),
    "a leading zero": (line) => line.replace('"seq":0', '"seq":00'),
    "an escape": (line) => line.replace("bot-north", "bot-nort\\u0068"),
    "keys out of order": (line) => line.replace('{"chain":16,"kind":"match_open",', '{"kind":"match_open","chain":16,'),
    "a key twice": (line) => line.replace('"seq":0', '"seq":0,"seq":0'),
    "a byte order mark": (line) => `\u00ef\u00bb\u00bf${line}`,
    "a carriage return": (line) => line.replace("\n", "\r\n"),
    "null": (line) => line.replace('"seq":0', '"seq":null'),
    "a negative": (line) => line.replace('"seq":0', '"seq":-1'),
    "upper-case hex": (line) => line.replace(/"sig":"[^"]*"/, (sig) => `"sig":"${sig.slice(7, -1).toUpperCase()}"`),
    "a key in upper case": (line) => line.replace('"chain"', '"Chain"'),
    "an integer above 2^53 - 1": (line) => line.replace('"chain":16', '"chain":9007199254740992'),
    "a value left out": (line) => line.replace('"chain":16', '"chain":'),
    "bytes after the line": (line) => line.replace("\n", " \n"),
  };
  for (const [what, change] of Object.entries(forms)) {
    assert.notEqual(change(lines[0]), lines[0], what);
    const { exit, party } = await judged([change(lines[0]), ...lines.slice(1)].join(""));
    assert.deepEqual([exit, party], [6, "file"], what);
  }
});

test("canonical JSON is no deeper than six", () => {
  assert.ok(parseCanonical(ascii('{"a":[[[[[1]]]]]}')));
  assert.throws(() => parseCanonical(ascii('{"a":[[[[[[1]]]]]]}')), /deeper/);
  assert.throws(() => parseCanonical(ascii('{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}')), /deeper/);
});

test("no byte of a transcript can be changed unseen", async () => {
  const bytes = wholeMatch({ cut: "dealers_left" }).bytes();
  for (let at = 0; at < bytes.length; at += 97) {
    for (const change of [1, 0x20, 0x80]) {
      const changed = Uint8Array.from(bytes);
      changed[at] ^= change;
      const { exit } = await judged(changed);
      assert.ok(exit > 0 && exit < 70, `byte ${at} changed by ${change}: exit ${exit}`);
    }
  }
});

test("a key of small order or a signature that is not canonical is refused before the library", () => {
  const small = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ];
  for (const key of small) assert.ok(!keyIsSound(unhex(key)), key);
  assert.ok(keyIsSound(REFEREE.raw));
  const good = REFEREE.sign(ascii("x"));
  assert.ok(signatureIsSound(good));
  const order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";
  assert.ok(!signatureIsSound(Uint8Array.from([...good.slice(0, 32), ...unhex(order)])));
  assert.ok(!signatureIsSound(Uint8Array.from([...unhex(small[8]), ...good.slice(32)])));
});

test("S plus the group order is refused though the equation still holds", async () => {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const message = signedBytes.referee(new Uint8Array(32));
  const good = REFEREE.sign(message);
  const s = BigInt(`0x${hex(Uint8Array.from(good.slice(32)).reverse())}`) + order;
  const shifted = unhex(s.toString(16).padStart(64, "0")).reverse();
  const check = await signatureChecker();
  assert.ok(await check(REFEREE.raw, good, message));
  assert.ok(!(await check(REFEREE.raw, Uint8Array.from([...good.slice(0, 32), ...shifted]), message)));
});

test("without Ed25519 nothing is shown as verified", async () => {
  const honest = await verify(wholeMatch().bytes(), { crypto: {} });
  assert.deepEqual([honest.exit, honest.signatures], [7, "not checked"]);
  const signed = await verify(wholeMatch({ signers: { 2: keyPair(4) } }).bytes(), { crypto: {} });
  assert.equal(signed.exit, 7);
  const wrong = await verify(
    wholeMatch({ change: changing("turn_up", (event) => { event.salt = "00".repeat(32); }) }).bytes(),
    { crypto: {} },
  );
  assert.deepEqual([wrong.exit, wrong.party], [3, "file"]);
});

test("strict asks for a pinned key, then for seats that sign with their own seeds", async () => {
  const bytes = wholeMatch().bytes();
  const loose = await verify(bytes, { strict: true });
  assert.equal(loose.exit, 7);
  assert.match(loose.message, /not pinned/);
  const pinned = await verify(bytes, { strict: true, referee_key: parseKey(REFEREE.text) });
  assert.match(pinned.message, /north does not sign/);
});

test("the key's printed form is refused when its id is not its own", () => {
  assert.ok(parseKey(REFEREE.text));
  assert.equal(parseKey(REFEREE.text.replace("test", "best")), null);
  assert.equal(parseKey("nonsense"), null);
});

test("a transcript may come in pieces of any size", async () => {
  const bytes = wholeMatch().bytes();
  for (const size of [7, 4097, bytes.length + 1]) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    assert.equal((await verify(pieces)).exit, 0);
  }
  assert.equal((await verify([])).exit, 5);
});

test("a line without end is refused before it fills the memory", async () => {
  const pieces = Array.from({ length: 8 }, () => new Uint8Array(1 << 19).fill(0x20));
  assert.equal((await verify(pieces)).exit, 6);
});

test("lines may be given one at a time", async () => {
  const verifier = new Verifier({ checker: await signatureChecker() });
  for (const line of wholeMatch().lines) verifier.line(ascii(line.slice(0, -1)));
  assert.equal((await verifier.verdict()).exit, 0);
});

function proofOf(builder, number, change = (lines) => lines) {
  const parsed = builder.lines.map((line) => JSON.parse(line).event);
  const lines = builder.lines.filter((_, i) => i === 0 || parsed[i].deal === number);
  const match = parsed[0].match;
  return ascii(JSON.stringify({
    format: "euchre-deal-proof/1", match, lines: change(lines.map((line) => line.trimEnd())),
  }));
}

test("a deal proof is complete with its own deal, and says what it does not cover", async () => {
  for (const number of [0, 1, 2]) {
    const report = await verify(proofOf(wholeMatch(), number));
    assert.equal(report.exit, 0, `deal ${number}: ${report.message}`);
    assert.equal(report.not_covered.length, 2);
  }
});

test("a file that is no deal proof in its one form is exit 6", async () => {
  const text = Buffer.from(proofOf(wholeMatch(), 1)).toString("latin1");
  for (const wrong of [
    text.slice(0, -1), text.replace("proof/1", "proof/2"), text.replace('"lines":', '"lines": '),
    '{"format":"euchre-deal-proof/1","match":"00","lines":[]}',
    '{"format":"euchre-deal-proof/1","match":"00","lines":[1]}',
    '{"format":"euchre-deal-proof/1","match":"00"}',
  ]) {
    assert.equal((await judged(wrong)).exit, 6, wrong.slice(0, 60));
  }
});

test("a deal proof that names another match than its lines is refused", async () => {
  const text = Buffer.from(proofOf(wholeMatch(), 1)).toString("latin1");
  const { exit, party } = await judged(text.replace(/"match":"[0-9a-f]*"/, `"match":"${"0".repeat(32)}"`));
  assert.deepEqual([exit, party], [3, "file"]);
});

test("a deal proof without its last line is incomplete", async () => {
  const { exit, party } = await judged(proofOf(wholeMatch(), 1, (lines) => lines.slice(0, -1)));
  assert.deepEqual([exit, party], [5, "nobody"]);
});

test("a deal proof with a changed line is the file's", async () => {
  const proof = proofOf(wholeMatch(), 1, (lines) => lines.map((l) => l.replace("play 9C", "play TC")));
  const { exit, party } = await judged(proof);
  assert.deepEqual([exit, party], [3, "file"]);
});

test("a pack is listed in suits of clubs, diamonds, hearts and spades", () => {
  assert.equal(PACKS.E24.join(" "), "9C TC JC QC KC AC 9D TD JD QD KD AD 9H TH JH QH KH AH 9S TS JS QS KS AS");
  assert.equal(PACKS.E33J.length, 33);
  assert.equal(taggedHash("leaf").length, 32);
});
