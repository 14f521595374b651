// The two sample bots of every language, as clients/SENSIBLE.md has them.
#pragma once

#include <string>
#include <vector>

#include "euchre_bot/view.hpp"

namespace euchre_bot::bots {

/// A legal action by a hash: always the same for one seed and moment, and no better than chance.
std::string choose_randomly(const std::string& seed, const View& view,
                            const std::vector<std::string>& legal);

/// A sound action, as a careful beginner would take it.
std::string choose_sensibly(const View& view, const std::vector<std::string>& legal);

}  // namespace euchre_bot::bots
