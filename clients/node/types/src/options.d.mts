/** The options of a command line, or null for --help; `more` are the bot's own flags. */
export function readOptions(words: any, { name: defaultName, flags: more }: {
    name: any;
    flags?: {};
}): {
    name: any;
    pinned: {
        name: string;
        id: string;
        key: Uint8Array<ArrayBuffer>;
        text: any;
    };
    level: any;
    seatKey: {
        raw: Uint8Array<ArrayBuffer>;
        sign: (message: any) => Uint8Array<ArrayBuffer>;
    };
    address: any;
    token: () => string;
    invitation: any;
    tokenFile: any;
    tls: {
        ca: any;
        cert: any;
        key: any;
    };
    named: {
        secret: any;
        state: any;
    };
    secretFile: (seat: any) => any;
    stateFile: (seat: any) => any;
    receiptFile: (seat: any, match: any) => string;
};
/** What a bot's command prints under --help. */
export const USAGE: "flags:\n  --referee HOST:PORT  where the referee listens (127.0.0.1:8377), or unix:PATH\n  --token-file F       the file with the seat's token (or EUCHRE_TOKEN in the environment)\n  --invitation CODE    take the seat of CODE; its token is kept in --token-file\n  --name N             the bot's name, 1 to 32 printable ASCII characters without space\n  --secret-file F      32 bytes that all seeds come from; made where it is absent\n  --state-file F       what was promised to the referee; made where it is absent\n  --receipts D         the folder for the referee's receipts; by default beside the state file\n  --level L            plays, seeds, checks or signs: what we do for the seal (checks)\n  --seat-key F         the seat's private key (PEM): sign every reveal and move\n  --key K              the referee's key to pin, name+id+base64 (--referee-key too)\n  --ca F               PEM file of the authority behind the referee's TLS certificate\n  --cert F             our own certificate (PEM), where the referee asks for one\n  --cert-key F         its private key (PEM)\n  --insecure           send the token in the clear to another machine\n";
