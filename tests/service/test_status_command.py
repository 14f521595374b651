"""`euchre-referee status` against a real server: the screen, the JSON and the exit codes."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.support import PATIENCE_S, Served, on_loop, serving

OPERATOR = "o" * 24
PATIENT = {"start_ms": 60_000, "move_ms": 60_000}


def run(address: str, *words: str, token: str = "") -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "referee", "status", "--referee", address, *words)
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        env={"EUCHRE_OPERATOR_TOKEN": token, "PATH": ""},
    )


async def status(served: Served, *words: str, token: str = "") -> subprocess.CompletedProcess[str]:
    return await asyncio.to_thread(run, served.server.address, *words, token=token)


@on_loop
async def test_an_operator_sees_matches_seats_actions_and_faults_on_one_screen() -> None:
    async with serving() as served:
        await served.create("quick", **PATIENT)
        made = await served.create("quick", **PATIENT)
        stream = made.stream()
        await stream.hello()
        ask = await stream.until_asked_to_act()
        seq = ask.ask.view.state_version + 1
        await stream.say(made.act(ask.seat - 1, "play AS", seq))
        await stream.until("ruling")
        done = await status(served)
        assert done.returncode == 0, done.stderr
        assert "referee   serving, version " in done.stdout
        assert served.referee.key.public.text in done.stdout
        assert "matches   1 open, 1 waiting" in done.stdout
        assert "seats     4 connected by 1 streams, 0 watchers" in done.stdout
        assert "refused 1" in done.stdout
        assert "faults    none" in done.stdout
        assert "latency   MatchService/CreateMatch" in done.stdout
        assert len(done.stdout.splitlines()) < 25
        stream.call.cancel()


@on_loop
async def test_a_program_reads_one_json_object() -> None:
    async with serving() as served:
        await served.create("quick", **PATIENT)
        done = await status(served, "--json")
        found = json.loads(done.stdout)
        assert (found["ready"], found["draining"], found["waiting_matches"]) == (True, False, 1)
        assert found["latencies"][0]["count"] >= 1
        assert set(found["commits"]) >= {"count", "rows", "failures", "last_ms"}


@on_loop
async def test_a_referee_that_drains_is_exit_1() -> None:
    async with serving() as served:
        served.referee.matches.drain("stopping")
        done = await status(served)
        assert done.returncode == 1
        assert "referee   draining" in done.stdout


@on_loop
async def test_without_the_operators_token_one_line_says_what_to_give() -> None:
    async with serving(operator_token=OPERATOR) as served:
        done = await status(served)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "--operator-token-file" in done.stderr
        assert (await status(served, token=OPERATOR)).returncode == 0


def test_where_no_referee_answers_one_line_says_so(tmp_path: Path) -> None:
    done = run(f"unix:{tmp_path / 'nobody.sock'}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no referee answers" in done.stderr


@pytest.mark.parametrize("words", [("--every", "0"), ("--nonsense",), ("surplus",)])
def test_wrong_usage_is_exit_2(words: tuple[str, ...]) -> None:
    assert run("127.0.0.1:1", *words).returncode == 2


@on_loop
async def test_a_watch_shows_look_after_look() -> None:
    async with serving() as served:
        words = ("status", "--referee", served.server.address, "--json", "--watch")
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "referee", *words, "--every", "0.1", stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        looks = [json.loads(await process.stdout.readline()) for _ in range(3)]
        process.terminate()
        await process.wait()
        assert looks[0]["up_ms"] < looks[1]["up_ms"] < looks[2]["up_ms"]


@on_loop
async def test_a_watch_goes_on_where_the_referee_is_away_for_a_while(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 'r.sock'}"
    words = ("status", "--referee", address, "--json", "--watch", "--every", "0.1")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "referee", *words, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    first = json.loads(await process.stdout.readline())
    assert not first["ready"]
    assert "no referee answers" in first["error"]
    async with serving(address=address):
        found = first
        while not found["ready"]:
            found = json.loads(await process.stdout.readline())
    assert found["version"]
    process.terminate()
    await process.wait()
