/** The stream to the referee: Hello, items in order, and a new stream when one is lost. */
import { LostError, UsageError } from "./errors.mjs";
import { playService, readItem, statusName, writeInput } from "./wire.mjs";

const PROTOCOL_VERSION = 1;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;
const PATIENCE_MS = 60_000;
export const TOLD_EVERY_MS = 10_000;
const FINAL = new Set([
  "INVALID_ARGUMENT", "PERMISSION_DENIED", "FAILED_PRECONDITION", "UNIMPLEMENTED",
]);

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** What the operator is told while nobody answers, and how long we go on trying. */
export function noWord(address, fault, leftMs, still = false) {
  const begins = still ? "still no word" : "no word";
  return `${begins} from ${address} (${fault}); trying again for ${Math.round(leftMs / 1000)} s`;
}

/** One seat's connection; `play` returns match_close once the match is over. */
export class Connection {
  constructor({ address, token, name, seat, tls = {}, level = "checks", seatKey = null }) {
    this.address = address;
    this.token = token;
    this.name = name;
    this.seat = seat;
    this.level = level;
    this.seatKey = seatKey;
    this.service = playService(address, tls);
    this.stream = null;
  }

  /** Send an input of the seat on the stream that stands now; without one, it is kept by the seat. */
  send(input) {
    this.stream?.write({ inputs: [writeInput(input)] });
  }

  async play() {
    let wait = FIRST_WAIT_MS;
    let lostAt = null;
    let toldAt = null;
    try {
      for (;;) {
        const { items, ended } = await this.follow();
        if (this.seat.result !== null) return this.seat.result;
        if (ended.code === "UNAUTHENTICATED") throw new UsageError(`${ended.code}: ${ended.details}`);
        if (FINAL.has(ended.code)) throw new LostError(`${ended.code}: ${ended.details}`);
        if (items > 0) {
          lostAt = null;
          toldAt = null;
          wait = FIRST_WAIT_MS;
        }
        const fault = `${ended.code}: ${ended.details}`;
        const retryMs = this.seat.retryMs ?? 0;
        const now = Date.now();
        lostAt ??= now + retryMs;
        const left = lostAt + PATIENCE_MS - now;
        if (toldAt === null || now - toldAt >= TOLD_EVERY_MS) {
          this.seat.say(noWord(this.address, fault, left, toldAt !== null));
          toldAt = now;
        }
        const pause = Math.max(wait, retryMs);
        if (pause > left) {
          throw new LostError(`gave up on ${this.address} after ${PATIENCE_MS / 1000} s: ${fault}`
            + " (start the bot again with the same files to go on)");
        }
        await sleep(pause);
        this.seat.retryMs = null;
        wait = Math.min(2 * wait, LONGEST_WAIT_MS);
      }
    } finally {
      this.service.close();
    }
  }

  /** Follow one stream to its end: how many items came, and the status it ended with. */
  async follow() {
    const stream = this.service.Play();
    this.stream = stream;
    this.seat.reconnected();
    let ended = { code: "UNAVAILABLE", details: "the stream ended" };
    stream.on("status", ({ code, details }) => {
      if (code !== 0) ended = { code: statusName(code), details };
    });
    stream.on("error", ({ code, details }) => { ended = { code: statusName(code), details }; });
    stream.write({ hello: { protocol: PROTOCOL_VERSION, seats: [this.hello()] } });
    let items = 0;
    try {
      for await (const response of stream) {
        for (const item of response.items) {
          items += 1;
          await this.seat.take(readItem(item));
        }
        this.seat.endOfMessage();
        if (this.seat.result !== null) break;
      }
    } catch (error) {
      if (error.code === undefined || error.metadata === undefined) throw error;
      ended = { code: statusName(error.code), details: error.details };
    } finally {
      this.stream = null;
      stream.cancel();
    }
    return { items, ended };
  }

  hello() {
    return {
      token: this.token, name: this.name, level: `LEVEL_${this.level.toUpperCase()}`,
      own_seeds: this.level !== "plays", resume: this.seat.resume,
      ...(this.seatKey && { key: this.seatKey.raw }),
    };
  }
}
