#include "channel.hpp"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <array>
#include <iostream>

namespace euchre_bot {

namespace {

grpc::ChannelArguments arguments_for(const Place& place) {
  grpc::ChannelArguments arguments;
  // Without its own pool a new channel would inherit the waiting time of a broken one.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // A dead network is noticed also while the others think.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // In the clear a token goes to the referee and through nobody else's hands.
  if (!place.tls) arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return arguments;
}

std::shared_ptr<grpc::ChannelCredentials> credentials_for(const Place& place) {
  if (!place.tls) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = place.tls->ca;
  options.pem_private_key = place.tls->cert_key;
  options.pem_cert_chain = place.tls->cert;
  return grpc::SslCredentials(options);
}

}  // namespace

std::shared_ptr<grpc::Channel> channel_to(const Place& place) {
  return grpc::CreateCustomChannel(place.referee, credentials_for(place), arguments_for(place));
}

std::string_view name_of(grpc::StatusCode code) {
  constexpr std::array<std::string_view, 17> names{"OK",
                                                   "CANCELLED",
                                                   "UNKNOWN",
                                                   "INVALID_ARGUMENT",
                                                   "DEADLINE_EXCEEDED",
                                                   "NOT_FOUND",
                                                   "ALREADY_EXISTS",
                                                   "PERMISSION_DENIED",
                                                   "RESOURCE_EXHAUSTED",
                                                   "FAILED_PRECONDITION",
                                                   "ABORTED",
                                                   "OUT_OF_RANGE",
                                                   "UNIMPLEMENTED",
                                                   "INTERNAL",
                                                   "UNAVAILABLE",
                                                   "DATA_LOSS",
                                                   "UNAUTHENTICATED"};
  const auto number = static_cast<std::size_t>(code);
  return number < names.size() ? names.at(number) : "UNKNOWN";
}

std::string words_of(const grpc::Status& status) {
  const std::string& details = status.error_message();
  return concat(name_of(status.error_code()), ": ", details.empty() ? "no details" : details);
}

std::string no_word(const Place& place, std::string_view fault, std::chrono::milliseconds left,
                    bool still) {
  return concat(still ? "still no word" : "no word", " from ", place.referee, " (", fault,
                "); trying again for ", (left.count() + 500) / 1000, " s");
}

void say(std::string_view line) { std::cerr << concat("euchre-bot: ", line, "\n"); }

}  // namespace euchre_bot
