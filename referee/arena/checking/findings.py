"""What came of a step of the check."""

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from referee.arena.players import JSON, BotFailure


class Step(StrEnum):
    """What a bot is checked for, in the order of the check."""

    STARTS = "starts"
    ANSWERS = "answers"
    LEGAL = "legal"
    LATE = "late"
    CLOCK = "clock"
    REFUSED = "refused"
    ENDS = "ends"
    RECONNECTS = "reconnects"
    RUBBISH = "rubbish"
    SEALS = "seals"


MEANING: Final[Mapping[Step, str]] = {
    Step.STARTS: "says hello within the start limit",
    Step.ANSWERS: "answers a question with a legal action",
    Step.LEGAL: "plays legally wherever it is asked",
    Step.LATE: "goes on after a question that was given up",
    Step.CLOCK: "keeps its clock",
    Step.REFUSED: "answers again after a refusal",
    Step.ENDS: "leaves within 2 s of the end, and leaves nothing running",
    Step.RECONNECTS: "comes back when the connection is cut and the referee was killed",
    Step.RUBBISH: "survives what it does not know",
    Step.SEALS: "notices a seal that does not hold",
}


class State(StrEnum):
    """How a step ended."""

    PASSED = "pass"
    FAILED = "fail"
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """How a step ended, why, and what the bot said."""

    step: Step
    state: State
    told: str
    said: str = ""
    stderr: str = ""
    figures: Mapping[str, JSON] = field(default_factory=dict)

    def fields(self) -> dict[str, JSON]:
        """The finding as JSON."""
        shown: dict[str, JSON] = {
            "step": self.step.value,
            "state": self.state.value,
            "told": self.told,
            "said": self.said,
            "stderr": self.stderr,
            "figures": dict(self.figures),
        }
        return {name: value for name, value in shown.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a bot has, in milliseconds."""

    start_ms: int
    move_ms: int

    @property
    def start_s(self) -> float:
        """Until its hello."""
        return self.start_ms / 1_000

    @property
    def move_s(self) -> float:
        """A decision."""
        return self.move_ms / 1_000


Went = Callable[[int, int], None]
"""Told how many of how many questions of a step have been asked."""


class StepFailedError(Exception):
    """A step has failed: why, and what the bot said."""

    def __init__(
        self, told: str, said: str = "", figures: Mapping[str, JSON] | None = None
    ) -> None:
        super().__init__(told)
        self.told = told
        self.said = said
        self.figures = dict(figures or {})


def passed(step: Step, told: str, **figures: JSON) -> Finding:
    """A step that has passed."""
    return Finding(step=step, state=State.PASSED, told=told, figures=figures)


def not_asked(step: Step, why: str) -> Finding:
    """A step that does not apply."""
    return Finding(step=step, state=State.NOT_ASKED, told=why)


def failed(step: Step, error: StepFailedError, stderr: str = "") -> Finding:
    """A step that has failed."""
    return Finding(
        step=step,
        state=State.FAILED,
        told=error.told,
        said=error.said,
        stderr=stderr,
        figures=error.figures,
    )


def failed_by(step: Step, failure: BotFailure) -> Finding:
    """A step that has failed because the bot did."""
    return Finding(
        step=step,
        state=State.FAILED,
        told=f"{failure.kind}: {failure.text}",
        stderr=failure.stderr,
    )


def exit_words(code: int) -> str:
    """How a process ended, by the code that its parent gets: negative for a signal.

    >>> exit_words(-9)
    'it was ended by SIGKILL'
    """
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"
