// The shared claims about the seal's bytes, as far as a client judges such things.
#include <functional>
#include <map>
#include <set>

#include "dealing.hpp"
#include "fields.hpp"
#include "keys.hpp"
#include "seal.hpp"
#include "support.hpp"

namespace euchre_bot::testing {
namespace {

using nlohmann::json;

std::vector<Bytes> raw_list(const json& given, const char* key) {
  std::vector<Bytes> list;
  for (const json& item : given.at(key)) list.push_back(*unhex(item.get<std::string>()));
  return list;
}

Bytes match(const json& given) { return raw(given, "match"); }
std::uint32_t deal(const json& given) { return given.at("deal"); }
std::size_t seat(const json& given) { return given.at("seat"); }

bool is_signed(const json& given, const Bytes& message) {
  try {
    return verifies(PublicKey::parse(given.at("key").get<std::string>()).bytes, raw(given, "sig"),
                    message);
  } catch (const UsageError&) {
    return false;
  }
}

bool is_key(const json& given) {
  try {
    const std::string text = given.at("key");
    return PublicKey::parse(text).text() == text;
  } catch (const UsageError&) {
    return false;
  }
}

bool is_form(const json& given) {
  Bytes bytes;  // the text is UTF-8 here, a byte a character there
  const std::string text = given.at("text");
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool two = byte >= 0xc0;
    const unsigned low = two ? static_cast<unsigned char>(text[++at]) & 0x3fU : byte;
    bytes += static_cast<char>(two ? ((byte & 0x1fU) << 6U | low) : low);
  }
  try {
    Fields::parse("event", bytes);
    return true;
  } catch (const DealProofError&) {
    return false;
  }
}

// The bytes of a stream cannot be given, so only those that its own key makes are asked here.
bool is_start(const json& given) { return first_seat(raw(given, "key")) == seat(given); }

Opened opened(const json& card) {
  return {card.at("position"), card.at("card"), raw(card, "salt")};
}

bool is_private_deal(const json& given) {
  std::vector<Opened> cards;
  for (const json& card : given.at("cards")) cards.push_back(opened(card));
  return is_signed(
      given, private_deal_bytes(match(given), deal(given), seat(given), raw(given, "root"), cards));
}

bool is_receipt(const json& given) {
  std::vector<ReceiptItem> items;
  for (const json& item : given.at("items")) {
    items.push_back({match(item), deal(item), item.at("seq"), raw(item, "head")});
  }
  return is_signed(given, receipt_bytes(items));
}

bool is_deck(const json& given) {
  const auto seeds = raw_list(given, "seeds");
  const auto commits = raw_list(given, "commits");
  const Cut cut = given.at("cut").is_null() ? Cut() : Cut(given.at("cut"));
  const std::string pack = given.at("pack");
  const Four four{commits[0], commits[1], commits[2], commits[3]};
  const Bytes cset = commit_set(match(given), deal(given), pack, raw(given, "r_commit"), four);
  const Bytes key = deck_key(cset, raw(given, "r"), {seeds[0], seeds[1], seeds[2], seeds[3]}, cut);
  const SealedDeck deck = sealed_deck(match(given), deal(given), pack, key, cut);
  return deck.leaves == raw_list(given, "leaves") && deck.root == raw(given, "root") &&
         joined(deck.cards, " ") == given.at("deck");
}

bool is_draw(const json& given) {
  const auto deck = words_of(given.at("deck").get<std::string>());
  return drawn_dealer(deck, given.at("method").get<std::string>(),
                      kSeats.at(given.at("start").get<std::size_t>())) ==
         kSeats.at(given.at("dealer").get<std::size_t>());
}

bool is_hidden(const json& given) {
  return hidden_move(match(given), deal(given), seat(given), given.at("positions"),
                     raw_list(given, "blinds")) == raw(given, "commit");
}

using Judge = std::function<bool(const json&)>;

// Of these every claim is judged.
const std::map<std::string, Judge>& judges() {
  static const std::map<std::string, Judge> all = {
      {"link",
       [](const json& given) {
         const std::uint32_t k = given.at("k");
         return chain_descend(match(given), raw(given, "link"), k, k - 1) == raw(given, "below");
       }},
      {"seed",
       [](const json& given) {
         return seat_seed(raw(given, "secret"), match(given), deal(given)) == raw(given, "seed");
       }},
      {"start", is_start},
      {"event",
       [](const json& given) {
         return event_head(raw(given, "prev"), given.at("event")) == raw(given, "head");
       }},
      {"form", is_form},
      {"key", is_key},
      {"signature", [](const json& given) { return is_signed(given, raw(given, "message")); }},
      {"reveal",
       [](const json& given) {
         return is_signed(
             given, reveal_signed_bytes(match(given), deal(given), seat(given), raw(given, "cset"),
                                        raw(given, "commit"), raw(given, "head")));
       }},
      {"move",
       [](const json& given) {
         return is_signed(
             given, move_signed_bytes(match(given), deal(given), given.at("seq"),
                                      raw(given, "prev"), given.at("move").get<std::string>()));
       }},
      {"receipt", is_receipt},
  };
  return all;
}

// Of these the true claims are derived again; what is false of them the Witness refuses, where more
// is known than one claim says.
const std::map<std::string, Judge>& derivations() {
  static const std::map<std::string, Judge> all = {
      {"deck", is_deck},
      {"draw", is_draw},
      {"hidden", is_hidden},
      {"private_deal", is_private_deal},
      {"commit",
       [](const json& given) {
         const Cut cut = given.at("cut").is_null() ? Cut() : Cut(given.at("cut"));
         return seat_commit(match(given), deal(given), seat(given), raw(given, "seed"), cut) ==
                raw(given, "commit");
       }},
      {"opening",
       [](const json& given) {
         const auto leaves = raw_list(given, "leaves");
         const Opened card = opened(given);
         return tree_head(leaves) == raw(given, "root") &&
                leaf(match(given), deal(given), card.position, card.card, card.salt) ==
                    leaves.at(card.position);
       }},
  };
  return all;
}

TEST(Claims, AreJudgedAsTheyState) {
  std::set<std::string> judged;
  for (const json& claim : vectors_in(VECTORS "derivation-v1.json")) {
    const auto judge = judges().find(claim.at("op"));
    if (judge == judges().end()) continue;
    EXPECT_EQ(judge->second(claim.at("input")), claim.at("result") == "valid") << claim.at("id");
    judged.insert(judge->first);
  }
  EXPECT_EQ(judged.size(), judges().size());
}

TEST(Claims, WhatIsTrueIsDerivedAgain) {
  std::set<std::string> derived;
  for (const json& claim : vectors_in(VECTORS "derivation-v1.json")) {
    const auto derivation = derivations().find(claim.at("op"));
    if (derivation == derivations().end() || claim.at("result") != "valid") continue;
    EXPECT_TRUE(derivation->second(claim.at("input"))) << claim.at("id");
    derived.insert(derivation->first);
  }
  EXPECT_EQ(derived.size(), derivations().size());
}

TEST(Claims, ANumberBelowABoundSkipsTheBytesThatWouldFavourOne) {
  const Bytes key(32, 'k');
  Stream bytes(key, "deck-stream");
  Stream numbers(key, "deck-stream");
  int skipped = 0;
  for (int draws = 0; draws < 200; ++draws) {
    std::uint8_t byte = bytes.next();
    for (; byte >= 246; byte = bytes.next()) ++skipped;
    EXPECT_EQ(numbers.below(41), byte % 41);
  }
  EXPECT_GT(skipped, 0);
}

}  // namespace
}  // namespace euchre_bot::testing
