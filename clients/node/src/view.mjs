/**
 * What a bot is given and what it returns, for those who write it in TypeScript.
 *
 * There is nothing to run here: `make types` makes `types/` of it and of what else is exported.
 */

/** @typedef {"north" | "east" | "south" | "west"} SeatWord */
/** @typedef {{ ns: number, ew: number }} Sides */

/**
 * What one seat has seen of a deal; what has no meaning yet is absent.
 *
 * @typedef {object} View
 * @property {SeatWord} seat whose view it is
 * @property {Phase} phase
 * @property {SeatWord} dealer
 * @property {string[]} hand our cards, as `JH` or `TD`
 * @property {Record<SeatWord, number>} counts how many cards each seat holds
 * @property {string} [upcard] the card turned after the deal
 * @property {"turned" | "taken" | "turned_down"} [upcard_state]
 * @property {"C" | "D" | "H" | "S" | "N"} [trump] `N` where there is none
 * @property {SeatWord} [maker]
 * @property {SeatWord[]} alone the seats that play alone
 * @property {SeatWord[]} out the seats that sit out
 * @property {string} [led] the card led to the present trick
 * @property {{ seat: SeatWord, card: string }[]} trick the present trick, in the order it fell
 * @property {Sides} tricks taken so far
 * @property {Sides} score before this deal
 * @property {SeatWord} [turn] who acts next
 * @property {string[]} legal what we may do now
 * @property {number} [deal] 0 is the draw for the deal
 * @property {number} [state_version] the seq of the last event
 */

/**
 * @typedef {"house" | "round_one" | "discard" | "round_two" | "dealer_names" | "partners_best"
 *   | "alone" | "play" | "over"} Phase
 */

/**
 * Where and when a bot is asked.
 *
 * @typedef {object} About
 * @property {string} match 32 hex digits
 * @property {SeatWord} seat
 * @property {number} seq the event that the action becomes
 * @property {number} limitMs how long the referee waits for the answer
 * @property {Record<string, string>} rules every knob of the rule set
 */

/**
 * A bot: one of the legal actions, or a promise of it.
 *
 * @callback Choose
 * @param {View} view
 * @param {string[]} legal
 * @param {About} about
 * @returns {string | Promise<string>}
 */

/**
 * How a match ended: the fields of match_close, among them these.
 *
 * Beside them stand the id of the match, whether its score counts `games` (else points), and the
 * score of the game at hand as the last closed deal left it.
 *
 * @typedef {Record<string, any> & {
 *   match: string, outcome: string, winner?: "ns" | "ew", score: Sides, deals: number,
 *   by?: SeatWord, games: boolean, last?: Sides,
 * }} Result
 */

/**
 * The flags of a command line as they were read; a bot's own flags stand beside them.
 *
 * @typedef {Record<string, any> & { name: string, address: string }} Flags
 */

/**
 * What a bot's command is called, and the flags that it has of its own.
 *
 * @typedef {object} Options
 * @property {string} [name] at the table, unless `--name` gives another
 * @property {import("node:util").ParseArgsConfig["options"]} [flags] as `parseArgs` has them
 * @property {string} [usage] what `--help` says of them
 * @property {((flags: Flags) => Choose) | null} [prepare] makes `choose` of the flags
 */

export {};
