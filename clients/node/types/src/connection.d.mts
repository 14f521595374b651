/** What the operator is told while nobody answers, and how long we go on trying. */
export function noWord(address: any, fault: any, leftMs: any, still?: boolean): string;
export const TOLD_EVERY_MS: 10000;
/** One seat's connection; `play` returns match_close once the match is over. */
export class Connection {
    constructor({ address, token, name, seat, tls, level, seatKey }: {
        address: any;
        token: any;
        name: any;
        seat: any;
        tls?: {};
        level?: string;
        seatKey?: any;
    });
    address: any;
    token: any;
    name: any;
    seat: any;
    level: string;
    seatKey: any;
    service: any;
    stream: any;
    /** Send an input of the seat on the stream that stands now; without one, it is kept by the seat. */
    send(input: any): void;
    play(): Promise<any>;
    /** Follow one stream to its end: how many items came, and the status it ended with. */
    follow(): Promise<{
        items: number;
        ended: {
            code: string;
            details: string;
        };
    }>;
    hello(): {
        key: any;
        token: any;
        name: any;
        level: string;
        own_seeds: boolean;
        resume: any;
    };
}
