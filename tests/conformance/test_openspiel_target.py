"""OpenSpiel's Euchre as a target: it fails what openspiel.yaml states, and nothing else."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

import conformance
from conformance.check import checks_of
from conformance.corpus import Corpus, load
from conformance.runner import Failure, Run, run
from conformance.targets import open_target
from conformance.verdict import Verdict

pytest.importorskip("pyspiel", reason="open-spiel has no wheel for this Python")

STATED = Path(conformance.__file__).parent / "targets" / "openspiel.yaml"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load()


@pytest.fixture(scope="module")
def done(corpus: Corpus) -> Run:
    return run(open_target("openspiel:", corpus.rulesets), corpus, list(checks_of(corpus)))


def entries() -> list[dict[str, str]]:
    found: list[dict[str, str]] = yaml.safe_load(STATED.read_text(encoding="utf-8"))
    return found


def stated() -> Iterator[tuple[str, str]]:
    for entry in entries():
        for check in entry["cases"].split():
            yield check, entry["got"]


def said(failures: Mapping[str, Failure], check: str) -> str:
    if check not in failures:
        return "nothing wrong"
    fault = failures[check]
    label = f"{fault.step.label}: " if fault.step.label else ""
    return label + "; ".join(fault.problems)


def test_every_failure_is_stated_and_every_statement_is_a_failure(done: Run) -> None:
    failures = {result.check.id: result.failures[0] for result in done.failed()}
    pattern = {check: ".*".join(map(re.escape, got.split("*"))) for check, got in stated()}
    assert sorted(pattern) == sorted(check for check, _ in stated()), "stated twice"
    assert sorted(failures) == sorted(pattern)
    other = {
        check: said(failures, check)
        for check, wanted in pattern.items()
        if not re.fullmatch(wanted, said(failures, check), re.DOTALL)
    }
    assert other == {}


def test_every_statement_names_a_rule_and_a_reason(corpus: Corpus) -> None:
    for entry in entries():
        rule, _, reason = entry["reason"].partition(": ")
        assert rule in corpus.rulebook.rules
        assert reason


def test_it_fails_and_never_breaks_down(done: Run) -> None:
    assert {result.verdict for result in done.failed()} == {Verdict.FAIL}
    assert not done.stopped


def test_it_is_asked_under_the_three_rule_sets_that_its_parameters_give(done: Run) -> None:
    asked = {"pass": set[str](), "fail": set[str]()}
    for result in done.results:
        if result.word in asked:
            asked[result.word].add(result.check.ruleset)
    assert asked["pass"] == {"standard", "throw-in", "defend-alone"}
    assert asked["fail"] == asked["pass"]


@pytest.mark.parametrize("chapter", ["alone", "calling", "discard", "play", "rank", "view"])
def test_it_passes_some_checks_of_the_chapter(done: Run, chapter: str) -> None:
    words = [result.word for result in done.results if result.check.case.chapter == chapter]
    assert words.count("pass") > words.count("fail") // 2
