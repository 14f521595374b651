import pytest

from referee.rules import SUIT_LETTERS, card_text, cards_of, parse_card, parse_cards, strength
from referee.rules import suit_of as suit
from referee.rules.cards import CARD_COUNT
from referee.rules.ranking import FOLLOW, STRENGTH, natural_trumps, trumps


def winner(trump: str, trick: str) -> str:
    cards = parse_cards(trick)
    row = STRENGTH[SUIT_LETTERS.index(trump)][cards[0]]
    return card_text(max(cards, key=lambda card: row[card]))


@pytest.mark.parametrize(("trump", "left"), [("S", "JC"), ("C", "JS"), ("H", "JD"), ("D", "JH")])
def test_left_bower_counts_as_a_trump(trump: str, left: str) -> None:
    made = SUIT_LETTERS.index(trump)
    assert suit(parse_card(left), made) == made
    assert suit(parse_card(left), None) != made


def test_off_color_jacks_keep_their_suit() -> None:
    assert suit(parse_card("JC"), 2) == 0
    assert suit(parse_card("JS"), 2) == 3


@pytest.mark.parametrize("trump", "CDHS")
def test_best_bowers_belong_to_trump(trump: str) -> None:
    made = SUIT_LETTERS.index(trump)
    assert suit(parse_card("2S"), made) == made
    assert suit(parse_card("BB"), made) == made


@pytest.mark.parametrize(
    ("trump", "ladder"),
    [
        ("C", "2S JC JS AC KC QC TC 9C"),
        ("D", "2S JD JH AD KD QD TD 9D"),
        ("H", "2S JH JD AH KH QH TH 9H"),
        ("S", "2S JS JC AS KS QS TS 9S"),
    ],
)
def test_trump_ranks_best_right_left_then_ace_down(trump: str, ladder: str) -> None:
    made = SUIT_LETTERS.index(trump)
    ranks = [strength(card, made, (made + 1) % 4) for card in parse_cards(ladder)]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)


def test_a_plain_suit_ranks_its_jack_between_queen_and_ten() -> None:
    ranks = [strength(card, 2, 3) for card in parse_cards("AS KS QS JS TS 9S")]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)


@pytest.mark.parametrize(
    ("trump", "trick", "wins"),
    [
        ("C", "AC JS JC KC", "JC"),
        ("C", "AC JS KC QC", "JS"),
        ("S", "AC JC 9C KC", "JC"),
        ("H", "9D TD JD AD", "JD"),
        ("H", "JD AD AH 9H", "JD"),
        ("H", "JS QS TS 9S", "QS"),
        ("H", "TD AS AC AH", "AH"),
        ("H", "9S AD AC KD", "9S"),
        ("H", "JH 2S JD AH", "2S"),
        ("D", "JS QC TS 9S", "JS"),
        ("D", "TS JS 9S QC", "JS"),
    ],
)
def test_highest_trump_else_highest_of_the_led_suit_wins(trump: str, trick: str, wins: str) -> None:
    assert winner(trump, trick) == wins


def test_no_two_cards_of_a_trick_tie_above_zero() -> None:
    for rows in STRENGTH:
        for row in rows:
            counted = [rank for rank in row[:25] if rank]
            assert len(counted) == len(set(counted))


def test_led_left_bower_asks_for_trump() -> None:
    assert FOLLOW[2][parse_card("JD")] == trumps(2)


def test_every_card_follows_itself() -> None:
    for rows in FOLLOW:
        for led, followers in enumerate(rows):
            assert followers >> led & 1


def test_every_card_belongs_to_one_suit_under_each_trump() -> None:
    for rows in FOLLOW:
        sets = set(rows)
        assert len(sets) == 4
        assert sum(map(len, map(cards_of, sets))) == CARD_COUNT


def test_natural_trumps_leave_out_the_left_bower_only() -> None:
    for made, left in enumerate(("JS", "JH", "JD", "JC")):
        assert trumps(made) ^ natural_trumps(made) == 1 << parse_card(left)
