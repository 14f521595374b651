import asyncio
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from referee.arena.bots import parse_bot
from referee.arena.samedecks import (
    Compared,
    PacksDifferError,
    Study,
    check_packs,
    deck_of,
    same_decks,
)
from referee.rules import check_deck, largest_points, preset

STANDARD = preset("standard")
ONTARIO = preset("ontario")


def study(bot: str = "sensible", against: str = "sensible", boards: int = 12) -> Study:
    return Study(
        rules=(STANDARD, ONTARIO),
        bots=(parse_bot(bot), parse_bot(against)),
        boards=boards,
        seed=3,
        move_ms=5_000,
        start_ms=20_000,
        illegal_limit=3,
    )


async def played(asked: Study) -> Sequence[Compared]:
    return [board async for board in same_decks(asked)]


def run(asked: Study) -> Sequence[Compared]:
    return asyncio.run(played(asked))


class First:
    """Takes the first action each time."""

    def choose(self, view: object, legal: Sequence[str]) -> str:
        del view
        return legal[0]


class Stubborn:
    """Wants what is never allowed."""

    def choose(self, view: object, legal: object) -> str:
        del view, legal
        return "play 2H"


def test_a_bot_that_does_not_play_by_chance_scores_nothing_against_itself() -> None:
    boards = run(study())
    assert [board.scores for board in boards] == [(Fraction(0), Fraction(0))] * 12


def test_the_same_study_comes_out_the_same() -> None:
    asked = study(against="py:referee.arena.builtin:Sensible")
    assert run(asked) == run(asked)


def test_the_same_rules_twice_make_no_difference() -> None:
    boards = run(replace(study(f"py:{__name__}:First"), rules=(STANDARD, STANDARD)))
    assert all(one == other for one, other in (board.scores for board in boards))
    assert any(one for one, _ in (board.scores for board in boards))


def test_a_bot_that_gives_up_pays_the_dearest_deal_wherever_it_sits() -> None:
    boards = run(study(against=f"py:{__name__}:Stubborn", boards=4))
    dearest = tuple(Fraction(largest_points(rules)) for rules in (STANDARD, ONTARIO))
    assert {board.scores for board in boards} == {dearest}
    assert {which for board in boards for which, _ in board.failures} == {1}


def test_every_deck_is_an_order_of_the_pack_and_no_two_are_the_same() -> None:
    decks = [deck_of(STANDARD, 1, board) for board in range(50)]
    for deck in decks:
        check_deck(deck, STANDARD)
    assert len(set(decks)) == 50
    assert deck_of(STANDARD, 2, 1) != decks[1]


def test_rule_sets_of_other_packs_are_refused() -> None:
    with pytest.raises(PacksDifferError, match="the packs differ: E24 and "):
        check_packs(STANDARD, preset("winnipeg"))
