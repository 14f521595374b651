"""The whole check: the steps in order, without those that an earlier failure makes idle."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from referee.arena.bots import BotSpec, BotSpecError, CommandSpec, DialSpec, PythonSpec
from referee.arena.checking.findings import Finding, Limits, State, Step, Went, not_asked
from referee.arena.checking.local import LocalCheck

IDLE: Final = {
    Step.STARTS: frozenset(Step),
    Step.ANSWERS: frozenset(Step) - {Step.ENDS, Step.SEALS},
}
"""What says nothing more once a step has failed."""


class Check(Protocol):
    """A check of one bot."""

    async def run(self, step: Step) -> Finding:
        """Do a step."""


def check_of(spec: BotSpec, limits: Limits, went: Went) -> Check:
    """The check that fits a kind of bot; BotSpecError where there is none."""
    match spec:
        case CommandSpec() | PythonSpec():
            return LocalCheck(spec, limits, went)
        case DialSpec():
            # It loads the whole server, and only bots that dial in need one.
            from referee.arena.checking.dialed import DialedCheck  # noqa: PLC0415

            return DialedCheck(spec, limits, went)
        case _:
            raise BotSpecError(f"{spec.text!r} cannot be checked (use cmd:, dial: or py:)")


async def run_steps(
    check: Check,
    steps: Sequence[Step],
    begin: Callable[[Step], None],
    tell: Callable[[Finding], None],
) -> list[Finding]:
    """Do the steps; `begin` is told each before it is done, and `tell` what came of it."""
    found: list[Finding] = []
    idle: dict[Step, str] = {}
    for step in steps:
        begin(step)
        finding = not_asked(step, idle[step]) if step in idle else await check.run(step)
        found.append(finding)
        tell(finding)
        if finding.state is State.FAILED:
            for later in IDLE.get(step, ()):
                idle.setdefault(later, f"it has failed at {step}")
    return found
