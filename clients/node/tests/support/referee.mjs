/** A small referee over gRPC that deals one honest deal to north and plays the other seats itself. */
import grpc from "@grpc/grpc-js";
import { loadApi } from "../../src/wire.mjs";
import { ascii, dealtPositions, signedBytes, unhex } from "../../verifier/euchre-verify.mjs";
import { MatchBuilder, REFEREE } from "./matches.mjs";

const DEALER = 2;

/** The referee; `breakAt` names the inputs at which it drops the stream instead of answering. */
export class ScriptedReferee {
  constructor({ breakAt = [], token = "good", lie = () => {} } = {}) {
    this.breakAt = [...breakAt];
    this.token = token;
    this.lie = lie;
    this.hellos = [];
    this.inputs = [];
    this.builder = new MatchBuilder({ firstDealer: "agreed" });
    this.builder.open();
    this.builder.dealOpen(1, DEALER);
    this.ask = { what: "commit", deal: 1 };
  }

  get match() {
    return Buffer.from(this.builder.match).toString("hex");
  }

  async listen() {
    this.server = new grpc.Server();
    this.server.addService(loadApi().PlayService.service, {
      Play: (call) => this.play(call), Act() {}, GetView() {}, Watch() {},
    });
    const port = await new Promise((resolve, reject) => {
      this.server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        (error ? reject(error) : resolve(bound)));
    });
    return `127.0.0.1:${port}`;
  }

  stop() {
    this.server.forceShutdown();
  }

  play(call) {
    call.on("data", (request) => {
      if (request.hello) this.hello(call, request.hello);
      for (const input of request.inputs) this.input(call, input);
    });
    call.on("end", () => call.end());
    call.on("error", () => {});
  }

  hello(call, { seats: [seat] }) {
    this.hellos.push(seat);
    if (seat.token !== this.token) {
      call.emit("error", { code: grpc.status.UNAUTHENTICATED, details: "no seat has this token" });
      return;
    }
    const { rules } = this.builder;
    this.tell(call, { welcome: { declined: false, referee_key: REFEREE.raw, rules } });
    this.told = seat.resume;
    this.news(call);
  }

  tell(call, item) {
    call.write({ items: [{ match: this.match, seat: "SEAT_NORTH", ...item }] });
  }

  /** Every event and private item not told on this stream, and what is asked now. */
  news(call) {
    const { lines } = this.builder;
    for (; this.told < lines.length; this.told += 1) {
      const line = lines[this.told].trimEnd();
      const split = line.lastIndexOf(',"sig":"');
      const sig = unhex(line.slice(split + 8, -2));
      this.tell(call, { event: { event: ascii(line.slice(9, split)), sig, seq: this.told } });
      if (line.includes('"kind":"deck_root"')) this.tell(call, { private_deal: this.cards() });
    }
    if (this.ask) this.tell(call, { ask: this.ask });
    else call.end();
  }

  cards() {
    const { sealed } = this.builder.deal;
    const cards = dealtPositions("3-2", DEALER, 0).map((position) => ({
      position, card: sealed.deck[position], salt: sealed.salts[position],
    }));
    const message = signedBytes.privateDeal(this.builder.match, 1, 0, sealed.root, cards);
    return { deal: 1, root: sealed.root, cards, sig: REFEREE.sign(message) };
  }

  input(call, input) {
    this.inputs.push(input);
    const what = input.input;
    if (this.breakAt[0] === what) {
      this.breakAt.shift();
      call.emit("error", { code: grpc.status.UNAVAILABLE, details: "the line is dropped" });
      return;
    }
    const { seq } = this.builder;
    this[what](input[what]);
    const receipt = this.receipt({ commit: seq + 1, reveal: seq - 1, act: seq }[what]);
    const ruling = { request_id: input.request_id, ruling: { accepted: true } };
    call.write({ items: [{ match: this.match, seat: "SEAT_NORTH", ...ruling }, { receipt }] });
    this.news(call);
  }

  receipt(seq) {
    const items = [{ match: this.builder.match, deal: 1, seq, head: this.builder.heads[seq] }];
    this.lie(items[0]);
    return { items, sig: REFEREE.sign(signedBytes.receipt(items)) };
  }

  commit({ commit }) {
    this.builder.deal.commits[0] = new Uint8Array(commit);
    this.builder.commit();
    this.ask = { what: "reveal", deal: 1 };
  }

  reveal() {
    const { builder } = this;
    builder.reveal();
    builder.add("turn_up", { deal: 1, ...builder.opening(20) });
    builder.add("action", { deal: 1, seat: "west", action: "pass", used_ms: 1 });
    this.ask = {
      what: "act", deal: 1, limit_ms: 5000,
      view: {
        seat: "SEAT_NORTH", phase: "round_one", dealer: "SEAT_SOUTH", legal: ["pass", "order"],
        state_version: builder.seq - 1, counts: [5, 5, 5, 5], upcard_state: "turned",
        upcard: builder.opening(20).card, hand: this.cards().cards.map(({ card }) => card),
      },
    };
  }

  act({ action }) {
    const { builder } = this;
    builder.add("action", { deal: 1, seat: "north", action, used_ms: 2 });
    builder.close("thrown_in").end();
    this.ask = null;
  }
}
