// Connections to the referee.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "options.hpp"

namespace euchre_bot {

/// A connection of its own; over TLS where an authority is given, with our certificate if any.
std::shared_ptr<grpc::Channel> channel_to(const Place& place);

/// The name of a status code, as `UNAVAILABLE`.
std::string_view name_of(grpc::StatusCode code);

/// What a status says, in one line.
std::string words_of(const grpc::Status& status);

/// How often an operator is told that the referee is still away.
inline constexpr std::chrono::seconds kToldEvery{10};

/// What the operator is told while nobody answers, and how long we go on trying.
std::string no_word(const Place& place, std::string_view fault, std::chrono::milliseconds left,
                    bool still);

/// Tells the operator, on standard error.
void say(std::string_view line);

}  // namespace euchre_bot
