#!/usr/bin/env node
/**
 * The offline verifier of sealed Euchre matches, in one file without dependencies.
 *
 * It runs in Node and in a page. It checks everything in a transcript or a deal proof except the
 * rules of play: form, chain, signatures, referee chain, commits, deck, leaves and openings.
 * The tags and layouts follow the protocol `euchre-sealed/v1`.
 *
 * A page calls `verify(bytes, options)`; `node euchre-verify.mjs FILE…` is the command.
 */

// Bytes

/** Bytes of a text that holds ASCII only. */
export function ascii(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Text of ASCII bytes, from start up to end. */
export function asciiText(bytes, start = 0, end = bytes.length) {
  let text = "";
  for (let from = start; from < end; from += 8192) {
    text += String.fromCharCode(...bytes.subarray(from, Math.min(end, from + 8192)));
  }
  return text;
}

const HEX_DIGITS = "0123456789abcdef";

/** Lower-case hexadecimal text of bytes. */
export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX_DIGITS[byte >> 4] + HEX_DIGITS[byte & 15];
  return text;
}

/** Bytes of a lower-case hexadecimal text that has been checked before. */
export function unhex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** One byte string made of several. */
export function concat(parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Whether two byte strings are equal. */
export function equal(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** A number as four bytes, big endian. */
export function u32(n) {
  return Uint8Array.of((n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255);
}

const EMPTY = new Uint8Array(0);

// SHA-256 and HMAC (FIPS 180-4, RFC 2104), synchronous

/** First 32 bits of the fractional part of a root of a prime, exactly, by integer arithmetic. */
function fractionOfRoot(prime, root) {
  const scaled = BigInt(prime) << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(root) <= scaled) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn) | 0;
}

function firstPrimes(count) {
  const primes = [];
  for (let n = 2; primes.length < count; n += 1) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}

const ROUND_CONSTANTS = Int32Array.from(firstPrimes(64), (prime) => fractionOfRoot(prime, 3));
const INITIAL_STATE = Int32Array.from(firstPrimes(8), (prime) => fractionOfRoot(prime, 2));
const SCHEDULE = new Int32Array(64);

function compress(state, bytes, offset) {
  const w = SCHEDULE;
  for (let i = 0; i < 16; i += 1) {
    const at = offset + 4 * i;
    w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + w[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** Digest of a message, continued from a state that has taken in `before` bytes (whole blocks). */
function finishDigest(from, before, message) {
  const state = Int32Array.from(from);
  const whole = message.length - (message.length % 64);
  for (let at = 0; at < whole; at += 64) compress(state, message, at);
  const rest = message.length - whole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(message.subarray(whole));
  tail[rest] = 0x80;
  const length = before + message.length;
  tail.set(u32(Math.floor(length / 0x20000000)), tail.length - 8);
  tail.set(u32((length << 3) >>> 0), tail.length - 4);
  for (let at = 0; at < tail.length; at += 64) compress(state, tail, at);
  const digest = new Uint8Array(32);
  for (let i = 0; i < 8; i += 1) digest.set(u32(state[i]), 4 * i);
  return digest;
}

/** SHA-256 of a byte string. */
export function sha256(message) {
  return finishDigest(INITIAL_STATE, 0, message);
}

/** HMAC-SHA256 under one key, as a function of the message; the key's two states are kept. */
export function hmacUnder(key) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = Int32Array.from(INITIAL_STATE);
  const outer = Int32Array.from(INITIAL_STATE);
  compress(inner, block.map((byte) => byte ^ 0x36), 0);
  compress(outer, block.map((byte) => byte ^ 0x5c), 0);
  return (message) => finishDigest(outer, 64, finishDigest(inner, 64, message));
}

// The encoder, and every tag in one place

export const PROTOCOL = "euchre-sealed/v1";

/** The tags, one use each. */
export const TAGS = Object.freeze([
  "ref-chain", "seat-commit", "commit-set", "deck-salt", "deck-stream", "first-seat", "leaf-salt",
  "leaf", "private-deal", "hidden-move", "event", "key-id", "rule-set", "seat-seed",
  "sig/referee", "sig/seat/reveal", "sig/seat/move", "receipt", "roster",
]);
const TAG_BYTES = new Map(TAGS.map((tag) => [tag, ascii(`${PROTOCOL}/${tag}`)]));

function tagBytes(tag) {
  const bytes = TAG_BYTES.get(tag);
  if (bytes === undefined) throw new Error(`not a tag of the protocol: '${tag}'`);
  return bytes;
}

/** The length-prefixed encoding of a list of byte strings; two lists never share one. */
export function lp(...fields) {
  const parts = [u32(fields.length)];
  for (const field of fields) parts.push(u32(field.length), field);
  return concat(parts);
}

/** The encoding of fields under a tag: what is signed or fed to an HMAC. */
export function tagged(tag, ...fields) {
  return lp(tagBytes(tag), ...fields);
}

/** The tagged hash of fields. */
export function taggedHash(tag, ...fields) {
  return sha256(tagged(tag, ...fields));
}

// Packs, seats, and the derivation of a deck

export const SEATS = Object.freeze(["north", "east", "south", "west"]);

function packOf(ranks, more = []) {
  const cards = [];
  for (const suit of "CDHS") for (const rank of ranks) cards.push(rank + suit);
  return Object.freeze([...cards, ...more]);
}

/** The cards of each pack, in the order that the permutation starts from. */
export const PACKS = Object.freeze({
  E24: packOf("9TJQKA"),
  E25: packOf("9TJQKA", ["2S"]),
  E28: packOf("89TJQKA"),
  E32: packOf("789TJQKA"),
  E25J: packOf("9TJQKA", ["BB"]),
  E33J: packOf("789TJQKA", ["BB"]),
});

/** R_k, hashed down from R_from. */
export function chainDown(match, value, from, to) {
  let link = value;
  for (let k = from; k > to; k -= 1) link = taggedHash("ref-chain", match, u32(k), link);
  return link;
}

/** C_i: what a seat commits to before anyone reveals. `cut` is one byte for the cutter. */
export function seatCommit(match, deal, seat, seed, cut = EMPTY) {
  return taggedHash("seat-commit", match, u32(deal), u32(seat), seed, cut);
}

/** The hash of the whole commit set. */
export function commitSet(match, deal, pack, rCommit, commits) {
  return taggedHash("commit-set", match, u32(deal), ascii(pack), rCommit, ...commits);
}

/** A seat's seed for a deal, from the 32-byte secret that its client keeps. */
export function seatSeed(secret, match, deal) {
  return hmacUnder(secret)(tagged("seat-seed", match, u32(deal)));
}

/** The hash that stands in an action whose card is hidden, and binds it. */
export function hiddenMove(match, deal, seat, pairs) {
  const fields = pairs.flatMap(({ position, blind }) => [u32(position), blind]);
  return taggedHash("hidden-move", match, u32(deal), u32(seat), ...fields);
}

/** The deck key: it needs r, every seed and the cut, under a salt that is the commit set. */
export function deckKey(r, cset, seeds, cut = EMPTY) {
  return hmacUnder(taggedHash("deck-salt", cset))(lp(r, ...seeds, cut, EMPTY));
}

/** Single bytes of a keyed stream, with the count of those taken and those rejected. */
class Stream {
  constructor(underKey, tag) {
    this.underKey = underKey;
    this.tag = tag;
    this.block = EMPTY;
    this.taken = 0;
    this.rejected = 0;
  }

  next() {
    const at = this.taken % 32;
    if (at === 0) this.block = this.underKey(tagged(this.tag, u32(this.taken / 32)));
    this.taken += 1;
    return this.block[at];
  }

  /** A uniform number below m, 1 ≤ m ≤ 256; bytes past the last whole multiple are rejected. */
  below(m) {
    const limit = 256 - (256 % m);
    for (;;) {
      const byte = this.next();
      if (byte < limit) return byte % m;
      this.rejected += 1;
    }
  }
}

/** Fisher–Yates over n places, driven by `below`. */
export function permutation(n, below) {
  const places = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places;
}

/** A leaf: one card at one position of one deal, under its salt. */
export function leafOf(match, deal, position, card, salt) {
  const body = tagged("leaf", match, u32(deal), u32(position), ascii(card), salt);
  return sha256(concat([Uint8Array.of(0), body]));
}

/** The RFC 6962 tree head over leaves that are hashed already. */
export function treeHead(leaves) {
  if (leaves.length === 1) return leaves[0];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  const left = treeHead(leaves.slice(0, split));
  const right = treeHead(leaves.slice(split));
  return sha256(concat([Uint8Array.of(1), left, right]));
}

/** The sealed deck of a deal: cards, salts, leaves, root and the first seat. */
export function sealedDeck({ match, deal, pack, r, cset, seeds, cut }) {
  const cards = PACKS[pack];
  const key = deckKey(r, cset, seeds, cut === undefined ? EMPTY : Uint8Array.of(cut));
  const underKey = hmacUnder(key);
  const stream = new Stream(underKey, "deck-stream");
  const places = permutation(cards.length, (m) => stream.below(m));
  const deck = places.map((_, p) => cards[places[(p + (cut ?? 0)) % cards.length]]);
  const salts = deck.map((_, p) => underKey(tagged("leaf-salt", u32(p))));
  const leaves = deck.map((card, p) => leafOf(match, deal, p, card, salts[p]));
  const firstSeat = new Stream(underKey, "first-seat").below(4);
  return { key, deck, salts, leaves, root: treeHead(leaves), firstSeat, stream };
}

const PACKET_POSITIONS = Object.freeze({
  "3-2": [[0, 1, 2, 12, 13], [3, 4, 5, 14, 15], [6, 7, 8, 16, 17], [9, 10, 11, 18, 19]],
  "2-3": [[0, 1, 8, 9, 10], [2, 3, 11, 12, 13], [4, 5, 14, 15, 16], [6, 7, 17, 18, 19]],
  "3-2-3-2": [[0, 1, 2, 10, 11], [3, 4, 12, 13, 14], [5, 6, 7, 15, 16], [8, 9, 17, 18, 19]],
  "2-3-2-3": [[0, 1, 10, 11, 12], [2, 3, 4, 13, 14], [5, 6, 15, 16, 17], [7, 8, 9, 18, 19]],
  single: [[0, 4, 8, 12, 16], [1, 5, 9, 13, 17], [2, 6, 10, 14, 18], [3, 7, 11, 15, 19]],
});

/** The five positions that a packet pattern gives a seat; undefined for an unknown pattern. */
export function dealtPositions(packets, dealer, seat) {
  return PACKET_POSITIONS[packets]?.[(seat - dealer + 3) % 4];
}

const DRAW_RANKS = "A789TJQK";

/** How many cards a jack draw turns, and who deals: turned from the top until a jack comes. */
function drawJack(deck, jacks, start) {
  const at = deck.findIndex((card) => jacks.includes(card));
  return { positions: deck.slice(0, at + 1).map((_, p) => p), dealer: (start + at) % 4 };
}

/** One card to each seat; tied seats get one more each; out of cards, the first tied seat deals. */
function drawRanked(deck, start, better) {
  const positions = [];
  let next = 0;
  let tied = [0, 1, 2, 3].map((i) => (start + i) % 4);
  for (;;) {
    const ranks = [];
    for (const seat of tied) {
      while (next < deck.length && (deck[next] === "2S" || deck[next] === "BB")) {
        positions.push(next);
        next += 1;
      }
      if (next >= deck.length) return { positions, dealer: tied[0] };
      ranks.push({ seat, rank: DRAW_RANKS.indexOf(deck[next][0]) });
      positions.push(next);
      next += 1;
    }
    const best = ranks.map(({ rank }) => rank).reduce((a, b) => (better(a, b) ? a : b));
    tied = ranks.filter(({ rank }) => rank === best).map(({ seat }) => seat);
    if (tied.length === 1) return { positions, dealer: tied[0] };
  }
}

/** The dealer draw of deal 0: the positions turned, in order, and the seat that deals. */
export function drawDealer(deck, method, start) {
  switch (method) {
    case "black_jack": return drawJack(deck, ["JC", "JS"], start);
    case "any_jack": return drawJack(deck, ["JC", "JD", "JH", "JS"], start);
    case "draw_low": return drawRanked(deck, start, (a, b) => a < b);
    case "draw_high": return drawRanked(deck, start, (a, b) => a > b);
    default: return { positions: [], dealer: start };
  }
}

// Signed bytes

export const signedBytes = Object.freeze({
  referee: (head) => tagged("sig/referee", head),
  reveal: (match, deal, seat, cset, commit, head) =>
    tagged("sig/seat/reveal", match, u32(deal), u32(seat), cset, commit, head),
  move: (match, deal, seq, before, move) =>
    tagged("sig/seat/move", match, u32(deal), u32(seq), before, ascii(move)),
  privateDeal: (match, deal, seat, root, cards) =>
    tagged(
      "private-deal", match, u32(deal), u32(seat), root,
      ...cards.flatMap(({ position, card, salt }) => [u32(position), ascii(card), salt]),
    ),
  roster: (name, older, newer, from) => tagged("roster", ascii(name), older, newer, ascii(from)),
  receipt: (items) =>
    tagged(
      "receipt", u32(items.length),
      ...items.flatMap(({ match, deal, seq, head }) => [match, u32(deal), u32(seq), head]),
    ),
});

// Keys and Ed25519: the refusals are ours, the curve is WebCrypto's

const FIELD_PRIME = 2n ** 255n - 19n;
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const SMALL_ORDER_Y = new Set([
  0n,
  1n,
  FIELD_PRIME - 1n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
]);

function littleEndian(bytes) {
  return BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);
}

function coordinate(bytes) {
  return littleEndian(bytes) & ((1n << 255n) - 1n);
}

/** Whether a public key is one that may be used: canonical, and not of small order. */
export function keyIsSound(key) {
  if (key.length !== 32) return false;
  const y = coordinate(key);
  return y < FIELD_PRIME && !SMALL_ORDER_Y.has(y);
}

/** Whether a signature is canonical: R below the field prime, S below the group order. */
export function signatureIsSound(signature) {
  if (signature.length !== 64) return false;
  return coordinate(signature.subarray(0, 32)) < FIELD_PRIME
    && littleEndian(signature.subarray(32)) < GROUP_ORDER;
}

const PROBE = Object.freeze({
  key: unhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
  signature: unhex(
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
      + "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  ),
});

async function webCryptoVerify(subtle, key, signature, message) {
  const imported = await subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  return subtle.verify({ name: "Ed25519" }, imported, signature, message);
}

/**
 * A checker of signatures, or null where this platform has no Ed25519.
 *
 * It is tried on the first test of RFC 8032 before it is trusted.
 *
 * @param {any} [crypto]
 */
export async function signatureChecker(crypto = globalThis.crypto) {
  const subtle = crypto?.subtle;
  if (subtle === undefined) return null;
  try {
    if (!(await webCryptoVerify(subtle, PROBE.key, PROBE.signature, EMPTY))) return null;
  } catch {
    return null;
  }
  return async (key, signature, message) => {
    if (!keyIsSound(key) || !signatureIsSound(signature)) return false;
    try {
      return await webCryptoVerify(subtle, key, signature, message);
    } catch {
      return false;
    }
  };
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** RFC 4648 base64, with padding, of 32 bytes. */
export function base64Of32(bytes) {
  let text = "";
  for (let i = 0; i < 33; i += 3) {
    const group = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) text += BASE64[(group >> shift) & 63];
  }
  return `${text.slice(0, 43)}=`;
}

function from32Base64(text) {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null;
  const bytes = new Uint8Array(33);
  for (let i = 0; i < 44; i += 4) {
    let group = 0;
    for (let j = 0; j < 4; j += 1) group = (group << 6) | (BASE64.indexOf(text[i + j]) & 63);
    bytes.set([(group >> 16) & 255, (group >> 8) & 255, group & 255], (i / 4) * 3);
  }
  const key = bytes.slice(0, 32);
  return base64Of32(key) === text ? key : null;
}

/** The short id of a named public key. */
export function keyId(name, key) {
  return hex(taggedHash("key-id", ascii(name), key).subarray(0, 4));
}

/** The printed form of a named public key: the line that a client pins. */
export function keyText(name, key) {
  return `${name}+${keyId(name, key)}+${base64Of32(key)}`;
}

/** A named public key from its printed form, or null where the text is not one. */
export function parseKey(text) {
  const found = /^([!#-*,-[\]-~]{1,64})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{43}=)$/.exec(text);
  const key = found && from32Base64(found[3]);
  if (!key || keyId(found[1], key) !== found[2]) return null;
  return { name: found[1], id: found[2], key, text };
}

// Failures

/** What a check found: the exit code, where, and why. */
export class Failure extends Error {
  constructor(exit, message, place = {}) {
    super(message);
    this.exit = exit;
    this.seq = place.seq;
    this.deal = place.deal;
    this.party = place.party;
    this.file = place.file;
  }
}

const EXIT = Object.freeze({
  verified: 0, rules: 1, usage: 2, seal: 3, signature: 4, incomplete: 5, unreadable: 6, strict: 7,
  internal: 70, readerGone: 141,
});

// Restricted canonical JSON: the grammar admits one spelling only, so parsing is the whole check

const MAX_DEPTH = 6;
const CODE = Object.freeze({
  quote: 0x22, comma: 0x2c, colon: 0x3a, open: 0x7b, close: 0x7d, list: 0x5b, end: 0x5d,
  backslash: 0x5c, zero: 0x30, nine: 0x39, t: 0x74, f: 0x66, lf: 0x0a,
});

class CanonicalParser {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  fail(what) {
    throw new Failure(EXIT.unreadable, `not canonical JSON at byte ${this.at}: ${what}`);
  }

  eat(code) {
    if (this.bytes[this.at] !== code) return false;
    this.at += 1;
    return true;
  }

  expect(code) {
    if (!this.eat(code)) this.fail(`'${String.fromCharCode(code)}' was expected`);
  }

  value(depth) {
    const code = this.bytes[this.at];
    if (code === CODE.quote) return this.string();
    if (code === CODE.open) return this.object(depth + 1);
    if (code === CODE.list) return this.array(depth + 1);
    if (code === CODE.t) return this.word("true", true);
    if (code === CODE.f) return this.word("false", false);
    return this.integer();
  }

  word(text, value) {
    for (const letter of text) this.expect(letter.charCodeAt(0));
    return value;
  }

  integer() {
    const start = this.at;
    let value = 0;
    while (this.bytes[this.at] >= CODE.zero && this.bytes[this.at] <= CODE.nine) {
      value = value * 10 + (this.bytes[this.at] - CODE.zero);
      this.at += 1;
      if (value > Number.MAX_SAFE_INTEGER) this.fail("an integer is above 2^53 - 1");
    }
    if (this.at === start) this.fail("a value was expected");
    if (this.bytes[start] === CODE.zero && this.at > start + 1) this.fail("a leading zero");
    return value;
  }

  string() {
    this.expect(CODE.quote);
    const start = this.at;
    for (;;) {
      const code = this.bytes[this.at];
      if (code === CODE.quote) break;
      if (code === undefined || code < 0x20 || code > 0x7e || code === CODE.backslash) {
        this.fail("a string holds a byte that is not allowed");
      }
      this.at += 1;
    }
    this.at += 1;
    return asciiText(this.bytes, start, this.at - 1);
  }

  key() {
    const key = this.string();
    if (!/^[a-z][a-z0-9_]{0,31}$/.test(key)) this.fail("a key is not of the form allowed");
    return key;
  }

  object(depth) {
    if (depth > MAX_DEPTH) this.fail(`nested deeper than ${MAX_DEPTH}`);
    this.expect(CODE.open);
    const object = Object.create(null);
    if (this.eat(CODE.close)) return object;
    let last = "";
    do {
      const key = this.key();
      if (key <= last) this.fail("keys are not sorted, or one stands twice");
      last = key;
      this.expect(CODE.colon);
      object[key] = this.value(depth);
    } while (this.eat(CODE.comma));
    this.expect(CODE.close);
    return object;
  }

  array(depth) {
    if (depth > MAX_DEPTH) this.fail(`nested deeper than ${MAX_DEPTH}`);
    this.expect(CODE.list);
    const array = [];
    if (this.eat(CODE.end)) return array;
    do array.push(this.value(depth));
    while (this.eat(CODE.comma));
    this.expect(CODE.end);
    return array;
  }
}

/** The value of a text of restricted canonical JSON; anything else is a failure with exit 6. */
export function parseCanonical(bytes) {
  const parser = new CanonicalParser(bytes, 0);
  const value = parser.value(0);
  if (parser.at !== bytes.length) parser.fail("bytes follow the value");
  return value;
}

/** The canonical text of a value; it is written by sorting keys and adding nothing. */
export function canonicalText(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `"${key}":${canonicalText(value[key])}`).join(",")}}`;
}

const LINE_HEAD = ascii('{"event":');
const LINE_MIDDLE = ascii(',"sig":"');
const LINE_TAIL = ascii('"}');

function startsWith(bytes, at, prefix) {
  for (let i = 0; i < prefix.length; i += 1) if (bytes[at + i] !== prefix[i]) return false;
  return true;
}

const LONGEST_LINE = 1 << 20;

/** The parts of one transcript line without its LF: the event's bytes, its value, the signature. */
export function parseLine(bytes) {
  if (bytes.length > LONGEST_LINE) {
    throw new Failure(EXIT.unreadable, `the line is longer than ${LONGEST_LINE} bytes`);
  }
  if (!startsWith(bytes, 0, LINE_HEAD)) {
    throw new Failure(EXIT.unreadable, "the line does not begin with {\"event\":");
  }
  const parser = new CanonicalParser(bytes, LINE_HEAD.length);
  const event = parser.object(1);
  const raw = bytes.slice(LINE_HEAD.length, parser.at);
  if (!startsWith(bytes, parser.at, LINE_MIDDLE)) parser.fail("the signature was expected");
  const from = parser.at + LINE_MIDDLE.length;
  const to = bytes.length - LINE_TAIL.length;
  if (to < from || !startsWith(bytes, to, LINE_TAIL)) parser.fail("the line does not end in \"}");
  const sig = asciiText(bytes, from, to);
  if (!/^([0-9a-f]{128})?$/.test(sig)) {
    throw new Failure(EXIT.unreadable, "the signature is not 128 lower-case hex digits, or empty");
  }
  return { event, raw, sig: unhex(sig) };
}

// The fields of each kind of event

const bad = (path, what) => {
  throw new Failure(EXIT.seal, `field ${path}: ${what}`);
};
const hexOf = (length) => (value, path) => {
  if (typeof value !== "string" || value.length !== 2 * length || !/^[0-9a-f]*$/.test(value)) {
    bad(path, `${length} bytes in lower-case hex were expected`);
  }
};
const hexOrEmpty = (length) => (value, path) => {
  if (value !== "") hexOf(length)(value, path);
};
const integer = (least = 0, most = Number.MAX_SAFE_INTEGER) => (value, path) => {
  if (!Number.isInteger(value) || value < least || value > most) {
    bad(path, `an integer from ${least} to ${most} was expected`);
  }
};
const text = (most) => (value, path) => {
  if (typeof value !== "string" || value.length > most) {
    bad(path, `text of at most ${most} characters was expected`);
  }
};
const word = (...words) => (value, path) => {
  if (!words.includes(value)) bad(path, `one of ${words.join(", ")} was expected`);
};
const truth = (value, path) => {
  if (typeof value !== "boolean") bad(path, "true or false was expected");
};
const list = (item, least = 0, most = 4096) => (value, path) => {
  if (!Array.isArray(value) || value.length < least || value.length > most) {
    bad(path, least === most ? `a list of ${least} was expected` : "a list was expected");
  }
  value.forEach((one, i) => item(one, `${path}[${i}]`));
};
const record = (fields, optional = {}) => (value, path) => {
  if (typeof value !== "object" || Array.isArray(value)) bad(path, "an object was expected");
  const dot = path === "" ? "" : `${path}.`;
  for (const [key, check] of Object.entries(fields)) {
    if (!(key in value)) bad(`${dot}${key}`, "it is missing");
    check(value[key], `${dot}${key}`);
  }
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(fields, key)) continue;
    if (!Object.hasOwn(optional, key)) bad(`${dot}${key}`, "an unknown field");
    optional[key](value[key], `${dot}${key}`);
  }
};
const textMap = (value, path) => {
  if (typeof value !== "object" || Array.isArray(value)) bad(path, "an object was expected");
  for (const key of Object.keys(value)) text(64)(value[key], `${path}.${key}`);
};
const publicKey = (value, path) => {
  if (readKey(value) === null) bad(path, "a public key was expected");
};
const actionText = (longest) => (value, path) => {
  text(longest)(value, path);
  if (value === "") bad(path, "an action was expected");
};

/** A public key as an event states it, in its printed form; null for anything else. */
export function readKey(value) {
  return typeof value === "string" ? parseKey(value) : null;
}

const COUNT = integer(0, Number.MAX_SAFE_INTEGER);
const DEAL = integer(0, 0xfffffffe);
const SEAT = word(...SEATS);
const HASH = hexOf(32);
const SIDES = record({ ns: COUNT, ew: COUNT });
const OPENED = { position: integer(0, 32), card: text(2), salt: HASH };
const FAULTS = [
  "ILLEGAL", "MALFORMED", "TIMEOUT", "DISCONNECT", "CRASH", "START_FAIL", "WITHHELD", "INFRA",
];
const POLICY = Object.fromEntries(
  [
    "games", "illegal_limit", "timeout_limit", "withheld_limit", "move_ms", "bank_ms",
    "increment_ms", "start_ms", "commit_ms", "reveal_ms", "grace_ms",
  ].map((name) => [name, integer()]),
);
const SEAT_ENTRY = record(
  { name: text(64), level: word("plays", "seeds", "checks", "signs"), seed_by: word("seat", "host") },
  { key: publicKey },
);
const SHAPES = Object.freeze({
  match_open: [
    {
      match: hexOf(16), protocol: word(PROTOCOL), rule_set: HASH, rules: textMap,
      pack: word(...Object.keys(PACKS)), seats: list(SEAT_ENTRY, 4, 4), referee_key: publicKey,
      chain: integer(1, 0xffffffff), r0: HASH, policy: record({ rated: truth, ...POLICY }),
      opened_at: integer(),
    },
    { board: hexOf(16), table: integer(), root: HASH, score: SIDES },
  ],
  deal_open: [{ deal: DEAL }, { dealer: SEAT, cutter: SEAT }],
  seat_commit: [{ deal: DEAL, seat: SEAT, commit: HASH }, {}],
  commit_set: [{ deal: DEAL, r_commit: HASH, commits: list(HASH, 4, 4), cset: HASH }, {}],
  reveal_set: [
    { deal: DEAL, seeds: list(hexOrEmpty(32), 4, 4), sigs: list(hexOrEmpty(64), 4, 4) },
    { cut: integer(0, 255) },
  ],
  deck_root: [{ deal: DEAL, leaves: list(HASH), root: HASH }, {}],
  dealer_draw: [
    { deal: word(0), start: SEAT, turned: list(record(OPENED)), dealer: SEAT },
    {},
  ],
  turn_up: [{ deal: DEAL, ...OPENED }, {}],
  action: [
    { deal: DEAL, seat: SEAT, action: actionText(48), used_ms: integer() },
    {
      commit: HASH, seat_sig: hexOf(64), fallback: word("TIMEOUT", "DISCONNECT", "CRASH"),
    },
  ],
  deal_close: [
    {
      deal: DEAL,
      outcome: word("played", "thrown_in", "redeal", "fault", "renege", "void", "draw"),
      alone: list(SEAT, 0, 4), tricks: SIDES, points: SIDES, score: SIDES,
      faults: list(record({ seat: SEAT, why: word(...FAULTS) })), r: HASH,
      openings: list(
        record({ seq: integer(), positions: list(integer(0, 32), 1, 3), blinds: list(HASH, 1, 3) }),
      ),
      attempts: list(
        record(
          { after: integer(), seat: SEAT, action: actionText(80), reason: text(64) },
          { seat_sig: hexOf(64) },
        ),
      ),
    },
    { maker: SEAT, deck: text(98) },
  ],
  match_close: [
    { outcome: word("finished", "forfeit", "aborted", "void"), score: SIDES, deals: COUNT },
    { by: SEAT, winner: word("ns", "ew") },
  ],
});
/** The kinds of event that the referee signs. */
export const SIGNED_KINDS = new Set([
  "match_open", "commit_set", "deck_root", "deal_close", "match_close",
]);
const CHECKS = new Map(
  Object.entries(SHAPES).map(([kind, [fields, optional]]) => [
    kind,
    record({ kind: word(kind), seq: COUNT, prev: HASH, ...fields }, optional),
  ]),
);

function checkShape(event) {
  const check = CHECKS.get(event.kind);
  if (check === undefined) bad("kind", `not a kind of event: ${canonicalText(event.kind ?? "")}`);
  check(event, "");
}

// The walk: order of events, and the seal of each deal

const CUTTER_STEP = new Map([["dealers_left", 1], ["dealers_right", 3]]);

/** One match, event by event; every check throws a Failure at the first thing that is wrong. */
export class Walk {
  constructor({ proof = false } = {}) {
    this.proof = proof;
    this.place = {};
    this.expected = ["match_open"];
    this.open = null;
    this.deal = null;
    this.lastDeal = null;
    this.lastLink = null;
    this.matchEnds = [];
    this.closed = false;
    this.lone = null;
    this.seatSignatures = [];
    this.totals = {
      deals: 0, draws: 0, verified: 0, voided: 0, played: 0, faults: [], voided_matches: 0,
      outcome: null, score: null, winner: null,
    };
  }

  /** Take in an event of the right shape. */
  accept(event, head, before) {
    if (!this.expected.includes(event.kind)) {
      throw new Failure(
        EXIT.seal,
        `${event.kind} does not stand here: ${this.expected.join(" or ") || "nothing"} may follow`,
      );
    }
    if (this.deal && "deal" in event && event.kind !== "deal_open"
        && event.deal !== this.deal.number) {
      throw new Failure(EXIT.seal, `deal ${event.deal} inside deal ${this.deal.number}`);
    }
    this[event.kind](event, head, before);
  }

  require(condition, message) {
    if (!condition) throw new Failure(EXIT.seal, message);
  }

  match_open(event) {
    this.require(event.pack === event.rules.pack, "pack is not the rule set's pack");
    const id = taggedHash("rule-set", ascii(canonicalText(event.rules)));
    this.require(hex(id) === event.rule_set, "rule_set is not the hash of the rules");
    if (event.board !== undefined) this.lone = event.board;
    const placed = event.table ?? event.root ?? event.score;
    this.require(
      this.lone !== null || placed === undefined, "table, root and score stand with their board",
    );
    event.seats.forEach((seat, i) => {
      this.require(
        (seat.level === "signs") === (seat.key !== undefined),
        `seat ${SEATS[i]}: a key goes with the level signs, and with no other`,
      );
    });
    this.open = event;
    this.match = unhex(event.match);
    this.cards = PACKS[event.pack];
    this.declined = event.seats.map((seat) => seat.level === "plays");
    this.keys = event.seats.map((seat) => (seat.key === undefined ? null : readKey(seat.key).key));
    this.lastLink = { k: 0, value: unhex(event.r0) };
    this.expected = this.proof ? ["deal_open"] : ["deal_open", "match_close"];
  }

  deal_open(event) {
    const { deal, dealer } = event;
    if (this.lastDeal !== null) {
      this.require(deal === this.lastDeal + 1, `deal ${deal} follows deal ${this.lastDeal}: a gap`);
    } else if (!this.proof) {
      const first = this.open.rules.first_dealer === "agreed" ? [0, 1] : [0];
      this.require(first.includes(deal), `the match begins with deal ${deal}`);
    }
    this.require(deal < this.open.chain, `deal ${deal} is beyond the referee's chain`);
    this.require((deal === 0) === (dealer === undefined), "only deal 0 has no dealer");
    this.require(event.cutter === this.cutterOf(event), "the cutter is not the rule set's");
    this.lastDeal = deal;
    this.deal = {
      number: deal, open: event, commits: new Map(), hidden: new Map(), opened: new Map(),
      cut: undefined,
    };
    this.expected = ["seat_commit", "commit_set", "deal_close"];
  }

  cutterOf({ deal, dealer }) {
    const step = CUTTER_STEP.get(this.open.rules.cut);
    if (step === undefined || deal === 0) return undefined;
    const seat = (SEATS.indexOf(dealer) + step) % 4;
    return this.declined[seat] ? undefined : SEATS[seat];
  }

  seat_commit(event) {
    const seat = SEATS.indexOf(event.seat);
    this.require(!this.declined[seat], `${event.seat} has declined and does not commit`);
    this.require(!this.deal.commits.has(seat), `${event.seat} commits twice`);
    this.deal.commits.set(seat, event.commit);
  }

  commit_set(event, head) {
    const deal = this.deal;
    const rCommit = unhex(event.r_commit);
    const link = chainDown(this.match, rCommit, deal.number, this.lastLink.k);
    this.require(equal(link, this.lastLink.value), "r_commit does not continue the referee's chain");
    const expected = SEATS.map((_, i) =>
      this.declined[i]
        ? hex(seatCommit(this.match, deal.number, i, EMPTY))
        : deal.commits.get(i));
    SEATS.forEach((seat, i) => {
      this.require(expected[i] !== undefined, `${seat} has not committed`);
      this.require(expected[i] === event.commits[i], `the commit of ${seat} is not its own`);
    });
    this.require(new Set(event.commits).size === 4, "two commits are the same");
    const commits = event.commits.map(unhex);
    const cset = commitSet(this.match, deal.number, this.open.pack, rCommit, commits);
    this.require(hex(cset) === event.cset, "cset is not the hash of the commit set");
    this.lastLink = { k: deal.number, value: rCommit };
    deal.commitSet = { commits, cset, head, event };
    this.expected = ["reveal_set", "deal_close"];
  }

  reveal_set(event) {
    const deal = this.deal;
    const { commits, cset, head } = deal.commitSet;
    const cutter = SEATS.indexOf(deal.open.cutter);
    this.require((cutter >= 0) === (event.cut !== undefined), "a cut stands where a cutter is");
    this.require(event.cut === undefined || event.cut < this.cards.length, "the cut is too large");
    deal.seeds = event.seeds.map(unhex);
    deal.cut = event.cut;
    SEATS.forEach((seat, i) => {
      this.require((event.seeds[i] === "") === this.declined[i], `the seed of ${seat} is missing`);
      const cut = i === cutter ? Uint8Array.of(event.cut) : EMPTY;
      const commit = seatCommit(this.match, deal.number, i, deal.seeds[i], cut);
      this.require(equal(commit, commits[i]), `${seat} reveals what its commit does not hold`);
      const signed = signedBytes.reveal(this.match, deal.number, i, cset, commits[i], head);
      this.seatSignature(i, event.sigs[i], signed, `the reveal of ${seat}`);
    });
    this.expected = ["deck_root"];
  }

  /** Note a seat's signature for the second stage, which is asynchronous. */
  seatSignature(seat, sig, message, what) {
    if (this.keys[seat] === null) {
      this.require(sig === "" || sig === undefined, `${what} is signed without a key`);
    } else {
      this.seatSignatures.push({
        key: this.keys[seat], signature: unhex(sig ?? ""), message, what, ...this.place,
      });
    }
  }

  deck_root(event) {
    this.require(event.leaves.length === this.cards.length, "the leaves are not one a card");
    const leaves = event.leaves.map(unhex);
    this.require(hex(treeHead(leaves)) === event.root, "root is not the tree head of the leaves");
    this.deal.leaves = event.leaves;
    this.deal.root = event.root;
    this.deal.rootPlace = this.place;
    this.expected = [this.deal.number === 0 ? "dealer_draw" : "turn_up"];
  }

  opening({ position, card, salt }) {
    const deal = this.deal;
    this.require(this.cards.includes(card), `not a card of the pack: '${card}'`);
    this.require(position < this.cards.length, `position ${position} is beyond the pack`);
    const leaf = leafOf(this.match, deal.number, position, card, unhex(salt));
    this.require(
      hex(leaf) === deal.leaves[position], `position ${position} does not open to ${card}`,
    );
    deal.opened.set(position, card);
  }

  dealer_draw(event) {
    event.turned.forEach((one) => this.opening(one));
    this.deal.draw = { event, place: this.place };
    this.expected = ["deal_close"];
  }

  turn_up(event, head) {
    this.deal.heads = new Map([[event.seq, head]]);
    this.require(event.position === 20, "the upcard lies at position 20");
    this.opening(event);
    this.expected = ["action", "deal_close"];
  }

  action(event, head, before) {
    const { seq, seat, action, commit } = event;
    this.deal.heads.set(seq, head);
    const hidden = ["discard", "swap", "give"].includes(action.split(" ")[0]);
    this.require(hidden === (commit !== undefined), "a commit goes with a hidden move, and only there");
    this.require(!hidden || !action.includes(" "), `the card of a hidden move stands in the open`);
    const index = SEATS.indexOf(seat);
    if (hidden) this.deal.hidden.set(seq, { seat: index, action, commit, place: this.place });
    if (event.fallback !== undefined && event.seat_sig === undefined) return;
    const move = hidden ? `${action} ${commit}` : action;
    const signed = signedBytes.move(this.match, this.deal.number, seq, before, move);
    this.seatSignature(index, event.seat_sig, signed, `the move of ${seat}`);
  }

  deal_close(event) {
    const deal = this.deal;
    const sealed = deal.leaves !== undefined;
    const { outcome } = event;
    const cutShort = outcome === "fault" || outcome === "void";
    this.require(sealed || cutShort, "only a fault or a void may close a deal before its deck");
    this.require(cutShort || (outcome === "draw") === (deal.number === 0), "draw is deal 0 only");
    this.require(sealed === (event.deck !== undefined), "deck stands where a deck_root stands");
    this.closeChain(event);
    if (sealed) this.closeDeck(event);
    this.closeOpenings(event);
    this.closeAttempts(event);
    this.closeWithheld(event);
    this.count(event, sealed);
    this.deal = null;
    this.expected = this.afterDeal();
  }

  /** An attempt counts against a signing seat only under its signature, and once. */
  closeAttempts({ attempts }) {
    const { heads = new Map(), number } = this.deal;
    const seen = new Set();
    for (const { after, seat, action, seat_sig: sig } of attempts) {
      const place = `${after} ${seat} ${action}`;
      const again = this.keys[SEATS.indexOf(seat)] !== null && seen.has(place);
      this.require(!again, `the attempt of ${seat} after event ${after} is listed twice`);
      seen.add(place);
      const before = heads.get(after);
      const message = before === undefined ? new Uint8Array(0)
        : signedBytes.move(this.match, number, after + 1, before, action);
      this.seatSignature(SEATS.indexOf(seat), sig, message, `the attempt of ${seat}`);
    }
  }

  /** A seat can withhold a commitment or a reveal that is due, and nothing else. */
  closeWithheld({ faults }) {
    const { leaves, commitSet, commits } = this.deal;
    for (const { seat, why } of faults) {
      if (why !== "WITHHELD") continue;
      const index = SEATS.indexOf(seat);
      const due = !this.declined[index] && leaves === undefined
        && (commitSet !== undefined || !commits.has(index));
      this.require(due, `${seat} is said to have withheld, and nothing of it was due`);
    }
  }

  closeChain(event) {
    const { number } = this.deal;
    const link = chainDown(this.match, unhex(event.r), number + 1, this.lastLink.k);
    this.require(equal(link, this.lastLink.value), "r does not continue the referee's chain");
    this.lastLink = { k: number + 1, value: unhex(event.r) };
  }

  closeDeck(event) {
    const deal = this.deal;
    const sealed = sealedDeck({
      match: this.match, deal: deal.number, pack: this.open.pack, r: unhex(event.r),
      cset: deal.commitSet.cset, seeds: deal.seeds, cut: deal.cut,
    });
    sealed.leaves.forEach((leaf, p) => {
      if (hex(leaf) !== deal.leaves[p]) {
        const message = `the deck that was sealed is not the one derived: position ${p} differs`;
        throw new Failure(EXIT.seal, message, deal.rootPlace);
      }
    });
    this.require(event.deck === sealed.deck.join(" "), "deck is not the deck that was sealed");
    if (deal.draw !== undefined) this.closeDraw(sealed);
  }

  closeDraw({ deck, firstSeat }) {
    const { event, place } = this.deal.draw;
    const draw = drawDealer(deck, this.open.rules.first_dealer, firstSeat);
    const turned = event.turned.map(({ position }) => position);
    const check = (condition, message) => {
      if (!condition) throw new Failure(EXIT.seal, message, place);
    };
    check(event.start === SEATS[firstSeat], `the draw starts with ${SEATS[firstSeat]}`);
    check(turned.join() === draw.positions.join(), "the cards turned are not those of the draw");
    check(event.dealer === SEATS[draw.dealer], `the draw makes ${SEATS[draw.dealer]} the dealer`);
  }

  closeOpenings(event) {
    const { number, hidden } = this.deal;
    const opened = event.openings.map(({ seq }) => seq);
    this.require(
      opened.join() === [...hidden.keys()].join(), "the openings are not those of the hidden moves",
    );
    for (const { seq, positions, blinds } of event.openings) {
      const { seat, action, commit } = hidden.get(seq);
      const count = action === "swap" ? 3 : 1;
      this.require(
        positions.length === count && blinds.length === count,
        `the opening of event ${seq} has not ${count} position(s) and blind(s)`,
      );
      this.require(
        positions.every((p, i) => p < this.cards.length && (i === 0 || p > positions[i - 1])),
        `the positions opened for event ${seq} are not of the pack, in rising order`,
      );
      const pairs = positions.map((position, i) => ({ position, blind: unhex(blinds[i]) }));
      const hash = hiddenMove(this.match, number, seat, pairs);
      this.require(hex(hash) === commit, `the hidden move of event ${seq} opens to something else`);
    }
  }

  count(event, sealed) {
    const { totals } = this;
    totals.deals += 1;
    if (event.outcome === "draw") totals.draws += 1;
    if (sealed) totals.verified += 1;
    if (event.outcome === "played") totals.played += 1;
    for (const { seat, why } of event.faults) {
      const signed = why === "ILLEGAL" && this.keys[SEATS.indexOf(seat)] !== null
        && event.attempts.some((attempt) => attempt.seat === seat);
      totals.faults.push({ deal: event.deal, seat, why, signed });
    }
    const voided = event.outcome === "void" && this.deal.commitSet !== undefined;
    if (voided) totals.voided += 1;
    this.matchEnds = this.endsAfter(event, voided);
  }

  /** How the match must close after a deal; nothing where it may go on. */
  endsAfter({ outcome, faults }, voided) {
    if (voided && this.open.policy.rated) return ["void", "aborted"];
    if (outcome === "fault" && !faults.some(({ why }) => why === "WITHHELD")) return ["forfeit"];
    const undrawn = this.deal.number === 0 && outcome !== "draw";
    return undrawn ? ["void", "aborted", "forfeit"] : [];
  }

  afterDeal() {
    if (this.proof) return [];
    return this.matchEnds.length > 0 ? ["match_close"] : ["deal_open", "match_close"];
  }

  match_close(event) {
    const ends = this.matchEnds;
    this.require(
      ends.length === 0 || ends.includes(event.outcome),
      `after the deal before it the match closes ${ends.join(" or ")}, not ${event.outcome}`,
    );
    if (event.outcome === "void") this.totals.voided_matches += this.totals.voided > 0 ? 1 : 0;
    Object.assign(this.totals, {
      outcome: event.outcome, score: event.score, winner: event.winner ?? null,
    });
    this.closed = true;
    this.expected = [];
  }

  /** Whether everything that has to stand in the file stands there. */
  complete() {
    return this.proof ? this.totals.deals === 1 && this.deal === null : this.closed;
  }
}

// Evidence from outside the file: the receipts that seats kept, and the roster of keys

const LARGEST_U32 = 0xffffffff;
const RECEIPT = record({
  items: list(record({ match: hexOf(16), deal: DEAL, seq: integer(0, LARGEST_U32), head: HASH })),
  sig: hexOf(64),
});
const PRIVATE_DEAL = record({
  cards: list(record({ position: integer(0, LARGEST_U32), card: text(256), salt: HASH })),
  deal: DEAL, match: hexOf(16), root: HASH, seat: SEAT, sig: hexOf(64),
});
const ENTRY = record({ from: text(16), key: text(256), name: text(64), sig: hexOrEmpty(64) });

/** The whole lines of bytes, and whether something without a line feed follows them. */
function linesOf(bytes) {
  const lines = [];
  let from = 0;
  for (let to = bytes.indexOf(CODE.lf); to >= 0; to = bytes.indexOf(CODE.lf, from)) {
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return { lines, torn: from < bytes.length };
}

/** The object in a canonical line, of the shape asked for; a Failure with this exit otherwise. */
function evidence(line, shape, exit, where) {
  try {
    const value = parseCanonical(line);
    shape(value, "");
    return value;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(exit, `${where}: ${error.message}`);
  }
}

/**
 * The receipts and private deals in one file of one seat; a last line that a crash has torn is left
 * out.
 */
export function readReceipts(bytes, file) {
  return linesOf(bytes).lines.map((line, i) => {
    const place = `line ${i + 1} of '${file}'`;
    const shape = (value) => ("cards" in value ? PRIVATE_DEAL : RECEIPT)(value, "");
    return { ...evidence(line, shape, EXIT.unreadable, `${place}: no receipt`), file, place };
  });
}

/** What the referee signs of a receipt or a private deal that was kept. */
function keptBytes({ items, match, deal, seat, root, cards }) {
  if (items !== undefined) {
    return signedBytes.receipt(items.map(
      (item) => ({ ...item, match: unhex(item.match), head: unhex(item.head) }),
    ));
  }
  const opened = cards.map((card) => ({ ...card, salt: unhex(card.salt) }));
  return signedBytes.privateDeal(unhex(match), deal, SEATS.indexOf(seat), unhex(root), opened);
}

/** What seats kept of one match, and what it says against the file once all has been read. */
class Watch {
  constructor(kept, match) {
    this.kept = kept.filter((one) => [one, ...(one.items ?? [])].some((at) => at.match === match));
    this.match = match;
    this.due = new Map();
    this.dealt = new Map();
    for (const one of this.kept) {
      if (one.cards !== undefined) Watch.put(this.dealt, one.deal, one);
      for (const item of one.items ?? []) {
        if (item.match === match) Watch.put(this.due, item.seq, { item, receipt: one });
      }
    }
    this.seats = new Map();
    this.revealed = new Set();
    this.agreed = 0;
    this.found = null;
  }

  static put(lists, key, one) {
    if (!lists.has(key)) lists.set(key, []);
    lists.get(key).push(one);
  }

  /** Which line is the first that the key has not signed, or null. */
  async unsigned(key, checker) {
    for (const one of this.kept) {
      if (!(await checker(key, unhex(one.sig), keptBytes(one)))) return one.place;
    }
    return null;
  }

  contradicts(message, { seq, deal }) {
    this.found ??= new Failure(EXIT.seal, message, { seq, deal });
  }

  /** Hold the receipts of an event's number against the event that stands there. */
  compare(head, place) {
    for (const { item, receipt } of this.due.get(place.seq) ?? []) {
      if (item.head === hex(head) && item.deal === place.deal) this.agreed += 1;
      else {
        this.contradicts(
          `${receipt.place} acknowledges another event ${place.seq} than the one in the file`, place,
        );
      }
    }
  }

  /** Hold what was kept against cards dealt otherwise, and against a fault that was none. */
  hear(event, place) {
    if (event.kind === "match_open") this.packets = event.rules.packets;
    if (event.kind === "deal_open") this.dealer = event.dealer;
    if (event.kind === "deck_root") this.hearDeck(event, place);
    const files = new Set((this.due.get(place.seq) ?? []).map(({ receipt }) => receipt.file));
    if (event.kind === "seat_commit" || event.kind === "action") {
      for (const file of files) {
        this.seats.set(file, (this.seats.get(file) ?? new Set()).add(event.seat));
      }
    } else if (event.kind === "commit_set") {
      this.revealed = files;
    } else if (event.kind === "deal_close") {
      const withheld = event.faults.filter(({ why }) => why === "WITHHELD");
      for (const file of [...this.revealed].sort()) {
        const charged = withheld.find(({ seat }) => this.seats.get(file)?.has(seat));
        if (charged) {
          this.contradicts(
            `${charged.seat} is said to have withheld, and '${file}' holds the receipt`, place,
          );
        }
      }
      this.revealed = new Set();
    }
  }

  /** Hold the private deals of a deck against it: each card under its leaf, and its seat's. */
  hearDeck(event, place) {
    for (const dealt of this.dealt.get(event.deal) ?? []) {
      const fault = this.dealFault(dealt, event);
      if (fault === null) this.agreed += 1;
      else this.contradicts(`${dealt.place} deals ${dealt.seat} ${fault}`, place);
    }
    this.dealt.delete(event.deal);
  }

  dealFault({ match, deal, seat, root, cards }, event) {
    if (root !== event.root) return "cards under another root than that of the deck";
    if (this.dealer === undefined) return "cards in the draw for the deal";
    const places = cards.map(({ position }) => position);
    const due = dealtPositions(this.packets, SEATS.indexOf(this.dealer), SEATS.indexOf(seat));
    const own = [due?.join(), "21,22,23"].includes(places.join()) || places.length === 1;
    if (!own) return `positions ${places.join(", ")}, which are not its own`;
    const wrong = cards.find(({ position, card, salt }) =>
      hex(leafOf(unhex(match), deal, position, card, unhex(salt))) !== event.leaves[position]);
    if (wrong === undefined) return null;
    return `${wrong.card} at position ${wrong.position}, which is not the sealed card`;
  }

  /** What was kept of the time after the event that closes the match, or of no deck. */
  beyond(last) {
    const seq = [...this.due.keys()].filter((one) => one > last).sort((a, b) => a - b)[0];
    const deal = [...this.dealt.keys()].sort((a, b) => a - b)[0];
    const at = { seq: last, deal: undefined };
    if (seq !== undefined) {
      const [{ receipt }] = this.due.get(seq);
      this.contradicts(`${receipt.place} acknowledges event ${seq}, which the file has not`, at);
    } else if (deal !== undefined) {
      const [{ place }] = this.dealt.get(deal);
      this.contradicts(`${place} deals cards of deal ${deal}, whose deck the file has not`, at);
    }
  }
}

/** Which keys a name has had, each new one signed by the one before it. */
export class Roster {
  constructor() {
    this.names = new Map();
  }

  /** The roster in bytes; where no checker is at hand, the signatures in it are not checked. */
  static async read(bytes, checker) {
    const { lines, torn } = linesOf(bytes);
    const roster = new Roster();
    if (torn) throw new Failure(EXIT.signature, "the last line of the roster has no line feed: its end is missing");
    for (const [i, line] of lines.entries()) {
      const where = `line ${i + 1} of the roster`;
      const fault = await roster.add(evidence(line, ENTRY, EXIT.signature, where), checker);
      if (fault !== null) throw new Failure(EXIT.signature, `${where}: ${fault}`);
    }
    if (lines.length === 0) throw new Failure(EXIT.signature, "the roster lists no key");
    return roster;
  }

  /** Take in one entry; what is wrong with it, or null. */
  async add({ from, key: printed, name, sig }, checker) {
    const key = readKey(printed);
    const since = Number(from);
    if (!/^(0|[1-9][0-9]{0,15})$/.test(from) || since > Number.MAX_SAFE_INTEGER) {
      return `not a time in milliseconds, as decimal text: '${from}'`;
    }
    if (key === null || !keyIsSound(key.key)) return `not a public key: '${printed}'`;
    if (key.name !== name) return `the key is of '${key.name}', and the name is '${name}'`;
    const keys = this.names.get(name) ?? [];
    const last = keys.at(-1);
    if (last === undefined && sig !== "") return `the first key of '${name}' is signed`;
    if (last !== undefined) {
      if (since <= last.since) return `the new key of '${name}' does not begin after the one before it`;
      if (keys.some((one) => equal(one.key, key.key))) return `'${name}' has had this key before`;
      const message = signedBytes.roster(name, last.key, key.key, from);
      if (sig === "" || (checker && !(await checker(last.key, unhex(sig), message)))) {
        return `the new key of '${name}' is not signed by the one before it`;
      }
    }
    this.names.set(name, [...keys, { since, key: key.key, text: printed }]);
    return null;
  }

  /** Why a key does not stand for its name at a time, or null where it does. */
  refusal(printed, atMs) {
    const key = readKey(printed);
    if (key === null || !keyIsSound(key.key)) return null;
    const keys = this.names.get(key.name) ?? [];
    const i = keys.findIndex((one) => equal(one.key, key.key));
    if (i < 0) return `the roster does not list the key '${printed}'`;
    if (atMs < keys[i].since) {
      return `the key '${printed}' was not in use yet: the roster has it from ${keys[i].since}`;
    }
    if (i + 1 < keys.length && atMs >= keys[i + 1].since) {
      return `the key '${printed}' had been succeeded by '${keys[i + 1].text}'`;
    }
    return null;
  }
}

// The verifier: form and chain, signatures, seal; then who is to blame

const REST_AFTER = 64;

/** A verification in progress: give it lines, then ask for the verdict. */
export class Verifier {
  constructor({
    referee_key = null, strict = false, checker = null, proof = false, observe = null,
    receipts = null, roster = null, pause = null,
  } = {}) {
    this.observe = observe;
    this.pause = pause;
    this.receipts = receipts;
    this.roster = roster;
    this.watch = null;
    this.unlisted = null;
    this.pinned = referee_key;
    this.strict = strict;
    this.checker = checker;
    this.proof = proof;
    this.walk = new Walk({ proof });
    this.head = new Uint8Array(32);
    this.next = 0;
    this.form = null;
    this.seal = null;
    this.key = null;
    this.signatures = [];
    this.cut = false;
  }

  /** Take in one line, without its LF. */
  line(bytes) {
    if (this.form !== null) return;
    let place = { seq: this.next };
    try {
      const { event, raw, sig } = parseLine(bytes);
      place = {
        seq: Number.isInteger(event.seq) ? event.seq : this.next,
        deal: Number.isInteger(event.deal) ? event.deal : undefined,
      };
      const before = this.link(event, raw, sig, place);
      this.sign(event, sig, place);
      this.check(event, before, place);
      this.observe?.(event, this.seal === null);
    } catch (error) {
      this.form = this.at(error, place);
    }
  }

  at(error, place) {
    if (!(error instanceof Failure)) throw error;
    error.seq ??= place.seq;
    error.deal ??= place.deal;
    return error;
  }

  /** Extend the chain by an event; the head before it is returned. */
  link(event, raw, sig, place) {
    const jump = this.proof && this.next === 1;
    const seqIsNext = jump
      ? Number.isInteger(event.seq) && event.seq >= 1 && event.seq <= LARGEST_U32
      : event.seq === this.next;
    const prevFits = jump ? /^[0-9a-f]{64}$/.test(event.prev) : event.prev === hex(this.head);
    if (!seqIsNext || !prevFits) {
      this.orphan = { event, raw, sig, ...place };
      const why = seqIsNext
        ? "prev is not the hash of the event before it"
        : `its seq is not ${this.next}`;
      throw new Failure(EXIT.seal, `the chain breaks: ${why}`, { ...place, party: "file" });
    }
    const before = unhex(event.prev);
    this.head = taggedHash("event", before, raw);
    this.next = event.seq + 1;
    this.watch?.compare(this.head, place);
    return before;
  }

  sign(event, sig, place) {
    if (this.key === null) {
      this.key = event.kind === "match_open" ? readKey(event.referee_key) : null;
      if (this.key === null) {
        throw new Failure(EXIT.unreadable, "not a transcript: it does not open with match_open");
      }
    }
    if (sig.length === 0 && !SIGNED_KINDS.has(event.kind)) return;
    this.signatures.push({
      key: this.key.key, signature: sig, message: signedBytes.referee(this.head), ...place,
    });
  }

  check(event, before, place) {
    if (this.seal !== null || this.walk.lone !== null) return;
    this.walk.place = place;
    try {
      checkShape(event);
      if (event.kind === "match_open") this.callWitnesses(event, place);
      this.walk.accept(event, this.head, before);
      this.watch?.hear(event, place);
    } catch (error) {
      this.seal = this.at(error, place);
    }
  }

  /** Ask the roster for the keys that match_open names, and the receipts for their match. */
  callWitnesses(event, place) {
    const keys = [event.referee_key, ...event.seats.flatMap(({ key }) => key ?? [])];
    const refusals = keys.map((key) => this.roster?.refusal(key, event.opened_at) ?? null);
    this.unlisted ??= refusals.find((why) => why !== null) ?? null;
    if (this.receipts !== null && this.checker !== null && this.watch === null) {
      this.watch = new Watch(this.receipts, event.match);
      this.watch.compare(this.head, place);
    }
  }

  /** Say that the file's last line has no LF: its end is missing. */
  cutShort() {
    this.cut = true;
  }

  /** The verdict on everything taken in. */
  async verdict() {
    const failure = await this.firstFailure();
    return this.report(failure);
  }

  async firstFailure() {
    if (this.form !== null) return this.formFailure();
    if (this.key === null) {
      const place = { seq: 0, party: "nobody" };
      return new Failure(EXIT.incomplete, "the file holds no whole line", place);
    }
    return (await this.keyFailure()) ?? this.sealFailure() ?? (await this.seatFailure())
      ?? this.receiptFailure() ?? this.endFailure() ?? this.strictFailure();
  }

  async formFailure() {
    this.form.party ??= "file";
    if (await this.saysTwoThings()) {
      return new Failure(
        EXIT.seal, `two signed events have the seq ${this.orphan.seq}`,
        { seq: this.orphan.seq, deal: this.orphan.deal, party: "referee" },
      );
    }
    return this.form;
  }

  /** Whether the line that breaks the chain is signed, and contradicts a signed one before it. */
  async saysTwoThings() {
    const { orphan, key } = this;
    if (!orphan || !key || !this.checker || orphan.sig.length === 0) return false;
    // The opening of another match in the same file is no second word on this one.
    if (orphan.seq === 0 && orphan.event.match !== this.walk.open?.match) return false;
    const first = this.signatures.find(({ seq }) => seq === orphan.seq);
    if (first === undefined || !/^[0-9a-f]{64}$/.test(orphan.event.prev)) return false;
    const head = taggedHash("event", unhex(orphan.event.prev), orphan.raw);
    const message = signedBytes.referee(head);
    if (equal(message, first.message)) return false;
    return (await this.checker(key.key, orphan.sig, message))
      && (await this.checker(key.key, first.signature, first.message));
  }

  async keyFailure() {
    if (this.pinned !== null && !equal(this.pinned.key, this.key.key)) {
      return new Failure(
        EXIT.signature, "the pinned key is not the key of this file", { seq: 0, party: "key" },
      );
    }
    if (!keyIsSound(this.key.key)) {
      const message = "the referee's key is of small order or not canonical";
      return new Failure(EXIT.signature, message, { seq: 0, party: "key" });
    }
    if (this.unlisted !== null) {
      return new Failure(EXIT.signature, this.unlisted, { seq: 0, party: "key" });
    }
    if (this.checker === null) return null;
    for (const [i, one] of this.signatures.entries()) {
      await this.rest(i);
      one.valid = await this.checker(one.key, one.signature, one.message);
    }
    const unsigned = await this.watch?.unsigned(this.key.key, this.checker);
    if (unsigned) {
      const party = this.signatures.some(({ valid }) => valid) ? "file" : "key";
      return new Failure(
        EXIT.signature, `${unsigned}: the referee's key has not signed this receipt`, { party },
      );
    }
    const wrong = this.signatures.find(({ valid }) => !valid);
    if (wrong === undefined) return null;
    const none = this.signatures.every(({ valid }) => !valid);
    const message = none
      ? "no signature verifies under the referee's key"
      : `the referee's signature is ${wrong.signature.length === 0 ? "missing" : "not valid"}`;
    const { seq, deal } = wrong;
    return new Failure(EXIT.signature, message, { seq, deal, party: none ? "key" : "file" });
  }

  /** Let whoever waits do something else now and then, and tell how far the signatures are. */
  async rest(done) {
    if (this.pause === null || done % REST_AFTER !== 0) return;
    await this.pause(done / (this.signatures.length + this.walk.seatSignatures.length));
  }

  sealFailure() {
    if (this.seal !== null) this.seal.party ??= this.coveredParty(this.seal.seq);
    return this.seal;
  }

  /** Who answers for an event: the referee where a valid signature stands there or later. */
  coveredParty(seq) {
    return this.signatures.some((one) => one.valid && one.seq >= seq) ? "referee" : "file";
  }

  async seatFailure() {
    if (this.checker === null) return null;
    const before = this.signatures.length;
    for (const [i, one] of this.walk.seatSignatures.entries()) {
      const { key, signature, message, what, seq, deal } = one;
      await this.rest(before + i);
      if (!(await this.checker(key, signature, message))) {
        const party = this.coveredParty(seq);
        return new Failure(EXIT.signature, `${what} is not signed by it`, { seq, deal, party });
      }
    }
    return null;
  }

  receiptFailure() {
    if (this.watch === null) return null;
    if (!this.proof && this.walk.complete()) this.watch.beyond(this.next - 1);
    const { found } = this.watch;
    if (found !== null) found.party ??= this.coveredParty(found.seq);
    return found;
  }

  endFailure() {
    if (this.walk.complete() && !this.cut) return null;
    const lone = this.walk.lone !== null;
    const message = lone
      ? `a table of the sealed board ${this.walk.lone}: its deck stands in the board's file, and`
        + " euchre-referee verify takes both"
      : this.cut
      ? "the last line is cut short: the end of the file is missing"
      : `the end of the ${this.proof ? "deal" : "match"} is missing`;
    const deal = this.walk.deal?.number;
    return new Failure(EXIT.incomplete, message, { seq: this.next, deal, party: "nobody" });
  }

  strictFailure() {
    if (this.checker === null) {
      const message = "the signatures were not checked: Ed25519 is not available here";
      return new Failure(EXIT.strict, message);
    }
    if (!this.strict) return null;
    if (this.pinned === null) return new Failure(EXIT.strict, "strict: the key is not pinned");
    const weak = this.walk.open.seats.findIndex(
      ({ level, seed_by: by }) => level !== "signs" || by !== "seat",
    );
    if (weak < 0) return null;
    const seat = this.walk.open.seats[weak];
    const why = seat.level === "plays" ? "has declined"
      : seat.seed_by === "host" ? "had its seeds drawn by the host" : "does not sign";
    return new Failure(EXIT.strict, `strict: ${SEATS[weak]} ${why}`);
  }

  report(failure) {
    const { open, totals } = this.walk;
    const count = (test) => (open === null ? 0 : open.seats.filter(test).length);
    return {
      exit: failure?.exit ?? EXIT.verified,
      party: failure?.party ?? null,
      event: failure?.seq ?? null,
      deal: failure?.deal ?? null,
      message: failure?.message ?? (this.proof ? "deal verified" : "verified"),
      kind: this.proof ? "deal-proof" : "transcript",
      match: open?.match ?? null,
      rules: "not replayed",
      signatures: this.checker === null ? "not checked" : "checked",
      not_covered: this.proof ? ["scores before the deal", "everything outside the deal"] : [],
      key: this.key === null ? null : {
        pinned: this.pinned !== null, line: keyText(this.key.name, this.key.key),
      },
      roster: this.roster === null ? null : this.unlisted === null,
      receipts: this.watch?.agreed ?? null,
      rated: open === null ? null : open.policy.rated && count(({ level }) => level === "plays") === 0,
      seeds: {
        seat: count(({ level, seed_by: by }) => level !== "plays" && by === "seat"),
        host: count(({ level, seed_by: by }) => level !== "plays" && by === "host"),
        declined: count(({ level }) => level === "plays"),
      },
      ...totals,
    };
  }
}

const PLAIN_LOG = ascii('{"format":"euchre-plain-log/');
/** The longest of the heads that tell one kind of file from another. */
const PROOF_HEAD = ascii('{"format":"euchre-deal-proof/');
const PROOF_FORMAT = "euchre-deal-proof/1";

async function refuse(options, message) {
  const verifier = new Verifier(options);
  verifier.form = new Failure(EXIT.unreadable, message, { party: "file" });
  return verifier.verdict();
}

/** A transcript that arrives in pieces of any size. */
class Intake {
  constructor(verifier) {
    this.verifier = verifier;
    this.rest = EMPTY;
  }

  take(piece) {
    const bytes = this.rest.length === 0 ? piece : concat([this.rest, piece]);
    let from = 0;
    for (let to = bytes.indexOf(CODE.lf); to >= 0; to = bytes.indexOf(CODE.lf, from)) {
      this.verifier.line(bytes.subarray(from, to));
      from = to + 1;
    }
    this.rest = bytes.slice(from);
    if (this.rest.length > LONGEST_LINE) {
      this.verifier.line(this.rest);
      this.rest = EMPTY;
    }
  }

  end() {
    if (this.rest.length > 0) this.verifier.cutShort();
    return this.verifier.verdict();
  }
}

/**
 * Verify a transcript or a deal proof, given as bytes or as an iterable of pieces.
 *
 * `referee_key` is a key that `parseKey` has read, or null; `crypto` stands in for the platform's.
 * `observe` is told each event of an unbroken chain, and whether the seal stands up to it.
 * `pause` is awaited now and then while signatures are checked, and told which part is done.
 * `receipts` are those that `readReceipts` has read, `roster` the bytes of one.
 *
 * @param {Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>} source
 * @param {{
 *   referee_key?: ReturnType<typeof parseKey>, strict?: boolean, crypto?: any,
 *   observe?: null | ((event: any, stands: boolean) => void),
 *   pause?: null | ((part: number) => Promise<void>),
 *   receipts?: null | ReturnType<typeof readReceipts>, roster?: null | Uint8Array,
 * }} options
 */
export async function verify(source, options = {}) {
  const {
    referee_key = null, strict = false, crypto = globalThis.crypto, observe = null,
    receipts = null, roster = null, pause = null,
  } = options;
  const checker = await signatureChecker(crypto);
  const settings = {
    referee_key, strict, checker, observe, receipts, pause,
    roster: roster === null ? null : await Roster.read(roster, checker),
  };
  const pieces = piecesIn(source);
  let first = EMPTY;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    first = concat([first, next.value]);
    if (first.length >= PROOF_HEAD.length) break;
  }
  if (startsWith(first, 0, PLAIN_LOG)) {
    return refuse(settings, "an unsealed log: it has no seal to verify");
  }
  if (startsWith(first, 0, PROOF_HEAD)) {
    const whole = [first];
    for await (const piece of pieces) whole.push(piece);
    return verifyProof(concat(whole), settings);
  }
  const begins = startsWith(first, 0, LINE_HEAD) || startsWith(LINE_HEAD, 0, first);
  if (!begins) return refuse(settings, "not a transcript: it does not begin with {\"event\":");
  const intake = new Intake(new Verifier(settings));
  intake.take(first);
  for await (const piece of pieces) intake.take(piece);
  return intake.end();
}

async function* piecesIn(source) {
  if (source instanceof Uint8Array) yield source;
  else yield* source;
}

/** The transcript lines inside a deal proof, or null where the file is not exactly one. */
function proofLines(bytes) {
  if (bytes.some((byte) => byte > 0x7e)) return null; // it would be written as an escape
  let proof;
  try {
    proof = JSON.parse(asciiText(bytes));
  } catch {
    return null;
  }
  const { format, match, lines } = proof ?? {};
  if (format !== PROOF_FORMAT || typeof match !== "string" || !Array.isArray(lines)) return null;
  if (lines.length === 0 || !lines.every((line) => typeof line === "string")) return null;
  const written = ascii(JSON.stringify({ format, match, lines }));
  const body = bytes[bytes.length - 1] === CODE.lf ? bytes.subarray(0, -1) : bytes;
  return equal(written, body) ? { match, lines } : null;
}

async function verifyProof(bytes, options) {
  const proof = proofLines(bytes);
  if (proof === null) return refuse({ ...options, proof: true }, "not a whole deal proof");
  const verifier = new Verifier({ ...options, proof: true });
  for (const line of proof.lines) verifier.line(ascii(line));
  const { open } = verifier.walk;
  if (verifier.form === null && open !== null && open.match !== proof.match) {
    verifier.form = new Failure(EXIT.seal, "match is not the match of its lines", { seq: 0 });
  }
  return verifier.verdict();
}

// Vectors: recompute a file made by another implementation, and name what differs

const CLAIMS_FORMAT = "euchre-derivation-vectors/1";

/**
 * What of a vectors file of either format differs from what is computed here.
 *
 * @param {any} [crypto]
 */
export async function checkVectors(vectors, crypto = globalThis.crypto) {
  const checker = await signatureChecker(crypto);
  if (vectors?.format === CLAIMS_FORMAT) return checkClaims(vectors, checker);
  if (vectors?.format !== "euchre-sealed-vectors/1") {
    throw new Failure(
      EXIT.unreadable,
      `not a vectors file of the format euchre-sealed-vectors/1 or ${CLAIMS_FORMAT}`,
    );
  }
  const book = new VectorBook(checker);
  try {
    book.chain(vectors);
    for (const deal of vectors.deals) book.deal(vectors, deal);
    await book.transcript(vectors);
    if (vectors.messages) await book.messages(vectors);
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof Failure)) throw error;
    throw new Failure(EXIT.unreadable, `a field of the vectors is missing or not readable`);
  }
  return { checked: book.checked, differ: book.differ, signatures: checker !== null };
}

/** Judge every claim; what is signed is left out where no checker is at hand. */
async function checkClaims({ cases }, checker) {
  if (!Array.isArray(cases)) throw new Failure(EXIT.unreadable, "the vectors file has no cases");
  const differ = [];
  let checked = 0;
  for (const { id, op, input, result } of cases) {
    if (!Object.hasOwn(JUDGES, op)) throw new Failure(EXIT.unreadable, `${id}: not an op: '${op}'`);
    if (result !== "valid" && result !== "invalid") {
      throw new Failure(EXIT.unreadable, `${id}: the result is valid or invalid, not '${result}'`);
    }
    if (checker === null && SIGNED_OPS.has(op)) continue;
    let holds;
    try {
      holds = await JUDGES[op](input, checker);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new Failure(EXIT.unreadable, `${id}: not an input of '${op}'`);
    }
    checked += 1;
    if (holds !== (result === "valid")) differ.push(id);
  }
  return { checked, differ, signatures: checker !== null };
}

const SIGNED_OPS = new Set(["signature", "reveal", "move", "private_deal", "receipt", "roster"]);
const cutBytes = (cut) => (cut === null ? EMPTY : Uint8Array.of(cut));
const allDiffer = (all) => new Set(all).size === all.length;

function revealHolds({ match, deal, pack, seat, declined, cutter, seed, cut, commit }) {
  if (cutter !== (cut !== null)) return false;
  if (cutter && (declined || cut >= PACKS[pack].length)) return false;
  if (unhex(seed).length !== (declined ? 0 : 32)) return false;
  return hex(seatCommit(unhex(match), deal, seat, unhex(seed), cutBytes(cut))) === commit;
}

function deckHolds(input) {
  const { match, deal, pack, r_commit: rCommit, r, commits, declined, seeds, cutter, cut } = input;
  if ((cutter === null) !== (cut === null) || commits.length !== 4 || !allDiffer(commits)) return false;
  if (hex(chainDown(unhex(match), unhex(r), deal + 1, deal)) !== rCommit) return false;
  const revealed = commits.every((commit, seat) => revealHolds({
    match, deal, pack, seat, declined: declined[seat], cutter: seat === cutter,
    seed: seeds[seat], cut: seat === cutter ? cut : null, commit,
  }));
  if (!revealed) return false;
  const cset = commitSet(unhex(match), deal, pack, unhex(rCommit), commits.map(unhex));
  const sealed = sealedDeck({
    match: unhex(match), deal, pack, r: unhex(r), cset, seeds: seeds.map(unhex), cut: cut ?? undefined,
  });
  return sealed.leaves.map(hex).join() === input.leaves.join()
    && hex(sealed.root) === input.root && sealed.deck.join(" ") === input.deck;
}

function opens({ match, deal, leaves }, { position, card, salt }) {
  return hex(leafOf(unhex(match), deal, position, card, unhex(salt))) === leaves[position];
}

const headOf = (leaves) => hex(treeHead(leaves.map(unhex)));

function hiddenHolds({ match, deal, seat, pack, move, positions, blinds, commit }) {
  const count = move === "swap" ? 3 : 1;
  if (positions.length !== count || blinds.length !== count) return false;
  if (!positions.every((p, i) => p < PACKS[pack].length && (i === 0 || p > positions[i - 1]))) {
    return false;
  }
  const pairs = positions.map((position, i) => ({ position, blind: unhex(blinds[i]) }));
  return hex(hiddenMove(unhex(match), deal, seat, pairs)) === commit;
}

function belowHolds({ m, bytes, value, taken }) {
  const given = unhex(bytes);
  const stream = new Stream(null, "deck-stream");
  stream.next = () => {
    if (stream.taken === given.length) throw new TypeError("the bytes have run out");
    stream.taken += 1;
    return given[stream.taken - 1];
  };
  return stream.below(m) === value && stream.taken === taken;
}

function formHolds({ text: given }) {
  try {
    return given[0] === "{" && parseCanonical(ascii(given)) !== null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return false;
  }
}

function soundKey(printed) {
  const key = readKey(printed);
  return key !== null && keyIsSound(key.key) ? key.key : null;
}

async function signedHolds({ key, sig }, message, checker) {
  const sound = soundKey(key);
  return sound !== null && checker(sound, unhex(sig), message);
}

async function rosterHolds({ entries }, checker) {
  const roster = new Roster();
  for (const entry of entries) {
    try {
      ENTRY(entry, "");
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return false;
    }
    if ((await roster.add(entry, checker)) !== null) return false;
  }
  return true;
}

async function privateDealHolds(input, checker) {
  const { match, deal, seat, root, leaves, positions, cards } = input;
  const opened = cards.map(({ position, card, salt }) => ({ position, card, salt: unhex(salt) }));
  const message = signedBytes.privateDeal(unhex(match), deal, seat, unhex(root), opened);
  return cards.map(({ position }) => position).join() === positions.join()
    && headOf(leaves) === root && cards.every((one) => opens(input, one))
    && signedHolds(input, message, checker);
}

/** What is asked of each op of a claim. */
const JUDGES = {
  link: ({ match, k, link, below }) => hex(chainDown(unhex(match), unhex(link), k, k - 1)) === below,
  seed: ({ secret, match, deal, seed }) => hex(seatSeed(unhex(secret), unhex(match), deal)) === seed,
  commit: revealHolds,
  commit_set: ({ match, deal, pack, r_commit: rCommit, commits, cset }) =>
    commits.length === 4 && allDiffer(commits)
      && hex(commitSet(unhex(match), deal, pack, unhex(rCommit), commits.map(unhex))) === cset,
  below: belowHolds,
  start: ({ key, seat }) => new Stream(hmacUnder(unhex(key)), "first-seat").below(4) === seat,
  deck: deckHolds,
  draw: ({ method, deck, start, turned, dealer }) => {
    const draw = drawDealer(deck.split(" "), method, start);
    return draw.positions.join() === turned.join() && draw.dealer === dealer;
  },
  opening: (input) => PACKS[input.pack].includes(input.card)
    && headOf(input.leaves) === input.root && opens(input, input),
  hidden: hiddenHolds,
  form: formHolds,
  event: ({ prev, event, head }) => hex(taggedHash("event", unhex(prev), ascii(event))) === head,
  key: ({ key }) => soundKey(key) !== null,
  signature: (input, checker) => signedHolds(input, unhex(input.message), checker),
  reveal: (input, checker) => signedHolds(input, signedBytes.reveal(
    unhex(input.match), input.deal, input.seat, unhex(input.cset), unhex(input.commit),
    unhex(input.head),
  ), checker),
  move: (input, checker) => signedHolds(input, signedBytes.move(
    unhex(input.match), input.deal, input.seq, unhex(input.prev), input.move,
  ), checker),
  private_deal: privateDealHolds,
  receipt: (input, checker) => signedHolds(input, signedBytes.receipt(input.items.map(
    ({ match, deal, seq, head }) => ({ match: unhex(match), deal, seq, head: unhex(head) }),
  )), checker),
  roster: rosterHolds,
};

class VectorBook {
  constructor(checker) {
    this.checker = checker;
    this.checked = 0;
    this.differ = [];
  }

  same(field, got, expected) {
    this.checked += 1;
    if (JSON.stringify(got) !== JSON.stringify(expected)) this.differ.push(field);
  }

  async signed(field, key, sig, message) {
    if (this.checker !== null) {
      this.same(field, await this.checker(key, unhex(sig), message), true);
    }
  }

  chain({ match, chain }) {
    const last = unhex(chain.last);
    const to = (k) => hex(chainDown(unhex(match), last, chain.length, k));
    this.same("chain.first", to(0), chain.first);
    this.same("chain.second", to(1), chain.second);
  }

  deal(vectors, d) {
    const match = unhex(vectors.match);
    const name = (field) => `deals.${d.id}.${field}`;
    const last = unhex(vectors.chain.last);
    const cut = d.cut ?? undefined;
    const seeds = d.seeds.map(unhex);
    const link = (k) => chainDown(match, last, vectors.chain.length, k);
    this.same(name("r"), hex(link(d.deal + 1)), d.r);
    this.same(name("referee_commitment"), hex(link(d.deal)), d.referee_commitment);
    const commits = seeds.map((seed, i) =>
      seatCommit(match, d.deal, i, seed, i === d.cutter ? Uint8Array.of(cut) : EMPTY));
    this.same(name("seat_commits"), commits.map(hex), d.seat_commits);
    const cset = commitSet(match, d.deal, d.pack, link(d.deal), commits);
    this.same(name("commit_set"), hex(cset), d.commit_set);
    const sealed = sealedDeck({
      match, deal: d.deal, pack: d.pack, r: unhex(d.r), cset, seeds, cut,
    });
    this.same(name("deck_key"), hex(sealed.key), d.deck_key);
    this.same(name("stream_bytes"), sealed.stream.taken, d.stream_bytes);
    this.same(name("rejected"), sealed.stream.rejected, d.rejected);
    this.same(name("deck"), sealed.deck.join(" "), d.deck);
    this.same(name("first_salt"), hex(sealed.salts[0]), d.first_salt);
    this.same(name("leaves"), sealed.leaves.map(hex), d.leaves);
    this.same(name("root"), hex(sealed.root), d.root);
    if (d.dealer_draw) this.draw(name, sealed, d.dealer_draw);
  }

  draw(name, { deck, firstSeat }, expected) {
    const draw = drawDealer(deck, "black_jack", firstSeat);
    this.same(name("dealer_draw.start_seat"), firstSeat, expected.start_seat);
    this.same(name("dealer_draw.turned"), draw.positions.length, expected.turned);
    this.same(name("dealer_draw.dealer"), draw.dealer, expected.dealer);
  }

  async transcript({ transcript }) {
    const key = unhex(transcript.referee_public_key);
    let head = new Uint8Array(32);
    for (const [i, { line, head: expected }] of transcript.lines.entries()) {
      const name = (field) => `transcript.lines[${i}].${field}`;
      const { event, raw, sig } = parseLine(ascii(line));
      this.same(name("prev"), event.prev, hex(head));
      head = taggedHash("event", head, raw);
      this.same(name("head"), hex(head), expected);
      await this.signed(name("sig"), key, hex(sig), signedBytes.referee(head));
    }
  }

  async messages(vectors) {
    const { messages } = vectors;
    const match = unhex(vectors.match);
    const d = vectors.deals.find(({ id }) => id === messages.deal_id);
    const key = unhex(vectors.transcript.referee_public_key);
    const head = unhex(messages.head);
    this.hiddenMessages(match, d, messages, head);
    await this.dealMessages(match, d, messages, head, key);
    await this.moveMessages(match, d, messages, head, key);
    const { seat_seed: seed, key_id: id, rule_set: rules } = messages;
    this.same("messages.seat_seed.seed", hex(seatSeed(unhex(seed.secret), match, seed.deal)),
      seed.seed);
    this.same("messages.key_id.id", keyId(id.name, key), id.id);
    this.same("messages.rule_set.id", hex(taggedHash("rule-set", ascii(rules.text))), rules.id);
  }

  hiddenMessages(match, d, { hidden_move: hidden, hidden_seat_move: move }, head) {
    const pairs = [{ position: hidden.position, blind: unhex(hidden.blind) }];
    const commit = hex(hiddenMove(match, d.deal, hidden.seat, pairs));
    this.same("messages.hidden_move.commit", commit, hidden.commit);
    this.same("messages.hidden_seat_move.move", `discard ${commit}`, move.move);
    const bytes = signedBytes.move(match, d.deal, move.seq, head, move.move);
    this.same("messages.hidden_seat_move.signed_bytes", hex(bytes), move.signed_bytes);
  }

  async dealMessages(match, d, { reveal, private_deal: dealt }, head, key) {
    const commit = unhex(d.seat_commits[reveal.seat]);
    const bytes = signedBytes.reveal(
      match, d.deal, reveal.seat, unhex(d.commit_set), commit, head,
    );
    this.same("messages.reveal.signed_bytes", hex(bytes), reveal.signed_bytes);
    await this.signed("messages.reveal.sig", key, reveal.sig, bytes);
    const { deck, salts, root } = sealedDeck({
      match, deal: d.deal, pack: d.pack, r: unhex(d.r), cset: unhex(d.commit_set),
      seeds: d.seeds.map(unhex), cut: d.cut ?? undefined,
    });
    const cards = dealt.positions.map((position) => (
      { position, card: deck[position], salt: salts[position] }));
    const signed = signedBytes.privateDeal(match, d.deal, dealt.seat, root, cards);
    const name = "messages.private_deal";
    this.same(`${name}.signed_bytes_sha256`, hex(sha256(signed)), dealt.signed_bytes_sha256);
    await this.signed(`${name}.sig`, key, dealt.sig, signed);
  }

  async moveMessages(match, d, { seat_move: move, receipt }, head, key) {
    const bytes = signedBytes.move(match, d.deal, move.seq, head, move.move);
    this.same("messages.seat_move.signed_bytes", hex(bytes), move.signed_bytes);
    await this.signed("messages.seat_move.sig", key, move.sig, bytes);
    const items = receipt.items.map(([deal, seq]) => ({ match, deal, seq, head }));
    const signed = signedBytes.receipt(items);
    this.same("messages.receipt.signed_bytes", hex(signed), receipt.signed_bytes);
    await this.signed("messages.receipt.sig", key, receipt.sig, signed);
  }
}

// The command (Node only)

const PIECE = 1 << 16;
const USAGE = `usage: node euchre-verify.mjs FILE... [--referee-key K] [--roster FILE] [--receipts DIR]
                                      [--strict] [--json]
       node euchre-verify.mjs --check-vectors FILE

Verify transcripts and deal proofs of sealed Euchre matches, offline; the rules are not replayed.
FILE - is standard input.

  --referee-key K       the referee's key, name+id+base64, that the file must carry
  --roster FILE         the keys of an event; an unlisted one is exit 4
  --receipts DIR        receipts that seats kept (*.jsonl), held against the files
  --strict              exit 7 where the key is not pinned, or a seat is unsigned, declined or
                        had its seeds drawn by the host
  --json                one JSON object a file
  --check-vectors FILE  recompute a vectors file and name each field or claim that differs

exit: 0 verified, 2 usage, 3 seal, 4 signature or key, 5 incomplete, 6 unreadable,
      7 signatures not checked, or --strict not met, 70 an error of this program
`;

function parseArguments(words) {
  const options = {
    files: [], key: null, strict: false, json: false, vectors: null, roster: null, receipts: null,
  };
  const rest = [...words];
  const operand = (flag) => {
    if (rest.length === 0) throw new Failure(EXIT.usage, `${flag} needs a value`);
    return rest.shift();
  };
  while (rest.length > 0) {
    const [flag, inline] = /^--[a-z-]+=/.test(rest[0]) ? rest[0].split(/=(.*)/s) : [rest[0]];
    rest.shift();
    if (inline !== undefined) rest.unshift(inline);
    if (flag === "--strict" && inline === undefined) options.strict = true;
    else if (flag === "--json" && inline === undefined) options.json = true;
    else if (flag === "--help" && inline === undefined) options.help = true;
    else if (flag === "--referee-key") options.key = operand(flag);
    else if (flag === "--roster") options.roster = operand(flag);
    else if (flag === "--receipts") options.receipts = operand(flag);
    else if (flag === "--check-vectors") options.vectors = operand(flag);
    else if (flag === "--") options.files.push(...rest.splice(0));
    else if (flag.startsWith("-") && flag !== "-") {
      throw new Failure(EXIT.usage, `not an option: '${flag}'`);
    }
    else options.files.push(flag);
  }
  if (options.key !== null) {
    const key = parseKey(options.key);
    if (key === null) {
      throw new Failure(EXIT.usage, `not a public key: '${options.key}' (write name+id+base64)`);
    }
    options.key = key;
  }
  if (!options.help && options.vectors === null && options.files.length === 0) {
    throw new Failure(EXIT.usage, "no file was named");
  }
  return options;
}

const SEALED = "sealed and checkable: the referee sees the hands, so the seal makes it unable to "
  + "choose the cards or change the record, not unable to whisper";

/** How many of the deals are verified; the dealer draw is sealed as a deal is, and is none. */
export function dealsVerified({ deals, draws, verified }) {
  const count = deals - draws;
  return `${verified - draws} of ${count} deal${count === 1 ? "" : "s"}`
    + `${draws > 0 ? ", and the dealer draw" : ""}`;
}

/** A report as `euchre-referee verify --json` has it, in whose counts the draw is a deal. */
function asJson(file, report) {
  return JSON.stringify({ file, ...report, draws: undefined });
}

function summary(file, report) {
  const place = [
    report.event === null ? "" : ` at event ${report.event}`,
    report.deal === null ? "" : ` of deal ${report.deal}`,
    report.party === null ? "" : ` (${report.party})`,
  ].join("");
  const lines = [`${file}: ${report.message}${place}`];
  if (report.match === null || ![EXIT.verified, EXIT.strict].includes(report.exit)) return lines;
  const { seeds, key } = report;
  lines.push(
    `  match ${report.match}, ${report.rated ? "rated" : "not rated: its results prove nothing"}`,
    `  verified: ${dealsVerified(report)}; voided after commit set: ${report.voided} deals, `
      + `${report.voided_matches} matches`,
    `  seeds: ${seeds.seat} by bots, ${seeds.host} by the host, ${seeds.declined} declined`,
    `  signatures ${report.signatures}; rules not replayed`,
  );
  for (const { deal, seat, why, signed } of report.faults) {
    const word = signed ? "for attempts that it signed" : "on the referee's word";
    lines.push(`  deal ${deal}: ${seat} at fault, ${why}, ${word}`);
  }
  for (const what of report.not_covered) lines.push(`  not covered: ${what}`);
  if (report.receipts !== null) lines.push(`  receipts: ${report.receipts} items agree with the file`);
  if (report.roster) lines.push("  the roster lists every key");
  lines.push(`  ${SEALED}`);
  lines.push(key.pinned ? "  the key is the pinned one"
    : `  the key is not pinned; to pin it: --referee-key '${key.line}'`);
  return lines;
}

const REASONS = {
  ENOENT: "it does not exist", EISDIR: "it is a directory", ENOTDIR: "it is not a directory",
  EACCES: "permission is denied", ENOSPC: "no space is left",
};

/** Where a file cannot be read it is named, and why, as wrong usage. */
function unreadable(file, error) {
  if (error.syscall === undefined) return error;
  const why = REASONS[error.code] ?? error.code;
  return new Failure(EXIT.usage, `${file} cannot be read: ${why}`, { file });
}

/** The pieces of a file, read as they are asked for. */
function* piecesOf(fs, file) {
  const handle = fs.openSync(file, "r");
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE);
      const length = fs.readSync(handle, piece);
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    fs.closeSync(handle);
  }
}

async function verifyFile(fs, file, options) {
  try {
    const { key: referee_key, strict, roster, receipts } = options;
    const source = file === "-" ? globalThis.process.stdin : piecesOf(fs, file);
    return await verify(source, { referee_key, strict, roster, receipts });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Before any is verified: every file is there, and none is a directory. */
function checkThere(fs, files) {
  for (const file of files.filter((name) => name !== "-")) {
    let found;
    try {
      found = fs.statSync(file);
    } catch (error) {
      throw unreadable(file, error);
    }
    if (found.isDirectory()) throw unreadable(file, { syscall: "read", code: "EISDIR" });
  }
}

function readFile(fs, file) {
  try {
    return new Uint8Array(fs.readFileSync(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The receipts in every *.jsonl file of a folder and the folders in it. */
function readFolder(fs, folder) {
  let names;
  try {
    names = fs.readdirSync(folder, { recursive: true }).map(String);
  } catch (error) {
    throw unreadable(folder, error);
  }
  const files = names.filter((name) => name.endsWith(".jsonl")).sort();
  if (files.length === 0) {
    const message = `no receipts in ${folder} (a client keeps them as *.jsonl files)`;
    throw new Failure(EXIT.usage, message, { file: folder });
  }
  return files.flatMap((name) => readReceipts(readFile(fs, `${folder}/${name}`), name));
}

async function vectorsCommand(fs, options, write) {
  const bytes = readFile(fs, options.vectors);
  let vectors;
  try {
    vectors = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Failure(EXIT.unreadable, `${options.vectors} cannot be read: it is not JSON`);
  }
  const { checked, differ, signatures } = await checkVectors(vectors);
  if (options.json) {
    write(`${JSON.stringify({ checked, differ, signatures: signatures ? "checked" : "not checked" })}\n`);
  } else {
    for (const field of differ) write(`differs: ${field}\n`);
    const what = vectors.format === CLAIMS_FORMAT ? "claims judged" : "fields checked";
    write(`${checked} ${what}, ${differ.length} differ`
      + `${signatures ? "" : "; signatures not checked"}\n`);
  }
  if (differ.length > 0) return EXIT.seal;
  return signatures ? EXIT.verified : EXIT.strict;
}

async function command(words, write) {
  const options = parseArguments(words);
  if (options.help) {
    write(USAGE);
    return EXIT.verified;
  }
  const fs = await import("node:fs");
  if (options.vectors !== null) return vectorsCommand(fs, options, write);
  if (options.roster !== null) options.roster = readFile(fs, options.roster);
  if (options.receipts !== null) options.receipts = readFolder(fs, options.receipts);
  checkThere(fs, options.files);
  let exit = EXIT.verified;
  for (const file of options.files) {
    const report = await verifyFile(fs, file, options);
    if (exit === EXIT.verified) exit = report.exit;
    write(options.json ? `${asJson(file, report)}\n`
      : `${summary(file, report).join("\n")}\n`);
  }
  return exit;
}

/** End at once where the output cannot be written: as a shell says it of a closed pipe, or by 2. */
function outputFailed(error) {
  const { exit, stderr } = globalThis.process;
  if (error.code === "EPIPE") exit(EXIT.readerGone);
  stderr.write(`euchre-verify: the output cannot be written: ${REASONS[error.code] ?? error.code}\n`);
  exit(EXIT.usage);
}

async function main() {
  const { argv, stdout, stderr } = globalThis.process;
  stdout.on("error", outputFailed);
  try {
    return await command(argv.slice(2), (text) => stdout.write(text));
  } catch (error) {
    if (!(error instanceof Failure)) {
      stderr.write(`euchre-verify: an error of this program: ${error.stack}\n`);
      return EXIT.internal;
    }
    stderr.write(`euchre-verify: ${error.message}\n`);
    if (error.exit === EXIT.usage && error.file === undefined) stderr.write(USAGE);
    return error.exit;
  }
}

async function isCommand() {
  const script = globalThis.process?.versions?.node && globalThis.process.argv[1];
  if (!script) return false;
  const [{ realpathSync }, { fileURLToPath }] = await Promise.all([
    import("node:fs"), import("node:url"),
  ]);
  try {
    return realpathSync(script) === realpathSync(fileURLToPath(import.meta.url));
  } catch {
    return false;
  }
}

if (await isCommand()) globalThis.process.exitCode = await main();
