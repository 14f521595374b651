"""What a seat sees, as an array of fixed length, and the actions by number.

The array is made from the view that a player is shown, from what was played in the open, and from
the cards that the seat itself put away: of the deal itself it is told nothing.
Seats are counted from the observer: 0 the seat itself, 1 its left, 2 its partner, 3 its right.
Sides likewise: 0 its own, 1 the other. Cards stand in the order of `CARDS`.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from referee.rules import (
    ACTION_TEXTS,
    TRUMP_LETTERS,
    Card,
    Pack,
    Phase,
    RuleSet,
    Seat,
    UpcardState,
    card_text,
    largest_points,
    pack_cards,
)
from referee.table.view import View

Numbers: TypeAlias = NDArray[np.int32]
Mask: TypeAlias = NDArray[np.int8]


class Observation(TypedDict):
    """What PettingZoo hands to a policy: the array, and 1 for each action that is legal now."""

    observation: Numbers
    action_mask: Mask


def _all_cards() -> tuple[str, ...]:
    cards: set[Card] = set()
    for pack in Pack:
        cards |= set(pack_cards(pack))
    return tuple(map(card_text, sorted(cards)))


CARDS: Final = _all_cards()
"""Every card of every pack, so that a policy fits all rule sets."""


def _swaps() -> tuple[str, ...]:
    poor = sorted(card for card in CARDS if card[0] in "9T")
    return tuple(f"swap {' '.join(cards)}" for cards in combinations(poor, 3))


ACTIONS: Final = (*ACTION_TEXTS.values(), *_swaps())
"""Every action by its number: those of the rules, then the swaps of three nines and tens."""
NUMBER_OF: Final = {text: number for number, text in enumerate(ACTIONS)}

_SIZES: Final[dict[str, int]] = {
    "hand": len(CARDS),
    "put_away": len(CARDS),
    "upcard": len(CARDS),
    "upcard_state": len(UpcardState),
    "led": len(CARDS),
    "trick": 4 * len(CARDS),
    "played": 4 * len(CARDS),
    "trump": len(TRUMP_LETTERS),
    "phase": len(Phase),
    "dealer": 4,
    "maker": 4,
    "turn": 4,
    "alone": 4,
    "out": 4,
    "counts": 4,
    "tricks": 2,
    "score": 2,
}


def _fields() -> dict[str, slice]:
    fields: dict[str, slice] = {}
    start = 0
    for name, size in _SIZES.items():
        fields[name] = slice(start, start + size)
        start += size
    return fields


FIELDS: Final[Mapping[str, slice]] = _fields()
"""Where each part of the array lies.

| part | numbers |
|---|---|
| `hand` | 1 for each card held (none while the dealer names trump blind) |
| `put_away` | 1 for each card that this seat itself buried, swapped or gave |
| `upcard`, `upcard_state` | the card turned; turned, taken, turned down |
| `led` | the card led to the trick on the table |
| `trick`, `played` | a row of cards a seat: on the table now; in this deal so far |
| `trump` | C D H S and no trump; all 0 before it is made |
| `phase` | one of `Phase`, in its order |
| `dealer`, `maker`, `turn`, `alone`, `out` | 1 for each seat that is it |
| `counts` | how many cards each seat holds |
| `tricks`, `score` | of the own side, of the other |
"""
SIZE: Final = sum(_SIZES.values())

_CARD_NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
_PHASES: Final = [phase.value for phase in Phase]
_UPCARD_STATES: Final = [state.value for state in UpcardState]
Plays: TypeAlias = Iterable[tuple[Seat, str]]


def highest(rules: RuleSet) -> Numbers:
    """The largest number that may stand in each place."""
    high = np.ones(SIZE, dtype=np.int32)
    high[FIELDS["counts"]] = 8  # a gift or an upcard more than five, with room to spare
    high[FIELDS["tricks"]] = 5
    most = largest_points(rules)
    ends_at = rules.target + most if rules.deals is None else rules.deals * most
    high[FIELDS["score"]] = ends_at
    return high


def encode(view: View, played: Plays, put_away: Iterable[str]) -> Numbers:
    """The array of a seat: its view, what was played in the open, and what it put away."""
    numbers = np.zeros(SIZE, dtype=np.int32)

    def mark(name: str, places: Iterable[int]) -> None:
        start = FIELDS[name].start
        for place in places:
            numbers[start + place] = 1

    def seats(places: Iterable[Seat | None]) -> list[int]:
        return [(seat - view.seat) & 3 for seat in places if seat is not None]

    def rows(plays: Plays) -> list[int]:
        return [((seat - view.seat) & 3) * len(CARDS) + _CARD_NUMBER[card] for seat, card in plays]

    mark("hand", (_CARD_NUMBER[card] for card in view.hand))
    mark("put_away", (_CARD_NUMBER[card] for card in put_away))
    mark("upcard", [_CARD_NUMBER[view.upcard]])
    mark("upcard_state", [_UPCARD_STATES.index(view.upcard_state)])
    mark("led", [] if view.led is None else [_CARD_NUMBER[view.led]])
    mark("trick", rows(view.trick))
    mark("played", rows(played))
    mark("trump", [] if view.trump is None else [TRUMP_LETTERS.index(view.trump)])
    mark("phase", [_PHASES.index(view.phase)])
    mark("dealer", seats([view.dealer]))
    mark("maker", seats([view.maker]))
    mark("turn", seats([view.turn]))
    mark("alone", seats(view.alone))
    mark("out", seats(view.out))
    numbers[FIELDS["counts"]] = [view.counts[(view.seat + n) & 3] for n in range(4)]
    step = 1 if view.seat & 1 == 0 else -1
    numbers[FIELDS["tricks"]] = (view.tricks.ns, view.tricks.ew)[::step]
    numbers[FIELDS["score"]] = (view.score.ns, view.score.ew)[::step]
    return numbers


def mask(legal: Iterable[str]) -> Mask:
    """1 for each legal action; all 0 for a seat that is not on turn."""
    allowed = np.zeros(len(ACTIONS), dtype=np.int8)
    for text in legal:
        allowed[NUMBER_OF[text]] = 1
    return allowed
