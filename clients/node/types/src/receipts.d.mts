/**
 * Receipts, one JSON line each, as `euchre-referee verify --receipts` reads them; private deals stand
 * among them where they were wrong.
 */
export class ReceiptFile {
    constructor(path: any);
    path: any;
    file: number;
    keep(items: any, sig: any): void;
    /** Keep cards that the referee signed; false where they are nothing that a verifier can read. */
    keepDeal({ match, deal, seat, root, cards, sig }: {
        match: any;
        deal: any;
        seat: any;
        root: any;
        cards: any;
        sig: any;
    }): boolean;
    write(row: any): void;
    close(): void;
}
/** What the referee has acknowledged to one seat of one match. */
export class Receipts {
    static compare(seq: any, known: any, head: any): void;
    constructor({ match, file, check }: {
        match: any;
        file: any;
        check: any;
    });
    match: any;
    file: any;
    check: any;
    due: any[];
    heads: Map<any, any>;
    promised: Map<any, any>;
    /** An input was accepted: its receipt has to come in the same message; `seq` may be unknown. */
    accepted(deal: any, seq: any): void;
    /** Check a receipt as far as the record is known, and keep it. */
    take({ items, sig }: {
        items: any;
        sig: any;
    }, key: any): Promise<void>;
    /** Insist on a receipt for everything that a message accepted. */
    endOfMessage(): void;
    /** An event has come: what was promised of it must hold. */
    saw(seq: any, head: any): void;
    /** Let go of events that no receipt will name any more. */
    forgetBefore(first: any): void;
}
