"""Files with more signatures than are checked at one go."""

from dataclasses import replace

import pytest

from referee.sealing import CommitSet, line_bytes, split_line
from referee.sealing.signed import BATCH
from tests.sealing.support import on, sealed_match, verdict_of

DEALS = 30
LONG = sealed_match(DEALS)


def line_of(kind: str, deal: int) -> int:
    needles = (f'"kind":"{kind}"'.encode(), f'"deal":{deal},'.encode())
    return next(n for n, line in enumerate(LONG.lines) if all(needle in line for needle in needles))


def test_a_file_of_several_batches_is_verified() -> None:
    assert sum(bool(split_line(line[:-1])[1]) for line in LONG.lines) > BATCH
    assert verdict_of(LONG.text).exit == 0


@pytest.mark.parametrize("deal", [1, 15, DEALS])
def test_a_signature_that_does_not_verify_is_named_in_every_batch(deal: int) -> None:
    place, lines = line_of("deck_root", deal), list(LONG.lines)
    raw, _ = split_line(lines[place][:-1])
    lines[place] = line_bytes(raw, bytes(64))
    failure = verdict_of(b"".join(lines)).failure
    assert failure is not None
    assert (failure.exit, failure.seq, failure.deal, failure.party) == (4, place, deal, "file")


@pytest.mark.parametrize("deal", [1, 15, DEALS])
def test_two_signed_events_of_one_number_speak_against_the_referee_in_every_batch(
    deal: int,
) -> None:
    change = on(CommitSet, deal, lambda e: replace(e, cset=bytes(32)))
    place, other = line_of("commit_set", deal), sealed_match(deal, change=change).lines
    text = b"".join([*LONG.lines[: place + 1], other[place], *LONG.lines[place + 1 :]])
    failure = verdict_of(text).failure
    assert failure is not None
    assert (failure.exit, failure.seq, failure.party) == (3, place, "referee")
