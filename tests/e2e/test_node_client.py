"""Node bots at a real referee: kills of either side, a taken seat, the transcript they leave."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
import pytest

from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc

ROOT: Final = Path(__file__).parents[2]
NODE_CLIENT: Final = ROOT / "clients" / "node"
CLI: Final = (sys.executable, "-m", "referee")
SEATS: Final = ("north", "east", "south", "west")
PATIENCE_S: Final = 50.0

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (NODE_CLIENT / "node_modules").is_dir(),
    reason="node is missing, or `make -C clients/node setup` has not run",
)


def until(true: Callable[[], bool], what: str) -> None:
    """Poll until something is true."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, f"{what} did not come true"
        time.sleep(0.1)


@dataclass(slots=True)
class Bot:
    """A bot's process, and the file of what it says."""

    process: subprocess.Popen[bytes]
    said: Path

    def kill(self) -> None:
        """Kill it where it stands."""
        self.process.kill()
        self.process.wait()

    def ends(self) -> tuple[int, str]:
        """Wait for its end: the exit code and what it said."""
        code = self.process.wait(timeout=PATIENCE_S)
        return code, self.said.read_text()


@dataclass(slots=True)
class House:
    """A referee process that may be killed and started again, and the bots that dialed it."""

    folder: Path
    address: str = "127.0.0.1:0"
    server: subprocess.Popen[bytes] | None = None
    bots: "list[Bot]" = field(default_factory=list)

    def serve(self) -> None:
        """Start the referee on its address; the first time on a free port."""
        told = self.folder / "address"
        told.unlink(missing_ok=True)
        files = ("--db", "journal.db", "--key", "key.pem", "--address-file", "address")
        self.server = subprocess.Popen(
            (*CLI, "serve", "--listen", self.address, *files),
            cwd=self.folder,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        until(lambda: told.exists() and bool(told.read_text().strip()), "the address")
        self.address = told.read_text().strip()

    def kill_server(self) -> None:
        """Kill the referee, as a power cut would."""
        assert self.server is not None
        self.server.send_signal(signal.SIGKILL)
        self.server.wait()

    def create(self, *more: str) -> "Table":
        """A new match."""
        done = subprocess.run(
            (*CLI, "create", "--referee", self.address, "--json", *more),
            cwd=self.folder,
            check=True,
            capture_output=True,
        )
        made = json.loads(done.stdout)
        tokens = {name: self.folder / path for name, path in made["tokens"].items()}
        return Table(self, made["match"], made["referee_key"], tokens)

    def stop(self) -> None:
        """Kill whatever still runs."""
        for bot in self.bots:
            bot.kill()
        if self.server is not None:
            self.kill_server()


@dataclass(slots=True)
class Table:
    """One match of a house."""

    house: House
    match: str
    key: str
    tokens: Mapping[str, Path]

    def bot(self, seat: str, name: str = "random") -> Bot:
        """A Node bot at a seat; the same files each time."""
        folder = self.house.folder
        said = folder / f"{len(self.house.bots)}.log"
        command = (
            *("node", str(NODE_CLIENT / "bots" / f"{name}.mjs"), "--name", f"bot-{seat}"),
            *("--referee", self.house.address, "--token-file", str(self.tokens[seat])),
            *("--secret-file", str(folder / f"{seat}.secret")),
            *("--state-file", str(folder / f"{seat}.state"), "--key", self.key),
        )
        with said.open("wb") as stderr:
            bot = Bot(subprocess.Popen(command, stderr=stderr), said)
        self.house.bots.append(bot)
        return bot

    def now(self) -> match_pb2.Match:
        """The match as it stands; an empty one where the referee does not answer just now."""
        with grpc.insecure_channel(self.house.address) as channel:
            stub = match_pb2_grpc.MatchServiceStub(channel)
            request = match_pb2.GetMatchRequest(match=self.match)
            found: match_pb2.GetMatchResponse
            try:
                found = stub.GetMatch(request, timeout=5, metadata=self._bearer())
            except grpc.RpcError:
                return match_pb2.Match()
            return found.match

    def reaches(self, events: int) -> None:
        """Wait until the match has so many events, or is over sooner."""

        def there() -> bool:
            now = self.now()
            return now.events >= events or now.state == "closed"

        until(there, f"event {events}")

    def transcript(self) -> Path:
        """The file of the match."""
        path = self.house.folder / "match.jsonl"
        with grpc.insecure_channel(self.house.address) as channel:
            stub = match_pb2_grpc.MatchServiceStub(channel)
            request = match_pb2.GetTranscriptRequest(match=self.match)
            stream = stub.GetTranscript(request, timeout=10, metadata=self._bearer())
            path.write_bytes(b"".join(line for part in stream for line in part.lines))
        return path

    def _bearer(self) -> tuple[tuple[str, str], ...]:
        token = next(path for name, path in self.tokens.items() if name not in SEATS)
        return (("authorization", f"Bearer {token.read_text().strip()}"),)

    def verified(self) -> Mapping[str, object]:
        """What both verifiers say of the transcript, once they agree that it is sound."""
        path = str(self.transcript())
        script = str(NODE_CLIENT / "verifier" / "euchre-verify.mjs")
        reports = []
        for command in ((*CLI, "verify"), ("node", script)):
            done = subprocess.run(
                (*command, path, "--json", "--referee-key", self.key),
                check=False,
                capture_output=True,
                env={**os.environ, "NODE_NO_WARNINGS": "1"},
            )
            report = json.loads(done.stdout)
            assert (done.returncode, report["message"]) == (0, "verified")
            left_out = {"rules", "receipts", "roster"}
            reports.append({k: v for k, v in report.items() if k not in left_out})
        python, javascript = reports
        assert python == javascript
        return python


def finished(*bots: Bot) -> None:
    """Wait for bots, all of which exit 0."""
    for bot in bots:
        code, said = bot.ends()
        assert code == 0, said
        assert "match finished" in said


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    made.serve()
    yield made
    made.stop()


def test_four_node_bots_play_a_rated_match_from_their_own_seeds(house: House) -> None:
    table = house.create("--rules", "quick")
    finished(*(table.bot(seat, "sensible") for seat in SEATS))
    report = table.verified()
    assert report["seeds"] == {"seat": 4, "host": 0, "declined": 0}
    assert (report["rated"], report["faults"]) == (True, [])


def test_the_cutters_cut_survives_in_its_commitment(house: House) -> None:
    table = house.create("--rules", "guide", "--knob", "target=2")
    finished(*(table.bot(seat) for seat in SEATS))
    cuts = [line for line in table.transcript().read_text().splitlines() if '"cut":' in line]
    assert any('"kind":"reveal_set"' in line for line in cuts)
    assert table.verified()["faults"] == []


def test_bots_outlive_a_referee_that_is_killed_in_mid_deal(house: House) -> None:
    table = house.create("--rules", "quick")
    bots = [table.bot(seat) for seat in SEATS]
    for events in (9, 40, 90):
        table.reaches(events)
        house.kill_server()
        house.serve()
    finished(*bots)
    assert table.verified()["faults"] == []


def test_a_killed_bot_comes_back_with_the_same_seeds(house: House) -> None:
    table = house.create("--rules", "quick")
    others = [table.bot(seat) for seat in SEATS[1:]]
    north = table.bot("north")
    for events in (10, 50):
        table.reaches(events)
        north.kill()
        north = table.bot("north")
    finished(north, *others)
    assert table.verified()["faults"] == []


def test_a_second_process_with_the_token_takes_the_seat(house: House) -> None:
    table = house.create("--rules", "quick")
    first = table.bot("north")
    until(lambda: any(table.now().names), "the Hello of north")
    second = table.bot("north")
    assert first.ends() == (4, "error: another process has taken the seat\n")
    finished(second, *(table.bot(seat) for seat in SEATS[1:]))
    assert table.verified()["faults"] == []
