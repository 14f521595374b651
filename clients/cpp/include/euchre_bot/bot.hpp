// The way from one function to a seat at the table.
#pragma once

#include <string>
#include <vector>

#include "euchre_bot/errors.hpp"
#include "euchre_bot/view.hpp"

namespace euchre_bot {

/// A flag of the bot's own, beside those that every bot has; `value` holds its default and result.
struct TextFlag {
  std::string name;  // as `--seed`
  std::string help;
  std::string* value = nullptr;
};

/// What a bot is called, and what its `--help` says of it.
struct About {
  std::string name = "my-bot";
  std::string description = "Plays one Euchre match under a referee.";
  std::vector<TextFlag> flags = {};
};

/// Reads the flags, plays one match with `choose`, and returns the exit status.
///
/// 0 the match was closed; 1 the referee was lost or the bot failed; 2 a flag or file is wrong, or
/// the key is not the pinned one; 3 the seal does not hold; 4 another process took the seat.
int run(const Choose& choose, const About& about, int argc, char** argv);

}  // namespace euchre_bot
