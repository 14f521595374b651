"""The pages of an event: valid, without a script or an asset, and safe whatever a name is."""

import csv
import json
import re
import subprocess
from dataclasses import replace
from html import unescape
from pathlib import Path

import html5lib
import jsonschema
import pytest

from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.place import place_of
from referee.arena.tournament.publish.compile import document_of
from referee.arena.tournament.publish.gather import gather
from referee.arena.tournament.publish.pictures import pictures
from referee.arena.tournament.publish.site import site as site_of
from referee.arena.tournament.publish.write import PublishError, write_site
from referee.arena.tournament.sheetread import read_sheet
from referee.records import read_record
from tests.arena.tournament.publish.conftest import run

PAGE = "encounters/1-1.html"


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def files(site: Path) -> dict[str, bytes]:
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }


def test_every_page_has_no_error_of_parsing(site: Path) -> None:
    for path in pages(site):
        parser = html5lib.HTMLParser(strict=False)
        parser.parse(path.read_text(encoding="utf-8"))
        assert (path.name, parser.errors) == (path.name, [])


def test_there_is_a_page_of_every_encounter(site: Path) -> None:
    assert [path.name for path in pages(site)] == ["1-1.html", "2-1.html", "3-1.html", "index.html"]


def test_no_page_has_a_script_or_asks_for_anything(site: Path) -> None:
    for path in pages(site):
        text = path.read_text(encoding="utf-8")
        assert "default-src 'none'" in unescape(text)
        assert not re.search(r"<script|<img|<iframe|url\(|@import|https?://(?!www\.w3\.org/)", text)
        assert not re.search(r"\son[a-z]+=", text)


def test_every_link_leads_to_a_file_or_a_part_of_a_page(site: Path) -> None:
    for path in pages(site):
        text = path.read_text(encoding="utf-8")
        for href in re.findall(r'href="([^"]+)"', text):
            name, _, part = href.partition("#")
            if href == "data:,":
                continue
            there = path.parent / name if name else path
            assert there.is_file(), (path.name, href)
            if part:
                assert f'id="{part}"' in there.read_text(encoding="utf-8"), (path.name, href)


def test_names_stay_text(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    assert "Cup &lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "&lt;i&gt;ann" in text
    assert "cat&amp;amp;" in text
    assert "<i>" not in text


def test_no_cell_is_a_formula(site: Path) -> None:
    number = re.compile(r"-?[0-9]+(\.[0-9]+)?")
    cells = [
        cell
        for path in site.glob("*.csv")
        for row in csv.reader(path.read_text(encoding="utf-8").splitlines())
        for cell in row
    ]
    assert "'@bob" in cells
    assert [c for c in cells if c.startswith(tuple("=+-@")) and not number.fullmatch(c)] == []


def test_the_same_event_gives_the_same_bytes(event: Path, site: Path, tmp_path: Path) -> None:
    run("publish", event, "--out", tmp_path / "again")
    assert files(tmp_path / "again") == files(site)


def test_the_document_is_as_its_schema_says(site: Path) -> None:
    folder = Path(__file__).parents[4] / "referee" / "arena" / "tournament" / "publish"
    schema = json.loads((folder / "euchre-event-1.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads((site / "event.json").read_bytes()), schema)


def test_every_deal_is_there_as_egn(site: Path) -> None:
    tables = [path for path in (site / "records").iterdir() if ".board." not in path.name]
    assert sorted(path.stem for path in (site / "egn").iterdir()) == sorted(
        path.stem for path in tables
    )
    record = read_record(next((site / "egn").iterdir()).read_bytes())
    assert (len(record.deals), len(record.players)) == (1, 4)


def test_the_replay_has_both_tables_of_a_board_with_the_sides_exchanged(site: Path) -> None:
    text = (site / PAGE).read_text(encoding="utf-8")
    assert text.count("<h4>Table ") == 2 * 4
    seats = re.findall(r'north <span data-is="table/[0-9a-f]+/north">([^<]+)<', text)
    assert seats[0] != seats[1]


def test_a_running_event_tells_nothing_of_open_boards_but_their_announcement(played: Path) -> None:
    place = place_of(played, None)
    db = EventDb(place.db, write=False)
    facts, sources = gather(place, db, read_sheet(played))
    db.close()
    last = facts.results[-1]
    document = document_of(replace(facts, results=facts.results[:-1]))
    made = dict(site_of(document, sources, pictures(document)))
    assert (document.finished, [each.id for each in document.open]) == (False, [last.id])
    assert {name for name, content in made.items() if last.id.encode() in content} == {
        "event.json",
        "announced.jsonl",
    }
    assert b"only closed boards are told" in made["index.html"]


def test_publishing_again_replaces_the_site_of_the_same_event(event: Path) -> None:
    stale = event.with_suffix("") / "site" / "stale.html"
    stale.write_text("old", encoding="utf-8")
    run("publish", event)
    assert not stale.exists()


def test_a_folder_of_other_files_is_not_replaced_without_force(event: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine"
    out.mkdir()
    (out / "letter.txt").write_text("dear", encoding="utf-8")
    told = run("publish", event, "--out", out, exits=2)
    assert "they are no published event" in told
    assert [path.name for path in out.iterdir()] == ["letter.txt"]
    run("publish", event, "--out", out, "--force")
    assert (out / "index.html").is_file()


def test_the_site_of_another_event_is_not_replaced(event: Path, tmp_path: Path) -> None:
    out = tmp_path / "other"
    out.mkdir()
    other = {"format": "euchre-event/1", "name": "Other", "referee_key": "k"}
    (out / "event.json").write_text(json.dumps(other), encoding="utf-8")
    assert "holds another event, 'Other'" in run("publish", event, "--out", out, exits=2)


def test_a_place_that_is_no_directory_is_refused(event: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert "is no directory" in run("publish", event, "--out", tmp_path / "file", exits=2)
    nowhere = tmp_path / "no" / "where"
    assert "there is no directory" in run("publish", event, "--out", nowhere, exits=2)


def test_a_disk_that_refuses_leaves_the_old_site(copy: Path) -> None:
    before = files(copy)
    with pytest.raises(PublishError, match="nothing was changed"):
        write_site(copy, [("index.html", b"new"), ("index.html/below", b"cannot be")])
    assert files(copy) == before
    assert [path.name for path in copy.parent.iterdir()] == ["site"]


def test_what_a_killed_publisher_left_is_put_right(copy: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    before = files(copy)
    copy.rename(copy.with_name(f".site.{ended.pid}.old"))
    copy.with_name(f".site.{ended.pid}.new").mkdir()
    with pytest.raises(PublishError):
        write_site(copy, [("a", b""), ("a/b", b"")])
    assert files(copy) == before
    assert [path.name for path in copy.parent.iterdir()] == ["site"]


def test_a_record_that_is_missing_is_named_and_the_old_site_stays(event: Path) -> None:
    folder = event.with_suffix("")
    before = files(folder / "site")
    lost = min((folder / "records").glob("*.0.jsonl"))
    lost.unlink()
    told = run("publish", event, exits=2)
    assert lost.name in told
    assert "No such file" in told
    assert files(folder / "site") == before


def test_an_event_that_has_not_begun_is_said(tmp_path: Path) -> None:
    assert "no event has begun" in run("publish", tmp_path / "none.yaml", exits=2)
