"""Cases that ask about a transcript: the shelf they take it from, and the edits they make."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.corpus import load
from conformance.errors import CorpusError
from conformance.jsontypes import Record
from conformance.oracle import answer
from conformance.targets import referee_answer
from tests.vectors.honest import HONEST
from tests.vectors.shelf import SHELF, shelf

THEN = "when: {ask: legal}\nthen: {turn: east}"


def test_the_shelf_holds_the_vectors_it_was_made_of() -> None:
    assert {path.stem: path.read_bytes() for path in SHELF.glob("*.jsonl")} == shelf()


def asked(corpus_dir: Callable[..., Path], verify: str) -> str:
    """The text that a case asks about."""
    when = f"when: {{verify: {{{verify}}}}}\nthen: {{exit: 0}}"
    case = load(corpus_dir(THEN, when)).cases[0]
    return str(case.ask["text"])


@pytest.mark.parametrize(
    ("verify", "lines"),
    [
        ("transcript: honest", HONEST.lines),
        ("transcript: honest, drop: 12", [*HONEST.lines[:12], *HONEST.lines[13:]]),
        ("transcript: honest, repeat: 2", [*HONEST.lines[:3], *HONEST.lines[2:]]),
        ("transcript: honest, keep: 4", HONEST.lines[:4]),
        ("transcript: honest, keep: 4, add: xy", [*HONEST.lines[:4], b"xy"]),
        ("transcript: honest, cut: 1", [*HONEST.lines[:-1], HONEST.lines[-1][:-1]]),
    ],
)
def test_an_edit_does_what_it_says(
    corpus_dir: Callable[..., Path], verify: str, lines: list[bytes]
) -> None:
    assert asked(corpus_dir, verify) == b"".join(lines).decode()


@pytest.mark.parametrize(
    ("verify", "words"),
    [
        ("transcript: honset", "no transcript 'honset'"),
        ("transcript: honest, drop: 99", "line 99 is not there"),
        ("transcript: honest, change: [{event: 1, old: nowhere, new: x}]", "does not stand in"),
        ("transcript: honest, tear: 1", "tear"),
        ("drop: 1", "transcript"),
    ],
)
def test_an_edit_that_cannot_be_made_is_an_error_of_the_case(
    corpus_dir: Callable[..., Path], verify: str, words: str
) -> None:
    with pytest.raises(CorpusError, match=words):
        asked(corpus_dir, verify)


@pytest.mark.parametrize("text", ["", "x", "{}\n", '{"event":{},"sig":""}\n', "é\n", "\ud800"])
def test_both_engines_answer_any_text(text: str) -> None:
    request: Record = {"op": "verify", "ruleset": "standard", "rules": {}, "text": text}
    assert answer(request) == referee_answer()(request)
