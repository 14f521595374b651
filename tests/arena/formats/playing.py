"""Events played through with made-up results."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from hypothesis import strategies as st

from referee.arena.formats.entrants import Entrants
from referee.arena.formats.model import Encounter, Format, Outcome, RoundPlan, RoundPlayed

Play = Callable[[Encounter], Outcome]

MOST_ROUNDS = 2000


def field_of(size: int, *forbidden: tuple[str, str]) -> Entrants:
    return Entrants(names=tuple(f"e{place}" for place in range(size)), forbidden=forbidden)


def drawn(encounter: Encounter) -> Outcome:
    return Outcome(scores=(Fraction(0),) * len(encounter.entries), boards=4)


def seeds_win(encounter: Encounter) -> Outcome:
    best = min(encounter.entries, key=lambda name: int(name[1:]))
    return won_by(encounter, best)


def won_by(encounter: Encounter, winner: str, score: int = 1) -> Outcome:
    others = len(encounter.entries) - 1
    return Outcome(
        scores=tuple(
            Fraction(score if name == winner else -score, 1 if name == winner else others)
            for name in encounter.entries
        ),
        boards=4,
        winner=winner,
    )


def any_outcome(data: st.DataObject) -> Play:
    def play(encounter: Encounter) -> Outcome:
        winner = data.draw(st.sampled_from([None, *encounter.entries]))
        return drawn(encounter) if winner is None else won_by(encounter, winner)

    return play


def numbers_of(chance: int) -> Iterator[int]:
    """Numbers without a pattern that matters here (Knuth's multiplier), the same each time."""
    state = chance
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def outcomes_from(numbers: Iterator[int]) -> Play:
    def play(encounter: Encounter) -> Outcome:
        choice = next(numbers) % (len(encounter.entries) + 1)
        if choice == len(encounter.entries):
            return drawn(encounter)
        return won_by(encounter, encounter.entries[choice], next(numbers) % 5 + 1)

    return play


def played_as(plan: RoundPlan, play: Play) -> RoundPlayed:
    return RoundPlayed(plan, tuple(play(encounter) for encounter in plan.encounters))


def play_on(event: Format, play: Play, played: tuple[RoundPlayed, ...] = ()) -> list[RoundPlayed]:
    """The history up to the end of the event."""
    rounds = list(played)
    while (plan := event.next_round(rounds)) is not None:
        assert_sound(plan)
        rounds.append(played_as(plan, play))
        assert len(rounds) < MOST_ROUNDS, "the event does not end"
    return rounds


def assert_sound(plan: RoundPlan) -> None:
    """Nobody is named twice in a round."""
    named = [name for encounter in plan.encounters for name in encounter.entries]
    named += [bye.entry for bye in plan.byes]
    assert len(named) == len(set(named))
    assert all(encounter.reason for encounter in plan.encounters)
    assert all(bye.reason for bye in plan.byes)


def pairs_met(rounds: list[RoundPlayed]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(encounter.entries) for one in rounds for encounter in one.plan.encounters
    )


def byes_had(rounds: list[RoundPlayed]) -> Counter[str]:
    return Counter(bye.entry for one in rounds for bye in one.plan.byes)
