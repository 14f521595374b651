"""Every number of the pages computed again by a program that shares nothing with their writer."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.arena.tournament.recompute.record import Board
from referee.rules import Packets, positions
from tests.arena.tournament.publish.conftest import run


def recompute(site: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-B", "-m", "recompute", "."],
        cwd=site, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def change(path: Path, pattern: str, put: str) -> str:
    """Change what the first match holds, and say what it is called."""
    text = path.read_text(encoding="utf-8")
    found = re.search(pattern, text)
    assert found is not None
    path.write_text(text[: found.start(2)] + put + text[found.end(2) :], encoding="utf-8")
    return found[1]


def test_the_program_beside_the_pages_finds_every_number_right(copy: Path) -> None:
    code, told = recompute(copy)
    assert (code, told.count("\n")) == (0, 1)
    assert re.fullmatch(r"[0-9]{3,} figures on 4 pages\n", told)


@pytest.mark.parametrize(
    ("page", "pattern"),
    [
        ("index.html", r'data-is="(standing/1/mean)">([^<]+)<'),
        ("index.html", r'data-is="(standing/2/low)">([^<]+)<'),
        ("index.html", r'data-is="(standing/3/buchholz)">([^<]+)<'),
        ("index.html", r'data-is="(standing/1/lots)">([^<]+)<'),
        ("index.html", r'data-is="(cross/1/2)">([^<]+)<'),
        ("index.html", r'data-is="(rating/2/high)">([^<]+)<'),
        ("index.html", r'data-is="(robust/3/turned)">([^<]+)<'),
        ("index.html", r'data-is="(byround/1/2)"><a [^>]*>([^<]+)<'),
        ("index.html", r'data-is="(swing/1/share)">([^<]+)<'),
        ("index.html", r'data-is="(count/played)">([^<]+)<'),
        ("index.html", r'data-is="(event/key)">([^<]+)<'),
        ("encounters/1-1.html", r'data-is="(table/[0-9a-f]+/points)">([^<]+)<'),
        ("encounters/1-1.html", r'data-is="(board/[0-9a-f]+/x/1)">([^<]+)<'),
        ("encounters/2-1.html", r'data-is="(table/[0-9a-f]+/trick/3/east)"><span[^>]*>([^<]+)<'),
        ("encounters/3-1.html", r'data-is="(deal/[0-9a-f]+/up)"><span[^>]*>([^<]+)<'),
        ("encounters/3-1.html", r'data-is="(table/[0-9a-f]+/call/0)">([^<]+)<'),
    ],
)
def test_a_number_that_is_changed_is_named(copy: Path, page: str, pattern: str) -> None:
    name = change(copy / page, pattern, "8♠")
    code, told = recompute(copy)
    assert code == 1
    assert f"{page}: {name} shows '8♠'" in told


def test_a_number_that_nothing_vouches_for_is_named(copy: Path) -> None:
    change(copy / "index.html", r"(<h2>)(Standings)", "Standings after 99 boards")
    code, told = recompute(copy)
    assert (code, "nothing says what this figure is" in told) == (1, True)


def test_a_picture_with_another_number_is_named(copy: Path) -> None:
    for path in (copy / "plots" / "standings.svg", copy / "index.html"):
        change(path, r'(data-mean)="([^"]+)"', "0.54321")
    code, told = recompute(copy)
    assert (code, "the picture 'standings': mean of" in told) == (1, True)


def test_a_picture_that_is_not_that_of_its_file_is_named(copy: Path) -> None:
    change(copy / "plots" / "standings.svg", r'(data-mean)="([^"]+)"', "0.54321")
    assert "is not that of plots/standings.svg" in recompute(copy)[1]


def test_a_page_of_no_encounter_is_named(copy: Path) -> None:
    (copy / "encounters" / "9-9.html").write_text("<p>", encoding="utf-8")
    assert "no encounter of the event has this page" in recompute(copy)[1]


def test_what_the_director_ruled_is_computed_again(event: Path) -> None:
    key = event.parent / "referee.pem"
    one = ("--key", key, "--who", "dora", "--reason", "a bot was late")
    run("act", "adjust", event, "1.1.1", "@bob", "1.5", *one)
    run("act", "void", event, "2.1.2", *one)
    run("publish", event)
    site = event.with_suffix("") / "site"
    assert recompute(site)[0] == 0
    change(site / "encounters" / "2-1.html", r'data-is="(ruling/2/1/2/how)">([^<]+)<', "adjusted 8")
    assert "ruling/2/1/2/how" in recompute(site)[1]


def test_a_folder_that_is_none_is_said(tmp_path: Path, copy: Path) -> None:
    (copy / "event.json").unlink()
    code, told = recompute(copy)
    assert (code, "cannot read 'event.json'" in told) == (2, True)
    assert "Traceback" not in told
    del tmp_path


def test_what_is_no_record_is_said(copy: Path) -> None:
    record = next((copy / "records").glob("*.0.jsonl"))
    record.write_bytes(b"{}\n[1\n")
    code, told = recompute(copy)
    assert (code, "Traceback" in told) == (2, False)


@pytest.mark.parametrize("packets", list(Packets))
@pytest.mark.parametrize("dealer", range(4))
def test_its_dealing_is_that_of_the_rules(packets: Packets, dealer: int) -> None:
    deck = [str(place) for place in range(24)]
    board = Board("", (1, 1, 1, 1), dealer, deck, {"packets": packets.value}, "", [])
    for seat in range(4):
        wanted = [str(place) for place in positions(packets, dealer, seat)]
        assert sorted(board.hand(seat), key=int) == sorted(wanted, key=int)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [("worth", "1e999999999", "not a fraction"), ("planned", 10**12, "at most 100000 can be")],
)
def test_a_figure_that_would_take_all_time_is_refused(
    copy: Path, name: str, value: object, told: str
) -> None:
    path = copy / "event.json"
    whole = json.loads(path.read_bytes())
    first = whole["rounds"][0]
    first["byes" if name == "worth" else "encounters"][0][name] = value
    path.write_text(json.dumps(whole), encoding="utf-8")
    code, said = recompute(copy)
    assert code == 2
    assert told in said


def test_a_picture_with_a_figure_that_is_none_is_named(copy: Path) -> None:
    change(copy / "index.html", r'(data-mean)="([^"]+)"', "nan")
    code, said = recompute(copy)
    assert code == 1
    assert "is nan, and the records give" in said
