"""Fingerprints: a target that plays one rule set is told, whatever rules it is sent."""

import json
import shlex
import sys
from importlib.resources import files

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.fingerprint import Fingerprint
from conformance.fingerprint.bracket import Toward, sought
from conformance.fingerprint.variations import Variation, variations
from conformance.jsontypes import Record, list_of
from conformance.mutants import mutants
from conformance.oracle import answer as oracle
from conformance.targets.referee import answer as referee
from tests.conformance.fingerprinting import Answer, fixed, left_open, taken, unlike
from tests.corpus import corpus


@pytest.mark.parametrize("engine", [oracle, referee], ids=["oracle", "referee"])
@pytest.mark.parametrize("name", corpus().rulesets.maps)
def test_a_target_that_plays_one_named_rule_set_is_told(name: str, engine: Answer) -> None:
    found = taken(fixed(engine, corpus().rulesets.maps[name]))
    assert (found.nearest, found.turned, found.fits) == (name, (), True)


TURNED = [
    one
    for one in variations(corpus().rulesets, "standard")
    if not one.rules[one.knob].isdigit() or one.rules[one.knob] in "013"
]
"""Standard with each knob turned to each other word, and to a few of its numbers."""


@pytest.mark.parametrize("one", TURNED, ids=lambda one: one.name)
def test_a_target_that_plays_standard_with_one_knob_turned_is_told(one: Variation) -> None:
    engine = referee if TURNED.index(one) % 2 else oracle
    check_variation(one, taken(fixed(engine, one.rules)))


def check_variation(one: Variation, found: Fingerprint) -> None:
    """The knob is named with its value, or it is said that its values answer alike."""
    assert found.fits
    assert unlike(found, one.rules) == set()
    named = corpus().rulesets.maps[found.nearest]
    differing = {knob for knob in named if named[knob] != one.rules[knob]}
    open_knobs = {left.knob for left in found.untold}
    assert one.knob not in open_knobs or one.knob in left_open(one.rules)
    turned = {turn.knob for turn in found.turned}
    assert differing - open_knobs <= turned <= differing
    assert all(turn.told_by for turn in found.turned)


@pytest.mark.parametrize("value", ["0", "99"])
def test_a_target_that_answers_an_error_beyond_the_end_of_a_game_is_told(value: str) -> None:
    rules = {**corpus().rulesets.maps["standard"], "points_made": value}
    check_variation(
        Variation(base="standard", knob="points_made", rules=rules), taken(fixed(referee, rules))
    )


@pytest.mark.parametrize("here", range(1, 100))
def test_a_number_is_found_by_few_questions_none_far_above_it(here: int) -> None:
    asked: list[int] = []

    def look(number: int) -> Toward:
        asked.append(number)
        return Toward.UP if number < here else Toward.DOWN

    assert sought(look, 1, 99) == here
    assert max(asked) <= max(2 * here, 3)
    assert len(asked) == len(set(asked)) <= 14
    assert sought(look, 1, here - 1) is None
    assert sought(lambda number: Toward.HERE if number == here else look(number), 1, 99) == here


def test_only_short_games_are_asked_about_to_learn_that_games_are_short() -> None:
    rules = {**corpus().rulesets.maps["standard"], "deals": "12"}
    longest = 0

    def answer(request: Record) -> Record:
        nonlocal longest
        if request["op"] == "game":
            longest = max(longest, len(list_of(request["deals"], "deals")))
        return referee(request)

    found = taken(fixed(answer, rules))
    assert ("deals", "12") in [(turn.knob, turn.value) for turn in found.turned]
    assert longest < 2 * 12


def test_only_what_no_answer_shows_cannot_be_told() -> None:
    found = taken(fixed(oracle, corpus().rulesets.maps["standard"]))
    assert {one.knob: one.why for one in found.untold} == {
        "cut": "no answer shows it",
        "enforcement": "no answer shows it",
        **dict.fromkeys(
            ("points_euchre_all_five", "points_lone_euchred", "points_lone_defender"),
            "nothing that can happen under its other rules depends on it",
        ),
    }


def test_a_target_that_follows_the_rules_it_is_sent_is_told() -> None:
    found = taken(referee)
    assert (found.follows, found.fits, found.turned) == (True, True, ())
    assert next(found.lines()).endswith("follows the rules it is sent")


def referee_of_nothing(_: Record) -> Record:
    raise RuntimeError("always")


@pytest.mark.parametrize("name", ["ignores-all-pass", "ignores-target", "ignores-points-march"])
def test_a_target_that_follows_all_rules_but_one_is_told(name: str) -> None:
    found = taken(mutants(corpus().rulesets)[name].answer)
    assert found.follows
    assert [turn.knob.replace("_", "-") for turn in found.turned] == [name[len("ignores-") :]]


@pytest.mark.parametrize("name", ["standard", "throw-in", "ontario", "guide", "winnipeg"])
@pytest.mark.parametrize("op", ["legal", "replay"])
def test_a_target_that_answers_one_op_only_is_told_as_far_as_that_goes(name: str, op: str) -> None:
    rules = corpus().rulesets.maps[name]
    found = taken(fixed(oracle, rules), ops=[op])
    assert found.fits
    assert unlike(found, rules) == set()
    assert any(one.knob == "packets" and "deck" in one.why for one in found.untold)


def test_a_target_with_a_fault_fits_no_rule_set_and_its_nearest_is_given() -> None:
    rules = corpus().rulesets.maps["ontario"]
    wrong = mutants(corpus().rulesets)["left-follows-its-printed-suit"].answer
    found = taken(fixed(wrong, rules))
    assert (found.nearest, found.fits) == ("ontario", False)
    assert any(text.startswith("fits no rule set: ") for text in found.lines())


def test_a_target_that_crashes_at_times_is_told_by_the_rest() -> None:
    right = fixed(oracle, corpus().rulesets.maps["british"])

    def answer(request: Record) -> Record:
        number = request["id"]
        if isinstance(number, int) and number % 7 == 0:
            raise RuntimeError("now and then")
        return right(request)

    found = taken(answer)
    assert (found.nearest, found.turned) == ("british", ())
    assert "broke down" in list(found.lines())[-1]


def test_a_target_that_always_crashes_is_asked_no_more_and_exits_6() -> None:
    result = CliRunner().invoke(main, ["fingerprint", "-t", "py:os:abort_not_there"])
    assert result.exit_code == 4
    found = taken(referee_of_nothing)
    assert (found.answers, len(found.breakdowns)) == (0, 5)


def test_a_target_that_answers_nothing_right_is_not_called_a_rule_set() -> None:
    result = CliRunner().invoke(main, ["fingerprint", "-t", "null:"])
    assert result.exit_code == 1
    assert "fits no rule set" in result.output


def test_the_fingerprint_is_printed_as_json() -> None:
    result = CliRunner().invoke(main, ["fingerprint", "-t", "mutant:ignores-all-pass", "--json"])
    assert result.exit_code == 0
    report = json.loads(result.output)
    assert report["follows"] is True
    assert [(one["knob"], one["value"]) for one in report["knobs"]] == [("all_pass", "stick")]


def test_a_target_that_refuses_rules_it_does_not_claim_is_told_by_those_it_claims() -> None:
    rules = corpus().rulesets.maps["ontario"]

    def answer(request: Record) -> Record:
        return oracle(request) if request["rules"] == rules else {"error": "not my rules"}

    own = {knob: [value] for knob, value in rules.items()}
    found = taken(answer, rulesets=["ontario"], knobs=own)
    assert (found.nearest, found.turned, found.follows_unknown) == ("ontario", (), True)


def seen_only(request: Record) -> Record:
    """An engine that reads the view alone, and takes a request without one for a deal that ended.

    Its legal actions are those of the oracle, which would be the same from the view.
    """
    if "view" in request:
        return oracle(request)
    return {"phase": "over", "legal": [], "closed": True}


def test_a_target_that_reads_the_view_alone_is_told() -> None:
    found = taken(seen_only, ops=["legal"])
    assert (found.follows, found.fits, found.turned) == (True, True, ())


def test_what_is_not_claimed_is_told_apart_from_what_is_wrong() -> None:
    adapter = files("conformance.targets") / "adapters" / "python" / "adapter.py"
    command = shlex.join([sys.executable, str(adapter)])
    result = CliRunner().invoke(main, ["fingerprint", "-t", f"cmd:{command}", "--json"])
    found = json.loads(result.stdout)
    assert (result.exit_code, found["follows"], found["fits"]) == (0, True, True)
    assert found["wrong"] == []
    assert "defend-030@standard" in found["outside_claims"]
    always = {one["knob"]: one["value"] for one in found["knobs"]}
    assert (always["partners_best"], always["no_trump"]) == ("none", "never")
