// A small Euchre engine that answers the conformance suite; copy it, and put your own in its place.
//
// It needs nothing but a compiler of C++20, keeps no state between requests, and shares no code
// with the suite. Its JSON stands at the end of the first part; a library would do as well. Try it:
// c++ -O1 -std=c++20 -o my-adapter adapter.cpp && euchre-conformance run -t cmd:./my-adapter
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

// -- JSON, as far as the protocol has it: no fractions.

struct Json;
using Object = std::map<std::string, Json>;
using Array = std::vector<Json>;

struct Json : std::variant<std::nullptr_t, bool, std::int64_t, std::string, Array, Object> {
  using variant::variant;
  Json(const char* text) : variant(std::string(text)) {}
  Json(int number) : variant(std::int64_t{number}) {}
  Json(const std::vector<std::string>& list) : variant(Array(list.begin(), list.end())) {}

  const Json& operator[](const std::string& key) const {
    static const Json nothing = nullptr;
    const auto* object = std::get_if<Object>(this);
    const auto found = object ? object->find(key) : Object::const_iterator();
    return object && found != object->end() ? found->second : nothing;
  }
  std::string text() const {
    const auto* text = std::get_if<std::string>(this);
    return text ? *text : "";
  }
  int number() const {
    const auto* number = std::get_if<std::int64_t>(this);
    return number ? static_cast<int>(*number) : 0;
  }
  const Array& items() const {
    static const Array none;
    const auto* array = std::get_if<Array>(this);
    return array ? *array : none;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> found;
    for (const Json& item : items()) found.push_back(item.text());
    return found;
  }
};

class Reader {
 public:
  explicit Reader(const std::string& text) : at_(text.data()), end_(at_ + text.size()) {}

  Json value() {
    switch (peek()) {
      case '{': {
        Object object;
        each('}', [&] {
          std::string key = string();
          expect(':');
          object[key] = value();
        });
        return object;
      }
      case '[': {
        Array array;
        each(']', [&] { array.push_back(value()); });
        return array;
      }
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", nullptr);
      default:
        return number();
    }
  }

 private:
  char peek() {
    while (at_ != end_ && std::string(" \t\r\n").find(*at_) != std::string::npos) ++at_;
    if (at_ == end_) throw std::runtime_error("the request ends too early");
    return *at_;
  }
  void expect(char wanted) {
    if (peek() != wanted) throw std::runtime_error("the request is no JSON");
    ++at_;
  }
  template <typename Read>
  void each(char closing, const Read& read) {
    ++at_;
    for (bool more = peek() != closing; more; more = peek() == ',') {
      if (*at_ == ',') ++at_;
      peek();
      read();
    }
    expect(closing);
  }
  Json word(const std::string& text, Json meaning) {
    for (const char letter : text) expect(letter);
    return meaning;
  }
  Json number() {
    std::string digits;
    while (at_ != end_ && std::string("+-.eE0123456789").find(*at_) != std::string::npos) {
      digits += *at_++;
    }
    return std::int64_t{std::stoll(digits)};
  }
  std::string string() {
    expect('"');
    std::string text;
    while (at_ != end_ && *at_ != '"') text += *at_ == '\\' ? escaped() : std::string(1, *at_++);
    expect('"');
    return text;
  }
  std::string escaped() {
    static const std::map<char, std::string> plain = {
        {'n', "\n"}, {'t', "\t"}, {'r', "\r"}, {'b', "\b"}, {'f', "\f"}};
    if (end_ - at_ < 2) throw std::runtime_error("the request ends too early");
    const char letter = at_[1];
    at_ += 2;
    if (letter != 'u') return plain.contains(letter) ? plain.at(letter) : std::string(1, letter);
    at_ += std::min<std::ptrdiff_t>(4, end_ - at_);
    return "?";  // cards and actions are ASCII: what is not is no action either
  }

  const char* at_;
  const char* end_;
};

std::string dump(const Json& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) {
    std::string quoted = "\"";
    for (const char letter : *text) {
      if (letter == '"' || letter == '\\') quoted += '\\';
      quoted += letter >= 0 && letter < ' ' ? '?' : letter;
    }
    return quoted + "\"";
  }
  std::string inside;
  if (const auto* array = std::get_if<Array>(&value)) {
    for (const Json& item : *array) inside += (inside.empty() ? "" : ",") + dump(item);
    return "[" + inside + "]";
  }
  if (const auto* object = std::get_if<Object>(&value)) {
    for (const auto& [key, item] : *object) {
      inside += (inside.empty() ? "" : ",") + dump(key) + ":" + dump(item);
    }
    return "{" + inside + "}";
  }
  return "null";
}

// -- The game.

using Words = std::vector<std::string>;
using Rules = std::map<std::string, std::string>;

const std::string kRanks = "9TJQKA";
const Words kSeats{"north", "east", "south", "west"};
const Words kSuits{"C", "D", "H", "S"};
const std::map<std::string, std::string> kTwin{{"C", "S"}, {"S", "C"}, {"D", "H"}, {"H", "D"}};
const std::regex kCard("[9TJQKA][CDHS]");
const std::regex kForm(
    "pass|alone|decline|order( alone)?|name [CDHS]( alone)?|(discard|play) [9TJQKA][CDHS]");
const std::set<std::string> kWords{"pass",    "order", "name",   "discard", "alone",
                                   "decline", "play",  "redeal", "swap",    "give"};
const std::map<std::string, std::set<std::string>> kPhases{{"round_one", {"pass", "order"}},
                                                           {"round_two", {"pass", "name"}},
                                                           {"discard", {"discard"}},
                                                           {"alone", {"alone", "decline"}},
                                                           {"play", {"play"}}};
const Words kOps{"legal", "apply", "view", "replay", "score", "game"};

Json hello() {
  const Json any = Words{"any"};
  return Object{
      {"protocol", 1},
      {"name", "small-euchre-cpp"},
      {"version", "1"},
      {"language", "c++"},
      {"ops", kOps},
      {"rulesets", Words{"standard", "quick", "throw-in", "defend-alone", "ontario", "guide"}},
      // Besides the named sets: every mixture of these values.
      {"knobs", Object{{"target", any},
                       {"first_dealer", any},
                       {"packets", any},
                       {"cut", any},
                       {"points_made", any},
                       {"points_march", any},
                       {"points_lone_march", any},
                       {"points_euchre", any},
                       {"points_euchre_all_five", any},
                       {"points_lone_euchred", any},
                       {"points_lone_defender", any},
                       {"all_pass", Words{"stick", "throw_in"}},
                       {"throw_in_dealer", Words{"left", "same"}},
                       {"order_needs_trump", Words{"never", "left_counts"}},
                       {"partner_order", Words{"with_partner", "must_be_alone"}},
                       {"bury_upcard", Words{"allowed", "forbidden"}},
                       {"alone_who", Words{"maker", "making_side"}},
                       {"alone_when", Words{"with_call", "before_lead"}},
                       {"defend_alone", Words{"never", "vs_loner"}}}},
      {"parallel", true}};
}

template <typename List, typename Item>
bool has(const List& list, const Item& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string left(const std::string& seat, int steps = 1) {
  const auto at = std::find(kSeats.begin(), kSeats.end(), seat) - kSeats.begin();
  return kSeats.at(static_cast<std::size_t>((at + steps) % 4));
}

std::string side(const std::string& seat) {
  return seat == "north" || seat == "south" ? "ns" : "ew";
}

std::string other(const std::string& which) { return which == "ns" ? "ew" : "ns"; }

struct Sides {
  int ns = 0;
  int ew = 0;

  int& of(const std::string& which) { return which == "ns" ? ns : ew; }
  Json json() const { return Object{{"ns", ns}, {"ew", ew}}; }
};

/// The suit that a card counts as: the left bower is a trump.
std::string suit_of(const std::string& card, const std::string& trump) {
  return !trump.empty() && card == "J" + kTwin.at(trump) ? trump : card.substr(1);
}

/// How high a card stands; what neither follows nor is trump cannot win.
int strength(const std::string& card, const std::string& trump, const std::string& led) {
  const int rank = static_cast<int>(kRanks.find(card[0]));
  if (card == "J" + trump) return 30;
  if (card == "J" + kTwin.at(trump)) return 20;
  if (card.substr(1) == trump) return 10 + rank;
  return card.substr(1) == led ? rank : -1;
}

std::pair<std::string, std::string> apart(const std::string& action) {
  const std::size_t space = action.find(' ');
  if (space == std::string::npos) return {action, ""};
  return {action.substr(0, space), action.substr(space + 1)};
}

/// One deal, from the first call to the last trick, and the score before it.
class Deal {
 public:
  Deal(Rules rules, const Json& cards, Sides before)
      : rules_(std::move(rules)),
        before_(before),
        dealer_(cards["dealer"].text()),
        upcard_(cards["upcard"].text()),
        turn_(left(dealer_)) {
    std::set<std::string> dealt{upcard_};
    for (const std::string& seat : kSeats) {
      hands_[seat] = cards["hands"][seat].texts();
      if (hands_[seat].size() != 5) throw std::runtime_error("each seat must hold five cards");
      dealt.insert(hands_[seat].begin(), hands_[seat].end());
    }
    const auto real = [](const std::string& card) { return std::regex_match(card, kCard); };
    if (dealt.size() != 21 || !std::all_of(dealt.begin(), dealt.end(), real)) {
      throw std::runtime_error("a card stands twice, or is not of the pack");
    }
  }

  const std::string& turn() const { return turn_; }
  const std::string& dealer() const { return dealer_; }
  bool over() const { return phase_ == "over"; }

  /// Why an action is refused, or nothing: the one place that says no.
  std::string violation(const std::string& seat, const std::string& action) const {
    const auto [word, rest] = apart(action);
    if (game_over()) return "GAME_OVER";
    if (over()) return "HAND_OVER";
    if (seat != turn_) return has(sitting_, seat) ? "SITTING_OUT" : "NOT_YOUR_TURN";
    if (!kWords.contains(word)) return "UNKNOWN_ACTION";
    if (!kPhases.at(phase_).contains(word))
      return word == "alone" ? misplaced(seat) : "WRONG_PHASE";
    if (!std::regex_match(action, kForm)) return "UNKNOWN_ACTION";
    return word == "play" || word == "discard" ? card_violation(word, rest)
                                               : call_violation(seat, word, rest);
  }

  /// Takes a legal action of the seat on turn.
  void apply(const std::string& action) {
    const std::string seat = turn_;
    const auto [word, rest] = apart(action);
    if (word == "pass") return pass(seat);
    if (word == "play") return play(seat, rest);
    if (word == "order" || word == "name") {
      maker_ = seat;
      trump_ = word == "name" ? rest.substr(0, 1) : upcard_.substr(1);
      if (rest.ends_with("alone")) go_alone(seat);
      if (word == "order") {
        hands_[dealer_].push_back(upcard_);
        phase_ = "discard";
        turn_ = dealer_;
        return;
      }
    }
    if (word == "discard") take(seat, rest);
    if (word == "alone") go_alone(seat);
    if (word == "decline") declined_.push_back(seat);
    ask_alone();
  }

  Sides score() const {
    Sides total = before_;
    const Sides won = points();
    total.ns += won.ns;
    total.ew += won.ew;
    return total;
  }

  bool game_over() const {
    const Sides now = score();
    return std::max(now.ns, now.ew) >= price("target", 1'000'000);
  }

  std::string next_dealer() const {
    return maker_.empty() && rule("throw_in_dealer") == "same" ? dealer_ : left(dealer_);
  }

  /// Who is on turn, in which phase, and what is legal.
  Object standing() const {
    if (over() || game_over()) return {{"phase", "over"}, {"legal", Array()}, {"closed", true}};
    return {{"turn", turn_}, {"phase", phase_}, {"legal", legal()}};
  }

  /// What one seat may see; what has no meaning yet is absent.
  Object view(const std::string& seat) const {
    Object seen = standing();
    if (seat != turn_) seen["legal"] = Array();
    Object counts;
    for (const auto& [who, hand] : hands_) counts[who] = static_cast<int>(hand.size());
    seen["seat"] = seat;
    seen["dealer"] = dealer_;
    seen["hand"] = hands_.at(seat);
    seen["counts"] = counts;
    seen["score"] = score().json();
    seen["upcard"] = upcard_;
    seen["upcard_state"] = passes_ >= 4 ? "turned_down" : maker_.empty() ? "turned" : "taken";
    if (!maker_.empty()) {
      seen["trump"] = trump_;
      seen["maker"] = maker_;
      seen["alone"] = alone_;
      seen["out"] = sitting_;
      if (phase_ == "play" || over()) {
        Array trick;
        for (const auto& [who, card] : trick_)
          trick.push_back(Object{{"seat", who}, {"card", card}});
        seen["trick"] = trick;
        seen["tricks"] = tricks().json();
      }
    }
    if (!trick_.empty()) seen["led"] = trick_.front().second;
    return seen;
  }

  /// How the deal ended.
  Object result() const {
    if (!over()) return {{"error", "the deal is not over"}};
    Object ended{{"winners", winners_},
                 {"outcome", maker_.empty() ? "thrown_in" : "played"},
                 {"tricks", tricks().json()},
                 {"points", points().json()},
                 {"score", score().json()}};
    if (!game_over()) ended["next_dealer"] = next_dealer();
    return ended;
  }

 private:
  std::string rule(const std::string& name) const {
    const auto found = rules_.find(name);
    return found == rules_.end() ? "" : found->second;
  }
  int price(const std::string& name, int otherwise) const {
    const std::string text = rule(name);
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? std::stoi(text) : otherwise;
  }
  bool lone(const std::string& which) const {
    return std::any_of(alone_.begin(), alone_.end(),
                       [&](const std::string& seat) { return side(seat) == which; });
  }
  void go_alone(const std::string& seat) {
    alone_.push_back(seat);
    sitting_.push_back(left(seat, 2));
  }

  Words legal() const {
    Words found;
    for (const std::string& action : thinkable()) {
      if (violation(turn_, action).empty()) found.push_back(action);
    }
    return found;
  }
  Words thinkable() const {
    if (phase_ == "round_one") return {"pass", "order", "order alone"};
    if (phase_ == "alone") return {"alone", "decline"};
    Words found;
    if (phase_ == "round_two") {
      found.push_back("pass");
      for (const std::string& suit : kSuits) {
        found.insert(found.end(), {"name " + suit, "name " + suit + " alone"});
      }
      return found;
    }
    for (const std::string& card : hands_.at(turn_)) found.push_back(phase_ + " " + card);
    return found;
  }

  /// Why the seat on turn may not play or bury a card.
  std::string card_violation(const std::string& word, const std::string& card) const {
    const Words& hand = hands_.at(turn_);
    if (!has(hand, card)) return "CARD_NOT_HELD";
    if (word == "discard") {
      const bool buried = rule("bury_upcard") == "forbidden" && card == upcard_;
      return buried ? "DISCARD_UPCARD_FORBIDDEN" : "";
    }
    if (trick_.empty()) return "";
    const std::string led = suit_of(trick_.front().second, trump_);
    const auto follows = [&](const std::string& held) { return suit_of(held, trump_) == led; };
    return std::any_of(hand.begin(), hand.end(), follows) && !follows(card) ? "MUST_FOLLOW_SUIT"
                                                                            : "";
  }

  /// Why trump may not be called so, or a pass not made.
  std::string call_violation(const std::string& seat, const std::string& word,
                             const std::string& rest) const {
    const std::string turned = upcard_.substr(1);
    if (word == "name" && rest.substr(0, 1) == turned) return "SUIT_TURNED_DOWN";
    if (word == "pass" && phase_ == "round_two" && seat == dealer_ && rule("all_pass") == "stick") {
      return "DEALER_STUCK";
    }
    if (word == "order" && seat != dealer_) {
      const Words& hand = hands_.at(seat);
      const auto trump = [&](const std::string& card) { return suit_of(card, turned) == turned; };
      if (rule("order_needs_trump") == "left_counts" &&
          std::none_of(hand.begin(), hand.end(), trump)) {
        return "NEEDS_TRUMP";
      }
      if (rule("partner_order") == "must_be_alone" && seat == left(dealer_, 2) && rest.empty()) {
        return "PARTNER_MUST_GO_ALONE";
      }
    }
    const bool early = rule("alone_when") == "before_lead" && rest.ends_with("alone");
    return early ? "ALONE_NOT_ALLOWED" : "";
  }

  /// Why `alone` is refused outside its phase.
  std::string misplaced(const std::string& seat) const {
    if (trump_.empty()) return "WRONG_PHASE";
    if (side(seat) == side(maker_)) {
      return rule("alone_who") == "maker" && seat != maker_ ? "ALONE_NOT_ALLOWED"
                                                            : "ALONE_TOO_LATE";
    }
    if (rule("defend_alone") == "never") return "DEFEND_ALONE_OFF";
    return lone(side(maker_)) ? "ALONE_TOO_LATE" : "DEFEND_ALONE_NO_LONER";
  }

  void pass(const std::string& seat) {
    ++passes_;
    turn_ = left(seat);
    if (passes_ == 4) phase_ = "round_two";
    if (passes_ == 8) phase_ = "over";
  }
  void take(const std::string& seat, const std::string& card) {
    Words& hand = hands_[seat];
    hand.erase(std::find(hand.begin(), hand.end(), card));
  }

  /// Asks the next seat whether it goes alone; with nobody left to ask, play begins.
  void ask_alone() {
    const std::string makers = side(maker_);
    Words asked;
    if (rule("alone_when") == "before_lead" && !lone(makers)) {
      asked.push_back(maker_);
      if (rule("alone_who") == "making_side") asked.push_back(left(maker_, 2));
    } else if (rule("defend_alone") == "vs_loner" && lone(makers) && !lone(other(makers))) {
      for (int steps = 1; steps <= 4; ++steps) {
        if (side(left(dealer_, steps)) != makers) asked.push_back(left(dealer_, steps));
      }
    }
    const auto open = std::find_if(asked.begin(), asked.end(),
                                   [&](const std::string& seat) { return !has(declined_, seat); });
    phase_ = open == asked.end() ? "play" : "alone";
    turn_ = open == asked.end() ? playing(left(dealer_)) : *open;
  }

  /// The seat itself, or the next one round that does not sit out.
  std::string playing(std::string seat) const {
    while (has(sitting_, seat)) seat = left(seat);
    return seat;
  }

  /// Plays a card; the last of a trick decides it, the last of the deal ends it.
  void play(const std::string& seat, const std::string& card) {
    take(seat, card);
    trick_.emplace_back(seat, card);
    turn_ = playing(left(seat));
    if (trick_.size() == 4 - alone_.size()) {
      const std::string led = suit_of(trick_.front().second, trump_);
      const auto best =
          std::max_element(trick_.begin(), trick_.end(), [&](const auto& a, const auto& b) {
            return strength(a.second, trump_, led) < strength(b.second, trump_, led);
          });
      turn_ = best->first;
      winners_.push_back(turn_);
      trick_.clear();
    }
    if (winners_.size() == 5) phase_ = "over";
  }

  Sides tricks() const {
    Sides taken;
    for (const std::string& seat : winners_) ++taken.of(side(seat));
    return taken;
  }

  /// What the deal pays; where several prices apply, the largest counts.
  Sides points() const {
    if (maker_.empty() || !over()) return {};
    const std::string makers = side(maker_);
    const int took = tricks().of(makers);
    const std::pair<const char*, bool> prices[] = {
        {"points_made", took >= 3 && took < 5},
        {"points_march", took == 5},
        {"points_lone_march", took == 5 && lone(makers)},
        {"points_euchre", took < 3},
        {"points_euchre_all_five", took == 0},
        {"points_lone_euchred", took < 3 && lone(makers)},
        {"points_lone_defender", took < 3 && lone(other(makers))}};
    int due = 0;
    for (const auto& [name, applies] : prices) {
      if (applies) due = std::max(due, price(name, 0));
    }
    Sides won;
    won.of(took >= 3 ? makers : other(makers)) = due;
    return won;
  }

  Rules rules_;
  Sides before_;
  std::string dealer_, upcard_;
  std::string phase_ = "round_one";
  std::string turn_, trump_, maker_;
  int passes_ = 0;
  std::map<std::string, Words> hands_;
  Words alone_, declined_, sitting_, winners_;
  std::vector<std::pair<std::string, std::string>> trick_;
};

// -- The answers.

Object refused(const Deal& deal, const std::string& reason) {
  Object answer = deal.standing();
  answer["refused"] = reason;
  return answer;
}

Sides sides_of(const Json& score) { return {score["ns"].number(), score["ew"].number()}; }

/// A deal after its actions.
Deal position(const Rules& rules, const Json& played, Sides score) {
  Deal deal(rules, played["deal"], score);
  int number = 0;
  for (const std::string& action : played["actions"].texts()) {
    const std::string reason = deal.violation(deal.turn(), action);
    if (!reason.empty()) {
      throw std::runtime_error("action " + std::to_string(number) + ", " + action + ": " + reason);
    }
    deal.apply(action);
    ++number;
  }
  return deal;
}

/// The end of the deal, or the first action that is refused.
Object replay(Deal deal, const Json& tricks) {
  int at = 0;
  for (const Json& trick : tricks.items()) {
    for (const std::string& action : trick.texts()) {
      const std::string reason = deal.violation(deal.turn(), action);
      if (!reason.empty()) {
        Object answer = refused(deal, reason);
        answer["at"] = at;
        return answer;
      }
      deal.apply(action);
      ++at;
    }
  }
  return deal.result();
}

/// Deal after deal, until a side reaches the target.
Object game(const Rules& rules, const Array& deals, Sides score) {
  Array scores;
  std::string dealer = deals.at(0)["deal"]["dealer"].text();
  bool over = false;
  for (const Json& played : deals) {
    const Deal deal = position(rules, played, score);
    if (over || deal.dealer() != dealer || !deal.over()) {
      return {{"error", "a deal by the wrong dealer, unfinished, or after the end of the game"}};
    }
    score = deal.score();
    dealer = deal.next_dealer();
    over = deal.game_over();
    scores.push_back(score.json());
  }
  if (!over) return {{"scores", scores}, {"dealer", dealer}};
  return {{"scores", scores}, {"winner", score.ns > score.ew ? "ns" : "ew"}};
}

Object answer(const Json& request) {
  const std::string op = request["op"].text();
  if (op == "hello") return std::get<Object>(hello());
  if (!has(kOps, op)) return {{"unsupported", op}};
  Rules rules;
  if (const auto* given = std::get_if<Object>(&request["rules"])) {
    for (const auto& [name, value] : *given) rules[name] = value.text();
  }
  const Sides score = sides_of(request["score"]);
  if (op == "game") return game(rules, request["deals"].items(), score);
  Deal deal = position(rules, request, score);
  if (op == "apply") {
    const std::string action = request["action"].text();
    const std::string by = request["by"].text();
    const std::string reason = deal.violation(by.empty() ? deal.turn() : by, action);
    if (!reason.empty()) return refused(deal, reason);
    deal.apply(action);
  }
  if (op == "view") return {{"view", deal.view(request["seat"].text())}};
  if (op == "replay") return replay(std::move(deal), request["tricks"]);
  return op == "score" ? deal.result() : deal.standing();
}

Object answer_or_error(const Json& request) {
  try {
    return answer(request);
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      const Json request = Reader(line).value();
      Object reply = answer_or_error(request);
      reply["id"] = request["id"];
      std::cout << dump(reply) << std::endl;
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
      return 1;
    }
  }
}
