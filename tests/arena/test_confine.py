"""Bots that run within limits and in a sandbox: real ones, and as bad as bots get."""

import asyncio
import errno
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.arena.bots import BotFailure, CommandSpec, FailureKind, Player, within
from referee.arena.census import Census, Member, census, excess, family, read_stat
from referee.arena.confine import Terms, boxed, launch, sandbox_trouble
from referee.arena.limits import Limits
from referee.arena.process import BotProcess

LEGAL = ("pass", "order")
PATIENCE_S = 60.0
FRAME = """
import json, os, signal, socket, subprocess, sys, time
def say(**answer): print(json.dumps(answer), flush=True)
def hear(): return json.loads(sys.stdin.readline())
hear()
say(name="tester", ops=[])
asked = hear()
def answer(action): say(id=asked["id"], action=str(action)); hear()
"""
STARTER = """
import asyncio, sys
from pathlib import Path
from referee.arena.confine import Terms
from referee.arena.stdio import CommandPlayer
async def course():
    command = (sys.executable, "PLACE/bot.py")
    player = CommandPlayer("cmd:bot", command, Terms(sandbox=SANDBOX))
    await player.start(match="ab" * 16, seat="north", rules={})
    print("started", flush=True)
    await asyncio.sleep(600)
asyncio.run(course())
"""
STUBBORN = """
import json, os, subprocess, sys, time
subprocess.Popen(["sleep", "MARK"], start_new_session=True)
print(json.dumps({"name": "stubborn"}), flush=True)
time.sleep(600)
"""
SMALL = Limits(memory_mb=300, processes=8, address_mb=2_000, file_mb=2, files=32, cpu_s=60)
IN_A_BOX = pytest.param(
    True, id="sandbox", marks=pytest.mark.skipif(bool(sandbox_trouble()), reason=sandbox_trouble())
)
BOTH = pytest.mark.parametrize("sandbox", [pytest.param(False, id="limits"), IN_A_BOX])
ONLY_IN_A_BOX = pytest.mark.parametrize("sandbox", [IN_A_BOX])


def bot(tmp_path: Path, body: str, *, sandbox: bool, limits: Limits = SMALL) -> Player:
    """A player on terms, whose process says hello, hears a question, and then does `body`."""
    script = tmp_path / "bot.py"
    script.write_text(FRAME + body)
    terms = Terms(limits=limits, sandbox=sandbox)
    return CommandSpec("cmd:bot", (sys.executable, str(script)), terms).player()


async def choice(player: Player) -> str:
    return await within(PATIENCE_S, player.choose({"phase": "round_one"}, LEGAL), "choose")


def said(player: Player, ask: Callable[[Player], Awaitable[str]] = choice) -> str:
    """What the player answers."""

    async def course() -> str:
        try:
            await player.start(match="ab" * 16, seat="north", rules={"pack": "E24"})
            return await ask(player)
        finally:
            await player.close()

    return asyncio.run(course())


def failure(player: Player) -> BotFailure:
    with pytest.raises(BotFailure) as caught:
        said(player)
    return caught.value


@contextmanager
def socket_that_listens() -> Iterator[int]:
    """The port of a server on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def all_ended(mark: str) -> bool:
    """Whether no process runs with a word in its command; who is being killed is waited for."""
    return all(_ended(member.pid) for member in census() if mark.encode() in _command(member.pid))


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _ended(pid: int) -> bool:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 5)[0])
    finally:
        os.close(descriptor)


# -- what a bot is given


@BOTH
def test_bot_has_a_directory_of_its_own_that_is_gone_with_it(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    body = """
home = os.environ["HOME"]
open(os.path.join(home, "notes"), "w").write("x")
answer(" ".join([home, os.environ["TMPDIR"], str(os.listdir(home))]))
"""
    home, temporary, files = said(bot(tmp_path, body, sandbox=sandbox)).split(" ")
    assert home == temporary
    assert files == "['notes']"
    assert not Path(home).exists()


@BOTH
def test_bot_starts_in_our_working_directory_with_a_small_environment(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EUCHRE_TOKEN", "secret")
    monkeypatch.setenv("AWS_SECRET", "secret")
    body = 'answer(f\'{os.getcwd()} {[n for n in os.environ if "SECRET" in n or "TOKEN" in n]}\')'
    assert said(bot(tmp_path, body, sandbox=sandbox)) == f"{Path.cwd()} []"


def test_bot_is_told_what_it_is_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL", "large")
    monkeypatch.setenv("OTHER", "x")
    made = launch((sys.executable,), Terms(kept=("MODEL",)))
    assert made.environment["MODEL"] == "large"
    assert "OTHER" not in made.environment
    made.clear()


@BOTH
def test_limits_are_set_before_the_bot_runs(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    body = """
import resource as r
kinds = (r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_CORE, r.RLIMIT_AS, r.RLIMIT_CPU)
answer([r.getrlimit(kind)[0] for kind in kinds])
"""
    assert said(bot(tmp_path, body, sandbox=sandbox)) == str([32, 2 << 20, 0, 2_000 << 20, 60])


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
def test_sandbox_keeps_a_bot_from(
    body: str,
    said_of_it: str,
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    with socket_that_listens() as port:
        tried = body.replace("PORT", str(port)).replace("OURS", str(os.getpid()))
        whole = f"""
try:
    {tried}
except Exception as err:
    answer(type(err).__name__)
answer("did it")
"""
        assert said(bot(tmp_path, whole, sandbox=sandbox)) == said_of_it


@ONLY_IN_A_BOX
def test_sandbox_shows_no_bot_what_is_hidden(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    event = tmp_path / "event"
    event.mkdir()
    for name in ("event/1.db", "journal.db", "journal.db-wal", "seen.txt"):
        (tmp_path / name).write_text("secret")
    script = tmp_path / "bot.py"
    body = f"""
def read(name):
    try: return open(name).read()
    except OSError as err: return type(err).__name__
names = {[str(tmp_path / name) for name in ("journal.db", "journal.db-wal", "seen.txt")]}
answer([os.listdir({str(event)!r}), *map(read, names)])
"""
    script.write_text(FRAME + body)
    terms = Terms(sandbox=sandbox, hidden=(event, tmp_path / "journal.db"))
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
def test_directories_that_we_may_not_read_hinder_nobody(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    locked = tmp_path / "locked"
    (locked / "bin").mkdir(parents=True)
    locked.chmod(0)
    script = (
        "import os, sys; from pathlib import Path; from referee.arena.confine import Terms, launch;"
        f"launch(('true',), Terms(sandbox={sandbox})).clear(); print('ready')"
    )
    path = f"{locked}/bin:/usr/bin:/bin"
    told = {"PATH": path, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    nobody = () if os.getuid() else ("/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all")
    command = (*nobody, sys.executable, "-c", script)
    ran = subprocess.run(command, env=told, capture_output=True, text=True, check=False)
    locked.chmod(0o700)
    assert (ran.stdout, ran.stderr) == ("ready\n", "")


# -- bad bots


@BOTH
def test_bot_that_asks_for_too_much_memory_dies_of_it(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    limits = Limits(address_mb=400)
    failed = failure(bot(tmp_path, "bytearray(800 << 20)", sandbox=sandbox, limits=limits))
    assert failed.kind is FailureKind.CRASH
    assert "MemoryError" in failed.text


@BOTH
def test_bot_that_holds_too_much_memory_is_stopped(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    body = "hog = b'x' * (90 << 20); time.sleep(600)"
    failed = failure(bot(tmp_path, body, sandbox=sandbox, limits=Limits(memory_mb=60)))
    assert failed.kind is FailureKind.CRASH
    assert "'cmd:bot' was stopped, as it holds " in failed.text
    assert "(at most 60), before it answered choose" in failed.text


@BOTH
def test_bot_that_forks_without_end_is_stopped_with_all_its_children(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    body = f"""
while True:
    subprocess.Popen(["sleep", "600.{os.getpid()}"], start_new_session=True)
    time.sleep(0.02)
"""
    failed = failure(bot(tmp_path, body, sandbox=sandbox))
    assert failed.kind is FailureKind.CRASH
    assert "processes (at most 8)" in failed.text
    assert all_ended(f"600.{os.getpid()}")


@BOTH
def test_grandchild_that_left_the_group_and_its_parent_is_killed_too(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    body = f"""
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "700.{os.getpid()}"])
    os._exit(0)
os.wait()
answer("left")
"""
    assert said(bot(tmp_path, body, sandbox=sandbox)) == "left"
    assert all_ended(f"700.{os.getpid()}")


@BOTH
def test_bot_that_fills_the_disk_is_kept_to_its_limit(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    body = """
try:
    with open(os.path.join(os.environ["HOME"], "big"), "wb") as file:
        for _ in range(1_000): file.write(bytes(1 << 20))
except OSError as err:
    answer(err.errno)
"""
    assert said(bot(tmp_path, body, sandbox=sandbox)) == str(errno.EFBIG)


@BOTH
def test_bot_that_uses_up_its_processor_time_is_killed(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    failed = failure(bot(tmp_path, "while True: pass", sandbox=sandbox, limits=Limits(cpu_s=1)))
    assert failed.kind is FailureKind.CRASH
    assert "was killed by SIGXCPU" in failed.text


@BOTH
def test_bot_that_floods_and_ignores_what_it_is_told_is_ended(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
) -> None:
    body = """
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
os.close(0)
while True:
    os.write(2, b"x" * 65536)
    os.write(1, b"y" * 65536)
"""

    async def hurried(player: Player) -> str:
        while True:
            await within(0.5, player.choose({"phase": "round_one"}, LEGAL), "choose")

    with pytest.raises(BotFailure) as caught:
        said(bot(tmp_path, body, sandbox=sandbox), hurried)
    assert caught.value.kind in {FailureKind.TIMEOUT, FailureKind.MALFORMED}
    assert all_ended(str(tmp_path / "bot.py"))


def test_flood_of_one_bot_leaves_the_others_their_answers(tmp_path: Path) -> None:
    flooding = bot(tmp_path, "while True: os.write(2, b'x' * 65536)", sandbox=False)
    (tmp_path / "good").mkdir()
    good = bot(tmp_path / "good", "answer('pass')", sandbox=False)

    async def course() -> str:
        try:
            for player in (flooding, good):
                await player.start(match="ab" * 16, seat="north", rules={})
            flooded = asyncio.create_task(choice(flooding))
            told = await choice(good)
            flooded.cancel()
            return told
        finally:
            await asyncio.gather(flooding.close(), good.close())

    assert asyncio.run(course()) == "pass"


@BOTH
def test_bot_ends_with_whoever_started_it_and_what_they_left_is_cleared_away(
    sandbox: bool,  # noqa: FBT001 -- a parameter
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room, mark = tmp_path / "room", f"800.{os.getpid()}"
    room.mkdir()
    (tmp_path / "bot.py").write_text(STUBBORN.replace("MARK", mark))
    starter = tmp_path / "starter.py"
    starter.write_text(STARTER.replace("SANDBOX", str(sandbox)).replace("PLACE", str(tmp_path)))
    command = (sys.executable, str(starter))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(room)}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        process.kill()
    assert all_ended(str(tmp_path / "bot.py"))
    [left] = room.glob("euchre-bots-*")
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    launch((sys.executable,), Terms()).clear()
    assert not left.exists()
    assert all_ended(mark)


def test_pipe_that_is_flooded_rests_for_a_while(tmp_path: Path) -> None:
    script = tmp_path / "flood.py"
    script.write_text("import os\nwhile True: os.write(2, b'x' * 65536)")

    async def course() -> bool:
        process = await BotProcess.start((sys.executable, str(script)))
        try:
            async with asyncio.timeout(PATIENCE_S):
                while process._wire.pipes[2].is_reading():  # noqa: ASYNC110 -- it has no event
                    await asyncio.sleep(0)
                while not process._wire.pipes[2].is_reading():  # noqa: ASYNC110 -- as above
                    await asyncio.sleep(0)
            return True
        finally:
            await process.close(0)

    assert asyncio.run(course())


# -- bots that do not start


@BOTH
@pytest.mark.parametrize("program", ["/nowhere/bot", "/etc", "no-such-command-here"])
def test_command_that_is_not_there_is_a_failed_start(
    program: str,
    sandbox: bool,  # noqa: FBT001 -- a parameter
) -> None:
    terms = Terms(sandbox=sandbox)
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


# -- the census


def test_family_is_the_bot_its_group_and_whatever_they_started() -> None:
    def member(pid: int, parent: int, group: int) -> Member:
        return Member(pid=pid, parent=parent, group=group, session=group, memory=0)

    members = (member(9, 1, 9), member(10, 9, 9), member(11, 10, 11), member(12, 1, 12),
               member(13, 1, 9), member(14, 11, 14))  # fmt: skip
    assert [each.pid for each in family(members, 9)] == [9, 10, 11, 13, 14]


def test_excess_is_said_in_words() -> None:
    members = tuple(Member(pid=n, parent=1, group=1, session=1, memory=10 << 20) for n in range(4))
    assert excess(members, Limits(processes=4, memory_mb=40)) == ""
    assert excess(members, Limits(processes=3)) == "it runs 4 processes (at most 3)"
    assert excess(members, Limits(processes=2), beside=2) == ""
    assert excess(members, Limits(memory_mb=39)) == "it holds 40 MiB of memory (at most 39)"


@pytest.mark.parametrize("line", ["", "7", "7 (x", "x (y) S 1 1 1 " + "0 " * 30])
def test_line_that_is_no_process_is_none(line: str) -> None:
    assert read_stat(line) is None


def test_process_that_has_ended_is_none() -> None:
    assert read_stat("7 (bot) Z 1 7 7 " + "0 " * 30) is None


def test_census_is_shared_until_it_is_old() -> None:
    times = iter((0.0, 0.1, 9.0))
    shared = Census(lambda: next(times))
    first = shared.members()
    assert shared.members() is first
    assert shared.members() is not first


def test_census_knows_this_process_and_its_child() -> None:
    with subprocess.Popen(("sleep", "600")) as child:
        try:
            parents = {member.pid: member.parent for member in census()}
        finally:
            child.send_signal(signal.SIGKILL)
    assert parents[child.pid] == os.getpid()
