export type SeatWord = "north" | "east" | "south" | "west";
export type Sides = {
    ns: number;
    ew: number;
};
/**
 * What one seat has seen of a deal; what has no meaning yet is absent.
 */
export type View = {
    /**
     * whose view it is
     */
    seat: SeatWord;
    phase: Phase;
    dealer: SeatWord;
    /**
     * our cards, as `JH` or `TD`
     */
    hand: string[];
    /**
     * how many cards each seat holds
     */
    counts: Record<SeatWord, number>;
    /**
     * the card turned after the deal
     */
    upcard?: string;
    upcard_state?: "turned" | "taken" | "turned_down";
    /**
     * `N` where there is none
     */
    trump?: "C" | "D" | "H" | "S" | "N";
    maker?: SeatWord;
    /**
     * the seats that play alone
     */
    alone: SeatWord[];
    /**
     * the seats that sit out
     */
    out: SeatWord[];
    /**
     * the card led to the present trick
     */
    led?: string;
    /**
     * the present trick, in the order it fell
     */
    trick: {
        seat: SeatWord;
        card: string;
    }[];
    /**
     * taken so far
     */
    tricks: Sides;
    /**
     * before this deal
     */
    score: Sides;
    /**
     * who acts next
     */
    turn?: SeatWord;
    /**
     * what we may do now
     */
    legal: string[];
    /**
     * 0 is the draw for the deal
     */
    deal?: number;
    /**
     * the seq of the last event
     */
    state_version?: number;
};
export type Phase = "house" | "round_one" | "discard" | "round_two" | "dealer_names" | "partners_best" | "alone" | "play" | "over";
/**
 * Where and when a bot is asked.
 */
export type About = {
    /**
     * 32 hex digits
     */
    match: string;
    seat: SeatWord;
    /**
     * the event that the action becomes
     */
    seq: number;
    /**
     * how long the referee waits for the answer
     */
    limitMs: number;
    /**
     * every knob of the rule set
     */
    rules: Record<string, string>;
};
/**
 * A bot: one of the legal actions, or a promise of it.
 */
export type Choose = (view: View, legal: string[], about: About) => string | Promise<string>;
/**
 * How a match ended: the fields of match_close, among them these.
 *
 * Beside them stand the id of the match, whether its score counts `games` (else points), and the
 * score of the game at hand as the last closed deal left it.
 */
export type Result = Record<string, any> & {
    match: string;
    outcome: string;
    winner?: "ns" | "ew";
    score: Sides;
    deals: number;
    by?: SeatWord;
    games: boolean;
    last?: Sides;
};
/**
 * The flags of a command line as they were read; a bot's own flags stand beside them.
 */
export type Flags = Record<string, any> & {
    name: string;
    address: string;
};
/**
 * What a bot's command is called, and the flags that it has of its own.
 */
export type Options = {
    /**
     * at the table, unless `--name` gives another
     */
    name?: string;
    /**
     * as `parseArgs` has them
     */
    flags?: import("node:util").ParseArgsConfig["options"];
    /**
     * what `--help` says of them
     */
    usage?: string;
    /**
     * makes `choose` of the flags
     */
    prepare?: ((flags: Flags) => Choose) | null;
};
