"""An observation tells a seat nothing that it cannot know.

Two worlds that look alike to a seat are played through the environment; at every moment the seat
is shown the same in both.
"""

from collections.abc import Iterator
from random import Random

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo or numpy has no wheel for this Python")

from referee.rl import ACTIONS, EuchreEnv
from referee.rules import Seat
from tests.property.worlds import Course, World, advance, drawn_course, other_world, text_in


def shown(course: Course, world: World, viewer: int) -> Iterator[tuple[bytes, bytes]]:
    """What the viewer is shown before each step of the course, and at its end."""
    table = EuchreEnv(rules=course.rules)
    dealer = Seat(course.dealer).word
    table.reset(seed=1, options={"dealer": dealer, "deck": " ".join(world.deck)})
    hand = course.hand(world.deck)
    for step in course.steps:
        yield look(table, viewer)
        text = text_in(hand, step, world.deck)
        assert text is not None
        advance(hand, text)
        table.step(ACTIONS.index(text))
    yield look(table, viewer)


def look(table: EuchreEnv, viewer: int) -> tuple[bytes, bytes]:
    seen = table.observe(Seat(viewer).word)
    return seen["observation"].tobytes(), seen["action_mask"].tobytes()


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same_to_it(first: int) -> None:
    differing = 0
    for seed in range(first, first + 50):
        chance = Random(seed)
        course = drawn_course(chance)
        for viewer in range(4):
            other = other_world(course, viewer, chance)
            differing += other.deck != course.world.deck
            here, there = (list(shown(course, w, viewer)) for w in (course.world, other))
            assert here == there, f"seed {seed}, seat {viewer}"
    assert differing > 100
