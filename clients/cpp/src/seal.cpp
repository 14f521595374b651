#include "seal.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "crypto.hpp"

namespace euchre_bot {

namespace {

constexpr std::string_view kPrefix = "euchre-sealed/v1/";
constexpr std::uint32_t kByteValues = 256;

std::vector<std::string> pack_of(std::string_view ranks, std::string_view more = {}) {
  std::vector<std::string> cards;
  for (const char suit : std::string_view("CDHS")) {
    for (const char rank : ranks) cards.push_back({rank, suit});
  }
  if (!more.empty()) cards.emplace_back(more);
  return cards;
}

Bytes tag_of(std::string_view tag) { return Bytes(kPrefix).append(tag); }

Bytes tagged(std::string_view tag, std::vector<Bytes> parts) {
  parts.insert(parts.begin(), tag_of(tag));
  return lp(parts);
}

Bytes mac(std::string_view key, std::string_view tag, std::vector<Bytes> parts) {
  return hmac_sha256(key, tagged(tag, std::move(parts)));
}

Bytes cut_bytes(Cut cut) {
  return cut ? Bytes(1, static_cast<char>(static_cast<unsigned char>(*cut))) : Bytes();
}

Bytes seat_bytes(std::size_t seat) { return u32(static_cast<std::uint32_t>(seat)); }

}  // namespace

const std::vector<std::string>* pack_named(std::string_view id) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> packs = {
      {"E24", pack_of("9TJQKA")},        {"E25", pack_of("9TJQKA", "2S")},
      {"E28", pack_of("89TJQKA")},       {"E32", pack_of("789TJQKA")},
      {"E25J", pack_of("9TJQKA", "BB")}, {"E33J", pack_of("789TJQKA", "BB")},
  };
  const auto found = packs.find(id);
  return found == packs.end() ? nullptr : &found->second;
}

Bytes u32(std::uint32_t number) {
  Bytes bytes(4, '\0');
  for (std::size_t at = 4; at-- > 0; number >>= 8U) {
    bytes[at] = static_cast<char>(static_cast<unsigned char>(number & 0xffU));
  }
  return bytes;
}

Bytes lp(const std::vector<Bytes>& parts) {
  Bytes joined = u32(static_cast<std::uint32_t>(parts.size()));
  for (const Bytes& part : parts) {
    joined += u32(static_cast<std::uint32_t>(part.size()));
    joined += part;
  }
  return joined;
}

Bytes tagged_hash(std::string_view tag, std::vector<Bytes> parts) {
  return sha256(tagged(tag, std::move(parts)));
}

Bytes chain_descend(const Bytes& match, Bytes value, std::uint32_t start, std::uint32_t end) {
  for (std::uint32_t index = start; index > end; --index) {
    value = tagged_hash("ref-chain", {match, u32(index), value});
  }
  return value;
}

Bytes seat_seed(std::string_view secret, const Bytes& match, std::uint32_t deal) {
  return mac(secret, "seat-seed", {match, u32(deal)});
}

Bytes seat_commit(const Bytes& match, std::uint32_t deal, std::size_t seat, const Bytes& seed,
                  Cut cut) {
  return tagged_hash("seat-commit", {match, u32(deal), seat_bytes(seat), seed, cut_bytes(cut)});
}

Bytes commit_set(const Bytes& match, std::uint32_t deal, std::string_view pack,
                 const Bytes& r_commit, const Four& commits) {
  std::vector<Bytes> parts{match, u32(deal), Bytes(pack), r_commit};
  parts.insert(parts.end(), commits.begin(), commits.end());
  return tagged_hash("commit-set", std::move(parts));
}

Bytes deck_key(const Bytes& cset, const Bytes& r, const Four& seeds, Cut cut) {
  std::vector<Bytes> parts{r};
  parts.insert(parts.end(), seeds.begin(), seeds.end());
  parts.push_back(cut_bytes(cut));
  parts.emplace_back();
  return hmac_sha256(tagged_hash("deck-salt", {cset}), lp(parts));
}

Stream::Stream(Bytes key, std::string_view tag) : key_(std::move(key)), tag_(tag) {}

std::uint8_t Stream::next() {
  if (at_ == block_.size()) {
    block_ = mac(key_, tag_, {u32(blocks_++)});
    at_ = 0;
  }
  return static_cast<std::uint8_t>(block_[at_++]);
}

std::uint32_t Stream::below(std::uint32_t bound) {
  const std::uint32_t limit = kByteValues - kByteValues % bound;
  for (;;) {
    const std::uint32_t value = next();
    if (value < limit) return value % bound;
  }
}

std::size_t first_seat(const Bytes& key) { return Stream(key, "first-seat").below(4); }

Bytes leaf(const Bytes& match, std::uint32_t deal, std::uint32_t position, std::string_view card,
           const Bytes& salt) {
  return sha256(
      concat(Bytes(1, '\0'), tagged("leaf", {match, u32(deal), u32(position), ascii(card), salt})));
}

Bytes tree_head(std::span<const Bytes> leaves) {
  if (leaves.size() == 1) return leaves.front();
  const std::size_t split = std::bit_floor(leaves.size() - 1);
  return sha256(concat("\x01", tree_head(leaves.first(split)), tree_head(leaves.subspan(split))));
}

SealedDeck sealed_deck(const Bytes& match, std::uint32_t deal, std::string_view pack,
                       const Bytes& key, Cut cut) {
  const std::vector<std::string>& faces = *pack_named(pack);
  std::vector<std::size_t> order(faces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Stream stream(key, "deck-stream");
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[stream.below(static_cast<std::uint32_t>(i + 1))]);
  }
  SealedDeck deck;
  for (std::uint32_t p = 0; p < faces.size(); ++p) {
    deck.cards.push_back(faces[order[(p + cut.value_or(0)) % faces.size()]]);
    deck.salts.push_back(mac(key, "leaf-salt", {u32(p)}));
    deck.leaves.push_back(leaf(match, deal, p, deck.cards.back(), deck.salts.back()));
  }
  deck.root = tree_head(deck.leaves);
  deck.first_seat = euchre_bot::first_seat(key);
  return deck;
}

Bytes hidden_move(const Bytes& match, std::uint32_t deal, std::size_t seat,
                  const std::vector<std::uint32_t>& positions, const std::vector<Bytes>& blinds) {
  std::vector<Bytes> parts{match, u32(deal), seat_bytes(seat)};
  for (std::size_t card = 0; card < positions.size(); ++card) {
    parts.push_back(u32(positions[card]));
    parts.push_back(blinds[card]);
  }
  return tagged_hash("hidden-move", std::move(parts));
}

Bytes private_deal_bytes(const Bytes& match, std::uint32_t deal, std::size_t seat,
                         const Bytes& root, const std::vector<Opened>& cards) {
  std::vector<Bytes> parts{match, u32(deal), seat_bytes(seat), root};
  for (const Opened& opened : cards) {
    parts.push_back(u32(opened.position));
    parts.push_back(ascii(opened.card));
    parts.push_back(opened.salt);
  }
  return tagged("private-deal", std::move(parts));
}

Bytes event_head(const Bytes& previous, const Bytes& event) {
  return tagged_hash("event", {previous, event});
}

Bytes referee_signed_bytes(const Bytes& head) { return tagged("sig/referee", {head}); }

Bytes reveal_signed_bytes(const Bytes& match, std::uint32_t deal, std::size_t seat,
                          const Bytes& cset, const Bytes& commit, const Bytes& head) {
  return tagged("sig/seat/reveal", {match, u32(deal), seat_bytes(seat), cset, commit, head});
}

Bytes move_signed_bytes(const Bytes& match, std::uint32_t deal, std::uint32_t seq,
                        const Bytes& before, std::string_view move) {
  return tagged("sig/seat/move", {match, u32(deal), u32(seq), before, ascii(move)});
}

Bytes receipt_bytes(const std::vector<ReceiptItem>& items) {
  std::vector<Bytes> parts{u32(static_cast<std::uint32_t>(items.size()))};
  for (const ReceiptItem& item : items) {
    parts.push_back(item.match);
    parts.push_back(u32(item.deal));
    parts.push_back(u32(static_cast<std::uint32_t>(item.seq)));
    parts.push_back(item.head);
  }
  return tagged("receipt", std::move(parts));
}

}  // namespace euchre_bot
