"""The audit of a journal with sealed boards: what is changed in a row is named."""

import asyncio
import re
import secrets
import sqlite3
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import pytest

from referee.arena.boards import play_chunk
from referee.host.boards import BoardHost
from referee.host.clock import LoopClock
from referee.journal.audit import Audited, audit
from referee.journal.sqlite import SqliteReader, SqliteStore
from tests.arena.boards_support import KEY, chunk, specs

HEX = re.compile(rb"[0-9a-f]{64}")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with one board that was played."""
    path = tmp_path_factory.mktemp("boards") / "work.db"

    async def play() -> None:
        store = SqliteStore(path, asyncio.get_running_loop())
        host = BoardHost(store=store, key=KEY, clock=LoopClock(), chance=secrets.token_bytes)
        bots = specs(A="sensible", B="sensible")
        async for _ in play_chunk(chunk(1), host=host, bots=bots, chance=secrets.token_bytes):
            pass
        store.close()

    asyncio.run(play())
    return path


def audited(path: Path) -> list[Audited]:
    reader = SqliteReader(path)
    try:
        return list(audit(reader))
    finally:
        reader.close()


def flipped(body: bytes) -> bytes:
    """The first hash in a row, with another last digit."""
    return HEX.sub(lambda found: found[0][:-1] + (b"0" if found[0][-1:] != b"0" else b"1"), body, 1)


def keyed(body: bytes) -> bytes:
    """The key of a table's deck, changed."""
    start = body.index(b'"deck_key"')
    return body[:start] + flipped(body[start:])


@pytest.mark.parametrize(
    ("kind", "change", "whose"),
    [
        ("board_created", flipped, "board"),
        ("board_open", flipped, "board"),
        ("board_commit", flipped, "board"),
        ("board_commit_set", flipped, "board"),
        ("board_reveal_set", flipped, "board"),
        ("deck_root", flipped, "board"),
        ("board_close", flipped, "board"),
        ("created", keyed, "table"),
        ("turn_up", flipped, "table"),
        ("board_over", lambda body: body.replace(b"false", b"true"), "table"),
    ],
)
def test_a_row_that_is_changed_is_named(
    kind: str, change: Callable[[bytes], bytes], whose: str, journal: Path, tmp_path: Path
) -> None:
    path = tmp_path / "changed.db"
    copyfile(journal, path)
    db = sqlite3.connect(path)
    found = db.execute("SELECT match, n, body FROM rows WHERE kind = ? LIMIT 1", (kind,))
    match, n, body = found.fetchone()
    assert change(body) != body
    db.execute("UPDATE rows SET body = ? WHERE match = ? AND n = ?", (change(body), match, n))
    db.commit()
    db.close()
    faults = [each for each in audited(path) if not each.sound]
    assert match.hex() in {each.match for each in faults}
    assert all(each.fault for each in faults)
    assert whose == "board" or len(faults) == 1


def test_a_table_without_its_board_is_named(journal: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.db"
    copyfile(journal, path)
    db = sqlite3.connect(path)
    board = db.execute("SELECT match FROM rows WHERE kind = 'board_created'").fetchone()
    db.execute("DELETE FROM rows WHERE match = ?", board)
    db.execute("DELETE FROM matches WHERE match = ?", board)
    db.commit()
    db.close()
    assert {each.fault for each in audited(path)} == {"the journal does not have its board"}
