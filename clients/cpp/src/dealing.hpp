// Who is dealt which positions, who cuts, and who wins the dealer draw.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "euchre_bot/view.hpp"

namespace euchre_bot {

inline constexpr std::uint32_t kUpcardPosition = 20;

/// The kitty's cards that a swap gives.
inline const std::vector<std::uint32_t> kSwapPositions{21, 22, 23};

/// Whether a packet pattern is one that `positions` knows.
bool known_packets(std::string_view packets);

/// The five places in the deal order that are a seat's, rising.
std::vector<std::uint32_t> positions(std::string_view packets, Seat dealer, Seat seat);

/// Who cuts, where anybody does.
std::optional<Seat> cutter_seat(std::string_view cut, Seat dealer);

/// Who deals first, by the cards turned from the top of the draw's own deck.
Seat drawn_dealer(const std::vector<std::string>& deck, std::string_view method, Seat start);

}  // namespace euchre_bot
