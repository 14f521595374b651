"""The vectors that an independent implementation made."""

import json
from pathlib import Path

import pytest

from referee.sealing.errors import UnreadableError
from referee.sealing.vectors import check_vectors

VECTORS = Path(__file__).parents[1] / "vectors" / "sealed-v1.json"


def changed(path: list[str | int], value: object) -> bytes:
    """The vectors with one value in another's place."""
    root: object = json.loads(VECTORS.read_bytes())
    node = root
    for step in path[:-1]:
        node = node[step]  # type: ignore[index]  # a path of this file
    node[path[-1]] = value  # type: ignore[index]  # a path of this file
    return json.dumps(root).encode()


def test_all_vectors_of_the_independent_implementation_agree() -> None:
    assert check_vectors(VECTORS.read_bytes()) == (7, [])


@pytest.mark.parametrize(
    "path",
    [
        ["chain", "first"],
        ["chain", "second"],
        ["deals", 0, "dealer_draw", "start_seat"],
        ["deals", 1, "commit_set"],
        ["deals", 2, "rejected"],
        ["deals", 2, "stream_bytes"],
        ["deals", 3, "deck"],
        ["deals", 4, "leaves", 23],
        ["deals", 5, "root"],
        ["deals", 6, "first_salt"],
        ["deals", 6, "seat_commits", 3],
        ["messages", "hidden_move", "commit"],
        ["messages", "reveal", "signed_bytes"],
        ["messages", "private_deal", "signed_bytes_sha256"],
        ["messages", "receipt", "signed_bytes"],
        ["messages", "seat_seed", "seed"],
        ["messages", "key_id", "id"],
        ["messages", "rule_set", "id"],
        ["transcript", "lines", 1, "head"],
    ],
)
def test_a_changed_field_is_named(path: list[str | int]) -> None:
    _, found = check_vectors(changed(path, "00"))
    assert found
    assert all("the file has" in sentence or "does not verify" in sentence for sentence in found)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["format"], "euchre-sealed-vectors/2"),
        (["deals", 0, "pack"], "E23"),
        (["deals", 0, "deal"], -1),
        (["deals", 2, "cut"], 24),
        (["deals", 2, "cut"], 256),
        (["deals", 0, "seeds"], "no list"),
        (["deals", 0, "r"], "xyz"),
        (["messages", "deal_id"], "nobody"),
        (["messages", "private_deal", "positions"], [24]),
        (["messages", "reveal", "seat"], 4),
        (["transcript", "referee_private_key"], "00"),
        (["transcript", "lines", 0, "line"], "{}"),
    ],
)
def test_a_file_that_is_no_vectors_file_is_unreadable(path: list[str | int], value: object) -> None:
    with pytest.raises(UnreadableError):
        check_vectors(changed(path, value))


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_bytes_that_are_no_json_are_unreadable(text: bytes) -> None:
    with pytest.raises(UnreadableError):
        check_vectors(text)
