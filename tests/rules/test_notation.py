from collections.abc import Callable

import pytest

from referee.rules import (
    ACTION_TEXTS,
    Hand,
    Seat,
    UnknownSeatError,
    action_text,
    fallback_action,
    parse_action,
    parse_seat,
)
from referee.rules.notation import swap_cards


@pytest.mark.parametrize("code", ACTION_TEXTS)
def test_every_action_reads_back_from_its_words(code: int) -> None:
    assert parse_action(action_text(code)) == code


def test_no_two_actions_share_their_words() -> None:
    assert len(set(ACTION_TEXTS.values())) == len(ACTION_TEXTS)


def test_a_swap_names_three_different_cards() -> None:
    code = parse_action("swap 9C 9D TC")
    assert code is not None
    assert action_text(code) == "swap 9C 9D TC"
    assert len(set(swap_cards(code))) == 3


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "pass\n", "PASS", "order  alone", "name", "name H  alone", "name Hearts"),
        *(
            "play",
            "play JDJD",
            "play JD ",
            "swap 9C 9D",
            "swap 9C 9C TC",
            "swap 9C 9D TC JC",
            "swap TC 9C 9D",
        ),
        *("swap", "swap ", "swap 9C  9D TC", "alone alone", "redeal now", "give", "give 1D"),
    ],
)
def test_words_that_are_no_action_have_no_code(text: str) -> None:
    assert parse_action(text) is None


def test_a_seat_reads_back_from_its_word() -> None:
    assert [parse_seat(seat.word) for seat in Seat] == list(Seat)


@pytest.mark.parametrize("word", ["North", "n", "", "0", "north "])
def test_another_word_is_no_seat(word: str) -> None:
    with pytest.raises(UnknownSeatError, match="no such seat"):
        parse_seat(word)


DEAL = "JD TD 9S AC KC | AD QD 9C TC QS | 9D AH KH JC AS | TS KD 9H QC JS | QH"


@pytest.mark.parametrize(
    ("actions", "rules", "fallback"),
    [
        ("pass", "standard", "pass"),
        ("pass, pass, pass, pass, pass, pass, pass", "standard", "name C"),
        ("order", "standard", "discard 9H"),
        ("order alone, discard TS", "defend-alone", "decline"),
        ("order, discard TS", "standard", "play 9S"),
        ("order, discard TS, play AC", "standard", "play 9C"),
    ],
)
def test_the_fallback_is_pass_else_decline_else_the_first_in_ascii(
    table: Callable[..., Hand], actions: str, rules: str, fallback: str
) -> None:
    assert action_text(fallback_action(table(DEAL, actions, rules=rules))) == fallback
