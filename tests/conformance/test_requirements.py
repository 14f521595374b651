"""Frozen requirements: what a release asked goes on being all that is scored."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.corpus import VERSION, Corpus
from conformance.errors import UsageError
from conformance.report.log import read_log
from conformance.requirements import freeze, requirement_problems, requirements, versions
from conformance.tree import parse

Folder = Callable[..., Path]


def suite(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_the_corpus_has_a_version_of_its_own_and_it_is_printed() -> None:
    assert f"corpus {VERSION}" in suite("--version").output


def test_every_frozen_case_is_still_there(corpus: Corpus) -> None:
    assert list(requirement_problems(corpus)) == []


def test_the_version_of_the_corpus_is_frozen() -> None:
    assert VERSION in versions()
    assert len(requirements(VERSION).cases) > 1000


def test_a_frozen_set_holds_the_cases_and_rule_sets_of_its_day(
    corpus: Corpus, tmp_path: Path
) -> None:
    freeze(corpus, tmp_path)
    found = requirements(VERSION, tmp_path)
    assert set(found.cases) == {case.id for case in corpus.cases}
    assert found.rulesets == set(corpus.rulesets.maps)
    assert found.sha256 == corpus.sha256


def test_a_version_is_frozen_once(corpus: Corpus, tmp_path: Path) -> None:
    freeze(corpus, tmp_path)
    with pytest.raises(UsageError, match="is frozen already: give the corpus a new version first"):
        freeze(corpus, tmp_path)


SMALL = """
format: euchre-requirements/1
corpus: "0.1"
sha256: "00"
rulesets: [standard, whist]
cases:
  follow: "001 999"
"""


def test_lint_finds_a_frozen_case_that_is_gone(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "0.1.yaml").write_text(SMALL)
    assert list(requirement_problems(corpus, tmp_path)) == [
        (
            "requirements/0.1.yaml:7: the frozen case follow-999 is gone: "
            "mark a case withdrawn instead"
        ),
        "requirements/0.1.yaml: the frozen rule set whist is gone",
    ]


def test_lint_finds_a_set_under_the_name_of_another(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "0.2.yaml").write_text(SMALL.replace("999", "002").replace(", whist", ""))
    assert list(requirement_problems(corpus, tmp_path)) == [
        "requirements/0.2.yaml: corpus is '0.1', not '0.2'"
    ]


def test_a_malformed_set_is_a_problem_with_its_place(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "0.1.yaml").write_text(SMALL.replace("cases", "casses"))
    (problem,) = requirement_problems(corpus, tmp_path)
    assert problem.startswith("requirements/0.1.yaml:7: the file has an unknown key 'casses'")


def test_a_set_knows_what_it_scores() -> None:
    assert parse(SMALL, "0.1.yaml").pairs is not None
    found = requirements(VERSION)
    assert found.score("follow-001", "standard")
    assert not found.score("follow-999", "standard")
    assert not found.score("follow-001", "whist")


def test_what_is_newer_than_the_set_is_asked_and_not_scored(
    corpus_dir: Folder, tmp_path: Path
) -> None:
    log = tmp_path / "run.jsonl"
    folder = corpus_dir(count=2)
    text = (folder / "small.yaml").read_text().replace("small-001", "follow-001")
    (folder / "small.yaml").write_text(text)
    found = suite(
        *("run", "-t", "null:", "--corpus", str(folder), "--requirements", VERSION),
        *("-o", f"jsonl={log}"),
    )
    entries = {entry.case: entry for entry in read_log(log).entries}
    assert (entries["small-002"].verdict, entries["small-002"].judged) == ("not-scored", "fail")
    assert not entries["small-002"].bad
    assert entries["follow-001"].verdict == "fail"
    assert "2 cases, 2 checks, 1 executed, 1 failed" in found.output


def test_a_run_of_nothing_that_is_scored_is_incomplete(corpus_dir: Folder) -> None:
    folder = str(corpus_dir())
    found = suite("run", "-t", "referee:", "--corpus", folder, "--requirements", VERSION)
    assert found.exit_code == 6


def test_a_version_that_was_never_frozen_is_said() -> None:
    found = suite("run", "-t", "null:", "--requirements", "9.9")
    assert found.exit_code == 2
    assert f"no requirements of corpus '9.9' (there are: {VERSION})" in found.output


def test_the_referee_passes_what_is_required(tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    found = suite(
        *("run", "-t", "referee:", "--requirements", VERSION, "--level", "L2"),
        *("-o", f"jsonl={log}"),
    )
    assert found.exit_code == 0
    assert {entry.verdict for entry in read_log(log).entries} <= {"pass", "not-scored"}
