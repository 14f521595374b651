// Keys and signatures: the referee's, in the form that players pin, and a seat's own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bytes.hpp"
#include "crypto.hpp"

namespace euchre_bot {

inline constexpr std::size_t kSignatureBytes = 64;

/// Whether bytes are a public key that can be trusted to mean one signer.
bool usable_key(std::string_view public_key);

/// Whether a signature is this key's over the message; malleable forms are refused.
bool verifies(std::string_view public_key, std::string_view signature, std::string_view message);

/// The short id of a named key, in hex.
std::string key_id(std::string_view name, std::string_view public_key);

/// Whether a text may be the name of a bot or of a key's holder.
bool is_name(std::string_view text);

/// A key with the name that its holder gave it.
struct PublicKey {
  std::string name;
  Bytes bytes;

  /// The key in the form `name+id+base64`; anything else is a UsageError.
  static PublicKey parse(std::string_view text);

  /// The key as it is written on a command line.
  [[nodiscard]] std::string text() const;
};

/// The private key in a PKCS8 PEM file, as `euchre-referee keygen` writes it.
Ed25519Key load_seat_key(const std::filesystem::path& path);

}  // namespace euchre_bot
