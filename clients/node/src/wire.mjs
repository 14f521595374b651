/** The wire: the proto files, the channel, and messages as plain objects with seats as words. */
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SEATS } from "../verifier/euchre-verify.mjs";
import { UsageError } from "./errors.mjs";
import { readNamed } from "./state.mjs";

const protoOf = (service) => `euchre/referee/v1/${service}.proto`;
const PROTO_FOLDERS = ["../gen", "../../../proto"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)));
const LOADING = {
  keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true,
};

/** The services of the referee's API, from the proto files that `make build` has copied. */
export function loadApi(service = "play") {
  const file = protoOf(service);
  const folder = PROTO_FOLDERS.find((one) => existsSync(`${one}/${file}`));
  if (folder === undefined) throw new UsageError("the proto files are missing: run make build");
  const definition = loadSync(file, { ...LOADING, includeDirs: [folder] });
  /** @type {any} */
  const api = grpc.loadPackageDefinition(definition);
  return api.euchre.referee.v1;
}

/** A file in PEM form; whether its parts are sound is for TLS to say. */
function readPem(path, what, kind) {
  const pem = readNamed(path, what);
  if (!pem.includes(`${kind}-----`)) {
    throw new UsageError(`${what} '${path}' holds no ${kind.toLowerCase()} in PEM form (name another)`);
  }
  return pem;
}

/** TLS under an authority, where one is named; `ca`, `cert` and `key` are PEM files. */
export function credentialsFor(tls = {}) {
  const { ca, cert, key } = /** @type {Record<string, string | undefined>} */ (tls);
  if (ca === undefined) return grpc.credentials.createInsecure();
  const roots = readPem(ca, "the authority", "CERTIFICATE");
  const own = key === undefined ? null : readPem(key, "the certificate's key", "PRIVATE KEY");
  const chain = cert === undefined ? null : readPem(cert, "the certificate", "CERTIFICATE");
  try {
    return grpc.credentials.createSsl(roots, own, chain);
  } catch (error) {
    throw new UsageError(`the certificates cannot be used: ${error.message}`);
  }
}

/** A client of PlayService at an address. */
export function playService(address, tls) {
  const { PlayService } = loadApi();
  return new PlayService(address, credentialsFor(tls), {
    "grpc.keepalive_time_ms": 20_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.max_receive_message_length": 16 << 20,
  });
}

/** A client of LobbyService at an address. */
export function lobbyService(address, tls) {
  const { LobbyService } = loadApi("lobby");
  return new LobbyService(address, credentialsFor(tls));
}

const WORD_OF = new Map(SEATS.map((word) => [`SEAT_${word.toUpperCase()}`, word]));
const seatWord = (name) => WORD_OF.get(name);
const seatName = (word) => `SEAT_${word.toUpperCase()}`;

const OPTIONAL = ["upcard", "upcard_state", "trump", "led", "state_version", "deal"];

/** A seat's view with the field names of the conformance protocol; absent is absent. */
export function readView(view) {
  if (!view) return undefined;
  const plain = {
    seat: seatWord(view.seat), phase: view.phase, dealer: seatWord(view.dealer), hand: view.hand,
    counts: Object.fromEntries(SEATS.map((seat, i) => [seat, view.counts[i] ?? 0])),
    alone: view.alone.map(seatWord), out: view.out.map(seatWord),
    trick: view.trick.map(({ seat, card }) => ({ seat: seatWord(seat), card })),
    tricks: { ns: view.tricks?.ns ?? 0, ew: view.tricks?.ew ?? 0 },
    score: { ns: view.score?.ns ?? 0, ew: view.score?.ew ?? 0 },
    legal: view.legal,
  };
  for (const seat of ["maker", "turn"]) if (seatWord(view[seat])) plain[seat] = seatWord(view[seat]);
  for (const field of OPTIONAL) {
    if (view[field] !== undefined && view[field] !== "") plain[field] = view[field];
  }
  return plain;
}

const STATUS_NAMES = Object.keys(grpc.status).filter((name) => !/^\d+$/.test(name));

/** The name of a status code. */
export function statusName(code) {
  return STATUS_NAMES.find((name) => grpc.status[name] === code) ?? `status ${code}`;
}

/** An item from the referee as a plain object; `item` names which of its fields is set. */
export function readItem(item) {
  const plain = { ...item, seat: seatWord(item.seat) };
  if (item.ask) plain.ask = { ...item.ask, view: readView(item.ask.view) };
  if (item.fault) plain.fault = { ...item.fault, seat: seatWord(item.fault.seat) };
  if (item.status) plain.status = { ...item.status, code: statusName(item.status.code) };
  return plain;
}

const INPUT_FIELDS = ["match", "request_id", "act", "commit", "reveal"];

/** An input of the seat loop as the wire has it. */
export function writeInput(input) {
  const plain = { seat: seatName(input.seat) };
  for (const field of INPUT_FIELDS) if (input[field] !== undefined) plain[field] = input[field];
  return plain;
}
