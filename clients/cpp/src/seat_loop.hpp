// The seat loop: say Hello, follow the match, answer what is asked, come back when cut off.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "euchre_bot/view.hpp"
#include "options.hpp"

namespace euchre_bot {

/// How a match ended.
struct Result {
  std::string match;
  std::string outcome;
  std::optional<std::string> winner;
  std::uint64_t ns = 0;
  std::uint64_t ew = 0;
  std::uint64_t deals = 0;

  [[nodiscard]] std::string text() const;
};

/// Plays one match to its end; a BotError says why it could not be.
Result play(const Choose& choose, const Options& options);

}  // namespace euchre_bot
