/** A seat's side of the seal: its seeds, what it answered, and the head of the record. */
export class SeatRecord {
    constructor({ match, seat, name, secret, state, receipts, shown, rules, check, level, seatKey, }: {
        match: any;
        seat: any;
        name: any;
        secret: any;
        state: any;
        receipts: any;
        shown: any;
        rules: any;
        check: any;
        level?: string;
        seatKey?: any;
    });
    match: Uint8Array<ArrayBuffer>;
    matchText: any;
    seat: any;
    name: any;
    secret: any;
    state: any;
    index: number;
    shown: any;
    rules: any;
    checkSignature: any;
    walk: Walk;
    head: Uint8Array<ArrayBuffer>;
    next: number;
    key: {
        name: string;
        id: string;
        key: Uint8Array<ArrayBuffer>;
        text: any;
    };
    level: string;
    seatKey: any;
    receipts: Receipts;
    own: Map<any, any>;
    cards: Map<any, any>;
    sent: Map<any, any>;
    stood: Set<any>;
    made: Set<any>;
    twins: Set<any>;
    setSeq: any;
    shownFor: any;
    blamedFor: any;
    upcard: any;
    awaited: string;
    /** The seq of the deck whose cards have not been given to us, if there is one. */
    get missing(): any;
    broken(what: any): void;
    /** Take in the next event; its value is returned once every check has passed. */
    take(bytes: any, sig: any): Promise<any>;
    follow(bytes: any, sig: any): Promise<any>;
    meetKey(event: any): void;
    get refereeKey(): void | Uint8Array<ArrayBuffer>;
    checkReferee(kind: any, sig: any, head: any): Promise<void>;
    /** Check the signatures of seats that sign, which the walk has gathered. */
    checkSeats(): Promise<void>;
    duty(event: any): void;
    dutyAtOpen(event: any): void;
    /** The other seat whose commitment our own secret gives, if this event is its first; or null. */
    twin({ kind, deal, seat, commit }: {
        kind: any;
        deal: any;
        seat: any;
        commit: any;
    }): any;
    dutyAtCommitSet(event: any): void;
    dutyAtAction(event: any): void;
    dutyAtClose({ deal, faults }: {
        deal: any;
        faults: any;
    }): void;
    /** We are not said to have withheld a reveal that the referee has accepted. */
    checkBlame(): void;
    positionOf(card: any): any;
    /** Check that we are asked at the newest event, and shown the cards that were sealed for us. */
    checkAsk({ state_version: version, hand }: {
        state_version: any;
        hand?: any[];
    }): void;
    /** Note the move that is about to be sent, to know it again; our signature, where we sign. */
    move(seq: any, action: any, blind: any): any;
    /** A hidden move is its word and its commitment; what is not legal stands as it is. */
    moveText(action: any, blind: any): any;
    /** An input was accepted; the receipt for it is due in the same message. */
    accepted({ act, commit, reveal, deal }: {
        act: any;
        commit: any;
        reveal: any;
        deal: any;
    }): void;
    receipt(receipt: any): Promise<void>;
    /** Our seed, cut and commitment for a deal; all the same whenever they are asked for. */
    ownFor(deal: any): any;
    keep(deal: any, seed: any, cut: any): {
        seed: any;
        cut: any;
        commit: Uint8Array<ArrayBuffer>;
    };
    /** The commitment to send for a deal; what it holds is on file first. */
    commit(deal: any, proposedCut: any): Uint8Array<ArrayBuffer>;
    /** The reveal to send for a deal; the commit set that it answers is on file first. */
    reveal(deal: any): {
        sig: any;
        deal: any;
        seed: any;
        cut: any;
        cset: any;
        head: any;
    };
    /** Check cards of ours; where the referee has signed wrong ones, they are kept. */
    privateDeal(dealt: any): Promise<void>;
    /**
     * What is wrong with our five cards, or with what a swap or the partner's gift brought: the root,
     * the positions, each leaf; null where nothing is.
     */
    dealFault({ deal, root, cards }: {
        deal: any;
        root: any;
        cards: any;
    }): string;
    /** Whether cards at these positions may come to us now; cards that we hold may come again. */
    isDue(places: any, dealt: any): boolean;
}
import { Walk } from "../verifier/euchre-verify.mjs";
import { Receipts } from "./receipts.mjs";
