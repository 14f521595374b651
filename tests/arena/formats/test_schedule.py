"""Round robin and gauntlet."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arena.formats.entrants import Entrants, Substitution, Withdrawal, bye_rule
from referee.arena.formats.errors import FormatError
from referee.arena.formats.schedule import Gauntlet, RoundRobin, circle
from tests.arena.formats.playing import byes_had, drawn, field_of, pairs_met, play_on

HALF = bye_rule("half")
NO_BYES = bye_rule("none")


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.integers(1, 3))
def test_in_a_round_robin_every_pair_meets_once_a_lap(size: int, laps: int) -> None:
    event = RoundRobin(entrants=field_of(size), byes=HALF, laps=laps)
    rounds = play_on(event, drawn)
    assert len(rounds) == event.rounds()
    pairs = {frozenset(pair) for pair in combinations(event.entrants.names, 2)}
    assert pairs_met(rounds) == dict.fromkeys(pairs, laps)
    assert byes_had(rounds) == (dict.fromkeys(event.entrants.names, laps) if size % 2 else {})


@settings(deadline=None)
@given(st.integers(2, 40))
def test_in_a_circle_everybody_is_first_in_half_of_the_meetings(size: int) -> None:
    first = Counter(pair[0] for meetings in circle(size) for pair in meetings)
    assert all(abs(2 * first[place] - (size - 1)) <= 1 for place in range(size))


def test_the_seats_are_exchanged_from_lap_to_lap() -> None:
    rounds = play_on(RoundRobin(entrants=field_of(4), byes=NO_BYES, laps=2), drawn)
    first, second = (
        [encounter.entries for one in lap for encounter in one.plan.encounters]
        for lap in (rounds[:3], rounds[3:])
    )
    assert second == [entries[::-1] for entries in first]
    assert rounds[0].plan.encounters[0].reason == "round robin, lap 1 of 2"


def test_an_odd_field_without_a_rule_for_byes_is_refused() -> None:
    with pytest.raises(FormatError, match="odd field of 5 entries and no rule for byes"):
        RoundRobin(entrants=field_of(5), byes=NO_BYES)


def test_two_who_may_not_meet_sit_out_the_round_in_which_they_would() -> None:
    rounds = play_on(RoundRobin(entrants=field_of(4, ("e0", "e2")), byes=HALF), drawn)
    assert frozenset({"e0", "e2"}) not in pairs_met(rounds)
    assert len(pairs_met(rounds)) == 5
    assert byes_had(rounds) == {"e0": 1, "e2": 1}
    assert [
        bye.reason for bye in rounds[1].plan.byes + rounds[0].plan.byes + rounds[2].plan.byes
    ] == [
        "may not meet 'e2'",
        "may not meet 'e0'",
    ]


def test_a_forbidden_pair_without_a_rule_for_byes_is_named() -> None:
    with pytest.raises(FormatError, match="'e0' and 'e2' may not meet"):
        RoundRobin(entrants=field_of(4, ("e0", "e2")), byes=NO_BYES)


def test_who_would_meet_one_who_has_withdrawn_has_a_bye() -> None:
    field = Entrants(names=("ann", "bob", "cat", "dan"), withdrawals=(Withdrawal("dan", 2),))
    rounds = play_on(RoundRobin(entrants=field, byes=NO_BYES), drawn)
    assert [len(one.plan.encounters) for one in rounds] == [2, 1, 1]
    assert {bye.reason for one in rounds for bye in one.plan.byes} == {"'dan' has withdrawn"}
    assert {bye.worth for one in rounds for bye in one.plan.byes} == {HALF.worth}


def test_a_substitute_plays_what_was_left_to_play() -> None:
    field = Entrants(
        names=("ann", "bob", "cat", "dan"), substitutions=(Substitution("eve", "dan", 3),)
    )
    rounds = play_on(RoundRobin(entrants=field, byes=NO_BYES), drawn)
    assert sum("dan" in pair for pair in pairs_met(rounds)) == 2
    assert sum("eve" in pair for pair in pairs_met(rounds)) == 1


def test_an_event_with_one_left_is_over() -> None:
    field = Entrants(
        names=("ann", "bob", "cat"), withdrawals=(Withdrawal("bob", 2), Withdrawal("cat", 2))
    )
    assert len(play_on(RoundRobin(entrants=field, byes=HALF), drawn)) == 1


def test_a_round_robin_of_one_is_refused() -> None:
    with pytest.raises(FormatError, match="only 'e0' is entered"):
        RoundRobin(entrants=field_of(1), byes=HALF)


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(2, 40), st.integers(1, 3))
def test_in_a_gauntlet_each_challenger_meets_each_other_once_a_lap(
    data: st.DataObject, size: int, laps: int
) -> None:
    names = field_of(size).names
    challengers = tuple(
        data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=size - 1, unique=True))
    )
    event = Gauntlet(entrants=field_of(size), byes=NO_BYES, challengers=challengers, laps=laps)
    rounds = play_on(event, drawn)
    assert len(rounds) == event.rounds()
    due = {frozenset({one, other}) for one in challengers for other in set(names) - {*challengers}}
    assert pairs_met(rounds) == dict.fromkeys(due, laps)
    assert not byes_had(rounds)


@pytest.mark.parametrize(
    ("challengers", "text"),
    [
        ((), "without a challenger"),
        (("e0", "e0"), "a challenger twice: e0, e0"),
        (("e0", "e1", "e2"), "every entry is a challenger"),
        (("zoe",), "no such entry: 'zoe'"),
    ],
)
def test_challengers_that_make_no_sense_are_refused(
    challengers: tuple[str, ...], text: str
) -> None:
    with pytest.raises(FormatError, match=text):
        Gauntlet(entrants=field_of(3), byes=HALF, challengers=challengers)


def test_only_a_challenger_has_a_bye_for_one_who_has_withdrawn() -> None:
    field = Entrants(names=("ann", "bob", "cat"), withdrawals=(Withdrawal("bob", 1),))
    rounds = play_on(Gauntlet(entrants=field, byes=HALF, challengers=("ann",)), drawn)
    assert byes_had(rounds) == {"ann": 1}
    assert [len(one.plan.encounters) for one in rounds] == [0, 1]


def test_whom_a_withdrawn_challenger_would_have_met_has_no_bye() -> None:
    field = Entrants(names=("ann", "bob", "cat"), withdrawals=(Withdrawal("ann", 1),))
    rounds = play_on(Gauntlet(entrants=field, byes=HALF, challengers=("ann", "cat")), drawn)
    assert byes_had(rounds) == {}
    assert pairs_met(rounds) == {frozenset({"bob", "cat"}): 1}


@pytest.mark.parametrize("laps", [0, -1, 1001])
def test_laps_out_of_range_are_refused(laps: int) -> None:
    with pytest.raises(FormatError, match=f"{laps} laps"):
        RoundRobin(entrants=field_of(4), byes=HALF, laps=laps)
