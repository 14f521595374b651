"""Matches that outlive kill -9: of the referee and of a bot at one table, and under load."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import grpc
import pytest

from referee.cli.create import write_tokens
from referee.journal.verify import Report, verify_file
from referee.pb.euchre.referee.v1 import match_pb2
from referee.sealing.keys import parse_key
from referee.sealing.packs import SEATS
from referee.service.client import Client, CreatedMatch
from tests.adversaries.kills import Outcome, Run

TRANSCRIPT: Final = "/euchre.referee.v1.MatchService/GetTranscript"
PATIENT: Final = {"move_ms": 60_000, "commit_ms": 60_000, "reveal_ms": 60_000, "start_ms": 60_000}
GATED: Final = """
import sys
import euchre_bot
from euchre_bot.bots import sensible

def choose(view, legal):
    print(view["state_version"], flush=True)
    sys.stdin.readline()
    return sensible.choose(view, legal)

euchre_bot.run(choose, name="gated")
"""


class House:
    """A referee and four bots, each a process; north's says when it is asked, and waits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{probe.getsockname()[1]}"
        (folder / "gated.py").write_text(GATED)
        self.made = CreatedMatch("", (), "")
        self.tokens: dict[str, Path] = {}
        self.referee = self._serve()
        self.bots: dict[str, subprocess.Popen[str]] = {}

    def _start(self, *command: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            (sys.executable, *command),
            cwd=self.folder,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def _serve(self) -> subprocess.Popen[str]:
        files = ("--db", "journal.db", "--key", "key.pem")
        referee = self._start("-m", "referee", "serve", "--listen", self.address, *files)
        assert "listening" in said(referee)
        return referee

    def open_match(self, rules: str) -> None:
        """Make a match and seat four bots."""
        client = Client(self.address)
        self.made = asyncio.run(client.create(rule_set=rules, knobs={}, policy=PATIENT))
        self.tokens = write_tokens(self.folder / "tokens", self.made)
        for seat in SEATS:
            self.bots[seat] = self._bot(seat)

    def _bot(self, seat: str) -> subprocess.Popen[str]:
        program = ("gated.py",) if seat == "north" else ("-m", "euchre_bot.bots.sensible")
        return self._start(
            *program,
            *("--referee", self.address, "--token-file", str(self.tokens[seat])),
            *("--key", self.made.referee_key, "--name", seat),
            *("--secret-file", f"{seat}.secret", "--state-file", f"{seat}.state"),
        )

    def asked(self) -> bool:
        """Whether north is asked once more; False when the match is over."""
        return said(self.bots["north"]) != ""

    def release(self) -> None:
        """Let north act."""
        gate = self.bots["north"].stdin
        assert gate is not None
        gate.write("\n")
        gate.flush()

    def kill_referee(self) -> None:
        """Kill the referee and start it again on its journal."""
        end(self.referee)
        self.referee = self._serve()

    def kill_bot(self, seat: str) -> None:
        """Kill a bot and start it again with its files."""
        end(self.bots[seat])
        self.bots[seat] = self._bot(seat)

    def play(self, faults: Iterator[str]) -> None:
        """Play to the end; each time north is asked, the next fault happens."""
        while self.asked():
            match next(faults, ""):
                case "referee while north thinks":
                    self.kill_referee()
                    self.release()
                case "referee as north acts":
                    self.release()
                    self.kill_referee()
                case "north":
                    self.kill_bot("north")
                    assert self.asked()
                    self.release()
                case "east":
                    self.kill_bot("east")
                    self.release()
                case _:
                    self.release()

    def verified(self) -> Report:
        """What the verifier says of the transcript."""
        path = self.folder / "match.jsonl"
        with grpc.insecure_channel(self.address) as channel:
            call = channel.unary_stream(
                TRANSCRIPT,
                request_serializer=match_pb2.GetTranscriptRequest.SerializeToString,
                response_deserializer=match_pb2.GetTranscriptResponse.FromString,
            )
            token = self.tokens["watch"].read_text().strip()
            lines = call(
                match_pb2.GetTranscriptRequest(match=self.made.match),
                metadata=(("authorization", f"Bearer {token}"),),
                timeout=10,
            )
            path.write_bytes(b"".join(part for response in lines for part in response.lines))
        return verify_file(path, pinned=parse_key(self.made.referee_key))

    def close(self) -> None:
        """Leave nothing running."""
        for process in (*self.bots.values(), self.referee):
            end(process)


def said(process: subprocess.Popen[str]) -> str:
    """The next line of a process; empty once it has ended."""
    assert process.stdout is not None
    return process.stdout.readline()


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


@contextmanager
def house(folder: Path, rules: str) -> Iterator[House]:
    opened = House(folder)
    try:
        opened.open_match(rules)
        yield opened
    finally:
        opened.close()


def outlives(folder: Path, rules: str, faults: Iterator[str]) -> None:
    with house(folder, rules) as opened:
        opened.play(faults)
        # A bot that missed an event, or saw another one in its place, would have left with 3.
        assert [bot.wait(60) for bot in opened.bots.values()] == [0, 0, 0, 0]
        report = opened.verified()
        assert report.exit == 0, report
        assert list(faults) == []


def test_match_outlives_the_death_of_the_referee_and_of_bots(tmp_path: Path) -> None:
    faults = ("", "referee while north thinks", "north", "referee as north acts", "east")
    outlives(tmp_path, "quick", iter(faults))


def killed(folder: Path, kills: int, tables: int) -> Outcome:
    """What came of so many kills at random moments under load."""
    run = Run(folder, tables=tables, seed=6)
    asyncio.run(run.kills(kills, lambda *_: None))
    run.judge(lambda _: None)
    return run.outcome


def test_nothing_acknowledged_is_lost_when_the_referee_is_killed_under_load(
    tmp_path: Path,
) -> None:
    outcome = killed(tmp_path, 3, tables=8)
    assert outcome.lost == []
    assert outcome.finished == outcome.matches >= 8


@pytest.mark.heavy
def test_nothing_acknowledged_is_lost_in_fifty_kills_under_load(tmp_path: Path) -> None:
    outcome = killed(tmp_path, 50, tables=24)
    assert outcome.lost == []
    assert outcome.finished == outcome.matches
    assert outcome.acknowledged > 10_000


@pytest.mark.heavy
def test_match_outlives_twenty_deaths_of_the_referee(tmp_path: Path) -> None:
    faults = ("referee as north acts", "referee while north thinks") * 10
    outlives(tmp_path, "standard", iter(faults))
