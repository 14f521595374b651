"""The rule book for people: the page and the shipped data are what the corpus says."""

import pytest

from conformance.book import book, live
from conformance.cli.book import DATA, PAGE, POSITIONS
from conformance.drawing import drawn
from conformance.knobwords import knobwords
from conformance.positions import positions
from conformance.rulebookpage import rulebook_page
from tests.corpus import corpus


@pytest.mark.heavy
def test_the_rule_book_page_is_that_of_the_corpus() -> None:
    assert PAGE.read_text(encoding="utf-8") == rulebook_page(corpus()), "run make book"


@pytest.mark.heavy
def test_the_shipped_data_are_those_of_the_corpus() -> None:
    assert DATA.read_bytes() == book(corpus()), "run make book"


@pytest.mark.heavy
def test_the_shipped_positions_are_those_of_the_corpus() -> None:
    assert POSITIONS.read_bytes() == positions(corpus()), "run make book"


def test_every_value_of_every_knob_has_words() -> None:
    words = knobwords(corpus().rulesets)
    assert words["target"].of("7") == "The first side with 7 points or more wins."
    assert words["all_pass"].of("stick") == "The dealer may not pass last (stick the dealer)."
    assert all(one.asks for one in words.values())


def test_a_trick_is_drawn_with_its_four_seats() -> None:
    case = corpus().case("follow-001")
    assert case is not None
    assert drawn(case, corpus().rulesets) == [
        "            north (dealer) .",
        "  west .                  east [AD] led",
        "            south ?",
        "  upcard QH taken; trump hearts; north made it; south to act",
        "  south holds JD JS KS QC TD",
        "asked: what is legal?",
        "answer: turn south; legal play TD",
    ]


def test_every_live_case_can_be_drawn() -> None:
    for case in live(corpus()):
        assert drawn(case, corpus().rulesets)[-2].startswith("asked: ")
