"""Any change of any byte of a transcript or a proof is found, and no error ever escapes."""

from random import Random

import pytest

from referee.sealing.proof import prove_deal
from tests.e2e.verifiers import Files, javascript_says, python_says
from tests.journal.support import Match, random_match, report_of
from tests.sealing.support import STANDARD, Script
from tests.vectors.honest import HONEST

MATCH = random_match({**STANDARD, "target": "3", "cut": "dealers_right"})
TEXT = MATCH.text
PROOF = prove_deal(TEXT.splitlines(), 1)


def changed(text: bytes, place: int, byte: int) -> bytes:
    return text[:place] + bytes((byte,)) + text[place + 1 :]


def unfound(text: bytes, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The changes that the verifier would let pass."""
    return [
        (place, byte)
        for place, byte in places
        if text[place] != byte and report_of(changed(text, place, byte)).exit == 0
    ]


def sample(text: bytes, count: int, seed: int) -> list[tuple[int, int]]:
    choose = Random(seed)  # noqa: S311 -- a test repeats itself
    return [(choose.randrange(len(text)), choose.randrange(256)) for _ in range(count)]


def test_the_untouched_file_is_verified() -> None:
    assert report_of(TEXT).exit == report_of(PROOF).exit == 0


def test_a_changed_byte_of_a_transcript_is_found() -> None:
    assert unfound(TEXT, sample(TEXT, 150, 1)) == []


def test_a_flipped_bit_of_each_line_is_found() -> None:
    places, start = [], 0
    for number, line in enumerate(TEXT.splitlines(keepends=True)):
        place = start + (number * 37) % len(line)
        places.append((place, TEXT[place] ^ 1))
        start += len(line)
    assert unfound(TEXT, places) == []


def test_a_changed_byte_of_a_proof_is_found() -> None:
    assert unfound(PROOF, sample(PROOF, 150, 2)) == []


def test_a_file_cut_anywhere_is_found() -> None:
    choose = Random(3)  # noqa: S311 -- a test repeats itself
    for _ in range(60):
        place = choose.randrange(len(TEXT))
        report = report_of(TEXT[:place])
        assert report.verdict.failure is not None
        assert (report.exit, report.verdict.failure.party) == (5, "nobody")


def test_a_line_taken_out_doubled_or_moved_is_found() -> None:
    lines = TEXT.splitlines(keepends=True)
    choose = Random(4)  # noqa: S311 -- a test repeats itself
    for _ in range(40):
        i, j = sorted(choose.sample(range(len(lines)), 2))
        without = b"".join(lines[:i] + lines[i + 1 :])
        doubled = b"".join([*lines[:i], lines[i], *lines[i:]])
        moved = b"".join([*lines[:i], *lines[i + 1 : j + 1], lines[i], *lines[j + 1 :]])
        assert 0 not in {report_of(text).exit for text in (without, doubled, moved)}


def test_lines_of_two_matches_do_not_mix() -> None:
    other = Match(Script(match=bytes(16), rules={**STANDARD, "target": "3"})).to_the_end()
    lines, others = TEXT.splitlines(keepends=True), other.text.splitlines(keepends=True)
    for i in range(1, min(len(lines), len(others)), 5):
        assert report_of(b"".join([*lines[:i], *others[i:]])).exit != 0


def test_random_bytes_are_never_verified_and_never_raise() -> None:
    choose = Random(5)  # noqa: S311 -- a test repeats itself
    for size in (1, 9, 10, 100, 5000):
        for head in (b"", b'{"event":', b'{"format":"euchre-deal-proof/1"'):
            assert report_of(head + choose.randbytes(size)).exit != 0


def tampered(count: int, seed: int) -> list[bytes]:
    """The honest file of the vectors, each time with one byte of one line changed."""
    text, found = HONEST.text, list[bytes]()
    choose = Random(seed)  # noqa: S311 -- a test repeats itself
    while len(found) < count:
        at = choose.randrange(len(HONEST.lines))
        start = sum(map(len, HONEST.lines[:at]))
        place, byte = start + choose.randrange(len(HONEST.lines[at])), choose.randrange(256)
        if text[place] != byte:
            found.append(changed(text, place, byte))
    return found


def disagreeing(texts: list[bytes]) -> list[tuple[object, object]]:
    """What Python and JavaScript say of files where they differ, or where a file passes."""
    files = list(map(Files, texts))
    pairs = zip(map(python_says, files), javascript_says(files), strict=True)
    return [(ours, theirs) for ours, theirs in pairs if ours != theirs or ours[0] == 0]


def test_both_verifiers_find_a_changed_byte_of_any_line() -> None:
    assert disagreeing(tampered(60, 6)) == []


@pytest.mark.heavy
def test_both_verifiers_find_a_thousand_changed_bytes() -> None:
    assert disagreeing(tampered(1_000, 7)) == []


@pytest.mark.heavy
@pytest.mark.parametrize("bit", [1, 0x20])
def test_every_byte_of_a_transcript_counts(bit: int) -> None:
    assert unfound(TEXT, [(place, TEXT[place] ^ bit) for place in range(len(TEXT))]) == []


@pytest.mark.heavy
def test_every_byte_of_a_proof_counts() -> None:
    flips = [(place, PROOF[place] ^ bit) for place in range(len(PROOF)) for bit in (1, 0x20)]
    assert unfound(PROOF, flips) == []
