// A key that nobody has had before.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <string>

#include "crypto.hpp"

namespace euchre_bot::testing {

/// A new private key in PKCS8 PEM form.
inline std::string new_key_pem() {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free);
  const std::unique_ptr<BIO, decltype(&BIO_free)> out(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PKCS8PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  std::string pem(4096, '\0');
  pem.resize(
      static_cast<std::size_t>(BIO_read(out.get(), pem.data(), static_cast<int>(pem.size()))));
  return pem;
}

inline Ed25519Key test_key() { return *Ed25519Key::from_pem(new_key_pem()); }

}  // namespace euchre_bot::testing
