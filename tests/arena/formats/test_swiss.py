"""Swiss: nobody twice, nobody out twice, the best of all pairings."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arena.formats.entrants import Entrants, Substitution, Withdrawal, bye_rule
from referee.arena.formats.errors import FormatError, SwissExtraError
from referee.arena.formats.model import RoundPlayed
from referee.arena.formats.standings import Order, standings
from referee.arena.formats.swiss import Swiss, _Table, usual_rounds
from tests.arena.formats.playing import (
    Play,
    any_outcome,
    byes_had,
    drawn,
    field_of,
    numbers_of,
    outcomes_from,
    pairs_met,
    play_on,
    played_as,
    seeds_win,
)

HALF = bye_rule("half")
NO_BYES = bye_rule("none")


def pairings(places: Sequence[str], out: int) -> Iterator[tuple[list[tuple[str, str]], list[str]]]:
    """All ways to pair, by brute force: the pairs, and the `out` who sit out."""
    if not places:
        yield [], []
        return
    first, rest = places[0], places[1:]
    if out:
        for pairs, idle in pairings(rest, out - 1):
            yield pairs, [first, *idle]
    for at, other in enumerate(rest):
        left = [*rest[:at], *rest[at + 1 :]]
        if len(left) >= out:
            for pairs, idle in pairings(left, out):
                yield [(first, other), *pairs], idle


def ranked(rounds: Sequence[RoundPlayed], names: Sequence[str]) -> dict[str, Fraction]:
    """Everybody's points, the best first, by the standings."""
    rows = standings(Entrants(names=tuple(names)), rounds, Order(tie_breaks=()))
    return {row.name: row.points for row in rows}


def floats(rounds: Sequence[RoundPlayed], names: Sequence[str]) -> set[tuple[str, str]]:
    """Who met whom up or down in the last round: `("down", name)` had more points."""
    if not rounds:
        return set()
    before = ranked(rounds[:-1], names)
    unequal = [
        sorted(encounter.entries, key=lambda name: -before[name])
        for encounter in rounds[-1].plan.encounters
        if len({before[name] for name in encounter.entries}) > 1
    ]
    return {("down", upper) for upper, _ in unequal} | {("up", lower) for _, lower in unequal}


Cost = tuple[int, int, int, Fraction, int]


def cost(
    rounds: list[RoundPlayed],
    points: Mapping[str, Fraction],
    pairs: Sequence[tuple[str, ...]],
    idle: Sequence[str],
) -> Cost:
    met, had = pairs_met(rounds), byes_had(rounds)
    floated, order = floats(rounds, sorted(points)), [*points]
    again = 0
    for pair in pairs:
        upper, lower = sorted(pair, key=lambda name: -points[name])
        if points[upper] != points[lower]:
            again += len(floated & {("down", upper), ("up", lower)})
    return (
        sum(had[name] for name in idle),
        sum(met[frozenset(pair)] for pair in pairs),
        -sum(order.index(name) for name in idle),
        sum(((points[one] - points[other]) ** 2 for one, other in pairs), Fraction(0)),
        again,
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 7), st.integers(3, 7))
def test_no_pairing_that_brute_force_finds_is_better(chance: int, size: int, length: int) -> None:
    event = Swiss(entrants=field_of(size), byes=HALF, length=length)
    play = outcomes_from(numbers_of(chance))
    rounds: list[RoundPlayed] = []
    while (plan := event.next_round(rounds)) is not None:
        points = ranked(rounds, event.entrants.names)
        mine = cost(
            rounds,
            points,
            [encounter.entries for encounter in plan.encounters],
            [bye.entry for bye in plan.byes],
        )
        every = pairings(event.entrants.names, size % 2)
        assert mine == min(cost(rounds, points, pairs, idle) for pairs, idle in every)
        rounds.append(played_as(plan, play))
    assert len(rounds) == length


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10_000))
def test_a_usual_swiss_has_no_meeting_twice_and_no_second_bye(size: int, chance: int) -> None:
    event = Swiss(entrants=field_of(size), byes=HALF, length=usual_rounds(size))
    rounds = play_on(event, outcomes_from(numbers_of(chance)))
    assert max(pairs_met(rounds).values()) == 1
    assert all(len(one.plan.byes) == size % 2 for one in rounds)
    assert all(had == 1 for had in byes_had(rounds).values())


def test_the_upper_half_meets_the_lower_in_the_first_round() -> None:
    plan = Swiss(entrants=field_of(8), byes=NO_BYES, length=3).next_round(())
    assert plan is not None
    assert [encounter.entries for encounter in plan.encounters] == [
        ("e0", "e4"),
        ("e1", "e5"),
        ("e2", "e6"),
        ("e3", "e7"),
    ]


def test_where_the_seeds_win_equals_meet_and_one_is_left_unbeaten() -> None:
    event = Swiss(entrants=field_of(16), byes=NO_BYES, length=4)
    rounds = play_on(event, seeds_win)
    reasons = {encounter.reason for one in rounds for encounter in one.plan.encounters}
    assert reasons == {f"{points} points each, not met before" for points in (0, 2, 4, 6)}


def test_the_same_history_gives_the_same_round() -> None:
    event = Swiss(entrants=field_of(15), byes=HALF, length=5)
    rounds = play_on(event, outcomes_from(numbers_of(3)))
    again = Swiss(entrants=field_of(15), byes=HALF, length=5)
    assert [again.next_round(rounds[:at]) for at in range(5)] == [one.plan for one in rounds]


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    rounds = play_on(Swiss(entrants=field_of(5), byes=HALF, length=3), seeds_win)
    assert [one.plan.byes[0].entry for one in rounds] == ["e4", "e3", "e2"]
    assert rounds[0].plan.byes[0].reason.startswith("an odd field: the lowest")


def test_no_two_pairings_weigh_the_same() -> None:
    event = Swiss(entrants=field_of(6), byes=NO_BYES, length=9)
    rounds = play_on(event, drawn)
    for number in range(1, 10):
        weights = _Table(event, number, rounds[: number - 1], range(6)).weights()
        every = [
            sum(weights[int(one[1:]), int(other[1:])] for one, other in pairs)
            for pairs, _ in pairings(event.entrants.names, 0)
        ]
        assert len(set(every)) == len(every) == 15


def test_a_meeting_again_is_said() -> None:
    rounds = play_on(Swiss(entrants=field_of(2), byes=NO_BYES, length=3), drawn)
    assert [one.plan.encounters[0].reason for one in rounds] == [
        "0 points each, not met before",
        "1 points each, met in round 1: not everybody could meet somebody new",
        "2 points each, met in rounds 1, 2: not everybody could meet somebody new",
    ]


@settings(max_examples=20, deadline=None)
@given(st.data(), st.integers(4, 12))
def test_pairs_that_may_not_meet_never_do(data: st.DataObject, size: int) -> None:
    names = field_of(size).names
    pair = tuple(data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)))
    field = field_of(size, (pair[0], pair[1]))
    rounds = play_on(Swiss(entrants=field, byes=HALF, length=size - 2), any_outcome(data))
    assert frozenset(pair) not in pairs_met(rounds)
    assert all(len(one.plan.byes) == size % 2 for one in rounds)


def test_forbidden_pairs_that_keep_entries_from_playing_are_named() -> None:
    with pytest.raises(FormatError, match="'e0' and 'e1'"):
        Swiss(entrants=field_of(2, ("e0", "e1")), byes=HALF, length=1)
    everybody = tuple(("e0", f"e{other}") for other in range(1, 4))
    with pytest.raises(FormatError, match="may not meet: 'e0' and 'e1'; 'e0' and 'e2'"):
        Swiss(entrants=field_of(4, *everybody), byes=HALF, length=1)


def test_who_may_meet_nobody_who_is_left_sits_out() -> None:
    field = Entrants(
        names=field_of(4).names,
        forbidden=(("e0", "e1"),),
        withdrawals=(Withdrawal("e2", 2), Withdrawal("e3", 3)),
    )
    rounds = play_on(Swiss(entrants=field, byes=HALF, length=5), drawn)
    assert len(rounds) == 2


@settings(max_examples=20, deadline=None)
@given(st.data(), st.integers(2, 12))
def test_a_swiss_whose_entries_leave_goes_on_to_the_last_two(
    data: st.DataObject, size: int
) -> None:
    leaving = data.draw(st.lists(st.integers(1, 8), min_size=size - 1, max_size=size - 1))
    field = Entrants(
        names=field_of(size).names,
        withdrawals=tuple(Withdrawal(f"e{at}", number) for at, number in enumerate(leaving)),
    )
    event = Swiss(entrants=field, byes=HALF, length=9)
    rounds = play_on(event, any_outcome(data))
    assert len(rounds) == max(leaving) - 1


@pytest.mark.parametrize("play", [drawn, seeds_win])
@pytest.mark.parametrize("size", [2, 3, 9, 12])
def test_lopsided_events_come_to_their_end(size: int, play: Play) -> None:
    rounds = play_on(Swiss(entrants=field_of(size), byes=HALF, length=15), play)
    assert len(rounds) == 15


def test_a_substitute_does_not_meet_again_whom_the_place_has_met() -> None:
    field = Entrants(names=field_of(4).names, substitutions=(Substitution("x", "e0", 2),))
    rounds = play_on(Swiss(entrants=field, byes=NO_BYES, length=3), drawn)
    met = pairs_met(rounds)
    assert max(met.values()) == 1
    first = next(iter(pair for pair in met if "e0" in pair)) - {"e0"}
    assert frozenset({"x"}) | first not in met


def test_odd_parts_of_points_are_exact() -> None:
    event = Swiss(entrants=field_of(5), byes=bye_rule("1/3"), length=5)
    rounds = play_on(event, drawn)
    assert rounds[0].plan.byes[0].worth == Fraction(1, 3)
    assert len(rounds) == 5


@pytest.mark.parametrize(
    ("size", "length", "text"),
    [
        (1, 3, "only 'e0' is entered"),
        (4, 0, "0 rounds"),
        (4, 1001, "1001 rounds"),
        (5, 3, "odd field of 5"),
    ],
)
def test_a_swiss_that_makes_no_sense_is_refused(size: int, length: int, text: str) -> None:
    with pytest.raises(FormatError, match=text):
        Swiss(entrants=field_of(size), byes=NO_BYES, length=length)


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(SwissExtraError, match=r"pip install \"euchre-referee\[swiss\]\""):
        Swiss(entrants=field_of(4), byes=NO_BYES, length=2)
