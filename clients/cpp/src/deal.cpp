#include "deal.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "dealing.hpp"
#include "keys.hpp"

namespace euchre_bot {

namespace {

Four four_of(const std::vector<Bytes>& list) {
  Four four;
  std::ranges::copy(list, four.begin());
  return four;
}

}  // namespace

bool is_hidden_move(std::string_view word) {
  return word == "discard" || word == "give" || word == "swap";
}

Deal::Deal(const Terms& terms, std::uint32_t number, Link link, std::optional<Seat> dealer,
           std::optional<Seat> cutter)
    : terms_(&terms), number_(number), link_(std::move(link)), dealer_(dealer), cutter_(cutter) {}

const Bytes* Deal::commit_of(Seat seat) const {
  const auto found = commits_.find(seat);
  return found == commits_.end() ? nullptr : &found->second;
}

std::string Deal::said(const std::string& what) const {
  return concat("deal ", number_, ": ", what);
}

Bytes Deal::down(const Bytes& value, std::uint32_t index) const {
  return chain_descend(terms_->match, value, index, link_.index);
}

void Deal::take_commit(const Fields& fields) {
  const Seat seat = fields.seat("seat");
  Bytes commit = fields.octets("commit", kHashBytes);
  if (!cset_.empty() || commits_.contains(seat) || terms_->declined.contains(seat)) {
    throw fields.wrong(concat(name_of(seat), " cannot commit now"));
  }
  if (seat == terms_->seat && commit != mine_) {
    throw fields.wrong(
        concat("the commitment of ", name_of(seat), " is not the one of our secret"));
  }
  commits_[seat] = std::move(commit);
}

void Deal::take_commit_set(const Fields& fields, const Bytes& head) {
  const Four commits = four_of(fields.octets_list("commits", kSeats.size(), {kHashBytes}));
  if (commits[index_of(terms_->seat)] != mine_) {
    throw fields.wrong("our own commitment is not in its place");
  }
  if (std::set<Bytes>(commits.begin(), commits.end()).size() != commits.size()) {
    throw fields.wrong("two seats have the same commitment");
  }
  for (const Seat seat : kSeats) {
    const Bytes& commit = commits.at(index_of(seat));
    const Bytes* made = commit_of(seat);
    const bool kept = terms_->declined.contains(seat)
                          ? commit == seat_commit(terms_->match, number_, index_of(seat), "", {})
                          : made != nullptr && commit == *made;
    if (!kept) {
      throw fields.wrong(concat("the commitment of ", name_of(seat), " is not the one it made"));
    }
  }
  const Bytes r_commit = fields.octets("r_commit", kHashBytes);
  if (down(r_commit, number_) != link_.value) {
    throw fields.wrong("r_commit does not continue the referee's chain");
  }
  Bytes cset = commit_set(terms_->match, number_, terms_->pack, r_commit, commits);
  if (cset != fields.octets("cset", kHashBytes)) {
    throw fields.wrong("cset is not the hash of the commit set");
  }
  all_commits_ = commits;
  cset_ = std::move(cset);
  cset_seq_ = fields.number("seq");
  cset_head_ = head;
}

void Deal::take_reveal_set(const Fields& fields) {
  if (cset_.empty()) throw DealProofError(fields.where() + " came before commit_set");
  const Four seeds = four_of(fields.octets_list("seeds", kSeats.size(), {0, kHashBytes}));
  const Cut cut = fields.has("cut") ? Cut(fields.small("cut")) : Cut();
  if (cut.has_value() != cutter_.has_value()) {
    throw fields.wrong("a cut goes with a cutter, and only with one");
  }
  if (cut && *cut >= pack().size()) {
    throw fields.wrong(concat("the cut ", *cut, " is more than the pack holds"));
  }
  for (const Seat seat : kSeats) {
    const std::size_t at = index_of(seat);
    const Cut own_cut = seat == cutter_ ? cut : Cut();
    const Bytes made = seat_commit(terms_->match, number_, at, seeds.at(at), own_cut);
    if (seeds.at(at).empty() != terms_->declined.contains(seat) || made != all_commits_.at(at)) {
      throw fields.wrong(concat("the seed of ", name_of(seat), " is not the one it committed to"));
    }
  }
  const auto sigs = fields.octets_list("sigs", kSeats.size(), {0, kSignatureBytes});
  for (const Seat seat : kSeats) {
    check_seat_signature(concat(fields.where(), ": the reveal of ", name_of(seat)), seat,
                         sigs[index_of(seat)], reveal_message(seat));
  }
  seeds_ = seeds;
  cut_ = cut;
}

Bytes Deal::reveal_message(Seat seat) const {
  return reveal_signed_bytes(terms_->match, number_, index_of(seat), cset_,
                             all_commits_.at(index_of(seat)), cset_head_);
}

void Deal::check_seat_signature(const std::string& what, Seat seat, const Bytes& sig,
                                const Bytes& message) const {
  const std::optional<Bytes>& key = terms_->keys.at(index_of(seat));
  if (!key && !sig.empty()) throw DealProofError(what + " is signed, and its seat has no key");
  if (key && !verifies(*key, sig, message)) {
    throw DealProofError(what + " is not signed by its seat");
  }
}

void Deal::take_deck_root(const Fields& fields) {
  if (!seeds_) throw DealProofError(fields.where() + " came before reveal_set");
  std::vector<Bytes> leaves = fields.octets_list("leaves", pack().size(), {kHashBytes});
  Bytes root = fields.octets("root", kHashBytes);
  if (tree_head(leaves) != root) throw fields.wrong("the root is not that of the leaves");
  leaves_ = std::move(leaves);
  root_ = std::move(root);
  root_seq_ = fields.number("seq");
}

Opened Deal::read_opened(const Fields& fields) const {
  Opened card{fields.small("position"), fields.text("card"), fields.octets("salt", kHashBytes)};
  check_opened(fields.where(), card);
  return card;
}

void Deal::check_opened(const std::string& where, const Opened& card) const {
  if (card.position >= leaves_.size()) {
    throw DealProofError(concat(where, ": position ", card.position, " has no leaf yet"));
  }
  if (std::ranges::find(pack(), card.card) == pack().end()) {
    throw DealProofError(concat(where, ": ", repr(card.card), " is not a card of the pack"));
  }
  if (leaf(terms_->match, number_, card.position, card.card, card.salt) != leaves_[card.position]) {
    throw DealProofError(
        concat(where, ": ", card.card, " at position ", card.position, " is not the sealed card"));
  }
}

Seat Deal::take_dealer_draw(const Fields& fields) {
  start_ = fields.seat("start");
  for (const Fields& item : fields.children("turned")) turned_.push_back(read_opened(item));
  dealer_ = fields.seat("dealer");
  return *dealer_;
}

void Deal::take_turn_up(const Fields& fields) {
  if (fields.small("position") != kUpcardPosition) {
    throw fields.wrong(concat("the upcard lies at ", kUpcardPosition));
  }
  turned_.push_back(read_opened(fields));
}

void Deal::take_private_deal(const Bytes& root, const std::vector<Opened>& cards) {
  const std::string where = concat("the private deal of deal ", number_);
  if (root_.empty() || root != root_) {
    throw DealProofError(where + ": its root is not that of the deck");
  }
  if (!dealer_ || start_) throw DealProofError(where + ": the dealer draw deals no hands");
  std::vector<std::uint32_t> held;
  for (const Opened& card : cards) held.push_back(card.position);
  if (!is_due(held)) {
    throw DealProofError(concat(where, ": positions [", joined(held, ", "), "] are not those of ",
                                name_of(terms_->seat)));
  }
  for (const Opened& card : cards) check_opened(where, card);
  const bool news = std::ranges::any_of(held, [this](auto place) { return !holds(place); });
  for (const Opened& card : cards) hand_[card.position] = card.card;
  if (news) awaited_.clear();
}

bool Deal::is_due(const std::vector<std::uint32_t>& held) const {
  if (hand_.empty()) return held == positions(terms_->packets, *dealer_, terms_->seat);
  // What we hold may come again.
  if (std::ranges::all_of(held, [this](auto place) { return holds(place); })) return true;
  if (awaited_ == "swap") return held == kSwapPositions;
  return awaited_ == "give" && held.size() == 1;
}

std::optional<std::uint64_t> Deal::cards_due_since() const {
  if (leaves_.empty() || start_ || !dealer_) return std::nullopt;
  if (hand_.empty()) return root_seq_;
  if (!awaited_.empty()) return awaited_seq_;
  return std::nullopt;
}

void Deal::check_view(const std::vector<std::string>& hand) const {
  if (hand_.empty() && !hand.empty()) {
    throw DealProofError(said("we are asked to act but were shown no sealed cards"));
  }
  for (const std::string& card : hand) {
    const bool dealt =
        std::ranges::any_of(hand_, [&card](const auto& held) { return held.second == card; });
    const bool taken =
        dealer_ == terms_->seat && std::ranges::any_of(turned_, [&card](const Opened& up) {
          return up.position == kUpcardPosition && up.card == card;
        });
    if (!dealt && !taken) {
      throw DealProofError(said(repr(card) + " in our view was not dealt to us"));
    }
  }
}

std::optional<std::uint32_t> Deal::position_of(const std::string& card) const {
  for (const Opened& up : turned_) {
    if (up.card == card) return up.position;
  }
  for (const auto& [position, held] : hand_) {
    if (held == card) return position;
  }
  return std::nullopt;
}

void Deal::take_action(const Fields& fields, std::uint64_t seq, const Bytes& before) {
  const Seat seat = fields.seat("seat");
  const std::string word = fields.text("action");
  const bool is_hidden = fields.has("commit");
  const Bytes commit = fields.octets_if_any("commit", kHashBytes);
  const std::string first = word.substr(0, word.find(' '));
  if (is_hidden_move(first) != is_hidden || (is_hidden && first != word)) {
    throw fields.wrong(
        concat(repr(word), " does not hide what it should, or hides what it should not"));
  }
  const std::string move = is_hidden ? concat(word, " ", hex(commit)) : word;
  const Bytes sig = fields.octets_if_any("seat_sig", kSignatureBytes);
  if (seat == terms_->seat) {
    check_own_action(fields, seq, move);
    if (!fields.has("fallback")) stood_.insert(seq);
  }
  if (!sig.empty() || !fields.has("fallback")) {
    const Bytes message =
        move_signed_bytes(terms_->match, number_, static_cast<std::uint32_t>(seq), before, move);
    check_seat_signature(concat(fields.where(), ": the move of ", name_of(seat)), seat, sig,
                         message);
  }
  if (!is_hidden) return;
  if ((word == "swap" && seat == terms_->seat) ||
      (word == "give" && seat == partner_of(terms_->seat))) {
    awaited_ = word;
    awaited_seq_ = seq;
  }
  hidden_.emplace(seq, Hidden{seat, word, commit});
}

void Deal::check_own_action(const Fields& fields, std::uint64_t seq,
                            const std::string& move) const {
  if (fields.has("fallback")) {
    if (accepted_.contains(seq)) {
      throw fields.wrong(
          concat("our move was accepted, and ", repr(move), " stands as played for us"));
    }
    if (!fields.has("seat_sig")) return;
  }
  const auto sent = sent_.find(seq);
  if (sent != sent_.end() && sent->second != move) {
    throw fields.wrong(concat(repr(move), " is not the move we made, ", repr(sent->second)));
  }
}

Link Deal::take_close(const Fields& fields) {
  Bytes r = fields.octets("r", kHashBytes);
  if (down(r, number_ + 1) != link_.value) {
    throw fields.wrong("r does not continue the referee's chain");
  }
  check_outcome(fields);
  if (seeds_ && !leaves_.empty()) {
    check_deck(fields, r);
  } else if (fields.has("deck")) {
    throw fields.wrong("a deck is named though none was sealed");
  }
  check_openings(fields);
  check_attempts(fields);
  return {number_ + 1, std::move(r)};
}

// A deal is cut short by a fault or a void alone, and nobody withholds what was not due.
void Deal::check_outcome(const Fields& fields) {
  const std::string outcome = fields.text("outcome");
  const bool cut_short = outcome == "fault" || outcome == "void";
  if (leaves_.empty() && !cut_short) {
    throw fields.wrong(concat(
        "only a fault or a void closes a deal before its deck, and it is closed ", repr(outcome)));
  }
  if (!cut_short && (outcome == "draw") != (number_ == 0)) {
    throw fields.wrong("the draw for the deal, and no other deal, is closed as draw");
  }
  voided_ = outcome == "void" && !cset_.empty();
  for (const Fields& fault : fields.children_if_any("faults")) {
    const Seat seat = fault.seat("seat");
    if (fault.text("why") != "WITHHELD") continue;
    const bool committed = cset_.empty() && commits_.contains(seat);
    if (terms_->declined.contains(seat) || !leaves_.empty() || committed) {
      throw fault.wrong(
          concat(name_of(seat), " is said to have withheld, and nothing of it was due"));
    }
    blamed_ = blamed_ || seat == terms_->seat;
  }
  check_blame();
}

void Deal::note_revealed() {
  revealed_ = true;
  check_blame();
}

// We are not said to have withheld a reveal that the referee has accepted.
void Deal::check_blame() const {
  if (blamed_ && revealed_) {
    throw DealProofError(
        said("we are said to have withheld, and our reveal was accepted"
             " (its receipt is kept: the proof)"));
  }
}

void Deal::check_deck(const Fields& fields, const Bytes& r) const {
  const Bytes key = deck_key(cset_, r, *seeds_, cut_);
  const SealedDeck deck = sealed_deck(terms_->match, number_, terms_->pack, key, cut_);
  const auto wrong = std::ranges::mismatch(deck.leaves, leaves_);
  if (wrong.in1 != deck.leaves.end()) {
    throw fields.wrong(concat("the leaf at position ", wrong.in1 - deck.leaves.begin(),
                              " is not that of the seeds' deck"));
  }
  if (fields.text("deck") != joined(deck.cards, " ")) {
    throw fields.wrong("the deck is not the one that the seeds give");
  }
  if (start_) check_draw(fields, deck);
}

void Deal::check_draw(const Fields& fields, const SealedDeck& deck) const {
  const Seat start = kSeats.at(deck.first_seat);
  if (start_ != start) throw fields.wrong("the dealer draw began at the wrong seat");
  if (dealer_ != drawn_dealer(deck.cards, terms_->first_dealer, start)) {
    throw fields.wrong("the dealer draw named the wrong dealer");
  }
}

bool Deal::Hidden::may_open(const std::vector<std::uint32_t>& places, std::size_t cards) const {
  const std::size_t count = word == "swap" ? kSwapPositions.size() : 1;
  const bool rising = std::ranges::adjacent_find(places, std::greater_equal()) == places.end();
  return places.size() == count && rising && places.back() < cards;
}

void Deal::check_openings(const Fields& fields) const {
  auto left = hidden_;
  for (const Fields& opening : fields.children_if_any("openings")) {
    const std::uint64_t seq = opening.number("seq");
    const auto found = left.find(seq);
    if (found == left.end()) throw opening.wrong(concat("event ", seq, " hides nothing"));
    const auto places = opening.small_numbers("positions");
    const auto blinds = opening.octets_list("blinds", places.size(), {kHashBytes});
    const Hidden& hidden = found->second;
    const bool sound = hidden.may_open(places, pack().size());
    if (!sound || hidden_move(terms_->match, number_, index_of(hidden.seat), places, blinds) !=
                      hidden.commit) {
      throw opening.wrong(concat("it does not open what event ", seq, " hid"));
    }
    left.erase(found);
  }
  if (!left.empty()) {
    throw fields.wrong(concat("event ", left.begin()->first, " was never opened"));
  }
}

// An attempt counts against a signing seat only under its signature, and once.
void Deal::check_attempts(const Fields& fields) const {
  std::set<std::tuple<std::uint64_t, Seat, std::string>> seen;
  for (const Fields& tried : fields.children_if_any("attempts")) {
    const Seat seat = tried.seat("seat");
    const std::uint64_t after = tried.number("after");
    const std::string action = tried.text("action");
    const Bytes sig = tried.octets_if_any("seat_sig", kSignatureBytes);
    Bytes message;
    if (const auto before = heads_.find(after); before != heads_.end()) {
      message = move_signed_bytes(terms_->match, number_, static_cast<std::uint32_t>(after + 1),
                                  before->second, action);
    }
    const std::string what = concat(tried.where(), ": the attempt of ", name_of(seat));
    if (!seen.insert({after, seat, action}).second && !sig.empty()) {
      throw DealProofError(what + " is listed twice, and was signed once");
    }
    check_seat_signature(what, seat, sig, message);
  }
}

}  // namespace euchre_bot
