#include "options.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "euchre_bot/errors.hpp"
#include "files.hpp"

namespace euchre_bot {

namespace {

using Path = std::optional<std::filesystem::path>;

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_loopback(std::string host) {
  if (host == "localhost" || host == "[::1]") return true;
  std::ranges::replace(host, '.', ' ');
  const std::vector<std::string> parts = words_of(host);
  return parts.size() == 4 && parts.front() == "127" && std::ranges::all_of(parts, is_number);
}

// Whether it is HOST:PORT or unix:PATH.
bool is_address(const std::string& referee) {
  constexpr std::size_t longest_port = 5;
  constexpr int last_port = 65'535;
  if (referee.starts_with("unix:")) return referee.size() > std::string_view("unix:").size();
  const std::size_t colon = referee.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  const std::string port = referee.substr(colon + 1);
  if (!is_number(port) || port.size() > longest_port) return false;
  const int number = std::stoi(port);
  return number > 0 && number <= last_port;
}

bool is_local(const std::string& referee) {
  return referee.starts_with("unix:") || is_loopback(referee.substr(0, referee.rfind(':')));
}

void add_flags(CLI::App& app, Flags& flags) {
  const std::string folder = default_directory().string();
  const auto add = [&app](const char* name, auto& value, const std::string& help) {
    return app.add_option(name, value, help)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  };
  const auto path = [&app](const char* name, Path& value, const std::string& help) {
    app.add_option_function<std::string>(
           name, [&value](const std::string& text) { value = text; }, help)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->type_name("FILE");
  };
  add("--referee", flags.referee, "where the referee is")->type_name("HOST:PORT");
  path("--token-file", flags.token_file, "file with the seat's token (or set EUCHRE_TOKEN)");
  add("--invitation", flags.invitation, "take the seat of CODE; its token goes to the file")
      ->type_name("CODE");
  add("--name", flags.name, concat("the bot's name at the table (default: ", flags.name, ")"))
      ->type_name("NAME");
  add("--level", flags.level,
      "what we do for the seal: plays, seeds, checks or signs (default: checks)")
      ->type_name("LEVEL");
  path("--seat-key", flags.seat_key, "the seat's private key (PEM): sign every reveal and move");
  path("--secret-file", flags.secret_file,
       concat("32 bytes of our seeds (default: a seat's in ", folder, ")"));
  path("--state-file", flags.state_file, "what we committed to (default: as for the secret)");
  path("--receipts", flags.receipts, "folder for the referee's receipts (default: by the state)");
  add("--key,--referee-key", flags.key, "the referee's public key to insist on: name+id+base64")
      ->type_name("KEY");
  path("--ca", flags.ca, "PEM file of the authority behind the referee's TLS certificate");
  path("--cert", flags.cert, "our own certificate (PEM), where the referee asks for one");
  path("--cert-key", flags.cert_key, "its private key (PEM)");
  app.add_flag("--insecure", flags.insecure, "send the token in the clear to another machine");
}

std::string token_of(const Path& path) {
  const char* variable = std::getenv("EUCHRE_TOKEN");
  const Bytes held = path ? read_file(*path, "the token", kLongestLine)
                          : Bytes(variable == nullptr ? "" : variable);
  const std::string_view token = stripped(held);
  const bool printable =
      !token.empty() && std::ranges::all_of(token, [](char c) { return c > ' ' && c <= '~'; });
  if (!printable) {
    const std::string where =
        path ? concat("the token file ", repr(path->string())) : "EUCHRE_TOKEN";
    throw UsageError(where + " holds no token: give --token-file FILE with the token alone");
  }
  return std::string(token);
}

std::string level_of(const Flags& flags) {
  std::string level = flags.level.value_or(flags.seat_key ? "signs" : "checks");
  if (level != "plays" && level != "seeds" && level != "checks" && level != "signs") {
    throw UsageError(concat("not a level: ", repr(level), " (use plays, seeds, checks or signs)"));
  }
  if ((level == "signs") != flags.seat_key.has_value()) {
    throw UsageError(concat("level ", level,
                            " and --seat-key do not go together: give the key to sign with"
                            " --level signs, or neither"));
  }
  return level;
}

Bytes certificate(const std::filesystem::path& path, std::string_view what) {
  Bytes pem = read_file(path, what);
  if (!holds_certificate(pem)) {
    throw UsageError(concat(repr(path.string()), " holds no certificate in PEM form"));
  }
  return pem;
}

std::optional<Tls> tls_of(const Flags& flags) {
  if (flags.cert.has_value() != flags.cert_key.has_value() || (flags.cert && !flags.ca)) {
    throw UsageError("--cert, --cert-key and --ca go together: give all three, or --ca alone");
  }
  if (!flags.ca) return std::nullopt;
  Tls tls{.ca = certificate(*flags.ca, "the authority"), .cert = {}, .cert_key = {}};
  if (flags.cert) {
    tls.cert = certificate(*flags.cert, "the certificate");
    tls.cert_key = read_file(*flags.cert_key, "the certificate's key");
    if (!is_key_of(tls.cert_key, tls.cert)) {
      throw UsageError(concat(repr(flags.cert_key->string()),
                              " does not hold the private key of the certificate in ",
                              repr(flags.cert->string())));
    }
  }
  return tls;
}

[[noreturn]] void refuse_empty(std::string_view flag) {
  throw UsageError(concat(flag, " is empty (give it a value, or leave it out)"));
}

// A flag with nothing in it, as `--ca "$CA"` has where there is no CA, is not the same as no flag.
void check_filled(const Flags& flags) {
  const std::initializer_list<std::pair<std::string_view, const Path*>> paths = {
      {"--token-file", &flags.token_file},
      {"--seat-key", &flags.seat_key},
      {"--secret-file", &flags.secret_file},
      {"--state-file", &flags.state_file},
      {"--receipts", &flags.receipts},
      {"--ca", &flags.ca},
      {"--cert", &flags.cert},
      {"--cert-key", &flags.cert_key}};
  for (const auto& [flag, path] : paths) {
    if (*path && (*path)->empty()) refuse_empty(flag);
  }
  if (flags.invitation == "") refuse_empty("--invitation");
}

// The parser would say of `--ca=` that there is no value for it, and not that it is empty.
void check_written(const CLI::App& app, int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--") || !word.ends_with('=')) continue;
    const std::string flag(word.substr(0, word.size() - 1));
    if (app.get_option_no_throw(flag) != nullptr) refuse_empty(flag);
  }
}

std::string stem_of(std::string name, Seat seat) {
  std::ranges::replace_if(
      name,
      [](char c) {
        return !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
               c != '_' && c != '-';
      },
      '_');
  return concat(name, "-", name_of(seat));
}

}  // namespace

std::optional<Flags> parse_flags(const About& about, int argc, const char* const* argv,
                                 Help& help) {
  Flags flags;
  flags.name = about.name;
  CLI::App app(about.description, about.name);
  add_flags(app, flags);
  for (const TextFlag& flag : about.flags) {
    app.add_option(flag.name, *flag.value, flag.help)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  check_written(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    help.text = app.help();
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw UsageError(concat(error.what(), " (--help lists the flags)"));
  }
  return flags;
}

Place Place::read(const Flags& flags) {
  check_filled(flags);
  if (!is_address(flags.referee)) {
    throw UsageError(
        concat("not an address: ", repr(flags.referee), " (write HOST:PORT or unix:PATH)"));
  }
  if (!flags.ca && !flags.insecure && !is_local(flags.referee)) {
    throw UsageError(concat(repr(flags.referee),
                            " is not this machine: a token goes there only over TLS"
                            " (give --ca FILE, or --insecure to send it in the clear)"));
  }
  return {flags.referee, tls_of(flags)};
}

Options Options::read(const Flags& flags) {
  Options options{.place = Place::read(flags),
                  .token = {},
                  .name = flags.name,
                  .level = level_of(flags),
                  .seat_key = {},
                  .pinned = {},
                  .secret_file = flags.secret_file,
                  .state_file = flags.state_file,
                  .receipts = flags.receipts};
  if (!is_name(flags.name)) {
    throw UsageError(concat("not a name for a bot: ", repr(flags.name),
                            " (1 to 32 printable ASCII characters without space, \", \\"
                            " and +)"));
  }
  options.token = token_of(flags.token_file);
  if (flags.seat_key) options.seat_key = load_seat_key(*flags.seat_key);
  if (flags.key) options.pinned = PublicKey::parse(*flags.key);
  return options;
}

std::filesystem::path Options::secret_of(Seat seat) const {
  return secret_file.value_or(default_directory() / (stem_of(name, seat) + ".secret"));
}

std::filesystem::path Options::state_of(Seat seat) const {
  return state_file.value_or(default_directory() / (stem_of(name, seat) + ".state.jsonl"));
}

std::filesystem::path Options::receipts_of(Seat seat, std::string_view match) const {
  const auto folder = receipts.value_or(state_of(seat).parent_path() / "receipts");
  return folder / concat(match, "-", name_of(seat), ".jsonl");
}

}  // namespace euchre_bot
