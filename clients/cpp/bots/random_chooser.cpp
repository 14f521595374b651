
#include <algorithm>

#include "choosers.hpp"
#include "crypto.hpp"

namespace euchre_bot::bots {

std::string choose_randomly(const std::string& seed, const View& view,
                            const std::vector<std::string>& legal) {
  const Bytes digest = sha256(
      concat(ascii(seed), "/", view.match, "/", view.state_version + 1, "/", name_of(view.seat)));
  std::uint32_t drawn = 0;
  for (const char byte : digest.substr(0, 4)) {
    drawn = (drawn << 8U) | static_cast<unsigned char>(byte);
  }
  std::vector<std::string> sorted = legal;
  std::ranges::sort(sorted);
  return sorted.at(drawn % sorted.size());
}

}  // namespace euchre_bot::bots
