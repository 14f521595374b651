// A bot that plays as a careful beginner would: count trumps, lead aces, win cheaply.
#include "choosers.hpp"
#include "euchre_bot/bot.hpp"

int main(int argc, char** argv) {
  return euchre_bot::run(euchre_bot::bots::choose_sensibly,
                         {.name = "sensible", .description = "Plays sensibly."}, argc, argv);
}
