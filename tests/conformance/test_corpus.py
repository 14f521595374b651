"""The corpus as a whole: consistent, passed by the oracle, failed by what is wrong."""

from conformance.check import checks_of
from conformance.corpus import load
from conformance.lint import lint
from conformance.report import failing_share
from conformance.runner import run
from conformance.targets import open_target


def test_the_corpus_is_consistent_and_the_oracle_passes_it() -> None:
    assert lint(load()).problems == ()


def test_a_target_that_answers_nothing_fails_every_chapter() -> None:
    corpus = load()
    done = run(open_target("null:", corpus.rulesets), corpus, list(checks_of(corpus)))
    assert min(failing_share(done).values()) >= 0.9


def test_a_target_that_is_always_wrong_fails_every_chapter() -> None:
    corpus = load()
    done = run(open_target("wrong:", corpus.rulesets), corpus, list(checks_of(corpus)))
    assert min(failing_share(done).values()) >= 0.9
