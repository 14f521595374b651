"""Bots as bad as bots get, within limits and in a sandbox: each is stopped, and all of it."""

import asyncio
import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from referee.arena.bots import BotFailure, FailureKind, Player, within
from referee.arena.confine import Terms, launch
from referee.arena.limits import Limits
from referee.arena.process import BotProcess
from tests.arena.confining import (
    BOTH,
    LEGAL,
    PATIENCE_S,
    Box,
    all_ended,
    bot,
    choice,
    failure,
    said,
)

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


@BOTH
def test_bot_that_asks_for_too_much_memory_dies_of_it(box: Box) -> None:
    limits = Limits(address_mb=400)
    failed = failure(box.bot("bytearray(800 << 20)", limits=limits))
    assert failed.kind is FailureKind.CRASH
    assert "MemoryError" in failed.text


@BOTH
def test_bot_that_holds_too_much_memory_is_stopped(box: Box) -> None:
    body = "hog = b'x' * (90 << 20); time.sleep(600)"
    failed = failure(box.bot(body, limits=Limits(memory_mb=60)))
    assert failed.kind is FailureKind.CRASH
    assert "'cmd:bot' was stopped, as it holds " in failed.text
    assert "(at most 60), before it answered choose" in failed.text


@BOTH
def test_bot_that_forks_without_end_is_stopped_with_all_its_children(box: Box) -> None:
    body = f"""
while True:
    subprocess.Popen(["sleep", "600.{os.getpid()}"], start_new_session=True)
    time.sleep(0.02)
"""
    failed = failure(box.bot(body))
    assert failed.kind is FailureKind.CRASH
    assert "processes (at most 8)" in failed.text
    assert all_ended(f"600.{os.getpid()}")


@BOTH
def test_grandchild_that_left_the_group_and_its_parent_is_killed_too(box: Box) -> None:
    body = f"""
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "700.{os.getpid()}"])
    os._exit(0)
os.wait()
answer("left")
"""
    assert said(box.bot(body)) == "left"
    assert all_ended(f"700.{os.getpid()}")


@BOTH
def test_bot_that_fills_the_disk_is_kept_to_its_limit(box: Box) -> None:
    body = """
try:
    with open(os.path.join(os.environ["HOME"], "big"), "wb") as file:
        for _ in range(1_000): file.write(bytes(1 << 20))
except OSError as err:
    answer(err.errno)
"""
    assert said(box.bot(body)) == str(errno.EFBIG)


@BOTH
def test_bot_that_uses_up_its_processor_time_is_killed(box: Box) -> None:
    failed = failure(box.bot("while True: pass", limits=Limits(cpu_s=1)))
    assert failed.kind is FailureKind.CRASH
    assert "was killed by SIGXCPU" in failed.text


@BOTH
def test_bot_that_floods_and_ignores_what_it_is_told_is_ended(box: Box) -> None:
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
        said(box.bot(body), hurried)
    assert caught.value.kind in {FailureKind.TIMEOUT, FailureKind.MALFORMED}
    assert all_ended(str(box.place / "bot.py"))


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
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, mark = box.place / "room", f"800.{os.getpid()}"
    room.mkdir()
    (box.place / "bot.py").write_text(STUBBORN.replace("MARK", mark))
    starter = box.place / "starter.py"
    starter.write_text(
        STARTER.replace("SANDBOX", str(box.sandbox)).replace("PLACE", str(box.place))
    )
    command = (sys.executable, str(starter))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(room)}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        process.kill()
    assert all_ended(str(box.place / "bot.py"))
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
