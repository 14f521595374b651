"""The positions of the conformance corpus as they are shipped, each seen from the seat on turn."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from referee.arena.players import JSON
from referee.errors import InternalError
from referee.rules import (
    SEATS,
    Hand,
    RuleSet,
    Violation,
    apply,
    deal_from_hands,
    parse_action,
    parse_card,
    parse_seat,
    preset,
    ruling,
)
from referee.table.view import hand_view
from referee.table.wire import view_map

FORMAT: Final = "euchre-positions/1"
NORTH: Final = 0


@dataclass(frozen=True, slots=True)
class Position:
    """A position of the corpus, turned so that north is on turn."""

    case: str
    hand: Hand
    score: tuple[int, int]
    version: int

    @property
    def rules(self) -> RuleSet:
        """The rule set that it stands under."""
        return self.hand.rules

    @property
    def view(self) -> Mapping[str, JSON]:
        """What north sees, as it is put to a bot."""
        north = SEATS[NORTH]
        view = hand_view(self.hand, north, deal=1, score=self.score, version=self.version)
        return view_map(view)

    @property
    def legal(self) -> Sequence[str]:
        """What north may do."""
        return hand_view(self.hand, SEATS[NORTH], deal=1, score=self.score, version=0).legal

    def fault(self, action: str) -> Violation | None:
        """What is wrong with an action of north."""
        found = ruling(self.hand, SEATS[NORTH], action)
        return found if isinstance(found, Violation) else None


@cache
def positions() -> tuple[Position, ...]:
    """Every position, those under one rule set beside each other, standard first."""
    path = files("referee") / "data" / "positions.jsonl"
    head, *lines = path.read_text(encoding="ascii").splitlines()
    if json.loads(head).get("format") != FORMAT:
        raise InternalError(f"{path} holds no positions of the format {FORMAT}")
    groups: dict[RuleSet, list[Position]] = {}
    for line in lines:
        found = _position(json.loads(line))
        groups.setdefault(found.rules, []).append(found)
    return tuple(one for group in groups.values() for one in group)


def by_rules(found: Sequence[Position]) -> Iterator[tuple[RuleSet, list[Position]]]:
    """The positions of each rule set."""
    groups: dict[RuleSet, list[Position]] = {}
    for one in found:
        groups.setdefault(one.rules, []).append(one)
    yield from groups.items()


def _position(row: dict[str, JSON]) -> Position:
    rules = RuleSet.from_map({**preset(_text(row["ruleset"])).to_map(), **_texts(row["changes"])})
    score = _map(row["score"])
    pair = (_number(score["ns"]), _number(score["ew"]))
    actions = _words(row["actions"])
    plain = _hand(rules, _map(row["deal"]), 0, pair, actions)
    turn = plain.seat_on_turn
    if turn is None:
        raise InternalError(f"position {row['case']!r} has nobody on turn")
    turned = pair if not turn & 1 else (pair[1], pair[0])
    hand = _hand(rules, _map(row["deal"]), -turn, turned, actions)
    return Position(_text(row["case"]), hand, turned, len(actions))


def _hand(
    rules: RuleSet,
    deal: Mapping[str, JSON],
    turn: int,
    score: tuple[int, int],
    actions: Sequence[str],
) -> Hand:
    """The hand after some actions, every seat moved on by `turn`."""
    given = _map(deal["hands"])
    hands = {
        SEATS[(seat + turn) % 4]: [parse_card(card) for card in _words(given[seat.word])]
        for seat in SEATS
    }
    dealer = SEATS[(parse_seat(_text(deal["dealer"])) + turn) % 4]
    kitty = [parse_card(card) for card in _words(deal["kitty"])] if "kitty" in deal else None
    dealt = deal_from_hands(rules, dealer, hands, parse_card(_text(deal["upcard"])), kitty)
    hand = Hand(rules, dealt, score)
    for text in actions:
        code = parse_action(text)
        if code is None:
            raise InternalError(f"no action: {text!r}")
        apply(hand, code)
    return hand


def _text(value: JSON) -> str:
    if not isinstance(value, str):
        raise InternalError(f"not a text: {value!r}")
    return value


def _number(value: JSON) -> int:
    if not isinstance(value, int):
        raise InternalError(f"not a number: {value!r}")
    return value


def _map(value: JSON) -> Mapping[str, JSON]:
    if not isinstance(value, Mapping):
        raise InternalError(f"not an object: {value!r}")
    return value


def _texts(value: JSON) -> dict[str, str]:
    return {name: _text(text) for name, text in _map(value).items()}


def _words(value: JSON) -> list[str]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InternalError(f"not a list: {value!r}")
    return [_text(word) for word in value]
