/**
 * The seat loop around a bot's `choose(view, legal, about)`.
 *
 * `files(seat)` gives the secret and the state file once the seat is known, so that two seats of one
 * bot never share them unless they are told to.
 */
export class Seat {
    constructor({ choose, name, files, pinned, check, send, say, pause, level, seatKey }: {
        choose: any;
        name: any;
        files: any;
        pinned: any;
        check: any;
        send: any;
        say: any;
        pause: any;
        level: any;
        seatKey: any;
    });
    choose: any;
    files: any;
    own: {
        name: any;
        pinned: any;
        check: any;
        level: any;
        seatKey: any;
    };
    pinned: any;
    send: any;
    say: any;
    pause: any;
    shown: Uint8Array<any>;
    record: SeatRecord;
    ask: any;
    pending: any;
    unruled: Map<any, any>;
    generation: number;
    /** The score of the game at hand, as the last closed deal left it. */
    last: any;
    result: any;
    retryMs: number;
    /** The first seq wanted: the next one, or the deck's again where our cards have not come. */
    get resume(): any;
    /** Say that a new connection stands: what was sent on the old one may be lost. */
    reconnected(): void;
    take(item: any): Promise<any>;
    welcome({ match, seat, welcome }: {
        match: any;
        seat: any;
        welcome: any;
    }): void;
    /** The key that Welcome shows is the pinned one, and does not change. */
    checkKey(shown: any): void;
    /** The end of a message of the referee: everything that it accepted has its receipt. */
    endOfMessage(): void;
    event({ event, sig, seq }: {
        event: any;
        sig: any;
        seq: any;
    }): Promise<void>;
    offerPin(): void;
    /** Wait no more for an input whose event stands in the record; its ruling may still come. */
    settle({ kind, seq, deal, seat }: {
        kind: any;
        seq: any;
        deal: any;
        seat: any;
    }): void;
    asked(ask: any): Promise<void>;
    answers(pending: any, { what, deal, view }: {
        what: any;
        deal: any;
        view: any;
    }): boolean;
    answer(ask: any): Promise<void>;
    act({ view, deal, limit_ms: limitMs }: {
        view: any;
        deal: any;
        limit_ms: any;
    }): Promise<void>;
    transmit(input: any): void;
    isAnswerTo(id: any): boolean;
    ruling({ ruling, request_id: id }: {
        ruling: any;
        request_id: any;
    }): Promise<void>;
    status({ status, request_id: id }: {
        status: any;
        request_id: any;
    }): Promise<void>;
}
import { SeatRecord } from "./record.mjs";
