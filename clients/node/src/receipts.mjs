/** The referee's receipts: checked at once against the record, and kept as JSON Lines. */
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { canonicalText, equal, hex, readReceipts, signedBytes } from "../verifier/euchre-verify.mjs";
import { SealError, UsageError } from "./errors.mjs";
import { addLine, checkRegular } from "./state.mjs";

const PRIVATE = 0o600;

/**
 * Receipts, one JSON line each, as `euchre-referee verify --receipts` reads them; private deals stand
 * among them where they were wrong.
 */
export class ReceiptFile {
  constructor(path) {
    this.path = path;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      checkRegular(path, "the receipts");
      this.file = openSync(path, "a+", PRIVATE);
      const whole = readFileSync(path).lastIndexOf(10) + 1;
      ftruncateSync(this.file, whole); // a line that a crash has torn proves nothing
    } catch (error) {
      throw error instanceof UsageError ? error
        : new UsageError(`${path} cannot be used: ${error.code ?? error.message}`);
    }
  }

  keep(items, sig) {
    const rows = items.map(({ match, deal, seq, head }) =>
      ({ match: hex(match), deal, seq, head: hex(head) }));
    this.write({ items: rows, sig: hex(sig) });
  }

  /** Keep cards that the referee signed; false where they are nothing that a verifier can read. */
  keepDeal({ match, deal, seat, root, cards, sig }) {
    const rows = cards.map(({ position, card, salt }) => ({ position, card, salt: hex(salt) }));
    const row = { match: hex(match), deal, seat, root: hex(root), cards: rows, sig: hex(sig) };
    try {
      readReceipts(Buffer.from(`${canonicalText(row)}\n`), this.path);
    } catch {
      return false;
    }
    this.write(row);
    return true;
  }

  write(row) {
    try {
      addLine(this.file, canonicalText(row));
    } catch (error) {
      throw new UsageError(`${this.path} cannot be written: ${error.code}`);
    }
  }

  close() {
    closeSync(this.file);
  }
}

/** What the referee has acknowledged to one seat of one match. */
export class Receipts {
  constructor({ match, file, check }) {
    this.match = match;
    this.file = file;
    this.check = check;
    this.due = [];
    this.heads = new Map();
    this.promised = new Map();
  }

  /** An input was accepted: its receipt has to come in the same message; `seq` may be unknown. */
  accepted(deal, seq) {
    this.due.push({ deal, seq });
  }

  /** Check a receipt as far as the record is known, and keep it. */
  async take({ items, sig }, key) {
    const plain = items.map(({ match, deal, seq, head }) => ({
      match: new Uint8Array(match), deal, seq, head: new Uint8Array(head),
    }));
    if (!(await this.check(key, sig, signedBytes.receipt(plain)))) {
      throw new SealError("a receipt is not signed by the referee");
    }
    this.file.keep(plain, sig);
    for (const { match, deal, seq, head } of plain) {
      if (!equal(match, this.match)) continue;
      const covered = this.due.findIndex((one) => one.deal === deal && (one.seq ?? seq) === seq);
      if (covered >= 0) this.due.splice(covered, 1);
      Receipts.compare(seq, this.heads.get(seq) ?? this.promised.get(seq), head);
      if (!this.heads.has(seq)) this.promised.set(seq, head);
    }
  }

  /** Insist on a receipt for everything that a message accepted. */
  endOfMessage() {
    if (this.due.length === 0) return;
    const [{ deal, seq }] = this.due;
    const what = seq === undefined ? "our commitment" : `what stands in event ${seq}`;
    throw new SealError(`deal ${deal}: the referee accepted ${what} without a receipt`);
  }

  /** An event has come: what was promised of it must hold. */
  saw(seq, head) {
    Receipts.compare(seq, this.promised.get(seq), head);
    this.promised.delete(seq);
    this.heads.set(seq, head);
  }

  /** Let go of events that no receipt will name any more. */
  forgetBefore(first) {
    for (const seq of this.heads.keys()) if (seq < first) this.heads.delete(seq);
  }

  static compare(seq, known, head) {
    if (known !== undefined && !equal(known, head)) {
      throw new SealError(
        `event ${seq} is not the one that the referee gave us a receipt for (it is kept: the proof)`,
      );
    }
  }
}
