"""The individual rotation, and the starters that it comes from."""

from collections import Counter
from itertools import chain, combinations

import pytest

from referee.arena.formats.entrants import Entrants, Withdrawal, bye_rule
from referee.arena.formats.errors import FormatError
from referee.arena.formats.whist import WhistRotation, rotation, sizes
from tests.arena.formats.playing import byes_had, drawn, field_of, play_on

ZERO = bye_rule("zero")


@pytest.mark.parametrize("players", sizes())
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(players: int) -> None:
    tables = list(chain.from_iterable(rotation(players)))
    partners = Counter(frozenset(pair) for n, e, s, w in tables for pair in ((n, s), (e, w)))
    opponents = Counter(
        frozenset(pair) for n, e, s, w in tables for pair in ((n, e), (e, s), (s, w), (w, n))
    )
    everybody = [frozenset(pair) for pair in combinations(range(players), 2)]
    assert partners == dict.fromkeys(everybody, 1)
    assert opponents == dict.fromkeys(everybody, 2)


@pytest.mark.parametrize("players", sizes())
def test_nobody_sits_twice_in_a_round_and_all_sit_but_one_of_4n_and_1(players: int) -> None:
    for tables in rotation(players):
        seated = list(chain.from_iterable(tables))
        assert len(set(seated)) == len(seated) == players - players % 4


def test_there_is_a_rotation_for_every_field_of_4n_and_4n_and_1_up_to_28() -> None:
    wanted = {players for players in range(4, 29) if players % 4 < 2}
    assert wanted <= set(sizes())


@pytest.mark.parametrize("players", [1, 3, 6, 7, 10, 11, 1000])
def test_a_field_without_a_rotation_is_told_which_there_are(players: int) -> None:
    with pytest.raises(FormatError, match=r"no rotation for \d+ players .* 4, 5, 8, 9, 12"):
        WhistRotation(entrants=field_of(players), byes=ZERO)


def test_twelve_players_meet_at_three_tables_in_eleven_rounds() -> None:
    event = WhistRotation(entrants=field_of(12), byes=bye_rule("none"))
    rounds = play_on(event, drawn)
    assert len(rounds) == event.rounds() == 11
    assert {len(one.plan.encounters) for one in rounds} == {3}
    assert [one.label for one in rounds[0].plan.encounters] == ["table 1", "table 2", "table 3"]


def test_of_thirteen_everybody_sits_out_once() -> None:
    rounds = play_on(WhistRotation(entrants=field_of(13), byes=ZERO), drawn)
    assert byes_had(rounds) == dict.fromkeys(field_of(13).names, 1)


def test_thirteen_without_a_rule_for_byes_are_refused() -> None:
    with pytest.raises(FormatError, match="13 players sit out in turn"):
        WhistRotation(entrants=field_of(13), byes=bye_rule("none"))


def test_a_rotation_may_be_shorter_and_longer() -> None:
    short = WhistRotation(entrants=field_of(8), byes=ZERO, length=3)
    long = WhistRotation(entrants=field_of(8), byes=ZERO, length=9)
    assert len(play_on(short, drawn)) == 3
    rounds = play_on(long, drawn)
    tables = [[encounter.entries for encounter in one.plan.encounters] for one in rounds]
    assert tables[7:] == tables[:2]


def test_who_would_sit_with_one_who_has_withdrawn_sits_out() -> None:
    field = Entrants(names=field_of(8).names, withdrawals=(Withdrawal("e7", 1),))
    rounds = play_on(WhistRotation(entrants=field, byes=ZERO), drawn)
    assert {len(one.plan.encounters) for one in rounds} == {1}
    assert {bye.reason for one in rounds for bye in one.plan.byes} == {"sat with 'e7', withdrawn"}


def test_a_rotation_of_three_left_is_over() -> None:
    field = Entrants(names=field_of(4).names, withdrawals=(Withdrawal("e1", 2),))
    assert len(play_on(WhistRotation(entrants=field, byes=ZERO), drawn)) == 1


def test_a_rotation_names_the_pair_that_it_cannot_keep_apart() -> None:
    with pytest.raises(FormatError, match="'e1' and 'e3' may not meet"):
        WhistRotation(entrants=field_of(4, ("e3", "e1")), byes=ZERO)
