import pytest

from referee.rules import (
    Draw,
    FirstDealer,
    InvalidDealError,
    Packets,
    Seat,
    cards_of,
    cards_text,
    check_deal,
    deal_from_deck,
    deal_from_hands,
    draw_dealer,
    pack_cards,
    parse_card,
    parse_cards,
    positions,
    preset,
)

STANDARD = preset("standard")
DECK = "TH QD JS AC AD QS 9H JD TC AS KC KD AH KH 9D QH 9S QC TD JH TS KS 9C JC"


def draw(cards: str, method: str, start: Seat = Seat.NORTH) -> tuple[str, int]:
    result = draw_dealer(parse_cards(cards), FirstDealer(method), start)
    return result.dealer.word, len(result.turned)


@pytest.mark.parametrize(
    ("packets", "places"),
    [
        ("3-2", "0 1 2 12 13 | 3 4 5 14 15 | 6 7 8 16 17 | 9 10 11 18 19"),
        ("2-3", "0 1 8 9 10 | 2 3 11 12 13 | 4 5 14 15 16 | 6 7 17 18 19"),
        ("3-2-3-2", "0 1 2 10 11 | 3 4 12 13 14 | 5 6 7 15 16 | 8 9 17 18 19"),
        ("2-3-2-3", "0 1 10 11 12 | 2 3 4 13 14 | 5 6 15 16 17 | 7 8 9 18 19"),
        ("single", "0 4 8 12 16 | 1 5 9 13 17 | 2 6 10 14 18 | 3 7 11 15 19"),
    ],
)
@pytest.mark.parametrize("dealer", Seat)
def test_packets_give_each_seat_its_positions(packets: str, places: str, dealer: Seat) -> None:
    seats = (dealer.left, dealer.partner, dealer.partner.left, dealer)
    dealt = [positions(Packets(packets), dealer, seat) for seat in seats]
    assert " | ".join(" ".join(map(str, hand)) for hand in dealt) == places


@pytest.mark.parametrize("packets", Packets)
def test_twenty_positions_are_dealt_once(packets: Packets) -> None:
    places = [place for seat in Seat for place in positions(packets, 2, seat)]
    assert sorted(places) == list(range(20))


@pytest.mark.parametrize("dealer", Seat)
def test_a_deck_is_dealt_by_its_positions(dealer: Seat) -> None:
    deck = parse_cards(DECK)
    deal = deal_from_deck(deck, STANDARD, dealer)
    for seat in Seat:
        places = positions(STANDARD.packets, dealer, seat)
        assert set(cards_of(deal.hands[seat])) == {deck[place] for place in places}
    assert deal.dealer == dealer
    assert cards_text((deal.upcard, *deal.kitty)) == "TS KS 9C JC"
    check_deal(deal, STANDARD)


def test_the_kitty_of_25_cards_has_four() -> None:
    rules = preset("winnipeg")
    assert len(deal_from_deck(pack_cards("E25"), rules, 0).kitty) == 4


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (DECK.removesuffix(" JC"), "the pack E24 has 24 cards, not 23"),
        (DECK + " 2S", "the pack E24 has 24 cards, not 25"),
        (DECK.replace("JC", "JS"), "'JS' is there twice"),
        (DECK.replace("JC", "2S"), "'2S' is not in the pack E24"),
        (DECK.replace("TH", "8H"), "'8H' is not in the pack E24"),
        ("", "24 cards, not 0"),
    ],
)
def test_what_is_no_ordering_of_the_pack_is_refused(deck: str, message: str) -> None:
    with pytest.raises(InvalidDealError, match=message):
        deal_from_deck(parse_cards(deck), STANDARD, 0)


HANDS = ("9C TC JC QC KC", "9D TD JD QD KD", "9H TH JH QH KH", "9S TS JS QS KS")


def from_hands(*hands: str, up: str = "AC", kitty: str | None = None) -> str:
    seats = dict(zip(Seat, map(parse_cards, hands), strict=True))
    rest = None if kitty is None else parse_cards(kitty)
    deal = deal_from_hands(STANDARD, Seat.WEST, seats, parse_card(up), rest)
    return cards_text(deal.kitty)


def test_a_kitty_that_is_not_given_is_the_rest_of_the_pack() -> None:
    assert from_hands(*HANDS) == "AD AH AS"
    assert from_hands(*HANDS, kitty="AS AD AH") == "AS AD AH"


@pytest.mark.parametrize(
    ("hands", "up", "kitty", "message"),
    [
        (("9C TC JC QC", *HANDS[1:]), "AC", None, "north has 4 cards '9C TC JC QC'"),
        (("9C TC JC QC KC AC", *HANDS[1:]), "AD", None, "north has 6 cards"),
        (HANDS, "9C", None, "'9C' is there twice"),
        (HANDS, "2S", None, "'2S' is not in the pack E24"),
        (HANDS, "AC", "AD AH", "24 cards, not 23"),
        (HANDS, "AC", "AD AH 9C", "'9C' is there twice"),
    ],
)
def test_hands_that_are_no_deal_are_refused(
    hands: tuple[str, ...], up: str, kitty: str | None, message: str
) -> None:
    with pytest.raises(InvalidDealError, match=message):
        from_hands(*hands, up=up, kitty=kitty)


@pytest.mark.parametrize(
    ("cards", "method", "start", "dealer", "turned"),
    [
        ("JD 9S AC JH KC TD JC", "black_jack", Seat.NORTH, "south", 7),
        ("JD 9S AC JH KC TD JC", "any_jack", Seat.NORTH, "north", 1),
        ("9H QD JH TC AS KC JS AC", "black_jack", Seat.NORTH, "south", 7),
        ("JS", "black_jack", Seat.WEST, "west", 1),
        (DECK, "black_jack", Seat.SOUTH, "north", 3),
        ("9C KD AH TS", "draw_low", Seat.NORTH, "south", 4),
        ("9C KD AH TS", "draw_high", Seat.NORTH, "east", 4),
        ("9C KD AH TS", "draw_low", Seat.WEST, "east", 4),
        ("KC KD AH TS 9C QD", "draw_high", Seat.NORTH, "east", 6),
        ("AC KD AH TS 9C 9D QS TD", "draw_low", Seat.NORTH, "south", 8),
        ("2S 9C KD AH BB TS", "draw_low", Seat.NORTH, "south", 6),
        ("9C 9D 9H 9S TC TD TH TS", "draw_low", Seat.EAST, "east", 8),
        ("9C TD 9H QS 2S", "draw_low", Seat.NORTH, "north", 5),
        ("9C TD 9H QS TH", "draw_low", Seat.NORTH, "north", 5),
        ("", "agreed", Seat.EAST, "east", 0),
    ],
)
def test_the_first_dealer_is_drawn(
    cards: str, method: str, start: Seat, dealer: str, turned: int
) -> None:
    assert draw(cards, method, start) == (dealer, turned)


def test_turned_positions_include_cards_that_were_passed_over() -> None:
    result = draw_dealer(parse_cards("2S 9C KD AH TS"), FirstDealer.DRAW_LOW, 0)
    assert result == Draw(Seat.SOUTH, (0, 1, 2, 3, 4))


def test_a_draw_without_the_jack_that_counts_is_refused() -> None:
    with pytest.raises(InvalidDealError, match="no jack that counts"):
        draw_dealer(parse_cards("JD JH"), FirstDealer.BLACK_JACK, 0)
