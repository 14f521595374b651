#include "witness.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "dealing.hpp"
#include "keys.hpp"

namespace euchre_bot {

namespace {

constexpr std::size_t kMatchBytes = 16;

// Which kinds of events may follow which: nothing is left out and nothing comes twice.
bool may_follow(const std::string& last, const std::string& kind) {
  static const std::set<std::string> committing{"seat_commit", "commit_set", "deal_close"};
  static const std::map<std::string, std::set<std::string>> after = {
      {"", {"match_open"}},
      {"match_open", {"deal_open", "match_close"}},
      {"deal_open", committing},
      {"seat_commit", committing},
      {"commit_set", {"reveal_set", "deal_close"}},
      {"reveal_set", {"deck_root"}},
      {"deck_root", {"dealer_draw", "turn_up"}},
      {"dealer_draw", {"deal_close"}},
      {"turn_up", {"action", "deal_close"}},
      {"action", {"action", "deal_close"}},
      {"deal_close", {"deal_open", "match_close"}},
  };
  const auto found = after.find(last);
  return found != after.end() && found->second.contains(kind);
}

// The key of a seat that signs, and of no other.
std::optional<Bytes> key_of(const Fields& entry) {
  if (entry.has("key") != (entry.text("level") == "signs")) {
    throw entry.wrong("a key goes with the level signs, and only with it");
  }
  if (!entry.has("key")) return std::nullopt;
  try {
    return PublicKey::parse(entry.text("key")).bytes;
  } catch (const UsageError&) {
    throw entry.wrong("the seat's key is not a sound one");
  }
}

std::string knob(const std::map<std::string, std::string>& rules, const std::string& name,
                 std::string_view otherwise) {
  const auto found = rules.find(name);
  return found == rules.end() ? std::string(otherwise) : found->second;
}

}  // namespace

Witness::Witness(Claim claim, SeedOf seed, StateFile state, Receipts receipts)
    : claim_(std::move(claim)),
      seed_(std::move(seed)),
      state_(std::move(state)),
      receipts_(std::move(receipts)) {}

std::uint64_t Witness::resume() const {
  const auto due = deals_.empty() ? std::nullopt : deals_.rbegin()->second.cards_due_since();
  const bool open = last_ != "deal_close" && last_ != "match_close";
  return due && open ? *due : next_seq();
}

Event Witness::take(const Bytes& raw, const Bytes& sig) {
  const Bytes before = chain_.head();
  Event event = chain_.take(raw, sig);
  const Fields& fields = event.fields;
  if (!may_follow(last_, event.kind)) {
    throw DealProofError(
        concat(fields.where(), " cannot come after ", last_.empty() ? "the beginning" : last_));
  }
  last_ = event.kind;
  receipts_.saw(event.seq, event.head);
  if (event.kind == "match_open") {
    open(fields);
  } else if (event.kind == "deal_open") {
    open_deal(fields);
  } else if (event.kind != "match_close") {
    step(event, deal(fields.where(), fields.small("deal")), before);
  }
  return event;
}

void Witness::step(const Event& event, Deal& deal, const Bytes& before) {
  const Fields& fields = event.fields;
  if (event.kind == "seat_commit") {
    deal.take_commit(fields);
  } else if (event.kind == "commit_set") {
    deal.take_commit_set(fields, event.head);
    state_.check_answer(claim_.match, deal.number(), deal.cset());
  } else if (event.kind == "reveal_set") {
    deal.take_reveal_set(fields);
  } else if (event.kind == "deck_root") {
    deal.take_deck_root(fields);
  } else if (event.kind == "dealer_draw") {
    drawn_ = deal.take_dealer_draw(fields);
  } else if (event.kind == "turn_up") {
    deal.note_head(event.seq, event.head);
    deal.take_turn_up(fields);
  } else if (event.kind == "action") {
    deal.note_head(event.seq, event.head);
    deal.take_action(fields, event.seq, before);
  } else {
    link_ = deal.take_close(fields);
  }
  check_not_denied(deal, event.seq);
}

void Witness::check_not_denied(const Deal& deal, std::uint64_t seq) {
  if (!deal.denies(seq)) return;
  throw DealProofError(
      concat("event ", seq, ": our move was accepted, and this is not the move we made"));
}

std::optional<Seat> Witness::twin(const Event& event) {
  if (event.kind != "seat_commit" || !gives_seeds()) return std::nullopt;
  const Deal& deal = deals_.rbegin()->second;
  const Seat seat = event.fields.seat("seat");
  if (seat == claim_.seat || twins_.contains(seat)) return std::nullopt;
  const std::size_t cuts = seat == deal.cutter() ? pack_named(terms_.pack)->size() : 1;
  const Bytes shared = seed_(deal.number());
  for (std::uint32_t cut = 0; cut < cuts; ++cut) {
    const Cut own_cut = seat == deal.cutter() ? Cut(cut) : Cut();
    if (*deal.commit_of(seat) ==
        seat_commit(claim_.match, deal.number(), index_of(seat), shared, own_cut)) {
      twins_.insert(seat);
      return seat;
    }
  }
  return std::nullopt;
}

void Witness::open(const Fields& fields) {
  check_rules(fields);
  const auto entries = fields.children("seats");
  if (entries.size() != kSeats.size()) throw fields.wrong("seats are not four");
  check_entry(entries[index_of(claim_.seat)]);
  r0_ = fields.octets("r0", kHashBytes);
  state_.check_match(claim_.match, r0_);
  link_ = {0, r0_};
  terms_ = {.match = claim_.match,
            .seat = claim_.seat,
            .pack = knob(claim_.rules, "pack", ""),
            .packets = knob(claim_.rules, "packets", ""),
            .cut = knob(claim_.rules, "cut", "none"),
            .first_dealer = knob(claim_.rules, "first_dealer", "agreed"),
            .chain = fields.small("chain"),
            .rated = fields.child("policy").truth("rated"),
            .declined = {},
            .keys = {}};
  for (const Seat seat : kSeats) {
    const Fields& entry = entries[index_of(seat)];
    if (entry.text("level") == "plays") terms_.declined.insert(seat);
    terms_.keys.at(index_of(seat)) = key_of(entry);
  }
}

void Witness::check_rules(const Fields& fields) const {
  const auto insist = [&fields](bool holds, std::string_view fault) {
    if (!holds) throw fields.wrong(fault);
  };
  const auto rules = fields.child("rules").texts();
  const std::string pack = fields.text("pack");
  insist(fields.octets("match", kMatchBytes) == claim_.match, "match is not the one we joined");
  insist(fields.text("protocol") == kProtocol, concat("protocol is not ", kProtocol));
  insist(chain_.key() == claim_.referee_key, "referee_key is not the one we were told");
  insist(rules == claim_.rules, "rules are not those we were told");
  insist(fields.octets("rule_set", kHashBytes) == tagged_hash("rule-set", {canonical(Json(rules))}),
         "rule_set is not the hash of the rules");
  insist(pack == knob(rules, "pack", ""), "pack is not that of the rules");
  insist(pack_named(pack) != nullptr, "pack is not one we know");
  insist(known_packets(knob(rules, "packets", "")), "packets are not a pattern we know");
}

// Our own entry: who we are, what we do for the seal, and whose our seeds are.
void Witness::check_entry(const Fields& mine) const {
  const std::string name = mine.text("name");
  const std::string level = mine.text("level");
  const std::string seed_by = mine.text("seed_by");
  if (name != claim_.name || level != claim_.level ||
      seed_by != (gives_seeds() ? "seat" : "host")) {
    throw mine.wrong(concat("our seat is not entered as we said: ", repr(name), ", ", level,
                            ", seeds by ", seed_by));
  }
  const auto ours = claim_.key ? std::optional(claim_.key->public_key()) : std::nullopt;
  if (key_of(mine) != ours) throw mine.wrong("our key is not the one we gave");
}

bool Witness::ends() const {
  return terms_.rated && !deals_.empty() && deals_.rbegin()->second.voided();
}

void Witness::check_end(const Fields& fields) const {
  const std::string outcome = fields.text("outcome");
  if (ends() && outcome != "void" && outcome != "aborted") {
    throw fields.wrong(concat("it is closed ", repr(outcome), " after deal ",
                              deals_.rbegin()->first,
                              ", which was closed void after its commit set"));
  }
}

void Witness::open_deal(const Fields& fields) {
  const std::uint32_t number = fields.small("deal");
  if (ends()) {
    throw fields.wrong(concat("the match goes on after deal ", deals_.rbegin()->first,
                              ", which was closed void after its commit set"));
  }
  const bool first = deals_.empty();
  if (first ? number > 1 : number != deals_.rbegin()->first + 1) {
    throw fields.wrong(concat("deal ", number, " is not the next one"));
  }
  if (number >= terms_.chain) {
    throw fields.wrong(concat("the referee's chain has no link for deal ", number));
  }
  const auto seat_of = [&fields](const char* key) {
    return fields.has(key) ? std::optional(fields.seat(key)) : std::nullopt;
  };
  const auto dealer = seat_of("dealer");
  const auto cutter = seat_of("cutter");
  if (dealer.has_value() != (number != 0)) {
    throw fields.wrong("a deal has a dealer, the draw for it has none");
  }
  if (number == 1 && drawn_ && dealer != drawn_) {
    throw fields.wrong("the dealer is not the one who was drawn");
  }
  auto due = dealer ? cutter_seat(terms_.cut, *dealer) : std::nullopt;
  if (due && terms_.declined.contains(*due)) due.reset();
  if (cutter != due) throw fields.wrong("the wrong seat cuts");
  Deal& deal = deals_.emplace(number, Deal(terms_, number, link_, dealer, cutter)).first->second;
  deal.expect_commit(promised_commit(deal));
  receipts_.forget_before(next_seq() - 1);
}

std::optional<Bytes> Witness::promised_commit(const Deal& deal) {
  const std::size_t me = index_of(claim_.seat);
  if (terms_.declined.contains(claim_.seat)) {
    return seat_commit(claim_.match, deal.number(), me, "", {});
  }
  const Cut cut = deal.we_cut() ? state_.promised_cut(claim_.match, deal.number()) : Cut();
  if (deal.we_cut() && !cut) return std::nullopt;
  return seat_commit(claim_.match, deal.number(), me, seed_(deal.number()), cut);
}

Deal& Witness::deal(const std::string& where, std::uint32_t number) {
  if (deals_.empty() || deals_.rbegin()->first != number) {
    throw DealProofError(concat(where, ": deal ", number, " is not open"));
  }
  return deals_.rbegin()->second;
}

Bytes Witness::commit(std::uint32_t number, bool cutter) {
  Deal& open = deal("ask for a commitment", number);
  if (cutter != open.we_cut()) {
    throw DealProofError(concat("deal ", number, ": we are asked for a cut against deal_open"));
  }
  const auto cards = static_cast<std::uint32_t>(pack_named(terms_.pack)->size());
  const Cut cut =
      state_.promise(claim_.match, r0_, number, cutter ? Cut(random_below(cards)) : Cut());
  Bytes mine = seat_commit(claim_.match, number, index_of(claim_.seat), seed_(number), cut);
  open.expect_commit(mine);
  return mine;
}

Reveal Witness::reveal(std::uint32_t number) {
  const Deal& open = deal("ask for a reveal", number);
  if (open.cset().empty()) {
    throw DealProofError(concat("deal ", number, ": we are asked to reveal before the commit set"));
  }
  state_.answer(claim_.match, number, open.cset());
  return {.seed = seed_(number),
          .cut = open.we_cut() ? state_.promised_cut(claim_.match, number) : Cut(),
          .cset = open.cset(),
          .head = open.cset_head(),
          .sig = claim_.key ? claim_.key->sign(open.reveal_message(claim_.seat)) : Bytes()};
}

void Witness::private_deal(std::uint32_t number, const Bytes& root,
                           const std::vector<Opened>& cards, const Bytes& sig) {
  const PrivateDeal dealt{claim_.match, number, claim_.seat, root, cards, sig};
  if (!verifies(claim_.referee_key, sig, dealt.signed_bytes())) {
    throw DealProofError(
        concat("the private deal of deal ", number, " has a signature that is not the referee's"));
  }
  const auto found = deals_.find(number);
  if (found == deals_.end()) {
    throw DealProofError(concat("the private deal of deal ", number, " came before the deal"));
  }
  try {
    found->second.take_private_deal(root, cards);
  } catch (const DealProofError& fault) {
    const bool kept = receipts_.keep_deal(dealt);
    throw DealProofError(concat(fault.what(), kept ? " (they are kept: the proof)" : ""));
  }
}

void Witness::check_ask(std::uint32_t number, std::uint64_t seq,
                        const std::vector<std::string>& hand) {
  if (seq != next_seq()) {
    throw DealProofError(
        concat("we are asked for event ", seq, ", and event ", next_seq(), " is next"));
  }
  deal("ask for an action", number).check_view(hand);
}

Bytes Witness::move(std::uint32_t number, std::uint64_t seq, const std::string& action,
                    const Bytes& blind) {
  Deal& open = deal("our move", number);
  std::string text = action;
  if (!blind.empty()) {
    const std::vector<std::string> words = words_of(action);
    std::vector<std::uint32_t> places;
    std::vector<Bytes> blinds;
    for (std::size_t card = 1; card < words.size(); ++card) {
      const auto place = open.position_of(words[card]);
      if (!place) {
        throw DealProofError(
            concat("deal ", number, ": ", repr(action), " hides a card we were not dealt"));
      }
      places.push_back(*place);
      blinds.push_back(blind.substr((card - 1) * kHashBytes, kHashBytes));
    }
    std::ranges::sort(places);
    text = concat(words.front(), " ",
                  hex(hidden_move(claim_.match, number, index_of(claim_.seat), places, blinds)));
  }
  open.note_sent(seq, text);
  if (!claim_.key) return {};
  return claim_.key->sign(move_signed_bytes(claim_.match, number, static_cast<std::uint32_t>(seq),
                                            chain_.head(), text));
}

void Witness::accepted_act(std::uint32_t number, std::uint64_t seq) {
  if (!gives_seeds()) return;
  if (const auto found = deals_.find(number); found != deals_.end()) {
    found->second.note_accepted(seq);
    if (seq < next_seq()) check_not_denied(found->second, seq);
  }
  receipts_.accepted(number, seq);
}

void Witness::accepted_commit(std::uint32_t number) {
  if (gives_seeds()) receipts_.accepted(number, std::nullopt);
}

void Witness::accepted_reveal(std::uint32_t number) {
  const auto found = deals_.find(number);
  if (gives_seeds() && found != deals_.end()) {
    receipts_.accepted(number, found->second.cset_seq());
    found->second.note_revealed();
  }
}

void Witness::receipt(const std::vector<ReceiptItem>& items, const Bytes& sig) {
  receipts_.take(items, sig);
}

}  // namespace euchre_bot
