/**
 * Play one seat to the end of its match; the fields of match_close are returned.
 *
 * @param {Choose} choose
 * @param {any} options as `readOptions` gives them, and the token
 * @param {(line: string) => void} say
 * @returns {Promise<Result>}
 */
export function playSeat(choose: Choose, options: any, say: (line: string) => void): Promise<Result>;
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
export function run(choose: Choose | null, { name, flags, usage, prepare }?: Options): Promise<void>;
export type SeatWord = import("./view.mjs").SeatWord;
export type View = import("./view.mjs").View;
export type About = import("./view.mjs").About;
export type Choose = import("./view.mjs").Choose;
export type Flags = import("./view.mjs").Flags;
export type Options = import("./view.mjs").Options;
export type Result = import("./view.mjs").Result;
import { Connection } from "./connection.mjs";
import { Seat } from "./seat.mjs";
import { StateFile } from "./state.mjs";
import { keptSecret } from "./state.mjs";
export { Connection, Seat, StateFile, keptSecret };
export { ClientError, LostError, SealError, SupersededError, UsageError } from "./errors.mjs";
