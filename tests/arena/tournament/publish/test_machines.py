"""What is told of the machines that an event was played on."""

import json
from dataclasses import replace

from referee.arena.noise import Noise
from referee.arena.tournament.publish.machines import machines

QUIET = Noise(
    seconds=10.0, cores=1, load=0.5, pressure=0.0, steal=0.0, oom_kills=0, switches_per_s=1.0,
    late_ms=1.0, latest_ms=2.0, thinking=1, oversubscribed=0.0,
)  # fmt: skip
NOISY = replace(QUIET, load=3.0)


def kept(noise: Noise) -> str:
    return json.dumps(noise.to_map())


def test_a_quiet_machine_is_told_with_its_figures() -> None:
    noisy, told = machines([kept(QUIET), kept(QUIET)])
    assert not noisy
    assert told[0].startswith("processes: 2; at worst the load was 0.50 a core")
    assert len(told) == 1


def test_one_noisy_stretch_makes_the_event_noisy() -> None:
    noisy, told = machines([kept(QUIET), kept(NOISY), kept(QUIET)])
    assert noisy
    assert told[1:] == ("the load was 3.0 a core",)


def test_where_nothing_was_measured_nothing_is_told() -> None:
    assert machines([]) == (False, ())
    assert machines(["{}", "no JSON"]) == (False, ())
