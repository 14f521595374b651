"""A worker is killed while it plays: closed boards stand, and all others are void."""

import json
import secrets
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from referee.arena.boards import recover_boards
from referee.arena.tournament.model import BoardPlayed
from referee.journal.audit import audit
from referee.journal.boardverify import verify_board
from referee.journal.verify import Asked
from tests.arena.boards_support import House, house
from tests.host.support import in_loop

WORKER = Path(__file__).parent / "board_worker.py"
PLAIN = Asked(None, strict=False, roster=None, receipts=None)


def killed(journal: Path, ids: list[list[str]], after: int) -> list[str]:
    """The lines of a worker that was killed after so many of them."""
    command = [sys.executable, str(WORKER), str(journal), json.dumps(ids)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    with worker.stdout as said:
        lines = list(islice(said, after))
        worker.kill()
        lines += said
    worker.wait()
    return [line.strip() for line in lines]


def new_ids(boards: int) -> list[list[str]]:
    return [[secrets.token_hex(16) for _ in range(3)] for _ in range(boards)]


def verified(there: House, board: BoardPlayed) -> bool:
    texts = list(there.host.files(bytes.fromhex(board.id)).values())
    report, tables = verify_board(texts[0], list(enumerate(texts[1:])), PLAIN)
    return not report.exit and not any(table.exit for table in tables)


async def _check(directory: Path, after: int) -> list[BoardPlayed]:
    ids = new_ids(5)
    said = killed(directory / "work.db", ids, after)
    told = {line.split(" ", 2)[1]: line for line in said if line.startswith("played")}
    async with house(directory) as there:
        found = await recover_boards(there.host, [board for board, *_ in ids])
        assert await recover_boards(there.host) == found
        assert there.store.open_matches() == []
        assert all(verified(there, board) for board in found)
        assert [each.fault for each in audit(there.store) if not each.sound] == []
    for board in found:
        assert board.void == "INFRA" or len(board.points) == 2
        if board.id in told:
            assert told[board.id] == f"played {board.id} {board.points}"
    assert set(told) <= {board.id for board in found if not board.void}
    return list(found)


@pytest.mark.parametrize("after", [1, 30, 150])
@in_loop
async def test_a_killed_worker_leaves_every_board_closed_or_void(
    after: int, tmp_path: Path
) -> None:
    found = await _check(tmp_path, after)
    assert len(found) == 5
    assert any(board.void for board in found)


@pytest.mark.heavy
@in_loop
async def test_a_worker_killed_at_any_moment_changes_no_board_that_was_closed(
    tmp_path: Path,
) -> None:
    voids = 0
    for number in range(15):
        place = tmp_path / str(number)
        place.mkdir()
        found = await _check(place, 1 + secrets.randbelow(260))
        voids += sum(bool(board.void) for board in found)
    assert voids


@in_loop
async def test_a_board_that_was_never_opened_is_not_recovered(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        assert await recover_boards(there.host, [secrets.token_hex(16)]) == ()
