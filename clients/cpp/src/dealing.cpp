#include "dealing.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace euchre_bot {

namespace {

using Round = std::array<std::uint32_t, 4>;

// From the dealer's left: how many cards each seat gets in the first and the second time round.
const std::map<std::string, std::array<Round, 2>, std::less<>>& packet_patterns() {
  static const std::map<std::string, std::array<Round, 2>, std::less<>> patterns = {
      {"3-2", {Round{3, 3, 3, 3}, Round{2, 2, 2, 2}}},
      {"2-3", {Round{2, 2, 2, 2}, Round{3, 3, 3, 3}}},
      {"3-2-3-2", {Round{3, 2, 3, 2}, Round{2, 3, 2, 3}}},
      {"2-3-2-3", {Round{2, 3, 2, 3}, Round{3, 2, 3, 2}}},
      {"single", {}},
  };
  return patterns;
}

Seat first_card(const std::vector<std::string>& deck, std::string_view suits, Seat start) {
  const auto turned = std::ranges::find_if(deck, [suits](const std::string& card) {
    return card[0] == 'J' && suits.find(card[1]) != std::string_view::npos;
  });
  return left_of(start, static_cast<std::size_t>(turned - deck.begin()));
}

Seat extreme_card(const std::vector<std::string>& deck, Seat start, int sign) {
  constexpr std::string_view ranks = "A789TJQK";
  auto next = deck.begin();
  std::vector<Seat> tied;
  for (std::size_t step = 0; step < kSeats.size(); ++step) tied.push_back(left_of(start, step));
  while (tied.size() > 1) {
    std::vector<int> drawn;
    for (std::size_t turn = 0; turn < tied.size(); ++turn, ++next) {
      next = std::find_if(next, deck.end(),
                          [](const std::string& card) { return card != "2S" && card != "BB"; });
      if (next == deck.end()) return tied.front();
      drawn.push_back(sign * static_cast<int>(ranks.find((*next)[0])));
    }
    const int best = *std::ranges::min_element(drawn);
    std::vector<Seat> left;
    for (std::size_t turn = 0; turn < tied.size(); ++turn) {
      if (drawn[turn] == best) left.push_back(tied[turn]);
    }
    tied = left;
  }
  return tied.front();
}

}  // namespace

std::string_view name_of(Seat seat) {
  constexpr std::array<std::string_view, 4> words{"north", "east", "south", "west"};
  return words.at(index_of(seat));
}

std::optional<Seat> seat_named(std::string_view word) {
  for (const Seat seat : kSeats) {
    if (name_of(seat) == word) return seat;
  }
  return std::nullopt;
}

bool known_packets(std::string_view packets) { return packet_patterns().contains(packets); }

std::vector<std::uint32_t> positions(std::string_view packets, Seat dealer, Seat seat) {
  const std::size_t turn = (index_of(seat) + 3 - index_of(dealer)) % kSeats.size();
  std::vector<std::uint32_t> held;
  if (packets == "single") {
    for (std::uint32_t at = 0; at < kUpcardPosition; ++at) {
      if (at % kSeats.size() == turn) held.push_back(at);
    }
    return held;
  }
  std::uint32_t at = 0;
  for (const Round& round : packet_patterns().find(packets)->second) {
    for (std::size_t place = 0; place < round.size(); ++place) {
      for (std::uint32_t card = 0; card < round.at(place); ++card, ++at) {
        if (place == turn) held.push_back(at);
      }
    }
  }
  return held;
}

std::optional<Seat> cutter_seat(std::string_view cut, Seat dealer) {
  if (cut == "dealers_right") return left_of(dealer, 3);
  if (cut == "dealers_left") return left_of(dealer);
  return std::nullopt;
}

Seat drawn_dealer(const std::vector<std::string>& deck, std::string_view method, Seat start) {
  if (method == "black_jack") return first_card(deck, "CS", start);
  if (method == "any_jack") return first_card(deck, "CDHS", start);
  if (method == "draw_low") return extreme_card(deck, start, 1);
  if (method == "draw_high") return extreme_card(deck, start, -1);
  return start;
}

}  // namespace euchre_bot
