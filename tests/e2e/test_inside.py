"""What a referee's process tells of its own life: its log, its metrics, its status, its health."""

import asyncio
import json
import re
import resource
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.service.client import Client, CreatedMatch, ServiceError
from tests.e2e.test_serve import PATIENT

PATIENCE_S = 60


@dataclass
class Running:
    """A referee's process, where it listens, and its log."""

    process: subprocess.Popen[str]
    address: str
    metrics: str
    log: Path

    def create(self, **limits: int) -> CreatedMatch:
        client = Client(self.address)
        policy = {**PATIENT, **limits}
        return asyncio.run(client.create(rule_set="quick", knobs={}, policy=policy))

    def fetch(self, path: str) -> str:
        with urllib.request.urlopen(self.metrics + path, timeout=PATIENCE_S) as answer:  # noqa: S310 -- ours
            text: bytes = answer.read()
        return text.decode()

    def until_logged(self, event: str) -> dict[str, object]:
        """The first line of an event, once it is there."""
        with self.log.open() as log:
            for _ in range(2_000):
                line = log.readline()
                if not line:
                    self.fetch("/healthz")  # a little later
                    continue
                found: dict[str, object] = json.loads(line)
                if found["event"] == event:
                    return found
        raise AssertionError(event)

    def stop(self) -> list[dict[str, object]]:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE_S) == 0
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    words = ("serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--db", "j.db")
    options = ("--key", "k.pem", "--log-format", "json", "--log-level", "debug")
    log = tmp_path / "log"
    with log.open("w") as stderr:
        process = subprocess.Popen(
            (sys.executable, "-m", "referee", *words, *options),
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
    assert process.stdout is not None
    said = "".join(process.stdout.readline() for _ in range(3))
    (address,) = re.findall(r"listening on (\S+),", said)
    (metrics,) = re.findall(r"metrics on (http://\S+)/metrics", said)
    yield Running(process, address, metrics, log)
    process.kill()
    process.wait()
    process.stdout.close()


def test_the_log_tells_the_life_of_a_server_and_every_line_is_one_json_object(
    running: Running,
) -> None:
    made = running.create(start_ms=250)
    running.until_logged("match_dropped")
    lines = running.stop()
    events = [line["event"] for line in lines]
    for event in (
        "metrics_started",
        "server_started",
        "ready",
        "match_created",
        "match_dropped",
        "draining",
        "server_stopped",
    ):
        assert event in events
    started = next(line for line in lines if line["event"] == "server_started")
    assert started["address"] == running.address
    assert {"key", "version", "streams", "message_bytes"} <= set(started)
    dropped = next(line for line in lines if line["event"] == "match_dropped")
    assert (dropped["match"], dropped["why"]) == (made.match, "START_FAIL")
    text = running.log.read_text()
    assert not any(token in text for token in made.tokens)


def test_the_commits_of_the_journal_are_counted_and_timed(running: Running) -> None:
    running.create(start_ms=250)
    running.until_logged("match_dropped")
    text = running.fetch("/metrics")
    found = dict(re.findall(r"^(euchre_\w+) ([0-9.e+-]+)$", text, re.MULTILINE))
    assert float(found["euchre_journal_commits_total"]) >= 2
    assert float(found["euchre_journal_commit_rows_count"]) >= 2
    assert float(found["euchre_journal_flush_duration_seconds_sum"]) > 0
    assert float(found["euchre_journal_ok"]) == 1
    assert "process_resident_memory_bytes" in text


def test_status_asks_a_running_referee(running: Running) -> None:
    running.create()
    command = (sys.executable, "-m", "referee", "status", "--referee", running.address, "--json")
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    found = json.loads(done.stdout)
    assert (found["ready"], found["waiting_matches"]) == (True, 1)
    assert found["commits"]["last_rows"] >= 1


def test_a_disk_that_is_full_makes_the_referee_unready_until_there_is_room(
    running: Running,
) -> None:
    running.create(start_ms=60_000)
    _, hard = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (1, hard))
    with pytest.raises(ServiceError, match="could not be recorded"):
        running.create()
    with pytest.raises(urllib.error.HTTPError, match="503"):
        running.fetch("/readyz")
    assert running.fetch("/healthz") == "alive\n"
    resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
    for _ in range(2_000):
        with suppress(urllib.error.HTTPError):
            if running.fetch("/readyz") == "ready\n":
                break
    running.create()
    events = [line["event"] for line in running.stop()]
    assert "internal_error" not in events
