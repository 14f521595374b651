"""The steps for bots that are asked directly: over stdio, or as a class of this process."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from referee.arena.bots import CommandSpec, PythonSpec
from referee.arena.checking.findings import (
    Finding,
    Limits,
    Step,
    StepFailedError,
    Went,
    failed,
    failed_by,
    not_asked,
    passed,
)
from referee.arena.checking.positions import Position, by_rules, positions
from referee.arena.checking.seeds import check_one_set, check_own_commitment
from referee.arena.checking.tether import tethered
from referee.arena.players import JSON, BotFailure, BotHello, Player, within
from referee.arena.stdio import CommandPlayer
from referee.rules import RuleSet

MATCH: Final = "c0" * 16
SAMPLE: Final = 40
MOST_CRASHES: Final = 3
MOST_TOLD: Final = 20
PATIENCE: Final = 4.0
"""How much longer than its clock says a bot may take where it is not the clock that is checked."""
UNKNOWN: Final = (
    {"op": "weather", "wind": 3},
    {"op": "event", "event": {"kind": "comet", "seq": 0}, "since": "tomorrow"},
    {"opera": "Carmen"},
)
REASON: Final = "MUST_FOLLOW_SUIT"
SENTENCE: Final = "the check refuses this once, whatever it was"
_Work = Callable[[], Awaitable[Finding]]


class LocalCheck:
    """The check of one bot; a new process of it for each step."""

    def __init__(self, spec: CommandSpec | PythonSpec, limits: Limits, went: Went) -> None:
        if isinstance(spec, CommandSpec):
            spec = replace(spec, command=tethered(spec.command))
        self._spec = spec
        self._limits = limits
        self._went = went
        self._player: Player | None = None

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
        except BotFailure as failure:
            return failed_by(step, failure)
        except StepFailedError as error:
            return failed(step, error, self._stderr())

    # -- a bot at the table

    @asynccontextmanager
    async def _seated(self, rules: RuleSet) -> AsyncIterator[tuple[Player, BotHello]]:
        player = self._player = self._spec.player()
        try:
            starting = player.start(match=MATCH, seat="north", rules=rules.to_map())
            hello = await within(self._limits.start_s, starting, "say hello")
            yield player, hello
        finally:
            await player.close()

    def _stderr(self) -> str:
        return self._player.stderr if isinstance(self._player, CommandPlayer) else ""

    async def _choice(self, player: Player, place: Position, seconds: float | None = None) -> str:
        """A legal answer; StepFailedError where it is none."""
        patient = PATIENCE * self._limits.move_s
        choosing = player.choose(place.view, place.legal)
        action = await within(seconds or patient, choosing, "answer")
        if (fault := place.fault(action)) is not None:
            told = f"{place.case}: {fault.reason.value}: {fault.sentence}"
            raise StepFailedError(told, action)
        return action

    # -- the steps

    async def _starts(self) -> Finding:
        begun = time.monotonic()
        async with self._seated(_standard()[0].rules) as (_player, hello):
            took = time.monotonic() - begun
        ops = ", ".join(sorted(hello.ops)) or "none"
        told = f"{hello.name!r} said hello after {took:.2f} s; its ops: {ops}"
        return passed(Step.STARTS, told, seconds=round(took, 3), ops=sorted(hello.ops))

    async def _answers(self) -> Finding:
        place = _first("round_one")
        async with self._seated(place.rules) as (player, _hello):
            action = await self._choice(player, place)
        return passed(Step.ANSWERS, f"{action!r}, of {', '.join(place.legal)}")

    async def _legal(self) -> Finding:
        wrong: list[Mapping[str, JSON]] = []
        asked = crashes = 0
        groups = [(rules, list(places)) for rules, places in by_rules(positions())]
        for rules, places in groups:
            while places and crashes < MOST_CRASHES:
                try:
                    async with self._seated(rules) as (player, _hello):
                        while places:
                            place = places.pop(0)
                            asked += 1
                            self._went(asked, len(positions()))
                            wrong.extend(await self._tried(player, place))
                except BotFailure as failure:
                    crashes += 1
                    wrong.append({"case": place.case, "failure": failure.text})
        told = f"{asked} positions of the corpus under {len(groups)} rule sets"
        if wrong:
            raise StepFailedError(
                f"{len(wrong)} of {told}: {_shown(wrong[0])}",
                str(wrong[0].get("action", "")),
                {"asked": asked, "wrong": wrong[:MOST_TOLD]},
            )
        return passed(Step.LEGAL, told, asked=asked, rule_sets=len(groups))

    async def _tried(self, player: Player, place: Position) -> list[Mapping[str, JSON]]:
        """What was wrong with the answer, if anything was."""
        try:
            await self._choice(player, place)
        except StepFailedError as error:
            return [{"case": place.case, "action": error.said, "told": error.told}]
        return []

    async def _late(self) -> Finding:
        if isinstance(self._spec, PythonSpec):
            return not_asked(Step.LATE, "a class is asked one thing after the other")
        given_up, place = _first("round_one"), _first("play")
        async with self._seated(place.rules) as (player, _hello):
            asking = asyncio.ensure_future(player.choose(given_up.view, given_up.legal))
            await asyncio.sleep(0)  # let the question go out
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            action = await self._choice(player, place)
        return passed(Step.LATE, f"{action!r} to the second question, under its own id")

    async def _clock(self) -> Finding:
        took: list[float] = []
        places = _sample()
        async with self._seated(places[0].rules) as (player, _hello):
            for count, place in enumerate(places, start=1):
                self._went(count, len(places))
                begun = time.monotonic()
                patient = PATIENCE * self._limits.move_s
                await within(patient, player.choose(place.view, place.legal), "answer")
                took.append(time.monotonic() - begun)
        return clock_finding(took, self._limits)

    async def _refused(self) -> Finding:
        place = _first("play")
        async with self._seated(place.rules) as (player, _hello):
            for _ in range(2):
                action = await self._choice(player, place)
                await player.refused(REASON, SENTENCE)
            action = await self._choice(player, place)
        return passed(Step.REFUSED, f"{action!r}, after two refusals")

    async def _ends(self) -> Finding:
        async with self._seated(_standard()[0].rules) as (player, _hello):
            await player.end({"ns": 10, "ew": 7})
        if isinstance(player, CommandPlayer) and player.farewell:
            raise StepFailedError(player.farewell)
        return passed(Step.ENDS, "it left by itself")

    async def _reconnects(self) -> Finding:
        return not_asked(Step.RECONNECTS, "it has no connection of its own")

    async def _rubbish(self) -> Finding:
        place = _first("play")
        strange = {**place.view, "phase": "afterwards", "weather": {"wind": [3, None]}}
        async with self._seated(place.rules) as (player, _hello):
            if isinstance(player, CommandPlayer):
                for message in UNKNOWN:
                    player.say(json.dumps(message).encode("ascii"))
                player.say(b"%& no JSON at all")
                player.say(b"")
            patient = PATIENCE * self._limits.move_s
            await within(patient, player.choose(strange, place.legal), "answer")
            action = await self._choice(player, place)
        return passed(Step.RUBBISH, f"{action!r}, after unknown words, fields, a phase and no JSON")

    async def _seals(self) -> Finding:
        rules, match = _first("round_one").rules, bytes.fromhex(MATCH)
        async with self._seated(rules) as (player, hello):
            if not hello.ops >= {"commit", "reveal"}:
                return not_asked(Step.SEALS, "it draws no seeds: the host draws them")
            await check_one_set(player, match, self._limits)
        async with self._seated(rules) as (player, _hello):
            await check_own_commitment(player, match, self._limits)
        told = "one seed for one commit set, and none for a set without its commitment"
        return passed(Step.SEALS, told)


def clock_finding(took: Sequence[float], limits: Limits) -> Finding:
    """What times of answers, in seconds, come to."""
    rising = sorted(took)
    p50, p99 = (1_000 * rising[int(share * (len(rising) - 1))] for share in (0.5, 0.99))
    most = 1_000 * rising[-1]
    share = most / limits.move_ms
    figures: dict[str, JSON] = {
        "answers": len(rising),
        "p50_ms": round(p50, 1),
        "p99_ms": round(p99, 1),
        "most_ms": round(most, 1),
        "share": round(share, 4),
    }
    told = (
        f"{len(rising)} answers, p50 {p50:.1f} ms, p99 {p99:.1f} ms,"
        f" the slowest {most:.1f} ms: {share:.1%} of {limits.move_ms} ms"
    )
    if share > 1:
        raise StepFailedError(told, "", figures)
    return passed(Step.CLOCK, told, **figures)


def _shown(wrong: Mapping[str, JSON]) -> str:
    if "failure" in wrong:
        return f"{wrong['case']}: {wrong['failure']}"
    return f"{wrong['told']}"


def _standard() -> list[Position]:
    """The positions of the first rule set."""
    return next(by_rules(positions()))[1]


def _first(phase: str) -> Position:
    """The first position in a phase with something to choose."""
    return next(p for p in _standard() if p.view["phase"] == phase and len(p.legal) > 1)


def _sample() -> list[Position]:
    """Some positions, evenly spread."""
    found = _standard()
    return found[:: max(1, len(found) // SAMPLE)][:SAMPLE]
