"""A board's file and its tables': what verifies, and that nothing in them can be changed."""

import json
import secrets
from collections.abc import Iterator
from copy import deepcopy
from io import BytesIO
from typing import TypeAlias

import pytest

from referee.journal.boardverify import sort_of, verify_board
from referee.journal.verify import Asked, Report, verify_stream
from referee.rules import preset
from referee.sealing.canonical import Json, dump, parse
from referee.sealing.parts import Pair
from referee.sealing.transcript import (
    ZERO_HEAD,
    event_hash,
    line_bytes,
    sign_event,
    split_line,
)
from tests.journal.board_support import KEY, Files, played_board

PLAIN = Asked(None, strict=False, roster=None, receipts=None)
FILES = played_board()
VOID = played_board(void_after=5)
Event: TypeAlias = dict[str, object]
FREE = {"opened_at", "used_ms", "match", "prev", "seq"}
"""What a referee may write as it likes, and what follows from the chain."""


def reports(files: Files) -> list[Report]:
    board, tables = verify_board(files.board, list(enumerate(files.tables)), PLAIN)
    return [board, *tables]


def exits(files: Files) -> list[int]:
    return [report.exit for report in reports(files)]


def test_a_board_verifies_with_its_tables() -> None:
    assert exits(FILES) == [0, 0, 0]
    assert [report.verdict.kind for report in reports(FILES)] == ["board", "table", "table"]
    assert all(report.replayed for report in reports(FILES)[1:])


def test_a_void_board_verifies_and_counts_nothing() -> None:
    found = reports(VOID)
    assert [report.exit for report in found] == [0, 0, 0]
    assert [report.verdict.totals.outcome for report in found] == ["void"] * 3
    assert [report.verdict.totals.voided for report in found] == [1, 1, 1]


def test_a_missing_table_is_named_and_speaks_against_nobody() -> None:
    board, (table,) = verify_board(FILES.board, [(1, FILES.tables[1])], PLAIN)
    assert table.exit == 0
    assert board.exit == 5
    assert board.verdict.failure is not None
    assert board.verdict.failure.party == "nobody"
    assert "table 0 of this board is missing" in board.verdict.failure.message


def test_a_table_given_twice_is_told() -> None:
    tables = [(0, FILES.tables[0]), (1, FILES.tables[1]), (0, FILES.tables[0])]
    _, found = verify_board(FILES.board, tables, PLAIN)
    assert [report.exit for report in found] == [0, 0, 5]


def test_a_table_of_another_board_is_told() -> None:
    other = played_board(board=b"c" * 16)
    _, found = verify_board(FILES.board, [(0, FILES.tables[0]), (1, other.tables[1])], PLAIN)
    assert found[1].exit == 3
    assert found[1].verdict.failure is not None
    assert "another board" in found[1].verdict.failure.message


def test_two_tables_of_a_board_cannot_change_places() -> None:
    first = events(FILES.tables[0])
    second = events(FILES.tables[1])
    first[0]["table"], second[0]["table"] = 1, 0
    swapped = Files(FILES.board, (chained(second)[0], chained(first)[0]))
    assert exits(swapped)[0] == 0
    assert all(code for code in exits(swapped)[1:])


def test_honest_files_in_one_speak_against_nobody_who_signed_them() -> None:
    for text in (FILES.board + FILES.tables[0], FILES.tables[0] + FILES.tables[1]):
        failure = verify_stream(BytesIO(text)).verdict.failure
        assert failure is not None
        assert (failure.exit, failure.party) == (3, "file")
        assert "another record begins" in failure.message


def test_two_openings_of_one_board_speak_against_the_referee() -> None:
    other = played_board(secret=b"s" * 32)
    failure = verify_stream(BytesIO(FILES.board + other.board)).verdict.failure
    assert failure is not None
    assert (failure.exit, failure.party) == (3, "referee")


def test_files_are_sorted_by_their_first_line() -> None:
    assert sort_of(FILES.board).board == sort_of(FILES.tables[1]).board == FILES.id
    assert [sort_of(text).table for text in (FILES.board, *FILES.tables)] == [None, 0, 1]
    assert sort_of(b'{"event":{"action":') == sort_of(b"")


RUNNING = played_board(scores=(Pair(3, 8), Pair(0, 0)))


def test_a_game_goes_on_at_a_table_with_its_running_score() -> None:
    assert exits(RUNNING) == [0, 0, 0]
    opened, *_, deal, closed = events(RUNNING.tables[0])
    assert opened["score"] == {"ns": 3, "ew": 8}
    points, score = deal["points"], deal["score"]
    assert isinstance(points, dict)
    assert score == {"ns": 3 + points["ns"], "ew": 8 + points["ew"]}
    assert closed["score"] == points
    assert "score" not in events(RUNNING.tables[1])[0]


@pytest.mark.parametrize(
    "score", [{"ns": 4, "ew": 8}, {"ns": 3, "ew": 7}, {"ns": 0, "ew": 0}, {"ns": 3, "ew": 10}, None]
)
def test_another_running_score_than_the_one_played_with_is_found(score: object) -> None:
    board, *tables = (events(text) for text in (RUNNING.board, *RUNNING.tables))
    del tables[0][0]["score"]
    if score is not None:
        tables[0][0]["score"] = score
    assert any(exits(forged(board, tables, heads=True)))


def events(text: bytes) -> list[Event]:
    return [parse(split_line(line)[0]) for line in text.splitlines()]


def chained(found: list[Event]) -> tuple[bytes, list[bytes]]:
    """The lines of events, chained and signed anew, and the head before each of them."""
    signed = {"board_open", "board_commit_set", "deck_root", "board_close", "match_open",
              "deal_close", "match_close"}  # fmt: skip
    head, lines, heads = ZERO_HEAD, [], []
    for seq, event in enumerate(found):
        heads.append(head)
        raw = dump({**as_json(event), "seq": seq, "prev": head.hex()})
        head = event_hash(head, raw)
        lines.append(line_bytes(raw, sign_event(KEY, head) if event["kind"] in signed else b""))
    return b"".join(lines), heads


def as_json(event: Event) -> dict[str, Json]:
    loaded: dict[str, Json] = json.loads(json.dumps(event))
    return loaded


def forged(board: list[Event], tables: list[list[Event]], *, heads: bool) -> Files:
    """The files that a referee makes of events that it has changed, with all that follows."""
    texts = []
    for number, table in enumerate(tables):
        text, before = chained(table)
        texts.append(text)
        if heads:
            kept = board[-1]["heads"]
            assert isinstance(kept, list)
            kept[number] = before[-2].hex()
    return Files(chained(board)[0], tuple(texts))


def changes(value: object) -> Iterator[object]:
    """The same value with one thing in it changed, in every way that has the same shape."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case str() if value in WORDS:
            yield WORDS[(WORDS.index(value) + 1) % len(WORDS)]
        case str():
            yield value[:-1] + ("0" if value[-1:] != "0" else "1")
        case list():
            yield value[:-1] if value else ["00" * 32]
            for place, item in enumerate(value[:3]):
                for other in changes(item):
                    yield [*value[:place], other, *value[place + 1 :]]
        case dict():
            for key in sorted(value):
                if key not in FREE and not key.endswith("_ms"):
                    for other in changes(value[key]):
                        yield {**value, key: other}


WORDS = ["north", "east", "south", "west"]
PLACES = [
    (file, place)
    for file in range(3)
    for place in range(len(events((FILES.board, *FILES.tables)[file])))
]


@pytest.mark.parametrize(("file", "place"), PLACES)
def test_a_referee_that_changes_one_thing_and_signs_it_all_again_is_found(
    file: int, place: int
) -> None:
    files = [events(text) for text in (FILES.board, *FILES.tables)]
    for changed in changes(files[file][place]):
        assert isinstance(changed, dict)
        if changed.get("policy") != files[file][place].get("policy"):
            continue  # its limits are what it says they are
        work = deepcopy(files)
        work[file][place] = changed
        board, *tables = work
        assert any(exits(forged(board, tables, heads=file != 0))), (place, changed)


@pytest.mark.parametrize("file", range(3))
def test_a_byte_of_a_file_cannot_be_changed(file: int) -> None:
    texts = [FILES.board, *FILES.tables]
    for _ in range(60):
        at = secrets.randbelow(len(texts[file]))
        changed = bytearray(texts[file])
        changed[at] ^= 1 << secrets.randbelow(7)
        work = [*texts]
        work[file] = bytes(changed)
        assert any(exits(Files(work[0], tuple(work[1:])))), at


def test_the_rules_of_a_board_are_a_whole_rule_set() -> None:
    assert FILES.rules == preset("standard").to_map()
