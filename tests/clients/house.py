"""A referee that is a process of its own, and the bots that dial it: started, killed, judged."""

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc

from referee.cli.create import write_tokens
from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc, play_pb2, play_pb2_grpc
from referee.service.client import Client as OwnClient
from referee.service.client import Wire
from tests.clients.known import ROOT, Client

CLI: Final = (sys.executable, "-m", "referee")
PATIENT: Final = dict.fromkeys(
    ("start_ms", "move_ms", "commit_ms", "reveal_ms", "grace_ms"), 120000
)
SEATS: Final = ("north", "east", "south", "west")
PATIENCE_S: Final = 120.0
CRASHED: Final = re.compile(
    r"Traceback|^\s+at .+:\d+|Exception in thread|panicked at|goroutine \d+|terminate called"
    r"|core dumped|Unhandled|Segmentation|(?:^|\s)[a-z_.]+\.[A-Z]\w+(?:Exception|Error):",
    re.MULTILINE,
)
"""What a program says that did not expect what has happened."""


def until(true: Callable[[], bool], what: str) -> None:
    """Poll until something is true that nobody tells."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, f"{what} did not come true"
        time.sleep(0.05)


def environment(folder: Path) -> dict[str, str]:
    """The environment of a bot: it keeps what it keeps in the folder."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("EUCHRE_")}
    return {
        **kept,
        "BOT_PYTHON": sys.executable,
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder / "state"),
    }


@dataclass(slots=True)
class Bot:
    """A bot's process, and the file of what it says."""

    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(cls, folder: Path, log: str, *words: str, token: str = "") -> "Bot":
        """Start a command that is a bot."""
        path = folder / log
        given = environment(folder)
        with path.open("wb") as file:
            process = subprocess.Popen(
                words,
                cwd=folder,
                env={**given, "EUCHRE_TOKEN": token} if token else given,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
            )
        return cls(process, path)

    def kill(self) -> None:
        """Kill it where it stands."""
        self.process.kill()
        self.process.wait()

    @property
    def said(self) -> str:
        """What it has said so far."""
        return self.log.read_text("utf-8", "replace")

    def ends(self) -> tuple[int, str]:
        """Wait for its end: the exit status, and what it said; never a crash."""
        try:
            code = self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"it does not end: {self.said}") from None
        assert not CRASHED.search(self.said), self.said
        return code, self.said


@dataclass(slots=True)
class House:
    """A referee process in a folder, at one address for its life, and its bots."""

    folder: Path
    flags: tuple[str, ...] = ()
    wire: Wire = field(default_factory=Wire)
    credentials: grpc.ChannelCredentials | None = None
    address: str = "127.0.0.1:0"
    bots: list[Bot] = field(default_factory=list)
    _server: subprocess.Popen[bytes] | None = None

    def serve(self) -> None:
        """Start the referee on its address; the first time on a free port."""
        told = self.folder / "address"
        told.unlink(missing_ok=True)
        files = ("--db", "journal.db", "--key", "key.pem", "--address-file", "address")
        self._server = subprocess.Popen(
            (*CLI, "serve", "--listen", self.address, *files, *self.flags),
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(lambda: told.exists() and bool(told.read_text().strip()), "the referee's address")
        self.address = told.read_text().strip()

    def kill(self) -> None:
        """Kill the referee, as a power cut would."""
        assert self._server is not None
        self._server.kill()
        self._server.wait()

    def create(
        self, rules: str = "quick", *, open_seats: Sequence[str] = (), **knobs: str
    ) -> "Table":
        """A new match, whose limits a slow machine keeps."""
        client = OwnClient(self.address, wire=self.wire)
        made = asyncio.run(
            client.create(rule_set=rules, knobs=knobs, policy=PATIENT, open_seats=open_seats)
        )
        codes = {invited.seat: invited.code for invited in made.invited}
        tokens = write_tokens(self.folder / "tokens", made)
        return Table(self, made.match, made.referee_key, tokens, codes)

    def channel(self) -> grpc.Channel:
        """A connection of our own."""
        if self.credentials is None:
            return grpc.insecure_channel(self.address)
        return grpc.secure_channel(self.address, self.credentials)

    def stop(self) -> None:
        """Kill whatever still runs."""
        for bot in self.bots:
            bot.kill()
        if self._server is not None:
            self.kill()


@dataclass(slots=True)
class Table:
    """One match of a house."""

    house: House
    match: str
    key: str
    tokens: Mapping[str, Path]
    codes: Mapping[str, str]

    @property
    def receipts(self) -> Path:
        """The folder that every seat keeps its receipts in."""
        return self.house.folder / "receipts"

    def state(self, seat: str) -> Path:
        """The state file of a seat."""
        return self.house.folder / f"{seat}.state"

    def promises(self, seat: str) -> list[dict[str, str | int]]:
        """The lines of a seat's state file."""
        return [json.loads(line) for line in self.state(seat).read_text("ascii").splitlines()]

    def sit(
        self,
        client: Client,
        seat: str,
        *more: str,
        kind: str = "random",
        pin: bool = True,
        under: Sequence[str] = (),
    ) -> Bot:
        """Start a client's bot at a seat, on the same files each time; `under` starts it."""
        folder = self.house.folder
        command = (
            *(*under, client.bot(kind), "--referee", self.house.address, "--name", f"bot-{seat}"),
            *("--secret-file", str(folder / f"{seat}.secret")),
            *("--state-file", str(self.state(seat)), "--receipts", str(self.receipts)),
            *(("--key", self.key) if pin else ()),
            *(("--token-file", str(self.tokens[seat])) if seat in self.tokens else ()),
            *more,
        )
        bot = Bot.start(folder, f"{len(self.house.bots)}.log", *command)
        self.house.bots.append(bot)
        return bot

    def bare(self, client: Client, seat: str) -> Bot:
        """A bot that is told nothing about files: its token stands in the environment."""
        words = (client.bot("random"), "--referee", self.house.address, "--name", "bare")
        token = self.tokens[seat].read_text("ascii").strip()
        bot = Bot.start(
            self.house.folder, f"{len(self.house.bots)}.log", *words, "--key", self.key, token=token
        )
        self.house.bots.append(bot)
        return bot

    def sit_all(self, client: Client, *more: str, kind: str = "random") -> list[Bot]:
        """The same client at every seat."""
        return [self.sit(client, seat, *more, kind=kind) for seat in SEATS]

    @property
    def names(self) -> Sequence[str]:
        """Who has said Hello, as far as the referee answers."""
        with self.house.channel() as channel:
            request = match_pb2.GetMatchRequest(match=self.match)
            found: match_pb2.GetMatchResponse = match_pb2_grpc.MatchServiceStub(channel).GetMatch(
                request, timeout=PATIENCE_S, metadata=self._bearer
            )
            return found.match.names

    def reaches(self, event: int) -> None:
        """Wait until an event stands in the record, or the match is over sooner."""
        with self.house.channel() as channel:
            request = play_pb2.WatchRequest(match=self.match)
            told = play_pb2_grpc.PlayServiceStub(channel).Watch(
                request, timeout=PATIENCE_S, metadata=self._bearer
            )
            for response in told:
                if any(one.seq >= event for one in response.events):
                    told.cancel()
                    return

    @property
    def _bearer(self) -> tuple[tuple[str, str], ...]:
        token = next(path for name, path in self.tokens.items() if name not in SEATS)
        return (("authorization", f"Bearer {token.read_text('ascii').strip()}"),)

    def transcript(self) -> Path:
        """The record of the match, in a file."""
        path = self.house.folder / f"{self.match}.jsonl"
        with self.house.channel() as channel:
            request = match_pb2.GetTranscriptRequest(match=self.match)
            told = match_pb2_grpc.MatchServiceStub(channel).GetTranscript(
                request, timeout=PATIENCE_S, metadata=self._bearer
            )
            path.write_bytes(b"".join(line for part in told for line in part.lines))
        return path

    def events(self) -> list[dict[str, object]]:
        """The events of the record."""
        lines = self.transcript().read_text("ascii").splitlines()
        return [json.loads(line)["event"] for line in lines]

    def verified(self, *more: str) -> dict[str, object]:
        """What the verifier says of the record, which it has to accept."""
        done = subprocess.run(
            (*CLI, "verify", str(self.transcript()), "--json", "--referee-key", self.key, *more),
            cwd=ROOT,
            check=False,
            capture_output=True,
        )
        report: dict[str, object] = json.loads(done.stdout)
        assert (done.returncode, report["message"]) == (0, "verified"), report
        return report

    def told(self) -> str:
        """How the referee's own command tells the end of the match, in a line."""
        words = (*CLI, "show", str(self.transcript()))
        done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
        return done.stdout.splitlines()[-1].removeprefix("Match ")

    def shown_once(self, seat: str) -> None:
        """A seat's state has one commit set a deal, the one that stands in the record."""
        shown = [(row["deal"], row["cset"]) for row in self.promises(seat) if "cset" in row]
        record = [(e["deal"], e["cset"]) for e in self.events() if e["kind"] == "commit_set"]
        assert shown == record


def told_as_the_referee_does(bots: Sequence[Bot], table: Table) -> None:
    """The last words of bots are those of the referee on the end of their match."""
    end = f": match {table.match}: {table.told()}"
    for bot in bots:
        assert bot.said.splitlines()[-1].endswith(end), (bot.said, end)


def finished(bots: Sequence[Bot]) -> None:
    """Wait for bots, all of which end well."""
    for bot in bots:
        code, said = bot.ends()
        assert code == 0, said
