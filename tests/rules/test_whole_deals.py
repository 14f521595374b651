"""Whole deals, card by card: L is east, P south, R west and D north, who deals."""

from collections.abc import Callable

import pytest

from referee.rules import Hand, Outcome, Phase, Result, Seat, card_text, outcome_of

Table = Callable[..., Hand]

MARCH = "JD AD 9H KC TC | AH QD 9S AC QC | KH TD JS TS 9C | JH QH AS KS 9D | TH"
LONER = "9S TS 9D TD 9C | AD KD QS 9H QC | JC JS AC KC AS | TC KS QD AH KH | TH"
PARTNER_ALONE = "AS KS 9D TD QC | JH JD AH KH QH | 9H AC KC QS TS | 9C TC JC JS AD | TH"
BOTH_ALONE = "9S TS 9D TD 9C | AD KD QS 9H QC | JC AS KS KC QD | JS AC TC AH KH | TH"
EUCHRE = "JS JC AS 9H TH | 9S QH KH 9D TD | KS AH QD 9C TC | QS TS AD KD AC | KC"


def winners(hand: Hand) -> list[Seat]:
    return [trick.winner for trick in hand.past_tricks]


def test_dealer_takes_up_and_marches(table: Table) -> None:
    hand = table(
        MARCH,
        "pass, pass, pass, order, discard 9D",
        "play JD, play AH, play KH, play JH",
        "play QH, play 9H, play QD, play TD",
        "play TH, play AD, play 9S, play JS",
        "play AS, play KC, play AC, play TS",
        "play KS, play TC, play QC, play 9C",
    )
    assert winners(hand) == [Seat.NORTH] * 5
    assert outcome_of(hand) == Outcome(
        outcome=Result.PLAYED, maker=Seat.NORTH, tricks=(5, 0), points=(2, 0)
    )
    assert outcome_of(hand).word == "march"


def test_lone_maker_in_round_two_plays_three_to_a_trick(table: Table) -> None:
    hand = table(
        LONER,
        "pass, pass, pass, pass, pass, pass, name C alone",
        "play AD, play KC, play QD",
        "play JC, play TC, play QC",
        "play JS, play KS, play 9H",
        "play AC, play AH, play KD",
        "play AS, play KH, play QS",
    )
    assert winners(hand) == [Seat.WEST] * 5
    assert outcome_of(hand) == Outcome(
        outcome=Result.PLAYED,
        maker=Seat.WEST,
        alone=(Seat.WEST,),
        tricks=(0, 5),
        points=(0, 4),
    )
    assert outcome_of(hand).word == "lone march"


def test_dealers_partner_alone_leaves_the_dealer_out_after_the_discard(table: Table) -> None:
    hand = table(PARTNER_ALONE, "pass, order alone", rules="ontario")
    assert (hand.phase, hand.seat_on_turn) == (Phase.DISCARD, Seat.NORTH)
    assert hand.out_seats == (Seat.NORTH,)
    hand = table(
        PARTNER_ALONE,
        "pass, order alone, discard TH",
        "play AS, play QH, play TS",
        "play JH, play 9H, play 9D",
        "play JD, play QS, play TD",
        "play AH, play KC, play KS",
        "play KH, play AC, play QC",
        rules="ontario",
    )
    assert outcome_of(hand).points == (4, 0)
    assert hand.counts == (5, 0, 0, 0)


def test_lone_defender_stops_a_lone_maker_for_four(table: Table) -> None:
    hand = table(
        BOTH_ALONE,
        "pass, pass, pass, pass, pass, pass, name C alone, decline, alone",
        rules="defend-alone",
    )
    assert (hand.phase, hand.seat_on_turn) == (Phase.PLAY, Seat.WEST)
    hand = table(
        BOTH_ALONE,
        "pass, pass, pass, pass, pass, pass, name C alone, decline, alone",
        "play JC, play TC, play KC, play AC, play AH, play AS, play KH, play KS, play JS, play QD",
        rules="defend-alone",
    )
    assert winners(hand) == [Seat.WEST, *[Seat.NORTH] * 4]
    assert outcome_of(hand).points == (4, 0)
    assert outcome_of(hand).word == "euchred"


def test_stuck_dealer_is_euchred_for_two(table: Table) -> None:
    hand = table(
        EUCHRE,
        "pass, pass, pass, pass, pass, pass, pass, name S",
        "play JS, play 9S, play KS, play TS",
        "play JC, play 9D, play 9C, play QS",
        "play AS, play TD, play TC, play AC",
        "play 9H, play QH, play AH, play KD",
        "play QD, play AD, play TH, play KH",
    )
    assert winners(hand) == [Seat.EAST, Seat.EAST, Seat.EAST, Seat.WEST, Seat.NORTH]
    assert outcome_of(hand) == Outcome(
        outcome=Result.PLAYED, maker=Seat.NORTH, tricks=(1, 4), points=(0, 2)
    )


@pytest.mark.parametrize("rules", ["throw-in", "ontario", "guide"])
def test_eight_passes_throw_the_deal_in(table: Table, rules: str) -> None:
    hand = table(MARCH, ", ".join(["pass"] * 8), rules=rules)
    assert (hand.phase, hand.seat_on_turn) == (Phase.OVER, None)
    assert outcome_of(hand) == Outcome(outcome=Result.THROWN_IN)
    assert outcome_of(hand).word == "thrown in"


def test_the_trick_on_the_table_names_seats_and_cards(table: Table) -> None:
    hand = table(LONER, "pass, pass, order alone, discard KS, play QC, play AC")
    assert [(seat.word, card_text(card)) for seat, card in hand.trick] == [
        ("south", "QC"),
        ("west", "AC"),
    ]
    assert hand.led == hand.trick[0][1]
