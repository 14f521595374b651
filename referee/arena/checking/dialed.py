"""The steps for bots that dial in: whole matches, with somebody between the bot and the referee."""

import asyncio
import contextlib
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from referee.arena.bots import BotSpec, DialSpec, parse_bot
from referee.arena.checking.findings import (
    Finding,
    Limits,
    Step,
    StepFailedError,
    Went,
    exit_words,
    failed,
    not_asked,
    passed,
)
from referee.arena.checking.local import clock_finding
from referee.arena.checking.tether import tethered
from referee.arena.dialing import FAREWELL_S, DialedSeat, DialError
from referee.arena.match import Arena, MatchError, Plan, Played
from referee.arena.scratch import scratch
from referee.host.clock import LoopClock
from referee.host.referee import Referee
from referee.journal.sqlite import SqliteStore
from referee.rules import PRESETS
from referee.sealing.closing import Attempt, DealClose, MatchClose
from referee.sealing.events import ActionTaken
from referee.sealing.keys import SigningKey
from referee.service.lies import cut_once, refused_once, strangeness, wrong_seals
from referee.service.lying import Liar, Lies
from referee.table.events import PublicEvent
from referee.table.policy import policy

NORTH: Final = 0
CUT_AT: Final = 2
DARK_S: Final = 1.0
BACK_MS: Final = 25_000
"""How long it may take to come back, whatever its clock: less than the grace of an absent seat."""
TAIL: Final = 4_096
LAST_WORDS: Final = 200
PATIENCE_S: Final = 300.0
KNOBS: Final = {"first_dealer": "agreed", "deals": "2"}
_Work = Callable[[], Awaitable[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NorthDials(Plan):
    """A plan in which north is the bot, and the three others are the built-in one."""

    def spec(self, seat: int) -> BotSpec:
        """The bot of a seat."""
        return self.east_west if seat else self.north_south


@dataclass(slots=True)
class Course:
    """What came of a match: what north did, how it ended, and what north's process said."""

    opened: bool = False
    actions: list[ActionTaken] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    closed: MatchClose | None = None
    exit: int | None = None
    early: bool = False
    died: bool = False
    farewell: str = ""
    log: str = ""
    cuts: int = 0
    lied: bool = False
    answers: int = 0

    def hear(self, event: PublicEvent) -> None:
        """Note what is ours of an event."""
        self.opened = True
        if isinstance(event, ActionTaken) and event.seat == NORTH:
            self.actions.append(event)
        elif isinstance(event, DealClose):
            self.attempts.extend(one for one in event.attempts if one.seat == NORTH)
            self.faults.extend(one.why for one in event.faults if one.seat == NORTH)
        elif isinstance(event, MatchClose):
            self.closed = event

    @property
    def late(self) -> list[ActionTaken]:
        """What was played for north."""
        return [action for action in self.actions if action.fallback is not None]

    def whole(self) -> None:
        """StepFailedError where the match did not come to its end without a fault of north."""
        if not self.opened:
            raise StepFailedError("it did not take its seat")
        if self.closed is None or self.closed.outcome != "finished" or self.faults or self.late:
            why = "".join(
                f", {fault}" for fault in (*self.faults, *(["TIMEOUT"] * bool(self.late)))
            )
            ended = "open" if self.closed is None else self.closed.outcome
            raise StepFailedError(f"the match is {ended}{why}{self.fate}")

    @property
    def fate(self) -> str:
        """How it ended, and its last words, where it did so before the match or not well."""
        if self.exit is None or not (self.died or self.exit):
            return ""
        last = self.log.splitlines()[-1:]
        said = f", and its last words were {last[0][:LAST_WORDS]!r}" if last else ", without a word"
        return f"; {exit_words(self.exit)}{said}"


class DialedCheck:
    """The check of a bot that dials in; a new process of it for each match."""

    def __init__(self, spec: DialSpec, limits: Limits, went: Went) -> None:
        self._spec = replace(spec, command=tethered(spec.command))
        self._limits = limits
        self._went = went
        self._honest: Course | None = None
        self._last = Course()

    async def run(self, step: Step) -> Finding:
        """Do a step."""
        steps: Mapping[Step, _Work] = {
            Step.STARTS: self._starts,
            Step.ANSWERS: self._answers,
            Step.LEGAL: self._legal,
            Step.LATE: self._late,
            Step.CLOCK: self._clock,
            Step.REFUSED: self._refused,
            Step.ENDS: self._ends,
            Step.RECONNECTS: self._reconnects,
            Step.RUBBISH: self._rubbish,
            Step.SEALS: self._seals,
        }
        try:
            return await steps[step]()
        except StepFailedError as error:
            return failed(step, error, self._last.log)
        except DialError as error:
            return failed(step, StepFailedError(str(error)))

    # -- a match

    async def _match(self, lies: Lies, rule_set: str = "standard", *, dark: bool = False) -> Course:
        course = self._last = Course()
        with scratch("check") as folder:
            referee = Referee(
                store=SqliteStore(folder / "journal.db", asyncio.get_running_loop()),
                key=SigningKey.from_bytes("check", secrets.token_bytes(32)),
                clock=LoopClock(),
                chance=secrets.token_bytes,
            )
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._sit(
                        self._arena(referee, rule_set, folder, dark=dark),
                        course,
                        Liar(lies, referee.key),
                        dark,
                    )
            except TimeoutError:
                raise StepFailedError(f"the match was not over after {PATIENCE_S:g} s") from None
            finally:
                referee.close()
        return course

    def _arena(self, referee: Referee, rule_set: str, folder: Path, *, dark: bool) -> Arena:
        limits = self._limits
        move_ms = max(limits.move_ms, BACK_MS) if dark else limits.move_ms
        plan = NorthDials(
            rule_set=rule_set,
            knobs=KNOBS,
            policy=policy({"start_ms": limits.start_ms, "move_ms": move_ms}),
            north_south=parse_bot("dial"),
            east_west=parse_bot("sensible"),
            first_dealer=2,
        )
        return Arena(referee, plan, chance=secrets.token_bytes, directory=folder)

    async def _sit(self, arena: Arena, course: Course, liar: Liar, dark: bool) -> None:  # noqa: FBT001
        there: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        playing = asyncio.create_task(arena.play(course.hear, there.set_result))
        bot: DialedSeat | None = None
        darkening: asyncio.Task[None] | None = None
        try:
            _north, _dial, address, _with, _flag, token = (await there).split(" ", 5)
            await liar.start(address)
            if dark:
                darkening = asyncio.create_task(_darken(liar))
            bot = DialedSeat(NORTH, self._spec, Path(token), Path(token).parent)
            await bot.start(liar.address, liar.key.public.text)
            await _over(arena, playing, bot, course)
        finally:
            arena.abort()
            await asyncio.gather(playing, return_exceptions=True)
            if bot is not None:
                await bot.stop()
                course.log = _tail(bot.log)
            if darkening is not None:
                darkening.cancel()
            course.cuts, course.lied, course.answers = liar.cuts, liar.lied, liar.answers
            await liar.stop()

    # -- the steps

    async def _played(self) -> Course:
        """An honest match, played once."""
        if self._honest is None:
            self._honest = await self._match(Lies())
        self._last = self._honest
        return self._honest

    async def _starts(self) -> Finding:
        course = await self._played()
        if not course.opened:
            within = f"within {self._limits.start_s:g} s"
            raise StepFailedError(f"no seat taken {within}{course.fate}")
        return passed(Step.STARTS, "it took its seat")

    async def _answers(self) -> Finding:
        course = await self._played()
        if not course.actions or course.actions[0].fallback is not None:
            raise StepFailedError(f"its first action was played for it{course.fate}")
        return passed(Step.ANSWERS, f"its first action was {course.actions[0].action!r}")

    async def _legal(self) -> Finding:
        played = 0
        for count, name in enumerate(PRESETS, start=1):
            self._went(count, len(PRESETS))
            course = await self._match(Lies(), name)
            played += len(course.actions)
            if not course.opened:
                raise StepFailedError(f"it did not take its seat under {name}{course.fate}")
            if course.attempts:
                first = course.attempts[0]
                told = (
                    f"{first.reason} under {name}, after {played} actions under {count} rule sets"
                )
                raise StepFailedError(told, first.action)
        told = f"{played} actions in matches under the {len(PRESETS)} named rule sets"
        return passed(Step.LEGAL, told, actions=played, rule_sets=len(PRESETS))

    async def _late(self) -> Finding:
        return not_asked(Step.LATE, "its answers carry the number of their event")

    async def _clock(self) -> Finding:
        course = await self._played()
        if not course.actions:
            raise StepFailedError(f"it did not act{course.fate}")
        if course.late:
            late = f"{len(course.late)} of its actions"
            raise StepFailedError(f"{late} were played for it{course.fate}")
        return clock_finding([one.used_ms / 1_000 for one in course.actions], self._limits)

    async def _refused(self) -> Finding:
        course = await self._match(refused_once())
        course.whole()
        if len(course.attempts) != 1:
            told = f"refused once, and tried {len(course.attempts)} times what is illegal"
            raise StepFailedError(told)
        return passed(Step.REFUSED, "it answered again, and the match went on")

    async def _ends(self) -> Finding:
        course = await self._played()
        if course.farewell:
            raise StepFailedError(course.farewell)
        if course.exit:
            raise StepFailedError(course.fate.removeprefix("; "))
        return passed(Step.ENDS, "it left by itself, with exit code 0")

    async def _reconnects(self) -> Finding:
        course = await self._match(cut_once(CUT_AT), dark=True)
        course.whole()
        if not course.cuts:
            raise StepFailedError("it acted too seldom for its line to be cut")
        return passed(
            Step.RECONNECTS, f"cut at its action {CUT_AT}, the referee away for {DARK_S:g} s"
        )

    async def _rubbish(self) -> Finding:
        course = await self._match(strangeness())
        course.whole()
        return passed(Step.RUBBISH, "unknown fields, items and a phase, and the match went on")

    async def _seals(self) -> Finding:
        wrong: list[str] = []
        lies = wrong_seals()
        for count, (name, lie) in enumerate(lies.items(), start=1):
            self._went(count, len(lies))
            told = _taken(await self._match(lie), name)
            if told:
                wrong.append(told)
        if wrong:
            raise StepFailedError("; ".join(wrong))
        return passed(Step.SEALS, f"it noticed {', '.join(lies)}")


def _taken(course: Course, lie: str) -> str:
    """What is wrong with how a lie was taken; nothing where the bot noticed it and left."""
    left = course.exit if course.early else None
    if not course.lied:
        gone = "" if course.exit is None else f" ({exit_words(course.exit)})"
        return f"never got as far as {lie}{gone}"
    if left is None:
        return f"accepted {lie}" if course.answers else f"neither answered nor left after {lie}"
    return "" if left > 0 else f"{exit_words(left).removeprefix('it ')} at {lie}"


async def _over(
    arena: Arena, playing: "asyncio.Task[Played]", bot: DialedSeat, course: Course
) -> None:
    """Wait until the match is over or the bot is gone; then for the bot to leave."""
    process = bot.process
    if process is None:
        return
    gone = asyncio.create_task(process.wait())
    await asyncio.wait({playing, gone}, return_when=asyncio.FIRST_COMPLETED)
    course.died = not playing.done()
    if course.died and gone.result():
        course.early = True
        arena.abort()
    await asyncio.wait({playing})
    if not isinstance(playing.exception(), MatchError | None):
        raise MatchError("the match could not be played")
    await asyncio.wait({gone}, timeout=FAREWELL_S)
    if not gone.done():
        course.farewell = f"did not leave within {FAREWELL_S:g} s of the end"
        gone.cancel()
        return
    course.exit = gone.result()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, 0)
        course.farewell = "left, and left a process of its own running"


async def _darken(liar: Liar) -> None:
    await liar.cut.wait()
    await liar.dark(DARK_S)


def _tail(path: Path) -> str:
    try:
        return path.read_bytes()[-TAIL:].decode("utf-8", "replace").strip()
    except OSError:
        return ""
