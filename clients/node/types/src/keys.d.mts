/** The private key in a PKCS8 PEM file, as `euchre-referee keygen` writes it. */
export function readSeatKey(path: any): {
    raw: Uint8Array<ArrayBuffer>;
    sign: (message: any) => Uint8Array<ArrayBuffer>;
};
