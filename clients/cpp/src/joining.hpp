// A seat taken with an invitation code: the token is kept in a file, and the bot plays with it.
#pragma once

#include "options.hpp"

namespace euchre_bot {

/// Takes the seat of `--invitation`, unless the token file holds its token already.
///
/// The request is kept beside the token file until the token is there: whoever is stopped between
/// the two gets the same token when the same command is started again.
void take_seat(const Flags& flags);

}  // namespace euchre_bot
