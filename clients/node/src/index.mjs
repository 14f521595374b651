/** A Euchre bot in one function: `run(choose)` plays one seat of one match. */
import { inspect } from "node:util";
import { signatureChecker } from "../verifier/euchre-verify.mjs";
import { Connection } from "./connection.mjs";
import { ClientError, LostError } from "./errors.mjs";
import { takeSeat } from "./joining.mjs";
import { USAGE, readOptions } from "./options.mjs";
import { ReceiptFile } from "./receipts.mjs";
import { Seat } from "./seat.mjs";
import { StateFile, keptSecret } from "./state.mjs";

export { Connection, Seat, StateFile, keptSecret };
export { ClientError, LostError, SealError, SupersededError, UsageError } from "./errors.mjs";

/** @typedef {import("./view.mjs").SeatWord} SeatWord */
/** @typedef {import("./view.mjs").View} View */
/** @typedef {import("./view.mjs").About} About */
/** @typedef {import("./view.mjs").Choose} Choose */
/** @typedef {import("./view.mjs").Flags} Flags */
/** @typedef {import("./view.mjs").Options} Options */
/** @typedef {import("./view.mjs").Result} Result */

const INTERRUPTED = 130;
const LONGEST_QUOTE = 80;
const STAYS = " (the seat stays ours: mend it, and start again with the same files to go on)";

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** The line of the bot in which an error arose, where it tells; frames of packages help nobody. */
function placeOf(error) {
  const client = new URL("..", import.meta.url).href;
  const place = String(error?.stack).split("\n").slice(1)
    .map((line) => /(?:^ +at |\()(file:.+:\d+):\d+\)?$/.exec(line)?.[1])
    .find((at) => at !== undefined && !at.startsWith(client) && !at.includes("/node_modules/"));
  return place === undefined ? "" : ` at ${place.slice(place.lastIndexOf("/") + 1)}`;
}

/** A bot's choice, whose failure ends the client with one line; what it throws may be anything. */
function guarded(choose) {
  return async (view, legal, about) => {
    let action;
    try {
      action = await choose(view, legal, about);
    } catch (error) {
      const what = (error instanceof Error ? String(error) : inspect(error)).replaceAll(/\s+/g, " ");
      throw new LostError(`the bot failed: ${what}${placeOf(error)}${STAYS}`);
    }
    if (typeof action === "string") return action;
    const what = inspect(action, { breakLength: Infinity, depth: 1 }).slice(0, LONGEST_QUOTE);
    throw new LostError(`the bot failed: it answered ${what}, which is no text${STAYS}`);
  };
}

/**
 * Play one seat to the end of its match; the fields of match_close are returned.
 *
 * @param {Choose} choose
 * @param {any} options as `readOptions` gives them, and the token
 * @param {(line: string) => void} say
 * @returns {Promise<Result>}
 */
export async function playSeat(choose, options, say) {
  const check = await signatureChecker();
  if (check === null) throw new LostError("this Node has no Ed25519: version 20 or newer is needed");
  const { name, named, pinned, level, seatKey, secretFile, stateFile, receiptFile } = options;
  if (named.secret !== undefined) keptSecret(named.secret);
  if (named.state !== undefined) new StateFile(named.state).close();
  const files = (word, match) => ({
    secret: keptSecret(secretFile(word)), state: new StateFile(stateFile(word)),
    receipts: new ReceiptFile(receiptFile(word, match)),
  });
  const send = (input) => connection.send(input);
  const seat = new Seat({
    choose: guarded(choose), name, files, pinned, check, send, say, pause: sleep,
    level, seatKey,
  });
  const connection = new Connection({ ...options, seat });
  return connection.play();
}

/**
 * How a match ended, in the words that `euchre-referee match` ends with: the winner's count first.
 *
 * @param {Result} result
 */
function resultLine({ match, outcome, by, winner, score, deals, games, last }) {
  const sides = ({ ns, ew }) => `ns ${ns} ew ${ew}`;
  const [ours, theirs] = winner === "ew" ? [score.ew, score.ns] : [score.ns, score.ew];
  const told = winner === undefined ? `nobody wins, ${sides(score)}` : `${winner} wins ${ours}-${theirs}`;
  return `match ${match}: ${outcome}${by === undefined ? "" : ` by ${by}`}: ${told}`
    + ` in ${games ? "games" : "points"}`
    + `${games && last !== undefined ? `, the last one ${sides(last)}` : ""}`
    + `, after ${deals} deal${deals === 1 ? "" : "s"}`;
}

/**
 * Run a bot as a command.
 *
 * `choose(view, legal, about)` returns one of the legal actions, or a promise of it. `prepare` is
 * given the flags and returns `choose`, for bots with `flags` of their own, which `usage` explains.
 *
 * @param {Choose | null} choose
 * @param {Options} [options]
 * @returns {Promise<void>}
 */
export async function run(
  choose, { name = "node-bot", flags = {}, usage = "", prepare = null } = {},
) {
  const { argv, stderr, stdout } = process;
  try {
    const options = readOptions(argv.slice(2), { name, flags });
    if (options === null) {
      stdout.write(`${USAGE}${usage}`);
      return;
    }
    const say = (line) => stderr.write(`${options.name}: ${line}\n`);
    process.once("SIGINT", () => {
      say("stopped; the seat stays ours: start again with the same files to go on");
      process.exit(INTERRUPTED);
    });
    await takeSeat(options, say);
    const playing = { ...options, token: options.token() };
    const bot = prepare === null ? choose : prepare(playing);
    say(resultLine(await playSeat(bot, playing, say)));
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    stderr.write(`error: ${error.message}\n`);
    process.exitCode = error.exit;
  }
}
