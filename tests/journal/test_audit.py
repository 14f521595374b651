"""The audit finds every row that the table would not have written."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.journal.audit import Audited, audit_match
from referee.journal.sqlite import SqliteStore
from referee.journal.store import Row
from referee.sealing.parts import Pair
from referee.table.commands import Abort, Forfeit, GiveSeed, Malformed, SeedsMissing
from tests.table.support import MATCH, Table, created, sealed

Rows = tuple[Row, ...]


def found(table: Table, change: Callable[[Rows], Rows] = tuple) -> Audited:
    return audit_match(MATCH, change(table.rows), still_open=not table.state.over)


def withheld_table() -> Table:
    table = Table(created()).sit().commit().reveal()
    table.commit(0, 2, 3).give(SeedsMissing())
    return table


def wrong_reveal_table() -> Table:
    table = Table(created()).sit().commit().reveal().commit().reveal(1)
    table.give(GiveSeed(seat=2, deal=1, seed=bytes(32), cut=None, cset=table.deal.cset))
    return table


def troubled_table() -> Table:
    table = sealed(illegal_limit=9)
    table.give(Malformed(seat=0))
    table.act("play JD")
    table.fall_back()
    table.act("order")
    table.fall_back()
    return table


def given_up_table() -> Table:
    table = troubled_table()
    table.give(Forfeit(seat=3, why="DISCONNECT"))
    return table


def aborted_table() -> Table:
    table = troubled_table()
    table.give(Abort(void=False))
    return table


def dropped_table() -> Table:
    table = Table(created())
    table.give(Forfeit(seat=0, why="START_FAIL"))
    return table


@pytest.mark.parametrize(
    ("table", "state"),
    [
        (lambda: Table(created()), "waiting"),
        (sealed, "open"),
        (withheld_table, "open"),
        (wrong_reveal_table, "open"),
        (troubled_table, "open"),
        (given_up_table, "forfeit"),
        (aborted_table, "aborted"),
        (dropped_table, "dropped"),
        (lambda: Table(created("quick")).sit().to_the_end(), "finished"),
        (lambda: Table(created(chain=2)).sit().to_the_end(), "void"),
    ],
)
def test_what_the_table_wrote_is_sound(table: Callable[[], Table], state: str) -> None:
    audited = found(table())
    assert audited.sound, audited.fault
    assert audited.state == state


def changed(rows: Rows, kind: str, **fields: bytes | int | str) -> Rows:
    place = max(n for n, row in enumerate(rows) if row.kind == kind)
    body = fields.pop("body", rows[place].body)
    assert isinstance(body, bytes)
    return (*rows[:place], replace(rows[place], body=body), *rows[place + 1 :])


def edited(kind: str, old: bytes, new: bytes) -> Callable[[Rows], Rows]:
    def change(rows: Rows) -> Rows:
        body = next(row.body for row in reversed(rows) if row.kind == kind)
        assert old in body
        return changed(rows, kind, body=body.replace(old, new, 1))

    return change


def rewritten(table: Table, place: int) -> Table:
    """The same match with one event left out, chained and signed again."""
    copy = Table(table.created)
    copy.events = [*table.events[:place], *table.events[place + 1 :]]
    copy.state = table.state
    return copy


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda rows: rows[:3] + rows[4:], "row 4 follows row 2"),
        (lambda rows: (*rows[:-1], replace(rows[-1], n=99)), "row 99 follows"),
        (edited("action", b'"used_ms":9', b'"used_ms":8'), "does not follow|not signed|transcript"),
        (
            edited("hidden", b'"positions":[', b'"positions":[1'),
            "damaged|cannot stand|has to stand",
        ),
        (edited("seed", b'"seed":"', b'"seed":"f'), "damaged"),
        (lambda rows: changed(rows, "action", body=b"{}"), "damaged|kind"),
        (lambda rows: rows[1:], "row 0 does not create this match"),
        (lambda _rows: (), "no rows"),
    ],
)
def test_a_row_that_was_changed_is_named(change: Callable[[Rows], Rows], text: str) -> None:
    audited = found(aborted_table(), change)
    assert audited.fault
    assert any(part in audited.fault for part in text.split("|")), audited.fault


def test_an_event_left_out_is_found_also_when_chained_and_signed_again() -> None:
    table = aborted_table()
    for place in range(len(table.events)):
        assert not found(rewritten(table, place)).sound, table.events[place].kind


def test_a_score_that_was_changed_and_signed_again_is_found() -> None:
    table = Table(created("quick")).sit().to_the_end()
    place = next(n for n, e in enumerate(table.events) if e in table.closes[1:])
    table.events[place] = replace(table.closes[1], points=Pair(4, 0))
    assert "deal_close that has to stand here" in found(table).fault


def test_a_signature_of_another_key_is_found() -> None:
    def forged(rows: Rows) -> Rows:
        place = next(n for n, row in enumerate(rows) if row.kind == "deck_root")
        return (*rows[:place], replace(rows[place], sig=bytes(64)), *rows[place + 1 :])

    assert "not signed by the referee's key" in found(sealed(), forged).fault


def test_an_index_that_disagrees_is_found() -> None:
    assert "index" in audit_match(MATCH, sealed().rows, still_open=False).fault


# -- the command line


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        store.append(aborted_table().rows, at_ms=1_700_000_000_000).result(30)
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_audit_prints_one_line_a_match_and_exits_0(journal: Path) -> None:
    result = run("audit", journal)
    assert result.exit_code == 0
    first, last = result.output.splitlines()
    assert first.startswith(MATCH.hex())
    assert first.endswith("sound")
    assert last == "1 matches, 0 unsound"


def test_audit_exits_1_where_a_match_is_unsound(journal: Path) -> None:
    with closing(sqlite3.connect(journal)) as db:
        db.execute("UPDATE rows SET sig = zeroblob(64) WHERE kind = 'match_close'")
        db.commit()
    result = run("audit", journal, "--json")
    assert result.exit_code == 1
    shown = json.loads(result.output)
    assert (shown["sound"], shown["state"]) == (False, "damaged")
    assert "not signed" in shown["fault"]


@pytest.mark.parametrize("content", [b"", b"rubbish" * 200])
def test_audit_of_a_file_that_is_no_journal_is_one_line_and_exit_6(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(content)
    result = run("audit", path)
    assert result.exit_code == 6
    assert len(result.output.splitlines()) == 1


def test_audit_of_a_missing_file_is_one_line_and_exit_6(tmp_path: Path) -> None:
    result = run("audit", tmp_path / "none.db")
    assert (result.exit_code, len(result.output.splitlines())) == (6, 1)
    assert not (tmp_path / "none.db").exists()


def test_a_transcript_is_written_from_the_journal_and_verifies(
    journal: Path, tmp_path: Path
) -> None:
    out = tmp_path / "t.jsonl"
    assert run("transcript", MATCH.hex()[:6], "--db", journal, "-o", out).exit_code == 0
    assert out.read_bytes() == aborted_table().transcript
    assert run("verify", out).exit_code == 0


def test_a_match_that_is_not_there_is_one_line_and_exit_2(journal: Path, tmp_path: Path) -> None:
    result = run("transcript", "ffff", "--db", journal, "-o", tmp_path / "t.jsonl")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "no match" in result.output
