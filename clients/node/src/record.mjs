/**
 * The public record of a match as a seat follows it, with the seat's own duties.
 *
 * The order of events and the seal of every deal are checked by the same walk that the verifier
 * uses; what only this seat can check is added here.
 */
import {
  Failure, SEATS, SIGNED_KINDS, Walk, canonicalText, dealtPositions, equal, hex, hiddenMove, leafOf,
  parseCanonical, readKey, seatCommit, seatSeed, signedBytes, taggedHash, unhex,
} from "../verifier/euchre-verify.mjs";
import { SealError } from "./errors.mjs";
import { Receipts } from "./receipts.mjs";

const UPCARD_POSITION = 20;
const DENIED = "our move was accepted, and another was played";

/** A seat's side of the seal: its seeds, what it answered, and the head of the record. */
export class SeatRecord {
  constructor({
    match, seat, name, secret, state, receipts, shown, rules, check, level = "checks", seatKey = null,
  }) {
    this.match = unhex(match);
    this.matchText = match;
    this.seat = seat;
    this.name = name;
    this.secret = secret;
    this.state = state;
    this.index = SEATS.indexOf(seat);
    this.shown = shown;
    this.rules = rules;
    this.checkSignature = check;
    this.walk = new Walk();
    this.head = new Uint8Array(32);
    this.next = 0;
    this.key = null;
    this.level = level;
    this.seatKey = seatKey;
    this.receipts = new Receipts({ match: this.match, file: receipts, check });
    this.own = new Map();
    this.cards = new Map();
    this.sent = new Map();
    this.stood = new Set();
    this.made = new Set();
    this.twins = new Set();
    this.setSeq = undefined;
    this.shownFor = undefined;
    this.blamedFor = undefined;
    this.upcard = undefined;
    this.awaited = null;
  }

  /** The seq of the deck whose cards have not been given to us, if there is one. */
  get missing() {
    const { deal } = this.walk;
    return deal?.leaves && deal.number > 0 && this.cards.size === 0 ? deal.rootPlace.seq : undefined;
  }

  broken(what) {
    throw new SealError(`match ${this.matchText}, event ${this.next}: ${what}`);
  }

  /** Take in the next event; its value is returned once every check has passed. */
  async take(bytes, sig) {
    try {
      return await this.follow(bytes, sig);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return this.broken(error.message);
    }
  }

  async follow(bytes, sig) {
    const event = parseCanonical(bytes);
    const before = this.head;
    if (event.seq !== this.next) this.broken(`it carries seq ${event.seq}`);
    if (event.prev !== hex(before)) this.broken("the chain breaks");
    const head = taggedHash("event", before, bytes);
    if (event.kind === "match_open") this.meetKey(event);
    await this.checkReferee(event.kind, sig, head);
    this.walk.place = { seq: event.seq, deal: event.deal };
    this.walk.accept(event, head, before);
    await this.checkSeats();
    this.duty(event);
    this.receipts.saw(event.seq, head);
    this.head = head;
    this.next = event.seq + 1;
    return event;
  }

  meetKey(event) {
    const key = readKey(event.referee_key);
    if (key === null) this.broken("the referee's key is not a key");
    if (!equal(this.shown, key.key)) {
      this.broken(`the referee's key is ${event.referee_key}, not the one of its Welcome`);
    }
    this.key = key;
  }

  get refereeKey() {
    return this.key?.key ?? this.broken("the match does not begin with match_open");
  }

  async checkReferee(kind, sig, head) {
    if (!SIGNED_KINDS.has(kind) && sig.length === 0) return;
    if (!(await this.checkSignature(this.refereeKey, sig, signedBytes.referee(head)))) {
      this.broken(`${kind} is not signed by the referee`);
    }
  }

  /** Check the signatures of seats that sign, which the walk has gathered. */
  async checkSeats() {
    for (const { key, signature, message, what } of this.walk.seatSignatures.splice(0)) {
      if (!(await this.checkSignature(key, signature, message))) {
        this.broken(`${what} is not signed by its seat`);
      }
    }
  }

  duty(event) {
    if (event.kind === "deal_open") this.receipts.forgetBefore(event.seq);
    if (event.kind === "match_open") this.dutyAtOpen(event);
    if (event.kind === "commit_set") this.dutyAtCommitSet(event);
    if (event.kind === "turn_up") this.upcard = event.card;
    if (event.kind === "action") this.dutyAtAction(event);
    if (event.kind === "deal_close") this.dutyAtClose(event);
  }

  dutyAtOpen(event) {
    if (event.match !== this.matchText) this.broken(`it opens match ${event.match}`);
    if (canonicalText(event.rules) !== canonicalText(this.rules)) {
      this.broken("its rules are not those of Welcome");
    }
    const { name, level, seed_by: by, key } = event.seats[this.index];
    const seeds = this.level === "plays" ? "host" : "seat";
    if (name !== this.name || level !== this.level || by !== seeds) {
      this.broken(`it names this seat ${name}, ${level}, seeds by ${by}`);
    }
    const said = key === undefined ? undefined : hex(readKey(key).key);
    if (said !== (this.seatKey === null ? undefined : hex(this.seatKey.raw))) {
      this.broken(`it gives this seat the key ${key}, which is not ours`);
    }
    this.state.meet({ match: this.matchText, seat: this.seat, r0: event.r0 });
  }

  /** The other seat whose commitment our own secret gives, if this event is its first; or null. */
  twin({ kind, deal, seat, commit }) {
    if (kind !== "seat_commit" || seat === this.seat || this.level === "plays") return null;
    if (this.twins.has(seat)) return null;
    const index = SEATS.indexOf(seat);
    const seed = seatSeed(this.secret, this.match, deal);
    const cuts = this.walk.deal.open.cutter === seat ? this.walk.cards.map((_, cut) => [cut]) : [[]];
    const made = (cut) => hex(seatCommit(this.match, deal, index, seed, Uint8Array.from(cut)));
    if (!cuts.some((cut) => made(cut) === commit)) return null;
    this.twins.add(seat);
    return seat;
  }

  dutyAtCommitSet(event) {
    if (this.level === "plays") return;
    this.setSeq = event.seq;
    const own = this.ownFor(event.deal);
    if (event.commits[this.index] !== hex(own.commit)) this.broken("it holds another commit of ours");
    const promised = this.state.csetOf(this.matchText, event.deal);
    if (promised !== undefined && promised !== event.cset) {
      this.broken(`deal ${event.deal} was answered under commit set ${promised}, not ${event.cset}`);
    }
  }

  dutyAtAction(event) {
    const seat = SEATS.indexOf(event.seat);
    if (event.action === "swap" && seat === this.index) this.awaited = "swap";
    if (event.action === "give" && seat === (this.index ^ 2)) this.awaited = "give";
    if (event.seat !== this.seat) return;
    if (event.fallback !== undefined) {
      if (this.stood.has(event.seq)) this.broken(DENIED);
      return;
    }
    this.made.add(event.seq);
    const sent = this.sent.get(event.seq);
    const move = event.commit === undefined ? event.action : `${event.action} ${event.commit}`;
    if (sent !== undefined && sent !== move) {
      this.broken(`${move} is not the move that was sent, ${sent}`);
    }
  }

  dutyAtClose({ deal, faults }) {
    const blames = ({ seat, why }) => seat === this.seat && why === "WITHHELD";
    if (faults.some(blames)) this.blamedFor = deal;
    this.checkBlame();
    this.own.clear();
    this.cards.clear();
    this.sent.clear();
    this.stood.clear();
    this.awaited = null;
  }

  /** We are not said to have withheld a reveal that the referee has accepted. */
  checkBlame() {
    if (this.shownFor === undefined || this.shownFor !== this.blamedFor) return;
    this.broken("we are said to have withheld, and our reveal was accepted"
      + " (its receipt is kept: the proof)");
  }

  positionOf(card) {
    for (const [position, held] of this.cards) if (held === card) return position;
    return UPCARD_POSITION;
  }

  /** Check that we are asked at the newest event, and shown the cards that were sealed for us. */
  checkAsk({ state_version: version, hand = [] }) {
    if (version + 1 !== this.next) this.broken(`we are asked for event ${version + 1}`);
    const { deal } = this.walk;
    const ours = new Set(this.cards.values());
    if (deal?.open.dealer === this.seat) ours.add(this.upcard);
    const strange = hand.find((card) => !ours.has(card));
    if (strange !== undefined) this.broken(`${strange} in our view was not dealt to us`);
  }

  /** Note the move that is about to be sent, to know it again; our signature, where we sign. */
  move(seq, action, blind) {
    const text = this.moveText(action, blind);
    this.sent.set(seq, text);
    if (this.seatKey === null) return undefined;
    const { number } = this.walk.deal;
    return this.seatKey.sign(signedBytes.move(this.match, number, seq, this.head, text));
  }

  /** A hidden move is its word and its commitment; what is not legal stands as it is. */
  moveText(action, blind) {
    if (blind === undefined) return action;
    const [word, ...cards] = action.split(" ");
    const pairs = cards.map((card) => this.positionOf(card)).sort((a, b) => a - b)
      .map((position, i) => ({ position, blind: blind.subarray(32 * i, 32 * i + 32) }));
    return `${word} ${hex(hiddenMove(this.match, this.walk.deal.number, this.index, pairs))}`;
  }

  /** An input was accepted; the receipt for it is due in the same message. */
  accepted({ act, commit, reveal, deal }) {
    if (this.level === "plays") return;
    if (act) {
      if (act.seq < this.next && !this.made.has(act.seq)) this.broken(DENIED);
      this.stood.add(act.seq);
      this.receipts.accepted(deal, act.seq);
    } else if (commit) this.receipts.accepted(deal, undefined);
    else if (reveal) {
      this.receipts.accepted(deal, this.setSeq);
      this.shownFor = deal;
      this.checkBlame();
    }
  }

  receipt(receipt) {
    return this.receipts.take(receipt, this.refereeKey);
  }

  /** Our seed, cut and commitment for a deal; all the same whenever they are asked for. */
  ownFor(deal) {
    const known = this.own.get(deal);
    if (known !== undefined) return known;
    const seed = seatSeed(this.secret, this.match, deal);
    const cut = this.state.cutOf(this.matchText, deal);
    return this.keep(deal, seed, cut);
  }

  keep(deal, seed, cut) {
    const cutByte = Uint8Array.from(cut === undefined ? [] : [cut]);
    const commit = seatCommit(this.match, deal, this.index, seed, cutByte);
    const own = { seed, cut, commit };
    this.own.set(deal, own);
    return own;
  }

  /** The commitment to send for a deal; what it holds is on file first. */
  commit(deal, proposedCut) {
    const { open } = this.walk;
    if (open === null || deal !== this.walk.deal?.number) this.broken(`asked to commit to ${deal}`);
    const cutter = this.walk.deal.open.cutter === this.seat;
    const cut = this.state.committing({
      match: this.matchText, seat: this.seat, r0: open.r0, deal,
      cut: cutter ? proposedCut(this.walk.cards.length) : undefined,
    });
    return this.keep(deal, seatSeed(this.secret, this.match, deal), cutter ? cut : undefined).commit;
  }

  /** The reveal to send for a deal; the commit set that it answers is on file first. */
  reveal(deal) {
    const set = this.walk.deal?.commitSet;
    if (set === undefined || deal !== this.walk.deal.number) this.broken(`asked to reveal ${deal}`);
    const cset = hex(set.cset);
    this.state.revealing({ match: this.matchText, deal, cset });
    const { seed, cut, commit } = this.ownFor(deal);
    const sig = this.seatKey?.sign(
      signedBytes.reveal(this.match, deal, this.index, set.cset, commit, set.head),
    );
    return { deal, seed, cut, cset: set.cset, head: set.head, ...(sig && { sig }) };
  }

  /** Check cards of ours; where the referee has signed wrong ones, they are kept. */
  async privateDeal(dealt) {
    const message = signedBytes.privateDeal(
      this.match, dealt.deal, this.index, dealt.root, dealt.cards,
    );
    if (!(await this.checkSignature(this.refereeKey, dealt.sig, message))) {
      this.broken("our cards are not signed by the referee");
    }
    const fault = this.dealFault(dealt);
    if (fault !== null) {
      const kept = this.receipts.file.keepDeal({ ...dealt, match: this.match, seat: this.seat });
      this.broken(`${fault}${kept ? " (they are kept: the proof)" : ""}`);
    }
    for (const { position, card } of dealt.cards) this.cards.set(position, card);
    this.awaited = null;
  }

  /**
   * What is wrong with our five cards, or with what a swap or the partner's gift brought: the root,
   * the positions, each leaf; null where nothing is.
   */
  dealFault({ deal, root, cards }) {
    const { walk } = this;
    const current = walk.deal;
    if (current?.leaves === undefined || current.number !== deal) {
      return `cards for deal ${deal} before its deck`;
    }
    if (hex(root) !== current.root) return "our cards name another root";
    if (current.open.dealer === undefined) return "cards in the draw for the deal";
    const dealer = SEATS.indexOf(current.open.dealer);
    const places = cards.map(({ position }) => position);
    if (!this.isDue(places, dealtPositions(walk.open.rules.packets, dealer, this.index))) {
      return "our cards do not lie where the packets put them";
    }
    const wrong = cards.find(({ position, card, salt }) =>
      hex(leafOf(this.match, deal, position, card, salt)) !== current.leaves[position]);
    if (wrong === undefined) return null;
    return `our card ${wrong.card} is not the one sealed at position ${wrong.position}`;
  }

  /** Whether cards at these positions may come to us now; cards that we hold may come again. */
  isDue(places, dealt) {
    if (places.join() === dealt?.join()) return true;
    if (this.awaited === "give") return places.length === 1 && !this.cards.has(places[0]);
    if (places.every((place) => this.cards.has(place))) return true;
    return this.awaited === "swap" && places.join() === "21,22,23";
  }
}
