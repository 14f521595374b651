import json

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.cli.book import book
from referee.rules import PRESETS

ONE_PAGE = 60


def said(*words: str) -> str:
    result = CliRunner().invoke(main, ["rules", *words])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_rule_is_shown_with_its_sources_its_knob_and_a_trick_drawn() -> None:
    text = said("show", "follow.left-bower-is-trump")
    assert "The left bower counts as a trump for every purpose" in text
    assert "Euchre as played in Winnipeg, line 33" in text
    assert "east [AD] led" in text
    assert "south holds JD JS KS QC TD" in text


def test_a_rule_names_the_sources_that_are_not_quoted_and_its_table_rules() -> None:
    text = said("show", "misdeal.wrong-count")
    assert "The Laws of Euchre, 1888" in text
    assert "a ruling of ours" not in text
    first, second = text.index("same_dealer: The same"), text.index("lose_deal: The deal passes")
    assert first < second
    assert "2..9: Misdeal number n in a row loses the deal." in text


def test_a_rule_that_nobody_plays_says_so() -> None:
    assert "no rule set here plays it" in said("show", "house.no-first-blood")


@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_set_cites_its_sources(name: str) -> None:
    assert "source: " in said("show", name)
    assert "\nAfter: " in said("page", name)


@pytest.mark.parametrize("name", ["winnipeg", "winnipeg-call", "british"])
def test_the_best_bower_stands_above_the_right_one_on_the_page(name: str) -> None:
    text = said("page", name)
    assert "is the best bower, the highest trump whatever suit is trump" in text
    assert "right bower, next below it" in text


def test_the_page_says_whom_the_trump_test_binds() -> None:
    assert "not the dealer who picks up" in said("page", "ontario")


def test_every_rule_can_be_shown() -> None:
    for name in book().rules:
        assert name in said("show", name)


def test_a_rule_answers_in_json() -> None:
    answer = json.loads(said("show", "round-two.stick", "--json"))
    assert answer["knobs"] == ["all_pass"]
    assert len(answer["cases"]) > 1


def test_two_rule_sets_are_told_apart_in_words() -> None:
    text = said("diff", "ontario", "standard")
    assert "The dealer's partner may only order alone." in text
    assert "If all pass twice the deal is thrown in; nobody scores." in text


def test_the_knobs_that_differ_answer_in_json() -> None:
    assert json.loads(said("diff", "quick", "standard", "--json")) == {
        "target": {"quick": "5", "standard": "10"}
    }


def test_a_rule_set_does_not_differ_from_itself() -> None:
    assert said("diff", "wec", "wec") == "wec and wec are the same\n"


def test_the_table_has_a_column_a_rule_set() -> None:
    text = said("table")
    assert all(name in text for name in PRESETS)
    assert "partner_order" in text
    assert "renege_false_claim" not in text


def test_the_rules_are_listed_by_chapter() -> None:
    text = said("list", "--rules")
    assert text.index("The pack and the seats") < text.index("Going alone")


@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_set_fits_on_one_page(name: str) -> None:
    text = said("page", name)
    assert 20 < text.count("\n") <= ONE_PAGE
    assert max(map(len, text.splitlines())) <= 92


def test_a_page_says_what_the_house_plays_and_not_what_cannot_happen() -> None:
    winnipeg = said("page", "winnipeg")
    assert "Whichever side takes three tricks or more scores" in winnipeg
    assert "a turned jack is no bower" in " ".join(winnipeg.split())
    assert "with fewer it is euchred" in said("page", "standard")
    assert "nobody makes it" in winnipeg
    assert "euchre pays" not in winnipeg
    assert "lone defender" not in said("page", "standard")


def test_a_page_can_be_markdown() -> None:
    assert said("page", "ontario", "--markdown").startswith("# Euchre: ontario\n")


@pytest.mark.parametrize(
    "words", [("show", "follow.left"), ("page", "ontaria"), ("diff", "a", "b")]
)
def test_an_unknown_name_is_one_line(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["rules", *words])
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "no such rule" in result.output
