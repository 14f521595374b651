"""The corpus as a whole: consistent, passed by both engines, failed by what is wrong."""

import re
from pathlib import Path

import pytest

from conformance.corpus import HOME, Corpus
from conformance.lint import lint, lock_problems
from conformance.oracle import RULE_OF
from conformance.report import failing_share
from conformance.rulebook import check_quotes, seeds_dir
from conformance.runner import Run, run
from conformance.targets import open_target
from tests.corpus import checks, corpus


def ran(spec: str) -> Run:
    return run(open_target(spec, corpus().rulesets), corpus(), checks(), strict=True)


def test_the_corpus_is_consistent_and_the_oracle_passes_it() -> None:
    assert lint(corpus()).problems == ()


def test_the_referee_passes_every_case_under_every_rule_set() -> None:
    done = ran("referee:")
    assert done.failed() == []
    assert done.executed() == len(checks())
    assert {result.check.ruleset for result in done.results} == set(corpus().rulesets.maps)


@pytest.mark.parametrize("spec", ["null:", "wrong:"])
def test_a_target_that_is_always_wrong_fails_every_chapter(spec: str) -> None:
    shares = failing_share(ran(spec))
    assert set(shares) == {case.chapter for case in corpus().cases}
    assert min(shares.values()) >= 0.9


def test_every_chapter_of_a_case_is_a_chapter_of_the_rule_book() -> None:
    assert {case.chapter for case in corpus().cases} <= set(corpus().rulebook.chapters)


def test_every_rule_that_must_hold_here_and_can_be_asked_has_a_case() -> None:
    asked = {rule for case in corpus().cases for rule in case.rules}
    book = corpus().rulebook.rules
    silent = {rule.id for rule in book.values() if rule.level == "must"} - asked
    assert silent == {"cut.right"}


def test_every_known_trap_and_every_worked_deal_has_a_case() -> None:
    whys = " ".join(case.why for case in corpus().cases)
    traps = {int(item) for item in re.findall(r"Item (\d+) of the situations", whys)}
    assert traps == set(range(1, 56))
    worked = {int(number) for number in re.findall(r"\bF(\d+)\b", whys)}
    assert worked == set(range(1, 11))


def test_every_rule_that_refuses_has_cases_of_what_it_accepts_too() -> None:
    refused: set[str] = set()
    accepted: set[str] = set()
    for case in corpus().cases:
        told = case.op == "apply" and case.then.get("refused") not in (None, "none")
        (refused if told else accepted).update(case.rules)
    assert refused <= accepted
    assert set(RULE_OF.values()) <= refused


def test_every_reason_for_a_refusal_that_this_release_gives_has_two_cases() -> None:
    seen: dict[object, int] = {}
    for case in corpus().cases:
        reason = case.then.get("refused")
        seen[reason] = seen.get(reason, 0) + 1
    for reason in (
        *("GAME_OVER", "HAND_OVER", "SITTING_OUT", "NOT_YOUR_TURN", "UNKNOWN_ACTION"),
        *("WRONG_PHASE", "CARD_NOT_HELD", "MUST_FOLLOW_SUIT", "SUIT_TURNED_DOWN", "DEALER_STUCK"),
        *("NEEDS_TRUMP", "ALONE_NOT_ALLOWED", "ALONE_TOO_LATE", "DEFEND_ALONE_OFF"),
    ):
        assert seen[reason] >= 2, reason


def test_a_quote_that_its_page_does_not_hold_is_found(tmp_path: Path) -> None:
    book = corpus().rulebook
    for page in book.pages.values():
        (tmp_path / page.file).write_text("another page\n", encoding="ascii")
    found = check_quotes(book, tmp_path)
    assert len(found.problems) == len(book.pages)
    assert found.checked == 0


def test_the_quotes_are_those_of_the_pages_where_the_pages_are_at_hand() -> None:
    found = check_quotes(corpus().rulebook, seeds_dir(HOME))
    assert found.problems == ()
    assert found.checked + found.unchecked >= 80


def test_a_changed_meaning_is_found_by_the_lock() -> None:
    changed = Corpus(
        cases=corpus().cases,
        rulebook=corpus().rulebook,
        rulesets=corpus().rulesets,
        sha256="",
        warnings=(),
        lock={case.id: "0" * 16 for case in corpus().cases} | {"gone-001": "0" * 16},
    )
    problems = list(lock_problems(changed))
    assert len(problems) == len(corpus().cases) + 1
    assert "the meaning of case" in problems[0]
    assert "the case gone-001 is gone" in problems[-1]
