// What a bot is shown before it chooses: plain words and lists.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace euchre_bot {

/// A place at the table; play goes in this order, and partners sit two apart.
enum class Seat : std::uint8_t { north, east, south, west };

inline constexpr std::array<Seat, 4> kSeats{Seat::north, Seat::east, Seat::south, Seat::west};

/// The seat's word, as `north`.
std::string_view name_of(Seat seat);

/// The seat of a word, where it is one.
std::optional<Seat> seat_named(std::string_view word);

/// The number of a seat, 0 to 3.
constexpr std::size_t index_of(Seat seat) { return static_cast<std::size_t>(seat); }

/// The seat so many places to the left.
constexpr Seat left_of(Seat seat, std::size_t places = 1) {
  return kSeats.at((index_of(seat) + places) % kSeats.size());
}

/// The seat across the table.
constexpr Seat partner_of(Seat seat) { return left_of(seat, 2); }

/// A count for each side.
struct Sides {
  std::uint32_t ns = 0;
  std::uint32_t ew = 0;
};

/// A card on the table, and who played it.
struct PlayedCard {
  Seat seat{};
  std::string card;
};

/// Why the last answer to this very question was refused.
struct Refusal {
  std::string action;
  std::string reason;
  std::string text;
};

/// What one seat has seen of a deal; what has no meaning yet is absent.
struct View {
  std::string match;
  std::uint32_t deal = 0;
  std::uint64_t state_version = 0;
  std::uint64_t limit_ms = 0;
  Seat seat{};
  std::string phase;
  Seat dealer{};
  std::vector<std::string> hand;
  std::vector<std::uint32_t> counts;  // north, east, south, west
  std::optional<std::string> upcard;
  std::optional<std::string> upcard_state;
  std::optional<std::string> trump;
  std::optional<Seat> maker;
  std::vector<Seat> alone;
  std::vector<Seat> out;
  std::optional<std::string> led;
  std::vector<PlayedCard> trick;
  Sides tricks;
  Sides score;
  std::optional<Seat> turn;
  std::vector<std::string> legal;
  std::optional<Refusal> refused;
};

/// A bot: the view and the legal actions go in, one of the actions comes out.
using Choose = std::function<std::string(const View& view, const std::vector<std::string>& legal)>;

}  // namespace euchre_bot
