"""A referee that announces, with its own signature, what was not played: it is named for it."""

import json
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.arena.tournament.signedlog import ANNOUNCED, LogLine, next_line
from referee.arena.tournament.verify import verify_event
from referee.arena.tournament.verify.boards import read_board, repeated
from referee.host.home import load_key
from referee.sealing.canonical import Json

Lines = list[dict[str, Json]]
Lie = Callable[[Lines], None]


def announce_anew(site: Path, key_file: Path, lie: Lie) -> None:
    """Sign another log of announcements with the referee's key."""
    path = site / "announced.jsonl"
    events: Lines = [json.loads(line)["event"] for line in path.read_bytes().splitlines()]
    lie(events)
    key = load_key(key_file, secrets.token_bytes)
    last: LogLine | None = None
    written = []
    for event in events:
        fields = {name: value for name, value in event.items() if name not in {"seq", "prev"}}
        last = next_line(ANNOUNCED, last, fields, key)
        written.append(last.line)
    path.write_bytes(b"".join(written))


def put(number: int, **fields: Json) -> Lie:
    """Say something else in a line."""
    return lambda events: events[number].update(fields)


def the_same_id(events: Lines) -> None:
    events[2]["id"] = events[1]["id"]


def ids_exchanged(events: Lines) -> None:
    events[1]["matches"], events[2]["matches"] = events[2]["matches"], events[1]["matches"]


def forget(events: Lines) -> None:
    del events[1]


@pytest.mark.parametrize(
    ("lie", "party", "named"),
    [
        (put(1, dealer=3), "referee", "its dealer is not the one that was announced"),
        (put(1, at=2**52), "referee", "it was opened before it was announced"),
        (put(1, entries=["@bob", "<i>ann"]), "referee", "its seats are not those of @bob against"),
        (put(1, entries=["@bob"]), "referee", "its seats are not those of @bob"),
        (put(1, attempt=2), "referee", "attempt 2 follows 0"),
        (put(1, round=9), "publisher", "meet in its encounter"),
        (put(1, kind="other"), "referee", "a line that announces no board"),
        (put(0, kind="other"), "file", "it does not begin with the event"),
        (put(0, sheet="00"), "file", "not the tournament file that was announced"),
        (put(0, referee_key="x"), "referee", "it names another key"),
        (the_same_id, "referee", "has the id"),
        (ids_exchanged, "referee", "its ids are not those that were announced for it"),
        (forget, "publisher", "nobody announced it"),
    ],
)
def test_what_was_announced_and_not_played_is_named(
    copy: Path, played: Path, lie: Lie, party: str, named: str
) -> None:
    announce_anew(copy, played.parent / "referee.pem", lie)
    report = verify_event(copy)
    told = [finding for finding in report.findings if named in finding.message]
    assert [finding.party for finding in told[:1]] == [party], report.findings
    assert report.exit != 0


def test_the_log_announced_anew_without_a_lie_verifies(copy: Path, played: Path) -> None:
    announce_anew(copy, played.parent / "referee.pem", lambda _: None)
    assert verify_event(copy).exit == 0


def test_a_deck_that_is_played_twice_is_named(site: Path) -> None:
    own = min((site / "records").glob("*.board.jsonl"))
    tables = sorted((site / "records").glob(f"{own.name.partition('.')[0]}.[01].jsonl"))
    board = read_board(own.read_bytes(), [table.read_bytes() for table in tables])
    found = [finding.message for finding in repeated({"one": board, "other": board})]
    assert found == [f"it has the {what} of one" for what in ("deck", "secret", "chain")]
