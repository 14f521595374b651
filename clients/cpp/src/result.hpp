// How a match ended, in the words that `euchre-referee match` ends with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fields.hpp"

namespace euchre_bot {

/// What both sides have.
struct Score {
  std::uint64_t ns = 0;
  std::uint64_t ew = 0;

  /// The score in the event that closes a deal or a match.
  static Score of(const Fields& close);

  [[nodiscard]] std::string text() const;
};

/// How a match ended.
struct Result {
  std::string match;
  std::string outcome;
  /// The seat whose fault or wish it was.
  std::optional<std::string> by;
  std::optional<std::string> winner;
  Score score;
  /// Whether the score counts games, and not points.
  bool games = true;
  /// The score of the game at hand, as the last closed deal left it.
  std::optional<Score> last;
  std::uint64_t deals = 0;

  /// What the event that closes the match says.
  static Result of(std::string match, const Fields& close, bool games, std::optional<Score> last);

  /// One line, the winner's count first.
  [[nodiscard]] std::string text() const;
};

}  // namespace euchre_bot
