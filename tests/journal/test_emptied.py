"""Secrets at rest: nothing stays in a private row that is public, and every row is read whole."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from referee.journal.audit import audit
from referee.journal.emptied import is_emptied, whole
from referee.journal.sqlite import SqliteReader, SqliteStore
from referee.journal.store import Row
from referee.table.commands import Abort
from referee.table.events import MatchCreated
from tests.journal.test_audit import (
    aborted_table,
    dropped_table,
    given_up_table,
    withheld_table,
    wrong_reveal_table,
)
from tests.table.support import MATCH, Table, created, sealed, seed_of

NOW_MS = 1_700_000_000_000
Appends = Callable[[tuple[Row, ...]], list[tuple[Row, ...]]]


def at_once(rows: tuple[Row, ...]) -> list[tuple[Row, ...]]:
    return [rows]


def one_by_one(rows: tuple[Row, ...]) -> list[tuple[Row, ...]]:
    return [(row,) for row in rows]


def written(path: Path, table: Table, appends: Appends = one_by_one) -> Path:
    """A journal that holds a table's match."""
    with closing(SqliteStore(path)) as store:
        for rows in appends(table.rows):
            store.append(rows, at_ms=NOW_MS).result(30)
    return path


def asked(rules: str = "standard") -> MatchCreated:
    """A match under a secret that nothing else in its journal looks like."""
    return replace(created(rules), secret=b"\x77" * 32, tokens=(b"\x99" * 32,) * 5)


def played() -> Table:
    """A match that is finished, in which cards were hidden."""
    return Table(asked("quick")).sit("checks", "seeds", "plays", "checks").to_the_end()


def private(path: Path, kind: str) -> list[bytes]:
    """The bodies that a file holds of one kind of private row."""
    with closing(SqliteReader(path)) as reader:
        return [row.body for row in reader.rows(MATCH, (kind,))]


def played_after_a_deal_that_was_never_revealed() -> Table:
    return wrong_reveal_table().seal().play_deal()


TABLES = (
    played,
    played_after_a_deal_that_was_never_revealed,
    sealed,
    withheld_table,
    wrong_reveal_table,
    aborted_table,
    given_up_table,
    dropped_table,
    lambda: Table(created(chain=2)).sit().to_the_end(),
)


@pytest.mark.parametrize("appends", [at_once, one_by_one])
@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_read_as_it_was_appended_and_the_match_is_sound(
    tmp_path: Path, table: Callable[[], Table], appends: Appends
) -> None:
    made = table()
    path = written(tmp_path / "j.db", made, appends)
    with closing(SqliteReader(path)) as reader:
        assert tuple(reader.rows(MATCH))[1:] == made.rows[1:]
        (found,) = audit(reader)
        assert found.sound, found.fault


def test_a_closed_deal_leaves_no_seed_and_no_blind_in_its_private_rows(tmp_path: Path) -> None:
    table = played()
    path = written(tmp_path / "j.db", table)
    seeds, cards = private(path, "seed"), private(path, "hidden")
    assert seeds
    assert cards
    assert not any(b'"seed":"' in body.replace(b'"kind":"seed"', b"") for body in seeds)
    assert not any(b'"sig"' in body for body in seeds)
    assert not any(b'"blinds"' in body for body in cards)


def test_what_was_emptied_is_nowhere_in_the_file(tmp_path: Path) -> None:
    table = played()
    path = written(tmp_path / "j.db", table)
    held = path.read_bytes()
    deals = {close.deal for close in table.closes if close.outcome != "void"}
    seeds = [seed_of(1, deal).hex().encode() for deal in deals]
    assert [held.count(seed) for seed in seeds] == [1] * len(seeds)  # each in its reveal_set
    assert table.created.secret.hex().encode() not in held


def test_the_seeds_of_a_deal_in_play_are_kept_until_it_is_closed(tmp_path: Path) -> None:
    table = sealed()
    path = written(tmp_path / "j.db", table)
    open_deal = [body for body in private(path, "seed") if b'"deal":1,' in body]
    assert len(open_deal) == 4
    assert all(b'"seed":"' in body for body in open_deal)


def test_a_match_in_play_keeps_the_end_of_its_chain(tmp_path: Path) -> None:
    table = sealed()
    (body,) = private(written(tmp_path / "j.db", table), "created")
    assert table.created.secret.hex().encode() in body


def aborted() -> Table:
    table = Table(asked()).sit().seal()
    table.give(Abort(void=False))
    return table


def dropped() -> Table:
    table = Table(asked())
    table.give(Abort(void=False))
    return table


@pytest.mark.parametrize("table", [aborted, dropped, played])
def test_a_closed_match_keeps_no_link_that_was_not_published_or_would_be_of_use(
    tmp_path: Path, table: Callable[[], Table]
) -> None:
    made = table()
    (body,) = private(written(tmp_path / "j.db", made), "created")
    assert made.created.secret.hex().encode() not in body
    assert (b'"links":%d' % (made.closes[-1].deal + 1 if made.closes else 1)) in body


def test_a_row_whose_public_part_is_damaged_stays_empty() -> None:
    rows = [*played().rows]
    place = next(n for n, row in enumerate(rows) if row.kind == "seed")
    later = next(n for n, row in enumerate(rows) if row.kind == "reveal_set")
    rows[place] = replace(rows[place], body=b'{"deal":0,"kind":"seed","seat":"north"}')
    rows[later] = replace(rows[later], body=b"{}")
    assert is_emptied(list(whole(rows))[place])
