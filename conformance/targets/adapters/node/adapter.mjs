#!/usr/bin/env node
// A small Euchre engine that answers the conformance suite; copy it, and put your own in its place.
//
// It needs nothing but Node 18 or newer, keeps no state between requests, and shares no code with
// the suite. Try it: euchre-conformance run -t "cmd:node adapter.mjs"

import { createInterface } from "node:readline";

const SEATS = ["north", "east", "south", "west"];
const RANKS = "9TJQKA";
const SUITS = [..."CDHS"];
const PACK = new Set(SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit)));
const TWIN = { C: "S", S: "C", D: "H", H: "D" };
const WORDS = "pass order name discard alone decline play redeal swap give".split(" ");
const FORM = /^(pass|alone|decline|order( alone)?|name [CDHS]( alone)?|(discard|play) [9TJQKA][CDHS])$/;
const PHASES = {
  round_one: ["pass", "order"],
  round_two: ["pass", "name"],
  discard: ["discard"],
  alone: ["alone", "decline"],
  play: ["play"],
};
const OPS = ["legal", "apply", "view", "replay", "score", "game"];
const HELLO = {
  protocol: 1,
  name: "small-euchre-node",
  version: "1",
  language: "javascript",
  ops: OPS,
  rulesets: ["standard", "quick", "throw-in", "defend-alone", "ontario", "guide"],
  // Besides the named sets: every mixture of these values.
  knobs: {
    target: ["any"],
    first_dealer: ["any"],
    packets: ["any"],
    cut: ["any"],
    points_made: ["any"],
    points_march: ["any"],
    points_lone_march: ["any"],
    points_euchre: ["any"],
    points_euchre_all_five: ["any"],
    points_lone_euchred: ["any"],
    points_lone_defender: ["any"],
    all_pass: ["stick", "throw_in"],
    throw_in_dealer: ["left", "same"],
    order_needs_trump: ["never", "left_counts"],
    partner_order: ["with_partner", "must_be_alone"],
    bury_upcard: ["allowed", "forbidden"],
    alone_who: ["maker", "making_side"],
    alone_when: ["with_call", "before_lead"],
    defend_alone: ["never", "vs_loner"],
  },
  parallel: true,
};

/** A request that cannot be: it is answered with `error`. */
class NonsenseError extends Error {}

const left = (seat, steps = 1) => SEATS[(SEATS.indexOf(seat) + steps) % 4];
const around = (first) => [0, 1, 2, 3].map((steps) => left(first, steps));
const side = (seat) => (seat === "north" || seat === "south" ? "ns" : "ew");
const other = (which) => (which === "ns" ? "ew" : "ns");

/** The suit that a card counts as: the left bower is a trump. */
const suitOf = (card, trump) => (card === "J" + TWIN[trump] ? trump : card[1]);

/** How high a card stands in a trick; what neither follows nor is trump cannot win. */
function strength(card, trump, led) {
  const rank = RANKS.indexOf(card[0]);
  if (suitOf(card, trump) !== trump) return card[1] === led ? rank : -1;
  if (card[0] === "J") return card[1] === trump ? 30 : 20;
  return 10 + rank;
}

/** One deal, from the first call to the last trick, and the score before it. */
class Deal {
  constructor(rules, cards, score) {
    this.rules = rules;
    this.before = score;
    this.dealer = cards.dealer;
    this.upcard = cards.upcard;
    this.hands = Object.fromEntries(SEATS.map((seat) => [seat, [...cards.hands[seat]]]));
    this.phase = "round_one";
    this.turn = left(this.dealer);
    this.passes = 0;
    this.trump = "";
    this.maker = "";
    this.alone = [];
    this.declined = [];
    this.trick = [];
    this.winners = [];
    const dealt = [this.upcard, ...SEATS.flatMap((seat) => this.hands[seat])];
    if (SEATS.some((seat) => this.hands[seat].length !== 5)) {
      throw new NonsenseError("each seat must hold five cards");
    }
    if (new Set(dealt).size !== dealt.length || dealt.some((card) => !PACK.has(card))) {
      throw new NonsenseError("a card stands twice, or is not of the pack");
    }
  }

  /** The seats that sit out: the partners of those who play alone. */
  out() {
    return this.alone.map((seat) => left(seat, 2));
  }

  /** Whether a side plays alone. */
  lone(which) {
    return this.alone.some((seat) => side(seat) === which);
  }

  /** Every action that the seat on turn may take. */
  legal() {
    return this.thinkable().filter((action) => !this.violation(this.turn, action));
  }

  thinkable() {
    const names = SUITS.map((suit) => `name ${suit}`);
    switch (this.phase) {
      case "round_one":
        return ["pass", "order", "order alone"];
      case "round_two":
        return ["pass", ...names, ...names.map((name) => `${name} alone`)];
      case "alone":
        return ["alone", "decline"];
      default:
        return this.hands[this.turn].map((card) => `${this.phase} ${card}`);
    }
  }

  /** Why an action is refused, or nothing: the one place that says no. */
  violation(seat, action) {
    if (this.gameOver()) return "GAME_OVER";
    if (this.phase === "over") return "HAND_OVER";
    if (seat !== this.turn) return this.out().includes(seat) ? "SITTING_OUT" : "NOT_YOUR_TURN";
    const [word, ...rest] = action.split(" ");
    if (!WORDS.includes(word)) return "UNKNOWN_ACTION";
    if (!PHASES[this.phase].includes(word)) {
      return word === "alone" ? this.misplaced(seat) : "WRONG_PHASE";
    }
    if (!FORM.test(action)) return "UNKNOWN_ACTION";
    if (word === "play" || word === "discard") return this.cardViolation(word, rest[0]);
    return this.callViolation(seat, word, rest);
  }

  /** Why the seat on turn may not play or bury a card. */
  cardViolation(word, card) {
    const hand = this.hands[this.turn];
    if (!hand.includes(card)) return "CARD_NOT_HELD";
    if (word === "discard") {
      const forbidden = this.rules.bury_upcard === "forbidden" && card === this.upcard;
      return forbidden ? "DISCARD_UPCARD_FORBIDDEN" : "";
    }
    if (this.trick.length === 0) return "";
    const led = suitOf(this.trick[0].card, this.trump);
    const able = hand.some((held) => suitOf(held, this.trump) === led);
    return able && suitOf(card, this.trump) !== led ? "MUST_FOLLOW_SUIT" : "";
  }

  /** Why trump may not be called so, or a pass not made. */
  callViolation(seat, word, rest) {
    const turned = this.upcard[1];
    if (word === "name" && rest[0] === turned) return "SUIT_TURNED_DOWN";
    if (word === "pass" && this.phase === "round_two" && seat === this.dealer) {
      return this.rules.all_pass === "stick" ? "DEALER_STUCK" : "";
    }
    if (word === "order" && seat !== this.dealer) {
      const able = this.hands[seat].some((card) => suitOf(card, turned) === turned);
      if (this.rules.order_needs_trump === "left_counts" && !able) return "NEEDS_TRUMP";
      const bound = this.rules.partner_order === "must_be_alone" && seat === left(this.dealer, 2);
      if (bound && rest.length === 0) return "PARTNER_MUST_GO_ALONE";
    }
    const late = this.rules.alone_when === "before_lead";
    return late && rest.includes("alone") ? "ALONE_NOT_ALLOWED" : "";
  }

  /** Why `alone` is refused outside its phase. */
  misplaced(seat) {
    if (!this.trump) return "WRONG_PHASE";
    if (side(seat) === side(this.maker)) {
      const barred = this.rules.alone_who === "maker" && seat !== this.maker;
      return barred ? "ALONE_NOT_ALLOWED" : "ALONE_TOO_LATE";
    }
    if (this.rules.defend_alone === "never") return "DEFEND_ALONE_OFF";
    return this.lone(side(this.maker)) ? "ALONE_TOO_LATE" : "DEFEND_ALONE_NO_LONER";
  }

  /** Take a legal action of the seat on turn. */
  apply(action) {
    const seat = this.turn;
    const [word, ...rest] = action.split(" ");
    if (word === "pass") {
      this.passes += 1;
      this.turn = left(seat);
      if (this.passes === 4) this.phase = "round_two";
      if (this.passes === 8) this.phase = "over";
    } else if (word === "play") {
      this.play(seat, rest[0]);
    } else if (word === "order") {
      this.makeTrump(seat, this.upcard[1], rest);
      this.hands[this.dealer].push(this.upcard);
      this.phase = "discard";
      this.turn = this.dealer;
    } else {
      if (word === "name") this.makeTrump(seat, rest[0], rest);
      if (word === "discard") this.take(seat, rest[0]);
      if (word === "alone") this.alone.push(seat);
      if (word === "decline") this.declined.push(seat);
      this.askAlone();
    }
  }

  makeTrump(seat, suit, rest) {
    this.maker = seat;
    this.trump = suit;
    if (rest.includes("alone")) this.alone.push(seat);
  }

  /** Take a card out of a hand. */
  take(seat, card) {
    this.hands[seat] = this.hands[seat].filter((held) => held !== card);
  }

  /** Ask the next seat whether it goes alone; with nobody left to ask, play begins. */
  askAlone() {
    const makers = side(this.maker);
    const leader = left(this.dealer);
    let asked = [];
    if (this.rules.alone_when === "before_lead" && !this.lone(makers)) {
      asked = [this.maker];
      if (this.rules.alone_who === "making_side") asked.push(left(this.maker, 2));
    } else if (this.rules.defend_alone === "vs_loner" && this.lone(makers)) {
      const free = !this.lone(other(makers));
      asked = around(leader).filter((seat) => free && side(seat) !== makers);
    }
    const next = asked.find((seat) => !this.declined.includes(seat));
    this.phase = next ? "alone" : "play";
    this.turn = next ?? this.playing(leader);
  }

  /** The seat itself, or the next one round that does not sit out. */
  playing(seat) {
    return around(seat).find((who) => !this.out().includes(who));
  }

  /** Play a card; the last of a trick decides it, the last of the deal ends it. */
  play(seat, card) {
    this.take(seat, card);
    this.trick.push({ seat, card });
    this.turn = this.playing(left(seat));
    if (this.trick.length === 4 - this.alone.length) {
      const led = suitOf(this.trick[0].card, this.trump);
      const height = (laid) => strength(laid.card, this.trump, led);
      this.turn = this.trick.reduce((best, laid) => (height(laid) > height(best) ? laid : best)).seat;
      this.winners.push(this.turn);
      this.trick = [];
    }
    if (this.winners.length === 5) this.phase = "over";
  }

  /** The tricks that each side has taken. */
  tricks() {
    const ns = this.winners.filter((seat) => side(seat) === "ns").length;
    return { ns, ew: this.winners.length - ns };
  }

  /** The points of the deal; where several prices apply, the largest counts. */
  points() {
    const paid = { ns: 0, ew: 0 };
    if (!this.maker || this.phase !== "over") return paid;
    const makers = side(this.maker);
    const took = this.tricks()[makers];
    const prices = {
      points_made: took >= 3 && took < 5,
      points_march: took === 5,
      points_lone_march: took === 5 && this.lone(makers),
      points_euchre: took < 3,
      points_euchre_all_five: took === 0,
      points_lone_euchred: took < 3 && this.lone(makers),
      points_lone_defender: took < 3 && this.lone(other(makers)),
    };
    const due = Object.keys(prices).filter((name) => prices[name]);
    const points = Math.max(...due.map((name) => Number(this.rules[name])));
    paid[took >= 3 ? makers : other(makers)] = points;
    return paid;
  }

  /** The score, this deal included. */
  score() {
    const points = this.points();
    return { ns: this.before.ns + points.ns, ew: this.before.ew + points.ew };
  }

  /** Whether a side has reached the target. */
  gameOver() {
    const { ns, ew } = this.score();
    return Math.max(ns, ew) >= Number(this.rules.target);
  }

  nextDealer() {
    const again = !this.maker && this.rules.throw_in_dealer === "same";
    return again ? this.dealer : left(this.dealer);
  }

  /** Who is on turn, in which phase, and what is legal. */
  standing() {
    if (this.phase === "over" || this.gameOver()) return { phase: "over", legal: [], closed: true };
    return { turn: this.turn, phase: this.phase, legal: this.legal() };
  }

  /** What one seat may see; what has no meaning yet is absent. */
  view(seat) {
    const now = this.standing();
    const called = this.maker ? "taken" : "turned";
    const seen = {
      seat,
      dealer: this.dealer,
      hand: this.hands[seat],
      counts: Object.fromEntries(SEATS.map((who) => [who, this.hands[who].length])),
      upcard: this.upcard,
      upcard_state: this.passes >= 4 ? "turned_down" : called,
      score: this.score(),
      ...now,
      legal: seat === this.turn ? now.legal : [],
    };
    if (this.maker) {
      Object.assign(seen, { trump: this.trump, maker: this.maker });
      Object.assign(seen, { alone: this.alone, out: this.out() });
    }
    if (this.maker && (this.phase === "play" || this.phase === "over")) {
      Object.assign(seen, { trick: this.trick, tricks: this.tricks() });
    }
    if (this.trick.length > 0) seen.led = this.trick[0].card;
    return seen;
  }

  /** How the deal ended. */
  result() {
    if (this.phase !== "over") throw new NonsenseError("the deal is not over");
    const ended = {
      winners: this.winners,
      outcome: this.maker ? "played" : "thrown_in",
      tricks: this.tricks(),
      points: this.points(),
      score: this.score(),
    };
    return this.gameOver() ? ended : { ...ended, next_dealer: this.nextDealer() };
  }
}

/** A deal after its actions. */
function position(rules, played, score) {
  const deal = new Deal(rules, played.deal, score);
  (played.actions ?? []).forEach((action, number) => {
    const reason = deal.violation(deal.turn, action);
    if (reason) throw new NonsenseError(`action ${number}, '${action}': ${reason}`);
    deal.apply(action);
  });
  return deal;
}

/** One action, taken or refused. */
function apply(deal, action, by) {
  const refused = deal.violation(by, action);
  if (refused) return { refused, ...deal.standing() };
  deal.apply(action);
  return deal.standing();
}

/** The end of the deal, or the first action that is refused. */
function replay(deal, actions) {
  for (const [at, action] of actions.entries()) {
    const refused = deal.violation(deal.turn, action);
    if (refused) return { refused, at, ...deal.standing() };
    deal.apply(action);
  }
  return deal.result();
}

/** Deal after deal, until a side reaches the target. */
function game(rules, deals, start) {
  const scores = [];
  let [score, dealer, over] = [start, deals[0].deal.dealer, false];
  for (const played of deals) {
    if (over || played.deal.dealer !== dealer) {
      throw new NonsenseError("a deal after the end of the game, or by the wrong dealer");
    }
    const deal = position(rules, played, score);
    deal.result();
    [score, dealer, over] = [deal.score(), deal.nextDealer(), deal.gameOver()];
    scores.push(score);
  }
  return over ? { scores, winner: score.ns > score.ew ? "ns" : "ew" } : { scores, dealer };
}

/** The answer to one request. */
function answer(request) {
  if (request.op === "hello") return HELLO;
  if (!OPS.includes(request.op)) return { unsupported: request.op };
  const score = request.score ?? { ns: 0, ew: 0 };
  if (request.op === "game") return game(request.rules, request.deals, score);
  const deal = position(request.rules, request, score);
  switch (request.op) {
    case "apply":
      return apply(deal, request.action, request.by ?? deal.turn);
    case "view":
      return { view: deal.view(request.seat) };
    case "replay":
      return replay(deal, request.tricks.flat());
    case "score":
      return deal.result();
    default:
      return deal.standing();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let reply;
  try {
    reply = answer(request);
  } catch (err) {
    if (!(err instanceof NonsenseError)) throw err;
    reply = { error: err.message };
  }
  process.stdout.write(JSON.stringify({ id: request.id, ...reply }) + "\n");
}
