/** The services of the referee's API, from the proto files that `make build` has copied. */
export function loadApi(service?: string): any;
/** TLS under an authority, where one is named; `ca`, `cert` and `key` are PEM files. */
export function credentialsFor(tls?: {}): grpc.ChannelCredentials;
/** A client of PlayService at an address. */
export function playService(address: any, tls: any): any;
/** A client of LobbyService at an address. */
export function lobbyService(address: any, tls: any): any;
/** A seat's view with the field names of the conformance protocol; absent is absent. */
export function readView(view: any): {
    seat: string;
    phase: any;
    dealer: string;
    hand: any;
    counts: {
        [k: string]: any;
    };
    alone: any;
    out: any;
    trick: any;
    tricks: {
        ns: any;
        ew: any;
    };
    score: {
        ns: any;
        ew: any;
    };
    legal: any;
};
/** The name of a status code. */
export function statusName(code: any): string;
/** An item from the referee as a plain object; `item` names which of its fields is set. */
export function readItem(item: any): any;
/** An input of the seat loop as the wire has it. */
export function writeInput(input: any): {
    seat: string;
};
import grpc from "@grpc/grpc-js";
