import assert from "node:assert/strict";
import {
  chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, test } from "node:test";
import { pick } from "../bots/random.mjs";
import { ReceiptFile } from "../src/receipts.mjs";
import { Seat } from "../src/seat.mjs";
import { StateFile, keptSecret } from "../src/state.mjs";
import {
  SEATS, ascii, dealtPositions, hex, hiddenMove, parseKey, seatCommit, seatSeed, signatureChecker,
  signedBytes, unhex,
} from "../verifier/euchre-verify.mjs";
import { MatchBuilder, REFEREE, changing, keyPair, sealSecret } from "./support/matches.mjs";

const folder = mkdtempSync(join(tmpdir(), "euchre-seat-"));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const freshPath = () => {
  files += 1;
  return join(folder, `state-${files}`);
};
const CHECK = await signatureChecker();
const NORTH = sealSecret("seat 0");

/** North's client, and the referee's side of the conversation with it. */
class Table {
  constructor({
    state = freshPath(), pinned = null, choose = (_view, legal) => legal[0], seatKey = null,
    level = "checks", ...options
  } = {}) {
    this.builder = new MatchBuilder({ firstDealer: "agreed", cut: "dealers_right", ...options });
    this.statePath = state;
    this.sent = [];
    this.said = [];
    this.delivered = 0;
    this.seat = new Seat({
      choose, name: "bot-north", pinned, check: CHECK, seatKey, level,
      files: () => ({
        secret: NORTH, state: new StateFile(state), receipts: new ReceiptFile(`${state}.receipts`),
      }),
      send: (input) => this.sent.push(input), say: (line) => this.said.push(line),
      pause: async () => {},
    });
  }

  get match() {
    return hex(this.builder.match);
  }

  async tell(item) {
    await this.seat.take({ match: this.match, seat: "north", request_id: new Uint8Array(0), ...item });
  }

  async welcome() {
    const { rules } = this.builder;
    await this.tell({ item: "welcome", welcome: { declined: false, referee_key: REFEREE.raw, rules } });
    this.builder.open();
    await this.catchUp();
    return this;
  }

  /** Give the seat every event that it has not been given. */
  async catchUp() {
    for (; this.delivered < this.builder.lines.length; this.delivered += 1) {
      const line = this.builder.lines[this.delivered].trimEnd();
      const split = line.lastIndexOf(',"sig":"');
      const event = { event: ascii(line.slice(9, split)), sig: unhex(line.slice(split + 8, -2)) };
      await this.tell({ item: "event", event: { ...event, seq: this.delivered } });
    }
  }

  async ask(what, more = {}) {
    await this.tell({ item: "ask", ask: { what, deal: this.builder.deal.number, ...more } });
    return this.sent.at(-1);
  }

  /** Deal 1 up to the commit set; where north cuts, the builder takes north's own cut. */
  async commit(number = 1, dealer = 2) {
    const { builder } = this;
    builder.dealOpen(number, dealer);
    await this.catchUp();
    const { commit } = await this.ask("commit");
    builder.deal.commits[0] = commit.commit;
    if (builder.deal.cutter === 0) builder.deal.cut = this.seat.record.ownFor(number).cut;
    builder.commit();
    await this.catchUp();
    return commit;
  }

  async deal({ change = (cards) => cards, root } = {}) {
    const { builder } = this;
    builder.reveal();
    await this.catchUp();
    const { number, dealer, sealed } = builder.deal;
    const cards = change(dealtPositions("3-2", dealer, 0).map((position) => ({
      position, card: sealed.deck[position], salt: sealed.salts[position],
    })));
    const named = root ?? sealed.root;
    const message = signedBytes.privateDeal(builder.match, number, 0, named, cards);
    const dealt = { deal: number, root: named, cards, sig: REFEREE.sign(message) };
    await this.tell({ item: "private_deal", private_deal: dealt });
  }

  view(legal) {
    return { state_version: this.builder.seq - 1, legal, hand: [], seat: "north" };
  }
}

test("a seat commits to its seed, reveals it under the commit set, and follows to the end", async () => {
  const table = await new Table().welcome();
  const commit = await table.commit();
  const seed = seatSeed(NORTH, table.builder.match, 1);
  assert.deepEqual(commit, { deal: 1, commit: seatCommit(table.builder.match, 1, 0, seed) });
  const { reveal } = await table.ask("reveal");
  assert.equal(hex(reveal.seed), hex(seed));
  assert.equal(hex(reveal.cset), hex(table.builder.deal.cset));
  assert.equal(hex(reveal.head), hex(table.builder.head));
  await table.deal();
  const { act } = await table.ask("act", { view: table.view(["pass", "order"]) });
  assert.deepEqual(act, { seq: table.builder.seq, action: "pass" });
  table.builder.play().close().end();
  await table.catchUp();
  assert.equal(table.seat.result.outcome, "finished");
});

test("the cutter's cut stands in the state file before the commit is sent, and is kept", async () => {
  const state = freshPath();
  const table = await new Table({ state }).welcome();
  const first = await table.commit(1, 1);
  const kept = JSON.parse(readFileSync(state, "utf8").trim());
  assert.deepEqual(Object.keys(kept), ["cut", "deal", "match", "r0", "seat"]);
  const again = await new Table({ state }).welcome();
  again.builder.dealOpen(1, 1);
  await again.catchUp();
  const { commit } = await again.ask("commit");
  assert.equal(hex(commit.commit), hex(first.commit));
});

test("the commit set is on file before the reveal is sent", async () => {
  const table = await new Table().welcome();
  await table.commit();
  let onFile = "";
  table.seat.send = () => { onFile = readFileSync(table.statePath, "utf8"); };
  await table.ask("reveal");
  assert.ok(onFile.includes(`"cset":"${hex(table.builder.deal.cset)}"`));
});

test("a seed is not revealed for a second commit set, also after a restart", async () => {
  const state = freshPath();
  const table = await new Table({ state }).welcome();
  await table.commit();
  await table.ask("reveal");
  const other = await new Table({ state }).welcome();
  other.builder.dealOpen(1, 2);
  other.builder.deal.commits[1] = seatCommit(other.builder.match, 1, 1, new Uint8Array(32));
  other.builder.commit();
  await assert.rejects(other.catchUp(), /was answered under commit set/);
});

test("a match id that is on file with another r0 is left", async () => {
  const state = freshPath();
  const table = await new Table({ state }).welcome();
  await table.commit();
  const replay = new Table({ state, chain: 17 });
  await assert.rejects(replay.welcome(), /its id is used twice/);
});

test("a commit set without our own commit is not answered", async () => {
  const table = await new Table().welcome();
  table.builder.dealOpen(1, 2);
  await table.catchUp();
  await table.ask("commit");
  const flipped = (event) => { event.commit = hex(new Uint8Array(32)); };
  table.builder.change = (event) => {
    if (event.kind === "seat_commit" && event.seat === "north") flipped(event);
    if (event.kind === "commit_set") event.commits[0] = hex(new Uint8Array(32));
  };
  table.builder.deal.commits[0] = new Uint8Array(32);
  table.builder.commit();
  await assert.rejects(table.catchUp(), /another commit of ours/);
});

test("an event out of its place, and a match_open of another match, are refused", async () => {
  const other = new Table();
  await other.tell({ item: "welcome", welcome: { declined: false, referee_key: REFEREE.raw, rules: {} } });
  other.builder.change = changing("match_open", (event) => { event.match = "0c".repeat(16); });
  other.builder.open();
  await assert.rejects(other.catchUp(), /it opens match 0c/);
  const gap = await new Table().welcome();
  gap.builder.dealOpen(1, 2).commit();
  gap.delivered += 1;
  await assert.rejects(gap.catchUp(), /event 1: it carries seq 2/);
  const chain = await new Table({
    change: changing("deal_open", (event) => { event.prev = "00".repeat(32); }),
  }).welcome();
  chain.builder.dealOpen(1, 2);
  await assert.rejects(chain.catchUp(), /the chain breaks/);
});

test("a commit or reveal that is asked for out of turn is not given", async () => {
  const table = await new Table().welcome();
  const ask = (what, deal) => table.tell({ item: "ask", ask: { what, deal } });
  await assert.rejects(ask("commit", 1), /asked to commit to 1/);
  await table.commit();
  await assert.rejects(ask("reveal", 2), /asked to reveal 2/);
  assert.equal(table.sent.length, 1);
});

test("a seat that match_open names otherwise than its Hello is left", async () => {
  const seats = { north: { name: "another" } };
  await assert.rejects(new Table({ seats }).welcome(), /it names this seat another/);
});

test("a card that was not sealed, a wrong position and a wrong root are each refused", async () => {
  const swapped = (cards) => cards.with(0, { ...cards[0], card: cards[1].card });
  const moved = (cards) => cards.with(4, { ...cards[4], position: 19 });
  for (const [how, said] of [
    [{ change: swapped }, /not the one sealed/], [{ change: moved }, /packets put them/],
    [{ root: new Uint8Array(32) }, /name another root/],
  ]) {
    const table = await new Table().welcome();
    await table.commit();
    await table.ask("reveal");
    await assert.rejects(table.deal(how), said);
  }
});

test("a seat that plays with our secret is told of, whether it cuts or not", async () => {
  for (const dealer of [2, 1]) { // the dealer's right cuts: east, then north
    const table = await new Table({ secrets: { 1: NORTH } }).welcome();
    await table.commit(1, dealer);
    const warned = table.said.filter((line) => line.includes("plays with our secret"));
    assert.deepEqual(warned.map((line) => line.split(" ")[1]), ["east"]);
  }
});

test("an event that the referee did not sign is refused", async () => {
  const table = new Table({ referee: { ...REFEREE, sign: keyPair(9).sign } });
  await assert.rejects(table.welcome(), /match_open is not signed by the referee/);
});

test("another key than the pinned one is refused, and without a pin the line to pin is said", async () => {
  const pinned = new Table({ pinned: parseKey(keyPair(9).text) });
  await assert.rejects(pinned.welcome(), /not the pinned one/);
  const open = await new Table().welcome();
  assert.ok(open.said[0].includes(`--key '${REFEREE.text}'`));
});

test("a deck that is not the one derived is found at the close", async () => {
  const swapDeck = (event) => {
    const deck = event.deck.split(" ");
    event.deck = [deck[1], deck[0], ...deck.slice(2)].join(" ");
  };
  const table = await new Table({ change: changing("deal_close", swapDeck) }).welcome();
  await table.commit();
  await table.ask("reveal");
  await table.deal();
  table.builder.play().close();
  await assert.rejects(table.catchUp(), /deck is not the deck that was sealed/);
});

test("a refused action is answered anew only when it is asked for anew", async () => {
  const table = await new Table().welcome();
  await table.commit();
  await table.ask("reveal");
  await table.deal();
  const first = await table.ask("act", { view: table.view(["pass"]) });
  const ruling = { request_id: first.request_id, accepted: false, reason: "WRONG_PHASE", text: "no" };
  const before = table.sent.length;
  await table.tell({ item: "ruling", ruling });
  assert.equal(table.sent.length, before);
  const second = await table.ask("act", { view: table.view(["pass"]) });
  assert.notEqual(hex(second.request_id), hex(first.request_id));
});

test("after a lost connection the same input goes again under the same request id", async () => {
  const table = await new Table().welcome();
  await table.commit();
  await table.ask("reveal");
  await table.deal();
  const view = table.view(["pass", "order"]);
  const first = await table.ask("act", { view });
  await table.ask("act", { view });
  assert.equal(table.sent.at(-1), first);
  table.seat.reconnected();
  const again = await table.ask("act", { view });
  assert.equal(hex(again.request_id), hex(first.request_id));
  assert.deepEqual(again.act, first.act);
});

const keptDeals = (table) => readFileSync(`${table.statePath}.receipts`, "utf8").split("\n")
  .slice(0, -1).map((line) => JSON.parse(line)).filter(({ cards }) => cards !== undefined);

for (const code of ["UNAVAILABLE", "RESOURCE_EXHAUSTED"]) {
  test(`the same request goes again after ${code}`, async () => {
    const table = await new Table().welcome();
    table.builder.dealOpen(1, 2);
    await table.catchUp();
    const first = await table.ask("commit");
    await table.tell({ item: "status", status: { code, message: "later" }, request_id: first.request_id });
    assert.equal(table.sent.length, 2);
    assert.deepEqual(table.sent.at(-1).commit, first.commit);
    assert.deepEqual(table.sent.at(-1).request_id, first.request_id);
  });
}

test("wrong cards under the referee's signature are kept, as the verifier reads them", async () => {
  const table = await new Table().welcome();
  await table.commit(1, 0);
  await table.ask("reveal");
  const swapped = (cards) => cards.with(0, { ...cards[0], card: cards[1].card });
  await assert.rejects(table.deal({ change: swapped }), /they are kept: the proof/);
  const [kept, ...more] = keptDeals(table);
  assert.equal(more.length, 0);
  assert.equal(kept.cards[0].card, kept.cards[1].card);
  assert.deepEqual([kept.match, kept.deal, kept.seat], [table.match, 1, "north"]);
});

test("cards that no verifier could read are refused, and not kept", async () => {
  const odd = [{ card: '"' }, { card: "9\u2663" }, { salt: new Uint8Array(31) }];
  for (const change of odd) {
    const table = await new Table().welcome();
    await table.commit(1, 0);
    await table.ask("reveal");
    const changed = (cards) => cards.with(0, { ...cards[0], ...change });
    await assert.rejects(table.deal({ change: changed }), (error) => !/kept/.test(error.message));
    assert.deepEqual(keptDeals(table), []);
  }
});

test("cards before match_open are refused", async () => {
  const table = new Table();
  await table.tell({ item: "welcome", welcome: { declined: false, referee_key: REFEREE.raw, rules: {} } });
  const dealt = { deal: 1, root: new Uint8Array(32), cards: [], sig: new Uint8Array(64) };
  await assert.rejects(
    table.tell({ item: "private_deal", private_deal: dealt }), /does not begin with match_open/,
  );
});

test("the resume position goes back to the deck while the seat's cards are missing", async () => {
  const table = await new Table().welcome();
  await table.commit();
  await table.ask("reveal");
  table.builder.reveal();
  await table.catchUp();
  assert.equal(table.seat.resume, table.builder.seq - 1);
});

test("our discard is recognized by its commitment, and a changed one is refused", async () => {
  const choose = () => "discard 9C";
  const table = await new Table({ choose }).welcome();
  await table.commit(1, 0);
  await table.ask("reveal");
  await table.deal();
  table.builder.add("turn_up", { deal: 1, ...table.builder.opening(20) });
  await table.catchUp();
  const { act } = await table.ask("act", { view: table.view(["discard 9C"]) });
  assert.equal(act.blind.length, 32);
  const wrong = hiddenMove(table.builder.match, 1, 0, [{ position: 0, blind: new Uint8Array(32) }]);
  table.builder.add("action", {
    deal: 1, seat: "north", action: "discard", commit: hex(wrong), used_ms: 1,
  });
  await assert.rejects(table.catchUp(), /not the move that was sent/);
});

test("a move of ours that the record changes is refused, unless it was played for us", async () => {
  const table = await new Table({ choose: () => "pass" }).welcome();
  await table.commit(1, 2);
  await table.ask("reveal");
  await table.deal();
  table.builder.add("turn_up", { deal: 1, ...table.builder.opening(20) });
  await table.catchUp();
  await table.ask("act", { view: table.view(["pass", "order"]) });
  table.builder.add("action", { deal: 1, seat: "north", action: "order", used_ms: 1 });
  await assert.rejects(table.catchUp(), /order is not the move that was sent, pass/);
});

test("a seat that signs gives its key, signs its reveal and its moves, and knows its own", async () => {
  const key = keyPair(5);
  const table = await new Table({ signers: { 0: key }, seatKey: key, level: "signs" }).welcome();
  await table.commit(1, 2);
  const { reveal } = await table.ask("reveal");
  const { match, deal, head } = table.builder;
  const message = signedBytes.reveal(match, 1, 0, deal.cset, deal.commits[0], head);
  assert.equal(hex(reveal.sig), hex(key.sign(message)));
  await table.deal();
  table.builder.add("turn_up", { deal: 1, ...table.builder.opening(20) });
  await table.catchUp();
  const { act } = await table.ask("act", { view: table.view(["pass", "order"]) });
  const { seq } = table.builder;
  const move = signedBytes.move(match, 1, seq, table.builder.head, "pass");
  assert.equal(hex(act.seat_sig), hex(key.sign(move)));
  table.builder.add("action", {
    deal: 1, seat: "north", action: "pass", used_ms: 1, seat_sig: hex(keyPair(6).sign(move)),
  });
  await assert.rejects(table.catchUp(), /the move of north is not signed by its seat/);
});

test("a view with a card that was not dealt to us is refused", async () => {
  const table = await new Table().welcome();
  await table.commit(1, 2);
  await table.ask("reveal");
  await table.deal();
  table.builder.add("turn_up", { deal: 1, ...table.builder.opening(20) });
  await table.catchUp();
  const { deck } = table.builder.deal.sealed;
  const view = { ...table.view(["pass"]), hand: [deck[23]] };
  await assert.rejects(table.ask("act", { view }), /was not dealt to us/);
});

/** A table at which the partner's gift, or our own swap, has just been recorded. */
async function afterHidden(action, seat) {
  const table = await new Table().welcome();
  await table.commit(1, 0);
  await table.ask("reveal");
  await table.deal();
  table.builder.add("turn_up", { deal: 1, ...table.builder.opening(20) });
  table.builder.add("action", { deal: 1, seat, action, commit: hex(new Uint8Array(32)), used_ms: 1 });
  await table.catchUp();
  return table;
}

async function later(table, ...positions) {
  const { sealed } = table.builder.deal;
  const cards = positions.map((position) => ({
    position, card: sealed.deck[position], salt: sealed.salts[position],
  }));
  const message = signedBytes.privateDeal(table.builder.match, 1, 0, sealed.root, cards);
  const dealt = { deal: 1, root: sealed.root, cards, sig: REFEREE.sign(message) };
  await table.tell({ item: "private_deal", private_deal: dealt });
}

test("our swap brings the first three cards of the kitty, and no others", async () => {
  await later(await afterHidden("swap", "north"), 21, 22, 23);
  await assert.rejects(later(await afterHidden("swap", "north"), 20, 21, 22), /do not lie/);
  await assert.rejects(later(await afterHidden("swap", "east"), 21, 22, 23), /do not lie/);
});

test("the partner's gift brings one card, and nobody else's does", async () => {
  await later(await afterHidden("give", "south"), 0);
  await assert.rejects(later(await afterHidden("give", "south"), 0, 1), /do not lie/);
  await assert.rejects(later(await afterHidden("give", "east"), 0), /do not lie/);
});

test("a torn last line of the state file counts for nothing, and a foreign file is refused", () => {
  const path = freshPath();
  const first = new StateFile(path);
  first.committing({ match: "aa", seat: "north", r0: "bb", deal: 1, cut: 4 });
  first.close();
  writeFileSync(path, `${readFileSync(path, "utf8")}{"match":"aa","se`);
  const again = new StateFile(path);
  assert.equal(again.committing({ match: "aa", seat: "north", r0: "bb", deal: 1, cut: 9 }), 4);
  assert.equal(again.committing({ match: "aa", seat: "north", r0: "bb", deal: 2, cut: 5 }), 5);
  again.close();
  const [, torn, second] = readFileSync(path, "utf8").split("\n");
  assert.equal(torn, '{"match":"aa","se');
  assert.equal(JSON.parse(second).deal, 2);
  writeFileSync(path, "hello\n");
  assert.throws(() => new StateFile(path), /not a line of a state file/);
});

test("the secret is made once, is private, and is refused where others can read it", () => {
  const path = freshPath();
  const secret = keptSecret(path);
  assert.equal(hex(keptSecret(path)), hex(secret));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const left = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`));
  assert.deepEqual(left, []);
  chmodSync(path, 0o644);
  assert.throws(() => keptSecret(path), /chmod 600/);
});

test("the random bot's pick depends on nothing but seed, match, seq and seat", () => {
  const about = { match: "ab".repeat(16), seq: 9, seat: "south" };
  const legal = ["play QC", "play 9C", "play TC"];
  assert.equal(pick("0", legal, about), pick("0", legal.toReversed(), about));
  const picks = new Set(Array.from({ length: 40 }, (_, seq) => pick("0", legal, { ...about, seq })));
  assert.equal(picks.size, 3);
  assert.equal(SEATS.length, 4);
});
