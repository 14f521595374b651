#include "files.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "crypto.hpp"
#include "euchre_bot/errors.hpp"

namespace euchre_bot {

namespace {

constexpr mode_t kPrivate = 0600;
constexpr mode_t kOthers = 077;
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kLongestQuote = 80;
// A state file is held by another process for a moment only; after this long it is given up.
constexpr std::chrono::seconds kLockPatience{5};
constexpr std::chrono::milliseconds kLockPause{10};
#ifdef F_OFD_SETLK
constexpr int kSetLock = F_OFD_SETLK;
#else
constexpr int kSetLock = F_SETLK;
#endif

UsageError failure(std::string_view verb, std::string_view what, const std::filesystem::path& path,
                   int error) {
  return UsageError(concat("cannot ", verb, " ", what, what.empty() ? "" : " ", repr(path.string()),
                           ": ", std::strerror(error)));
}

FileDescriptor open_file(const std::filesystem::path& path, int flags) {
  return FileDescriptor(::open(path.c_str(), flags | O_CLOEXEC, kPrivate));
}

void check_private(const std::filesystem::path& path, const FileDescriptor& file) {
  struct stat found {};
  if (::fstat(file.get(), &found) == 0 && (found.st_mode & kOthers) != 0) {
    throw UsageError(concat("others may read ", repr(path.string()), ": run chmod 600 on it"));
  }
}

// A new file is there for good once its folder is on the disk too.
bool flush_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  const FileDescriptor opened = open_file(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  return opened.get() >= 0 && ::fsync(opened.get()) == 0;
}

Bytes read_checked(const std::filesystem::path& path, std::string_view what, std::size_t most,
                   bool is_private) {
  check_regular(path, what);
  const FileDescriptor file = open_file(path, O_RDONLY);
  if (file.get() < 0) throw failure("read", what, path, errno);
  if (is_private) check_private(path, file);
  const auto bytes = file.read_on(most);
  if (!bytes) throw failure("read", what, path, errno);
  if (bytes->size() > most) {
    throw UsageError(
        concat(what, " ", repr(path.string()), " is longer than ", most, " bytes (name another)"));
  }
  return *bytes;
}

// Whoever links first has made the secret; a half-written one is never seen under its name.
void create_secret(const std::filesystem::path& path) {
  std::filesystem::path draft = path;
  draft += concat(".", ::getpid(), ".", hex(random_bytes(4)));
  const FileDescriptor file = open_file(draft, O_WRONLY | O_CREAT | O_EXCL);
  const bool made = file.get() >= 0 && file.write_all(hex(random_bytes(kSecretBytes)) + "\n") &&
                    ::fsync(file.get()) == 0 &&
                    (::link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST) &&
                    flush_folder(path);
  const int error = errno;
  ::unlink(draft.c_str());
  if (!made) throw failure("make", "the secret", path, error);
}

}  // namespace

std::filesystem::path default_directory() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state != '\0') return std::filesystem::path(state) / "euchre-bot";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') {
    const passwd* user = ::getpwuid(::getuid());
    home = user == nullptr ? "." : user->pw_dir;
  }
  return std::filesystem::path(home) / ".local" / "state" / "euchre-bot";
}

void make_parent(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  if (folder.empty()) return;
  std::filesystem::path made;
  for (const auto& part : folder) {
    made /= part;
    if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST) {
      const int error = errno;
      if (std::error_code ignored; std::filesystem::is_directory(made, ignored)) continue;
      throw failure("make", "the directory of", path, error);
    }
  }
}

void check_regular(const std::filesystem::path& path, std::string_view what) {
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
    throw UsageError(concat(what, " ", repr(path.string()), " is no regular file (name another)"));
  }
}

Bytes read_file(const std::filesystem::path& path, std::string_view what, std::size_t most) {
  return read_checked(path, what, most, false);
}

Bytes read_private_file(const std::filesystem::path& path, std::string_view what,
                        std::size_t most) {
  return read_checked(path, what, most, true);
}

void write_private_file(const std::filesystem::path& path, std::string_view text) {
  const FileDescriptor file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.get() < 0 || !file.write_all(text)) throw failure("write", "", path, errno);
}

Bytes load_secret(const std::filesystem::path& path) {
  make_parent(path);
  if (::access(path.c_str(), F_OK) != 0) create_secret(path);
  const Bytes text = read_private_file(path, "the secret", kLongestLine);
  const auto secret = unhex(stripped(text));
  if (!secret || secret->size() != kSecretBytes) {
    throw UsageError(
        concat("the secret ", repr(path.string()), " does not hold 64 hex digits: restore it"));
  }
  return *secret;
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

std::optional<Bytes> FileDescriptor::read_on(std::size_t most) const {
  Bytes bytes;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t size = ::read(number_, part.data(), part.size());
    if (size == 0 || bytes.size() > most) return bytes;
    if (size > 0) {
      bytes.append(part.data(), static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      return std::nullopt;
    }
  }
}

bool FileDescriptor::write_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t size = ::write(number_, bytes.data(), bytes.size());
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// Holds the file alone, with everything in it known.
class StateFile::Lock {
 public:
  explicit Lock(StateFile& state) : number_(state.file_.get()) {
    take(state);
    try {
      state.read_on();
    } catch (...) {
      set(F_UNLCK);
      throw;
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { set(F_UNLCK); }

 private:
  // Others need the file for a moment only.
  void take(const StateFile& state) const {
    const auto end = std::chrono::steady_clock::now() + kLockPatience;
    while (!set(F_WRLCK)) {
      if (errno != EAGAIN && errno != EACCES && errno != EINTR) state.fail("lock", errno);
      if (std::chrono::steady_clock::now() > end) {
        throw UsageError(concat("the state ", repr(state.path_.string()),
                                " is held by another process"
                                " (wait for it to end, or give each bot its own --state-file)"));
      }
      std::this_thread::sleep_for(kLockPause);
    }
  }

  // A lock of the open file, and not of the process; POSIX locks, as Java's, see it too.
  bool set(short kind) const {
    struct flock whole {};
    whole.l_type = kind;
    whole.l_whence = SEEK_SET;
    return ::fcntl(number_, kSetLock, &whole) == 0;
  }

  int number_;
};

StateFile::StateFile(std::filesystem::path path, std::string_view seat)
    : path_(std::move(path)), seat_(seat), file_(-1) {
  make_parent(path_);
  check_regular(path_, "the state");
  file_ = open_file(path_, O_RDWR | O_CREAT | O_APPEND);
  if (file_.get() < 0) fail("open", errno);
  check_private(path_, file_);
  if (!flush_folder(path_)) fail("flush", errno);
  const Lock lock(*this);
}

void StateFile::fail(const char* verb, int error) const {
  throw failure(verb, "the state", path_, error);
}

void StateFile::read_on() {
  if (::lseek(file_.get(), read_, SEEK_SET) < 0) fail("read", errno);
  const auto news = file_.read_on();
  if (!news) fail("read", errno);
  const std::size_t whole = news->rfind('\n') + 1;  // 0 where there is no line feed
  torn_ = whole < news->size();
  std::string_view lines = std::string_view(*news).substr(0, whole);
  while (!lines.empty()) {
    const std::size_t size = lines.find('\n');
    learn_line(lines.substr(0, size));
    lines.remove_prefix(size + 1);
  }
  read_ += static_cast<std::int64_t>(whole);
}

void StateFile::learn_line(std::string_view line) {
  // What a crash has torn counts for nothing: nothing is sent before its line is flushed.
  if (line.empty() || (line.front() == '{' && line.back() != '}')) return;
  try {
    learn(Json::parse(line));
  } catch (const Json::exception&) {
    throw UsageError(concat("the state ", repr(path_.string()),
                            " holds a line that is not ours: ", repr(line.substr(0, kLongestQuote)),
                            " (move the file away only if no match of yours is open)"));
  }
}

void StateFile::learn(const Json& row) {
  const auto deal = row.at("deal").get<std::uint32_t>();
  Promises& promises = matches_[row.at("match").get<std::string>()];
  if (row.contains("cset")) {
    promises.answered.try_emplace(deal, row.at("cset").get<std::string>());
    return;
  }
  const auto r0 = row.at("r0").get<std::string>();
  if (!promises.r0) promises.r0 = r0;
  if (!promises.seat && row.contains("seat")) promises.seat = row.at("seat").get<std::string>();
  promises.cuts.try_emplace(deal,
                            row.contains("cut") ? Cut(row.at("cut").get<std::uint32_t>()) : Cut());
}

void StateFile::append(const Json& row) {
  const Bytes line = (torn_ ? "\n" : "") + canonical(row) + "\n";
  if (!file_.write_all(line) || ::fsync(file_.get()) != 0) fail("write", errno);
  read_on();  // and not only this line: another may have come before it
}

void StateFile::compare_match(const Bytes& match, const Bytes& r0) {
  const Promises& promises = known(match);
  if (promises.seat && *promises.seat != seat_) {
    throw UsageError(concat("the state ", repr(path_.string()), " is that of ", *promises.seat,
                            " in this match: two seats with one secret have equal seeds"
                            " (give each seat its own files)"));
  }
  if (promises.r0 && *promises.r0 != hex(r0)) {
    throw DealProofError(
        concat("match ", hex(match), " was opened before with another r0: its seeds are spent"));
  }
}

void StateFile::compare_answer(const Bytes& match, std::uint32_t deal, const Bytes& cset) {
  const Promises& promises = known(match);
  const auto found = promises.answered.find(deal);
  if (found != promises.answered.end() && found->second != hex(cset)) {
    throw DealProofError(concat("deal ", deal, " of match ", hex(match),
                                " has a second commit set: ", hex(cset), " after ", found->second,
                                ", which we answered"));
  }
}

void StateFile::check_match(const Bytes& match, const Bytes& r0) {
  const Lock lock(*this);
  compare_match(match, r0);
}

Cut StateFile::promise(const Bytes& match, const Bytes& r0, std::uint32_t deal, Cut cut) {
  const Lock lock(*this);
  compare_match(match, r0);
  const Promises& promises = known(match);
  const auto found = promises.cuts.find(deal);
  if (found != promises.cuts.end()) return found->second;
  Json row = {{"match", hex(match)}, {"r0", hex(r0)}, {"deal", deal}, {"seat", seat_}};
  if (cut) row["cut"] = *cut;
  append(row);
  compare_match(match, r0);
  return known(match).cuts.at(deal);
}

Cut StateFile::promised_cut(const Bytes& match, std::uint32_t deal) {
  const Lock lock(*this);
  const Promises& promises = known(match);
  const auto found = promises.cuts.find(deal);
  return found == promises.cuts.end() ? Cut() : found->second;
}

void StateFile::check_answer(const Bytes& match, std::uint32_t deal, const Bytes& cset) {
  const Lock lock(*this);
  compare_answer(match, deal, cset);
}

void StateFile::answer(const Bytes& match, std::uint32_t deal, const Bytes& cset) {
  const Lock lock(*this);
  compare_answer(match, deal, cset);
  if (known(match).answered.contains(deal)) return;
  append({{"match", hex(match)}, {"deal", deal}, {"cset", hex(cset)}});
  compare_answer(match, deal, cset);
}

}  // namespace euchre_bot
