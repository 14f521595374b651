#include "keys.hpp"

#include <algorithm>
#include <array>

#include "euchre_bot/errors.hpp"
#include "files.hpp"
#include "seal.hpp"

namespace euchre_bot {

namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kLongestName = 32;

// Numbers of 32 bytes, the least first: 2^255 - 19, and the order of the base point.
const Bytes kPrime = *unhex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f");
const Bytes kOrder = *unhex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");

// The y of the eight points of small order: under such a key one signature fits any message.
const std::array<Bytes, 5> kSmallOrder{
    *unhex("0000000000000000000000000000000000000000000000000000000000000000"),
    *unhex("0100000000000000000000000000000000000000000000000000000000000000"),
    *unhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    *unhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    *unhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
};

bool less(std::string_view number, std::string_view other) {
  const auto value = [](char byte) { return static_cast<unsigned char>(byte); };
  return std::ranges::lexicographical_compare(number.rbegin(), number.rend(), other.rbegin(),
                                              other.rend(), {}, value, value);
}

Bytes y_of(std::string_view point) {
  Bytes y(point);
  y.back() = static_cast<char>(static_cast<unsigned char>(y.back()) & 0x7fU);
  return y;
}

}  // namespace

bool usable_key(std::string_view public_key) {
  if (public_key.size() != kKeyBytes) return false;
  const Bytes y = y_of(public_key);
  return less(y, kPrime) && std::ranges::find(kSmallOrder, y) == kSmallOrder.end();
}

bool verifies(std::string_view public_key, std::string_view signature, std::string_view message) {
  if (signature.size() != kSignatureBytes || !usable_key(public_key)) return false;
  const std::string_view point = signature.substr(0, kKeyBytes);
  return less(y_of(point), kPrime) && less(signature.substr(kKeyBytes), kOrder) &&
         ed25519_verifies(public_key, signature, message);
}

std::string key_id(std::string_view name, std::string_view public_key) {
  return hex(tagged_hash("key-id", {Bytes(name), Bytes(public_key)}).substr(0, 4));
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && std::ranges::all_of(text, [](char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '\\' && c != '+';
  });
}

PublicKey PublicKey::parse(std::string_view text) {
  constexpr std::string_view form = "write name+id+base64, as the referee prints it";
  const auto wrong = [&](std::string_view why) {
    return UsageError(concat("not a referee key: ", repr(text), why, " (", form, ")"));
  };
  const std::size_t first = text.find('+');
  const std::size_t second = first == std::string_view::npos ? first : text.find('+', first + 1);
  if (second == std::string_view::npos || !is_name(text.substr(0, first))) throw wrong("");
  const std::string_view name = text.substr(0, first);
  const std::string_view id = text.substr(first + 1, second - first - 1);
  const auto bytes = unbase64_32(text.substr(second + 1));
  if (!bytes || !usable_key(*bytes)) throw wrong(" holds no Ed25519 key");
  if (key_id(name, *bytes) != id) {
    throw UsageError(concat("the referee key ", repr(text), " has the id ", repr(id),
                            " of another key (copy it again; its own id is ", key_id(name, *bytes),
                            ")"));
  }
  return {std::string(name), *bytes};
}

std::string PublicKey::text() const {
  return concat(name, "+", key_id(name, bytes), "+", base64(bytes));
}

Ed25519Key load_seat_key(const std::filesystem::path& path) {
  auto key = Ed25519Key::from_pem(read_private_file(path, "the key"));
  if (!key) {
    throw UsageError(concat(repr(path.string()),
                            " holds no Ed25519 key in PKCS8 PEM form"
                            " (make one with euchre-referee keygen)"));
  }
  return *key;
}

}  // namespace euchre_bot
