"""The vectors of sealed boards: made without the package, and recomputed by it."""

import json
from collections.abc import Iterator

import pytest

from referee.sealing import UnreadableError
from referee.sealing.vectors import check_vectors
from tests.vectors.boards import FILE, document

BOARDS = json.loads(FILE.read_text(encoding="ascii"))["boards"]
GIVEN = {"id", "board", "pack", "tables", "r", "seeds", "head"}


def test_the_file_is_what_its_maker_makes() -> None:
    assert FILE.read_text(encoding="ascii") == document()


def test_every_board_is_recomputed_as_it_stands() -> None:
    assert check_vectors(FILE.read_bytes()) == (len(BOARDS), [])


def changed(field: str) -> Iterator[bytes]:
    for number, board in enumerate(BOARDS):
        value = board[field]
        text = value[0] if isinstance(value, list) else value
        other = ("0" if text[0] != "0" else "1") + text[1:]
        boards = [*BOARDS]
        boards[number] = {
            **board, field: [other, *value[1:]] if isinstance(value, list) else other
        }  # fmt: skip
        yield json.dumps({"format": "euchre-board-vectors/1", "boards": boards}).encode()


@pytest.mark.parametrize("field", sorted(set(BOARDS[0]) - GIVEN))
def test_a_field_that_differs_is_named(field: str) -> None:
    for text in changed(field):
        _, found = check_vectors(text)
        assert [field in said for said in found] == [True]


@pytest.mark.parametrize(
    "entry",
    [{}, {**BOARDS[0], "pack": "E99"}, {**BOARDS[0], "tables": 3}, {**BOARDS[0], "r": "zz"},
     {**BOARDS[0], "seeds": [], "tables": 0}],
)  # fmt: skip
def test_what_is_no_board_is_told(entry: dict[str, object]) -> None:
    text = json.dumps({"format": "euchre-board-vectors/1", "boards": [entry]})
    with pytest.raises(UnreadableError, match=r"boards\[0\]"):
        check_vectors(text.encode())
