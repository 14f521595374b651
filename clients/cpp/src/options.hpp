// The flags of a bot, and what they come to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bytes.hpp"
#include "crypto.hpp"
#include "euchre_bot/bot.hpp"
#include "keys.hpp"

namespace euchre_bot {

/// The flags as they were given.
struct Flags {
  std::string referee = "127.0.0.1:8377";
  std::optional<std::filesystem::path> token_file;
  std::optional<std::string> invitation;
  std::string name;
  std::optional<std::string> level;
  std::optional<std::filesystem::path> seat_key;
  std::optional<std::filesystem::path> secret_file;
  std::optional<std::filesystem::path> state_file;
  std::optional<std::filesystem::path> receipts;
  std::optional<std::string> key;
  std::optional<std::filesystem::path> ca;
  std::optional<std::filesystem::path> cert;
  std::optional<std::filesystem::path> cert_key;
  bool insecure = false;
};

/// What is printed under `--help`, in place of flags.
struct Help {
  std::string text;
};

/// The flags of a command line, or the help that it asks for; the bot's own are written to.
std::optional<Flags> parse_flags(const About& about, int argc, const char* const* argv, Help& help);

/// The authority behind a referee's certificate, and our own certificate, all in PEM form.
struct Tls {
  Bytes ca;
  Bytes cert;
  Bytes cert_key;
};

/// How to reach the referee; a token goes to another machine over TLS only, unless told otherwise.
struct Place {
  std::string referee;
  std::optional<Tls> tls;

  static Place read(const Flags& flags);
};

/// Where to play, as whom, and with which files.
struct Options {
  Place place;
  std::string token;
  std::string name;
  std::string level;
  std::optional<Ed25519Key> seat_key;
  std::optional<PublicKey> pinned;
  std::optional<std::filesystem::path> secret_file;
  std::optional<std::filesystem::path> state_file;
  std::optional<std::filesystem::path> receipts;

  /// The options that flags come to; the files that they name are read here.
  static Options read(const Flags& flags);

  /// Secret, state and receipts of a seat; no two seats share them unless they are named.
  [[nodiscard]] std::filesystem::path secret_of(Seat seat) const;
  [[nodiscard]] std::filesystem::path state_of(Seat seat) const;
  [[nodiscard]] std::filesystem::path receipts_of(Seat seat, std::string_view match) const;
};

}  // namespace euchre_bot
