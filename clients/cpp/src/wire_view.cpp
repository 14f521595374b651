#include "wire_view.hpp"

#include "bytes.hpp"
#include "euchre_bot/errors.hpp"

namespace euchre_bot {

namespace pb = euchre::referee::v1;

namespace {

std::vector<Seat> seats_of(const google::protobuf::RepeatedField<int>& seats) {
  std::vector<Seat> found;
  for (const int seat : seats) found.push_back(seat_of(static_cast<pb::Seat>(seat)));
  return found;
}

std::optional<std::string> if_said(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

Sides sides_of(const pb::Sides& sides) { return {sides.ns(), sides.ew()}; }

}  // namespace

Seat seat_of(pb::Seat seat) {
  if (seat < pb::SEAT_NORTH || seat > pb::SEAT_WEST) {
    throw DealProofError(
        concat("the referee named seat ", static_cast<int>(seat), ", which is no seat"));
  }
  return kSeats.at(static_cast<std::size_t>(seat - pb::SEAT_NORTH));
}

View view_of(const pb::View& view, const std::string& match, std::uint64_t limit_ms) {
  View shown;
  shown.match = match;
  shown.deal = view.deal();
  shown.state_version = view.state_version();
  shown.limit_ms = limit_ms;
  shown.seat = seat_of(view.seat());
  shown.phase = view.phase();
  shown.dealer = seat_of(view.dealer());
  shown.hand.assign(view.hand().begin(), view.hand().end());
  shown.counts.assign(view.counts().begin(), view.counts().end());
  shown.upcard = if_said(view.upcard());
  shown.upcard_state = if_said(view.upcard_state());
  if (view.has_trump()) shown.trump = view.trump();
  if (view.has_maker()) shown.maker = seat_of(view.maker());
  shown.alone = seats_of(view.alone());
  shown.out = seats_of(view.out());
  if (view.has_led()) shown.led = view.led();
  for (const auto& played : view.trick()) {
    shown.trick.push_back({seat_of(played.seat()), played.card()});
  }
  shown.tricks = sides_of(view.tricks());
  shown.score = sides_of(view.score());
  if (view.has_turn()) shown.turn = seat_of(view.turn());
  shown.legal.assign(view.legal().begin(), view.legal().end());
  return shown;
}

}  // namespace euchre_bot
