"""The commands that read files and journals, on those of sealed boards."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.host.matches import BoardOpenError
from referee.host.referee import Referee, UnknownMatchError
from tests.arena.boards_support import KEY, chunk, house, specs
from tests.host.support import FakeClock, in_loop
from tests.journal.board_support import asked, played_board

FILES = played_board()


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A board's file, and its two tables'."""
    paths = [tmp_path / name for name in ("b.board.jsonl", "b.0.jsonl", "b.1.jsonl")]
    for path, text in zip(paths, (FILES.board, *FILES.tables), strict=True):
        path.write_bytes(text)
    return paths


def test_a_board_is_verified_with_its_tables_in_any_order(files: list[Path]) -> None:
    board, first, second = files
    done = run("verify", second, board, first, "--json")
    told = [json.loads(line) for line in done.output.splitlines()]
    assert done.exit_code == 0
    assert [one["kind"] for one in told] == ["board", "table", "table"]
    assert [one.get("table") for one in told] == [None, 1, 0]
    assert {one.get("board", one["match"]) for one in told} == {FILES.id.decode()}


def test_a_table_alone_is_told_that_it_needs_its_board(files: list[Path]) -> None:
    done = run("verify", files[1])
    assert done.exit_code == 5
    assert "together with its board's file" in done.output
    assert "speaks against nobody" in done.output


def test_a_board_alone_is_told_which_tables_are_missing(files: list[Path]) -> None:
    done = run("verify", files[0], files[2])
    assert done.exit_code == 5
    assert "table 0 of this board is missing" in done.output


def test_show_has_the_hands_with_the_boards_file_alone(files: list[Path]) -> None:
    board, table, _ = files
    assert "its deck stands in the board's file" in run("show", table).output
    shown = run("show", table, "--board", board).output
    assert "kitty" in shown
    assert "verify the board" in run("show", board).output


def test_export_writes_a_table_with_its_board(files: list[Path]) -> None:
    board, table, _ = files
    done = run("export", table, "--board", board, "--format", "text")
    assert "hand north" in done.output
    assert "trick" in done.output
    assert "--board" in run("export", table, "--format", "text").output
    alone = run("export", board, "--format", "text")
    assert (alone.exit_code, "a deck and no play" in alone.output) == (6, True)


def test_a_table_has_no_deal_proof_of_its_own(files: list[Path]) -> None:
    done = run("prove-deal", files[1], 1)
    assert done.exit_code != 0
    assert "verify them together" in done.output


def test_selfcheck_counts_a_board_s_deck_once(files: list[Path]) -> None:
    assert "1 decks" in run("selfcheck", *files).output


def journal(directory: Path) -> Path:
    """A journal with a board that is closed, and one that is open."""

    @in_loop
    async def write() -> None:
        async with house(directory) as there:
            await there.play(chunk(1), specs(A="sensible", B="sensible"))
            await there.host.open([asked(b"o" * 16)])

    write()
    return directory / "work.db"


def test_an_audit_finds_boards_and_tables_sound(tmp_path: Path) -> None:
    done = run("audit", journal(tmp_path), "--json")
    told = [json.loads(line) for line in done.output.splitlines()]
    assert done.exit_code == 0
    assert [one["state"] for one in told] == ["played", "finished", "finished", *["open"] * 3]


def test_a_restored_journal_has_no_open_board(tmp_path: Path) -> None:
    path, key = journal(tmp_path), tmp_path / "key.pem"
    key.write_bytes(KEY.pem())
    key.chmod(0o600)
    assert run("backup", path, "-o", tmp_path / "copy.db").exit_code == 0
    done = run("restore", tmp_path / "copy.db", "--db", tmp_path / "new.db", "--key", key)
    assert (done.exit_code, done.output.count("void ")) == (0, 1)
    told = run("audit", tmp_path / "new.db", "--json").output.splitlines()
    assert [json.loads(line)["state"] for line in told][3:] == ["void"] * 3
    assert all(json.loads(line)["sound"] for line in told)


@in_loop
async def test_a_referee_tells_nothing_of_a_table_whose_board_is_open(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        opened = asked(b"o" * 16)
        await there.host.open([opened])
        clock = FakeClock()
        referee = Referee(store=there.store, key=KEY, clock=clock, chance=bytes)
        assert referee.matches.resume() == 0
        for match in opened.matches:
            with pytest.raises(BoardOpenError, match="ask again when"):
                referee.match(match.hex())
            with pytest.raises(BoardOpenError):
                referee.summary(match)
        with pytest.raises(UnknownMatchError):
            referee.match(opened.board.hex())
        await there.host.void_open()
        assert referee.summary(opened.matches[0]).outcome == "void"
        referee.matches.close()
