#include "joining.hpp"

#include <grpcpp/client_context.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "channel.hpp"
#include "crypto.hpp"
#include "euchre/referee/v1/lobby.grpc.pb.h"
#include "euchre_bot/errors.hpp"
#include "files.hpp"

namespace euchre_bot {

namespace {

namespace pb = euchre::referee::v1;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kRequestIdBytes = 16;
constexpr auto kPatience = std::chrono::seconds(10);
constexpr auto kTotal = std::chrono::seconds(60);
constexpr auto kPause = std::chrono::milliseconds(500);

std::filesystem::path beside(std::filesystem::path path, const char* ending) {
  path += ending;
  return path;
}

Bytes request_id(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    write_private_file(path, hex(random_bytes(kRequestIdBytes)) + "\n");
  }
  const auto id = unhex(stripped(read_file(path, "the request", kLongestLine)));
  if (!id || id->size() != kRequestIdBytes) {
    throw UsageError(
        concat(repr(path.string()), " is no request of ours: remove it, and try again"));
  }
  return *id;
}

// What only another code or request can mend.
bool is_ours(grpc::StatusCode code) {
  return code == grpc::StatusCode::INVALID_ARGUMENT || code == grpc::StatusCode::NOT_FOUND ||
         code == grpc::StatusCode::FAILED_PRECONDITION;
}

// A lost answer is asked for again.
std::string token_for(const Place& place, const pb::JoinMatchRequest& request) {
  const auto stub = pb::LobbyService::NewStub(channel_to(place));
  const auto end = Clock::now() + kTotal;
  std::optional<Clock::time_point> told;
  for (;;) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kPatience);
    pb::JoinMatchResponse response;
    const grpc::Status status = stub->JoinMatch(&context, request, &response);
    if (status.ok()) return response.token();
    if (is_ours(status.error_code())) {
      throw UsageError("the invitation gives no seat: " + status.error_message());
    }
    const auto now = Clock::now();
    if (status.error_code() != grpc::StatusCode::UNAVAILABLE || now > end) {
      throw RefereeLostError(words_of(status));
    }
    if (!told || now >= *told + kToldEvery) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - now);
      say(no_word(place, words_of(status), left, told.has_value()));
      told = now;
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

void take_seat(const Flags& flags) {
  if (!flags.invitation) return;
  if (!flags.token_file) {
    throw UsageError("--invitation needs --token-file FILE: the seat's token is kept there");
  }
  const std::filesystem::path& file = *flags.token_file;
  if (std::filesystem::exists(file)) return;
  const std::filesystem::path kept = beside(file, ".request");
  pb::JoinMatchRequest request;
  request.set_code(ascii(*flags.invitation));
  request.set_request_id(request_id(kept));
  std::string token;
  try {
    token = token_for(Place::read(flags), request);
  } catch (const UsageError&) {
    std::filesystem::remove(kept);
    throw;
  }
  const std::filesystem::path part = beside(file, ".part");
  write_private_file(part, token + "\n");
  std::filesystem::rename(part, file);
  std::filesystem::remove(kept);
}

}  // namespace euchre_bot
