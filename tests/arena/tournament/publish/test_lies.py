"""A referee that announces, with its own signature, what was not played: it is named for it."""

import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from referee.arena.tournament.signedlog import ACTIONS, ANNOUNCED, LogLine, next_line
from referee.arena.tournament.verify import verify_event
from referee.arena.tournament.verify.boards import read_board, repeated
from referee.host.home import load_key
from referee.sealing.canonical import Json
from tests.arena.tournament.publish.conftest import run

Lines = list[dict[str, Json]]
Lie = Callable[[Lines], None]


def announce_anew(site: Path, key_file: Path, lie: Lie) -> None:
    """Sign another log of announcements with the referee's key."""
    sign_anew(ANNOUNCED, site / "announced.jsonl", key_file, lie)


def act_anew(site: Path, key_file: Path, lie: Lie) -> None:
    """Sign another log of the director's actions."""
    sign_anew(ACTIONS, site / "actions.jsonl", key_file, lie)


def sign_anew(name: str, path: Path, key_file: Path, lie: Lie) -> None:
    events: Lines = [json.loads(line)["event"] for line in path.read_bytes().splitlines()]
    lie(events)
    signing = load_key(key_file, secrets.token_bytes)
    last: LogLine | None = None
    written = []
    for event in events:
        fields = {key: value for key, value in event.items() if key not in {"seq", "prev"}}
        last = next_line(name, last, fields, signing)
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


def again(events: Lines) -> None:
    """Announce another attempt at the first board."""
    ids: dict[str, Json] = {"id": "0" * 32, "matches": ["1" * 32, "2" * 32], "attempt": 2}
    events.append({**events[1], **ids})


def board_nobody_has(events: Lines) -> None:
    again(events)
    events[-1].update(board=5, attempt=1)


@pytest.mark.parametrize(
    ("lie", "named"),
    [
        (again, "another attempt was announced, though attempt 1 was played"),
        (board_nobody_has, "an encounter has 4 boards"),
    ],
)
def test_a_board_that_is_tried_again_without_need_is_named(
    copy: Path, played: Path, lie: Lie, named: str
) -> None:
    announce_anew(copy, played.parent / "referee.pem", lie)
    findings = verify_event(copy).findings
    assert [(each.party, named in each.message) for each in findings] == [("referee", True)]


def test_a_board_that_was_kept_back_and_played_again_is_missed(copy: Path, played: Path) -> None:
    announce_anew(copy, played.parent / "referee.pem", again)
    first: Lines = [
        json.loads(line)["event"] for line in (copy / "announced.jsonl").read_bytes().splitlines()
    ]
    board = str(first[1]["id"])
    for path in (copy / "records").glob(f"{board}.*"):
        path.unlink()
    whole = json.loads((copy / "event.json").read_bytes())
    whole["boards"] = [each for each in whole["boards"] if each["id"] != board]
    (copy / "event.json").write_text(json.dumps(whole), encoding="utf-8")
    (finding,) = verify_event(copy).findings
    assert finding.party == "publisher"
    assert finding.file == f"records/{board}.board.jsonl"


ADJUST: dict[str, Json] = {
    "kind": "adjust", "who": "dora", "reason": "so be it", "at": 1,
    "round": 1, "encounter": 1, "board": 2, "entry": "@bob", "score": "1",
}  # fmt: skip


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"score": "99"}, "a board pays at most 4 points"),
        ({"score": "1/0"}, "not a score: '1/0'"),
        ({"score": "1e999999999"}, "not a score"),
        ({"entry": "nobody"}, "'nobody' does not play there"),
        ({"round": 9}, "round 9 has not been drawn"),
        ({"board": "x"}, "an action with board 'x'"),
        ({"kind": "dance"}, "there is no such action: 'dance'"),
        ({"kind": "replay", "attempt": 7}, "attempt 7 has not been played"),
        ({"kind": "lost", "attempt": 1}, "attempt 1 is not lost: its record is there"),
        ({"kind": "lost", "attempt": 9}, "attempt 9 was not announced"),
        ({"kind": "undo", "undoes": 0}, "there is no action 0"),
        ({"kind": "withdraw", "since": 2}, "round 2 has been drawn"),
        ({"kind": "substitute", "name": "eve", "bot": "random", "since": 3}, "has been drawn"),
        ({"kind": "forfeit", "entries": ["@bob"]}, "only the referee lets one forfeit"),
        ({"kind": "forfeit", "entries": ["x"], "who": "referee"}, "only the referee lets one"),
        ({"who": " "}, "--who is ' '"),
    ],
)
def test_an_action_that_nobody_could_take_is_named(
    copy: Path, played: Path, more: dict[str, Json], named: str
) -> None:
    act_anew(copy, played.parent / "referee.pem", lambda lines: lines.append(ADJUST | more))
    findings = verify_event(copy).findings
    told = [(each.file, each.party, named in each.message) for each in findings]
    assert told == [("actions.jsonl", "referee", True)], findings


def without_seed(copy: Path, key_file: Path) -> None:
    """Draw other lots, and say that it was always so."""
    sheet = (copy / "event.yaml").read_bytes().replace(b"seed: 7", b"seed: 8")
    (copy / "event.yaml").write_bytes(sheet)
    announce_anew(copy, key_file, put(0, sheet=sha256(sheet).hexdigest()))


def without_the_last_round(copy: Path, key_file: Path) -> None:
    announce_anew(copy, key_file, lambda events: events.__delitem__(slice(-4, None)))


def with_another_file(copy: Path, _: Path) -> None:
    path = max((copy / "records").glob("*.0.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"J", b"Q", 1))


def without_a_file(copy: Path, _: Path) -> None:
    max((copy / "records").glob("*.0.jsonl")).unlink()


@pytest.mark.parametrize(
    ("lie", "named"),
    [
        (without_seed, "referee: announced.jsonl: line 1 is another than in"),
        (without_the_last_round, "referee: announced.jsonl: it ends after line 9, and"),
        (with_another_file, ".0.jsonl: it is not as it was published before"),
        (without_a_file, ".0.jsonl: the file is missing, and"),
    ],
)
def test_what_was_left_out_with_every_trace_an_earlier_copy_shows(
    copy: Path, site: Path, played: Path, lie: Callable[[Path, Path], None], named: str
) -> None:
    lie(copy, played.parent / "referee.pem")
    findings = verify_event(copy, earlier=[site]).findings
    told = [f"{each.party}: {each.file}: {each.message}" for each in findings]
    assert any(named in text for text in told), told


def test_actions_that_were_left_out_an_earlier_copy_shows(copy: Path, played: Path) -> None:
    before = copy.with_name("before.jsonl")
    act_anew(copy, played.parent / "referee.pem", lambda lines: lines.append(ADJUST))
    (copy / "actions.jsonl").rename(before)
    (copy / "actions.jsonl").write_bytes(b"")
    told = run("verify", copy, "--earlier", before, exits=3)
    assert "actions.jsonl: it ends after line 0" in told


def test_an_event_that_goes_on_stands_beside_its_earlier_copies(copy: Path, site: Path) -> None:
    log = copy.with_name("got.jsonl")
    log.write_bytes((site / "announced.jsonl").read_bytes()[:2_000])  # while a line was written
    told = run("verify", copy, "--earlier", site, "--earlier", log)
    assert told.count("stands unchanged") == 2


@pytest.mark.parametrize(
    ("content", "exits", "named"),
    [(b"{}\n", 4, "it is no log that"), (b"", 4, "it is no log that"), (None, 6, "neither a log")],
)
def test_what_is_no_earlier_copy_is_said(
    copy: Path, tmp_path: Path, content: bytes | None, exits: int, named: str
) -> None:
    other = tmp_path / "other"
    if content is None:
        other.mkdir()
    else:
        other.write_bytes(content)
    assert named in run("verify", copy, "--earlier", other, exits=exits)


def test_a_board_that_is_left_out_of_an_early_round_is_named(copy: Path, played: Path) -> None:
    events: Lines = [
        json.loads(line)["event"] for line in (copy / "announced.jsonl").read_bytes().splitlines()
    ]
    place = f"board {events[2]['board']} of round 1, encounter 1, is missing"
    announce_anew(copy, played.parent / "referee.pem", lambda lines: lines.__delitem__(2))
    for path in (copy / "records").glob(f"{events[2]['id']}.*"):
        path.unlink()
    (finding,) = verify_event(copy).findings
    assert (finding.exit, finding.party) == (5, "publisher")
    assert place in finding.message
