// A bot that picks among the legal actions by a hash.
#include "choosers.hpp"
#include "euchre_bot/bot.hpp"

int main(int argc, char** argv) {
  std::string seed = "0";
  const auto choose = [&seed](const euchre_bot::View& view, const std::vector<std::string>& legal) {
    return euchre_bot::bots::choose_randomly(seed, view, legal);
  };
  return euchre_bot::run(
      choose,
      {.name = "random",
       .description = "Plays any legal action.",
       .flags = {{.name = "--seed", .help = "another seed gives another game", .value = &seed}}},
      argc, argv);
}
