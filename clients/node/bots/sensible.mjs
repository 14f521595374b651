#!/usr/bin/env node
/** A bot that plays sensibly: it calls on strength, leads high, and wins or throws as it can. */
import { run } from "../src/index.mjs";

const PLAIN = "789TJQKA";
const SAME_COLOR = { C: "S", S: "C", D: "H", H: "D" };
const PARTNER = { north: "south", south: "north", east: "west", west: "east" };
const CALL = { order: 25, alone: 38, name: 23 };

/** The suit that a card counts as. */
export function suitOf(card, trump) {
  if (card === "BB" || card === "2S") return trump ?? "S";
  return card[0] === "J" && card[1] === SAME_COLOR[trump] ? trump : card[1];
}

/** How much a card is worth: trumps from 10 up, plain cards by rank. */
export function worth(card, trump) {
  if (card === "BB" || card === "2S") return 20;
  if (suitOf(card, trump) !== trump) return PLAIN.indexOf(card[0]);
  if (card[0] === "J") return card[1] === trump ? 19 : 18;
  return 10 + PLAIN.indexOf(card[0]);
}

/** The worth of a hand for calling a suit: its trumps, and aces beside them. */
export function strength(hand, trump) {
  const trumps = hand.filter((card) => suitOf(card, trump) === trump);
  const aces = hand.filter((card) => card[0] === "A" && suitOf(card, trump) !== trump);
  return trumps.reduce((sum, card) => sum + worth(card, trump) - 7, 0) + 4 * aces.length;
}

const best = (list, value) => list.reduce((a, b) => (value(b) > value(a) ? b : a));
const cardOf = (action) => action.split(" ")[1];

function call(view, legal) {
  const suit = view.upcard && (view.upcard.length === 2 ? suitOf(view.upcard, null) : null);
  if (legal.some((action) => action.startsWith("order"))) {
    const mine = view.dealer === view.seat ? [...view.hand, view.upcard] : view.hand;
    const value = strength(mine, suit) + (view.dealer === PARTNER[view.seat] ? 4 : 0);
    if (value >= CALL.alone && legal.includes("order alone")) return "order alone";
    if (value >= CALL.order && legal.includes("order")) return "order";
    if (legal.includes("pass")) return "pass";
  }
  const named = legal.filter((action) => /^name .$/.test(action));
  if (named.length === 0) return undefined;
  const choice = best(named, (action) => strength(view.hand, cardOf(action)));
  const value = strength(view.hand, cardOf(choice));
  if (value >= CALL.alone && legal.includes(`${choice} alone`)) return `${choice} alone`;
  return value >= CALL.name || !legal.includes("pass") ? choice : "pass";
}

function alone(view, legal) {
  const strong = view.maker === view.seat && strength(view.hand, view.trump) >= CALL.alone;
  return strong || !legal.includes("decline") ? "alone" : "decline";
}

/** Whether a card beats another of the same trick. */
function beats(card, other, trump, led) {
  const rank = (one) => {
    const suit = suitOf(one, trump);
    if (suit === trump) return 100 + worth(one, trump);
    return suit === led ? worth(one, trump) : -1;
  };
  return rank(card) > rank(other);
}

function play(view, cards) {
  const { trump, trick } = view;
  const value = (card) => worth(card, trump);
  const low = best(cards, (card) => -value(card));
  if (trick.length === 0) {
    const ours = view.maker === view.seat || view.maker === PARTNER[view.seat];
    const lead = cards.filter((card) => ours || suitOf(card, trump) !== trump);
    return best(lead.length > 0 ? lead : cards, value);
  }
  const led = suitOf(trick[0].card, trump);
  const winning = trick.reduce((a, b) => (beats(b.card, a.card, trump, led) ? b : a));
  if (winning.seat === PARTNER[view.seat]) return low;
  const winners = cards.filter((card) => beats(card, winning.card, trump, led));
  return winners.length > 0 ? best(winners, (card) => -value(card)) : low;
}

/** A sound action for a view; it looks at nothing but the view. */
export function choose(view, legal) {
  const playing = legal.filter((action) => action.startsWith("play "));
  if (playing.length > 0) return `play ${play(view, playing.map(cardOf))}`;
  const discards = legal.filter((action) => action.startsWith("discard "));
  if (discards.length > 0) return best(discards, (action) => -worth(cardOf(action), view.trump));
  if (legal.includes("alone")) return alone(view, legal);
  return call(view, legal) ?? legal[0];
}

if (process.argv[1]?.endsWith("sensible.mjs")) await run(choose, { name: "node-sensible" });
