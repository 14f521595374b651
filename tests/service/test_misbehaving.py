"""The bots of `clients/misbehaving`, each in a match with three seats that keep the rules.

Each gets the ruling that the policy says, the others are told, the match verifies, and nothing of
it is left running.
"""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest

from referee.arena.match import Chances
from referee.host.clock import Chance
from referee.journal.audit import audit_match
from referee.journal.verify import verify_stream
from referee.pb.euchre.referee.v1 import status_pb2
from referee.sealing.closing import DealClose, MatchClose
from tests.service.support import PATIENCE_S, SEATS, Made, on_loop, serving

ROOT: Final = Path(__file__).parents[2]
HOME: Final = ROOT / "clients" / "misbehaving"
BAD: Final = 2
END_S: Final = 120.0
ILLEGAL: Final = {"illegal_limit": 3, "timeout_limit": 99}
LATE: Final = {"timeout_limit": 2, "move_ms": 1_000}  # a busy machine's own delays are no fault
AWAY: Final = {"grace_ms": 400, "move_ms": 10_000}
OVER: Final = "status 9: the match is over"
"""What an input is told that was on its way when the match ended."""
SHORT: Final = {"commit_ms": 700, "reveal_ms": 700}


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """What the policy says of a way: how the match ends, and what the others are told of it."""

    outcome: str = "forfeit"
    told: tuple[str, ...] = ()
    attempts: frozenset[str] = frozenset()
    said: str = ""
    limits: Mapping[str, int] = field(default_factory=dict)
    points: tuple[int, int] | None = None


def illegal(reason: str, said: str = "") -> Ruling:
    return Ruling(told=("ILLEGAL",), attempts=frozenset({reason}), said=said, limits=ILLEGAL)


def late(said: str = "") -> Ruling:
    return Ruling(told=("TIMEOUT", "TIMEOUT"), said=said, limits=LATE)


def withheld(said: str = "") -> Ruling:
    told = ("WITHHELD", "WITHHELD")
    return Ruling(told=told, said=said, limits=SHORT, points=(0, 4))


def nothing(said: str = "") -> Ruling:
    return Ruling(outcome="finished", said=said)


GONE: Final = Ruling(told=("DISCONNECT",), limits=AWAY)

RULINGS: Final = {
    "honest": nothing(),
    "reneges": illegal("MUST_FOLLOW_SUIT"),
    "plays-unheld": illegal("CARD_NOT_HELD"),
    "unknown-words": illegal("UNKNOWN_ACTION"),
    "rubbish": illegal("UNKNOWN_ACTION", said="status 3: "),
    "out-of-turn": illegal("NOT_YOUR_TURN"),
    "repeats-id": nothing(),
    "repeats-action": nothing("status 10: "),
    "changes-its-mind": nothing(),
    "wrong-seq": late("status 10: "),
    "others-seat": nothing("status 7: "),
    "stalls": late(),
    "floods": nothing("status 10: "),
    "exits": GONE,
    "dies": GONE,
    "leaves": GONE,
    "reconnects": nothing(),
    "withholds-commit": withheld(),
    "copies-commit": withheld("status 9: another seat has this commitment"),
    "changes-commit": nothing("status 9: "),
    "withholds-seed": withheld(),
    "wrong-seed": withheld(),
    "short-seed": withheld(),
    "other-set": withheld("status 9: "),
    "changes-seed": nothing("status 9: "),
}


@asynccontextmanager
async def misbehaving(made: Made, way: str, folder: Path) -> AsyncIterator[Path]:
    """The bot, started; what it says goes into the file. Its process group has to be gone after."""
    token, log = folder / "token", folder / "log"
    token.write_text(made.seats[BAD])
    words = ("--how", way, "--referee", made.served.server.address, "--seed", "fixed")
    with log.open("wb") as file:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(HOME / "misbehave.py"), *words, "--token-file", str(token)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    try:
        yield log
        async with asyncio.timeout(PATIENCE_S):
            await process.wait()
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def played(made: Made, way: str, folder: Path) -> tuple[list[str], str]:
    """Play a match to its end: the faults of the bad seat that the others were told, its words."""
    good = made.stream(0, 1, 3, patience=END_S)
    await good.hello()
    async with misbehaving(made, way, folder) as log:
        async with asyncio.timeout(END_S):
            await good.play_on()
            await made.match.over.wait()
    told = [i.fault.why for i in good.items if i.HasField("fault") and i.fault.seat == SEATS[BAD]]
    good.call.cancel()
    return told[::3], log.read_text("utf-8", "replace")


async def nothing_runs(made: Made) -> None:
    """No match is open, and no stream."""
    async with asyncio.timeout(PATIENCE_S):
        while await running(made):  # noqa: ASYNC110 -- there is no event to wait for
            await asyncio.sleep(0.01)


async def running(made: Made) -> bool:
    asked = status_pb2.GetStatusRequest()
    found = await made.served.status.GetStatus(asked, timeout=PATIENCE_S)
    return any((found.open_matches, found.seats_connected, found.play_streams))


def closes(made: Made) -> tuple[MatchClose, list[DealClose]]:
    """How the match ended, and each deal; what was written is sound and verifies."""
    rows = made.served.store.kept[made.match.id]
    audited = audit_match(made.match.id, rows, still_open=False)
    assert audited.sound, audited.fault
    report = verify_stream(BytesIO(b"".join(item.line for item in made.match.log)))
    assert report.exit == 0, report.verdict.failure
    closed = made.match.log[-1].event
    assert isinstance(closed, MatchClose)
    return closed, [item.event for item in made.match.log if isinstance(item.event, DealClose)]


def chance_of(way: str) -> Chance:
    """The same deals each time, in which there are enough tricks to renege in."""
    return Chances(way.encode())


@pytest.mark.parametrize("way", RULINGS)
@on_loop
async def test_a_misbehaving_bot_gets_the_ruling_that_the_policy_says(
    way: str, tmp_path: Path
) -> None:
    expected = RULINGS[way]
    async with serving(chance=chance_of(way)) as served:
        limits = {"move_ms": 20_000, "commit_ms": 20_000, "reveal_ms": 20_000}
        made = await served.create_as(bytes(16), "quick", **{**limits, **expected.limits})
        told, said = await played(made, way, tmp_path)
        end, deals = closes(made)
        assert (end.outcome, tuple(told)) == (expected.outcome, expected.told), said
        assert end.by == (BAD if expected.outcome == "forfeit" else None)
        attempts = [attempt for deal in deals for attempt in deal.attempts]
        assert {attempt.reason for attempt in attempts} == expected.attempts
        assert [attempt.seat for attempt in attempts] == [BAD] * (3 if expected.attempts else 0)
        if expected.points is not None:
            assert (deals[-1].points.ns, deals[-1].points.ew) == expected.points
        assert expected.said in said
        if not (expected.said or expected.attempts):  # whoever tries too early may be too late too
            assert "status" not in said.replace(OVER, ""), said
        await nothing_runs(made)


def test_the_page_and_the_tests_know_every_way() -> None:
    page = (HOME / "README.md").read_text("utf-8")
    named = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    listed = re.findall(
        r'^    "([a-z-]+)": [A-Z]\w+,$', (HOME / "ways.py").read_text(), re.MULTILINE
    )
    assert named == listed == list(RULINGS)
