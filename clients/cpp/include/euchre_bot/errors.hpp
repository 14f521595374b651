// What ends a match early, and the exit status of each.
#pragma once

#include <stdexcept>
#include <string>

namespace euchre_bot {

/// The match cannot go on: the message says why and what to do.
class BotError : public std::runtime_error {
 public:
  explicit BotError(const std::string& what, int exit_code = 1)
      : std::runtime_error(what), exit_code_(exit_code) {}

  [[nodiscard]] int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

/// The referee could not be reached, or would not have us.
class RefereeLostError : public BotError {
 public:
  explicit RefereeLostError(const std::string& what) : BotError(what, 1) {}
};

/// A flag, a file or an address is not usable.
class UsageError : public BotError {
 public:
  explicit UsageError(const std::string& what) : BotError(what, 2) {}
};

/// The referee's word does not hold: a seal, a signature or a promise is broken.
class DealProofError : public BotError {
 public:
  explicit DealProofError(const std::string& what) : BotError(what, 3) {}
};

/// Another process has taken the seat.
class SeatTakenError : public BotError {
 public:
  explicit SeatTakenError(const std::string& what) : BotError(what, 4) {}
};

}  // namespace euchre_bot
