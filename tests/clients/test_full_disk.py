"""Each client on a disk that is full in the midst of a line: what is not on file is not sent."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.clients.house import SEATS, House, Table
from tests.clients.known import CLIENTS, Client

PYTHON: Final = CLIENTS[0]
BLOCKS: Final = 100
DISK: Final = BLOCKS * 1024
"""The longest that a file may grow; a write that goes beyond it is cut there, as on a full disk."""
LITTLE: Final = 20
FULL: Final = ("bash", "-c", f'trap "" XFSZ; ulimit -f {BLOCKS}; exec "$@"', "full")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    house = House(tmp_path)
    house.serve()
    yield house.create(first_dealer="agreed", cut="none")
    house.stop()


def fill(path: Path, left: int) -> None:
    """Make a file of lines that count for nothing, to which `left` bytes can be added."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(b"{" * (DISK - left - 1) + b"\n")


def ends(table: Table, client: Client) -> tuple[int, str]:
    """How north ends, whose disk is full, at a table where the others wait for it."""
    north = table.sit(client, "north", under=FULL)
    for seat in SEATS[1:]:
        table.sit(PYTHON, seat)
    return north.ends()


def of_north(table: Table, kind: str) -> list[dict[str, object]]:
    return [row for row in table.events() if row["kind"] == kind and row.get("seat") == "north"]


def test_no_commitment_is_sent_that_is_not_wholly_on_file(client: Client, table: Table) -> None:
    fill(table.state("north"), LITTLE)
    code, said = ends(table, client)
    assert code == 2, said
    assert "north.state" in said
    assert of_north(table, "seat_commit") == []


@pytest.mark.heavy
def test_no_seed_is_shown_for_a_commit_set_that_is_not_wholly_on_file(
    client: Client, table: Table
) -> None:
    promise = f'{{"deal":1,"match":"{table.match}","r0":"{"0" * 64}","seat":"north"}}\n'
    fill(table.state("north"), len(promise) + LITTLE)
    code, said = ends(table, client)
    assert code == 2, said
    assert "north.state" in said
    assert len(of_north(table, "seat_commit")) == 1
    assert [row for row in table.events() if row["kind"] == "reveal_set"] == []


@pytest.mark.heavy
def test_a_receipt_that_cannot_be_kept_whole_ends_the_bot(client: Client, table: Table) -> None:
    kept = table.receipts / f"{table.match}-north.jsonl"
    fill(kept, LITTLE)
    code, said = ends(table, client)
    assert code == 2, said
    assert kept.name in said
