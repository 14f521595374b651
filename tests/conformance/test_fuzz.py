"""`fuzz` as a program: it ends in time, is interrupted in order, and finds the same again."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.case import Case
from conformance.check import first_request
from conformance.cli import main
from conformance.corpus import load
from conformance.jsontypes import Json, Record, map_of, texts_of
from conformance.mutants import mutants
from conformance.oracle import answer as oracle
from tests.corpus import corpus

Program = Callable[[str], str]
SUITE = (sys.executable, "-c", "from conformance.cli import main; main()")
ENDLESS = ("--deals", "1000000000", "--count", "1000000000")
STUCK = ("--against", "mutant:stuck-dealer-passes", "--kind", "stuck")


def drafts(path: Path) -> list[Case]:
    """The cases of a file that `fuzz` has written, as the corpus reads them."""
    return list(load(path.parent).cases)


def test_a_search_ends_when_its_seconds_are_over_and_tells_what_it_found(tmp_path: Path) -> None:
    out = tmp_path / "found" / "draft.yaml"
    out.parent.mkdir()
    words = ["fuzz", "--against", "wrong:", *ENDLESS, "--seconds", "1", "-o", str(out)]
    ended = subprocess.run([*SUITE, *words], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "")
    found = drafts(out)
    assert found
    assert ended.stdout.count("  - id: draft-") == len(found)


def test_the_numbers_of_a_topic_come_to_an_end(tmp_path: Path) -> None:
    out = tmp_path / "found" / "draft.yaml"
    out.parent.mkdir()
    words = ["fuzz", "--against", "wrong:", *ENDLESS, "-o", str(out)]
    assert CliRunner().invoke(main, ["fuzz", "--against", "wrong:", "-o", str(out)]).exit_code == 1
    text = out.read_text(encoding="utf-8")
    out.write_text(text.replace("draft-001", "draft-997"), encoding="utf-8")
    last = CliRunner().invoke(main, words)
    assert (last.exit_code, last.stderr) == (
        1,
        "draft-999 is the last of its topic (--topic names another)\n",
    )
    assert [case.id for case in drafts(out)] == ["draft-997", "draft-998", "draft-999"]
    beyond = CliRunner().invoke(main, words)
    assert beyond.exit_code == 2
    assert "has draft-999 already (--topic names another)" in beyond.stderr


SLOW = """
hello()
for line in sys.stdin:
    open({note!r}, "a").write("x")
    time.sleep(0.2)
    say({{"id": json.loads(line)["id"], "turn": "nobody"}})
"""


def test_the_seconds_are_over_for_a_difference_that_is_being_made_simpler_too(
    program: Program, tmp_path: Path
) -> None:
    out = tmp_path / "found" / "draft.yaml"
    out.parent.mkdir()
    note = tmp_path / "asked"
    spec = program(SLOW.format(note=str(note)))
    words = ["fuzz", "--against", spec, *ENDLESS, "--seconds", "4", "-o", str(out)]
    ended = subprocess.run([*SUITE, *words], capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stderr
    assert [case.id for case in drafts(out)] == ["draft-001"]
    assert len(note.read_text()) <= 4 / 0.2 + 1


HANGING = """
open({pid!r}, "w").write(str(os.getpid()))
hello()
for number, line in enumerate(sys.stdin):
    if number == 5:
        open({reached!r}, "w").close()
        time.sleep(600)
    say({{"id": json.loads(line)["id"], "turn": "nobody"}})
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_found_is_kept_when_the_search_is_interrupted(
    program: Program, tmp_path: Path, number: signal.Signals
) -> None:
    pid, reached = tmp_path / "pid", tmp_path / "reached"
    out = tmp_path / "found" / "draft.yaml"
    out.parent.mkdir()
    spec = program(HANGING.format(pid=str(pid), reached=str(reached)))
    words = ["fuzz", "--against", spec, *ENDLESS, "-o", str(out), "--timeout", "600"]
    with subprocess.Popen(
        [*SUITE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as search:
        while not reached.exists():
            assert search.poll() is None
        search.send_signal(number)
        said, warned = search.communicate()
    assert search.returncode == 130, warned
    assert warned == "interrupted after 1 difference\n"
    assert [case.id for case in drafts(out)] == ["draft-001"]
    assert "  - id: draft-001\n" in said
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.yaml", "two.yaml")]
    said = []
    for path in files:
        words = ["fuzz", "--against", "mutant:jack-below-ten", "--count", "3", "--seed", "7"]
        ended = subprocess.run([*SUITE, *words, "-o", str(path)], capture_output=True, check=False)
        said.append(ended.stdout)
    one, two = (path.read_bytes() for path in files)
    assert one == two
    assert said[0] == said[1]
    assert one.count(b"  - id: draft-") == 3


SHRUNK = {
    "stuck-dealer-passes": ("stuck", "legal"),
    "left-follows-its-printed-suit": ("left-lead", "legal"),
    "throw-in-keeps-the-dealer": ("throw-in", "replay"),
    "counts-tricks-from-zero": ("random", "adjudicate"),
}
"""Wrong engines, each with a kind of deal that shows it, and what is asked in the end."""


def found_in(name: str, folder: Path) -> Record:
    """The one request of the draft that `fuzz` writes against a mutant."""
    out = folder / "draft.yaml"
    words = ["fuzz", "--against", f"mutant:{name}", "--kind", SHRUNK[name][0], "-o", str(out)]
    assert CliRunner().invoke(main, words).exit_code == 1
    (case,) = drafts(out)
    return first_request(case, corpus().rulesets)


def without_some_in_a_row(items: list[str]) -> list[list[str]]:
    cuts = range(len(items) + 1)
    return [items[:start] + items[end:] for start in cuts for end in cuts if start < end]


def with_less(request: Record) -> list[dict[str, Json]]:
    """The request with one thing left out: actions in a row, a trick, a claim, the deal, a knob."""
    whole = dict(request)
    said = texts_of(request.get("actions", []), "actions")
    found: list[dict[str, Json]] = [
        {**whole, "actions": kept} for kept in without_some_in_a_row(said)
    ]
    found += [{key: whole[key] for key in whole if key != "score"}] if "score" in whole else []
    claims = request.get("claims", [])
    assert isinstance(claims, list)
    found += [{**whole, "claims": claims[:at] + claims[at + 1 :]} for at in range(len(claims))]
    if "record" in request:
        record = map_of(request["record"], "record")
        tricks = record["tricks"]
        assert isinstance(tricks, list)
        found += [{**whole, "record": {**record, "tricks": tricks[:-1]}}] * (len(tricks) > 1)
    return found


@pytest.mark.parametrize("name", SHRUNK)
def test_nothing_more_can_be_left_out_of_what_is_found(name: str, tmp_path: Path) -> None:
    rulesets = corpus().rulesets
    wrong = mutants(rulesets)[name].answer
    request = found_in(name, tmp_path)
    assert request["op"] == SHRUNK[name][1]
    assert request["rules"] == rulesets.maps[str(request["ruleset"])]
    assert wrong(request) != oracle(request)
    still_found = [
        less
        for less in with_less(request)
        if "error" not in oracle(less) and wrong(less) != oracle(less)
    ]
    assert still_found == []


def test_drafts_lint_in_a_copy_of_the_corpus_also_where_they_are_made_stable(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy"
    assert CliRunner().invoke(main, ["copy", str(copy)]).exit_code == 0
    out = copy / "cases" / "draft.yaml"
    for name, (kind, _) in SHRUNK.items():
        words = ["fuzz", "--against", f"mutant:{name}", "--kind", kind, "-o", str(out)]
        assert CliRunner().invoke(main, words).exit_code == 1
    text = out.read_text(encoding="utf-8")
    out.write_text(text.replace("    status: draft\n", "", 3), encoding="utf-8")
    found = [case for case in load(copy).cases if case.topic == "draft"]
    assert [case.status for case in found] == ["stable", "stable", "stable", "draft"]
    assert [case.id for case in found] == [f"draft-00{number}" for number in (1, 2, 3, 4)]
    linted = CliRunner().invoke(main, ["lint", "--corpus", str(copy)])
    assert linted.exit_code == 0, linted.output
