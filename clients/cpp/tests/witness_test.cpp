// The duties of a seat, over the whole files that all verifiers share.
#include "witness.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "dealing.hpp"
#include "keys.hpp"
#include "support.hpp"
#include "test_keys.hpp"

namespace euchre_bot::testing {
namespace {

using nlohmann::json;

struct Line {
  Bytes event;
  Bytes sig;
};

/// A line of a transcript taken apart; nothing where it has not the form of one.
std::optional<Line> taken_apart(const std::string& line) {
  const std::string opening = R"({"event":)";
  const std::string between = R"(,"sig":")";
  const std::string closing = "\"}";
  const std::size_t cut = line.rfind(between);
  if (!line.starts_with(opening) || !line.ends_with(closing) || cut == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t start = cut + between.size();
  const auto sig = unhex(line.substr(start, line.size() - closing.size() - start));
  if (!sig) return std::nullopt;
  return Line{line.substr(opening.size(), cut - opening.size()), *sig};
}

/// A file of the vectors, with all its lines.
struct File {
  json about;
  std::vector<std::string> lines;

  [[nodiscard]] std::string id() const { return about.at("id"); }
  [[nodiscard]] bool has(const char* flag) const {
    return std::ranges::find(about.at("flags"), flag) != about.at("flags").end();
  }
  /// Whether the claim is about what the seats kept, and not about the file.
  [[nodiscard]] bool stands_beside() const { return has("receipts") || has("dealt"); }
  [[nodiscard]] bool fails_with(int exit, const char* party) const {
    return about.at("exit") == exit && about.at("party") == party;
  }
};

std::vector<File> files() {
  std::vector<File> found;
  std::map<std::string, std::vector<std::string>> lines_of;
  for (const json& about : vectors_in(VECTORS "transcripts-v1.json")) {
    std::vector<std::string> lines;
    for (const json& line : about.at("input")) {
      lines.push_back(line.is_number() ? lines_of.at(about.at("base")).at(line.get<std::size_t>())
                                       : line.get<std::string>());
    }
    lines_of[about.at("id")] = lines;
    found.push_back({about, lines});
  }
  return found;
}

/// The events of a file, as far as it can be read.
std::vector<json> events_of(const File& file) {
  std::vector<json> events;
  for (const std::string& line : file.lines) {
    const auto apart = taken_apart(line);
    if (apart) events.push_back(json::parse(apart->event, nullptr, false));
  }
  return events;
}

/// Follows a file as the seat would, whose seeds and cuts are those that the file reveals.
class Replay {
 public:
  Replay(const File& file, Seat seat) : file_(file), seat_(seat) {
    const json open = events_of(file).front();
    const json entry = open.at("seats").at(index_of(seat));
    claim_ = {.match = raw(open, "match"),
              .seat = seat,
              .name = entry.at("name"),
              .rules = open.at("rules"),
              .referee_key = referee_key(open),
              .level = entry.at("level"),
              .key = {}};
    learn(open);
  }

  /// What is wrong with the file; empty where nothing is.
  std::string fault() {
    const Bytes key = claim_.referee_key;
    Witness witness(
        claim_, [this](std::uint32_t deal) { return seeds_[deal]; },
        StateFile(folder_ / "state", name_of(seat_)),
        Receipts(claim_.match, key, ReceiptFile(folder_ / "receipts")));
    for (const std::string& line : file_.lines) {
      const auto apart = taken_apart(line);
      if (!apart) return "this is no line";
      try {
        witness.take(apart->event, apart->sig);
      } catch (const DealProofError& error) {
        return error.what();
      }
    }
    return "";
  }

 private:
  static Bytes referee_key(const json& open) {
    try {
      return PublicKey::parse(open.at("referee_key").get<std::string>()).bytes;
    } catch (const UsageError&) {
      return Bytes(32, '\0');
    }
  }

  void learn(const json& open) {
    StateFile state(folder_ / "state", name_of(seat_));
    for (const json& event : events_of(file_)) {
      if (!event.is_object() || event.value("kind", "") != "reveal_set") continue;
      const std::uint32_t deal = event.at("deal");
      seeds_[deal] = unhex(event.at("seeds").at(index_of(seat_)).get<std::string>()).value_or("");
      if (event.contains("cut")) {
        state.promise(claim_.match, raw(open, "r0"), deal, event.at("cut").get<std::uint32_t>());
      }
    }
  }

  const File& file_;
  Seat seat_;
  Folder folder_;
  Claim claim_;
  std::map<std::uint32_t, Bytes> seeds_;
};

/// Whether the seat's seeds are its own, and all of them were shown: without them nobody can say
/// which commitments were its.
bool can_follow(const File& file, Seat seat) {
  const auto events = events_of(file);
  if (events.empty() || !events.front().is_object() || !events.front().contains("seats")) {
    return false;
  }
  const json& entry = events.front().at("seats").at(index_of(seat));
  const std::string level = entry.at("level");
  if (level == "plays" || level == "signs" || entry.at("seed_by") != "seat") return false;
  std::set<std::uint32_t> committed;
  for (const json& event : events) {
    if (!event.is_object()) continue;
    if (event.value("kind", "") == "seat_commit") committed.insert(event.value("deal", 0U));
    if (event.value("kind", "") == "reveal_set") committed.erase(event.value("deal", 0U));
  }
  return committed.empty();
}

TEST(Witness, FollowsEveryHonestFileFromEverySeat) {
  std::set<std::string> followed;
  for (const File& file : files()) {
    if (file.about.at("result") != "valid" || file.id() == "proof") continue;
    for (const Seat seat : kSeats) {
      if (!can_follow(file, seat)) continue;
      EXPECT_EQ(Replay(file, seat).fault(), "") << file.id() << " as " << name_of(seat);
      followed.insert(file.id());
    }
  }
  EXPECT_GT(followed.size(), 20U);
}

// What only a verifier asks: whether faults and words are such as the rules allow.
const std::set<std::string> kLeftToTheVerifier{"action-empty",
                                               "board",
                                               "draw-card-missing",
                                               "draw-chosen",
                                               "draw-chosen-fault",
                                               "fault-aborted",
                                               "fault-of-nobody",
                                               "level",
                                               "outcome-unknown",
                                               "fault-thrown-away-open",
                                               "fault-thrown-away-turned"};

// What a verifier lays at the referee's door a seat has to notice too; receipts and cards dealt in
// private stand beside a file.
TEST(Witness, RefusesWhateverSpeaksAgainstTheReferee) {
  std::set<std::string> refused;
  for (const File& file : files()) {
    if (!file.fails_with(3, "referee") || file.stands_beside()) continue;
    if (kLeftToTheVerifier.contains(file.id())) continue;
    for (const Seat seat : kSeats) {
      if (!can_follow(file, seat)) continue;
      EXPECT_NE(Replay(file, seat).fault(), "") << file.id() << " as " << name_of(seat);
      refused.insert(file.id());
    }
  }
  EXPECT_GT(refused.size(), 30U);
}

TEST(Witness, RefusesAChainOrASignatureThatDoesNotHold) {
  int refused = 0;
  for (const File& file : files()) {
    const bool broken =
        file.fails_with(3, "file") || file.fails_with(4, "file") || file.has("form");
    if (!broken || file.about.at("result") == "valid" || file.stands_beside()) continue;
    if (!can_follow(file, Seat::north)) continue;
    EXPECT_NE(Replay(file, Seat::north).fault(), "") << file.id();
    ++refused;
  }
  EXPECT_GT(refused, 10);
}

TEST(Dealing, GivesEverySeatFivePlacesUnderEveryPattern) {
  for (const char* packets : {"3-2", "2-3", "3-2-3-2", "2-3-2-3", "single"}) {
    EXPECT_TRUE(known_packets(packets));
    for (const Seat dealer : kSeats) {
      std::set<std::uint32_t> all;
      for (const Seat seat : kSeats) {
        const auto held = positions(packets, dealer, seat);
        EXPECT_EQ(held.size(), 5U) << packets;
        EXPECT_TRUE(std::ranges::is_sorted(held));
        all.insert(held.begin(), held.end());
      }
      EXPECT_EQ(all.size(), 20U) << packets;
    }
  }
  EXPECT_EQ(positions("3-2", Seat::west, Seat::north),
            (std::vector<std::uint32_t>{0, 1, 2, 12, 13}));
  EXPECT_EQ(positions("single", Seat::north, Seat::north),
            (std::vector<std::uint32_t>{3, 7, 11, 15, 19}));
  EXPECT_FALSE(known_packets("4-1"));
}

}  // namespace
}  // namespace euchre_bot::testing
