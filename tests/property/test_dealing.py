"""Dealing and drawing: the referee and the oracle, written apart, give the same answers."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.oracle.dealing import deal_cards
from conformance.oracle.dealing import draw_dealer as oracle_draw
from referee.rules import (
    FirstDealer,
    Packets,
    RuleSet,
    Seat,
    card_text,
    cards_of,
    deal_from_deck,
    draw_dealer,
    pack_cards,
    parse_cards,
)

CHANCES = st.integers(0, 2**32).map(Random)
METHODS = [method for method in FirstDealer if method is not FirstDealer.AGREED]


def shuffled(pack: str, chance: Random) -> list[int]:
    deck = list(pack_cards(pack))
    chance.shuffle(deck)
    return deck


@given(CHANCES, st.sampled_from(["E24", "E25"]), st.sampled_from(Packets), st.sampled_from(Seat))
def test_both_deal_the_same_hands(
    chance: Random, pack: str, packets: Packets, dealer: Seat
) -> None:
    rules = RuleSet.from_map({"pack": pack, "packets": packets})
    deck = shuffled(pack, chance)
    deal = deal_from_deck(deck, rules, dealer)
    theirs = deal_cards([card_text(card) for card in deck], packets, dealer.word)
    hands = theirs["hands"]
    assert isinstance(hands, dict)
    for seat in Seat:
        hand = hands[seat.word]
        assert isinstance(hand, list)
        assert sorted(map(str, hand)) == sorted(map(card_text, cards_of(deal.hands[seat])))
    assert card_text(deal.upcard) == theirs["upcard"]
    assert list(map(card_text, deal.kitty)) == theirs["kitty"]


@pytest.mark.parametrize("method", METHODS)
@given(
    chance=CHANCES,
    pack=st.sampled_from(["E24", "E25", "E32", "E33J"]),
    start=st.sampled_from(Seat),
    is_sorted=st.booleans(),
)
def test_both_draw_the_same_dealer(
    method: FirstDealer, chance: Random, pack: str, start: Seat, *, is_sorted: bool
) -> None:
    deck = shuffled(pack, chance)
    if is_sorted:
        deck.sort(key=lambda card: card_text(card)[0])
    theirs = oracle_draw([card_text(card) for card in deck], method, start.word)
    ours = draw_dealer(deck, method, start)
    assert {"dealer": ours.dealer.word, "turned": len(ours.turned)} == theirs
    assert ours.turned == tuple(range(len(ours.turned)))


@given(CHANCES, st.sampled_from(Seat), st.integers(4, 9))
def test_both_settle_a_draw_that_runs_out_of_cards(chance: Random, start: Seat, size: int) -> None:
    deck = [*parse_cards("9C 9D 9H 9S 2S TC TD TH TS")[:size]]
    chance.shuffle(deck)
    theirs = oracle_draw([card_text(card) for card in deck], "draw_low", start.word)
    ours = draw_dealer(deck, FirstDealer.DRAW_LOW, start)
    assert {"dealer": ours.dealer.word, "turned": len(ours.turned)} == theirs
