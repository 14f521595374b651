#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>

#include "channel.hpp"
#include "euchre_bot/bot.hpp"
#include "joining.hpp"
#include "options.hpp"
#include "seat_loop.hpp"

namespace euchre_bot {

namespace {

constexpr int kStopped = 130;

extern "C" void stop(int /*signal*/) {
  constexpr std::string_view line =
      "euchre-bot: stopped; the seat stays ours: start again with the same files to go on\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(kStopped);
}

void prepare_process() {
  ::signal(SIGINT, stop);
  ::signal(SIGPIPE, SIG_IGN);
  // What breaks is said by us, once; gRPC's own lines come back with GRPC_VERBOSITY=error.
  ::setenv("GRPC_VERBOSITY", "none", /*overwrite=*/0);
}

}  // namespace

int run(const Choose& choose, const About& about, int argc, char** argv) {
  prepare_process();
  try {
    Help help;
    const auto flags = parse_flags(about, argc, argv, help);
    if (!flags) {
      std::cout << help.text;
      return 0;
    }
    Place::read(*flags);  // a place that does not do is said before a seat is taken there
    take_seat(*flags);
    say(play(choose, Options::read(*flags)).text());
    return 0;
  } catch (const BotError& error) {
    say(error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    say(std::string("the bot failed: ") + error.what());
    return 1;
  } catch (...) {  // its function may throw anything
    say("the bot failed: it threw what is no std::exception");
    return 1;
  }
}

}  // namespace euchre_bot
