"""Restricted canonical JSON and transcript lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.sealing.canonical import Json, dump, parse
from referee.sealing.closing import Event, MatchClose
from referee.sealing.errors import UnreadableError
from referee.sealing.events import (
    ActionTaken,
    CommitSet,
    DealOpen,
    DeckRoot,
    RevealSet,
    SeatCommit,
    Turned,
    TurnUp,
)
from referee.sealing.parts import Pair
from referee.sealing.patterns import Common, read_at_one_go, write_at_one_go
from referee.sealing.transcript import event_bytes, line_bytes, read_line, split_line

KEYS = st.from_regex(r"\A[a-z][a-z0-9_]{0,31}\Z")
TEXTS = st.text(
    st.characters(codec="ascii", exclude_characters='"\\', min_codepoint=32, max_codepoint=126)
)
SCALARS = st.booleans() | st.integers(0, 2**53 - 1) | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def depth(value: Json) -> int:
    """How many objects and arrays stand inside one another."""
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


@given(st.dictionaries(KEYS, VALUES, max_size=4).filter(lambda value: depth(value) <= 6))
def test_what_is_dumped_reads_back(value: dict[str, Json]) -> None:
    assert parse(dump(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"1",
        b'"a"',
        b'{"a":1,"a":1}',
        b'{"b":1,"a":1}',
        b'{"a":1.0}',
        b'{"a":1e3}',
        b'{"a":01}',
        b'{"a":-1}',
        b'{"a":-0}',
        b'{"a":null}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":9007199254740992}',
        b'{"a":' + b"9" * 5000 + b"}",
        b'{"a":"\\u0041"}',
        b'{"a":"\\n"}',
        b'{"a": 1}',
        b'{"a":1} ',
        b' {"a":1}',
        b'{"a":1}\n',
        b'\xef\xbb\xbf{"a":1}',
        b'{"a":"\xc3\xa9"}',
        b'{"a":"\x7f"}',
        b'{"a":"\t"}',
        b'{"A":1}',
        b'{"":1}',
        b'{"1a":1}',
        b'{"' + b"a" * 33 + b'":1}',
        b'{"a":[[[[[[1]]]]]]}',
        b'{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"a":1}{"a":1}',
        b'{"a":1,}',
    ],
)
def test_a_form_that_is_not_canonical_is_refused(text: bytes) -> None:
    with pytest.raises(UnreadableError):
        parse(text)


@pytest.mark.parametrize("value", ['"', "\\", "é", "\n", -1, 2**53])
def test_a_value_outside_the_subset_is_not_dumped(value: Json) -> None:
    with pytest.raises(UnreadableError):
        dump({"a": value})


@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_unreadable(text: bytes) -> None:
    try:
        parse(text)
    except UnreadableError:
        return
    assert text.startswith(b"{")


@pytest.mark.parametrize("sig", [b"", bytes(range(64))])
def test_a_line_is_taken_apart_by_slicing(sig: bytes) -> None:
    line = line_bytes(b'{"a":1}', sig)
    assert line.endswith(b"\n")
    assert split_line(line[:-1]) == (b'{"a":1}', sig)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b'{"event":{"a":1}}',
        b'{"event":{"a":1},"sig":"00"}',
        b'{"event":{"a":1},"sig":"' + b"AB" * 64 + b'"}',
        b'{"event":{"a":1},"sig":"' + b"zz" * 64 + b'"}',
        b'{"event":{"a":1},"sig":""} ',
        b' {"event":{"a":1},"sig":""}',
        b'{"sig":"","event":{"a":1}}',
    ],
)
def test_a_line_of_another_form_is_unreadable(line: bytes) -> None:
    with pytest.raises(UnreadableError):
        split_line(line)


HASHES = tuple(bytes([n]) * 32 for n in range(33))
COMMON: tuple[Common, ...] = (
    ActionTaken(deal=1, seat=2, action="play JD", used_ms=12),
    ActionTaken(deal=0, seat=0, action="pass", used_ms=0, fallback="TIMEOUT"),
    ActionTaken(deal=99_999, seat=3, action="name H alone", used_ms=2**48, seat_sig=bytes(64)),
    ActionTaken(deal=1, seat=1, action="discard", used_ms=1, commit=bytes(32)),
    SeatCommit(deal=7, seat=1, commit=bytes(range(32))),
    DealOpen(deal=0),
    DealOpen(deal=3, dealer=0, cutter=3),
    CommitSet(deal=1, r_commit=bytes(32), commits=HASHES[:4], cset=bytes(range(32))),
    RevealSet(deal=1, seeds=HASHES[:4], cut=0),
    RevealSet(deal=1, seeds=(*HASHES[:3], b""), sigs=(b"", bytes(64), b"", b""), cut=32),
    DeckRoot(deal=1, leaves=HASHES, root=bytes(32)),
    DeckRoot(deal=1, leaves=HASHES[:1], root=bytes(32)),
    TurnUp(deal=1, turned=Turned(position=20, card="BB", salt=bytes(32))),
    TurnUp(deal=1, turned=Turned(position=0, card="7C", salt=bytes(32))),
)
RARE = (
    ActionTaken(deal=1, seat=1, action="x" * 48, used_ms=2**53 - 1),
    ActionTaken(deal=2**20, seat=1, action="pass", used_ms=1),
    RevealSet(deal=1, seeds=HASHES[:4], cut=255),
    DeckRoot(deal=1, leaves=(), root=bytes(32)),
    MatchClose(outcome="void", score=Pair(0, 0), deals=1),
)


@pytest.mark.parametrize("event", COMMON)
def test_what_is_read_at_one_go_is_what_the_long_way_reads(event: Common) -> None:
    raw = event_bytes(event, 41, bytes(range(32)))
    whole = read_line(raw)
    assert whole.event == event
    assert read_at_one_go(raw) == (whole.event, whole.seq, whole.prev.hex())


@pytest.mark.parametrize("event", [*COMMON, *RARE])
def test_what_is_written_at_one_go_is_what_the_long_way_writes(event: Event) -> None:
    fields: dict[str, Json] = {**event.fields(), "kind": event.kind, "seq": 41, "prev": "5f" * 32}
    written = write_at_one_go(event, 41, bytes.fromhex("5f" * 32))
    assert written in {None, dump(fields)}
    open_action = isinstance(event, ActionTaken) and event in COMMON[:1]
    assert not open_action or written is not None


@pytest.mark.parametrize("action", ['play "JD', "play\\JD", "pass\n", "p\xe4ss", "", "x" * 49])
def test_an_action_of_other_characters_is_not_written_at_one_go(action: str) -> None:
    event = ActionTaken(deal=1, seat=0, action=action, used_ms=1)
    assert write_at_one_go(event, 41, bytes(32)) is None


@pytest.mark.parametrize("event", RARE)
def test_rare_events_are_left_to_the_long_way(event: Event) -> None:
    raw = event_bytes(event, 41, bytes(range(32)))
    assert read_at_one_go(raw) is None
    assert read_line(raw).event == event


@given(st.sampled_from(COMMON), st.integers(0, 400), st.binary(max_size=3), st.integers(0, 3))
def test_no_text_is_read_at_one_go_that_the_long_way_refuses(
    event: Common, place: int, put: bytes, cut: int
) -> None:
    raw = event_bytes(event, 41, bytes(range(32)))
    changed = raw[:place] + put + raw[place + cut :]
    found = read_at_one_go(changed)
    if found is not None:
        whole = read_line(changed)
        assert found == (whole.event, whole.seq, whole.prev.hex())


@pytest.mark.parametrize("deep", [b'{"a":' * 9 + b"1" + b"}" * 9, b'{"a":[' * 30_000])
def test_a_text_that_is_hard_to_refuse_is_refused_at_once(deep: bytes) -> None:
    with pytest.raises(UnreadableError):
        parse(deep)


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":[[[[[0]]]]]}',
        b'{"a":"[[[[[[[","b":["{{{{{{{","]]"],"c":[{"d":["[",1,"","["]}]}',
        b'{"a":"","b":[[[[["{"]]]]],"c":"}"}',
    ],
)
def test_brackets_inside_strings_nest_nothing(text: bytes) -> None:
    assert parse(text) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":[[[[[[0]]]]]]}',
        b'{"a":"]]]]","b":[[[[[["["]]]]]]}',
        b'{"a":[],"b":{"c":{"d":{"e":{"f":{"g":{}}}}}}}',
    ],
)
def test_a_seventh_level_is_refused(text: bytes) -> None:
    with pytest.raises(UnreadableError, match="deeper than 6"):
        parse(text)
