#!/usr/bin/env node
/** The bot that plays sensibly, as clients/SENSIBLE.md has it: the same decisions everywhere. */
import { run } from "../src/index.mjs";

const RANKS = "789TJQKA";
const SUITS = "CDHS";
const COLOR_MATE = { C: "S", S: "C", D: "H", H: "D" };
const PARTNER = { north: "south", south: "north", east: "west", west: "east" };
const BEST_BOWERS = ["2S", "BB"];
const ACE = 7;
const TRUMP = 20;
const LEFT = 38;
const RIGHT = 39;
const BEST = 40;
const CALL = 11;
const NAME = 10;
const ALONE = 18;
const LAST = 3;

/** The suit that a card counts as. */
export function suitOf(card, trump) {
  const bower = BEST_BOWERS.includes(card);
  if (trump in COLOR_MATE && (bower || card === `J${COLOR_MATE[trump]}`)) return trump;
  return bower ? "S" : card[1];
}

/** How high a card stands: any trump above any plain card; within a suit as at the table. */
export function height(card, trump) {
  if (suitOf(card, trump) !== trump) return RANKS.indexOf(card[0]);
  if (BEST_BOWERS.includes(card)) return BEST;
  if (card[0] === "J") return card[1] === trump ? RIGHT : LEFT;
  return TRUMP + RANKS.indexOf(card[0]);
}

function cardWorth(card, trump) {
  const high = height(card, trump);
  if (high >= RIGHT) return 6;
  if (high === LEFT) return 5;
  if (high >= TRUMP) return card[0] === "A" || card[0] === "K" ? 3 : 2;
  return card[0] === "A" ? 2 : 0;
}

/** What a hand is worth under a trump suit, in half trumps. */
export function worth(hand, trump) {
  const suits = new Set(hand.map((card) => suitOf(card, trump)));
  return hand.reduce((sum, card) => sum + cardWorth(card, trump), SUITS.length - suits.size);
}

const cardOf = (action) => action.split(" ")[1];
const firstOf = (texts) => texts.reduce((a, b) => (b < a ? b : a));

/** How two lists of numbers and texts compare: by the first place where they differ. */
function compare(one, other) {
  const place = one.findIndex((value, i) => value !== other[i]);
  if (place < 0) return 0;
  return one[place] < other[place] ? -1 : 1;
}

/** The cards from the least key to the greatest. */
const ordered = (cards, key) => [...cards].sort((a, b) => compare(key(a), key(b)));

/** The card that is missed least: plain and low, from a short suit. */
function weakest(cards, hand, trump) {
  return ordered(cards, (card) => {
    const suit = suitOf(card, trump);
    const length = hand.filter((other) => suitOf(other, trump) === suit).length;
    const ace = card[0] === "A";
    return [Number(suit === trump), Number(ace), length, height(card, trump), card];
  })[0];
}

function call(legal, word, value, floor) {
  const alone = `${word} alone`;
  if (value >= ALONE && legal.includes(alone)) return alone;
  if (value >= floor && legal.includes(word)) return word;
  return value >= floor && legal.includes(alone) ? alone : "pass";
}

function roundOne(view, legal) {
  const trump = suitOf(view.upcard, undefined);
  if (view.dealer === view.seat) {
    const held = [...view.hand, view.upcard];
    held.splice(held.indexOf(weakest(held, held, trump)), 1);
    return call(legal, "order", worth(held, trump), CALL);
  }
  const place = view.dealer === PARTNER[view.seat] ? 1 : -2;
  return call(legal, "order", worth(view.hand, trump) + place, CALL);
}

function roundTwo(view, legal) {
  const suits = [...SUITS].filter((suit) => legal.some((word) => word.startsWith(`name ${suit}`)));
  if (suits.length === 0) return "order";
  const value = Math.max(...suits.map((suit) => worth(view.hand, suit)));
  const best = suits.findLast((suit) => worth(view.hand, suit) === value);
  return call(legal, `name ${best}`, value, legal.includes("pass") ? NAME : 0);
}

function alone(view, legal) {
  return legal.includes("alone") && worth(view.hand, view.trump) >= ALONE ? "alone" : "decline";
}

function lead(view, cards) {
  const { trump, hand } = view;
  const trumps = cards.filter((card) => suitOf(card, trump) === trump);
  const best = ordered(cards, (card) => [height(card, trump), card]).at(-1);
  const ours = view.maker === view.seat || view.maker === PARTNER[view.seat];
  if (ours && trumps.length > 1 && height(best, trump) >= LEFT) return best;
  const aces = cards.filter((card) => card[0] === "A" && !trumps.includes(card));
  return aces.length > 0 ? firstOf(aces) : weakest(cards, hand, trump);
}

function follow(view, cards) {
  const { trump, trick, hand } = view;
  const led = suitOf(view.led, trump);
  const power = (card) =>
    [led, trump].includes(suitOf(card, trump)) ? height(card, trump) : -1;
  const top = trick.reduce((a, b) => (power(b.card) > power(a.card) ? b : a));
  const high = power(top.card);
  const last = trick.length + view.out.length === LAST;
  const winners = ordered(
    cards.filter((card) => power(card) > high),
    (card) => [power(card), card],
  );
  const spared = top.seat === PARTNER[view.seat] && (last || high >= ACE);
  if (winners.length === 0 || spared) return weakest(cards, hand, trump);
  return last || suitOf(winners[0], trump) === trump ? winners[0] : winners.at(-1);
}

function wanted(view, legal) {
  const { hand, trump } = view;
  const cards = legal.filter((action) => action.includes(" ")).map(cardOf);
  switch (view.phase) {
    case "house":
      return "redeal";
    case "round_one":
      return roundOne(view, legal);
    case "round_two":
    case "dealer_names":
      return roundTwo(view, legal);
    case "partners_best":
      return `give ${ordered(cards, (card) => [height(card, trump), card]).at(-1)}`;
    case "discard":
      return `discard ${weakest(cards, hand, trump)}`;
    case "alone":
      return alone(view, legal);
    case "play":
      return `play ${(view.trick.length > 0 ? follow : lead)(view, cards)}`;
    default:
      return "";
  }
}

/** A sound action for a view; where that is none of the legal ones, the first of them. */
export function choose(view, legal) {
  const action = wanted(view, legal);
  return legal.includes(action) ? action : firstOf(legal);
}

if (process.argv[1]?.endsWith("sensible.mjs")) await run(choose, { name: "node-sensible" });
