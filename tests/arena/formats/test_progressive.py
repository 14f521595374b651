"""Progressive: a movement that fills every place once, and entries that follow it."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arena.formats.entrants import Entrants, Withdrawal, bye_rule
from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import Encounter, Outcome
from referee.arena.formats.progressive import Hall, Progressive, movement_of, spot_of, up_and_down
from tests.arena.formats.playing import (
    byes_had,
    drawn,
    field_of,
    numbers_of,
    outcomes_from,
    play_on,
    seeds_win,
    won_by,
)

HALF = bye_rule("half")
STAY = {"1.1": "1.1", "1.2": "1.2", "2.1": "2.1", "2.2": "2.2"}


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 40), st.sampled_from([2, 4]), st.integers(0, 10_000))
def test_in_every_round_everybody_sits_somewhere(size: int, table: int, chance: int) -> None:
    if size < table:
        return
    event = Progressive(entrants=field_of(size), byes=HALF, length=12, size=table)
    rounds = play_on(event, outcomes_from(numbers_of(chance)))
    assert len(rounds) == 12
    for one in rounds:
        seated = [name for encounter in one.plan.encounters for name in encounter.entries]
        seated += [bye.entry for bye in one.plan.byes]
        assert sorted(seated) == sorted(event.entrants.names)
        assert len(one.plan.byes) == size % table


@settings(deadline=None)
@given(st.integers(4, 60), st.sampled_from([2, 4]))
def test_the_usual_movement_fills_every_place_once(size: int, table: int) -> None:
    hall = Hall.of(size, table)
    goes = up_and_down(hall)
    assert sorted(goes) == sorted(goes.values()) == sorted(hall.spots)


def test_the_winner_goes_up_and_the_loser_stays() -> None:
    event = Progressive(entrants=field_of(6), byes=HALF, length=2)
    rounds = play_on(event, seeds_win)
    assert [encounter.entries for encounter in rounds[0].plan.encounters] == [
        ("e0", "e1"),
        ("e2", "e3"),
        ("e4", "e5"),
    ]
    assert [encounter.entries for encounter in rounds[1].plan.encounters] == [
        ("e2", "e0"),
        ("e4", "e3"),
        ("e1", "e5"),
    ]
    assert rounds[1].plan.encounters[0].reason == "place 1 at table 2, place 1 at table 1"


def test_the_winner_is_who_won_wherever_it_sat() -> None:
    event = Progressive(entrants=field_of(4), byes=HALF, length=2)
    rounds = play_on(event, lambda encounter: won_by(encounter, encounter.entries[1]))
    assert [encounter.entries for encounter in rounds[1].plan.encounters] == [
        ("e3", "e1"),
        ("e0", "e2"),
    ]


def test_a_winner_moves_up_even_where_the_scores_are_equal() -> None:
    def forfeit(encounter: Encounter) -> Outcome:
        return Outcome(scores=(Fraction(0), Fraction(0)), boards=0, winner=encounter.entries[1])

    rounds = play_on(Progressive(entrants=field_of(4), byes=HALF, length=2), forfeit)
    assert rounds[1].plan.encounters[0].entries == ("e3", "e1")


def test_four_players_rank_by_their_scores() -> None:
    def scored(encounter: Encounter) -> Outcome:
        scores = tuple(Fraction(score) for score in (-1, 3, 0, -2))
        return Outcome(scores=scores, boards=4, winner=encounter.entries[1])

    rounds = play_on(Progressive(entrants=field_of(8), byes=HALF, length=2, size=4), scored)
    assert [encounter.entries for encounter in rounds[1].plan.encounters] == [
        ("e5", "e6", "e1", "e2"),
        ("e0", "e3", "e4", "e7"),
    ]


def test_partners_change_where_four_meet() -> None:
    event = Progressive(entrants=field_of(8), byes=HALF, length=2, size=4)
    rounds = play_on(event, lambda encounter: won_by(encounter, encounter.entries[0]))
    first, second = (
        {
            frozenset(pair)
            for encounter in one.plan.encounters
            for pair in (encounter.entries[::2], encounter.entries[1::2])
        }
        for one in rounds
    )
    assert not first & second


def test_of_equals_the_earlier_place_ranks_first() -> None:
    rounds = play_on(Progressive(entrants=field_of(4), byes=HALF, length=2), drawn)
    assert [encounter.entries for encounter in rounds[1].plan.encounters] == [
        ("e2", "e0"),
        ("e1", "e3"),
    ]


def test_a_movement_from_data_is_followed() -> None:
    crossed = movement_of({"1.1": "2.2", "1.2": "1.1", "2.1": "1.2", "2.2": "2.1"}, Hall.of(4, 2))
    event = Progressive(entrants=field_of(4), byes=HALF, length=2, movement=crossed)
    rounds = play_on(event, seeds_win)
    assert [encounter.entries for encounter in rounds[1].plan.encounters] == [
        ("e1", "e2"),
        ("e3", "e0"),
    ]


def test_nobody_waits_for_ever() -> None:
    rounds = play_on(Progressive(entrants=field_of(5), byes=HALF, length=20), seeds_win)
    assert byes_had(rounds)["e4"] < 20


def test_who_sits_with_one_who_has_withdrawn_sits_out_and_ranks_first() -> None:
    field = Entrants(names=field_of(4).names, withdrawals=(Withdrawal("e2", 1),))
    rounds = play_on(Progressive(entrants=field, byes=HALF, length=2), seeds_win)
    assert [(bye.entry, bye.reason) for bye in rounds[0].plan.byes] == [
        ("e3", "table 2: 'e2' withdrawn")
    ]
    assert rounds[1].plan.encounters[0].entries == ("e3", "e0")


def test_a_progressive_event_of_one_left_is_over() -> None:
    field = Entrants(names=field_of(2).names, withdrawals=(Withdrawal("e1", 3),))
    assert len(play_on(Progressive(entrants=field, byes=HALF, length=9), drawn)) == 2


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"2.2": "1.1"}, "1.1 and 2.2 both move to 1.1"),
        ({"2.2": "3.1"}, "the movement names 3.1, and the hall has 2 tables of 2"),
        ({"2.2": "bench.1"}, "the movement names bench.1"),
        ({"2.3": "2.2"}, "the movement names 2.3"),
        ({"2.2": "two"}, "not a place at a table: 'two'"),
        ({"2.2": "2.0"}, "not a place at a table: '2.0'"),
        ({"0.1": "2.2"}, "not a place at a table: '0.1'"),
    ],
)
def test_a_movement_that_does_not_fill_every_place_once_is_refused(
    change: dict[str, str], text: str
) -> None:
    with pytest.raises(FormatError, match=text):
        movement_of(STAY | change, Hall.of(4, 2))


def test_a_movement_that_leaves_one_out_is_refused() -> None:
    short = {start: end for start, end in STAY.items() if start != "2.1"}
    with pytest.raises(FormatError, match=r"where 2.1 goes, and nobody moves to 2.1"):
        movement_of(short, Hall.of(4, 2))


def test_a_spot_is_read_as_it_is_written() -> None:
    assert spot_of("12.4") == (12, 4)


@pytest.mark.parametrize(
    ("size", "table", "length", "byes", "text"),
    [
        (1, 2, 3, "half", "1 entries do not fill a table of 2"),
        (4, 3, 3, "half", "tables of 3"),
        (4, 2, 0, "half", "0 rounds"),
        (5, 2, 3, "none", "5 entries leave 1 waiting at tables of 2"),
        (7, 4, 3, "none", "7 entries leave 3 waiting at tables of 4"),
    ],
)
def test_a_progressive_event_that_makes_no_sense_is_refused(
    size: int, table: int, length: int, byes: str, text: str
) -> None:
    with pytest.raises(FormatError, match=text):
        Progressive(entrants=field_of(size), byes=bye_rule(byes), length=length, size=table)


def test_a_progressive_event_names_the_pair_that_it_cannot_keep_apart() -> None:
    with pytest.raises(FormatError, match="'e0' and 'e1' may not meet"):
        Progressive(entrants=field_of(4, ("e0", "e1")), byes=HALF, length=2)
