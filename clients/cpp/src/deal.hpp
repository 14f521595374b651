// One deal as its seat follows it: what was promised, and whether it was kept.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "fields.hpp"
#include "seal.hpp"

namespace euchre_bot {

/// What match_open fixes for every deal.
struct Terms {
  Bytes match;
  Seat seat{};
  std::string pack;
  std::string packets;
  std::string cut;
  std::string first_dealer;
  std::uint32_t chain = 0;
  bool rated = false;
  std::set<Seat> declined;
  std::array<std::optional<Bytes>, 4> keys;  // of the seats that sign
};

/// A value of the referee's hash chain that is already public, and its index.
struct Link {
  std::uint32_t index = 0;
  Bytes value;
};

/// Whether an action's word is one whose cards stay face down until the close.
bool is_hidden_move(std::string_view word);

/// What is known of a deal so far; every step that breaks a promise is a DealProofError.
class Deal {
 public:
  Deal(const Terms& terms, std::uint32_t number, Link link, std::optional<Seat> dealer,
       std::optional<Seat> cutter);

  [[nodiscard]] const Terms& terms() const { return *terms_; }
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] std::optional<Seat> cutter() const { return cutter_; }
  [[nodiscard]] bool we_cut() const { return cutter_ == terms_->seat; }
  [[nodiscard]] const Bytes& cset() const { return cset_; }
  [[nodiscard]] std::uint64_t cset_seq() const { return cset_seq_; }
  [[nodiscard]] const Bytes& cset_head() const { return cset_head_; }

  /// What a seat has committed to, where it has.
  [[nodiscard]] const Bytes* commit_of(Seat seat) const;

  /// Our own commitment, as our secret gives it; absent where we have promised none.
  void expect_commit(std::optional<Bytes> mine) { mine_ = std::move(mine); }

  void take_commit(const Fields& fields);

  /// The signed set of commitments: ours in place, four that differ, the chain continued.
  void take_commit_set(const Fields& fields, const Bytes& head);

  /// The seeds, each one that was committed to.
  void take_reveal_set(const Fields& fields);
  void take_deck_root(const Fields& fields);

  /// The dealer draw's cards, and the dealer it gives.
  Seat take_dealer_draw(const Fields& fields);
  void take_turn_up(const Fields& fields);

  /// Cards of ours: the five at our places in the deal, then what a move has given us.
  void take_private_deal(const Bytes& root, const std::vector<Opened>& cards);

  /// An action: ours is what we sent, a signing seat's is signed, unless it was played for it.
  void take_action(const Fields& fields, std::uint64_t seq, const Bytes& before);

  /// The close: the whole deck derived again, and every hidden card opened.
  Link take_close(const Fields& fields);

  /// Notes the head after an event, which an attempt may be signed over.
  void note_head(std::uint64_t seq, const Bytes& head) { heads_[seq] = head; }

  /// Notes what we are about to send, and what of it was accepted.
  void note_sent(std::uint64_t seq, std::string text) { sent_[seq] = std::move(text); }
  void note_accepted(std::uint64_t seq) { accepted_.insert(seq); }

  /// Whether a move of ours was accepted for an event that is not this move.
  [[nodiscard]] bool denies(std::uint64_t seq) const {
    return accepted_.contains(seq) && !stood_.contains(seq);
  }

  /// Notes that our reveal was accepted.
  void note_revealed();

  /// Whether it was closed void though its commit set stood.
  [[nodiscard]] bool voided() const { return voided_; }

  /// What a seat signs of its reveal.
  [[nodiscard]] Bytes reveal_message(Seat seat) const;

  /// The cards that a view shows as ours, against those that were sealed for us.
  void check_view(const std::vector<std::string>& hand) const;

  /// Where a card of ours lay in the deal; the upcard counts as ours.
  [[nodiscard]] std::optional<std::uint32_t> position_of(const std::string& card) const;

  /// The event that gives us cards which have not come yet, where there is one.
  [[nodiscard]] std::optional<std::uint64_t> cards_due_since() const;

 private:
  struct Hidden {
    Seat seat;
    std::string word;
    Bytes commit;

    // Whether cards at these positions may be what it kept face down.
    [[nodiscard]] bool may_open(const std::vector<std::uint32_t>& places, std::size_t cards) const;
  };

  [[nodiscard]] Bytes down(const Bytes& value, std::uint32_t index) const;
  [[nodiscard]] std::string said(const std::string& what) const;
  [[nodiscard]] const std::vector<std::string>& pack() const { return *pack_named(terms_->pack); }
  void check_seat_signature(const std::string& what, Seat seat, const Bytes& sig,
                            const Bytes& message) const;
  Opened read_opened(const Fields& fields) const;
  void check_opened(const std::string& where, const Opened& card) const;
  [[nodiscard]] bool is_due(const std::vector<std::uint32_t>& held) const;
  [[nodiscard]] bool holds(std::uint32_t position) const { return hand_.contains(position); }
  void check_own_action(const Fields& fields, std::uint64_t seq, const std::string& move) const;
  void check_outcome(const Fields& fields);
  void check_blame() const;
  void check_deck(const Fields& fields, const Bytes& r) const;
  void check_draw(const Fields& fields, const SealedDeck& deck) const;
  void check_openings(const Fields& fields) const;
  void check_attempts(const Fields& fields) const;

  const Terms* terms_;  // the match's, which outlives its deals
  std::uint32_t number_;
  Link link_;
  std::optional<Seat> dealer_;
  std::optional<Seat> cutter_;
  std::optional<Bytes> mine_;
  std::map<Seat, Bytes> commits_;
  Four all_commits_;
  Bytes cset_;
  std::uint64_t cset_seq_ = 0;
  Bytes cset_head_;
  std::optional<Four> seeds_;
  Cut cut_;
  std::vector<Bytes> leaves_;
  Bytes root_;
  std::uint64_t root_seq_ = 0;
  std::optional<Seat> start_;
  std::vector<Opened> turned_;
  std::map<std::uint32_t, std::string> hand_;  // by position
  std::map<std::uint64_t, Hidden> hidden_;
  std::map<std::uint64_t, Bytes> heads_;
  std::map<std::uint64_t, std::string> sent_;
  std::set<std::uint64_t> accepted_;
  std::set<std::uint64_t> stood_;  // the events that are moves of ours, and not played for us
  std::string awaited_;            // `swap` or `give`, until its cards have come
  std::uint64_t awaited_seq_ = 0;
  bool revealed_ = false;  // our reveal was accepted
  bool blamed_ = false;    // we are said to have withheld
  bool voided_ = false;
};

}  // namespace euchre_bot
