"""Single and double elimination: brackets that end with one winner."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arena.formats.elimination import (
    FINAL,
    SECOND_FINAL,
    THIRD,
    DoubleElimination,
    SingleElimination,
)
from referee.arena.formats.entrants import Entrants, Substitution, Withdrawal
from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import Encounter, Format, Outcome, RoundPlayed
from referee.arena.formats.standings import Order, standings
from tests.arena.formats.playing import (
    Play,
    drawn,
    field_of,
    numbers_of,
    play_on,
    played_as,
    seeds_win,
    won_by,
)

SINGLE = SingleElimination(entrants=field_of(8))


def decided_from(chance: int) -> Play:
    numbers = numbers_of(chance)

    def play(encounter: Encounter) -> Outcome:
        return won_by(encounter, encounter.entries[next(numbers) % 2])

    return play


def losses(rounds: list[RoundPlayed]) -> Counter[str]:
    return Counter(
        name
        for one in rounds
        for encounter, outcome in one.met
        for name in encounter.entries
        if outcome.winner not in {None, name}
    )


def labels(rounds: list[RoundPlayed]) -> list[str]:
    return [encounter.label for one in rounds for encounter in one.plan.encounters]


def ranking(event: Format, rounds: list[RoundPlayed]) -> tuple[tuple[str, ...], ...]:
    groups = event.ranking(rounds)
    assert groups is not None
    return groups


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 40), st.integers(0, 10_000))
def test_in_a_single_elimination_all_but_one_lose_once(size: int, chance: int) -> None:
    event = SingleElimination(entrants=field_of(size))
    rounds = play_on(event, decided_from(chance))
    lost = losses(rounds)
    winner = ranking(event, rounds)[0]
    assert len(winner) == 1
    assert lost == dict.fromkeys({*event.entrants.names} - {*winner}, 1)
    assert len(rounds) == event.rounds()


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 40), st.integers(0, 10_000))
def test_in_a_double_elimination_all_but_one_lose_twice(size: int, chance: int) -> None:
    event = DoubleElimination(entrants=field_of(size))
    rounds = play_on(event, decided_from(chance))
    lost = losses(rounds)
    winner, runner_up, *_ = ranking(event, rounds)
    assert len(winner) == len(runner_up) == 1
    assert lost[winner[0]] < 2
    assert {lost[name] for name in event.entrants.names if name != winner[0]} == {2}


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 40), st.integers(0, 10_000))
def test_the_second_final_is_played_exactly_where_the_first_is_a_first_loss(
    size: int, chance: int
) -> None:
    event = DoubleElimination(entrants=field_of(size))
    rounds = play_on(event, decided_from(chance))
    final = next(at for at, one in enumerate(rounds) if FINAL in labels([one]))
    before = losses(rounds[:final])
    (loser,) = losses([rounds[final]])
    assert (SECOND_FINAL in labels(rounds)) == (before[loser] == 0)
    assert len(rounds) == final + 1 + (before[loser] == 0)


def test_without_the_reset_the_first_final_decides() -> None:
    event = DoubleElimination(entrants=field_of(4), reset=False)
    rounds = play_on(event, lambda encounter: won_by(encounter, encounter.entries[1]))
    assert labels(rounds)[-1] == FINAL
    assert ranking(event, rounds)[0] == (rounds[-1].outcomes[0].winner,)


def test_the_best_seeds_have_no_opponent_in_the_first_round() -> None:
    plan = SingleElimination(entrants=field_of(5)).next_round(())
    assert plan is not None
    assert [encounter.entries for encounter in plan.encounters] == [("e3", "e4")]
    assert [bye.entry for bye in plan.byes] == ["e0", "e1", "e2"]
    assert plan.byes[0].reason == "quarter-final 1: nobody to meet"


@pytest.mark.parametrize("size", [2, 5, 8, 13, 16, 31])
@pytest.mark.parametrize("play", [seeds_win, drawn])
def test_where_the_seeds_win_or_nobody_does_the_seeds_are_the_ranking(
    size: int, play: Play
) -> None:
    names = field_of(size).names
    for event in (
        SingleElimination(entrants=field_of(size)),
        DoubleElimination(entrants=field_of(size)),
    ):
        groups = ranking(event, play_on(event, play))
        assert [name for group in groups for name in group] == [*names]
        assert groups[:2] == (("e0",), ("e1",))


def test_equals_are_those_who_came_as_far() -> None:
    rounds = play_on(SINGLE, seeds_win)
    assert [len(group) for group in ranking(SINGLE, rounds)] == [1, 1, 2, 4]
    rows = standings(SINGLE.entrants, rounds, Order(tie_breaks=()), SINGLE.ranking(rounds))
    assert [row.rank for row in rows] == [1, 2, 3, 3, 5, 5, 5, 5]


def test_who_is_still_in_comes_before_who_is_out() -> None:
    rounds = play_on(SINGLE, seeds_win)[:1]
    assert ranking(SINGLE, rounds) == (("e0", "e1", "e2", "e3"), ("e4", "e5", "e6", "e7"))


def test_the_losers_of_the_semi_finals_meet_for_third_place() -> None:
    event = SingleElimination(entrants=field_of(8), third_place=True)
    rounds = play_on(event, seeds_win)
    assert labels(rounds[-1:]) == [THIRD, FINAL]
    assert ranking(event, rounds)[:4] == (("e0",), ("e1",), ("e2",), ("e3",))


def test_a_field_of_three_has_no_match_for_third_place() -> None:
    event = SingleElimination(entrants=field_of(3), third_place=True)
    rounds = play_on(event, seeds_win)
    assert labels(rounds) == ["semi-final 2", FINAL]
    assert ranking(event, rounds) == (("e0",), ("e1",), ("e2",))


def test_a_drawn_match_is_played_again_and_then_the_better_seed_goes_on() -> None:
    event = SingleElimination(entrants=field_of(4), replays=1)
    rounds = play_on(event, drawn)
    assert len(rounds) == 4
    assert event.rounds() is None
    assert rounds[1].plan.encounters[0].reason == (
        "seed 1 against seed 4, drawn in round 1 and played again"
    )
    assert rounds[2].plan.encounters[0].reason == (
        "winner of semi-final 1 (drawn: the better seed goes on) against"
        " winner of semi-final 2 (drawn: the better seed goes on)"
    )
    assert ranking(event, rounds)[0] == ("e0",)


def test_a_replay_that_is_won_decides() -> None:
    event = SingleElimination(entrants=field_of(2), replays=3)
    first = event.next_round(())
    assert first is not None
    rounds = play_on(event, lambda encounter: won_by(encounter, "e1"), (played_as(first, drawn),))
    assert len(rounds) == 2
    assert ranking(event, rounds) == (("e1",), ("e0",))


def test_who_has_withdrawn_loses_without_play() -> None:
    field = Entrants(names=field_of(4).names, withdrawals=(Withdrawal("e0", 2),))
    event = SingleElimination(entrants=field)
    rounds = play_on(event, seeds_win)
    assert len(rounds) == 1
    assert ranking(event, rounds) == (("e1",), ("e0",), ("e2", "e3"))


def test_a_champion_may_leave() -> None:
    field = Entrants(names=field_of(2).names, withdrawals=(Withdrawal("e0", 3),))
    for event, length in (
        (SingleElimination(entrants=field), 1),
        (DoubleElimination(entrants=field), 2),
    ):
        rounds = play_on(event, seeds_win)
        assert len(rounds) == length
        assert ranking(event, rounds)[0] == ("e0",)


def test_a_substitute_takes_the_place_in_the_bracket() -> None:
    field = Entrants(names=field_of(4).names, substitutions=(Substitution("x", "e3", 2),))
    rounds = play_on(
        DoubleElimination(entrants=field),
        lambda encounter: won_by(encounter, encounter.entries[0]),
    )
    assert losses(rounds)["e3"] == losses(rounds)["x"] == 1


@settings(deadline=None, max_examples=50)
@given(st.data(), st.integers(2, 17), st.sampled_from(["single", "double"]))
def test_events_whose_entries_leave_come_to_an_end_with_everybody_ranked_once(
    data: st.DataObject, size: int, kind: str
) -> None:
    gone = data.draw(st.lists(st.integers(0, size - 1), max_size=size, unique=True))
    field = Entrants(
        names=field_of(size).names,
        withdrawals=tuple(Withdrawal(f"e{at}", data.draw(st.integers(1, 6))) for at in gone),
    )
    event: Format = (
        DoubleElimination(entrants=field)
        if kind == "double"
        else SingleElimination(entrants=field, third_place=True)
    )
    rounds = play_on(event, decided_from(data.draw(st.integers(0, 1000))))
    groups = ranking(event, rounds)
    assert sorted(name for group in groups for name in group) == sorted(field.names)
    left = {one.name: one.round for one in field.withdrawals}
    assert len(groups[0]) == 1 or len({left[name] for name in groups[0]}) == 1


def test_of_two_finalists_who_have_left_the_one_who_stayed_longer_has_won() -> None:
    gone = (Withdrawal("e2", 1), Withdrawal("e1", 2), Withdrawal("e0", 3))
    event = SingleElimination(entrants=Entrants(names=field_of(5).names, withdrawals=gone))
    rounds = play_on(event, seeds_win)
    assert len(rounds) == 2
    assert ranking(event, rounds) == (("e0",), ("e1",), ("e2", "e3"), ("e4",))


def test_where_all_leave_at_once_nobody_has_won() -> None:
    gone = tuple(Withdrawal(f"e{at}", 2) for at in range(4))
    event = SingleElimination(entrants=Entrants(names=field_of(4).names, withdrawals=gone))
    assert ranking(event, play_on(event, seeds_win)) == (("e0", "e1"), ("e2", "e3"))


def test_a_bracket_names_the_pair_that_it_cannot_keep_apart() -> None:
    with pytest.raises(FormatError, match=r"'e1' and 'e3' may not meet.*single elimination"):
        SingleElimination(entrants=field_of(4, ("e3", "e1")))


@pytest.mark.parametrize("replays", [-1, 101])
def test_replays_out_of_range_are_refused(replays: int) -> None:
    with pytest.raises(FormatError, match=f"{replays} replays"):
        DoubleElimination(entrants=field_of(4), replays=replays)


def test_a_bracket_of_one_is_refused() -> None:
    with pytest.raises(FormatError, match="only 'e0' is entered"):
        DoubleElimination(entrants=field_of(1))


def test_a_history_of_another_bracket_is_refused() -> None:
    rounds = play_on(SINGLE, seeds_win)
    with pytest.raises(FormatError, match=r"round 1 has quarter-final 1, .* where the bracket has"):
        DoubleElimination(entrants=field_of(8)).next_round(rounds)


@settings(deadline=None, max_examples=30)
@given(st.sampled_from([(8, 2), (16, 3), (32, 4)]), st.integers(0, 10_000))
def test_two_who_have_met_do_not_meet_again_soon_among_the_losers(
    field: tuple[int, int], chance: int
) -> None:
    size, last = field
    rounds = play_on(DoubleElimination(entrants=field_of(size)), decided_from(chance))
    early = [f"{side}' round {at}," for side in ("winners", "losers") for at in range(1, last + 1)]
    met = Counter(
        frozenset(encounter.entries)
        for one in rounds
        for encounter in one.plan.encounters
        if encounter.label.startswith(tuple(early))
    )
    assert max(met.values()) == 1
