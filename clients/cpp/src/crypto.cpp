#include "crypto.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#include <stdexcept>

namespace euchre_bot {

namespace {

constexpr std::size_t kHashBytes = 32;
constexpr std::size_t kSignatureBytes = 64;

template <auto Free>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Freer<EVP_MD_CTX_free>>;
using Source = std::unique_ptr<BIO, Freer<BIO_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* raw(Bytes& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

void insist(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string("OpenSSL cannot ") + what);
}

Source source_of(std::string_view text) {
  return Source(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// No question is ever asked on the terminal: a key under a pass phrase is no key for us.
int no_pass_phrase(char*, int, int, void*) { return 0; }

Key private_key_of(std::string_view pem) {
  const Source source = source_of(pem);
  return Key(PEM_read_bio_PrivateKey(source.get(), nullptr, no_pass_phrase, nullptr));
}

Certificate certificate_of(std::string_view pem) {
  const Source source = source_of(pem);
  return Certificate(PEM_read_bio_X509(source.get(), nullptr, no_pass_phrase, nullptr));
}

}  // namespace

Bytes sha256(std::string_view message) {
  Bytes digest(kHashBytes, '\0');
  SHA256(raw(message), message.size(), raw(digest));
  return digest;
}

Bytes hmac_sha256(std::string_view key, std::string_view message) {
  Bytes digest(kHashBytes, '\0');
  unsigned int size = kHashBytes;
  insist(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), raw(message), message.size(),
              raw(digest), &size) != nullptr,
         "compute an HMAC");
  return digest;
}

Bytes random_bytes(std::size_t count) {
  Bytes bytes(count, '\0');
  insist(RAND_bytes(raw(bytes), static_cast<int>(count)) == 1, "draw random bytes");
  return bytes;
}

std::uint32_t random_below(std::uint32_t bound) {
  const std::uint32_t limit = 256 - 256 % bound;
  for (;;) {
    const auto value = static_cast<unsigned char>(random_bytes(1).front());
    if (value < limit) return value % bound;
  }
}

bool ed25519_verifies(std::string_view public_key, std::string_view signature,
                      std::string_view message) {
  const Key key(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw(public_key), public_key.size()));
  const Context context(EVP_MD_CTX_new());
  return key != nullptr && context != nullptr &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), raw(signature), signature.size(), raw(message),
                          message.size()) == 1;
}

Ed25519Key::Ed25519Key(EVP_PKEY* key) : key_(key, EVP_PKEY_free) {}

std::optional<Ed25519Key> Ed25519Key::from_pem(std::string_view pem) {
  Key key = private_key_of(pem);
  if (key == nullptr || EVP_PKEY_base_id(key.get()) != EVP_PKEY_ED25519) return std::nullopt;
  return Ed25519Key(key.release());
}

Bytes Ed25519Key::public_key() const {
  Bytes bytes(kHashBytes, '\0');
  std::size_t size = bytes.size();
  insist(EVP_PKEY_get_raw_public_key(key_.get(), raw(bytes), &size) == 1, "read a public key");
  return bytes;
}

Bytes Ed25519Key::sign(std::string_view message) const {
  Bytes signature(kSignatureBytes, '\0');
  std::size_t size = signature.size();
  const Context context(EVP_MD_CTX_new());
  insist(
      context != nullptr &&
          EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
          EVP_DigestSign(context.get(), raw(signature), &size, raw(message), message.size()) == 1,
      "sign");
  return signature;
}

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(raw(text), raw(bytes), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::optional<Bytes> unbase64_32(std::string_view text) {
  constexpr std::size_t encoded = 44;
  if (text.size() != encoded) return std::nullopt;
  Bytes bytes(kHashBytes + 1, '\0');
  if (EVP_DecodeBlock(raw(bytes), raw(text), static_cast<int>(text.size())) < 0)
    return std::nullopt;
  bytes.resize(kHashBytes);
  if (base64(bytes) != text) return std::nullopt;
  return bytes;
}

bool holds_certificate(std::string_view pem) { return certificate_of(pem) != nullptr; }

bool is_key_of(std::string_view key_pem, std::string_view certificate_pem) {
  const Key key = private_key_of(key_pem);
  const Certificate certificate = certificate_of(certificate_pem);
  return key != nullptr && certificate != nullptr &&
         X509_check_private_key(certificate.get(), key.get()) == 1;
}

}  // namespace euchre_bot
