"""Signed logs: whatever is done to their lines is found."""

import pytest

from referee.arena.tournament.signedlog import (
    ACTIONS,
    ANNOUNCED,
    LogError,
    LogLine,
    next_line,
    read_log,
)
from referee.sealing.keys import SigningKey

KEY = SigningKey.from_bytes("referee", bytes(range(32)))
OTHER = SigningKey.from_bytes("referee", bytes(32))


def log(count: int) -> list[LogLine]:
    lines: list[LogLine] = []
    for number in range(count):
        last = lines[-1] if lines else None
        lines.append(next_line(ANNOUNCED, last, {"kind": "board", "board": number}, KEY))
    return lines


def test_a_log_reads_back() -> None:
    lines = [line.line for line in log(3)]
    read = read_log(ANNOUNCED, lines, KEY.public)
    assert [line.event["board"] for line in read] == [0, 1, 2]
    assert [line.line for line in read] == lines


@pytest.mark.parametrize(
    ("done", "told"),
    [
        (lambda lines: lines[1:], "line 1 does not follow"),
        (lambda lines: [lines[0], lines[2]], "line 2 does not follow"),
        (lambda lines: [lines[1], lines[0]], "line 1 does not follow"),
        (lambda lines: [lines[0].replace(b'"board":0', b'"board":7')], "line 1 is not signed"),
        (lambda lines: [lines[0][:-1]], "line 1 is no line of a signed log"),
        (lambda lines: [lines[0][:-5] + b'zz"}\n'], "its signature is no hex"),
        (lambda lines: [lines[0][:9] + b"\n"], "is no line of a signed log"),
    ],
)
def test_what_is_done_to_a_line_is_found(done: object, told: str) -> None:
    lines = [line.line for line in log(3)]
    assert callable(done)
    with pytest.raises(LogError, match=told):
        read_log(ANNOUNCED, done(lines), KEY.public)


def test_a_line_of_another_key_or_another_log_is_refused() -> None:
    lines = [line.line for line in log(1)]
    for name, key in ((ANNOUNCED, OTHER.public), (ACTIONS, KEY.public)):
        with pytest.raises(LogError, match="is not signed by"):
            read_log(name, lines, key)


def test_what_canonical_json_does_not_hold_is_said() -> None:
    with pytest.raises(LogError, match="use printable ASCII"):
        next_line(ACTIONS, None, {"kind": "void", "reason": 'he said "no"'}, KEY)
