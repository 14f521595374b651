#include "seat_loop.hpp"

#include <grpcpp/client_context.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "channel.hpp"
#include "crypto.hpp"
#include "euchre/referee/v1/play.grpc.pb.h"
#include "euchre_bot/errors.hpp"
#include "files.hpp"
#include "keys.hpp"
#include "receipts.hpp"
#include "wire_view.hpp"
#include "witness.hpp"

namespace euchre_bot {

namespace {

namespace pb = euchre::referee::v1;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::uint32_t kProtocolVersion = 1;
constexpr std::size_t kMatchBytes = 16;
constexpr std::size_t kRequestIdBytes = 16;
constexpr std::size_t kBlindBytes = 32;

// How often and how long to try again when the referee is away.
constexpr milliseconds kFirstPause{200};
constexpr milliseconds kLongestPause{5'000};
constexpr milliseconds kPatience{60'000};
constexpr milliseconds kLongestDrain{3'600'000};

pb::Level level_of(const std::string& word) {
  if (word == "plays") return pb::LEVEL_PLAYS;
  if (word == "seeds") return pb::LEVEL_SEEDS;
  return word == "signs" ? pb::LEVEL_SIGNS : pb::LEVEL_CHECKS;
}

/// Whether an input is an answer to a question.
bool answers(const pb::PlayInput& said, const pb::Ask& ask) {
  if (ask.what() == "act") {
    return said.has_act() && said.act().seq() == ask.view().state_version() + 1;
  }
  if (ask.what() == "commit") return said.has_commit() && said.commit().deal() == ask.deal();
  return said.has_reveal() && said.reveal().deal() == ask.deal();
}

/// The end of a stream after which trying again is hopeless, as an error.
void give_up_if_hopeless(const grpc::Status& status) {
  const auto said = [&status](const char* why) {
    return concat(why, " (", status.error_message(), ")");
  };
  switch (status.error_code()) {
    case grpc::StatusCode::UNAUTHENTICATED:
      throw UsageError(said("the referee does not know this token: ask for a new one"));
    case grpc::StatusCode::PERMISSION_DENIED:
      throw RefereeLostError(said("this token is for another seat"));
    case grpc::StatusCode::FAILED_PRECONDITION:
      throw RefereeLostError(said("the referee does not accept our Hello"));
    case grpc::StatusCode::INVALID_ARGUMENT:
      throw RefereeLostError(said("the referee does not understand our Hello"));
    case grpc::StatusCode::UNIMPLEMENTED:
      throw RefereeLostError(said("there is no Euchre referee at this address"));
    default:
      return;
  }
}

/// One connection: requests out, items in. It is cancelled when it goes.
class PlayStream {
 public:
  explicit PlayStream(const Place& place)
      : stub_(pb::PlayService::NewStub(channel_to(place))), stream_(stub_->Play(&context_)) {}
  PlayStream(const PlayStream&) = delete;
  PlayStream& operator=(const PlayStream&) = delete;
  ~PlayStream() {
    if (!finished_) finish(/*cancel=*/true);
  }

  // A request that cannot be sent is noticed by the reader.
  void send(const pb::PlayRequest& request) { stream_->Write(request); }

  void send(const pb::PlayInput& input) {
    pb::PlayRequest request;
    *request.add_inputs() = input;
    send(request);
  }

  bool receive(pb::PlayResponse& response) { return stream_->Read(&response); }

  grpc::Status finish(bool cancel = false) {
    if (cancel) context_.TryCancel();
    finished_ = true;
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<pb::PlayService::Stub> stub_;
  std::unique_ptr<grpc::ClientReaderWriter<pb::PlayRequest, pb::PlayResponse>> stream_;
  bool finished_ = false;
};

/// One seat's conversation, over as many connections as it takes.
class SeatLoop {
 public:
  SeatLoop(const Choose& choose, const Options& options) : choose_(choose), options_(options) {}

  /// Follows the match over reconnects until it is closed.
  Result play() {
    for (;;) {
      const grpc::Status end = follow();
      if (result_) return *result_;
      give_up_if_hopeless(end);
      wait(end.ok() ? "the referee ended the stream" : words_of(end));
    }
  }

 private:
  grpc::Status follow() {
    PlayStream stream(options_.place);
    resumed_at_ = witness_ ? witness_->resume() : 0;
    resume_end_ = witness_ ? witness_->next_seq() : 0;
    stream.send(hello());
    pb::PlayResponse response;
    while (stream.receive(response)) {
      for (const pb::PlayItem& item : response.items()) take(item, stream);
      if (witness_) witness_->end_of_message();
      if (result_) return grpc::Status::OK;
    }
    return stream.finish();
  }

  [[nodiscard]] pb::PlayRequest hello() const {
    pb::PlayRequest request;
    pb::Hello& hello = *request.mutable_hello();
    hello.set_protocol(kProtocolVersion);
    pb::SeatHello& seat = *hello.add_seats();
    seat.set_token(options_.token);
    seat.set_name(options_.name);
    seat.set_level(level_of(options_.level));
    seat.set_own_seeds(options_.level != "plays");
    if (options_.seat_key) seat.set_key(options_.seat_key->public_key());
    seat.set_resume(resumed_at_);
    return request;
  }

  void wait(const std::string& fault) {
    const auto now = Clock::now();
    const bool still = away_since_.has_value();
    if (!away_since_) away_since_ = now + retry_after_;
    const auto left = std::chrono::duration_cast<milliseconds>(*away_since_ + kPatience - now);
    if (!still || now >= told_at_ + kToldEvery) {
      told_at_ = now;
      say(no_word(options_.place, fault, left, still));
    }
    const milliseconds pause = std::max(delay_, retry_after_);
    if (pause > left) {
      throw RefereeLostError(concat("gave up on ", options_.place.referee, " after ",
                                    kPatience.count() / 1000, " s: ", fault,
                                    " (start the bot again with the same files to go on)"));
    }
    retry_after_ = milliseconds(0);
    delay_ = std::min(kLongestPause, 2 * delay_);
    std::this_thread::sleep_for(pause);
  }

  void arrived() {
    away_since_.reset();
    delay_ = kFirstPause;
  }

  // -- items

  void take(const pb::PlayItem& item, PlayStream& stream) {
    switch (item.item_case()) {
      case pb::PlayItem::kWelcome:
        return greet(item.welcome(), stream);
      case pb::PlayItem::kStatus:
        return take_status(item, stream);
      case pb::PlayItem::kDraining:
        retry_after_ = milliseconds(std::min<std::uint64_t>(
            item.draining().retry_ms(), static_cast<std::uint64_t>(kLongestDrain.count())));
        return;
      case pb::PlayItem::kSuperseded:
        throw SeatTakenError("another process has taken this seat with the same token");
      case pb::PlayItem::kFault:
        return say(
            concat(name_of(seat_of(item.fault().seat())), " is at fault: ", item.fault().why()));
      case pb::PlayItem::ITEM_NOT_SET:
        return;  // a kind from after this client was written
      default:
        if (!witness_) throw RefereeLostError("the referee sent items before Welcome");
        return take_play(item, stream);
    }
  }

  void take_play(const pb::PlayItem& item, PlayStream& stream) {
    switch (item.item_case()) {
      case pb::PlayItem::kEvent:
        return take_event(item.event());
      case pb::PlayItem::kPrivateDeal:
        return take_cards(item.private_deal());
      case pb::PlayItem::kReceipt:
        return take_receipt(item.receipt());
      case pb::PlayItem::kRuling:
        return take_ruling(item.ruling(), stream);
      default:
        return take_ask(item.ask(), stream);
    }
  }

  void greet(const pb::Welcome& welcome, PlayStream& stream) {
    arrived();  // it is there, though nothing may happen for a while
    if (!witness_) {
      sit_down(welcome);
    } else if (welcome.match() != match_ || seat_of(welcome.seat()) != seat_) {
      throw RefereeLostError("the referee now has this token for another match");
    } else if (welcome.referee_key() != referee_key_) {
      throw DealProofError("the referee came back with another key than the one it had");
    }
    if (pending_) stream.send(*pending_);
  }

  void sit_down(const pb::Welcome& welcome) {
    check_key(welcome.referee_key());
    const auto match = unhex(welcome.match());
    if (!match || match->size() != kMatchBytes) {
      throw RefereeLostError(
          concat("the referee named a match ", repr(welcome.match()), ", which is no match id"));
    }
    match_ = welcome.match();
    const auto counted = welcome.rules().find("deals");
    games_ = counted == welcome.rules().end() || counted->second == "none";
    referee_key_ = welcome.referee_key();
    seat_ = seat_of(welcome.seat());
    Claim claim{.match = *match,
                .seat = seat_,
                .name = options_.name,
                .rules = {welcome.rules().begin(), welcome.rules().end()},
                .referee_key = welcome.referee_key(),
                .level = options_.level,
                .key = options_.seat_key};
    Receipts receipts(*match, welcome.referee_key(),
                      ReceiptFile(options_.receipts_of(seat_, match_)));
    SeedOf seed = [secret = load_secret(options_.secret_of(seat_)),
                   match = *match](std::uint32_t deal) { return seat_seed(secret, match, deal); };
    witness_.emplace(std::move(claim), std::move(seed),
                     StateFile(options_.state_of(seat_), name_of(seat_)), std::move(receipts));
    say(concat("seated ", name_of(seat_), " in match ", match_));
  }

  void check_key(const Bytes& key) const {
    if (!usable_key(key)) {
      throw UsageError("the referee shows no sound Ed25519 key: do not play there");
    }
    if (options_.pinned && options_.pinned->bytes != key) {
      throw UsageError(concat("the referee's key is not the pinned one but ",
                              repr(PublicKey{options_.pinned->name, key}.text())));
    }
  }

  void take_event(const pb::Event& item) {
    // What comes a second time comes with the cards that we asked for again.
    if (item.seq() >= resumed_at_ && item.seq() < resume_end_) return;
    const Event event = witness_->take(item.event(), item.sig());
    arrived();
    if (event.kind == "match_open" && !options_.pinned) {
      say(concat("warning: the referee's key is not pinned; to pin it: --key '",
                 event.fields.text("referee_key"), "'"));
    }
    if (const auto twin = witness_->twin(event)) {
      say(concat("warning: ", name_of(*twin),
                 " plays with our secret: two equal seeds count for one"
                 " (give each seat its own --secret-file)"));
    }
    if (event.kind == "action") forget_question();
    if (event.kind == "deal_close" && event.fields.text("outcome") != "draw") {
      last_ = Score::of(event.fields);
    }
    if (event.kind == "match_close") result_ = Result::of(match_, event.fields, games_, last_);
  }

  void take_cards(const pb::PrivateDeal& dealt) {
    std::vector<Opened> cards;
    for (const auto& card : dealt.cards()) {
      cards.push_back({card.position(), card.card(), card.salt()});
    }
    witness_->private_deal(dealt.deal(), dealt.root(), cards, dealt.sig());
  }

  void take_receipt(const pb::Receipt& receipt) {
    std::vector<ReceiptItem> items;
    for (const auto& item : receipt.items()) {
      items.push_back({item.match(), item.deal(), item.seq(), item.head()});
    }
    witness_->receipt(items, receipt.sig());
  }

  // -- answers

  void forget_question() {
    unanswered_.reset();
    refused_.reset();
  }

  void take_ask(const pb::Ask& ask, PlayStream& stream) {
    if (pending_ && answers(*pending_, ask)) {
      unanswered_ = ask;  // sent already; its ruling is on the way
    } else {
      answer(ask, stream);
    }
  }

  void answer_again(PlayStream& stream) {
    if (unanswered_) answer(pb::Ask(*unanswered_), stream);
  }

  void answer(const pb::Ask& ask, PlayStream& stream) {
    unanswered_.reset();
    pb::PlayInput said;
    said.set_match(match_);
    said.set_seat(static_cast<pb::Seat>(pb::SEAT_NORTH + static_cast<int>(index_of(seat_))));
    said.set_request_id(random_bytes(kRequestIdBytes));
    if (ask.what() == "commit") {
      said.mutable_commit()->set_deal(ask.deal());
      said.mutable_commit()->set_commit(witness_->commit(ask.deal(), ask.cutter()));
    } else if (ask.what() == "reveal") {
      show(witness_->reveal(ask.deal()), ask.deal(), *said.mutable_reveal());
    } else if (ask.what() == "act") {
      decide(ask, *said.mutable_act());
    } else {
      throw RefereeLostError(
          concat("the referee asks for ", repr(ask.what()), ": update this client"));
    }
    pending_ = said;
    pending_deal_ = ask.deal();
    stream.send(said);
  }

  static void show(const Reveal& shown, std::uint32_t deal, pb::Reveal& said) {
    said.set_deal(deal);
    said.set_seed(shown.seed);
    said.set_cset(shown.cset);
    said.set_head(shown.head);
    said.set_sig(shown.sig);
    if (shown.cut) said.set_cut(*shown.cut);
  }

  void decide(const pb::Ask& ask, pb::Act& act) {
    const std::uint64_t seq = ask.view().state_version() + 1;
    View view = view_of(ask.view(), match_, ask.limit_ms());
    witness_->check_ask(ask.deal(), seq, view.hand);
    view.refused = refused_;
    act.set_seq(seq);
    act.set_action(ascii(choose_(view, view.legal)));
    const std::vector<std::string> words = words_of(act.action());
    const bool legal = std::ranges::find(view.legal, act.action()) != view.legal.end();
    if (legal && is_hidden_move(words.front())) {
      act.set_blind(random_bytes(kBlindBytes * (words.size() - 1)));
    }
    act.set_seat_sig(witness_->move(ask.deal(), seq, act.action(), act.blind()));
  }

  void take_ruling(const pb::Ruling& ruling, PlayStream& stream) {
    if (!pending_ || pending_->request_id() != ruling.request_id()) return;
    const pb::PlayInput said = *std::exchange(pending_, std::nullopt);
    if (ruling.accepted()) {
      forget_question();
      if (said.has_act()) witness_->accepted_act(pending_deal_, said.act().seq());
      if (said.has_commit()) witness_->accepted_commit(pending_deal_);
      if (said.has_reveal()) witness_->accepted_reveal(pending_deal_);
      return;
    }
    const std::string& action = said.act().action();
    say(concat("refused ", repr(action), ": ", ruling.reason(), ": ", ruling.text()));
    refused_ = Refusal{action, ruling.reason(), ruling.text()};
    answer_again(stream);
  }

  void take_status(const pb::PlayItem& item, PlayStream& stream) {
    const auto code = static_cast<grpc::StatusCode>(item.status().code());
    const std::string words =
        concat("the referee says ", name_of(code), ": ", item.status().message());
    if (!pending_ || pending_->request_id() != item.request_id()) {
      say(words);
    } else if (code == grpc::StatusCode::UNAVAILABLE ||
               code == grpc::StatusCode::RESOURCE_EXHAUSTED) {
      wait(words);
      stream.send(*pending_);
    } else {
      if (code != grpc::StatusCode::ABORTED) say(words);
      pending_.reset();
      answer_again(stream);
    }
  }

  const Choose& choose_;
  const Options& options_;
  std::optional<Clock::time_point> away_since_;
  Clock::time_point told_at_;
  milliseconds delay_ = kFirstPause;
  milliseconds retry_after_{0};
  std::string match_;
  Bytes referee_key_;
  Seat seat_{};
  std::optional<Witness> witness_;
  std::uint64_t resumed_at_ = 0;
  std::uint64_t resume_end_ = 0;
  std::optional<pb::PlayInput> pending_;
  std::uint32_t pending_deal_ = 0;
  std::optional<pb::Ask> unanswered_;
  std::optional<Refusal> refused_;
  bool games_ = true;
  std::optional<Score> last_;
  std::optional<Result> result_;
};

}  // namespace

Result play(const Choose& choose, const Options& options) {
  // What is named and does not do is said before the match.
  if (options.secret_file) load_secret(*options.secret_file);
  if (options.state_file) StateFile(*options.state_file, "");
  return SeatLoop(choose, options).play();
}

}  // namespace euchre_bot
