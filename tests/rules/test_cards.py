import pytest

from referee.rules import (
    InvalidCardError,
    UnknownPackError,
    card_text,
    cards_of,
    cards_text,
    hand_of,
    pack_cards,
    parse_card,
    parse_cards,
)
from referee.rules.cards import CARD_COUNT, CARD_TEXTS


def test_every_card_reads_back_from_its_text() -> None:
    assert [parse_card(card_text(card)) for card in range(CARD_COUNT)] == list(range(CARD_COUNT))


def test_a_card_of_the_24_is_suit_times_six_plus_rank() -> None:
    assert [parse_card(text) for text in ("9C", "AC", "9D", "JH", "AS")] == [0, 5, 6, 14, 23]


@pytest.mark.parametrize(
    "text", ["", "J", "jh", "JH ", " JH", "HJ", "10H", "1H", "J♥", "JHJ", "2H", "BJ", "J\nH"]
)
def test_only_rank_then_suit_in_two_characters_is_a_card(text: str) -> None:
    with pytest.raises(InvalidCardError, match="not a card of the pack"):
        parse_card(text)


@pytest.mark.parametrize(
    ("pack", "size", "first", "last"),
    [
        ("E24", 24, "9C", "AS"),
        ("E25", 25, "9C", "2S"),
        ("E28", 28, "8C", "AS"),
        ("E32", 32, "7C", "AS"),
        ("E25J", 25, "9C", "BB"),
        ("E33J", 33, "7C", "BB"),
    ],
)
def test_a_pack_has_its_cards_once_in_the_sealed_order(
    pack: str, size: int, first: str, last: str
) -> None:
    cards = pack_cards(pack)
    assert len(cards) == len(set(cards)) == size
    assert (card_text(cards[0]), card_text(cards[-1])) == (first, last)


def test_the_pack_of_32_runs_seven_to_ace_in_each_suit() -> None:
    assert cards_text(pack_cards("E32")[8:16]) == "7D 8D 9D TD JD QD KD AD"


def test_an_unknown_pack_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownPackError, match=r"no such pack: 'E99' .*E24 E25"):
        pack_cards("E99")


def test_a_set_of_cards_gives_them_back_in_rising_order() -> None:
    every = parse_cards(" ".join(CARD_TEXTS))
    assert cards_of(hand_of(reversed(every))) == every
    assert cards_of(0) == ()


def test_an_empty_line_is_no_cards() -> None:
    assert parse_cards("") == ()
