/**
 * One seat of one match: items from the referee in, inputs to the referee out.
 *
 * It knows nothing of streams. `items` are as the wire module reads them; what is to be sent goes to
 * `send`, and goes again under the same request id where its answer was lost with a connection.
 */
import { randomBytes, randomInt } from "node:crypto";
import { equal, hex, keyText } from "../verifier/euchre-verify.mjs";
import { LostError, SealError, SupersededError, UsageError } from "./errors.mjs";
import { SeatRecord } from "./record.mjs";

const RETRY_MS = 200;
/** No referee is waited for longer than this because it says so. */
const LONGEST_DRAIN_MS = 3_600_000;
const SEND_AGAIN = new Set(["UNAVAILABLE", "RESOURCE_EXHAUSTED"]);
const HIDDEN_MOVES = Object.freeze(["discard", "give", "swap"]);

/**
 * The seat loop around a bot's `choose(view, legal, about)`.
 *
 * `files(seat)` gives the secret and the state file once the seat is known, so that two seats of one
 * bot never share them unless they are told to.
 */
export class Seat {
  constructor({ choose, name, files, pinned, check, send, say, pause, level, seatKey }) {
    this.choose = choose;
    this.files = files;
    this.own = { name, pinned, check, level, seatKey };
    this.pinned = pinned;
    this.send = send;
    this.say = say;
    this.pause = pause;
    this.shown = null;
    this.record = null;
    this.ask = null;
    this.pending = null;
    this.unruled = new Map();
    this.generation = 0;
    /** The score of the game at hand, as the last closed deal left it. */
    this.last = undefined;
    this.result = null;
    this.retryMs = null;
  }

  /** The first seq wanted: the next one, or the deck's again where our cards have not come. */
  get resume() {
    return this.record?.missing ?? this.record?.next ?? 0;
  }

  /** Say that a new connection stands: what was sent on the old one may be lost. */
  reconnected() {
    this.generation += 1;
  }

  async take(item) {
    switch (item.item) {
      case "welcome": return this.welcome(item);
      case "event": return this.event(item.event);
      case "private_deal": return this.record.privateDeal(item.private_deal);
      case "receipt": return this.record.receipt(item.receipt);
      case "ask": return this.asked(item.ask);
      case "ruling": return this.ruling(item);
      case "status": return this.status(item);
      case "fault": return this.say(`${item.fault.seat}: ${item.fault.why}`);
      case "superseded": throw new SupersededError("another process has taken the seat");
      case "draining": this.retryMs = Math.min(item.draining.retry_ms, LONGEST_DRAIN_MS); return undefined;
      default: return undefined;
    }
  }

  welcome({ match, seat, welcome }) {
    this.checkKey(welcome.referee_key);
    if (this.record !== null) {
      if (this.record.matchText !== match || this.record.seat !== seat) {
        throw new SealError(`the token now names ${seat} of match ${match}`);
      }
      return;
    }
    if (!/^[0-9a-f]{32}$/.test(match) || welcome.declined !== (this.own.level === "plays")) {
      throw new SealError(`the referee does not take this seat as it came (match ${match})`);
    }
    const { own, shown } = this;
    const { rules } = welcome;
    this.record = new SeatRecord({ ...own, ...this.files(seat, match), match, seat, shown, rules });
  }

  /** The key that Welcome shows is the pinned one, and does not change. */
  checkKey(shown) {
    if (this.pinned !== null && !equal(this.pinned.key, shown)) {
      const line = keyText(this.pinned.name, new Uint8Array(shown));
      throw new UsageError(`the referee's key is not the pinned one but '${line}'`);
    }
    if (this.shown !== null && !equal(this.shown, shown)) {
      throw new SealError("the referee came back with another key than it had");
    }
    this.shown = new Uint8Array(shown);
  }

  /** The end of a message of the referee: everything that it accepted has its receipt. */
  endOfMessage() {
    this.record?.receipts.endOfMessage();
  }

  async event({ event, sig, seq }) {
    if (seq < this.record.next) return;
    const taken = await this.record.take(event, sig);
    this.settle(taken);
    if (taken.kind === "match_open" && this.pinned === null) this.offerPin();
    if (taken.kind === "deal_close" && taken.outcome !== "draw") this.last = taken.score;
    if (taken.kind === "match_close") {
      const games = (this.record.walk.open.rules.deals ?? "none") === "none";
      this.result = { ...taken, match: this.record.matchText, games, last: this.last };
    }
    const twin = this.record.twin(taken);
    if (twin !== null) {
      this.say(`warning: ${twin} plays with our secret: two equal seeds count for one`
        + " (give each seat its own --secret-file)");
    }
  }

  offerPin() {
    const { name, key } = this.record.key;
    this.say(`warning: the referee's key is not pinned; to pin it: --key '${keyText(name, key)}'`);
  }

  /** Wait no more for an input whose event stands in the record; its ruling may still come. */
  settle({ kind, seq, deal, seat }) {
    const { pending } = this;
    if (pending === null) return;
    const done = (kind === "action" && pending.act && seq >= pending.act.seq)
      || (kind === "seat_commit" && pending.commit?.deal === deal && seat === this.record.seat)
      || (kind === "reveal_set" && pending.reveal?.deal === deal)
      || kind === "deal_close";
    if (done) {
      if (!pending.accepted) this.unruled.set(hex(pending.request_id), pending);
      this.pending = null;
    }
    if (done || kind === "commit_set") this.ask = null;
  }

  async asked(ask) {
    this.ask = ask;
    if (this.pending !== null && this.answers(this.pending, ask)) {
      if (this.pending.generation === this.generation) return;
      this.transmit({ ...this.pending, resent: true });
      return;
    }
    await this.answer(ask);
  }

  answers(pending, { what, deal, view }) {
    if (what === "act") return pending.act?.seq === view.state_version + 1;
    return pending[what]?.deal === deal;
  }

  async answer(ask) {
    if (ask.what === "commit") {
      const commit = this.record.commit(ask.deal, (cards) => randomInt(cards));
      this.transmit({ commit: { deal: ask.deal, commit }, deal: ask.deal });
    } else if (ask.what === "reveal") {
      this.transmit({ reveal: this.record.reveal(ask.deal), deal: ask.deal });
    } else {
      await this.act(ask);
    }
  }

  async act({ view, deal, limit_ms: limitMs }) {
    this.record.checkAsk(view);
    const seq = view.state_version + 1;
    const { matchText: match, seat } = this.record;
    const about = { match, seat, seq, limitMs, rules: this.record.walk.open.rules };
    const action = await this.choose(view, view.legal, about);
    const act = { seq, action };
    const [word, ...cards] = action.split(" ");
    if (HIDDEN_MOVES.includes(word) && view.legal.includes(action)) {
      act.blind = new Uint8Array(randomBytes(32 * cards.length));
    }
    const sig = this.record.move(seq, action, act.blind);
    if (sig !== undefined) act.seat_sig = sig;
    this.transmit({ act, deal });
  }

  transmit(input) {
    const { matchText: match, seat } = this.record;
    const id = input.request_id ?? new Uint8Array(randomBytes(16));
    this.pending = { ...input, match, seat, request_id: id, generation: this.generation };
    this.send(this.pending);
  }

  isAnswerTo(id) {
    return this.pending !== null && hex(this.pending.request_id) === hex(id);
  }

  async ruling({ ruling, request_id: id }) {
    const answered = ruling.request_id.length > 0 ? ruling.request_id : id;
    const late = this.unruled.get(hex(answered));
    this.unruled.delete(hex(answered));
    if (ruling.accepted && late !== undefined) this.record.accepted(late);
    if (!this.isAnswerTo(answered)) return;
    const { act, resent } = this.pending;
    if (ruling.accepted) {
      this.pending.accepted = true;
      this.record.accepted(this.pending);
      return;
    }
    this.say(`refused: ${ruling.reason}: ${ruling.text}`);
    this.pending = null;
    if (act && resent && this.ask !== null) await this.answer(this.ask);
  }

  async status({ status, request_id: id }) {
    if (id.length === 0) throw new LostError(`the referee ended the seat: ${status.message}`);
    if (!this.isAnswerTo(id)) return;
    const lost = this.pending;
    this.pending = null;
    if (SEND_AGAIN.has(status.code)) {
      await this.pause(RETRY_MS);
      this.transmit({ ...lost, resent: true });
    } else if (status.code !== "ABORTED") this.say(`${status.code}: ${status.message}`);
  }
}
