"""`euchre-referee tournament new` writes a file that reads back, and never over another."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.arena.tournament.sheetread import read_sheet
from referee.cli import main

TWO = ("--entry", "ann=random", "--entry", "bob=sensible")


def new(path: Path, *words: str, typed: str = "") -> tuple[int, str]:
    run = CliRunner().invoke(main, ["tournament", "new", str(path), *words], input=typed)
    return run.exit_code, run.output


def test_flags_alone_make_a_file(tmp_path: Path) -> None:
    path = tmp_path / "cup.yaml"
    words = ("--format", "swiss", "--rounds", "1", "--boards", "6", "--rules", "quick")
    code, said = new(path, *TWO, *words, "--knob", "target=7", "--yes")
    assert (code, said.count("6 boards do not give every seat the deal")) == (2, 1)
    assert not path.exists()
    code, said = new(path, *TWO, *words[:4], "--boards", "8", "--knob", "target=7")
    assert (code, "next: euchre-referee tournament plan" in said) == (0, True)
    sheet = read_sheet(path)
    assert (sheet.name, sheet.names, sheet.boards, sheet.format.rounds) == (
        "cup",
        ("ann", "bob"),
        8,
        1,
    )
    assert sheet.rules.target == 7


def test_what_few_events_need_has_flags_too(tmp_path: Path) -> None:
    path = tmp_path / "cup.yaml"
    assert new(path, *TWO, "--stop", "-0.1", "0.2")[0] == 0
    sprt = read_sheet(path).sprt
    assert sprt is not None
    assert (sprt.h0, sprt.h1) == (-0.1, 0.2)
    assert new(path, *TWO, "--mode", "games", "--force")[0] == 0
    assert read_sheet(path).mode == "games"
    more = ("--entry", "no:one=random", "--entry", "dan=random", "--format", "swiss")
    apart = ("--forbidden", "ann", "no:one", "--forbidden", "bob", "dan")
    assert new(path, *TWO, *more, *apart, "--force")[0] == 0
    assert {frozenset(pair) for pair in read_sheet(path).forbidden} == {
        frozenset({"ann", "no:one"}),
        frozenset({"bob", "dan"}),
    }


def test_a_file_is_not_written_over_unless_told(tmp_path: Path) -> None:
    path = tmp_path / "cup.yaml"
    path.write_text("mine")
    code, said = new(path, *TWO)
    assert (code, "is there already" in said, path.read_text()) == (2, True, "mine")
    assert new(path, *TWO, "--force")[0] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "nobody takes part"),
        (("--entry", "ann"), "write it as NAME=BOT"),
        ((*TWO, "--format", "gauntlet", "--rounds", "3"), "has no rounds to choose"),
        ((*TWO, "--format", "swiss", "--times", "3"), "nobody meets so many times"),
        ((*TWO, "--stop", "0.2", "0"), "cup.yaml:"),
        ((*TWO, "--stop", "nan", "0"), "cup.yaml:"),
        ((*TWO, "--forbidden", "ann", "eve"), "cup.yaml:"),
        ((*TWO, "--mode", "games", "--stop", "0", "1"), "needs mode: boards"),
        (("--entry", "ann=random", "--entry", "ann=random"), "two entries are called 'ann'"),
    ],
)
def test_what_makes_no_tournament_is_said(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    code, said = new(tmp_path / "cup.yaml", *words)
    assert (code, told in said) == (2, True)
    assert not (tmp_path / "cup.yaml").exists()
