// The event chain of one match: in order, unbroken, signed where it must be.
#pragma once

#include <cstdint>
#include <string>

#include "bytes.hpp"
#include "fields.hpp"

namespace euchre_bot {

/// A public event that has its place in the chain.
struct Event {
  std::uint64_t seq;
  std::string kind;
  Fields fields;
  Bytes head;
};

/// The chain as far as it has been seen; `key` is the referee's, once match_open named it.
class EventChain {
 public:
  /// The next event; one that is not next, or not the referee's, is a DealProofError.
  Event take(const Bytes& event, const Bytes& sig);

  [[nodiscard]] const Bytes& head() const { return head_; }
  [[nodiscard]] std::uint64_t next_seq() const { return next_seq_; }
  [[nodiscard]] const Bytes& key() const { return key_; }

 private:
  Bytes head_ = Bytes(32, '\0');
  std::uint64_t next_seq_ = 0;
  Bytes key_;
};

}  // namespace euchre_bot
