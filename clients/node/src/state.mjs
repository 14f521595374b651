/**
 * What a client keeps on disk: its secret, and what it has promised under which commit set.
 *
 * The state file only grows, one JSON object a line, and every line is flushed before the message
 * that it speaks of leaves. A seed is never shown for a second commit set, also after a crash.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync, existsSync, fstatSync, fsyncSync, linkSync, mkdirSync, openSync, readSync,
  rmSync, statSync, writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { canonicalText } from "../verifier/euchre-verify.mjs";
import { SealError, UsageError } from "./errors.mjs";

const PRIVATE = 0o600;
const SECRET_BYTES = 32;
/** More bytes than a file of one line has: a token, a secret, a request. */
export const LONGEST_LINE = 1 << 12;
/** More bytes than keys and certificates have, all that a machine trusts together too. */
const LONGEST = 1 << 20;

function flushFolder(path) {
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Add a line in one write; a disk that is full in the midst of it takes a part and says nothing. */
export function addLine(file, line) {
  const bytes = Buffer.from(`${line}\n`);
  if (writeSync(file, bytes) < bytes.length) {
    throw Object.assign(new Error("no space is left"), { code: "ENOSPC" });
  }
}

function refused(path, error) {
  return new UsageError(`${path} cannot be used: ${error.code ?? error.message}`);
}

/** Refuse a file that others may read. */
export function checkPrivate(path, { mode }) {
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw new UsageError(`${path} can be read by others: chmod 600 it`);
  }
}

/** Refuse what is there and is no file, as a folder, a pipe and a device are none. */
export function checkRegular(path, what) {
  if (existsSync(path) && !statSync(path).isFile()) {
    throw new UsageError(`${what} '${path}' is no regular file (name another)`);
  }
}

/** All bytes of a file that a flag names; one that can be none of ours is wrong usage. */
export function readNamed(path, what, { most = LONGEST, isPrivate = false } = {}) {
  const bytes = Buffer.alloc(most + 1);
  let size = 0;
  try {
    checkRegular(path, what);
    const file = openSync(path, "r");
    try {
      if (isPrivate) checkPrivate(path, fstatSync(file));
      for (let more = 1; more > 0 && size <= most; size += more) {
        more = readSync(file, bytes, size, bytes.length - size, null);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw error instanceof UsageError ? error
      : new UsageError(`cannot read ${what} '${path}': ${error.code}`);
  }
  if (size > most) throw new UsageError(`${what} '${path}' is longer than ${most} bytes (name another)`);
  return bytes.subarray(0, size);
}

/** The 32-byte secret in a file, which is made, readable by its owner alone, if it is absent. */
export function keptSecret(path) {
  try {
    if (!existsSync(path)) makeSecret(path);
    const text = readNamed(path, "the secret", { most: LONGEST_LINE, isPrivate: true })
      .toString("utf8").trim();
    if (!/^[0-9a-f]{64}$/.test(text)) {
      throw new UsageError(`${path} does not hold 32 bytes in lower-case hex: name another file`);
    }
    return new Uint8Array(Buffer.from(text, "hex"));
  } catch (error) {
    throw error instanceof UsageError ? error : refused(path, error);
  }
}

/** Make a secret whole under another name first: neither a crash nor a full disk leaves half of one. */
function makeSecret(path) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  const file = openSync(draft, "wx", PRIVATE);
  try {
    addLine(file, randomBytes(SECRET_BYTES).toString("hex"));
    fsyncSync(file);
    linkSync(draft, path);
    flushFolder(path);
  } catch (error) {
    if (error.code !== "EEXIST") throw error; // another process was first; its secret is the one
  } finally {
    closeSync(file);
    rmSync(draft);
  }
}

/**
 * The append-only record of commits and reveals, one canonical JSON object a line.
 *
 * Clients of other languages read and write the same lines. In one match the file is one seat's; what
 * another process has added is read before each promise.
 *
 * Node has no lock that they would see, so it needs none: a line is added at the end in one write and
 * read back, and of two promises for one deal the first stands. Nothing is ever cut off, as the last
 * line may be another's that is being written.
 */
export class StateFile {
  constructor(path) {
    this.path = path;
    this.matches = new Map();
    this.seats = new Map();
    this.cuts = new Map();
    this.csets = new Map();
    this.read = 0;
    this.lines = 0;
    this.torn = false;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      checkRegular(path, "the state");
      this.file = openSync(path, "a+", PRIVATE);
      checkPrivate(path, fstatSync(this.file));
      this.load();
      flushFolder(path);
    } catch (error) {
      throw error instanceof UsageError ? error : refused(path, error);
    }
  }

  /** Read what is new; what a crash has torn was never relied on, and counts for nothing. */
  load() {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(this.file).size - this.read));
    for (let at = 0; at < bytes.length;) {
      const read = readSync(this.file, bytes, at, bytes.length - at, this.read + at);
      if (read === 0) break;
      at += read;
    }
    const whole = bytes.lastIndexOf(10) + 1;
    for (const line of bytes.toString("utf8", 0, whole).split("\n").slice(0, -1)) {
      this.lines += 1;
      if (line === "" || (line.startsWith("{") && !line.endsWith("}"))) continue;
      try {
        this.remember(JSON.parse(line));
      } catch {
        throw new UsageError(`${this.path}:${this.lines} is not a line of a state file: name another`);
      }
    }
    this.read += whole;
    this.torn = whole < bytes.length;
  }

  remember({ match, seat, r0, deal, cut, cset }) {
    if (typeof match !== "string" || !Number.isInteger(deal)) throw new TypeError("no match");
    const key = `${match}/${deal}`;
    const first = (map, name, value) => { if (!map.has(name)) map.set(name, value); };
    if (cset !== undefined) {
      first(this.csets, key, cset);
      return;
    }
    if (typeof r0 !== "string") throw new TypeError("no r0");
    first(this.matches, match, r0);
    if (seat !== undefined) first(this.seats, match, seat);
    first(this.cuts, key, cut ?? null);
  }

  write(entry) {
    try {
      addLine(this.file, `${this.torn ? "\n" : ""}${canonicalText(entry)}`);
      fsyncSync(this.file);
    } catch (error) {
      throw refused(this.path, error);
    }
    this.load();
  }

  /** Refuse a match that is on file with another chain, its id is being used again; or another's. */
  meet({ match, seat, r0 }) {
    this.load();
    const other = this.seats.get(match);
    if (other !== undefined && other !== seat) {
      throw new UsageError(`${this.path} is that of ${other} in this match: two seats with one`
        + " secret have equal seeds (give each seat its own files)");
    }
    const known = this.matches.get(match);
    if (known !== undefined && known !== r0) {
      throw new SealError(`match ${match} is on file with another r0: its id is used twice`);
    }
  }

  /** The cut that a commitment on file holds, if any. */
  cutOf(match, deal) {
    return this.cuts.get(`${match}/${deal}`) ?? undefined;
  }

  /** The commit set that a reveal was written down for, if any. */
  csetOf(match, deal) {
    return this.csets.get(`${match}/${deal}`);
  }

  /** Note a commit before it is sent; the cut on file wins over the one proposed. */
  committing({ match, seat, r0, deal, cut }) {
    this.meet({ match, seat, r0 });
    const key = `${match}/${deal}`;
    if (!this.cuts.has(key)) {
      this.write({ match, seat, r0, deal, ...(cut !== undefined && { cut }) });
      this.meet({ match, seat, r0 });
    }
    return this.cutOf(match, deal);
  }

  /** Note the commit set that a reveal answers, before it is sent; a second one is refused. */
  revealing({ match, deal, cset }) {
    this.load();
    if (this.csetOf(match, deal) === undefined) this.write({ match, deal, cset });
    const known = this.csetOf(match, deal);
    if (known !== cset) {
      throw new SealError(`deal ${deal} has a second commit set: ${cset} after ${known}`);
    }
  }

  close() {
    closeSync(this.file);
  }
}
