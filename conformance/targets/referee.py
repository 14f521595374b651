"""Our own referee as a target: `referee:`. The one module that asks the referee's packages."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from typing import Final

from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, int_of, list_of, map_of, text_of, texts_of
from referee.errors import RefereeError
from referee.journal.verify import verify_stream
from referee.rules import (
    SEATS,
    SIDES,
    Claim,
    Deal,
    FirstDealer,
    Game,
    Hand,
    Holding,
    IllegalActionError,
    Makers,
    Packets,
    Result,
    RuleSet,
    Violation,
    action_text,
    apply,
    card_text,
    check_deal,
    check_deck,
    check_hand,
    deal_from_deck,
    deal_from_hands,
    draw_dealer,
    hand_of,
    legal_actions,
    makers_from_play,
    outcome_of,
    pack_cards,
    parse_action,
    parse_card,
    parse_seat,
    parse_trump,
    penalty_of,
    positions,
    reneges,
    violation,
)
from referee.table.view import View, hand_view


@dataclass(slots=True)
class Table:
    """A hand within a game."""

    game: Game
    hand: Hand

    def settle(self) -> None:
        """Count the deal, once it is over."""
        if self.hand.seat_on_turn is None:
            self.game = self.game.after(outcome_of(self.hand))

    def refused(self, seat: int, text: str) -> Violation | None:
        """What is wrong with an action, by its words and by its code: the two doors must agree."""
        found = self.game.ruling(self.hand, seat, text)
        wrong = found if isinstance(found, Violation) else None
        code = parse_action(text)
        doors = (text,) if code is None else (text, code)
        if any(self.game.violation(self.hand, seat, door) != wrong for door in doors):
            raise PositionError(f"{text!r} is ruled otherwise by its words than by its code")
        return wrong

    def do(self, text: str) -> None:
        """Make a legal move."""
        code = parse_action(text)
        if code is None:
            raise PositionError(f"not an action: {text!r}")
        try:
            apply(self.hand, code)
        except IllegalActionError as err:
            raise PositionError(f"{err.action!r}: {err.violation.reason.value}") from err
        self.settle()


def answer(request: Record) -> dict[str, Json]:
    """The referee's answer to one request."""
    op = text_of(request.get("op"), "op")
    if op not in OPS:
        return {"unsupported": op}
    try:
        return OPS[op](request)
    except (RefereeError, PositionError) as err:
        return {"error": str(err)}


@cache
def _rule_set(knobs: tuple[tuple[str, Json], ...]) -> RuleSet:
    return RuleSet.from_map({name: text_of(value, name) for name, value in knobs})


def _copied(value: Json) -> Json:
    """A value that stays as it is whatever becomes of the one it is made of."""
    if isinstance(value, dict):
        return {name: _copied(item) for name, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


class _Memory:
    """What the request before was about, for the next is often of the same deal, or goes on."""

    def __init__(self) -> None:
        self.knobs: dict[str, Json] = {}
        self.rules = RuleSet()
        self.dealt: Json = None
        self.deal: Deal | None = None
        self.table: Table | None = None
        self.score = (0, 0)
        self.actions: list[str] = []

    def rules_of(self, request: Record) -> RuleSet:
        """The rule set of a request."""
        knobs = map_of(request.get("rules"), "rules")
        if knobs != self.knobs:
            try:
                self.rules = _rule_set(tuple(knobs.items()))
            except TypeError as err:
                raise PositionError("rules: a value is not a text") from err
            self.knobs, self.deal = dict(knobs), None
        return self.rules

    def deal_of(self, rules: RuleSet, value: Json) -> Deal:
        """The deal of a request, under the rule set just asked for."""
        if self.deal is None or rules is not self.rules or value != self.dealt:
            self.dealt, self.deal = _copied(value), _deal(rules, value)
            self.table = None
        return self.deal

    def table_of(
        self, rules: RuleSet, deal: Deal, score: tuple[int, int], actions: list[str]
    ) -> Table:
        """The table after some actions, played on from the one before where they begin alike."""
        table, self.table = self.table, None
        known = len(self.actions)
        if table is None or score != self.score or actions[:known] != self.actions:
            game = Game(rules=rules, dealer=SEATS[deal.dealer], score=score)
            table, known = Table(game, Hand(rules, deal, game.score)), 0
        for action in actions[known:]:
            table.do(action)
        self.table, self.score, self.actions = table, score, actions
        return Table(table.game, table.hand.copy())


MEMORY: Final = _Memory()


def _rules(request: Record) -> RuleSet:
    return MEMORY.rules_of(request)


def _deal(rules: RuleSet, value: Json) -> Deal:
    fields = map_of(value, "deal")
    dealer = parse_seat(text_of(fields.get("dealer"), "dealer"))
    given = map_of(fields.get("hands"), "hands")
    hands = {
        seat: [parse_card(card) for card in texts_of(given.get(seat.word), "a hand")]
        for seat in SEATS
    }
    kitty = None
    if "kitty" in fields:
        kitty = [parse_card(card) for card in texts_of(fields["kitty"], "kitty")]
    upcard = parse_card(text_of(fields.get("upcard"), "upcard"))
    for cards in hands.values():
        check_hand(cards, rules)
    deal = deal_from_hands(rules, dealer, hands, upcard, kitty)
    check_deal(deal, rules)
    return deal


def _score(request: Record) -> tuple[int, int]:
    score = map_of(request.get("score", {"ns": 0, "ew": 0}), "score")
    return int_of(score.get("ns"), "score.ns"), int_of(score.get("ew"), "score.ew")


def _table(request: Record) -> Table:
    rules = _rules(request)
    deal = MEMORY.deal_of(rules, request.get("deal"))
    actions = list(texts_of(request.get("actions", []), "actions"))
    return MEMORY.table_of(rules, deal, _score(request), actions)


def _standing(table: Table) -> dict[str, Json]:
    seat = table.hand.seat_on_turn
    legal = [action_text(code) for code in legal_actions(table.hand)]
    if seat is None or table.game.is_over:
        return {"phase": "over", "legal": legal if seat is None else [], "closed": True}
    return {"turn": seat.word, "phase": table.hand.phase.value, "legal": legal}


def _legal(request: Record) -> dict[str, Json]:
    return _standing(_table(request))


def _apply(request: Record) -> dict[str, Json]:
    table = _table(request)
    before = table.hand.copy()
    text = text_of(request.get("action"), "action")
    on_turn = table.hand.seat_on_turn or SEATS[0]
    seat = parse_seat(text_of(request.get("by", on_turn.word), "by"))
    found = table.refused(seat, text)
    if found is not None:
        if table.hand != before:
            raise PositionError(f"{text!r} was refused and changed the position")
        return {"refused": found.reason.value, "rule": found.rule, **_standing(table)}
    table.do(text)
    return _standing(table)


def _sides(values: Sequence[int]) -> dict[str, Json]:
    return {side.value: value for side, value in zip(SIDES, values, strict=True)}


def _view(request: Record) -> dict[str, Json]:
    table = _table(request)
    seat = parse_seat(text_of(request.get("seat"), "seat"))
    view = hand_view(table.hand, seat, deal=1, score=table.game.score, version=0)
    down = {*table.hand.buried, *table.hand.kitty, table.hand.discarded} - {None}
    taken = view.upcard_state == "taken" and view.phase != "discard"
    known = table.hand.buried if taken else (None, *table.hand.buried)
    if table.hand.discarded not in known:
        raise PositionError("the card that was buried does not lie face down")
    if down & set(map(parse_card, view.hand)):
        raise PositionError("a hand in the view holds a card that lies face down")
    return {"view": _seen(view)}


def _seen(view: View) -> dict[str, Json]:
    """A view as the protocol writes it: what has no meaning yet is absent."""
    seen: dict[str, Json] = {
        "seat": view.seat.word,
        "phase": view.phase,
        "dealer": view.dealer.word,
        "hand": list(view.hand),
        "counts": {seat.word: count for seat, count in zip(SEATS, view.counts, strict=True)},
        "upcard": view.upcard,
        "upcard_state": view.upcard_state,
        "score": {"ns": view.score.ns, "ew": view.score.ew},
        "legal": list(view.legal),
    }
    if view.trump is not None:
        seen["trump"] = view.trump
        seen["alone"] = [seat.word for seat in view.alone]
        seen["out"] = [seat.word for seat in view.out]
        if {seat.partner for seat in view.alone} != set(view.out):
            raise PositionError("the seats that sit out are not the partners of those alone")
        if view.phase in ("play", "over"):
            seen["trick"] = [{"seat": seat.word, "card": card} for seat, card in view.trick]
            seen["tricks"] = {"ns": view.tricks.ns, "ew": view.tricks.ew}
    for name, seat in (("maker", view.maker), ("turn", view.turn)):
        if seat is not None:
            seen[name] = seat.word
    if view.led is not None:
        seen["led"] = view.led
    return seen


def _replay(request: Record) -> dict[str, Json]:
    table = _table(request)
    at = 0
    for trick in list_of(request.get("tricks", []), "tricks"):
        for text in texts_of(trick, "a trick"):
            found = table.refused(table.hand.seat_on_turn or 0, text)
            if found is not None:
                return {"refused": found.reason.value, "at": at, **_standing(table)}
            table.do(text)
            at += 1
    outcome = outcome_of(_finished(table))
    won = Counter(trick.winner.side for trick in table.hand.past_tricks)
    if outcome.outcome is Result.PLAYED and tuple(won[side] for side in SIDES) != outcome.tricks:
        raise PositionError("the tricks of the outcome are not those that were won")
    reply: dict[str, Json] = {
        "winners": [trick.winner.word for trick in table.hand.past_tricks],
        "outcome": outcome.outcome.value,
        "tricks": _sides(outcome.tricks),
        "points": _sides(outcome.points),
        "score": _sides(table.game.score),
    }
    if not table.game.is_over:
        reply["next_dealer"] = table.game.dealer.word
    return reply


def _finished(table: Table) -> Hand:
    if table.hand.seat_on_turn is not None:
        raise PositionError("the deal is not finished")
    return table.hand


def _score_op(request: Record) -> dict[str, Json]:
    outcome = outcome_of(_finished(_table(request)))
    return {"tricks": _sides(outcome.tricks), "points": _sides(outcome.points)}


def _deck(request: Record) -> dict[str, Json]:
    rules = _rules(request)
    deck = [parse_card(card) for card in texts_of(request.get("deck"), "deck")]
    dealer = parse_seat(text_of(request.get("dealer"), "dealer"))
    packets = Packets(text_of(request.get("packets", rules.packets.value), "packets"))
    deal = deal_from_deck(deck, replace(rules, packets=packets), dealer)
    hands = {
        seat.word: [card_text(deck[place]) for place in positions(packets, dealer, seat)]
        for seat in SEATS
    }
    if any(hand_of(map(parse_card, hands[seat.word])) != deal.hands[seat] for seat in SEATS):
        raise PositionError("the hands are not at the positions that the packets give")
    kitty = [card_text(card) for card in deal.kitty]
    return {"hands": hands, "upcard": card_text(deal.upcard), "kitty": kitty}


def _draw(request: Record) -> dict[str, Json]:
    rules = _rules(request)
    deck = [parse_card(card) for card in texts_of(request.get("deck"), "deck")]
    method = FirstDealer(text_of(request.get("method", rules.first_dealer.value), "method"))
    draw = draw_dealer(deck, method, parse_seat(text_of(request.get("start"), "start")))
    check_deck(deck, rules)
    return {"dealer": draw.dealer.word, "turned": len(draw.turned)}


def _game(request: Record) -> dict[str, Json]:
    rules = _rules(request)
    game: Game | None = None
    scores: list[Json] = []
    for item in list_of(request.get("deals"), "deals"):
        fields = map_of(item, "a deal of the game")
        deal = _deal(rules, fields.get("deal"))
        if game is None:
            game = Game(rules=rules, dealer=SEATS[deal.dealer], score=_score(request))
        if game.dealer != deal.dealer:
            raise PositionError(f"{SEATS[deal.dealer].word} deals, not {game.dealer.word}")
        table = Table(game, Hand(rules, deal, game.score))
        for action in texts_of(fields.get("actions", []), "actions"):
            table.do(action)
        _finished(table)
        game = table.game
        scores.append(_sides(game.score))
    if game is None:
        raise PositionError("a game without deals")
    reply: dict[str, Json] = {"scores": scores}
    if not game.is_over:
        reply["dealer"] = game.dealer.word
    elif game.winner is not None:
        reply["winner"] = game.winner.value
    return reply


def _perft(request: Record) -> dict[str, Json]:
    table = _table(request)
    depth = int_of(request.get("depth", 99), "depth")
    spread = _leaves(table.hand, depth)
    return {"leaves": sum(spread.values()), "spread": dict(spread)}


def _leaves(hand: Hand, depth: int) -> Counter[str]:
    if hand.seat_on_turn is None:
        outcome = outcome_of(hand)
        side = outcome.side.value if outcome.side is not None else "none"
        return Counter([f"{outcome.outcome.value}/{side}/{max(outcome.points)}"])
    if depth == 0:
        return Counter(["open/none/0"])
    spread: Counter[str] = Counter()
    for code in legal_actions(hand):
        below = hand.copy()
        below.advance(code)
        spread.update(_leaves(below, depth - 1))
    return spread


def _adjudicate(request: Record) -> dict[str, Json]:
    rules = _rules(request)
    record = map_of(request.get("record"), "record")
    tricks = [
        tuple(_laid(text) for text in texts_of(trick, "a trick"))
        for trick in list_of(record.get("tricks"), "record.tricks")
    ]
    trump, makers, holdings = -1, makers_from_play(rules, tricks), tuple[Holding, ...]()
    if "deal" in request:
        hand = _table(request).hand
        holdings = tuple(Holding(cards) for cards in hand.hands)
        if hand.trump_suit is not None:
            trump, makers = hand.trump_suit, Makers(hand.maker, hand.alone)
        if hand.phase.value == "discard":
            holdings = tuple(h._replace(spare=int(s == hand.turn)) for s, h in enumerate(holdings))
    if "trump" in record:
        trump = parse_trump(text_of(record["trump"], "record.trump"))
    if trump < 0:
        raise PositionError("no trump: give record.trump, or a deal and the calls that made it")
    pack = hand_of(pack_cards(rules.pack))
    for _, card in (laid for trick in tricks for laid in trick):
        if not pack >> card & 1:
            raise PositionError(f"not a card of the pack {rules.pack.value}: {card_text(card)!r}")
    findings = reneges(pack, trump, tricks, holdings)
    claims = [_claim(item) for item in list_of(request.get("claims", []), "claims")]
    penalty = penalty_of(rules, findings, claims, makers)
    return {
        "findings": [
            {"trick": f.trick, "seat": f.seat.word, "card": card_text(f.card), "rule": f.rule}
            for f in findings
        ],
        "penalty": {
            "side": "none" if penalty.side is None else penalty.side.value,
            "points": penalty.points,
        },
    }


def _verify(request: Record) -> dict[str, Json]:
    text = text_of(request.get("text"), "text")
    report = verify_stream(BytesIO(text.encode("latin-1", "replace")))
    reply: dict[str, Json] = {"exit": report.exit}
    failure = report.verdict.failure
    if failure is not None and failure.party is not None:
        reply["party"] = failure.party
    if failure is not None and failure.seq is not None:
        reply["event"] = failure.seq
    return reply


def _laid(text: str) -> tuple[int, int]:
    seat, _, card = text.partition(" ")
    return parse_seat(seat), parse_card(card)


def _claim(item: Json) -> Claim:
    fields = map_of(item, "a claim")
    by, against = (parse_seat(text_of(fields.get(k), k)) for k in ("by", "against"))
    return Claim(by, against, int_of(fields.get("trick"), "trick"))


def refusal(hand: Hand, seat: int, text: str) -> str | None:
    """The reason for which the referee refuses an action; none if it does not."""
    found = violation(hand, seat, text)
    return None if found is None else found.reason.value


OPS: Mapping[str, Callable[[Record], dict[str, Json]]] = {
    "legal": _legal,
    "apply": _apply,
    "view": _view,
    "replay": _replay,
    "score": _score_op,
    "deck": _deck,
    "draw": _draw,
    "game": _game,
    "perft": _perft,
    "adjudicate": _adjudicate,
    "verify": _verify,
}
