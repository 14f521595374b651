// What a seat keeps on disk: its secret, and what it has bound itself to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "bytes.hpp"
#include "euchre_bot/view.hpp"
#include "fields.hpp"
#include "seal.hpp"

namespace euchre_bot {

/// Where secrets and state lie unless flags say otherwise.
std::filesystem::path default_directory();

/// Makes the folder of a file.
void make_parent(const std::filesystem::path& path);

/// More bytes than a file of one line has: a token, a secret, a request.
inline constexpr std::size_t kLongestLine = 1 << 12;
/// More bytes than keys and certificates have, all that a machine trusts together too.
inline constexpr std::size_t kLongestFile = 1 << 20;

/// Refuses what is there and is no file, as a folder, a pipe and a device are none.
void check_regular(const std::filesystem::path& path, std::string_view what);

/// All bytes of a file that a flag names; `what` it is stands in the error.
///
/// One that can be none of ours is refused: what is no file, and what is longer than `most`.
Bytes read_file(const std::filesystem::path& path, std::string_view what,
                std::size_t most = kLongestFile);

/// As `read_file`; a file that others may read is refused.
Bytes read_private_file(const std::filesystem::path& path, std::string_view what,
                        std::size_t most = kLongestFile);

/// Writes a file that nobody else can read, in place of what it held.
void write_private_file(const std::filesystem::path& path, std::string_view text);

/// The seat's 32-byte secret; made on first use, readable by its owner alone.
Bytes load_secret(const std::filesystem::path& path);

/// An open file that is closed when its owner goes.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  [[nodiscard]] int get() const { return number_; }

  /// Reads from here to the end, or a little more than `most`; -1 in errno's way is an empty
  /// optional.
  [[nodiscard]] std::optional<Bytes> read_on(std::size_t most = Bytes::npos) const;

  /// Whether all bytes were written.
  [[nodiscard]] bool write_all(std::string_view bytes) const;

 private:
  int number_;
};

/// Promises, one JSON line each, on disk before the referee hears of them.
///
/// Several processes may share the file, of other languages too: it is locked and read on before
/// each promise. In one match it is one seat's.
///
/// The file only grows, by whole lines at its end, and of two promises for one deal the first
/// stands: so it is sound also beside a process that cannot lock it, as Node's.
class StateFile {
 public:
  StateFile(std::filesystem::path path, std::string_view seat);

  /// Refuses a match id that we know under another chain, or in another seat.
  void check_match(const Bytes& match, const Bytes& r0);

  /// Writes down what we are about to commit to; the cut that stands, if one was promised.
  Cut promise(const Bytes& match, const Bytes& r0, std::uint32_t deal, Cut cut);

  /// The cut that we have committed to for a deal, if any.
  Cut promised_cut(const Bytes& match, std::uint32_t deal);

  /// Refuses a commit set other than the one we have revealed a deal's seed for.
  void check_answer(const Bytes& match, std::uint32_t deal, const Bytes& cset);

  /// Writes down the commit set that we are about to reveal for; a second one is refused.
  void answer(const Bytes& match, std::uint32_t deal, const Bytes& cset);

 private:
  struct Promises {
    std::optional<std::string> seat;
    std::optional<std::string> r0;
    std::map<std::uint32_t, Cut> cuts;
    std::map<std::uint32_t, std::string> answered;
  };
  class Lock;

  void read_on();
  void learn_line(std::string_view line);
  void learn(const Json& row);
  void append(const Json& row);
  Promises& known(const Bytes& match) { return matches_[hex(match)]; }
  void compare_match(const Bytes& match, const Bytes& r0);
  void compare_answer(const Bytes& match, std::uint32_t deal, const Bytes& cset);
  [[noreturn]] void fail(const char* verb, int error) const;

  std::filesystem::path path_;
  std::string seat_;
  FileDescriptor file_;
  std::int64_t read_ = 0;
  bool torn_ = false;
  std::map<std::string, Promises> matches_;
};

}  // namespace euchre_bot
