/** A Euchre bot in one function: `run(choose)` plays one seat of one match. */
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

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** A bot's choice, whose failure ends the client with one line. */
function guarded(choose) {
  return async (view, legal, about) => {
    let action;
    try {
      action = await choose(view, legal, about);
    } catch (error) {
      throw new LostError(`the bot failed at seq ${about.seq}: ${error.message}`);
    }
    if (typeof action === "string") return action;
    throw new LostError(`the bot answered ${JSON.stringify(action)} at seq ${about.seq}, not a text`);
  };
}

/** Play one seat to the end of its match; the fields of match_close are returned. */
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

function resultLine({ outcome, winner, score }) {
  const won = winner === undefined ? "nobody won" : `${winner} won`;
  return `match ${outcome}: ${won}, ns ${score.ns} ew ${score.ew}`;
}

/**
 * Run a bot as a command.
 *
 * `choose(view, legal, about)` returns one of the legal actions, or a promise of it. `prepare` is
 * given the options and returns `choose`, for bots with `flags` of their own, which `usage` explains.
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
