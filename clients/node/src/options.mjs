/** The flags of a bot, and the files that they name. */
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { keyIsSound, parseKey } from "../verifier/euchre-verify.mjs";
import { UsageError } from "./errors.mjs";
import { readSeatKey } from "./keys.mjs";
import { LONGEST_LINE, readNamed } from "./state.mjs";

/** @type {import("node:util").ParseArgsConfig["options"]} */
const FLAGS = {
  referee: { type: "string" },
  "token-file": { type: "string" },
  invitation: { type: "string" },
  name: { type: "string" },
  "secret-file": { type: "string" },
  "state-file": { type: "string" },
  receipts: { type: "string" },
  level: { type: "string" },
  "seat-key": { type: "string" },
  key: { type: "string" },
  "referee-key": { type: "string" },
  ca: { type: "string" },
  cert: { type: "string" },
  "cert-key": { type: "string" },
  insecure: { type: "boolean" },
  help: { type: "boolean" },
};

const LAST_PORT = 65_535;
const DEFAULT_REFEREE = "127.0.0.1:8377";
const LOCAL = /^(unix:.+|(localhost|127(\.\d+){3}|\[::1\]):\d+)$/;

/** What a bot's command prints under --help. */
export const USAGE = `flags:
  --referee HOST:PORT  where the referee listens (${DEFAULT_REFEREE}), or unix:PATH
  --token-file F       the file with the seat's token (or EUCHRE_TOKEN in the environment)
  --invitation CODE    take the seat of CODE; its token is kept in --token-file
  --name N             the bot's name, 1 to 32 printable ASCII characters without space
  --secret-file F      32 bytes that all seeds come from; made where it is absent
  --state-file F       what was promised to the referee; made where it is absent
  --receipts D         the folder for the referee's receipts; by default beside the state file
  --level L            plays, seeds, checks or signs: what we do for the seal (checks)
  --seat-key F         the seat's private key (PEM): sign every reveal and move
  --key K              the referee's key to pin, name+id+base64 (--referee-key too)
  --ca F               PEM file of the authority behind the referee's TLS certificate
  --cert F             our own certificate (PEM), where the referee asks for one
  --cert-key F         its private key (PEM)
  --insecure           send the token in the clear to another machine
`;

function token(file) {
  const given = process.env.EUCHRE_TOKEN;
  if (file === undefined && !given) {
    throw new UsageError("no token: give --token-file FILE, or set EUCHRE_TOKEN");
  }
  const where = file === undefined ? "EUCHRE_TOKEN" : `the token file '${file}'`;
  const held = file === undefined ? given
    : readNamed(file, "the token", { most: LONGEST_LINE }).toString("latin1");
  const text = held.trim();
  if (!/^[!-~]+$/.test(text)) {
    throw new UsageError(`${where} holds no token: give --token-file FILE with the token alone`);
  }
  return text;
}

function checkedName(name) {
  if (!/^[!#-*,-[\]-~]{1,32}$/.test(name)) {
    throw new UsageError(`not a name: '${name}' (1 to 32 printable ASCII, without space " \\ and +)`);
  }
  return name;
}

function checkedLevel(given, seatKey) {
  const level = given ?? (seatKey === null ? "checks" : "signs");
  if (!["plays", "seeds", "checks", "signs"].includes(level)) {
    throw new UsageError(`not a level: '${level}' (use plays, seeds, checks or signs)`);
  }
  if ((level === "signs") !== (seatKey !== null)) {
    throw new UsageError(`level ${level} and --seat-key do not go together: give both, or neither`);
  }
  return level;
}

/**
 * A token goes to another machine over TLS only, unless we are told otherwise.
 *
 * @param {Record<string, any>} flags
 */
function checkPlace({ referee, ca, cert, insecure, "cert-key": certKey }) {
  const port = Number(/^.+:(\d{1,5})$/.exec(referee)?.[1]);
  if (!/^unix:.+/.test(referee) && !(port > 0 && port <= LAST_PORT)) {
    throw new UsageError(`not an address: '${referee}' (write HOST:PORT or unix:PATH)`);
  }
  if ((cert === undefined) !== (certKey === undefined) || (cert !== undefined && ca === undefined)) {
    throw new UsageError("--cert, --cert-key and --ca go together: give all three, or --ca alone");
  }
  if (ca === undefined && !insecure && !LOCAL.test(referee)) {
    throw new UsageError(`'${referee}' is not this machine: a token goes there only over TLS`
      + " (give --ca FILE, or --insecure to send it in the clear)");
  }
}

/**
 * What is empty is not left out, as `--state-file "$STATE"` is where there is no STATE.
 *
 * @returns {Record<string, any>} the flags of a command line
 */
function parsed(words, options) {
  let values;
  try {
    ({ values } = parseArgs({ args: words, options, strict: true }));
  } catch (error) {
    throw new UsageError(error.message.split(". ")[0]);
  }
  const empty = Object.keys(FLAGS).find((flag) => values[flag] === "");
  if (empty !== undefined) {
    throw new UsageError(`--${empty} is empty (give it a value, or leave it out)`);
  }
  return values;
}

/** The options of a command line, or null for --help; `more` are the bot's own flags. */
export function readOptions(words, { name: defaultName, flags: more = {} }) {
  const values = parsed(words, { ...FLAGS, ...more });
  if (values.help) return null;
  const referee = values.referee ?? DEFAULT_REFEREE;
  checkPlace({ ...values, referee });
  if (values.invitation !== undefined && values["token-file"] === undefined) {
    throw new UsageError("--invitation needs --token-file F: the seat's token is kept there");
  }
  const pin = values.key ?? values["referee-key"];
  const pinned = pin === undefined ? null : parseKey(pin);
  if (pin !== undefined && (pinned === null || !keyIsSound(pinned.key))) {
    throw new UsageError(`not a sound public key: '${pin}' (write name+id+base64)`);
  }
  const seatKey = values["seat-key"] === undefined ? null : readSeatKey(values["seat-key"]);
  const level = checkedLevel(values.level, seatKey);
  const name = checkedName(values.name ?? defaultName);
  const home = join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "euchre-bot");
  const stem = name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  const stateFile = (seat) => values["state-file"] ?? join(home, `${stem}-${seat}.state.jsonl`);
  return {
    ...values, name, pinned, level, seatKey, address: referee, token: () => token(values["token-file"]),
    invitation: values.invitation, tokenFile: values["token-file"],
    tls: { ca: values.ca, cert: values.cert, key: values["cert-key"] },
    named: { secret: values["secret-file"], state: values["state-file"] },
    secretFile: (seat) => values["secret-file"] ?? join(home, `${stem}-${seat}.secret`),
    stateFile,
    receiptFile: (seat, match) =>
      join(values.receipts ?? join(dirname(stateFile(seat)), "receipts"), `${match}-${seat}.jsonl`),
  };
}
