/** A seat's own key: read from a file, and never shown but for its public half. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { UsageError } from "./errors.mjs";
import { readNamed } from "./state.mjs";

/** The private key in a PKCS8 PEM file, as `euchre-referee keygen` writes it. */
export function readSeatKey(path) {
  const pem = readNamed(path, "the key", { isPrivate: true });
  let key;
  try {
    key = createPrivateKey(pem);
  } catch {
    key = null;
  }
  if (key?.asymmetricKeyType !== "ed25519") {
    throw new UsageError(`${path} holds no Ed25519 key in PKCS8 PEM form (make one with keygen)`);
  }
  const raw = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  return {
    raw: new Uint8Array(raw),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}
