"""Bots that run within limits and in a sandbox: what they are given, and what is kept from them."""

import asyncio
import os
import resource
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.arena.bots import BotFailure, CommandSpec, FailureKind
from referee.arena.confine import Terms, boxed, launch, sandbox_trouble
from tests.arena.confining import BOTH, FRAME, ONLY_IN_A_BOX, Box, bot, failure, said


@contextmanager
def socket_that_listens() -> Iterator[int]:
    """The port of a server on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


# -- what a bot is given


@BOTH
def test_bot_has_a_directory_of_its_own_that_is_gone_with_it(box: Box) -> None:
    body = """
home = os.environ["HOME"]
open(os.path.join(home, "notes"), "w").write("x")
answer(" ".join([home, os.environ["TMPDIR"], str(os.listdir(home))]))
"""
    home, temporary, files = said(box.bot(body)).split(" ")
    assert home == temporary
    assert files == "['notes']"
    assert not Path(home).exists()


@BOTH
def test_bot_starts_in_our_working_directory_with_a_small_environment(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EUCHRE_TOKEN", "secret")
    monkeypatch.setenv("AWS_SECRET", "secret")
    body = 'answer(f\'{os.getcwd()} {[n for n in os.environ if "SECRET" in n or "TOKEN" in n]}\')'
    assert said(box.bot(body)) == f"{Path.cwd()} []"


def test_bot_is_told_what_it_is_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL", "large")
    monkeypatch.setenv("OTHER", "x")
    made = launch((sys.executable,), Terms(kept=("MODEL",)))
    assert made.environment["MODEL"] == "large"
    assert "OTHER" not in made.environment
    made.clear()


@BOTH
def test_limits_are_set_before_the_bot_runs(box: Box) -> None:
    body = """
import resource as r
kinds = (r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_CORE, r.RLIMIT_AS, r.RLIMIT_CPU)
answer([r.getrlimit(kind)[0] for kind in kinds])
"""
    assert said(box.bot(body)) == str([32, 2 << 20, 0, 2_000 << 20, 60])


# -- what a bot cannot do in a sandbox


@ONLY_IN_A_BOX
@pytest.mark.parametrize(
    ("body", "said_of_it"),
    [
        ("socket.create_connection(('127.0.0.1', PORT), 2)", "ConnectionRefusedError"),
        ("open(sys.argv[0], 'a')", "OSError"),
        ("os.listdir(os.path.expanduser('~root/.ssh'))", "FileNotFoundError"),
        ("os.kill(OURS, 0)", "ProcessLookupError"),
        ("open('/work-of-a-bot', 'w')", "OSError"),
    ],
    ids=["network", "own-files", "homes", "processes", "root"],
)
def test_sandbox_keeps_a_bot_from(body: str, said_of_it: str, box: Box) -> None:
    with socket_that_listens() as port:
        tried = body.replace("PORT", str(port)).replace("OURS", str(os.getpid()))
        whole = f"""
try:
    {tried}
except Exception as err:
    answer(type(err).__name__)
answer("did it")
"""
        assert said(box.bot(whole)) == said_of_it


@ONLY_IN_A_BOX
def test_sandbox_shows_no_bot_what_is_hidden(box: Box) -> None:
    event = box.place / "event"
    event.mkdir()
    for name in ("event/1.db", "journal.db", "journal.db-wal", "seen.txt"):
        (box.place / name).write_text("secret")
    script = box.place / "bot.py"
    body = f"""
def read(name):
    try: return open(name).read()
    except OSError as err: return type(err).__name__
names = {[str(box.place / name) for name in ("journal.db", "journal.db-wal", "seen.txt")]}
answer([os.listdir({str(event)!r}), *map(read, names)])
"""
    script.write_text(FRAME + body)
    terms = Terms(sandbox=box.sandbox, hidden=(event, box.place / "journal.db"))
    player = CommandSpec("cmd:bot", (sys.executable, str(script)), terms).player()
    assert said(player) == "[[], 'PermissionError', 'PermissionError', 'secret']"


def test_directories_are_bound_from_the_outside_in_and_hidden_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    here, bots, hidden = tmp_path / "cup", tmp_path / "cup" / "bots", tmp_path / "cup" / "event"
    for place in (bots, hidden):
        place.mkdir(parents=True)
    words = boxed(
        ("bot",), here=here, scratch=tmp_path, seen=(bots, here, Path("/usr")), hidden=(hidden,)
    )
    binds = [words[at + 1] for at, word in enumerate(words) if word == "--ro-bind"]
    assert binds == ["/", str(here), str(bots)]
    assert words.index(str(hidden)) > words.index(str(bots))
    assert words[-4:] == ("--chdir", str(here), "--", "bot")


@pytest.mark.parametrize("home", ["/", "nowhere"])
def test_home_that_is_the_root_or_none_is_not_hidden(
    home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", home)
    words = boxed(("bot",), here=Path("/"), scratch=Path("/tmp/x"), seen=(), hidden=())  # noqa: S108
    emptied = [words[at + 1] for at, word in enumerate(words) if word == "--tmpfs"]
    assert {"/", "nowhere"}.isdisjoint(emptied)


@ONLY_IN_A_BOX
def test_directories_that_we_may_not_read_hinder_nobody(box: Box) -> None:
    locked = box.place / "locked"
    (locked / "bin").mkdir(parents=True)
    locked.chmod(0)
    script = (
        "import os, sys; from pathlib import Path; from referee.arena.confine import Terms, launch;"
        f"launch(('true',), Terms(sandbox={box.sandbox})).clear(); print('ready')"
    )
    path = f"{locked}/bin:/usr/bin:/bin"
    told = {"PATH": path, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(box.place)}
    nobody = () if os.getuid() else ("/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all")
    command = (*nobody, sys.executable, "-c", script)
    ran = subprocess.run(command, env=told, capture_output=True, text=True, check=False)
    locked.chmod(0o700)
    assert (ran.stdout, ran.stderr) == ("ready\n", "")


# -- bots that do not start


@BOTH
@pytest.mark.parametrize("program", ["/nowhere/bot", "/etc", "no-such-command-here"])
def test_command_that_is_not_there_is_a_failed_start(
    program: str,
    box: Box,
) -> None:
    terms = Terms(sandbox=box.sandbox)
    failed = failure(CommandSpec(f"cmd:{program}", (program,), terms).player())
    assert failed.kind is FailureKind.START_FAIL
    assert failed.text.startswith(f"cannot start 'cmd:{program}': ")


def test_machine_without_room_for_a_bot_is_at_fault_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    player = bot(tmp_path, "", sandbox=False)

    async def short_of_files() -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            await player.start(match="ab" * 16, seat="north", rules={})
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    with pytest.raises(BotFailure) as caught:
        asyncio.run(short_of_files())
    assert caught.value.kind is FailureKind.INFRA
    assert "Too many open files (this machine is short of something: free it)" in caught.value.text
    assert list(room.glob("*/bot-*")) == []


def test_sandbox_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert sandbox_trouble.__wrapped__() == ("bwrap is not installed (apt-get install bubblewrap)")


def test_sandbox_that_is_forbidden_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n"
    )
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert sandbox_trouble.__wrapped__() == (
        "bwrap does not work here: bwrap: No permissions to create new namespace"
        " (a container has to allow user namespaces)"
    )
