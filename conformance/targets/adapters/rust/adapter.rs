//! A small Euchre engine that answers the conformance suite; copy it, and put your own in its place.
//!
//! It needs nothing but Rust 1.70 or newer, keeps no state between requests, and shares no code with
//! the suite. Its JSON stands at the end: a crate of yours would take serde_json for it.
//! Try it: rustc -O --edition 2021 -o my-adapter adapter.rs && euchre-conformance run -t cmd:./my-adapter

use std::io::{self, BufRead, Write};
use std::iter::Peekable;
use std::str::Chars;

const SEATS: [&str; 4] = ["north", "east", "south", "west"];
const SUITS: [char; 4] = ['C', 'D', 'H', 'S'];
const RANKS: &str = "9TJQKA";
const OPS: [&str; 6] = ["legal", "apply", "view", "replay", "score", "game"];
const RULESETS: [&str; 6] = [
    "standard",
    "quick",
    "throw-in",
    "defend-alone",
    "ontario",
    "guide",
];
/// Besides the named sets: every mixture of these values.
const KNOBS: [(&str, &[&str]); 19] = [
    ("target", &["any"]),
    ("first_dealer", &["any"]),
    ("packets", &["any"]),
    ("cut", &["any"]),
    ("points_made", &["any"]),
    ("points_march", &["any"]),
    ("points_lone_march", &["any"]),
    ("points_euchre", &["any"]),
    ("points_euchre_all_five", &["any"]),
    ("points_lone_euchred", &["any"]),
    ("points_lone_defender", &["any"]),
    ("all_pass", &["stick", "throw_in"]),
    ("throw_in_dealer", &["left", "same"]),
    ("order_needs_trump", &["never", "left_counts"]),
    ("partner_order", &["with_partner", "must_be_alone"]),
    ("bury_upcard", &["allowed", "forbidden"]),
    ("alone_who", &["maker", "making_side"]),
    ("alone_when", &["with_call", "before_lead"]),
    ("defend_alone", &["never", "vs_loner"]),
];

/// A seat, 0 to 3 from north; its side is 0 for north and south, 1 for east and west.
type Seat = usize;

fn left(seat: Seat, steps: usize) -> Seat {
    (seat + steps) % 4
}

fn side(seat: Seat) -> usize {
    seat % 2
}

fn seat_of(word: &str) -> Result<Seat, String> {
    SEATS
        .iter()
        .position(|seat| *seat == word)
        .ok_or(format!("{word:?} is no seat"))
}

fn suit(card: &str) -> char {
    card.chars().nth(1).unwrap_or('?')
}

/// The other suit of a color.
fn twin(suit: char) -> char {
    match suit {
        'C' => 'S',
        'S' => 'C',
        'D' => 'H',
        _ => 'D',
    }
}

fn is_card(card: &str) -> bool {
    card.len() == 2 && card.starts_with(|c| RANKS.contains(c)) && SUITS.contains(&suit(card))
}

/// The suit that a card counts as: the left bower is a trump.
fn suit_of(card: &str, trump: char) -> char {
    if card.starts_with('J') && suit(card) == twin(trump) {
        return trump;
    }
    suit(card)
}

/// How high a card stands; what neither follows nor is trump cannot win.
fn strength(card: &str, trump: char, led: char) -> i64 {
    let rank = card
        .chars()
        .next()
        .and_then(|rank| RANKS.find(rank))
        .unwrap_or(0) as i64;
    match card.starts_with('J') {
        true if suit(card) == trump => 30,
        true if suit(card) == twin(trump) => 20,
        _ if suit(card) == trump => 10 + rank,
        _ if suit(card) == led => rank,
        _ => -1,
    }
}

/// Whether an action is spelt as one.
fn is_spelt(action: &str) -> bool {
    let suits = |word: &str| word.len() == 1 && word.contains(SUITS);
    match action.split(' ').collect::<Vec<_>>()[..] {
        ["pass" | "alone" | "decline" | "order"] | ["order", "alone"] => true,
        ["name", suit] | ["name", suit, "alone"] => suits(suit),
        ["discard" | "play", card] => is_card(card),
        _ => false,
    }
}

/// An action, as its first word and the rest.
fn cut(action: &str) -> (&str, &str) {
    action.split_once(' ').unwrap_or((action, ""))
}

/// One deal, from the first call to the last trick, and the score before it.
struct Deal<'a> {
    rules: &'a Value,
    before: [i64; 2],
    dealer: Seat,
    upcard: String,
    hands: [Vec<String>; 4],
    phase: &'static str,
    turn: Seat,
    passes: usize,
    trump: char,
    maker: Option<Seat>,
    alone: Vec<Seat>,
    declined: Vec<Seat>,
    sitting: Vec<Seat>,
    trick: Vec<(Seat, String)>,
    winners: Vec<Seat>,
}

impl<'a> Deal<'a> {
    /// A deal after its actions, each of which must be legal.
    fn after(rules: &'a Value, played: &Value, score: [i64; 2]) -> Result<Self, String> {
        let mut deal = Self::new(rules, played.get("deal"), score)?;
        for (number, action) in played.get("actions").texts().iter().enumerate() {
            match deal.violation(deal.turn, action) {
                Some(reason) => return Err(format!("action {number}, {action:?}: {reason}")),
                None => deal.apply(action),
            }
        }
        Ok(deal)
    }

    fn new(rules: &'a Value, cards: &Value, before: [i64; 2]) -> Result<Self, String> {
        let dealer = seat_of(cards.get("dealer").text())?;
        let upcard = cards.get("upcard").text().to_owned();
        let hands = SEATS.map(|seat| cards.get("hands").get(seat).texts());
        if hands.iter().any(|hand| hand.len() != 5) {
            return Err("each seat must hold five cards".to_owned());
        }
        let mut dealt: Vec<_> = hands.iter().flatten().chain([&upcard]).collect();
        dealt.sort();
        let twice = dealt
            .windows(2)
            .find(|pair| pair[0] == pair[1])
            .map(|pair| pair[0]);
        if let Some(card) = dealt.into_iter().find(|card| !is_card(card)).or(twice) {
            return Err(format!("{card} stands twice, or is not of the pack"));
        }
        Ok(Self {
            rules,
            before,
            dealer,
            upcard,
            hands,
            phase: "round_one",
            turn: left(dealer, 1),
            passes: 0,
            trump: '?',
            maker: None,
            alone: Vec::new(),
            declined: Vec::new(),
            sitting: Vec::new(),
            trick: Vec::new(),
            winners: Vec::new(),
        })
    }

    fn rule(&self, knob: &str) -> &str {
        self.rules.get(knob).text()
    }

    /// Whether a side plays alone.
    fn lone(&self, which: usize) -> bool {
        self.alone.iter().any(|seat| side(*seat) == which)
    }

    fn go_alone(&mut self, seat: Seat) {
        self.alone.push(seat);
        self.sitting.push(left(seat, 2));
    }

    /// Every action that the seat on turn may take.
    fn legal(&self) -> Vec<String> {
        let mut found = self.thinkable();
        found.retain(|action| self.violation(self.turn, action).is_none());
        found
    }

    fn thinkable(&self) -> Vec<String> {
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        match self.phase {
            "round_one" => words(&["pass", "order", "order alone"]),
            "round_two" => {
                let names =
                    SUITS.map(|suit| [format!("name {suit}"), format!("name {suit} alone")]);
                std::iter::once("pass".to_owned())
                    .chain(names.into_iter().flatten())
                    .collect()
            }
            "alone" => words(&["alone", "decline"]),
            word => self.hands[self.turn]
                .iter()
                .map(|card| format!("{word} {card}"))
                .collect(),
        }
    }

    /// Why an action is refused, or nothing: the one place that says no.
    fn violation(&self, seat: Seat, action: &str) -> Option<&'static str> {
        let (word, rest) = cut(action);
        let fits = match self.phase {
            "round_one" => word == "pass" || word == "order",
            "round_two" => word == "pass" || word == "name",
            "alone" => word == "alone" || word == "decline",
            phase => word == phase,
        };
        match word {
            _ if self.game_over() => Some("GAME_OVER"),
            _ if self.phase == "over" => Some("HAND_OVER"),
            _ if seat != self.turn && self.sitting.contains(&seat) => Some("SITTING_OUT"),
            _ if seat != self.turn => Some("NOT_YOUR_TURN"),
            "alone" if !fits => Some(self.misplaced(seat)),
            "pass" | "order" | "name" | "discard" | "alone" | "decline" | "play" | "redeal"
            | "swap" | "give"
                if !fits =>
            {
                Some("WRONG_PHASE")
            }
            _ if !is_spelt(action) => Some("UNKNOWN_ACTION"),
            "discard" | "play" => self.card_violation(word, rest),
            _ => self.call_violation(seat, word, rest),
        }
    }

    /// Why the seat on turn may not play or bury a card.
    fn card_violation(&self, word: &str, card: &str) -> Option<&'static str> {
        let hand = &self.hands[self.turn];
        if !hand.iter().any(|held| held == card) {
            return Some("CARD_NOT_HELD");
        }
        if word == "discard" {
            let forbidden = self.rule("bury_upcard") == "forbidden" && card == self.upcard;
            return forbidden.then_some("DISCARD_UPCARD_FORBIDDEN");
        }
        let (_, first) = self.trick.first()?;
        let follows = |held: &str| suit_of(held, self.trump) == suit_of(first, self.trump);
        let can = hand.iter().any(|held| follows(held));
        (can && !follows(card)).then_some("MUST_FOLLOW_SUIT")
    }

    /// Why trump may not be called so, or a pass not made.
    fn call_violation(&self, seat: Seat, word: &str, rest: &str) -> Option<&'static str> {
        let turned = suit(&self.upcard);
        let stuck = self.phase == "round_two" && seat == self.dealer;
        if word == "name" && rest.starts_with(turned) {
            return Some("SUIT_TURNED_DOWN");
        }
        if word == "pass" && stuck && self.rule("all_pass") == "stick" {
            return Some("DEALER_STUCK");
        }
        if word == "order" && seat != self.dealer {
            let holds = self.hands[seat]
                .iter()
                .any(|card| suit_of(card, turned) == turned);
            if self.rule("order_needs_trump") == "left_counts" && !holds {
                return Some("NEEDS_TRUMP");
            }
            let helps = seat == left(self.dealer, 2) && rest.is_empty();
            if self.rule("partner_order") == "must_be_alone" && helps {
                return Some("PARTNER_MUST_GO_ALONE");
            }
        }
        let early = self.rule("alone_when") == "before_lead" && rest.ends_with("alone");
        early.then_some("ALONE_NOT_ALLOWED")
    }

    /// Why `alone` is refused outside its phase.
    fn misplaced(&self, seat: Seat) -> &'static str {
        let Some(maker) = self.maker else {
            return "WRONG_PHASE";
        };
        if side(seat) == side(maker) {
            let maker_only = self.rule("alone_who") == "maker" && seat != maker;
            return if maker_only {
                "ALONE_NOT_ALLOWED"
            } else {
                "ALONE_TOO_LATE"
            };
        }
        match self.rule("defend_alone") {
            "never" => "DEFEND_ALONE_OFF",
            _ if !self.lone(side(maker)) => "DEFEND_ALONE_NO_LONER",
            _ => "ALONE_TOO_LATE",
        }
    }

    /// Take a legal action of the seat on turn.
    fn apply(&mut self, action: &str) {
        let seat = self.turn;
        let (word, rest) = cut(action);
        match word {
            "pass" => return self.pass(),
            "play" => return self.play(rest),
            "order" | "name" => {
                self.maker = Some(seat);
                self.trump = suit(&self.upcard);
                if word == "name" {
                    self.trump = rest.chars().next().unwrap_or('?');
                }
                if rest.ends_with("alone") {
                    self.go_alone(seat);
                }
                if word == "order" {
                    self.hands[self.dealer].push(self.upcard.clone());
                    (self.phase, self.turn) = ("discard", self.dealer);
                    return;
                }
            }
            "discard" => self.hands[seat].retain(|held| held != rest),
            "alone" => self.go_alone(seat),
            _ => self.declined.push(seat),
        }
        self.ask_alone();
    }

    fn pass(&mut self) {
        self.passes += 1;
        self.turn = left(self.turn, 1);
        match self.passes {
            4 => self.phase = "round_two",
            8 => self.phase = "over",
            _ => {}
        }
    }

    /// Ask the next seat whether it goes alone; with nobody left to ask, play begins.
    fn ask_alone(&mut self) {
        let Some(maker) = self.maker else { return };
        let (makers, eldest) = (side(maker), left(self.dealer, 1));
        let mut asked = Vec::new();
        if self.rule("alone_when") == "before_lead" && !self.lone(makers) {
            asked.push(maker);
            if self.rule("alone_who") == "making_side" {
                asked.push(left(maker, 2));
            }
        } else if self.rule("defend_alone") == "vs_loner" && self.lone(makers) {
            let defenders = (0..4)
                .map(|step| left(eldest, step))
                .filter(|s| side(*s) != makers);
            asked.extend(defenders.filter(|_| !self.lone(1 - makers)));
        }
        let next = asked.into_iter().find(|seat| !self.declined.contains(seat));
        (self.phase, self.turn) = match next {
            Some(seat) => ("alone", seat),
            None => ("play", self.playing(eldest)),
        };
    }

    /// The seat itself, or the next one round that does not sit out.
    fn playing(&self, seat: Seat) -> Seat {
        let round = (0..4).map(|step| left(seat, step));
        round
            .into_iter()
            .find(|seat| !self.sitting.contains(seat))
            .unwrap_or(seat)
    }

    /// Play a card; the last of a trick decides it, the last of the deal ends it.
    fn play(&mut self, card: &str) {
        let seat = self.turn;
        self.hands[seat].retain(|held| held != card);
        self.trick.push((seat, card.to_owned()));
        self.turn = self.playing(left(seat, 1));
        if self.trick.len() == 4 - self.sitting.len() {
            let led = suit_of(&self.trick[0].1, self.trump);
            let best = self
                .trick
                .iter()
                .max_by_key(|(_, card)| strength(card, self.trump, led));
            self.turn = best.map_or(seat, |(winner, _)| *winner);
            self.winners.push(self.turn);
            self.trick.clear();
        }
        if self.winners.len() == 5 {
            self.phase = "over";
        }
    }

    /// What each side has taken.
    fn tricks(&self) -> [i64; 2] {
        [0, 1].map(|which| {
            self.winners
                .iter()
                .filter(|seat| side(**seat) == which)
                .count() as i64
        })
    }

    /// What the deal pays; where several prices apply, the largest counts.
    fn points(&self) -> [i64; 2] {
        let Some(maker) = self.maker.filter(|_| self.phase == "over") else {
            return [0, 0];
        };
        let makers = side(maker);
        let took = self.tricks()[makers];
        let (lone, lone_defender) = (self.lone(makers), self.lone(1 - makers));
        let prices = [
            ("points_made", (3..5).contains(&took)),
            ("points_march", took == 5),
            ("points_lone_march", took == 5 && lone),
            ("points_euchre", took < 3),
            ("points_euchre_all_five", took == 0),
            ("points_lone_euchred", took < 3 && lone),
            ("points_lone_defender", took < 3 && lone_defender),
        ];
        let due = prices.iter().filter(|(_, applies)| *applies);
        let due = due
            .filter_map(|(knob, _)| self.rule(knob).parse::<i64>().ok())
            .max();
        let mut points = [0, 0];
        points[if took >= 3 { makers } else { 1 - makers }] = due.unwrap_or(0);
        points
    }

    /// The score, this deal included.
    fn score(&self) -> [i64; 2] {
        let points = self.points();
        [self.before[0] + points[0], self.before[1] + points[1]]
    }

    fn game_over(&self) -> bool {
        let [ns, ew] = self.score();
        self.rule("target")
            .parse::<i64>()
            .is_ok_and(|target| ns.max(ew) >= target)
    }

    fn next_dealer(&self) -> Seat {
        let same = self.maker.is_none() && self.rule("throw_in_dealer") == "same";
        left(self.dealer, usize::from(!same))
    }

    /// Who is on turn, in which phase, and what is legal.
    fn standing(&self) -> Value {
        if self.phase == "over" || self.game_over() {
            let none: Vec<String> = Vec::new();
            return object([("phase", "over".into()), ("legal", none.into())]).and("closed", true);
        }
        let turn = ("turn", SEATS[self.turn].into());
        object([
            turn,
            ("phase", self.phase.into()),
            ("legal", self.legal().into()),
        ])
    }

    /// What one seat may see; what has no meaning yet is absent.
    fn view(&self, seat: Seat) -> Value {
        let mut seen = self.standing();
        if seat != self.turn {
            seen = seen.and("legal", Vec::<String>::new());
        }
        let counts = SEATS
            .iter()
            .zip(&self.hands)
            .map(|(seat, hand)| (*seat, hand.len().into()));
        let upcard_state = match self.maker {
            _ if self.passes >= 4 => "turned_down",
            Some(_) => "taken",
            None => "turned",
        };
        let mut seen = seen
            .and("seat", SEATS[seat])
            .and("dealer", SEATS[self.dealer])
            .and("hand", self.hands[seat].clone())
            .and("counts", object(counts))
            .and("score", sides(self.score()))
            .and("upcard", self.upcard.as_str())
            .and("upcard_state", upcard_state);
        let Some(maker) = self.maker else { return seen };
        seen = seen
            .and("trump", self.trump.to_string())
            .and("maker", SEATS[maker])
            .and("alone", words(&self.alone))
            .and("out", words(&self.sitting));
        if self.phase == "play" || self.phase == "over" {
            let laid = self.trick.iter().map(|(seat, card)| {
                object([
                    ("seat", SEATS[*seat].into()),
                    ("card", card.as_str().into()),
                ])
            });
            seen = seen
                .and("trick", laid.collect::<Vec<_>>())
                .and("tricks", sides(self.tricks()));
        }
        match self.trick.first() {
            Some((_, card)) => seen.and("led", card.as_str()),
            None => seen,
        }
    }

    /// How the deal ended.
    fn result(&self) -> Value {
        if self.phase != "over" {
            return error("the deal is not over");
        }
        let outcome = if self.maker.is_some() {
            "played"
        } else {
            "thrown_in"
        };
        let ended = object([
            ("winners", words(&self.winners)),
            ("outcome", outcome.into()),
        ])
        .and("tricks", sides(self.tricks()))
        .and("points", sides(self.points()))
        .and("score", sides(self.score()));
        match self.game_over() {
            true => ended,
            false => ended.and("next_dealer", SEATS[self.next_dealer()]),
        }
    }
}

fn sides([ns, ew]: [i64; 2]) -> Value {
    object([("ns", ns.into()), ("ew", ew.into())])
}

fn words(seats: &[Seat]) -> Value {
    seats
        .iter()
        .map(|seat| SEATS[*seat])
        .collect::<Vec<_>>()
        .into()
}

fn error(why: &str) -> Value {
    object([("error", why.into())])
}

/// The end of the deal, or the first action that is refused.
fn replay(mut deal: Deal, tricks: &Value) -> Value {
    let actions = tricks.items().iter().flat_map(Value::texts);
    for (at, action) in actions.enumerate() {
        if let Some(reason) = deal.violation(deal.turn, &action) {
            return deal.standing().and("refused", reason).and("at", at);
        }
        deal.apply(&action);
    }
    deal.result()
}

/// Deal after deal, until a side reaches the target.
fn game(request: &Value) -> Result<Value, String> {
    let deals = request.get("deals").items();
    let first = deals.first().ok_or("a game has deals")?;
    let mut dealer = seat_of(first.get("deal").get("dealer").text())?;
    let (mut score, mut scores, mut over) = (request.get("score").sides(), Vec::new(), false);
    for played in deals {
        let deal = Deal::after(request.get("rules"), played, score)?;
        if over || deal.dealer != dealer || deal.phase != "over" {
            return Err("by the wrong dealer, unfinished, or after the end of the game".to_owned());
        }
        (score, dealer, over) = (deal.score(), deal.next_dealer(), deal.game_over());
        scores.push(sides(score));
    }
    let told = object([("scores", scores.into())]);
    Ok(match over {
        false => told.and("dealer", SEATS[dealer]),
        true => told.and("winner", if score[0] > score[1] { "ns" } else { "ew" }),
    })
}

fn hello() -> Value {
    let knobs = KNOBS
        .iter()
        .map(|(knob, values)| (*knob, values.to_vec().into()));
    object([
        ("protocol", 1_i64.into()),
        ("name", "small-euchre-rust".into()),
    ])
    .and("version", "1")
    .and("language", "rust")
    .and("ops", OPS.to_vec())
    .and("rulesets", RULESETS.to_vec())
    .and("knobs", object(knobs))
    .and("parallel", true)
}

/// The answer to one request; an error where it cannot be followed.
fn answer(request: &Value) -> Result<Value, String> {
    let op = request.get("op").text();
    match op {
        "hello" => return Ok(hello()),
        "game" => return game(request),
        _ if !OPS.contains(&op) => return Ok(object([("unsupported", op.into())])),
        _ => {}
    }
    let mut deal = Deal::after(request.get("rules"), request, request.get("score").sides())?;
    Ok(match op {
        "view" => object([("view", deal.view(seat_of(request.get("seat").text())?))]),
        "replay" => replay(deal, request.get("tricks")),
        "score" => deal.result(),
        "apply" => {
            let action = request.get("action").text();
            let by = match request.get("by").text() {
                "" => deal.turn,
                word => seat_of(word)?,
            };
            if let Some(reason) = deal.violation(by, action) {
                return Ok(deal.standing().and("refused", reason));
            }
            deal.apply(action);
            deal.standing()
        }
        _ => deal.standing(),
    })
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let Some(request) = parse(&line?) else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a line that is not JSON",
            ));
        };
        let told = answer(&request).unwrap_or_else(|why| error(&why));
        writeln!(out, "{}", told.and("id", request.get("id").clone()).dump())?;
        out.flush()?;
    }
    Ok(())
}

// -- JSON, as far as it is spoken here: whole numbers only

#[derive(Clone)]
enum Value {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

fn object<'k>(fields: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    Value::Object(
        fields
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Number(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Value::Number(value as i64)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl Value {
    /// A field; null where there is none.
    fn get(&self, key: &str) -> &Value {
        let fields = match self {
            Value::Object(fields) => fields.as_slice(),
            _ => &[],
        };
        fields
            .iter()
            .find(|(name, _)| name == key)
            .map_or(&Value::Null, |(_, value)| value)
    }

    /// The same object with one field set.
    fn and(mut self, key: &str, value: impl Into<Value>) -> Value {
        if let Value::Object(fields) = &mut self {
            fields.retain(|(name, _)| name != key);
            fields.push((key.to_owned(), value.into()));
        }
        self
    }

    fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => "",
        }
    }

    fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            _ => &[],
        }
    }

    fn texts(&self) -> Vec<String> {
        self.items()
            .iter()
            .map(|item| item.text().to_owned())
            .collect()
    }

    fn sides(&self) -> [i64; 2] {
        ["ns", "ew"].map(|which| match self.get(which) {
            Value::Number(number) => *number,
            _ => 0,
        })
    }

    fn dump(&self) -> String {
        let joined = |all: Vec<String>| all.join(",");
        match self {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => quoted(text),
            Value::List(items) => format!("[{}]", joined(items.iter().map(Value::dump).collect())),
            Value::Object(fields) => {
                let dumped = fields
                    .iter()
                    .map(|(key, value)| quoted(key) + ":" + &value.dump());
                format!("{{{}}}", joined(dumped.collect()))
            }
        }
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|letter| match letter {
        '"' | '\\' => format!("\\{letter}"),
        letter if letter < ' ' => format!("\\u{:04x}", letter as u32),
        letter => letter.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// The one value of a line.
fn parse(line: &str) -> Option<Value> {
    let mut letters = line.chars().peekable();
    let value = value(&mut letters)?;
    skip(&mut letters);
    letters.next().is_none().then_some(value)
}

type Letters<'a> = Peekable<Chars<'a>>;

fn skip(letters: &mut Letters) {
    while letters
        .next_if(|letter| letter.is_ascii_whitespace())
        .is_some()
    {}
}

fn value(letters: &mut Letters) -> Option<Value> {
    skip(letters);
    match *letters.peek()? {
        '{' => list(letters, '}', |letters| {
            let key = text(letters)?;
            skip(letters);
            letters.next_if_eq(&':')?;
            Some((key, value(letters)?))
        })
        .map(Value::Object),
        '[' => list(letters, ']', value).map(Value::List),
        '"' => text(letters).map(Value::Text),
        _ => {
            let mut word = String::new();
            while let Some(letter) = letters.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
                word.push(letter);
            }
            match word.as_str() {
                "null" => Some(Value::Null),
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                number => number.parse().ok().map(Value::Number),
            }
        }
    }
}

/// What stands between brackets, one item as `item` reads it after another.
fn list<T>(
    letters: &mut Letters,
    end: char,
    item: impl Fn(&mut Letters) -> Option<T>,
) -> Option<Vec<T>> {
    letters.next();
    let mut items = Vec::new();
    skip(letters);
    if letters.next_if_eq(&end).is_some() {
        return Some(items);
    }
    loop {
        skip(letters);
        items.push(item(letters)?);
        skip(letters);
        match letters.next()? {
            ',' => {}
            last => return (last == end).then_some(items),
        }
    }
}

fn text(letters: &mut Letters) -> Option<String> {
    letters.next_if_eq(&'"')?;
    let mut text = String::new();
    loop {
        match letters.next()? {
            '"' => return Some(text),
            '\\' => text.push(match letters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => {
                    let digits: String = letters.by_ref().take(4).collect();
                    // Half of a pair stands for no letter by itself.
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?).unwrap_or('\u{fffd}')
                }
                letter => letter,
            }),
            letter => text.push(letter),
        }
    }
}
