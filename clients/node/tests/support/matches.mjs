/** Synthetic matches: sealed and signed, with actions that no rule has judged. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import {
  PACKS, SEATS, ascii, canonicalText, chainDown, commitSet, drawDealer, hex, hiddenMove, keyText,
  sealedDeck, seatCommit, seatSeed, signedBytes, taggedHash, unhex,
} from "../../verifier/euchre-verify.mjs";

const PKCS8_HEAD = unhex("302e020100300506032b657004220420");

/** An Ed25519 key pair from one byte that is repeated. */
export function keyPair(byte) {
  const der = Buffer.concat([PKCS8_HEAD, Buffer.alloc(32, byte)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const raw = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  return {
    raw: new Uint8Array(raw),
    text: keyText("test-referee", new Uint8Array(raw)),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}

export const REFEREE = keyPair(7);
const SIGNED = new Set(["match_open", "commit_set", "deck_root", "deal_close", "match_close"]);
const NO_SIDES = { ns: 0, ew: 0 };
const POLICY = {
  rated: true, games: 1, illegal_limit: 3, timeout_limit: 5, withheld_limit: 2, move_ms: 5000,
  bank_ms: 0, increment_ms: 0, start_ms: 20000, commit_ms: 5000, reveal_ms: 5000, grace_ms: 30000,
};

/**
 * A match under construction.
 *
 * `change` may alter an event before it is hashed and signed: what a dishonest referee writes.
 */
export class MatchBuilder {
  constructor({
    pack = "E24", chain = 16, cut = "none", firstDealer = "black_jack", declined = [], rated = true,
    seats = {}, signers = {}, change = () => {}, referee = REFEREE, match = unhex("0b".repeat(16)),
    secrets = {},
  } = {}) {
    Object.assign(this, { pack, chain, cut, firstDealer, declined, change, referee, match });
    this.rated = rated;
    this.seatOverrides = seats;
    this.signers = signers;
    this.secrets = SEATS.map((_, i) => secrets[i] ?? sealSecret(`seat ${i}`));
    this.secret = sealSecret("chain");
    this.head = new Uint8Array(32);
    this.seq = 0;
    this.lines = [];
    this.heads = [];
    this.deal = null;
  }

  link(k) {
    return chainDown(this.match, this.secret, this.chain, k);
  }

  add(kind, fields) {
    const event = { kind, seq: this.seq, prev: hex(this.head), ...fields };
    this.change(event, this);
    const text = canonicalText(event);
    this.head = taggedHash("event", this.head, ascii(text));
    const signed = SIGNED.has(kind) ? this.referee.sign(signedBytes.referee(this.head)) : [];
    this.heads.push(this.head);
    this.lines.push(`{"event":${text},"sig":"${hex(signed)}"}\n`);
    this.seq += 1;
    return event;
  }

  get rules() {
    return {
      pack: this.pack, cut: this.cut, first_dealer: this.firstDealer, packets: "3-2", target: "10",
    };
  }

  open() {
    const { rules } = this;
    this.add("match_open", {
      match: hex(this.match), protocol: "euchre-sealed/v1", rules, pack: this.pack,
      rule_set: hex(taggedHash("rule-set", ascii(canonicalText(rules)))),
      seats: SEATS.map((seat, i) => ({
        name: `bot-${seat}`, level: this.declined.includes(i) ? "plays" : "checks",
        seed_by: this.declined.includes(i) ? "host" : "seat", ...this.seatOverrides[seat],
        ...(this.signers[i] && { level: "signs", key: this.signers[i].text }),
      })),
      referee_key: this.referee.text, chain: this.chain, r0: hex(this.link(0)),
      policy: { ...POLICY, rated: this.rated }, opened_at: 1700000000000,
    });
    return this;
  }

  dealOpen(number, dealer) {
    const step = { dealers_left: 1, dealers_right: 3 }[this.cut];
    const cutter = number > 0 && step ? (dealer + step) % 4 : -1;
    const cuts = cutter >= 0 && !this.declined.includes(cutter);
    const seeds = SEATS.map((_, i) =>
      (this.declined.includes(i) ? new Uint8Array(0)
        : seatSeed(this.secrets[i], this.match, number)));
    this.deal = { number, dealer, cutter: cuts ? cutter : -1, cut: cuts ? 5 : undefined, seeds };
    this.deal.commits = seeds.map((seed, i) => this.commitOf(i, seed));
    this.add("deal_open", {
      deal: number, ...(number > 0 && { dealer: SEATS[dealer] }), ...(cuts && { cutter: SEATS[cutter] }),
    });
    return this;
  }

  commitOf(i, seed) {
    const { number, cutter, cut } = this.deal;
    return seatCommit(this.match, number, i, seed, Uint8Array.from(i === cutter ? [cut] : []));
  }

  commit() {
    const { number, commits } = this.deal;
    for (const i of [2, 0, 3, 1].filter((one) => !this.declined.includes(one))) {
      this.add("seat_commit", { deal: number, seat: SEATS[i], commit: hex(commits[i]) });
    }
    const rCommit = this.link(number);
    this.deal.cset = commitSet(this.match, number, this.pack, rCommit, commits);
    this.add("commit_set", {
      deal: number, r_commit: hex(rCommit), commits: commits.map(hex), cset: hex(this.deal.cset),
    });
    return this;
  }

  reveal() {
    const { number, seeds, cut, cset } = this.deal;
    this.add("reveal_set", {
      deal: number, seeds: seeds.map(hex), ...(cut !== undefined && { cut }),
      sigs: SEATS.map((_, i) => {
        const { commits } = this.deal;
        const message = signedBytes.reveal(this.match, number, i, cset, commits[i], this.head);
        return this.signers[i] ? hex(this.signers[i].sign(message)) : "";
      }),
    });
    this.deal.sealed = sealedDeck({
      match: this.match, deal: number, pack: this.pack, r: this.link(number + 1), cset, seeds, cut,
    });
    const { leaves, root } = this.deal.sealed;
    this.add("deck_root", { deal: number, leaves: leaves.map(hex), root: hex(root) });
    return this;
  }

  opening(position) {
    const { deck, salts } = this.deal.sealed;
    return { position, card: deck[position], salt: hex(salts[position]) };
  }

  draw() {
    const { deck, firstSeat } = this.deal.sealed;
    const { positions, dealer } = drawDealer(deck, this.firstDealer, firstSeat);
    this.add("dealer_draw", {
      deal: 0, start: SEATS[firstSeat], turned: positions.map((p) => this.opening(p)),
      dealer: SEATS[dealer],
    });
    this.drawn = dealer;
    return this.close("draw");
  }

  act(seat, action, commit) {
    const { number } = this.deal;
    const move = commit === undefined ? action : `${action} ${commit}`;
    const message = signedBytes.move(this.match, number, this.seq, this.head, move);
    const signed = this.signers[seat] && { seat_sig: hex(this.signers[seat].sign(message)) };
    return this.add("action", {
      deal: number, seat: SEATS[seat], action, ...(commit && { commit }), used_ms: 4, ...signed,
    });
  }

  play() {
    const { number, dealer } = this.deal;
    this.add("turn_up", { deal: number, ...this.opening(20) });
    this.act((dealer + 1) % 4, "order");
    const blind = sealSecret(`blind ${number}`);
    const commit = hex(hiddenMove(this.match, number, dealer, [{ position: 20, blind }]));
    const { seq } = this.act(dealer, "discard", commit);
    this.deal.opening = { seq, positions: [20], blinds: [hex(blind)] };
    this.act((dealer + 1) % 4, "play 9C");
    return this;
  }

  close(outcome = "played", faults = []) {
    const { number, sealed, opening, dealer } = this.deal;
    this.add("deal_close", {
      deal: number, outcome, alone: [], tricks: NO_SIDES, points: NO_SIDES, score: NO_SIDES, faults,
      r: hex(this.link(number + 1)), ...(sealed && { deck: sealed.deck.join(" ") }),
      ...(outcome === "played" && { maker: SEATS[(dealer + 1) % 4] }),
      openings: opening ? [opening] : [], attempts: [],
    });
    return this;
  }

  end(outcome = "finished") {
    this.add("match_close", { outcome, score: NO_SIDES, deals: this.deal?.number ?? 0 });
    return this;
  }

  wholeDeal(number, dealer) {
    return this.dealOpen(number, dealer).commit().reveal().play().close();
  }

  text() {
    return this.lines.join("");
  }

  bytes() {
    return ascii(this.text());
  }
}

/** 32 bytes that a label stands for. */
export function sealSecret(text) {
  return taggedHash("seat-seed", ascii(text));
}

/** A match of a dealer draw and two whole deals. */
export function wholeMatch(options = {}) {
  const builder = new MatchBuilder(options).open();
  let dealer = 2;
  if (builder.firstDealer !== "agreed") {
    builder.dealOpen(0, 0).commit().reveal().draw();
    dealer = builder.drawn;
  }
  return builder.wholeDeal(1, dealer).wholeDeal(2, (dealer + 1) % 4).end();
}

/** A change that is applied to the nth event of a kind. */
export function changing(kind, change, nth = 0) {
  let seen = -1;
  return (event, builder) => {
    if (event.kind !== kind) return;
    seen += 1;
    if (seen === nth) change(event, builder);
  };
}

export { PACKS };
