#include "events.hpp"

#include <set>

#include "keys.hpp"
#include "seal.hpp"

namespace euchre_bot {

namespace {

bool must_be_signed(std::string_view kind) {
  return kind == "match_open" || kind == "commit_set" || kind == "deck_root" ||
         kind == "deal_close" || kind == "match_close";
}

Bytes referee_key(const Fields& fields) {
  try {
    return PublicKey::parse(fields.text("referee_key")).bytes;
  } catch (const UsageError&) {
    throw fields.wrong("the referee's key is not a sound one");
  }
}

void check_signature(const Fields& fields, const Bytes& key, const Bytes& head, const Bytes& sig) {
  if (sig.empty()) throw DealProofError(fields.where() + " is not signed by the referee");
  if (!verifies(key, sig, referee_signed_bytes(head))) {
    throw DealProofError(fields.where() + " has a signature that is not the referee's");
  }
}

}  // namespace

Event EventChain::take(const Bytes& event, const Bytes& sig) {
  const std::string where = concat("event ", next_seq_);
  Fields fields = Fields::parse(where, event);
  const std::string kind = fields.text("kind");
  fields = fields.named(concat(where, " (", kind, ")"));
  const std::uint64_t seq = fields.number("seq");
  if (seq != next_seq_) {
    throw DealProofError(
        concat("event ", seq, " (", kind, ") came where event ", next_seq_, " was due"));
  }
  if (fields.octets("prev", kHashBytes) != head_) {
    throw DealProofError(fields.where() + " does not continue the chain of events");
  }
  if ((seq == 0) != (kind == "match_open")) {
    throw fields.wrong("the match has to open with match_open, once");
  }
  if (seq == 0) key_ = referee_key(fields);
  const Bytes head = event_head(head_, event);
  if (must_be_signed(kind) || !sig.empty()) check_signature(fields, key_, head, sig);
  head_ = head;
  ++next_seq_;
  return {seq, kind, std::move(fields), head};
}

}  // namespace euchre_bot
