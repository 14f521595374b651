// The seat loop: say Hello, follow the match, answer what is asked, come back when cut off.
#pragma once

#include "euchre_bot/view.hpp"
#include "options.hpp"
#include "result.hpp"

namespace euchre_bot {

/// Plays one match to its end; a BotError says why it could not be.
Result play(const Choose& choose, const Options& options);

}  // namespace euchre_bot
