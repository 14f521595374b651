// The seat's own account of a match: every duty of the seal, event by event.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bytes.hpp"
#include "crypto.hpp"
#include "deal.hpp"
#include "events.hpp"
#include "files.hpp"
#include "receipts.hpp"
#include "seal.hpp"

namespace euchre_bot {

/// What the seat was told in Welcome, and what it said of itself.
///
/// `level` is what it does for the seal; at `plays` it gives no seeds.
struct Claim {
  Bytes match;
  Seat seat{};
  std::string name;
  std::map<std::string, std::string> rules;
  Bytes referee_key;
  std::string level = "checks";
  std::optional<Ed25519Key> key = {};
};

/// What the seat opens once the commit set has passed its checks.
struct Reveal {
  Bytes seed;
  Cut cut;
  Bytes cset;
  Bytes head;
  Bytes sig;
};

/// Our seed of a deal, drawn from our secret.
using SeedOf = std::function<Bytes(std::uint32_t deal)>;

/// Follows one match for one seat; anything that does not hold is a DealProofError.
class Witness {
 public:
  Witness(Claim claim, SeedOf seed, StateFile state, Receipts receipts);
  Witness(const Witness&) = delete;  // its deals point to its terms
  Witness& operator=(const Witness&) = delete;

  /// The position to resume from: the first event not yet seen, or the one whose cards are due.
  [[nodiscard]] std::uint64_t resume() const;

  /// The first event not yet seen.
  [[nodiscard]] std::uint64_t next_seq() const { return chain_.next_seq(); }

  /// Follows one public event.
  Event take(const Bytes& raw, const Bytes& sig);

  /// The other seat whose commitment our own secret gives, if this event is its first.
  std::optional<Seat> twin(const Event& event);

  /// Our commitment to a deal, promised on disk before it is returned.
  Bytes commit(std::uint32_t number, bool cutter);

  /// Our seed and cut, once the commit set has been checked and written down.
  Reveal reveal(std::uint32_t number);

  /// Checks the cards that were sent to us alone; signed ones that are wrong are kept.
  void private_deal(std::uint32_t number, const Bytes& root, const std::vector<Opened>& cards,
                    const Bytes& sig);

  /// Checks that we are asked at the newest event, and shown the cards sealed for us.
  void check_ask(std::uint32_t number, std::uint64_t seq, const std::vector<std::string>& hand);

  /// Notes what we are about to send, to know it again in the record; our signature of it.
  ///
  /// `blind` is there where the action is hidden; one that is not legal is signed as it is.
  Bytes move(std::uint32_t number, std::uint64_t seq, const std::string& action,
             const Bytes& blind);

  /// An action of ours was accepted, as this event.
  void accepted_act(std::uint32_t number, std::uint64_t seq);
  void accepted_commit(std::uint32_t number);
  void accepted_reveal(std::uint32_t number);

  /// Checks and keeps what the referee says it has accepted.
  void receipt(const std::vector<ReceiptItem>& items, const Bytes& sig);

  /// Insists on a receipt for everything that was accepted in the message.
  void end_of_message() const { receipts_.end_of_message(); }

 private:
  void open(const Fields& fields);
  // Whether the match has to end with its newest deal: its deck was known, and was thrown away.
  [[nodiscard]] bool ends() const;
  void check_end(const Fields& fields) const;
  void check_rules(const Fields& fields) const;
  void check_entry(const Fields& mine) const;
  void open_deal(const Fields& fields);
  void step(const Event& event, Deal& deal, const Bytes& before);
  static void check_not_denied(const Deal& deal, std::uint64_t seq);
  Deal& deal(const std::string& where, std::uint32_t number);
  [[nodiscard]] bool gives_seeds() const { return claim_.level != "plays"; }
  std::optional<Bytes> promised_commit(const Deal& deal);

  Claim claim_;
  SeedOf seed_;
  StateFile state_;
  Receipts receipts_;
  EventChain chain_;
  std::string last_;  // the kind of the last event
  std::map<std::uint32_t, Deal> deals_;
  std::optional<Seat> drawn_;
  Link link_;
  Bytes r0_;
  Terms terms_;
  std::set<Seat> twins_;
};

}  // namespace euchre_bot
