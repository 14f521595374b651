"""Deals of rare kinds, and the search for a question that tells two engines apart."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.corpus import load
from conformance.generate import KINDS, Played, played
from conformance.generate.search import search, shrunk
from conformance.jsontypes import Json, map_of
from conformance.mutants import mutants
from conformance.oracle import answer as oracle
from conformance.oracle.answer import hand_of
from conformance.targets.referee import answer as referee
from tests.corpus import corpus

DEALS = 60


def repeatable(seed: str) -> Random:
    return Random(seed)  # noqa: S311 -- a test repeats itself


def some(kind: str, name: str, **changes: str) -> list[Played]:
    chance = repeatable(f"{kind} {name}")
    rules = {**corpus().rulesets.maps[name], **changes}
    return [played(chance, kind, name, rules) for _ in range(DEALS)]


def share(deals: list[Played], *ends: str) -> float:
    return sum(any(text in deal.actions for text in ends) for deal in deals) / len(deals)


def test_players_go_alone_in_deals_of_loners() -> None:
    lone = [deal for deal in some("loner", "standard") if "alone" in " ".join(deal.actions)]
    assert len(lone) > DEALS * 0.8


def test_the_dealer_is_stuck_in_deals_of_stuck_dealers() -> None:
    stuck = [deal for deal in some("stuck", "standard") if deal.actions[:7] == ("pass",) * 7]
    assert len(stuck) > DEALS * 0.3


def test_deals_are_thrown_in() -> None:
    thrown = [deal for deal in some("throw-in", "throw-in") if deal.actions == ("pass",) * 8]
    assert len(thrown) > DEALS * 0.2


def test_defenders_go_alone() -> None:
    assert share(some("defend-alone", "defend-alone"), "alone") > 0.3


def test_house_hands_are_used() -> None:
    deals = some("house", "standard", farmers_hand="redeal", ace_no_face="redeal")
    assert share(deals, "redeal") > 0.5


def test_the_left_bower_is_led() -> None:
    leads: Counter[str] = Counter()
    for deal in some("left-lead", "standard"):
        first = next((text for text in deal.actions if text.startswith("play")), "")
        before = deal.actions[: deal.actions.index(first)] if first else ()
        trump = hand_of(deal.rules, deal.deal, before).trump
        leads[f"{first[5:6]}{trump == {'C': 'S', 'S': 'C', 'D': 'H', 'H': 'D'}[first[6]]}"] += 1
    assert leads["JTrue"] > DEALS * 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_whole_deal_that_the_referee_plays_alike(kind: str) -> None:
    name = "throw-in" if kind == "throw-in" else "standard"
    for deal in some(kind, name, pack="E25", no_trump="round_two")[:10]:
        request: dict[str, Json] = {"op": "replay", "rules": deal.rules, "deal": deal.deal}
        request |= {"tricks": [], "actions": list(deal.actions)}
        assert oracle(request) == referee(request)


def test_the_search_finds_nothing_between_engines_that_agree() -> None:
    found = search(repeatable("same"), corpus().rulesets, referee, referee, deals=10)
    assert list(found) == []


def test_a_difference_is_found_and_made_simpler() -> None:
    wrong = mutants(corpus().rulesets)["stuck-dealer-passes"].answer
    chance = repeatable("stuck")
    found = next(search(chance, corpus().rulesets, wrong, referee, deals=200, kinds=["stuck"]))
    simple = shrunk(found, corpus().rulesets, wrong, referee)
    assert simple.request["op"] == "legal"
    named = corpus().rulesets.maps[str(simple.request["ruleset"])]
    rules = map_of(simple.request["rules"], "rules")
    assert {knob for knob in named if rules[knob] != named[knob]} <= {"pack"}
    assert simple.right != simple.other


def test_what_is_found_is_a_draft_that_the_corpus_loads(tmp_path: Path) -> None:
    words = ["fuzz", "--against", "mutant:ignores-points-march", "--kind", "march"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1, result.output
    head = "format: euchre-conformance/1\nchapter: score\ntopic: draft\ncases:\n"
    (tmp_path / "draft.yaml").write_text(head + result.output, encoding="utf-8")
    (case,) = load(tmp_path).cases
    assert case.status == "draft"


def test_the_same_seed_finds_the_same_and_appends_drafts_that_lint(tmp_path: Path) -> None:
    out = tmp_path / "draft.yaml"
    words = ["fuzz", "--against", "mutant:stuck-dealer-passes", "--kind", "stuck", "-o", str(out)]
    first, second = CliRunner().invoke(main, words), CliRunner().invoke(main, words)
    assert first.exit_code == 1, first.output
    assert first.output.replace("draft-001", "draft-002") == second.output
    cases = load(tmp_path).cases
    assert [case.id for case in cases] == ["draft-001", "draft-002"]
    assert CliRunner().invoke(main, ["lint", "--corpus", str(tmp_path)]).exit_code == 0
    assert "north (dealer) ?" in out.read_text(encoding="utf-8")


def test_a_difference_is_printed_as_json() -> None:
    words = ["fuzz", "--against", "mutant:stuck-dealer-passes", "--kind", "stuck", "--json"]
    (line,) = CliRunner().invoke(main, words).output.splitlines()
    report = json.loads(line)
    assert report["fields"] == ["legal"]
    assert "pass" in report["got"]["legal"]
    assert "pass" not in report["right"]["legal"]


def test_a_breakdown_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_engine.py").write_text(
        "def answer(request):\n"
        "    if request['op'] == 'hello':\n"
        "        return {'protocol': 1, 'ops': ['legal'], 'rulesets': ['standard']}\n"
        "    raise RuntimeError('always')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    result = CliRunner().invoke(main, ["fuzz", "--against", "py:broken_engine:answer"])
    assert result.exit_code == 1
    assert "py:broken_engine:answer broke down" in result.output
    assert "when: {ask: legal}" in result.output


def test_what_is_not_claimed_is_asked_with_everything_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "modest_engine.py").write_text(
        "from conformance.oracle import answer as right\n"
        "def answer(request):\n"
        "    if request['op'] == 'hello':\n"
        "        return {'protocol': 1, 'ops': ['legal'], 'rulesets': ['standard']}\n"
        "    known = request['op'] == 'legal' and request['ruleset'] == 'standard'\n"
        "    return right(request) if known else {'turn': 'nobody'}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["fuzz", "--against", "py:modest_engine:answer", "--deals", "10"]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert CliRunner().invoke(main, [*words, "--everything"]).exit_code == 1


def test_a_given_case_is_made_simpler() -> None:
    words = ["fuzz", "--against", "mutant:stuck-dealer-passes", "--kind", "stuck"]
    draft = CliRunner().invoke(main, words).output
    spec = ["--against", "mutant:stuck-dealer-passes"]
    again = CliRunner().invoke(main, ["shrink", "-", *spec], input=draft)
    assert again.exit_code == 1, again.output
    assert again.output.splitlines()[1:] == draft.splitlines()[1:]
    right = CliRunner().invoke(main, ["shrink", "-", "--against", "oracle:"], input=draft)
    assert right.exit_code == 0
    assert "nothing to shrink" in right.output


def test_a_copied_corpus_gives_the_same_cases(tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    result = CliRunner().invoke(main, ["copy", str(folder)])
    assert result.exit_code == 0, result.output
    assert load(folder).sha256 == corpus().sha256
    assert (folder / "LICENSE").read_text().startswith("SPDX-License-Identifier: CC0")
    assert CliRunner().invoke(main, ["copy", str(folder)]).exit_code == 2


def test_no_difference_exits_0() -> None:
    result = CliRunner().invoke(main, ["fuzz", "--against", "oracle:", "--deals", "5"])
    assert (result.exit_code, result.output) == (0, "no difference in 5 deals\n")


def test_the_kinds_are_listed() -> None:
    result = CliRunner().invoke(main, ["fuzz", "--list"])
    assert [line.split()[0] for line in result.output.splitlines()] == list(KINDS)
