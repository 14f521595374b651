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
/** Bytes of a text that holds ASCII only. */
export function ascii(text: any): Uint8Array<any>;
/** Text of ASCII bytes, from start up to end. */
export function asciiText(bytes: any, start?: number, end?: any): string;
/** Lower-case hexadecimal text of bytes. */
export function hex(bytes: any): string;
/** Bytes of a lower-case hexadecimal text that has been checked before. */
export function unhex(text: any): Uint8Array<ArrayBuffer>;
/** One byte string made of several. */
export function concat(parts: any): Uint8Array<ArrayBuffer>;
/** Whether two byte strings are equal. */
export function equal(a: any, b: any): boolean;
/** A number as four bytes, big endian. */
export function u32(n: any): Uint8Array<ArrayBuffer>;
/** SHA-256 of a byte string. */
export function sha256(message: any): Uint8Array<ArrayBuffer>;
/** HMAC-SHA256 under one key, as a function of the message; the key's two states are kept. */
export function hmacUnder(key: any): (message: any) => Uint8Array<ArrayBuffer>;
/** The length-prefixed encoding of a list of byte strings; two lists never share one. */
export function lp(...fields: any[]): Uint8Array<ArrayBuffer>;
/** The encoding of fields under a tag: what is signed or fed to an HMAC. */
export function tagged(tag: any, ...fields: any[]): Uint8Array<ArrayBuffer>;
/** The tagged hash of fields. */
export function taggedHash(tag: any, ...fields: any[]): Uint8Array<ArrayBuffer>;
/** R_k, hashed down from R_from. */
export function chainDown(match: any, value: any, from: any, to: any): any;
/** C_i: what a seat commits to before anyone reveals. `cut` is one byte for the cutter. */
export function seatCommit(match: any, deal: any, seat: any, seed: any, cut?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
/** The hash of the whole commit set. */
export function commitSet(match: any, deal: any, pack: any, rCommit: any, commits: any): Uint8Array<ArrayBuffer>;
/** A seat's seed for a deal, from the 32-byte secret that its client keeps. */
export function seatSeed(secret: any, match: any, deal: any): Uint8Array<ArrayBuffer>;
/** The hash that stands in an action whose card is hidden, and binds it. */
export function hiddenMove(match: any, deal: any, seat: any, pairs: any): Uint8Array<ArrayBuffer>;
/** The deck key: it needs r, every seed and the cut, under a salt that is the commit set. */
export function deckKey(r: any, cset: any, seeds: any, cut?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
/** Fisher–Yates over n places, driven by `below`. */
export function permutation(n: any, below: any): number[];
/** A leaf: one card at one position of one deal, under its salt. */
export function leafOf(match: any, deal: any, position: any, card: any, salt: any): Uint8Array<ArrayBuffer>;
/** The RFC 6962 tree head over leaves that are hashed already. */
export function treeHead(leaves: any): any;
/** The sealed deck of a deal: cards, salts, leaves, root and the first seat. */
export function sealedDeck({ match, deal, pack, r, cset, seeds, cut }: {
    match: any;
    deal: any;
    pack: any;
    r: any;
    cset: any;
    seeds: any;
    cut: any;
}): {
    key: Uint8Array<ArrayBuffer>;
    deck: any[];
    salts: Uint8Array<ArrayBuffer>[];
    leaves: Uint8Array<ArrayBuffer>[];
    root: any;
    firstSeat: number;
    stream: Stream;
};
/** The five positions that a packet pattern gives a seat; undefined for an unknown pattern. */
export function dealtPositions(packets: any, dealer: any, seat: any): any;
/** The dealer draw of deal 0: the positions turned, in order, and the seat that deals. */
export function drawDealer(deck: any, method: any, start: any): {
    positions: any;
    dealer: number;
} | {
    positions: any[];
    dealer: any;
};
/** Whether a public key is one that may be used: canonical, and not of small order. */
export function keyIsSound(key: any): boolean;
/** Whether a signature is canonical: R below the field prime, S below the group order. */
export function signatureIsSound(signature: any): boolean;
/**
 * A checker of signatures, or null where this platform has no Ed25519.
 *
 * It is tried on the first test of RFC 8032 before it is trusted.
 *
 * @param {any} [crypto]
 */
export function signatureChecker(crypto?: any): Promise<(key: any, signature: any, message: any) => Promise<any>>;
/** RFC 4648 base64, with padding, of 32 bytes. */
export function base64Of32(bytes: any): string;
/** The short id of a named public key. */
export function keyId(name: any, key: any): string;
/** The printed form of a named public key: the line that a client pins. */
export function keyText(name: any, key: any): string;
/** A named public key from its printed form, or null where the text is not one. */
export function parseKey(text: any): {
    name: string;
    id: string;
    key: Uint8Array<ArrayBuffer>;
    text: any;
};
/** The value of a text of restricted canonical JSON; anything else is a failure with exit 6. */
export function parseCanonical(bytes: any): any;
/** The canonical text of a value; it is written by sorting keys and adding nothing. */
export function canonicalText(value: any): any;
/** The parts of one transcript line without its LF: the event's bytes, its value, the signature. */
export function parseLine(bytes: any): {
    event: any;
    raw: any;
    sig: Uint8Array<ArrayBuffer>;
};
/** A public key as an event states it, in its printed form; null for anything else. */
export function readKey(value: any): {
    name: string;
    id: string;
    key: Uint8Array<ArrayBuffer>;
    text: any;
};
/**
 * The receipts and private deals in one file of one seat; a last line that a crash has torn is left
 * out.
 */
export function readReceipts(bytes: any, file: any): any[];
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
export function verify(source: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>, options?: {
    referee_key?: ReturnType<typeof parseKey>;
    strict?: boolean;
    crypto?: any;
    observe?: null | ((event: any, stands: boolean) => void);
    pause?: null | ((part: number) => Promise<void>);
    receipts?: null | ReturnType<typeof readReceipts>;
    roster?: null | Uint8Array;
}): Promise<any>;
/**
 * What of a vectors file of either format differs from what is computed here.
 *
 * @param {any} [crypto]
 */
export function checkVectors(vectors: any, crypto?: any): Promise<{
    checked: number;
    differ: any[];
    signatures: boolean;
}>;
/** How many of the deals are verified; the dealer draw is sealed as a deal is, and is none. */
export function dealsVerified({ deals, draws, verified }: {
    deals: any;
    draws: any;
    verified: any;
}): string;
export const PROTOCOL: "euchre-sealed/v1";
/** The tags, one use each. */
export const TAGS: readonly string[];
export const SEATS: readonly string[];
/** The cards of each pack, in the order that the permutation starts from. */
export const PACKS: Readonly<{
    E24: readonly any[];
    E25: readonly any[];
    E28: readonly any[];
    E32: readonly any[];
    E25J: readonly any[];
    E33J: readonly any[];
}>;
export const signedBytes: Readonly<{
    referee: (head: any) => Uint8Array<ArrayBuffer>;
    reveal: (match: any, deal: any, seat: any, cset: any, commit: any, head: any) => Uint8Array<ArrayBuffer>;
    move: (match: any, deal: any, seq: any, before: any, move: any) => Uint8Array<ArrayBuffer>;
    privateDeal: (match: any, deal: any, seat: any, root: any, cards: any) => Uint8Array<ArrayBuffer>;
    roster: (name: any, older: any, newer: any, from: any) => Uint8Array<ArrayBuffer>;
    receipt: (items: any) => Uint8Array<ArrayBuffer>;
}>;
/** What a check found: the exit code, where, and why. */
export class Failure extends Error {
    constructor(exit: any, message: any, place?: {});
    exit: any;
    seq: any;
    deal: any;
    party: any;
    file: any;
}
/** The kinds of event that the referee signs. */
export const SIGNED_KINDS: Set<string>;
/** One match, event by event; every check throws a Failure at the first thing that is wrong. */
export class Walk {
    constructor({ proof }?: {
        proof?: boolean;
    });
    proof: boolean;
    place: {};
    expected: string[];
    open: any;
    deal: {
        number: any;
        open: any;
        commits: Map<any, any>;
        hidden: Map<any, any>;
        opened: Map<any, any>;
        cut: any;
    };
    lastDeal: any;
    lastLink: {
        k: number;
        value: Uint8Array<ArrayBuffer>;
    } | {
        k: any;
        value: Uint8Array<ArrayBuffer>;
    } | {
        k: any;
        value: Uint8Array<ArrayBuffer>;
    };
    matchEnds: any[];
    closed: boolean;
    lone: any;
    seatSignatures: any[];
    totals: {
        deals: number;
        draws: number;
        verified: number;
        voided: number;
        played: number;
        faults: any[];
        voided_matches: number;
        outcome: any;
        score: any;
        winner: any;
    };
    /** Take in an event of the right shape. */
    accept(event: any, head: any, before: any): void;
    require(condition: any, message: any): void;
    match_open(event: any): void;
    match: Uint8Array<ArrayBuffer>;
    cards: any;
    declined: any;
    keys: any;
    deal_open(event: any): void;
    cutterOf({ deal, dealer }: {
        deal: any;
        dealer: any;
    }): string;
    seat_commit(event: any): void;
    commit_set(event: any, head: any): void;
    reveal_set(event: any): void;
    /** Note a seat's signature for the second stage, which is asynchronous. */
    seatSignature(seat: any, sig: any, message: any, what: any): void;
    deck_root(event: any): void;
    opening({ position, card, salt }: {
        position: any;
        card: any;
        salt: any;
    }): void;
    dealer_draw(event: any): void;
    turn_up(event: any, head: any): void;
    action(event: any, head: any, before: any): void;
    deal_close(event: any): void;
    /** An attempt counts against a signing seat only under its signature, and once. */
    closeAttempts({ attempts }: {
        attempts: any;
    }): void;
    /** A seat can withhold a commitment or a reveal that is due, and nothing else. */
    closeWithheld({ faults }: {
        faults: any;
    }): void;
    closeChain(event: any): void;
    closeDeck(event: any): void;
    closeDraw({ deck, firstSeat }: {
        deck: any;
        firstSeat: any;
    }): void;
    closeOpenings(event: any): void;
    count(event: any, sealed: any): void;
    /** How the match must close after a deal; nothing where it may go on. */
    endsAfter({ outcome, faults }: {
        outcome: any;
        faults: any;
    }, voided: any): string[];
    afterDeal(): string[];
    match_close(event: any): void;
    /** Whether everything that has to stand in the file stands there. */
    complete(): boolean;
}
/** Which keys a name has had, each new one signed by the one before it. */
export class Roster {
    /** The roster in bytes; where no checker is at hand, the signatures in it are not checked. */
    static read(bytes: any, checker: any): Promise<Roster>;
    names: Map<any, any>;
    /** Take in one entry; what is wrong with it, or null. */
    add({ from, key: printed, name, sig }: {
        from: any;
        key: any;
        name: any;
        sig: any;
    }, checker: any): Promise<string>;
    /** Why a key does not stand for its name at a time, or null where it does. */
    refusal(printed: any, atMs: any): string;
}
/** A verification in progress: give it lines, then ask for the verdict. */
export class Verifier {
    constructor({ referee_key, strict, checker, proof, observe, receipts, roster, pause, }?: {
        referee_key?: any;
        strict?: boolean;
        checker?: any;
        proof?: boolean;
        observe?: any;
        receipts?: any;
        roster?: any;
        pause?: any;
    });
    observe: any;
    pause: any;
    receipts: any;
    roster: any;
    watch: Watch;
    unlisted: any;
    pinned: any;
    strict: boolean;
    checker: any;
    proof: boolean;
    walk: Walk;
    head: Uint8Array<ArrayBuffer>;
    next: number;
    form: Failure;
    seal: Failure;
    key: {
        name: string;
        id: string;
        key: Uint8Array<ArrayBuffer>;
        text: any;
    };
    signatures: any[];
    cut: boolean;
    /** Take in one line, without its LF. */
    line(bytes: any): void;
    at(error: any, place: any): Failure;
    /** Extend the chain by an event; the head before it is returned. */
    link(event: any, raw: any, sig: any, place: any): Uint8Array<ArrayBuffer>;
    orphan: any;
    sign(event: any, sig: any, place: any): void;
    check(event: any, before: any, place: any): void;
    /** Ask the roster for the keys that match_open names, and the receipts for their match. */
    callWitnesses(event: any, place: any): void;
    /** Say that the file's last line has no LF: its end is missing. */
    cutShort(): void;
    /** The verdict on everything taken in. */
    verdict(): Promise<{
        deals: number;
        draws: number;
        verified: number;
        voided: number;
        played: number;
        faults: any[];
        voided_matches: number;
        outcome: any;
        score: any;
        winner: any;
        exit: any;
        party: any;
        event: any;
        deal: any;
        message: any;
        kind: string;
        match: any;
        rules: string;
        signatures: string;
        not_covered: string[];
        key: {
            pinned: boolean;
            line: string;
        };
        roster: boolean;
        receipts: number;
        rated: boolean;
        seeds: {
            seat: any;
            host: any;
            declined: any;
        };
    }>;
    firstFailure(): Promise<any>;
    formFailure(): Promise<Failure>;
    /** Whether the line that breaks the chain is signed, and contradicts a signed one before it. */
    saysTwoThings(): Promise<any>;
    keyFailure(): Promise<Failure>;
    /** Let whoever waits do something else now and then, and tell how far the signatures are. */
    rest(done: any): Promise<void>;
    sealFailure(): Failure;
    /** Who answers for an event: the referee where a valid signature stands there or later. */
    coveredParty(seq: any): "file" | "referee";
    seatFailure(): Promise<Failure>;
    receiptFailure(): any;
    endFailure(): Failure;
    strictFailure(): Failure;
    report(failure: any): {
        deals: number;
        draws: number;
        verified: number;
        voided: number;
        played: number;
        faults: any[];
        voided_matches: number;
        outcome: any;
        score: any;
        winner: any;
        exit: any;
        party: any;
        event: any;
        deal: any;
        message: any;
        kind: string;
        match: any;
        rules: string;
        signatures: string;
        not_covered: string[];
        key: {
            pinned: boolean;
            line: string;
        };
        roster: boolean;
        receipts: number;
        rated: boolean;
        seeds: {
            seat: any;
            host: any;
            declined: any;
        };
    };
}
/** Single bytes of a keyed stream, with the count of those taken and those rejected. */
declare class Stream {
    constructor(underKey: any, tag: any);
    underKey: any;
    tag: any;
    block: Uint8Array<ArrayBuffer>;
    taken: number;
    rejected: number;
    next(): number;
    /** A uniform number below m, 1 ≤ m ≤ 256; bytes past the last whole multiple are rejected. */
    below(m: any): number;
}
/** What seats kept of one match, and what it says against the file once all has been read. */
declare class Watch {
    static put(lists: any, key: any, one: any): void;
    constructor(kept: any, match: any);
    kept: any;
    match: any;
    due: Map<any, any>;
    dealt: Map<any, any>;
    seats: Map<any, any>;
    revealed: Set<any>;
    agreed: number;
    found: any;
    /** Which line is the first that the key has not signed, or null. */
    unsigned(key: any, checker: any): Promise<any>;
    contradicts(message: any, { seq, deal }: {
        seq: any;
        deal: any;
    }): void;
    /** Hold the receipts of an event's number against the event that stands there. */
    compare(head: any, place: any): void;
    /** Hold what was kept against cards dealt otherwise, and against a fault that was none. */
    hear(event: any, place: any): void;
    packets: any;
    dealer: any;
    /** Hold the private deals of a deck against it: each card under its leaf, and its seat's. */
    hearDeck(event: any, place: any): void;
    dealFault({ match, deal, seat, root, cards }: {
        match: any;
        deal: any;
        seat: any;
        root: any;
        cards: any;
    }, event: any): string;
    /** What was kept of the time after the event that closes the match, or of no deck. */
    beyond(last: any): void;
}
export {};
