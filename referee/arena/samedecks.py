"""The same decks under two rule sets: what a rule is worth to one bot against another.

Each deck is played at two tables with the sides exchanged, under either rule set, so that the luck
of the cards goes out twice. Nothing is sealed: the decks follow from a seed.
"""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Final

from referee.arena.bots import BotSpec
from referee.arena.plain import PlainPlan, PlainTable
from referee.errors import RefereeError
from referee.rules import SEATS, Card, RuleSet, largest_points, pack_cards
from referee.sealing.encode import Mac
from referee.sealing.shuffle import Stream, permutation

SEAT_WORDS: Final = tuple(seat.word for seat in SEATS)
_TAG: Final = b"euchre-referee/same-decks\0"


class PacksDifferError(RefereeError, ValueError):
    """Two rule sets that are not played with the same cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What to play: a bot against another under two rule sets, `boards` decks from a seed.

    Times are milliseconds.
    """

    rules: tuple[RuleSet, RuleSet]
    bots: tuple[BotSpec, BotSpec]
    boards: int
    seed: int
    move_ms: int
    start_ms: int
    illegal_limit: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A deck under both rule sets: the first bot's points per deal, and who failed at its tables.

    `failures` tell how, by bot: (which of the two, what it did).
    """

    deck: str
    scores: tuple[Fraction, Fraction]
    failures: tuple[tuple[int, str], ...]


def check_packs(one: RuleSet, other: RuleSet) -> None:
    """PacksDifferError where two rule sets have no deck in common."""
    if one.pack is not other.pack:
        raise PacksDifferError(
            f"the packs differ: {one.pack.value} and {other.pack.value}"
            " (compare rule sets that are played with the same cards)"
        )


def deck_of(rules: RuleSet, seed: int, board: int) -> tuple[Card, ...]:
    """The deck of a board, in deal order: every order of the pack is as likely as another."""
    key = Mac(sha256(_TAG + f"{seed}/{board}".encode("ascii")).digest())
    cards = pack_cards(rules.pack)
    return tuple(cards[place] for place in permutation(Stream(key), len(cards)))


async def same_decks(study: Study) -> AsyncIterator[Compared]:
    """Play board after board; every seat deals as often as another.

    Raises PacksDifferError before anything is played, BotFailure where a bot does not start.
    """
    check_packs(*study.rules)
    for board in range(1, study.boards + 1):
        deck = deck_of(study.rules[0], study.seed, board)
        scores, failures = [], []
        for rules in study.rules:
            total = Fraction(0)
            for exchanged in (False, True):
                difference, failed = await _table(study, rules, deck, board, exchanged=exchanged)
                total += -difference if exchanged else difference
                failures += failed
            scores.append(total / 2)
        yield Compared(str(board), (scores[0], scores[1]), tuple(failures))


async def _table(
    study: Study, rules: RuleSet, deck: tuple[Card, ...], board: int, *, exchanged: bool
) -> tuple[int, list[tuple[int, str]]]:
    """North-south's points less east-west's at one table, and how bots failed at it."""
    first, second = study.bots
    plan = PlainPlan(
        rules=rules,
        decks=(deck,),
        dealer=(board - 1) % len(SEATS),
        specs=(second, first) if exchanged else (first, second),
        move_ms=study.move_ms,
        start_ms=study.start_ms,
        illegal_limit=study.illegal_limit,
    )
    table = PlainTable(plan)
    await table.play()
    failed = [
        ((SEAT_WORDS.index(seat) + exchanged) % 2, told) for seat, told in table.failures.items()
    ]
    line = table.log[-1]
    points = line.get("points")
    if isinstance(points, Mapping):
        return _number(points["ns"]) - _number(points["ew"]), failed
    seat = _who_gave_up(line)
    failed.append(((seat + exchanged) % 2, "ILLEGAL: played what is not allowed, and again"))
    dearest = largest_points(rules)
    return dearest if seat & 1 else -dearest, failed


def _who_gave_up(line: Mapping[str, object]) -> int:
    """The seat whose illegal attempts ended a deal: the last to be refused."""
    refused = line["refused"]
    last = refused[-1] if isinstance(refused, list) else {}
    return SEAT_WORDS.index(last["seat"])


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
