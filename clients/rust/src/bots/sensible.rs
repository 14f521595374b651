//! A bot that plays as a careful beginner would: count trumps, lead aces, win cheaply.
//!
//! Its decisions are those of `clients/SENSIBLE.md`, the same in every language.

use std::cmp::Reverse;

use crate::view::View;

const ALONE: usize = 18;
const ORDER: isize = 11;
const NAME: isize = 10;
const LEFT: i32 = 38;
const RIGHT: i32 = 39;
const BEST: i32 = 40;
const ACE: i32 = 7;

/// The trump suit, where there is one: none before it is made, and none where no trump was named.
#[derive(Clone, Copy)]
struct Trump(Option<char>);

impl Trump {
    fn named(word: Option<&str>) -> Self {
        Self(word.and_then(|word| word.chars().next()).filter(|suit| color_mate(*suit).is_some()))
    }

    /// The suit that a card counts as.
    fn suit_of(self, card: &str) -> Option<char> {
        let mut letters = card.chars();
        let (rank, printed) = (letters.next(), letters.next());
        if let Some(trump) = self.0 {
            let left = rank == Some('J') && printed == color_mate(trump);
            if is_best_bower(card) || left {
                return Some(trump);
            }
        }
        if is_best_bower(card) { Some('S') } else { printed }
    }

    fn has(self, card: &str) -> bool {
        self.0.is_some() && self.suit_of(card) == self.0
    }

    /// How high a card stands: any trump above any plain card; within a suit as at the table.
    fn height(self, card: &str) -> i32 {
        let rank = if is_best_bower(card) { -1 } else { rank(card) };
        match self.has(card) {
            false => rank,
            true if is_best_bower(card) => BEST,
            true if card.starts_with('J') && card.chars().nth(1) == self.0 => RIGHT,
            true if card.starts_with('J') => LEFT,
            true => 20 + rank,
        }
    }

    /// What a hand is worth, in half trumps.
    fn worth(self, hand: &[&str]) -> usize {
        let held: usize = hand.iter().map(|card| self.value(card)).sum();
        let mut suits: Vec<_> = hand.iter().map(|card| self.suit_of(card)).collect();
        suits.sort_unstable();
        suits.dedup();
        held + 4usize.saturating_sub(suits.len())
    }

    fn value(self, card: &str) -> usize {
        match self.height(card) {
            RIGHT.. => 6,
            LEFT => 5,
            20.. if card.starts_with(['A', 'K']) => 3,
            20.. => 2,
            ACE => 2,
            _ => 0,
        }
    }

    /// The card that is missed least: plain and low, from a short suit.
    fn weakest<'a>(self, cards: &[&'a str], hand: &[&str]) -> Option<&'a str> {
        let length = |card: &str| {
            hand.iter().filter(|held| self.suit_of(held) == self.suit_of(card)).count()
        };
        cards.iter().copied().min_by_key(|card| {
            (self.has(card), card.starts_with('A'), length(card), self.height(card), *card)
        })
    }
}

fn color_mate(suit: char) -> Option<char> {
    match suit {
        'C' => Some('S'),
        'S' => Some('C'),
        'D' => Some('H'),
        'H' => Some('D'),
        _ => None,
    }
}

fn is_best_bower(card: &str) -> bool {
    matches!(card, "2S" | "BB")
}

fn rank(card: &str) -> i32 {
    let found = card.chars().next().and_then(|rank| "789TJQKA".find(rank));
    found.and_then(|place| i32::try_from(place).ok()).unwrap_or(-1)
}

/// A question: the view, and its parts as they are needed most.
struct Question<'a> {
    view: &'a View,
    legal: &'a [String],
    hand: Vec<&'a str>,
    trump: Trump,
}

impl<'a> Question<'a> {
    fn is_legal(&self, action: &str) -> bool {
        self.legal.iter().any(|legal| legal == action)
    }

    /// What follows a word in the legal actions, as the cards that may be played.
    fn after(&self, word: &str) -> Vec<&'a str> {
        let further = |action: &'a String| {
            let (first, rest) = action.split_once(' ')?;
            (first == word).then(|| rest.split(' ').next().unwrap_or(rest))
        };
        self.legal.iter().filter_map(further).collect()
    }

    fn call(&self, word: &str, value: isize, floor: isize) -> Option<String> {
        let alone = format!("{word} alone");
        let strong = value >= ALONE.cast_signed();
        if self.is_legal(&alone) && (strong || (value >= floor && !self.is_legal(word))) {
            return Some(alone);
        }
        let wanted = if value >= floor && self.is_legal(word) { word } else { "pass" };
        Some(wanted.to_owned())
    }

    fn round_one(&self) -> Option<String> {
        let upcard = self.view.upcard.as_deref()?;
        let trump = Trump(Trump(None).suit_of(upcard));
        let mut hand = self.hand.clone();
        let mut edge = 0;
        if self.view.dealer == self.view.seat {
            hand.push(upcard);
            let out = trump.weakest(&hand, &hand)?;
            let at = hand.iter().position(|card| *card == out)?;
            hand.remove(at);
        } else if self.view.dealer == self.view.seat.partner() {
            edge = 1;
        } else {
            edge = -2;
        }
        self.call("order", trump.worth(&hand).cast_signed() + edge, ORDER)
    }

    fn round_two(&self) -> Option<String> {
        let suits = self.after("name");
        let suits = suits.into_iter().filter(|suit| matches!(*suit, "C" | "D" | "H" | "S"));
        let best = suits.map(|suit| (Trump::named(Some(suit)).worth(&self.hand), suit)).max();
        let Some((worth, suit)) = best else { return Some("order".to_owned()) };
        let floor = if self.is_legal("pass") { NAME } else { 0 };
        self.call(&format!("name {suit}"), worth.cast_signed(), floor)
    }

    fn discard(&self) -> Option<String> {
        let out = self.trump.weakest(&self.after("discard"), &self.hand)?;
        Some(format!("discard {out}"))
    }

    fn give(&self) -> Option<String> {
        let cards = self.after("give");
        let best = cards.into_iter().max_by_key(|card| (self.trump.height(card), *card))?;
        Some(format!("give {best}"))
    }

    fn alone(&self) -> &'static str {
        let strong = self.trump.worth(&self.hand) >= ALONE;
        if strong && self.is_legal("alone") { "alone" } else { "decline" }
    }

    fn play(&self) -> Option<String> {
        let cards = self.after("play");
        let card = if self.view.trick.is_empty() { self.lead(&cards) } else { self.follow(&cards) };
        Some(format!("play {}", card?))
    }

    fn lead(&self, cards: &[&'a str]) -> Option<&'a str> {
        let trump = self.trump;
        let trumps = cards.iter().filter(|card| trump.has(card)).count();
        let best = cards.iter().copied().max_by_key(|card| (trump.height(card), *card))?;
        let seat = self.view.seat;
        let ours = self.view.maker.is_some_and(|maker| maker == seat || maker == seat.partner());
        if ours && trumps > 1 && trump.height(best) >= LEFT {
            return Some(best);
        }
        let aces = cards.iter().copied().filter(|card| card.starts_with('A') && !trump.has(card));
        aces.min().or_else(|| trump.weakest(cards, &self.hand))
    }

    fn follow(&self, cards: &[&'a str]) -> Option<&'a str> {
        let (view, trump) = (self.view, self.trump);
        let led = trump.suit_of(view.led.as_deref().unwrap_or_default());
        let power = |card: &str| {
            let counts = trump.has(card) || trump.suit_of(card) == led;
            if counts { trump.height(card) } else { -1 }
        };
        let top = view.trick.iter().min_by_key(|played| Reverse(power(&played.card)))?;
        let to_beat = power(&top.card);
        let last = view.trick.len() + view.out.len() == 3;
        let spared = top.seat == view.seat.partner() && (last || to_beat >= ACE);
        let winners =
            || cards.iter().copied().filter(|c| power(c) > to_beat).map(|card| (power(card), card));
        match (winners().min(), winners().max()) {
            (Some((_, low)), Some((_, high))) if !spared => {
                Some(if last || trump.has(low) { low } else { high })
            }
            _ => trump.weakest(cards, &self.hand),
        }
    }
}

/// A sound action for the phase; where the phase is new to us, the first legal one.
#[must_use]
pub fn choose(view: &View, legal: &[String]) -> String {
    let question = Question {
        view,
        legal,
        hand: view.hand.iter().map(String::as_str).collect(),
        trump: Trump::named(view.trump.as_deref()),
    };
    let wanted = match view.phase.as_str() {
        "house" => Some("redeal".to_owned()),
        "round_one" => question.round_one(),
        "round_two" | "dealer_names" => question.round_two(),
        "partners_best" => question.give(),
        "discard" => question.discard(),
        "alone" => Some(question.alone().to_owned()),
        "play" => question.play(),
        _ => None,
    };
    let wanted = wanted.filter(|action| question.is_legal(action));
    wanted.or_else(|| legal.iter().min().cloned()).unwrap_or_default()
}
