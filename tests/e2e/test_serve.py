"""`euchre-referee serve` as a process: stopped in the middle and started again, and its logs."""

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from referee.cli.create import write_tokens
from referee.journal.codec import event_of
from referee.journal.sqlite import SqliteReader
from referee.journal.verify import verify_file
from referee.sealing.events import CommitSet
from referee.sealing.keys import parse_key
from referee.sealing.packs import SEATS
from referee.service.client import Client, CreatedMatch
from referee.table.events import CardHidden, MatchCreated, SeedShown

PATIENCE_S = 60
PATIENT = dict.fromkeys(("move_ms", "commit_ms", "reveal_ms", "start_ms", "grace_ms"), 60000)
GATED = """
import sys
import euchre_bot
from euchre_bot.bots import sensible

def choose(view, legal):
    if view["deal"] == 2:
        print("asked", flush=True)
        sys.stdin.readline()
    return sensible.choose(view, legal)

euchre_bot.run(choose, name="gated")
"""


@dataclass
class Place:
    """A folder with a referee's process and the bots that it judges."""

    folder: Path
    address: str = "127.0.0.1:0"
    made: CreatedMatch = field(default_factory=lambda: CreatedMatch("", (), ""))
    processes: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, name: str, *words: str) -> subprocess.Popen[str]:
        """A process whose standard error is added to the file `name`.log."""
        with (self.folder / f"{name}.log").open("a") as log:
            process = subprocess.Popen(
                (sys.executable, *words),
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.processes.append(process)
        return process

    def serve(self) -> subprocess.Popen[str]:
        words = ("-m", "referee", "serve", "--verbose", "--db", "j.db", "--key", "k.pem")
        process = self.start("referee", *words, "--listen", self.address)
        self.address = re.findall(r"listening on (\S+),", line_of(process))[0]
        return process

    def seat_bots(self) -> subprocess.Popen[str]:
        """Seat four bots; the one at north waits when it is asked in deal 2."""
        (self.folder / "gated.py").write_text(GATED)
        client = Client(self.address)
        self.made = asyncio.run(client.create(rule_set="quick", knobs={}, policy=PATIENT))
        tokens = write_tokens(self.folder / "tokens", self.made)
        for seat in SEATS:
            program = ("gated.py",) if seat == "north" else ("-m", "euchre_bot.bots.sensible")
            where = ("--referee", self.address, "--token-file", str(tokens[seat]))
            files = ("--secret-file", f"{seat}.secret", "--state-file", f"{seat}.state")
            self.start(
                seat, *program, *where, *files, "--name", seat, "--key", self.made.referee_key
            )
        return self.processes[-4]


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path)
    yield found
    for process in found.processes:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


def secrets_of(db: Path) -> set[str]:
    """Every secret of a journal, in hex: the chain's end, its links, seeds and blinds."""
    found: set[str] = set()
    with closing(SqliteReader(db)) as reader:
        for match in reader.matches():
            for event in map(event_of, reader.rows(match)):
                match event:
                    case MatchCreated():
                        found.add(event.secret.hex())
                    case SeedShown():
                        found.add(event.seed.hex())
                    case CardHidden():
                        found.update(blind.hex() for blind in event.blinds)
                    case CommitSet():
                        found.add(event.r_commit.hex())
                    case _:
                        pass
    return found


def test_a_match_outlives_a_stop_and_no_log_tells_a_secret(place: Place) -> None:
    referee = place.serve()
    north = place.seat_bots()
    assert line_of(north) == "asked\n"
    referee.send_signal(signal.SIGTERM)
    assert referee.wait(PATIENCE_S) == 0
    assert referee.stdout is not None
    assert referee.stdout.read().endswith("draining\n")
    again = place.serve()
    gate = north.stdin
    assert gate is not None
    gate.write("\n" * 99)
    gate.close()
    assert [bot.wait(PATIENCE_S) for bot in place.processes[1:5]] == [0, 0, 0, 0]
    again.send_signal(signal.SIGTERM)
    assert again.wait(PATIENCE_S) == 0

    out = place.folder / "t.jsonl"
    words = ("-m", "referee", "transcript", place.made.match, "--db", "j.db", "-o", str(out))
    assert place.start("transcript", *words).wait(PATIENCE_S) == 0
    report = verify_file(out, pinned=parse_key(place.made.referee_key))
    assert report.exit == 0, report.verdict.failure
    assert report.verdict.totals.faults == []

    logs = "".join(path.read_text() for path in place.folder.glob("*.log"))
    assert f"match_created match={place.made.match}" in logs
    assert f"match_resumed match={place.made.match}" in logs
    secrets = secrets_of(place.folder / "j.db")
    assert len(secrets) > 10
    pem = (place.folder / "k.pem").read_text().splitlines()[1]
    for secret in (*secrets, *place.made.tokens, pem):
        assert secret not in logs


STDIO = """
import json, os, sys, time
how = sys.argv[1]
for line in sys.stdin:
    said = json.loads(line)
    if said["op"] == "hello":
        print(json.dumps({"name": how, "ops": []}), flush=True)
    elif said["op"] == "choose":
        view, legal = said["view"], said["legal"]
        wrong = [f"play {card}" for card in view["hand"] if f"play {card}" not in legal]
        action = legal[0]
        if how == "reneges" and view["phase"] == "play" and wrong:
            action = wrong[0]
        elif how == "rubbish":
            print("} this is no JSON {", flush=True)
            continue
        elif how == "sleeps":
            continue
        elif how == "dies":
            os._exit(3)
        print(json.dumps({"id": said["id"], "action": action}), flush=True)
"""


@pytest.mark.parametrize(
    ("how", "fault"),
    [("reneges", "ILLEGAL"), ("rubbish", "ILLEGAL"), ("sleeps", "TIMEOUT"), ("dies", "CRASH")],
)
def test_a_stdio_bot_that_misbehaves_forfeits_as_the_policy_says(
    place: Place, how: str, fault: str
) -> None:
    (place.folder / "bad.py").write_text(STDIO)
    bad = f"cmd:{sys.executable} bad.py {how}"
    bots = ("--north-south", bad, "--east-west", "random")
    files = ("--transcript", "t.jsonl", "--key", "k.pem")
    process = place.start(
        "match", "-m", "referee", "match", "--json", "--move-ms", "250", *bots, *files
    )
    said, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    result = json.loads(said)
    assert (result["outcome"], result["winner"]) == ("forfeit", "ew")
    assert result["by"] in {"north", "south"}
    report = verify_file(place.folder / "t.jsonl")
    assert report.exit == 0, report.verdict.failure
    faults = {(f.seat & 1, f.why) for f in report.verdict.totals.faults}
    assert faults == {(0, fault)}
