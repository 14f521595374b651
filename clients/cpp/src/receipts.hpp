// The referee's receipts: checked at once against the record, and kept as JSON Lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "bytes.hpp"
#include "fields.hpp"
#include "files.hpp"
#include "seal.hpp"

namespace euchre_bot {

/// Cards that the referee's signature deals to a seat.
struct PrivateDeal {
  Bytes match;
  std::uint32_t deal = 0;
  Seat seat{};
  Bytes root;
  std::vector<Opened> cards;
  Bytes sig;

  /// What the referee has signed, if it has.
  [[nodiscard]] Bytes signed_bytes() const;
};

/// Receipts, one JSON line each, as `euchre-referee verify --receipts` reads them.
///
/// Private deals stand among them where they were wrong.
class ReceiptFile {
 public:
  explicit ReceiptFile(std::filesystem::path path);

  void keep(const std::vector<ReceiptItem>& items, const Bytes& sig);

  /// Writes down cards that we were dealt; false where they are nothing that can be read.
  bool keep_deal(const PrivateDeal& dealt);

 private:
  void write(const Json& row);

  std::filesystem::path path_;
  FileDescriptor file_;
};

/// What the referee has acknowledged to one seat of one match.
class Receipts {
 public:
  Receipts(Bytes match, Bytes key, ReceiptFile file);

  /// An input of ours was accepted: a receipt for it has to come in the same message.
  ///
  /// `seq` is the event it became or answered; absent where that event is still to come.
  void accepted(std::uint32_t deal, std::optional<std::uint64_t> seq);

  /// Checks a receipt against the record as far as it is known, and keeps it.
  void take(const std::vector<ReceiptItem>& items, const Bytes& sig);

  /// Keeps cards that the referee signed and did not seal; false where they cannot be.
  bool keep_deal(const PrivateDeal& dealt) { return file_.keep_deal(dealt); }

  /// Insists on a receipt for everything that the message accepted.
  void end_of_message() const;

  /// An event has come: what was promised of it must hold.
  void saw(std::uint64_t seq, const Bytes& head);

  /// Lets go of events that no receipt will name any more.
  void forget_before(std::uint64_t seq);

 private:
  struct Due {
    std::uint32_t deal;
    std::optional<std::uint64_t> seq;
  };

  void compare(std::uint64_t seq, const std::map<std::uint64_t, Bytes>& heads,
               const Bytes& head) const;

  Bytes match_;
  Bytes key_;
  ReceiptFile file_;
  std::vector<Due> due_;
  std::map<std::uint64_t, Bytes> heads_;
  std::map<std::uint64_t, Bytes> promised_;
};

}  // namespace euchre_bot
