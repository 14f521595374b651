"""A person's seat without a process: the clock of a question, and lines typed too early."""

import asyncio
import io
import os
import re
from collections.abc import Mapping

from referee.arena.players import JSON
from referee.cli.chair.felt import Felt
from referee.cli.chair.lines import Lines
from referee.cli.chair.person import Person
from referee.cli.chair.tale import Tale
from referee.rules import preset

VIEW: Mapping[str, JSON] = {
    "seat": "south",
    "deal": 1,
    "state_version": 7,
    "phase": "play",
    "hand": ["9S", "JD", "AH"],
    "trump": "H",
    "maker": "south",
    "score": {"ns": 1, "ew": 2},
    "tricks": {"ns": 0, "ew": 0},
}
LEGAL = ("play 9S", "play AH", "play JD")


def asked(typed: str, *, times: int = 1, refused: bool = False, tick_s: float = 0) -> str:
    """What the person sees of the same question asked so often, and the answers given to it."""
    now = 0.0
    answers: list[str] = []
    seen = io.StringIO()

    async def scene() -> str:
        reading, writing = os.pipe()
        os.write(writing, typed.encode())
        os.close(writing)
        felt = Felt(seen, drawn=False)
        lines = Lines(reading, terminal=False)
        person = Person(felt, lines, Tale(felt, 2, preset("standard")), name="person",
                        clock=clock, leave=lambda: None, warning="")  # fmt: skip
        person.limit_ms = 60_000
        for _ in range(times):
            answers.append(await person.choose(VIEW, LEGAL))
            if refused:
                await person.refused("MUST_FOLLOW_SUIT", "AS was led")
        lines.close()
        os.close(reading)
        return seen.getvalue() + " | ".join(answers)

    def clock() -> float:
        nonlocal now
        now += tick_s
        return now

    return asyncio.run(scene())


def test_a_refusal_does_not_start_the_clock_again() -> None:
    said = asked("9s\njd\n", times=2, refused=True, tick_s=1)
    left = [int(seconds) for seconds in re.findall(r"\[0:(\d\d) left\]", said)]
    assert left == sorted(left, reverse=True)
    assert len(set(left)) == len(left) == 2


def test_numbers_stand_beside_the_cards_that_they_play() -> None:
    said = asked("1\n2\n3\n", times=3)
    assert "  1 JD  2 AH  3 9S\n" in said.translate(str.maketrans("♦♥♠", "DHS"))
    assert said.endswith("play JD | play AH | play 9S")


def test_the_makers_score_is_told_from_the_seat() -> None:
    assert "Score: us 1, them 2.  Trump: hearts" in asked("1\n")
    assert "made by you." in asked("1\n")


def test_lines_typed_before_the_question_are_dropped_at_a_terminal_alone() -> None:
    async def scene(*, terminal: bool) -> str | None:
        reading, writing = os.pipe()
        lines = Lines(reading, terminal=terminal)
        os.write(writing, b"early\n")
        assert await lines.next() == "early"
        os.write(writing, b"too early\nagain\n")
        assert await lines.next() == "too early"
        lines.forget()
        os.write(writing, b"now\n")
        os.close(writing)
        found = await lines.next()
        lines.close()
        os.close(reading)
        return found

    assert asyncio.run(scene(terminal=True)) == "now"
    assert asyncio.run(scene(terminal=False)) == "again"
