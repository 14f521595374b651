"""A changed byte of a transcript, of what seats kept or of a roster is found in both languages.

Two changes are no lies, and are told apart here: what is kept of another match says nothing about
this one, so that fewer items agree; and nobody signs since when the first key of a name is in use.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from referee.sealing import SigningKey
from referee.sealing.proof import prove_deal
from referee.sealing.roster import roster_line
from tests.e2e.verifiers import Files, Said, javascript_says, python_says
from tests.sealing.support import KEY, SEAT_KEYS
from tests.vectors.dealt import FIVE, opened, private_deal
from tests.vectors.honest import find
from tests.vectors.signed import deck_of_honest
from tests.vectors.witnesses import OPENED, item, receipt, signing

SIGNING = signing()
OLD_KEY = SigningKey.from_bytes(KEY.name, b"\x12" * 32)
UNSIGNED: Final = b'{"from":"'
PARTS: Final = ("file", "kept", "roster")


def kept() -> Iterator[bytes]:
    """What four seats have: their cards, their commitments, a reveal, all moves."""
    deck = deck_of_honest()
    yield from (private_deal(opened(deck, FIVE[seat]), deck.root, seat=seat) for seat in range(4))
    kinds = [json.loads(line)["event"]["kind"] for line in SIGNING.lines]
    commits = [seq for seq, kind in enumerate(kinds) if kind == "seat_commit"]
    yield receipt(item(SIGNING, seq) for seq in (*commits, find("commit_set", SIGNING)))
    yield from (receipt([item(SIGNING, n)]) for n, kind in enumerate(kinds) if kind == "action")


def roster() -> Iterator[bytes]:
    """The referee's key, signed by the one before it, and the keys of the seats."""
    yield roster_line(OLD_KEY.public, 0)
    yield roster_line(KEY.public, OPENED - 500, OLD_KEY)
    yield from (roster_line(key.public, 0) for key in SEAT_KEYS)


def lined(lines: Iterator[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


WHOLE = Files(SIGNING.text, lined(kept()), lined(roster()))
PROOF = replace(WHOLE, file=prove_deal(SIGNING.text.splitlines(), 1))
ITEMS: Final = python_says(WHOLE)[-1]


def tampered(choose: Random) -> Files:
    """All three files, with one byte of one of them another one."""
    whole = choose.choice((WHOLE, WHOLE, PROOF))
    part = choose.choice(PARTS)
    text: bytes = getattr(whole, part)
    while True:
        place = choose.randrange(len(text))
        byte = choose.choice((choose.randrange(256), choose.choice(text)))
        start = text.rfind(b"\n", 0, place) + 1
        line = text[start : text.find(b"\n", start)]
        nobodys = part == "roster" and line.endswith(b'"sig":""}')
        since = range(len(UNSIGNED), line.find(b'"', len(UNSIGNED)))
        if text[place] != byte and not (nobodys and place - start in since):
            return replace(whole, **{part: text[:place] + bytes((byte,)) + text[place + 1 :]})


def accepted(said: Said) -> bool:
    """Whether a verifier takes files for whole: nothing fails, and all that was kept agrees."""
    return said[0] == 0 and said[-1] == ITEMS


def unfound(count: int, seed: int) -> list[tuple[Said, Said]]:
    """What the verifiers say of changed files where they differ, or where files pass."""
    choose = Random(seed)  # noqa: S311 -- a test repeats itself
    many = [tampered(choose) for _ in range(count)]
    pairs = zip(map(python_says, many), javascript_says(many), strict=True)
    return [(ours, theirs) for ours, theirs in pairs if ours != theirs or accepted(ours)]


def test_the_untouched_files_agree() -> None:
    assert javascript_says([WHOLE, PROOF]) == [python_says(WHOLE), python_says(PROOF)]
    assert accepted(python_says(WHOLE))
    assert accepted(python_says(PROOF))


def test_both_verifiers_find_a_changed_byte_of_any_file() -> None:
    assert unfound(150, 1) == []


@pytest.mark.heavy
def test_both_verifiers_find_a_thousand_changed_bytes_of_any_file() -> None:
    assert unfound(1_000, 2) == []
