// The sealed deal, from seeds to deck: the arithmetic that every party repeats.
//
// Bytes in, bytes out; no clock, no chance, no files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bytes.hpp"

namespace euchre_bot {

inline constexpr std::string_view kProtocol = "euchre-sealed/v1";
inline constexpr std::size_t kHashBytes = 32;

using Cut = std::optional<std::uint32_t>;
using Four = std::array<Bytes, 4>;

/// The cards of a pack in its fixed order; null where no pack has this id.
const std::vector<std::string>* pack_named(std::string_view id);

/// A number as four bytes, big endian.
Bytes u32(std::uint32_t number);

/// The parts, counted and each preceded by its length, so that no two lists collide.
Bytes lp(const std::vector<Bytes>& parts);

/// SHA-256 of the parts under a tag that no other use shares.
Bytes tagged_hash(std::string_view tag, std::vector<Bytes> parts);

/// The link of `end` in the referee's chain, from what claims to be that of `start` above it.
Bytes chain_descend(const Bytes& match, Bytes value, std::uint32_t start, std::uint32_t end);

/// The seed that the holder of a secret gives to a deal.
Bytes seat_seed(std::string_view secret, const Bytes& match, std::uint32_t deal);

/// A seat's commitment to its seed, and to the cut where it is the cutter.
Bytes seat_commit(const Bytes& match, std::uint32_t deal, std::size_t seat, const Bytes& seed,
                  Cut cut);

/// The hash of all that a deal's deck depends on, before anything is revealed.
Bytes commit_set(const Bytes& match, std::uint32_t deal, std::string_view pack,
                 const Bytes& r_commit, const Four& commits);

/// The key from which the deck, its salts and the first seat come.
Bytes deck_key(const Bytes& cset, const Bytes& r, const Four& seeds, Cut cut);

/// The bytes of a key's stream, one after another, without end.
class Stream {
 public:
  Stream(Bytes key, std::string_view tag);

  std::uint8_t next();

  /// A number below `bound`, each equally likely; `bound` is 1 to 256.
  std::uint32_t below(std::uint32_t bound);

 private:
  Bytes key_;
  std::string tag_;
  Bytes block_;
  std::uint32_t blocks_ = 0;
  std::size_t at_ = 0;
};

/// The seat that is given the first card of the dealer draw.
std::size_t first_seat(const Bytes& key);

/// The salted leaf of one card at one position.
Bytes leaf(const Bytes& match, std::uint32_t deal, std::uint32_t position, std::string_view card,
           const Bytes& salt);

/// The RFC 6962 tree head over leaves that are hashed already; there is at least one.
Bytes tree_head(std::span<const Bytes> leaves);

/// A deck in deal order with the leaves that sealed it.
struct SealedDeck {
  std::vector<std::string> cards;
  std::vector<Bytes> salts;
  std::vector<Bytes> leaves;
  Bytes root;
  std::size_t first_seat = 0;
};

/// The deck that a key gives.
SealedDeck sealed_deck(const Bytes& match, std::uint32_t deal, std::string_view pack,
                       const Bytes& key, Cut cut);

/// The commitment of cards that stay face down, in rising position, a blind each.
Bytes hidden_move(const Bytes& match, std::uint32_t deal, std::size_t seat,
                  const std::vector<std::uint32_t>& positions, const std::vector<Bytes>& blinds);

/// A card with the salt that opens its leaf.
struct Opened {
  std::uint32_t position = 0;
  std::string card;
  Bytes salt;
};

/// What the referee signs when it gives a seat its cards.
Bytes private_deal_bytes(const Bytes& match, std::uint32_t deal, std::size_t seat,
                         const Bytes& root, const std::vector<Opened>& cards);

/// The head of the event chain once `event` has been appended.
Bytes event_head(const Bytes& previous, const Bytes& event);

/// What the referee signs for the event that made `head`.
Bytes referee_signed_bytes(const Bytes& head);

/// What a signing seat signs of its reveal; `head` is the head after commit_set.
Bytes reveal_signed_bytes(const Bytes& match, std::uint32_t deal, std::size_t seat,
                          const Bytes& cset, const Bytes& commit, const Bytes& head);

/// What a signing seat signs of a move; `before` is the head that it follows.
///
/// A hidden move is its word and the hex of its commitment.
Bytes move_signed_bytes(const Bytes& match, std::uint32_t deal, std::uint32_t seq,
                        const Bytes& before, std::string_view move);

/// One thing that the referee has accepted: the event it stands in, and the head there.
struct ReceiptItem {
  Bytes match;
  std::uint32_t deal = 0;
  std::uint64_t seq = 0;
  Bytes head;
};

/// What the referee signs for what it has accepted.
Bytes receipt_bytes(const std::vector<ReceiptItem>& items);

}  // namespace euchre_bot
