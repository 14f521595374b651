"""A referee that plays one match twice, to get a seed under one commit set and grind another."""

import asyncio
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from referee.arena.bots import BotSpec, parse_bot
from referee.arena.match import Arena, Plan
from referee.sealing import SEATS
from referee.sealing.events import RevealSet
from referee.table.events import PublicEvent
from referee.table.policy import policy
from tests.adversaries.proxy import Proxy
from tests.adversaries.support import (
    LIMITS,
    Cheat,
    CheatingReferee,
    Left,
    Outcome,
    python_bot,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NorthAlone(Plan):
    """North is a real client, the other three are the referee's own."""

    def spec(self, seat: int) -> BotSpec:
        return self.east_west if seat else self.north_south


class SameMatch:
    """Chance that gives every match one id, and the chain that it is told."""

    def __init__(self, chain: bytes) -> None:
        self._fixed = [b"one match id for all"[:16], chain]

    def __call__(self, size: int) -> bytes:
        return self._fixed.pop(0) if self._fixed else secrets.token_bytes(size)


def arena(folder: Path, north: str, chain: bytes = b"c" * 32) -> Arena:
    """One course of the match."""
    folder.mkdir(exist_ok=True)
    plan = NorthAlone(
        rule_set="quick",
        knobs={"target": "3"},
        policy=policy(LIMITS),
        north_south=parse_bot(north),
        east_west=parse_bot("sensible"),
    )
    referee = CheatingReferee(Cheat(), SameMatch(chain))
    return Arena(referee, plan, chance=secrets.token_bytes, directory=folder)


def course(folder: Path, north: str, chain: bytes = b"c" * 32) -> Outcome:
    """The match played once, to whatever end it comes."""
    played = arena(folder, north, chain)
    over = asyncio.run(played.play(_unheard, _unheard))
    left = {
        SEATS[dialed.seat]: Left(dialed.process.returncode or 0, dialed.tail())
        for dialed in played._dialed
        if dialed.process is not None
    }
    return Outcome(folder, over.transcript, left)


def _unheard(_said: object) -> None:
    pass


def test_a_seed_is_not_shown_for_a_second_commit_set_after_a_restart(tmp_path: Path) -> None:
    north = python_bot(tmp_path)
    assert course(tmp_path, north).left["north"].exit == 0
    again = course(tmp_path, north).left["north"]
    assert again.exit == 3
    assert "has a second commit set" in again.said


def test_a_match_id_that_is_used_twice_is_left_before_anything_is_committed(
    tmp_path: Path,
) -> None:
    north = python_bot(tmp_path)
    assert course(tmp_path, north).left["north"].exit == 0
    again = course(tmp_path, north, b"d" * 32)
    assert again.left["north"].exit == 3
    assert "was opened before with another r0" in again.left["north"].said
    committed = [line for line in again.transcript.splitlines() if b'"seat_commit"' in line]
    assert not any(b'"seat":"north"' in line for line in committed)


def test_a_course_played_without_a_seat_is_disproved_by_its_receipts(tmp_path: Path) -> None:
    assert course(tmp_path, python_bot(tmp_path)).left["north"].exit == 0
    published = course(tmp_path, "random")
    assert published.found() == (0, None)
    assert published.found(receipts=True) == (3, "referee")


def test_a_connection_dropped_after_the_reveal_does_not_lead_to_another_commit_set(
    tmp_path: Path,
) -> None:
    left, seen = asyncio.run(_led_astray(tmp_path))
    assert left.exit == 3
    assert "came where event" in left.said
    assert seen == [0]


async def _led_astray(folder: Path) -> tuple[Left, list[int]]:
    """North reveals in one course, and comes back to another one: its end, and its reveals."""
    relay = Proxy()
    await relay.start()
    first, second = (arena(folder / name, "dial") for name in ("first", "second"))
    revealed: list[int] = []
    loop = asyncio.get_running_loop()
    addresses: tuple[asyncio.Future[str], ...] = (loop.create_future(), loop.create_future())

    def hear(event: PublicEvent) -> None:
        if isinstance(event, RevealSet):
            revealed.append(event.deal)
            relay.target = addresses[1].result()
            relay.drop()

    courses = [
        asyncio.create_task(first.play(hear, lambda said: _dial(said, addresses[0]))),
        asyncio.create_task(
            second.play(lambda e: _count(e, revealed), lambda said: _dial(said, addresses[1]))
        ),
    ]
    relay.target, _ = await asyncio.gather(*addresses)
    north = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "euchre_bot.bots.sensible", "--referee", relay.address),
        *("--token-file", str(folder / "first" / "north.token")),
        *("--secret-file", str(folder / "secret"), "--state-file", str(folder / "state.jsonl")),
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await north.communicate()
    await asyncio.gather(*courses)
    await relay.stop()
    return Left(north.returncode or 0, said.decode().strip().splitlines()[-1]), revealed


def _dial(said: str, address: "asyncio.Future[str]") -> None:
    """Take the address out of what the arena says to people whose bots dial in."""
    address.set_result(said.split(" ")[2])


def _count(event: PublicEvent, revealed: list[int]) -> None:
    if isinstance(event, RevealSet):
        revealed.append(event.deal)
