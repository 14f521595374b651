"""The proof itself: that it finds what is wrong with a corpus, and says so."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.check import Check
from conformance.cli import main
from conformance.errors import CorpusError
from conformance.machine.changes import changes_of, drawn
from conformance.mutants import mutants
from conformance.prove.badprograms import Bad
from conformance.prove.explained import Explained, explained
from conformance.prove.harness import harness
from conformance.prove.kills import matrix, named_mutants
from conformance.prove.metamorphic import TURNS, metamorphic
from conformance.prove.nonsense import nonsense
from conformance.prove.part import Setting
from conformance.prove.spread import pairs, rules_by_set
from conformance.prove.workers import forked
from tests.corpus import checks, corpus

EMPTY = Explained(accepting={}, knobs={}, rules={}, accepted={}, cases={}, lines=(), survivors=())


def setting(kept: tuple[Check, ...], said: Explained = EMPTY) -> Setting:
    return Setting(corpus=corpus(), checks=kept, explained=said)


def of_topic(*topics: str) -> tuple[Check, ...]:
    return tuple(check for check in checks() if check.case.topic in topics)


def test_a_mutant_that_one_topic_kills_is_a_problem() -> None:
    one = mutants(corpus().rulesets)["stuck-dealer-passes"]
    kills = matrix(setting(of_topic("stick")), [one])
    assert {check.split("-")[0] for check in kills[one.name]} == {"stick"}
    found = named_mutants(setting(of_topic("packets")))
    assert any(text.startswith("stuck-dealer-passes is killed by 0") for text in found.problems)


def test_a_case_that_kills_nothing_must_be_explained() -> None:
    idle = tuple(check for check in checks() if check.case.id == "renege-004")
    said = named_mutants(setting(idle)).problems
    assert any(text.startswith("case renege-004 kills no named mutant") for text in said)
    known = replace(EMPTY, cases={"renege-004": "a lawful twin"})
    said = named_mutants(setting(idle, known)).problems
    assert not any(text.startswith("case renege-004") for text in said)


def test_a_rule_without_a_case_is_a_problem_and_so_is_a_stale_excuse() -> None:
    stale = replace(EMPTY, rules={"play.follow-suit": "no reason"})
    said = rules_by_set(setting(of_topic("follow"), stale)).problems
    assert "rule score.table has no case, and explained.yaml does not say why" in said
    assert any(text.startswith("explained.yaml says why play.follow-suit") for text in said)


def test_rule_sets_that_no_case_tells_apart_are_a_problem() -> None:
    said = pairs(setting(of_topic("packets"))).problems
    assert "quick played in place of standard is not found" in said


def test_nonsense_is_an_error_and_every_single_knob_turned_is_judged_alike() -> None:
    found = nonsense(setting(checks()))
    assert found.problems == []
    assert int(str(found.figures["asked"])) > 500


def test_names_of_seats_and_suits_do_not_matter() -> None:
    found = metamorphic(setting(of_topic("follow", "seats", "game", "farmers", "draw")))
    assert found.problems == []


def test_a_turn_renames_seats_sides_cards_and_suits() -> None:
    quarter, suits = TURNS[0], TURNS[3]
    assert quarter.of({"turn": "west", "points": {"ns": 2, "ew": 0}}) == {
        "turn": "north",
        "points": {"ew": 2, "ns": 0},
    }
    assert suits.of(["name C alone", "play JS", "swap 9C 9D TS"]) == [
        "name S alone",
        "play JC",
        "swap 9D 9S TC",
    ]


def doubled(task: int) -> int:
    if task == 2:
        raise RuntimeError("a child that dies")
    while task == 3:
        pass
    return task * 2


def test_a_child_that_dies_or_hangs_says_nothing_and_the_others_are_heard() -> None:
    said = dict(forked([1, 2, 3, 4], doubled, jobs=2, seconds=1.0))
    assert said == {1: 2, 2: None, 3: None, 4: 8}


SOURCE = '''
def most(a: int, b: int) -> int:
    """The greater of two."""
    if a > b and a != 0:
        return a
    raise ValueError(f"{a + 1}")
'''


def becomes() -> Iterator[str]:
    return (change.becomes for change in changes_of("most.py", SOURCE))


def test_a_source_is_changed_in_one_place_at_a_time() -> None:
    assert set(becomes()) == {
        "if a >= b and a != 0:",
        "if a <= b and a != 0:",
        "if a > b or a != 0:",
        "if a > b and a == 0:",
        "if a > b and a != 1:",
        "if a > b and a != -1:",
        "if not (a > b and a != 0):",
        "return None",
    }


def test_errors_and_excused_functions_are_not_changed() -> None:
    assert "raise" not in "".join(becomes())
    excused = ["def most(a: int, b: int) -> int:"]
    assert list(changes_of("most.py", SOURCE, excused)) == []


def test_a_drawn_change_keeps_its_place_beside_others() -> None:
    all_of_them = drawn(changes_of("most.py", SOURCE), 1)
    fewer = drawn([one for one in all_of_them if "or" not in one.becomes], 1)
    assert fewer == [one for one in all_of_them if "or" not in one.becomes]


def test_more_than_ten_excluded_lines_are_refused(tmp_path: Path) -> None:
    line = "  - {file: a.py, text: x, reason: because}\n"
    sections = "".join(f"{name}: {{}}\n" for name in ("accepting", "knobs", "rules", "accepted"))
    path = tmp_path / "explained.yaml"
    path.write_text(
        f"format: euchre-explained/1\n{sections}cases: {{}}\nlines:\n{line * 11}survivors: []\n",
        encoding="utf-8",
    )
    with pytest.raises(CorpusError, match="more than 10 lines"):
        explained(path)


def test_prove_prints_a_table_a_part_and_writes_json(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    result = CliRunner().invoke(main, ["prove", "--part", "coverage", "-o", str(out)])
    assert result.exit_code == 0, result.output
    assert "proven: 1 parts are green" in result.output
    proof = json.loads(out.read_text(encoding="ascii"))
    assert proof["proven"] is True
    assert proof["parts"][0]["table"][0][0] == "rule"


def test_prove_lists_the_mutants() -> None:
    result = CliRunner().invoke(main, ["prove", "--list"])
    assert "mutant:stuck-dealer-passes  The dealer may pass" in result.output


def test_a_mutant_can_be_run_as_a_target() -> None:
    words = ["run", "-t", "mutant:stuck-dealer-passes", "-k", "stick-001"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    assert "fail stick-001" in result.output


def test_an_unknown_mutant_is_one_line() -> None:
    result = CliRunner().invoke(main, ["run", "-t", "mutant:stuck-dealer-pass"])
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "did you mean 'stuck-dealer-passes'" in result.output


EXITS = Bad(name="exits", body="os._exit(3)", wanted=("crash",))


def test_a_bad_program_that_gets_its_verdict_and_costs_one_case_is_green() -> None:
    found = harness(setting(checks()), [EXITS])
    assert found.green
    assert [row[:4] for row in found.rows] == [["exits", "crash", "crash", "1"]]


def test_a_bad_program_that_gets_or_costs_anything_else_is_a_problem() -> None:
    said = harness(setting(checks()), [replace(EXITS, wanted=("hang",), cost=0)]).problems
    assert said == [
        "a program that exits ends with crash",
        "a program that exits costs 1 cases, not 0",
    ]
