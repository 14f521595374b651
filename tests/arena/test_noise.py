"""What the host did to an event: the figures, and the verdict on them."""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.arena.noise import (
    THINKING,
    Gauge,
    Host,
    Noise,
    NoiseError,
    NoiseMeter,
    noise_of,
    read_host,
    summary,
    together,
)
from referee.arena.players import BotFailure
from referee.arena.stdio import CommandPlayer

QUIET = Noise(
    seconds=60.0,
    cores=2,
    load=0.9,
    pressure=0.1,
    steal=0.0,
    oom_kills=0,
    switches_per_s=12.0,
    late_ms=2.0,
    latest_ms=11.0,
    thinking=2,
    oversubscribed=0.0,
)
BEFORE = Host(at_s=100.0, load=0.0, pressure_us=5_000_000, steal=10, ticks=1_000, oom_kills=3,
              switches=40)  # fmt: skip


class Watch:
    """A clock that the tests turn on."""

    now = 50.0

    def __call__(self) -> float:
        return self.now


def test_host_that_does_nothing_is_quiet() -> None:
    assert (QUIET.verdict, QUIET.reasons) == ("quiet", ())


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        (
            replace(QUIET, oversubscribed=0.25, thinking=8),
            "more bots thought at once than there were cores for, 25% of the time (up to 8 on 2)",
        ),
        (replace(QUIET, load=2.04), "the load was 2.0 a core"),
        (replace(QUIET, pressure=0.51), "something waited for a core 51% of the time"),
        (replace(QUIET, steal=0.2), "other machines took 20% of the processor"),
        (replace(QUIET, late_ms=40.2), "one timer of 10 ms in a hundred rang 40 ms late"),
        (replace(QUIET, oom_kills=1), "the system ran out of memory and killed 1"),
    ],
)
def test_noisy_host_says_why(noise: Noise, words: str) -> None:
    assert (noise.verdict, noise.reasons) == ("noisy", (words,))


def test_pressure_that_is_not_told_is_no_reason() -> None:
    assert replace(QUIET, pressure=None).verdict == "quiet"


def test_summary_takes_the_difference_of_what_the_system_counts() -> None:
    after = Host(at_s=110.0, load=0.0, pressure_us=7_500_000, steal=30, ticks=3_000, oom_kills=4,
                 switches=140)  # fmt: skip
    late = [1.0] * 98 + [30.0, 80.0]
    noise = summary(BEFORE, after, cores=2, loads=(), late_ms=late, gauge=Gauge(2))
    assert (noise.seconds, noise.pressure, noise.steal) == (10.0, 0.25, 0.01)
    assert (noise.oom_kills, noise.switches_per_s) == (1, 10.0)
    assert (noise.late_ms, noise.latest_ms) == (80.0, 80.0)


def test_summary_of_no_time_at_all_is_quiet() -> None:
    noise = summary(BEFORE, BEFORE, cores=1, loads=(), late_ms=(), gauge=Gauge(1))
    assert noise.verdict == "quiet"


def test_what_the_system_does_not_tell_is_not_counted() -> None:
    silent = replace(BEFORE, pressure_us=None, oom_kills=None)
    noise = summary(silent, BEFORE, cores=1, loads=(), late_ms=(), gauge=Gauge(1))
    assert (noise.pressure, noise.oom_kills) == (None, 0)


def test_gauge_counts_the_time_in_which_too_many_think() -> None:
    watch = Watch()
    gauge = Gauge(1, watch)
    with gauge.thinking():
        watch.now += 5
        with gauge.thinking(), gauge.thinking():
            watch.now += 2
            assert gauge.over_s == 2
        watch.now += 7
    assert (gauge.most, gauge.over_s) == (3, 2)


def test_gauge_lets_go_of_a_bot_that_fails() -> None:
    gauge = Gauge(0, Watch())
    with pytest.raises(ValueError, match="x"), gauge.thinking():
        raise ValueError("x")
    with gauge.thinking():
        pass
    assert gauge.most == 1


def test_gauge_that_starts_again_counts_from_there() -> None:
    watch = Watch()
    gauge = Gauge(1, watch)
    with gauge.thinking(), gauge.thinking():
        watch.now += 2
    with gauge.thinking():
        gauge.restart()
        watch.now += 3
    assert (gauge.most, gauge.over_s) == (1, 0)


def test_bots_by_command_are_counted_while_they_think() -> None:
    script = 'print(\'{"name": "x"}\', flush=True); input(); input(); print(\'{"id": 1}\')'
    player = CommandPlayer("cmd:bot", (sys.executable, "-c", script))
    THINKING.restart()

    async def course() -> None:
        try:
            await player.start(match="ab" * 16, seat="north", rules={})
            assert THINKING.most == 0
            with pytest.raises(BotFailure, match="the action None"):
                await player.choose({}, ("pass",))
        finally:
            await player.close()

    asyncio.run(course())
    assert THINKING.most == 1


def test_noise_of_several_processes_is_the_worst_of_each() -> None:
    other = replace(QUIET, late_ms=90.0, pressure=None, thinking=3)
    whole = together([QUIET, other])
    assert whole is not None
    assert (whole.late_ms, whole.pressure, whole.thinking, whole.cores) == (90.0, 0.1, 5, 4)
    assert together([]) is None


def test_record_is_read_as_it_was_written() -> None:
    for noise in (QUIET, replace(QUIET, pressure=None)):
        record = json.loads(json.dumps(noise.to_map()))
        assert record["verdict"] == "quiet"
        assert noise_of(record) == noise


@pytest.mark.parametrize("name", ["seconds", "pressure", "thinking"])
@pytest.mark.parametrize("value", ["much", True, -1, [], float("nan")])
def test_record_that_is_none_is_refused(name: str, value: object) -> None:
    with pytest.raises(NoiseError, match=f"not a record of noise: {name} is"):
        noise_of({**QUIET.to_map(), name: value})


def test_record_that_lacks_a_figure_is_refused() -> None:
    record = QUIET.to_map()
    del record["pressure"]
    with pytest.raises(NoiseError, match="pressure is None"):
        noise_of(record)


def test_host_is_read_from_its_files(tmp_path: Path) -> None:
    (tmp_path / "pressure").mkdir()
    (tmp_path / "stat").write_text("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 1\n")
    (tmp_path / "vmstat").write_text("nr_x 1\noom_kill 6\n")
    (tmp_path / "pressure" / "cpu").write_text("some avg10=1.00 avg60=0.00 total=77\n")
    host = read_host(tmp_path)
    assert (host.steal, host.ticks, host.oom_kills, host.pressure_us) == (8, 55, 6, 77)


def test_host_that_tells_nothing_is_read_all_the_same(tmp_path: Path) -> None:
    host = read_host(tmp_path)
    assert (host.steal, host.ticks, host.oom_kills, host.pressure_us) == (0, 0, None, None)


def test_meter_listens_to_this_host() -> None:
    async def course() -> Noise:
        meter = NoiseMeter(2, Gauge(2))
        meter.start()
        while not meter._late_ms:  # noqa: ASYNC110 -- it has no event
            await asyncio.sleep(0.001)
        return await meter.stop()

    noise = asyncio.run(course())
    assert noise.cores == 2
    assert noise_of(noise.to_map()) == noise
