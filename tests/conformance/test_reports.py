"""Reports of a run: JUnit, Markdown, badges and the page, and where they may be written."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.report.terminal import on_one_line

Folder = Callable[..., Path]
Program = Callable[[str], str]
XSD = Path(__file__).with_name("junit.xsd")

MIXED = """
    hello()
    for line in sys.stdin:
        request = json.loads(line)
        if request["id"] == 2:
            sys.stderr.write("out of \\x1b[31mtrumps")
            sys.exit(3)
        say({**right(request), "turn": "west <&> ]]>" if request["id"] == 3 else "east"})
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def suite(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def junit(*arguments: str) -> ET.Element:
    suite("run", *arguments, "-o", "junit=report.xml")
    xmlschema.XMLSchema(str(XSD)).validate("report.xml")
    return ET.parse("report.xml").getroot()  # noqa: S314 -- our own report


def test_junit_tells_failures_errors_and_passes_apart(corpus_dir: Folder, program: Program) -> None:
    root = junit("-t", program(MIXED), "--corpus", str(corpus_dir(count=4)))
    counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "0"}
    assert [case.get("type") for case in root.iter("error")] == ["crash"]
    failure = next(root.iter("failure"))
    assert failure.get("message") == "turn: got west <&> ]]>, wanted east"
    assert "rerun: euchre-conformance run -t 'cmd:" in (failure.text or "")
    assert "east ?" in (failure.text or "")


def test_junit_says_why_a_check_was_skipped(corpus_dir: Folder, program: Program) -> None:
    folder = str(corpus_dir("where: {ruleset: standard}", "where: {ruleset: [standard, guide]}"))
    root = junit("-t", program(MIXED), "--corpus", folder)
    assert [case.get("message") for case in root.iter("skipped")] == ["not-applicable"]


def test_junit_of_a_run_that_stopped_has_an_error(corpus_dir: Folder) -> None:
    root = junit("-t", "null:", "--fail-fast", "--corpus", str(corpus_dir(count=3)))
    assert [case.get("message") for case in root.iter("error")] == ["stopped at the first failure"]


def test_junit_of_many_targets_and_verdicts_fits_the_schema() -> None:
    root = junit("-t", "referee:", "-t", "null:", "-t", "cmd:/no/such", "-k", "left bower")
    assert {case.get("type") for case in root.iter("error")} == {"incomplete"}
    assert len(list(root.iter("failure"))) > 20


def markdown(*arguments: str) -> str:
    suite("run", *arguments, "-o", "md=report.md")
    return Path("report.md").read_text(encoding="utf-8")


def test_markdown_draws_the_trick_and_names_the_rule(corpus_dir: Folder) -> None:
    text = markdown("-t", "null:", "--corpus", str(corpus_dir()))
    assert "| play | 1 | 1 |" in text
    assert "### fail: small-001 The dealer's left speaks first" in text
    assert "  west .                  east ?" in text
    assert "wanted: turn east" in text
    assert "got: nothing at all" in text
    assert "rule round-one.order: " in text


def test_markdown_is_not_broken_by_what_a_target_says(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            say({**right(json.loads(line)), "turn": "```\\n# no heading | <b>"})
        """
    )
    text = markdown("-t", spec, "--corpus", str(corpus_dir()))
    fences = [line for line in text.splitlines() if line.startswith("```")]
    assert fences[0] == fences[-1] == "````"


def test_markdown_counts_the_failures_that_it_does_not_tell(corpus_dir: Folder) -> None:
    text = markdown("-t", "null:", "--corpus", str(corpus_dir(count=60)))
    assert text.count("### fail") == 50
    assert "… and 10 more." in text
    assert "--last-failed" in text


def badge(name: str, *arguments: str) -> str:
    suite("run", *arguments, "-o", f"badge={name}")
    return Path(name).read_text(encoding="utf-8")


def test_a_badge_of_an_endpoint_has_the_fields_that_shields_reads(corpus_dir: Folder) -> None:
    shown = json.loads(badge("badge.json", "-t", "referee:", "--corpus", str(corpus_dir(count=3))))
    assert shown == {
        "schemaVersion": 1,
        "label": "euchre conformance",
        "message": "3 of 3 pass",
        "color": "brightgreen",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-t", "null:"), "0 of 3 pass"),
        (("-t", "referee:"), "3 of 3 pass"),
        (("-t", "null:", "--fail-fast"), "incomplete"),
    ],
)
def test_a_badge_is_an_image_that_says_how_it_stands(
    corpus_dir: Folder, arguments: tuple[str, ...], message: str
) -> None:
    drawing = badge("badge.svg", *arguments, "--corpus", str(corpus_dir(count=3)))
    root = ET.fromstring(drawing)  # noqa: S314 -- our own badge
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("aria-label") == f"euchre conformance: {message}"
    assert message in [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]


WRONG = [
    ("xml=out", "cannot write the report 'xml=out' (write -o jsonl=FILE, junit=FILE"),
    ("junit=", "cannot write the report 'junit='"),
    ("md=/no/such/r.md", "cannot write '/no/such/r.md': there is no folder '/no/such'"),
    ("html=file", "cannot write 'file': it is a file (name another folder)"),
    ("md=folder", "cannot write 'folder': it is a folder (name another file)"),
    ("badge=b.png", "cannot write the badge 'b.png': name a file that ends in .svg or .json"),
    ("md=same,junit=same", "two reports would be written to 'same'"),
    ("jsonl=a,jsonl=b", "one event log is enough: leave out 'jsonl=b'"),
]


@pytest.mark.parametrize(("word", "message"), WRONG)
def test_a_report_that_cannot_be_written_is_said_before_the_run(
    tmp_path: Path, word: str, message: str
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    found = suite("run", "-t", "cmd:/no/such", "-o", word)
    assert found.exit_code == 2
    assert message in found.output
    assert len(found.output.splitlines()) == 1


def test_a_report_may_go_to_a_pipe(corpus_dir: Folder) -> None:
    found = suite("run", "-t", "null:", "--corpus", str(corpus_dir()), "-o", "md=/dev/null")
    assert found.exit_code == 1


def test_the_rerun_command_of_a_failure_asks_that_check_again(
    corpus_dir: Folder, program: Program
) -> None:
    arguments = ["-t", program(MIXED), "--corpus", str(corpus_dir(count=4)), "--timeout", "3"]
    root = junit(*arguments)
    text = next(root.iter("failure")).text or ""
    command = next(line for line in text.splitlines() if line.startswith("rerun: "))
    words = command.removeprefix("rerun: euchre-conformance ")
    again = CliRunner().invoke(main, words)
    assert "1 cases, 1 checks, 1 executed" in again.output
    assert "--timeout 3" in words


def test_a_failure_stays_on_one_line_whatever_the_target_says() -> None:
    assert on_one_line("oops\nsecond\x00\x1b[31m é") == "oops\\nsecond\\x00\\x1b[31m é"
