"""Adapters with one fault that real programs have had: the corpus catches each, and says which."""

import shlex
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from conformance.check import checks_of
from conformance.corpus import Corpus
from conformance.runner import run
from conformance.targets import open_target
from conformance.verdict import Verdict

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = "tests.conformance.wrong_adapters"
NAMES: Final = sorted(
    path.stem
    for path in Path(__file__).with_name("wrong_adapters").glob("*.py")
    if path.stem != "changed"
)


@pytest.fixture
def spec(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    monkeypatch.chdir(ROOT)
    return lambda name: f"cmd:{shlex.quote(sys.executable)} -m {PACKAGE}.{name}"


def test_there_are_twelve() -> None:
    assert len(NAMES) == 12


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_adapter_fails_a_case_of_the_rule_that_it_breaks(
    name: str, corpus: Corpus, spec: Callable[[str], str]
) -> None:
    rule = import_module(f"{PACKAGE}.{name}").RULE
    cases = [case for case in corpus.cases if rule in case.rules]
    done = run(open_target(spec(name), corpus.rulesets), corpus, list(checks_of(corpus, cases)))
    assert done.hello.name == "small-euchre-python"
    assert Verdict.FAIL in {result.verdict for result in done.failed()}
