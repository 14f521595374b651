#include "result.hpp"

#include <utility>

#include "bytes.hpp"

namespace euchre_bot {

namespace {

std::optional<std::string> word(const Fields& close, const char* key) {
  return close.has(key) ? std::optional(close.text(key)) : std::nullopt;
}

}  // namespace

Score Score::of(const Fields& close) {
  const Fields score = close.child("score");
  return {.ns = score.number("ns"), .ew = score.number("ew")};
}

std::string Score::text() const { return concat("ns ", ns, " ew ", ew); }

Result Result::of(std::string match, const Fields& close, bool games, std::optional<Score> last) {
  return {.match = std::move(match),
          .outcome = close.text("outcome"),
          .by = word(close, "by"),
          .winner = word(close, "winner"),
          .score = Score::of(close),
          .games = games,
          .last = last,
          .deals = close.number("deals")};
}

std::string Result::text() const {
  std::string told = concat("match ", match, ": ", outcome);
  if (by) told += " by " + *by;
  if (winner) {
    const bool theirs = *winner == "ew";
    told += concat(": ", *winner, " wins ", theirs ? score.ew : score.ns, "-",
                   theirs ? score.ns : score.ew);
  } else {
    told += concat(": nobody wins, ", score.text());
  }
  told += games ? " in games" : " in points";
  if (games && last) told += ", the last one " + last->text();
  return concat(told, ", after ", deals, " deal", deals == 1 ? "" : "s");
}

}  // namespace euchre_bot
