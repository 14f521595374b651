// A Euchre bot: change choose.
#include <algorithm>
#include <euchre_bot/bot.hpp>
#include <string>
#include <vector>

/// Calls when we hold three of the suit; plays the first legal card.
std::string choose(const euchre_bot::View& view, const std::vector<std::string>& legal) {
  const auto order = std::find(legal.begin(), legal.end(), "order");
  if (order == legal.end() || !view.upcard) return legal.front();
  const char suit = view.upcard->back();
  const auto held = std::count_if(view.hand.begin(), view.hand.end(),
                                  [suit](const std::string& card) { return card.back() == suit; });
  return held > 2 ? *order : legal.front();
}

int main(int argc, char** argv) {
  return euchre_bot::run(choose, {.name = "@NAME@"}, argc, argv);
}
