// A view of the wire in a bot's words.
#pragma once

#include <cstdint>
#include <string>

#include "euchre/referee/v1/table.pb.h"
#include "euchre_bot/view.hpp"

namespace euchre_bot {

/// A seat of the wire; what names none is a DealProofError.
Seat seat_of(euchre::referee::v1::Seat seat);

View view_of(const euchre::referee::v1::View& view, const std::string& match,
             std::uint64_t limit_ms);

}  // namespace euchre_bot
