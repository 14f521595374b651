"""A published event verified offline: it stands, and each change of any file is named."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import rmtree

import pytest

from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.place import place_of
from referee.arena.tournament.publish.compile import document_of
from referee.arena.tournament.publish.gather import gather
from referee.arena.tournament.publish.pictures import pictures
from referee.arena.tournament.publish.site import site as site_of
from referee.arena.tournament.publish.write import write_site
from referee.arena.tournament.sheetread import read_sheet
from referee.arena.tournament.verify import verify_event
from referee.sealing.keys import SigningKey
from tests.arena.tournament.publish.conftest import run
from tests.arena.tournament.publish.test_recompute import recompute

Change = Callable[[Path], None]


def key_of(site: Path) -> str:
    return str(json.loads((site / "event.json").read_bytes())["referee_key"])


def test_an_event_verifies_from_its_published_files_alone(copy: Path) -> None:
    told = run("verify", copy, "--referee-key", key_of(copy))
    assert "boards verified: 12 at 24 tables; void: 0; never opened: 0" in told
    assert "the key is the pinned one" in told


def test_the_report_for_programs_says_the_same(copy: Path) -> None:
    told = json.loads(run("verify", copy, "--json"))
    assert (told["exit"], told["state"], told["findings"]) == (0, "finished", [])
    assert told["figures"]["rounds"] == 3


def test_another_key_than_the_pinned_one_is_named(copy: Path) -> None:
    other = SigningKey.from_bytes("other", bytes(range(32))).public
    told = run("verify", copy, "--referee-key", other.text, exits=4)
    assert "not the pinned" in told


def first(folder: Path, pattern: str) -> Path:
    return min(folder.glob(pattern))


def swap(name: str, old: str, new: str) -> Change:
    """Put a text in the place of another, once, in the first file of a pattern."""

    def change(folder: Path) -> None:
        path = first(folder, name)
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def remove(name: str) -> Change:
    return lambda folder: first(folder, name).unlink()


def add(name: str) -> Change:
    def change(folder: Path) -> None:
        (folder / name).write_text("{}\n", encoding="utf-8")

    return change


def drop_line(name: str, number: int) -> Change:
    def change(folder: Path) -> None:
        path = first(folder, name)
        lines = path.read_bytes().splitlines(keepends=True)
        del lines[number]
        path.write_bytes(b"".join(lines))

    return change


def drop_board(folder: Path) -> None:
    """Keep back all files of a board, as if it were open."""
    name = first(folder / "records", "*.board.jsonl").name.partition(".")[0]
    for path in (folder / "records").glob(f"{name}.*"):
        path.unlink()


def exchange_boards(folder: Path) -> None:
    """Put one board's files in the place of another's."""
    one, other = sorted((folder / "records").glob("*.board.jsonl"))[:2]
    text = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(text)


def another_pairing(folder: Path) -> None:
    path = folder / "event.json"
    whole = json.loads(path.read_bytes())
    whole["rounds"][1]["encounters"][0]["reason"] = "because I say so"
    path.write_text(json.dumps(whole), encoding="utf-8")


def another_encounter(folder: Path) -> None:
    path = folder / "event.json"
    whole = json.loads(path.read_bytes())
    whole["rounds"][1]["encounters"][0]["entries"].reverse()
    path.write_text(json.dumps(whole), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "exits", "named"),
    [
        (swap("records/*.0.jsonl", '"action":"', '"action":"x'), 3, ".0.jsonl"),
        (swap("records/*.board.jsonl", "played", "void"), 4, "board.jsonl"),
        (exchange_boards, 5, "here stands the file of board"),
        (remove("records/*.1.jsonl"), 5, ".1.jsonl: the file is missing"),
        (remove("records/*.board.jsonl"), 5, ".board.jsonl: the file is missing"),
        (drop_board, 5, ".board.jsonl: the file is missing"),
        (add("records/00.board.jsonl"), 1, "nobody announced it"),
        (swap("announced.jsonl", '"dealer":0', '"dealer":1'), 4, "line 2 is not signed by"),
        (drop_line("announced.jsonl", 2), 3, "a line is missing, changed or moved"),
        (swap("event.yaml", "seed: 7", "seed: 8"), 3, "not the tournament file that was announced"),
        (another_encounter, 1, "meet in its encounter"),
        (another_pairing, 1, "round 2: encounter 1 is told as"),
        (swap("event.json", '"wins": ', '"wins": 1'), 1, "standings[0].wins"),
        (swap("event.json", ' "format"', '  "format"'), 1, "one spelling"),
        (swap("standings.csv", "0.", "9."), 1, "standings.csv"),
        (swap("boards.csv", ",yes,", ",no,"), 1, "boards.csv"),
        (swap("results.csv", "win", "loss"), 1, "results.csv"),
        (swap("tables.csv", "played", "fault"), 1, "tables.csv"),
        (swap("swings.csv", "1,", "2,"), 1, "swings.csv"),
        (swap("index.html", "Standings", "Sitting"), 1, "index.html"),
        (swap("encounters/*.html", "Board ", "Bored "), 1, "encounters/"),
        (swap("egn/*.egn", "dealNumber", "dealnumber"), 1, "egn/"),
        (swap("README.txt", "verify", "believe"), 1, "README.txt"),
        (swap("recompute/expected.py", "def expected", "def guessed"), 1, "recompute/expected.py"),
        (remove("swings.csv"), 5, "swings.csv: the file is missing"),
        (add("malware.html"), 1, "malware.html: it is no file of the event"),
        (remove("event.json"), 5, "event.json: the file is missing"),
        (swap("event.json", "{", "["), 6, "event.json"),
        (swap("event.json", "euchre-event/1", "euchre-event/9"), 6, "not of the format"),
        (swap("event.json", '"worth": "1/2"', '"worth": "1e999999999"'), 6, "worth"),
        (swap("event.yaml", "boards: 4", "boards: four"), 6, "event.yaml"),
    ],
)
def test_a_change_of_a_published_file_is_named(
    copy: Path, change: Change, exits: int, named: str
) -> None:
    change(copy)
    told = run("verify", copy, exits=exits)
    assert "NOT verified" in told
    assert named in told


def test_a_board_kept_back_of_an_event_that_is_told_as_finished_is_missed(copy: Path) -> None:
    drop_board(copy)
    path = copy / "event.json"
    whole = json.loads(path.read_bytes())
    there = {file.name.partition(".")[0] for file in (copy / "records").iterdir()}
    whole["boards"] = [board for board in whole["boards"] if board["id"] in there]
    path.write_text(json.dumps(whole), encoding="utf-8")
    told = run("verify", copy, exits=5)
    assert "is missing, and round" in told or "boards or rounds are missing" in told


def test_a_site_of_another_version_is_told_as_such(copy: Path) -> None:
    swap("recompute/expected.py", "def expected", "def guessed")(copy)
    assert "another version of this program may have" in run("verify", copy, exits=1)


def test_a_folder_that_is_no_event_is_said(tmp_path: Path) -> None:
    assert "event.json: the file is missing" in run("verify", tmp_path, exits=5)


def test_the_directory_of_an_event_is_told_from_what_was_published(event: Path) -> None:
    told = run("verify", event.with_suffix(""), exits=6)
    assert "the event's own directory" in told
    assert "site" in told


def test_what_the_recomputing_program_leaves_behind_is_no_matter(copy: Path) -> None:
    (copy / "recompute" / "__pycache__").mkdir()
    (copy / "recompute" / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert verify_event(copy).exit == 0


def test_actions_of_the_director_are_published_verified_and_told(event: Path) -> None:
    key = event.parent / "referee.pem"
    one = ("--key", key, "--who", "dora", "--reason", "a bot was <late>")
    run("act", "adjust", event, "1.1.1", "@bob", "1.5", *one)
    run("act", "void", event, "1.1.2", *one)
    run("act", "undo", event, "0", *one)
    run("act", "adjust", *one, "--", event, "1.1.3", "cat&amp;", "-2")
    run("publish", event)
    site = event.with_suffix("") / "site"
    assert "actions of the director: 4" in run("verify", site)
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "a bot was &lt;late&gt;" in page
    assert page.count(">undone<") == 1
    swap("actions.jsonl", "dora", "dana")(site)
    assert "actions.jsonl" in run("verify", site, exits=4)


def test_a_site_without_records_is_incomplete(copy: Path) -> None:
    rmtree(copy / "records")
    assert verify_event(copy).exit == 5


def test_nobody_is_accused_of_what_the_publisher_did(copy: Path) -> None:
    swap("event.yaml", "boards: 4", "boards: 4\nrules: canadian")(copy)
    report = verify_event(copy)
    assert {finding.party for finding in report.findings} == {"file"}


def test_an_event_that_runs_is_verified_as_far_as_it_is_told(played: Path, tmp_path: Path) -> None:
    place = place_of(played, None)
    db = EventDb(place.db, write=False)
    facts, sources = gather(place, db, read_sheet(played))
    db.close()
    document = document_of(replace(facts, results=facts.results[:-1]))
    write_site(tmp_path / "site", site_of(document, sources, pictures(document)))
    told = run("verify", tmp_path / "site")
    assert "not finished: open boards prove nothing yet" in told
    assert "announced and open: 1" in told
    assert recompute(tmp_path / "site")[0] == 0


@pytest.mark.heavy
def test_no_byte_that_is_changed_goes_unseen_or_makes_it_stumble(copy: Path) -> None:
    chance = Random(8)  # noqa: S311 -- which bytes are changed, from a seed
    names = sorted(path for path in copy.rglob("*") if path.is_file())
    for _ in range(60):
        path = chance.choice(names)
        before = path.read_bytes()
        at = chance.randrange(len(before) + 1)
        put = bytes([chance.randrange(256)])
        after = before[:at] + put + before[at + chance.randrange(2) :]
        if after != before:
            path.write_bytes(after)
            assert verify_event(copy).exit != 0, (path.name, at, put)
            path.write_bytes(before)
