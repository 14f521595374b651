"""What every store must do, run on each of them.

Another store is put through all of it by adding how it is opened to `STORES`: given a folder, it
has to come back to what the one before it kept there.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.journal.sqlite import SqliteStore
from referee.journal.store import Deed, Row, Store, StoreClosedError, StoreError
from tests.host.support import MemoryStore

A, B, C = b"a" * 16, b"b" * 16, b"c" * 16
PATIENCE_S = 30
NOW_MS = 1_700_000_000_000
Open = Callable[[], Store]


def row(match: bytes, n: int, kind: str = "action", body: bytes = b"{}") -> Row:
    return Row(match, n, n or None, kind, body, b"s" * 64, b"r" * 16)


def in_a_file(folder: Path) -> Store:
    return SqliteStore(folder / "journal")


KEPT: dict[Path, MemoryStore] = {}


def in_memory(folder: Path) -> Store:
    before = KEPT.get(folder, MemoryStore())
    KEPT[folder] = MemoryStore(kept=before.kept, times=before.times, trail=before.trail)
    return KEPT[folder]


STORES = {"SQLite": in_a_file, "memory": in_memory}


@pytest.fixture(params=STORES)
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Open the store, closing the one that was open before."""
    stores: list[Store] = []

    def again() -> Store:
        if stores:
            stores[-1].close()
        stores.append(STORES[request.param](tmp_path))
        return stores[-1]

    yield again
    for store in stores:
        store.close()


def put(store: Store, *rows: Row) -> None:
    store.append(rows, at_ms=NOW_MS).result(PATIENCE_S)


def test_rows_come_back_in_order_and_unchanged(reopen: Open) -> None:
    store = reopen()
    rows = [row(A, n, body=b'{"n":%d}' % n) for n in range(5)]
    put(store, *rows[:2])
    put(store, *rows[2:])
    assert list(store.rows(A)) == rows


def test_rows_are_there_after_reopening(reopen: Open) -> None:
    put(reopen(), row(A, 0), row(A, 1))
    assert list(reopen().rows(A)) == [row(A, 0), row(A, 1)]


def test_what_was_queued_is_written_before_the_store_closes(reopen: Open) -> None:
    store = reopen()
    futures = [store.append((row(A, n),), at_ms=NOW_MS) for n in range(200)]
    assert len(list(reopen().rows(A))) == 200
    assert all(future.exception(PATIENCE_S) is None for future in futures)


def test_rows_of_some_kinds_come_in_order_without_the_others(reopen: Open) -> None:
    store = reopen()
    rows = [row(A, n, kind) for n, kind in enumerate(["x", "y", "z", "x", "y"])]
    put(store, *rows)
    assert list(store.rows(A, ("x", "z"))) == [rows[0], rows[2], rows[3]]


def test_a_match_without_rows_is_empty(reopen: Open) -> None:
    assert list(reopen().rows(A)) == []


def test_matches_are_listed_in_order_of_creation_or_newest_first(reopen: Open) -> None:
    store = reopen()
    put(store, row(B, 0))
    put(store, row(A, 0))
    assert store.matches() == [B, A]
    assert store.matches(newest_first=True) == [A, B]


@pytest.mark.parametrize("kind", ["match_close", "dropped"])
def test_a_match_is_open_until_its_closing_row(reopen: Open, kind: str) -> None:
    store = reopen()
    put(store, row(A, 0))
    put(store, row(B, 0))
    put(store, row(A, 1, kind))
    assert store.open_matches() == [B]
    assert store.matches() == [A, B]


def test_an_append_is_all_or_none(reopen: Open) -> None:
    store = reopen()
    put(store, row(A, 0))
    with pytest.raises(StoreError):
        put(store, row(A, 1), row(A, 0))
    assert list(store.rows(A)) == [row(A, 0)]


def test_a_row_that_is_there_already_fails_and_stays_as_it_was(reopen: Open) -> None:
    store = reopen()
    put(store, row(A, 0))
    with pytest.raises(StoreError):
        put(store, row(A, 0, body=b'{"other":1}'))
    assert list(store.rows(A)) == [row(A, 0)]


def test_what_follows_a_lost_append_of_its_match_is_refused_until_it_is_healed(
    reopen: Open,
) -> None:
    store = reopen()
    put(store, row(A, 0))
    lost = [store.append((row(A, n),), at_ms=NOW_MS) for n in range(3)]
    assert all(isinstance(future.exception(PATIENCE_S), StoreError) for future in lost)
    assert list(store.rows(A)) == [row(A, 0)]
    store.heal(A)
    put(store, row(A, 1))
    assert list(store.rows(A)) == [row(A, 0), row(A, 1)]


def test_a_lost_append_costs_its_own_match_only(reopen: Open) -> None:
    store = reopen()
    put(store, row(A, 0))
    rows = row(B, 0), row(A, 0), row(B, 1)
    futures = [store.append((each,), at_ms=NOW_MS) for each in rows]
    assert [future.exception(PATIENCE_S) is None for future in futures] == [True, False, True]
    assert list(store.rows(B)) == [row(B, 0), row(B, 1)]


def test_an_append_after_the_close_is_refused(reopen: Open) -> None:
    store = reopen()
    store.close()
    with pytest.raises(StoreClosedError, match="closed"):
        put(store, row(A, 0))


def test_a_reading_after_the_close_says_that_the_store_is_closed(reopen: Open) -> None:
    store = reopen()
    store.close()
    with pytest.raises(StoreClosedError, match="closed"):
        list(store.rows(A))


def test_an_append_cannot_be_called_off_and_the_store_lives_on(reopen: Open) -> None:
    store = reopen()
    future = store.append((row(A, 0),), at_ms=NOW_MS)
    assert not future.cancel()
    put(store, row(B, 0))
    assert list(store.rows(A)) == [row(A, 0)]


def test_closing_twice_does_nothing(reopen: Open) -> None:
    store = reopen()
    store.close()
    store.close()


def test_the_time_at_which_a_match_is_closed_is_kept(reopen: Open) -> None:
    store = reopen()
    put(store, row(A, 0))
    put(store, row(B, 0))
    assert store.closed_ms(A) is None
    store.append((row(A, 1, "match_close"),), at_ms=NOW_MS + 5).result(PATIENCE_S)
    store = reopen()
    assert (store.closed_ms(A), store.closed_ms(B)) == (NOW_MS + 5, None)


def test_a_match_that_is_not_there_has_no_time_of_closing(reopen: Open) -> None:
    assert reopen().closed_ms(A) is None


def test_closed_matches_are_listed_with_their_times_from_a_time_on(reopen: Open) -> None:
    store = reopen()
    for match in (B, A, C):
        put(store, row(match, 0))
    store.append((row(A, 1, "dropped"),), at_ms=NOW_MS + 1).result(PATIENCE_S)
    store.append((row(B, 1, "match_close"),), at_ms=NOW_MS + 2).result(PATIENCE_S)
    assert list(store.closed().items()) == [(B, NOW_MS + 2), (A, NOW_MS + 1)]
    assert list(store.closed(since_ms=NOW_MS + 2)) == [B]


def test_beginnings_are_those_of_matches_that_are_open_or_were_closed_lately(
    reopen: Open,
) -> None:
    store = reopen()
    for match in (C, B, A):
        put(store, row(match, 0, "created"), row(match, 1, "seated"), row(match, 2, "joined"))
    store.append((row(A, 3, "match_close"),), at_ms=NOW_MS + 1).result(PATIENCE_S)
    store.append((row(B, 3, "dropped"),), at_ms=NOW_MS + 2).result(PATIENCE_S)
    begun = {match: [row(match, 0, "created"), row(match, 2, "joined")] for match in (A, B, C)}
    assert list(store.beginnings(since_ms=NOW_MS + 3)) == begun[C]
    assert list(store.beginnings(since_ms=NOW_MS + 2)) == begun[C] + begun[B]
    assert list(store.beginnings(since_ms=0)) == begun[C] + begun[B] + begun[A]


DEEDS = (
    Deed(at_ms=NOW_MS, who="anna", what="abort", match=A, detail='{"why":"asked"}'),
    Deed(at_ms=NOW_MS, who="bert", what="drain"),
)


def test_deeds_come_back_in_order_and_unchanged_after_reopening(reopen: Open) -> None:
    store = reopen()
    assert list(store.deeds()) == []
    for deed in DEEDS:
        store.note(deed).result(PATIENCE_S)
    again = reopen()
    assert tuple(again.deeds()) == DEEDS
    assert again.deed_count() == len(DEEDS)
    for first in range(1, len(DEEDS) + 2):
        for last in range(first, len(DEEDS) + 2):
            assert tuple(again.deeds(first, last)) == DEEDS[first - 1 : last]


def test_deeds_and_rows_stand_together_and_neither_costs_the_other(reopen: Open) -> None:
    store = reopen()
    put(store, row(A, 0))
    futures = [
        store.note(DEEDS[0]),
        store.append((row(A, 0),), at_ms=NOW_MS),
        store.note(DEEDS[1]),
        store.append((row(B, 0),), at_ms=NOW_MS),
    ]
    ends = [future.exception(PATIENCE_S) is None for future in futures]
    assert ends == [True, False, True, True]
    assert tuple(store.deeds()) == DEEDS


def test_a_deed_after_the_close_is_refused(reopen: Open) -> None:
    store = reopen()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.note(DEEDS[0]).result(PATIENCE_S)


def test_a_store_says_nothing_is_the_matter_while_it_keeps_what_it_is_given(reopen: Open) -> None:
    store = reopen()
    put(store, row(A, 0))
    assert store.trouble == ""


def test_a_row_that_is_there_already_is_no_trouble_of_the_disk(reopen: Open) -> None:
    store = reopen()
    put(store, row(A, 0))
    with pytest.raises(StoreError):
        put(store, row(A, 0))
    assert store.trouble == ""
