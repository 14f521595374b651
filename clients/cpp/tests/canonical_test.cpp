// The form of an event.
#include "fields.hpp"
#include "support.hpp"

namespace euchre_bot::testing {
namespace {

bool is_event(const std::string& text) {
  try {
    Fields::parse("event 0", text);
    return true;
  } catch (const DealProofError&) {
    return false;
  }
}

TEST(Canonical, AnEventHasOneSpelling) {
  EXPECT_TRUE(is_event(R"({"a":1,"b":["x",true]})"));
  EXPECT_FALSE(is_event(R"({"b":1,"a":2})"));
  EXPECT_FALSE(is_event(R"({"a": 1})"));
  EXPECT_FALSE(is_event(R"({"a":1,"a":1})"));
  EXPECT_FALSE(is_event(R"({"a":1.0})"));
  EXPECT_FALSE(is_event(R"({"a":-1})"));
  EXPECT_FALSE(is_event(R"({"a":null})"));
  EXPECT_FALSE(is_event(R"({"a":"\u0041"})"));
  EXPECT_FALSE(is_event("{\"a\":\"\xc3\xa9\"}"));
  EXPECT_FALSE(is_event("\xef\xbb\xbf{}"));
  EXPECT_FALSE(is_event("{} "));
  EXPECT_FALSE(is_event("[]"));
  EXPECT_FALSE(is_event(R"({"a":9007199254740992})"));
  EXPECT_TRUE(is_event(R"({"a":9007199254740991})"));
}

TEST(Canonical, NestingEndsAtSix) {
  const auto nested = [](std::size_t depth) {
    return R"({"a":)" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
  };
  EXPECT_TRUE(is_event(nested(6)));
  EXPECT_FALSE(is_event(nested(7)));
  EXPECT_FALSE(is_event(nested(200'000)));
}

TEST(Canonical, AFieldOfTheWrongTypeIsNamedWithItsPlace) {
  const Fields fields = Fields::parse("event 3", R"({"a":"x","b":{"c":[1,"y"]},"d":5000000000})");
  EXPECT_EQ(said_by<DealProofError>([&] { (void)fields.number("a"); }),
            "event 3: a is not a number");
  EXPECT_EQ(said_by<DealProofError>([&] { (void)fields.child("b").small_numbers("c"); }),
            "event 3, b: c is not a list of numbers");
  EXPECT_EQ(said_by<DealProofError>([&] { (void)fields.text("e"); }), "event 3 has no e");
  EXPECT_EQ(said_by<DealProofError>([&] { (void)fields.seat("a"); }),
            "event 3: a is not a seat but 'x'");
  EXPECT_EQ(said_by<DealProofError>([&] { (void)fields.small("d"); }),
            "event 3: d is too large a number");
}

}  // namespace
}  // namespace euchre_bot::testing
