// The primitives, from OpenSSL: hashes, chance and Ed25519.
#pragma once

#include <openssl/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "bytes.hpp"

namespace euchre_bot {

Bytes sha256(std::string_view message);
Bytes hmac_sha256(std::string_view key, std::string_view message);

/// Bytes that nobody can foresee.
Bytes random_bytes(std::size_t count);

/// A number below `bound`, each equally likely; `bound` is 1 to 256.
std::uint32_t random_below(std::uint32_t bound);

/// Whether OpenSSL takes the signature; the forms that it is too generous with are refused before.
bool ed25519_verifies(std::string_view public_key, std::string_view signature,
                      std::string_view message);

/// A private Ed25519 key; nothing but its public half is ever shown.
class Ed25519Key {
 public:
  /// The key of a PEM text in PKCS8 form, where it holds one.
  static std::optional<Ed25519Key> from_pem(std::string_view pem);

  [[nodiscard]] Bytes public_key() const;
  [[nodiscard]] Bytes sign(std::string_view message) const;

 private:
  explicit Ed25519Key(EVP_PKEY* key);
  std::shared_ptr<EVP_PKEY> key_;
};

/// Base64 with padding, as RFC 4648 has it.
std::string base64(std::string_view bytes);

/// The 32 bytes of base64 in its one form; nothing where it is not that.
std::optional<Bytes> unbase64_32(std::string_view text);

/// Whether the text holds a certificate in PEM form.
bool holds_certificate(std::string_view pem);

/// Whether the text holds the private key of the certificate, both in PEM form.
bool is_key_of(std::string_view key_pem, std::string_view certificate_pem);

}  // namespace euchre_bot
