"""Strangers who know a code each, as processes: they join, play, and the record verifies."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from referee.cli.serve import PLAIN_TEXT
from referee.journal.verify import verify_file
from referee.sealing.packs import SEATS
from tests.service.certificates import Authority

PATIENCE_S: Final = 60
NODE_CLIENT: Final = Path(__file__).parents[2] / "clients" / "node"
HAS_NODE: Final = shutil.which("node") is not None and (NODE_CLIENT / "node_modules").is_dir()
OPERATOR: Final = "ada " + "t" * 32


@dataclass
class Town:
    """A folder with a referee and all who come to it; `wire` are the flags of every command."""

    folder: Path
    serving: tuple[str, ...] = ()
    wire: tuple[str, ...] = ()
    address: str = "127.0.0.1:0"
    said: str = ""
    processes: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.processes.append(process)
        return process

    def serve(self) -> subprocess.Popen[str]:
        files = ("--db", "j.db", "--key", "k.pem", "--operator-token-file", "operators")
        words = ("serve", *files, "--listen", self.address, *self.serving, "--log-level", "error")
        process = self.start(sys.executable, "-m", "referee", *words)
        assert process.stdout is not None
        for line in process.stdout:
            self.said += line
            if found := re.match(r"listening on (\S+),", line):
                self.address = found[1]
                break
        return process

    def run(self, *words: str, code: int = 0) -> str:
        """What a command says in the end."""
        process = self.start(sys.executable, "-m", "referee", *words)
        said, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == code, said
        return said

    def operate(self, *words: str, code: int = 0) -> str:
        """What an operator's command says."""
        token = ("--operator-token-file", "operators")
        verb, *rest = words
        return self.run(verb, "--referee", self.address, *self.wire, *token, *rest, code=code)

    def join(self, code: str, file: str, wanted: int = 0) -> str:
        """What somebody is told who brings a code."""
        where = ("--referee", self.address, *self.wire)
        return self.run("join", code, *where, "--token-file", file, "--json", code=wanted)

    def bot(self, seat: str, token: str, *more: str) -> subprocess.Popen[str]:
        """A bot that was given the file of a token, and nothing else."""
        where = ("--referee", self.address, *self.wire, "--token-file", token)
        own = ("--name", seat, "--secret-file", f"{seat}.secret", "--state-file", f"{seat}.state")
        return self.start(sys.executable, "-m", "euchre_bot.bots.sensible", *where, *own, *more)

    def record(self, match: str) -> Path:
        """The transcript, out of the journal."""
        self.run("transcript", match, "--db", "j.db", "-o", "t.jsonl")
        return self.folder / "t.jsonl"


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    found = Town(tmp_path)
    (tmp_path / "operators").write_text(f"{OPERATOR}\n")
    (tmp_path / "operators").chmod(0o600)
    yield found
    for process in found.processes:
        process.kill()
        process.wait()
        if process.stdout is not None:
            with suppress(BrokenPipeError):
                process.stdout.close()


def ended(bots: Sequence[subprocess.Popen[str]]) -> list[int]:
    return [bot.wait(PATIENCE_S) for bot in bots]


def test_two_strangers_who_know_a_code_each_meet_at_a_table_of_the_house(town: Town) -> None:
    referee = town.serve()
    created = town.operate(
        *("create", "--rules", "quick", "--open", "north", "--open", "east", "--json")
    )
    made = json.loads(created)
    codes = {each["seat"]: each["code"] for each in made["invitations"]}
    assert sorted(codes) == ["east", "north"]
    assert sorted(made["tokens"]) == ["south", "watch", "west"]

    (town.folder / "north.token.request").write_text("ab" * 16)  # of a join that was stopped
    joined = json.loads(town.join(codes["north"].lower(), "north.token"))
    assert not (town.folder / "north.token.request").exists()
    assert (joined["match"], joined["seat"]) == (made["match"], "north")
    assert (town.folder / "north.token").stat().st_mode & 0o777 == 0o600
    referee.kill()  # whatever was joined stays joined, whatever was not stays open
    referee.wait()
    town.serve()
    assert "taken up" in town.join(codes["north"], "again.token", 2)
    assert not list(town.folder.glob("again.token*"))
    (town.folder / "twin.token.request").write_text("ab" * 16)
    town.join(codes["north"], "twin.token")
    assert (town.folder / "twin.token").read_text() == (town.folder / "north.token").read_text()
    (town.folder / "torn.token.request").write_text("ab")
    assert "is no request of ours" in town.join(codes["east"], "torn.token", 2)
    strangers = [
        town.bot("north", "north.token"),
        town.bot("east", "east.token", "--invitation", codes["east"]),
    ]
    house = [town.bot(seat, made["tokens"][seat]) for seat in ("south", "west")]
    assert ended([*strangers, *house]) == [0, 0, 0, 0]
    report = verify_file(town.record(made["match"]))
    assert report.exit == 0, report.verdict.failure
    assert town.run("audit", "j.db").endswith("1 matches, 0 unsound\n")

    trail = [json.loads(line) for line in town.run("trail", "j.db", "--json").splitlines()]
    assert [(deed["who"], deed["what"], deed["match"]) for deed in trail] == [
        ("ada", "create", made["match"])
    ]
    kept = b"".join(path.read_bytes() for path in town.folder.glob("j.db*"))
    for secret in (*codes.values(), codes["north"].replace("-", ""), OPERATOR.split()[1]):
        assert secret.encode() not in kept


def test_an_operator_lists_aborts_and_is_found_in_the_trail(town: Town) -> None:
    town.serve()
    first, second = (
        json.loads(town.operate("create", "--open", "all", "--public", "--json")) for _ in range(2)
    )
    listed = town.operate("matches", "--state", "waiting", "--json").splitlines()
    assert [json.loads(line)["match"] for line in listed] == [second["match"], first["match"]]
    where = ("--referee", town.address)
    shown = [json.loads(line) for line in town.run("lobby", *where, "--json").splitlines()]
    assert [each["match"] for each in shown] == [second["match"], first["match"]]
    assert [each["code"] for each in shown[1]["invited"]] == [
        each["code"] for each in first["invitations"]
    ]
    assert "--yes" in town.operate("abort", first["match"], code=2)
    assert "void" in town.operate("abort", first["match"][:8], "--yes")
    assert "no match that goes on" in town.operate("abort", first["match"][:8], "--yes", code=2)
    assert first["match"] not in town.run("lobby", *where)
    assert "operator's token" in town.run("matches", *where, code=2)
    said = town.run("trail", "j.db", "--match", first["match"][:6]).splitlines()
    assert [line.split()[2:5] for line in said] == [
        ["ada", "create", first["match"]],
        ["ada", "abort", first["match"]],
    ]
    assert town.run("trail", "j.db", "--who", "bob") == ""


def test_bots_of_two_languages_with_certificates_play_at_a_referee_that_asks_for_them(
    town: Town,
) -> None:
    ours, theirs = Authority(town.folder, "ours"), Authority(town.folder, "theirs")
    own, guest = ours.sign("referee"), theirs.sign("guest")
    town.serving = (
        *("--tls-cert", str(own.cert), "--tls-key", str(own.key)),
        *("--client-ca", str(theirs.file)),
    )
    trust = ("--ca", str(ours.file))
    town.wire = (*trust, "--cert", str(guest.cert), "--cert-key", str(guest.key))
    town.serve()
    made = json.loads(town.operate("create", "--rules", "quick", "--open", "all", "--json"))
    *joining, west = made["invitations"] if HAS_NODE else (*made["invitations"], {"code": ""})
    for each in joining:
        town.join(each["code"], f"{each['seat']}.token")
    python = SEATS[:3] if HAS_NODE else SEATS
    bots = [town.bot(seat, f"{seat}.token") for seat in python]
    if HAS_NODE:
        bots.append(
            town.start(
                *("node", str(NODE_CLIENT / "bots" / "sensible.mjs"), "--referee", town.address),
                *("--ca", str(ours.file), "--cert", str(guest.cert)),
                *("--cert-key", str(guest.key), "--token-file", "west.token", "--name", "west"),
                *("--secret-file", "west.secret", "--state-file", "west.state"),
                *("--invitation", west["code"]),
            )
        )
    assert ended(bots) == [0, 0, 0, 0]
    assert verify_file(town.record(made["match"])).exit == 0

    town.wire = trust
    assert "do not trust one" in town.operate("matches", code=2)
    said = town.run("trail", "j.db")
    assert "certificate=guest" in said


def test_plain_text_beyond_this_machine_is_said_at_the_start(town: Town) -> None:
    town.serving = ("--insecure",)
    town.address = "0.0.0.0:0"
    process = town.serve()
    assert PLAIN_TEXT in town.said
    process.terminate()
    assert process.wait(PATIENCE_S) == 0
