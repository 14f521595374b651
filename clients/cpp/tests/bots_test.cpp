// Both sample bots, in the positions that all languages share.
#include <algorithm>

#include "choosers.hpp"
#include "support.hpp"

namespace euchre_bot::testing {
namespace {

using nlohmann::json;

Seat seat_in(const json& word) { return *seat_named(word.get<std::string>()); }

template <typename Value>
void if_there(const json& given, const char* key, std::optional<Value>& value) {
  if (!given.contains(key)) return;
  if constexpr (std::is_same_v<Value, Seat>) {
    value = seat_in(given.at(key));
  } else {
    value = given.at(key).get<Value>();
  }
}

View view_in(const json& given) {
  View view;
  view.match = given.at("match");
  view.state_version = given.at("state_version");
  view.seat = seat_in(given.at("seat"));
  view.phase = given.at("phase");
  view.dealer = seat_in(given.at("dealer"));
  view.hand = given.at("hand");
  view.legal = given.at("legal");
  if_there(given, "upcard", view.upcard);
  if_there(given, "trump", view.trump);
  if_there(given, "maker", view.maker);
  if_there(given, "led", view.led);
  for (const json& seat : given.at("out")) view.out.push_back(seat_in(seat));
  for (const json& played : given.at("trick")) {
    view.trick.push_back({seat_in(played.at("seat")), played.at("card")});
  }
  return view;
}

std::string choice(const json& asked, const View& view, const std::vector<std::string>& legal) {
  if (asked.at("bot") == "sensible") return bots::choose_sensibly(view, legal);
  return bots::choose_randomly(asked.at("seed"), view, legal);
}

void expect_all_of(const char* bot) {
  int count = 0;
  for (const json& asked : vectors_in(DECISIONS)) {
    if (asked.at("bot") != bot) continue;
    const View view = view_in(asked.at("view"));
    std::vector<std::string> reversed = view.legal;
    std::ranges::reverse(reversed);
    EXPECT_EQ(choice(asked, view, view.legal), asked.at("action")) << asked.at("view");
    EXPECT_EQ(choice(asked, view, reversed), asked.at("action")) << asked.at("view");
    ++count;
  }
  EXPECT_GT(count, 0);
}

TEST(Bots, SensibleDecidesAsTheSameBotOfEveryLanguage) { expect_all_of("sensible"); }

TEST(Bots, RandomDecidesAsTheSameBotOfEveryLanguage) { expect_all_of("random"); }

TEST(Bots, APhaseFromLaterTakesTheFirstLegalAction) {
  View view;
  view.phase = "auction";
  EXPECT_EQ(bots::choose_sensibly(view, {"bid 7", "bid 6"}), "bid 6");
}

}  // namespace
}  // namespace euchre_bot::testing
