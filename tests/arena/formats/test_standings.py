"""Standings: points, ranks, tie-breaks, substitutes, and who is ranked by the format."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arena.formats.entrants import Entrants, Substitution, Withdrawal, bye_rule
from referee.arena.formats.errors import FormatError
from referee.arena.formats.example import history
from referee.arena.formats.model import (
    PLAYERS,
    Bye,
    Encounter,
    Outcome,
    RoundPlan,
    RoundPlayed,
    check_history,
)
from referee.arena.formats.schedule import RoundRobin
from referee.arena.formats.standings import Order, standings
from referee.arena.formats.tally import MatchPoints
from referee.arena.formats.tie_breaks import (
    TIE_BREAKS,
    Account,
    head_to_head,
    sonneborn_berger,
    worked,
)
from referee.arena.formats.whist import WhistRotation
from tests.arena.formats.playing import field_of, numbers_of, outcomes_from, play_on

FIELD = Entrants(names=("ann", "bob", "cat", "dan"))
ROUNDS = history("ann 1 bob, cat 1 dan", "ann 0 cat, bob 3 dan")


def test_equals_share_a_rank_and_stand_in_seeding_order() -> None:
    rows = standings(FIELD, ROUNDS, Order(tie_breaks=()))
    assert [(row.rank, row.name) for row in rows] == [
        (1, "ann"),
        (1, "cat"),
        (3, "bob"),
        (4, "dan"),
    ]


def test_tie_breaks_part_equals_in_their_order() -> None:
    rounds = history("ann 1 bob, cat 2 dan", "ann 2 dan, cat 1 bob", "ann 0 cat, bob 5 dan")
    rows = standings(FIELD, rounds, Order(tie_breaks=("score", "lots"), seed="x"))
    assert rows[0].points == rows[1].points
    assert {row.tie_breaks[0] for row in rows[:2]} == {Fraction(3)}
    assert [row.rank for row in rows[:2]] == [1, 2]


def test_points_are_what_the_event_says() -> None:
    worth = MatchPoints(win=Fraction(3), draw=Fraction(1), loss=Fraction(0))
    rows = standings(FIELD, ROUNDS, Order(worth=worth))
    assert {row.name: row.points for row in rows} == {"ann": 4, "cat": 4, "bob": 3, "dan": 0}


def test_a_bye_is_worth_its_part_of_a_win() -> None:
    rows = standings(FIELD, history("ann 1 bob, cat bye 3/4, dan bye 0"), Order())
    assert {row.name: row.points for row in rows} == {
        "ann": 2,
        "cat": Fraction(3, 2),
        "bob": 0,
        "dan": 0,
    }


def test_a_substitute_goes_on_with_what_the_place_has() -> None:
    field = Entrants(
        names=FIELD.names,
        substitutions=(Substitution("eve", "ann", 3),),
        withdrawals=(Withdrawal("dan", 3),),
    )
    rows = {row.name: row for row in standings(field, ROUNDS, Order())}
    assert rows["eve"].points == 3
    assert rows["eve"].before == ("ann",)
    assert rows["dan"].withdrawn
    assert not rows["eve"].withdrawn


def test_players_are_ranked_by_their_mean_score() -> None:
    def by_number(encounter: Encounter) -> Outcome:
        numbers = [int(name[1:]) for name in encounter.entries]
        scores = tuple(Fraction(sum(numbers) - 4 * number) for number in numbers)
        return Outcome(scores=scores, boards=4)

    field = field_of(5)
    rounds = play_on(WhistRotation(entrants=field, byes=bye_rule("zero")), by_number)
    rows = standings(field, rounds, Order(size=PLAYERS, tie_breaks=()))
    assert [(row.rank, row.name) for row in rows] == [(at + 1, f"e{at}") for at in range(5)]
    assert all(row.mean == row.score / row.boards for row in rows)


def test_what_the_format_has_ranked_comes_first() -> None:
    rows = standings(FIELD, ROUNDS, Order(), ranking=(("dan",), ("ann", "bob", "cat")))
    assert [(row.rank, row.name) for row in rows] == [
        (1, "dan"),
        (2, "bob"),
        (3, "ann"),
        (3, "cat"),
    ]


def test_head_to_head_parts_nobody_where_not_all_have_met() -> None:
    assert [worked(head_to_head, *names) for names in (("ann", "bob", "dan"), ("bob", "ann"))] == [
        0,
        2,
    ]


def test_half_the_points_of_those_drawn_with_count_in_sonneborn_berger() -> None:
    event = Account.of(FIELD, history("ann 0 bob, cat 1 dan", "ann 1 dan, bob 2 cat"))
    assert [int(points) for points in event.points] == [3, 3, 2, 0]
    assert sonneborn_berger(event, 0, ()) == Fraction(3, 2)
    assert sonneborn_berger(event, 1, ()) == 2 + Fraction(3, 2)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000), st.permutations([*TIE_BREAKS]))
def test_every_entry_has_one_row_and_scores_sum_to_nothing(chance: int, words: list[str]) -> None:
    field = field_of(7)
    rounds = play_on(
        RoundRobin(entrants=field, byes=bye_rule("half")), outcomes_from(numbers_of(chance))
    )
    rows = standings(field, rounds, Order(tie_breaks=tuple(words), seed="x"))
    assert sorted(row.name for row in rows) == sorted(field.names)
    assert sum(row.score for row in rows) == 0
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6, 7]
    keys = [(row.points, row.tie_breaks) for row in rows]
    assert [key[0] for key in keys] == sorted((key[0] for key in keys), reverse=True)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("score", "luck"), "not a tie-break: 'luck' .the words: score, head_to_head"),
        (("score", "wins", "score"), "the tie-break 'score' stands twice"),
        (("lots",), "there is no seed"),
    ],
)
def test_words_that_make_no_sense_are_refused(words: tuple[str, ...], text: str) -> None:
    with pytest.raises(FormatError, match=text):
        Order(tie_breaks=words)


def test_words_about_matches_of_two_are_refused_where_four_meet() -> None:
    with pytest.raises(FormatError, match=r"'buchholz' counts matches between two.*score, wins"):
        Order(size=PLAYERS, tie_breaks=("buchholz",))


@pytest.mark.parametrize(("win", "draw", "loss"), [(1, 1, 1), (2, 3, 0), (2, 1, 2), (2, 0, -1)])
def test_match_points_out_of_order_are_refused(win: int, draw: int, loss: int) -> None:
    with pytest.raises(FormatError, match="a win is worth more than a loss"):
        MatchPoints(win=Fraction(win), draw=Fraction(draw), loss=Fraction(loss))


PLAN = RoundPlan(
    number=1,
    encounters=(Encounter(entries=("ann", "bob"), reason="an example"),),
    byes=(Bye(entry="cat", reason="odd"),),
)


@pytest.mark.parametrize(
    ("outcomes", "text"),
    [
        ((), "round 1 has 1 encounters and 0 outcomes"),
        ((Outcome(scores=(Fraction(1),), boards=1),), "round 1, ann against bob: 1 scores"),
        ((Outcome(scores=(Fraction(1), Fraction(1)), boards=1),), "do not sum to 0"),
        ((Outcome(scores=(Fraction(0), Fraction(0)), boards=-1),), "-1 boards"),
        (
            (Outcome(scores=(Fraction(0), Fraction(0)), boards=0, winner="cat"),),
            "won by 'cat' .who did not play",
        ),
    ],
)
def test_outcomes_that_cannot_be_are_refused(outcomes: tuple[Outcome, ...], text: str) -> None:
    with pytest.raises(FormatError, match=text):
        RoundPlayed(PLAN, outcomes)


@pytest.mark.parametrize(
    ("entries", "text"), [(("ann",), "of 1 entries"), (("ann", "ann"), "meets itself")]
)
def test_encounters_that_cannot_be_are_refused(entries: tuple[str, ...], text: str) -> None:
    with pytest.raises(FormatError, match=text):
        Encounter(entries=entries, reason="an example")


def test_a_history_with_a_round_missing_is_refused() -> None:
    with pytest.raises(FormatError, match="round 2 stands where round 1 is due"):
        check_history(ROUNDS[1:])
