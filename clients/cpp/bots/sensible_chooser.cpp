#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "choosers.hpp"

namespace euchre_bot::bots {

namespace {

using Cards = std::vector<std::string>;
using Trump = std::optional<std::string>;

constexpr std::string_view kRanks = "789TJQKA";
constexpr std::string_view kSuits = "CDHS";
constexpr std::string_view kColorMates = "SHDC";  // of the suit at the same place
constexpr int kAce = 7;
constexpr int kTrump = 20;
constexpr int kLeft = 38;
constexpr int kRight = 39;
constexpr int kBest = 40;
constexpr int kCall = 11;
constexpr int kName = 10;
constexpr int kAlone = 18;
constexpr std::size_t kLast = 3;

bool is_best_bower(const std::string& card) { return card == "2S" || card == "BB"; }

bool is_ace(const std::string& card) { return card.front() == 'A'; }

/// The suit that a card counts as.
char suit_of(const std::string& card, const Trump& trump) {
  const std::size_t made = trump ? kSuits.find(*trump) : std::string_view::npos;
  if (made != std::string_view::npos &&
      (is_best_bower(card) || (card[0] == 'J' && card[1] == kColorMates[made]))) {
    return kSuits[made];
  }
  return is_best_bower(card) ? 'S' : card[1];
}

bool is_trump(const std::string& card, const Trump& trump) {
  return trump && trump->front() == suit_of(card, trump);
}

int rank_of(const std::string& card) {
  const std::size_t rank = kRanks.find(card.front());
  return rank == std::string_view::npos ? -1 : static_cast<int>(rank);
}

/// How high a card stands: any trump above any plain card; within a suit as at the table.
int height(const std::string& card, const Trump& trump) {
  if (!is_trump(card, trump)) return is_best_bower(card) ? -1 : rank_of(card);
  if (is_best_bower(card)) return kBest;
  if (card.front() == 'J') return card[1] == trump->front() ? kRight : kLeft;
  return kTrump + rank_of(card);
}

int card_worth(const std::string& card, const Trump& trump) {
  const int high = height(card, trump);
  if (high >= kRight) return 6;
  if (high == kLeft) return 5;
  if (high >= kTrump) return is_ace(card) || card.front() == 'K' ? 3 : 2;
  return is_ace(card) ? 2 : 0;
}

/// What a hand is worth under a trump suit, in half trumps.
int worth(const Cards& hand, const Trump& trump) {
  int value = static_cast<int>(kSuits.size());
  std::set<char> suits;
  for (const std::string& card : hand) {
    suits.insert(suit_of(card, trump));
    value += card_worth(card, trump);
  }
  return value - static_cast<int>(suits.size());
}

/// The card that is missed least: plain and low, from a short suit.
std::string weakest(const Cards& cards, const Cards& hand, const Trump& trump) {
  const auto cost = [&](const std::string& card) {
    const auto length = std::ranges::count_if(hand, [&](const std::string& other) {
      return suit_of(other, trump) == suit_of(card, trump);
    });
    return std::tuple(is_trump(card, trump), is_ace(card), length, height(card, trump), card);
  };
  return *std::ranges::min_element(cards, {}, cost);
}

std::string highest(const Cards& cards, const Trump& trump) {
  return *std::ranges::max_element(
      cards, {}, [&](const std::string& card) { return std::tuple(height(card, trump), card); });
}

bool has(const Cards& legal, const std::string& action) {
  return std::ranges::find(legal, action) != legal.end();
}

/// The cards of the actions that begin with a word.
Cards cards_after(const std::string& word, const Cards& legal) {
  Cards cards;
  for (const std::string& action : legal) {
    if (action.starts_with(word + " ")) cards.push_back(action.substr(word.size() + 1));
  }
  return cards;
}

std::string call(const Cards& legal, const std::string& word, int value, int floor) {
  const std::string alone = word + " alone";
  if (value >= kAlone && has(legal, alone)) return alone;
  if (value >= floor && has(legal, word)) return word;
  return value >= floor && has(legal, alone) ? alone : "pass";
}

std::string round_one(const View& view, const Cards& legal) {
  if (!view.upcard) return "";
  const std::string trump(1, suit_of(*view.upcard, std::nullopt));
  if (view.dealer == view.seat) {
    Cards held = view.hand;
    held.push_back(*view.upcard);
    held.erase(std::ranges::find(held, weakest(held, held, trump)));
    return call(legal, "order", worth(held, trump), kCall);
  }
  const int place = view.dealer == partner_of(view.seat) ? 1 : -2;
  return call(legal, "order", worth(view.hand, trump) + place, kCall);
}

std::string round_two(const View& view, const Cards& legal) {
  std::string best;
  int most = 0;
  for (const char suit : kSuits) {
    const std::string word = std::string("name ") + suit;
    if (!has(legal, word) && !has(legal, word + " alone")) continue;
    const int value = worth(view.hand, std::string(1, suit));
    if (best.empty() || value >= most) {
      best = word;
      most = value;
    }
  }
  if (best.empty()) return "order";
  return call(legal, best, most, has(legal, "pass") ? kName : 0);
}

std::string lead(const View& view, const Cards& cards) {
  const Trump& trump = view.trump;
  const auto trumps =
      std::ranges::count_if(cards, [&](const auto& card) { return is_trump(card, trump); });
  const std::string best = highest(cards, trump);
  const bool ours = view.maker == view.seat || view.maker == partner_of(view.seat);
  if (ours && trumps > 1 && height(best, trump) >= kLeft) return best;
  std::set<std::string> aces;
  for (const std::string& card : cards) {
    if (is_ace(card) && !is_trump(card, trump)) aces.insert(card);
  }
  return aces.empty() ? weakest(cards, view.hand, trump) : *aces.begin();
}

std::string follow(const View& view, const Cards& cards) {
  const Trump& trump = view.trump;
  const char led = suit_of(view.led.value_or(view.trick.front().card), trump);
  const auto power = [&](const std::string& card) {
    return is_trump(card, trump) || suit_of(card, trump) == led ? height(card, trump) : -1;
  };
  const PlayedCard& top = *std::ranges::max_element(
      view.trick, {}, [&](const PlayedCard& played) { return power(played.card); });
  const int high = power(top.card);
  std::set<std::pair<int, std::string>> winners;
  for (const std::string& card : cards) {
    if (power(card) > high) winners.emplace(power(card), card);
  }
  const bool last = view.trick.size() + view.out.size() == kLast;
  const bool spared = top.seat == partner_of(view.seat) && (last || high >= kAce);
  if (winners.empty() || spared) return weakest(cards, view.hand, trump);
  const std::string& cheapest = winners.begin()->second;
  return last || is_trump(cheapest, trump) ? cheapest : winners.rbegin()->second;
}

std::string play_card(const View& view, const Cards& legal) {
  const Cards cards = cards_after("play", legal);
  if (cards.empty()) return "";
  return "play " + (view.trick.empty() ? lead(view, cards) : follow(view, cards));
}

std::string give(const View& view, const Cards& legal) {
  const Cards cards = cards_after("give", legal);
  return cards.empty() ? "" : "give " + highest(cards, view.trump);
}

std::string discard(const View& view, const Cards& legal) {
  const Cards cards = cards_after("discard", legal);
  return cards.empty() ? "" : "discard " + weakest(cards, view.hand, view.trump);
}

std::string alone(const View& view, const Cards& legal) {
  return has(legal, "alone") && worth(view.hand, view.trump) >= kAlone ? "alone" : "decline";
}

std::string redeal(const View& /*view*/, const Cards& /*legal*/) { return "redeal"; }

}  // namespace

std::string choose_sensibly(const View& view, const std::vector<std::string>& legal) {
  using Phase = std::string (*)(const View&, const Cards&);
  static const std::map<std::string, Phase> phases = {
      {"house", redeal},        {"round_one", round_one},
      {"round_two", round_two}, {"dealer_names", round_two},
      {"partners_best", give},  {"discard", discard},
      {"alone", alone},         {"play", play_card},
  };
  const auto found = phases.find(view.phase);
  const std::string wanted = found == phases.end() ? "" : found->second(view, legal);
  return has(legal, wanted) ? wanted : *std::ranges::min_element(legal);
}

}  // namespace euchre_bot::bots
