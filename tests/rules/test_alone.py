"""Going alone: who is asked, who sits out, who leads. L is east, P south, R west, D north."""

from collections.abc import Callable

import pytest

from referee.rules import Hand, Phase, RuleSet, Seat, action_text, apply, parse_action, preset

Table = Callable[..., Hand]

DEAL = "JD TD 9S AC KC | AD QD 9C TC QS | 9D AH KH JC AS | TS KD 9H QC JS | QH"
CALLS = {
    Seat.EAST: "order",
    Seat.SOUTH: "pass, order",
    Seat.WEST: "pass, pass, order",
    Seat.NORTH: "pass, pass, pass, order",
}


def rules_with(base: str = "standard", **knobs: str) -> RuleSet:
    return RuleSet.from_map({**preset(base).to_map(), **knobs})


def asked(hand: Hand, *answers: str) -> str:
    """The initials of the seats asked, in turn, each answering the next of the given words."""
    told = ""
    replies = iter(answers)
    while hand.phase is Phase.ALONE:
        assert sorted(map(action_text, hand.legal())) == ["alone", "decline"]
        told += Seat(hand.turn).word[0]
        code = parse_action(next(replies, "decline"))
        assert code is not None
        apply(hand, code)
    assert hand.trick == ()
    return told


@pytest.mark.parametrize("dealer", Seat)
@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_a_loner_of_every_seat_plays_five_tricks_of_three(
    table: Table, dealer: Seat, steps: int
) -> None:
    loner = Seat((dealer + steps) & 3)
    passes = ["pass"] * (steps - 1)
    hand = table(DEAL, *passes, "order alone", dealer=dealer)
    apply(hand, hand.legal()[0])
    first = dealer.left if loner.partner is not dealer.left else dealer.left.left
    assert hand.seat_on_turn is first
    assert hand.out_seats == (loner.partner,)
    while hand.turn >= 0:
        assert hand.turn != loner.partner
        apply(hand, hand.legal()[0])
    assert [len(trick.plays) for trick in hand.past_tricks] == [3] * 5
    assert hand.counts[loner.partner] == 5


@pytest.mark.parametrize("loner", Seat)
def test_the_lead_may_be_on_the_loners_left(table: Table, loner: Seat) -> None:
    call = f"{CALLS[loner]} alone, discard TS"
    hand = table(DEAL, call, rules=rules_with(loner_lead="loners_left"))
    assert hand.seat_on_turn is loner.left


class TestDefendAlone:
    """Polls of the defenders."""

    @pytest.mark.parametrize(
        ("maker", "poll", "order"),
        [
            (Seat.EAST, "dealers_left", "sn"),
            (Seat.EAST, "makers_left", "sn"),
            (Seat.WEST, "dealers_left", "sn"),
            (Seat.WEST, "makers_left", "ns"),
            (Seat.SOUTH, "dealers_left", "ew"),
            (Seat.SOUTH, "makers_left", "we"),
            (Seat.NORTH, "dealers_left", "ew"),
            (Seat.NORTH, "makers_left", "ew"),
        ],
    )
    def test_poll_starts_where_the_knob_says(
        self, table: Table, maker: Seat, poll: str, order: str
    ) -> None:
        rules = rules_with("defend-alone", defend_alone_poll=poll)
        assert asked(table(DEAL, f"{CALLS[maker]} alone, discard TS", rules=rules)) == order

    def test_nobody_is_asked_against_two_makers(self, table: Table) -> None:
        assert asked(table(DEAL, "order, discard TS", rules="defend-alone")) == ""

    def test_nobody_is_asked_under_standard(self, table: Table) -> None:
        assert asked(table(DEAL, "order alone, discard TS")) == ""

    def test_defenders_are_asked_against_two_makers_where_any_may(self, table: Table) -> None:
        rules = rules_with(defend_alone="any")
        assert asked(table(DEAL, "order, discard TS", rules=rules)) == "sn"

    def test_the_first_to_accept_bars_the_partner(self, table: Table) -> None:
        hand = table(DEAL, "order alone, discard TS", rules="defend-alone")
        assert asked(hand, "alone") == "s"
        assert (hand.alone_seats, hand.out_seats) == (
            (Seat.EAST, Seat.SOUTH),
            (Seat.NORTH, Seat.WEST),
        )

    @pytest.mark.parametrize(
        ("maker", "defender", "first", "under_knob"),
        [
            (Seat.EAST, Seat.SOUTH, Seat.EAST, Seat.SOUTH),
            (Seat.EAST, Seat.NORTH, Seat.EAST, Seat.NORTH),
            (Seat.SOUTH, Seat.EAST, Seat.EAST, Seat.EAST),
            (Seat.SOUTH, Seat.WEST, Seat.SOUTH, Seat.WEST),
            (Seat.WEST, Seat.SOUTH, Seat.SOUTH, Seat.SOUTH),
            (Seat.WEST, Seat.NORTH, Seat.WEST, Seat.NORTH),
            (Seat.NORTH, Seat.EAST, Seat.EAST, Seat.EAST),
            (Seat.NORTH, Seat.WEST, Seat.WEST, Seat.WEST),
        ],
    )
    def test_the_lead_with_both_alone(
        self, table: Table, maker: Seat, defender: Seat, first: Seat, under_knob: Seat
    ) -> None:
        answers = ("alone",) if defender in {Seat.EAST, Seat.SOUTH} else ("decline", "alone")
        call = f"{CALLS[maker]} alone, discard TS"
        hand = table(DEAL, call, rules="defend-alone")
        asked(hand, *answers)
        assert hand.seat_on_turn is first
        hand = table(DEAL, call, rules=rules_with("defend-alone", both_alone_lead="defender"))
        asked(hand, *answers)
        assert hand.seat_on_turn is under_knob

    def test_a_lone_defender_counts_for_loners_left(self, table: Table) -> None:
        rules = rules_with(defend_alone="any", loner_lead="loners_left")
        hand = table(DEAL, "order, discard TS", rules=rules)
        asked(hand, "decline", "alone")
        assert hand.seat_on_turn is Seat.EAST


class TestBeforeTheLead:
    """Alone is said once trump is made and the dealer has buried."""

    def test_the_maker_is_asked_first_and_then_the_partner(self, table: Table) -> None:
        assert asked(table(DEAL, CALLS[Seat.WEST], "discard TS", rules="guide")) == "we"

    def test_a_lone_maker_bars_the_partner(self, table: Table) -> None:
        hand = table(DEAL, CALLS[Seat.WEST], "discard TS", rules="guide")
        assert asked(hand, "alone") == "w"
        assert hand.alone_seats == (Seat.WEST,)

    def test_the_makers_partner_may_take_it(self, table: Table) -> None:
        hand = table(DEAL, CALLS[Seat.WEST], "discard TS", rules="guide")
        asked(hand, "decline", "alone")
        assert (hand.maker_seat, hand.alone_seats) == (Seat.WEST, (Seat.EAST,))

    def test_only_the_maker_is_asked_where_only_the_maker_may(self, table: Table) -> None:
        rules = rules_with(alone_when="before_lead")
        assert asked(table(DEAL, CALLS[Seat.WEST], "discard TS", rules=rules)) == "w"

    def test_defenders_are_asked_once_the_makers_side_is_alone(self, table: Table) -> None:
        rules = rules_with("guide", defend_alone="vs_loner")
        assert asked(table(DEAL, "order, discard TS", rules=rules), "alone") == "esn"
        assert asked(table(DEAL, "order, discard TS", rules=rules)) == "ew"
        hand = table(DEAL, "order, discard TS", rules=rules)
        assert asked(hand, "decline", "alone", "alone") == "ews"

    def test_others_are_asked_in_turn_from_the_dealers_left(self, table: Table) -> None:
        rules = rules_with("guide", defend_alone="any")
        assert asked(table(DEAL, CALLS[Seat.SOUTH], "discard TS", rules=rules)) == "sewn"

    def test_the_poll_knob_counts_only_where_defenders_alone_are_left(self, table: Table) -> None:
        rules = rules_with("guide", defend_alone="any", defend_alone_poll="makers_left")
        call = CALLS[Seat.SOUTH]
        assert asked(table(DEAL, call, "discard TS", rules=rules)) == "sewn"
        assert asked(table(DEAL, call, "discard TS", rules=rules), "alone") == "swe"


class TestWinnipeg:
    """The turned suit is trump and any player may go alone."""

    def test_starts_by_asking_everybody_from_the_dealers_left(self, table: Table) -> None:
        hand = table(DEAL, rules="winnipeg-24")
        assert (hand.phase, hand.trump_suit, hand.maker_seat) == (Phase.ALONE, 2, None)
        assert asked(hand) == "eswn"

    def test_the_upcard_stays_turned(self, table: Table) -> None:
        hand = table(DEAL, rules="winnipeg-24")
        assert (hand.upcard_state, hand.counts) == ("turned", (5, 5, 5, 5))

    def test_one_of_each_side_may_be_alone(self, table: Table) -> None:
        hand = table(DEAL, rules="winnipeg-24")
        assert asked(hand, "alone", "decline", "alone") == "esn"
        assert hand.out_seats == (Seat.SOUTH, Seat.WEST)

    def test_without_a_maker_both_alone_lead_from_the_dealers_left(self, table: Table) -> None:
        rules = rules_with("winnipeg-24", both_alone_lead="defender")
        hand = table(DEAL, rules=rules)
        asked(hand, "decline", "alone", "alone")
        assert hand.seat_on_turn is Seat.SOUTH

    def test_with_a_maker_the_maker_is_asked_first(self, table: Table) -> None:
        assert asked(table(DEAL, CALLS[Seat.WEST], rules="winnipeg-call-24")) == "wesn"

    def test_a_turned_best_bower_makes_spades_trump(self, table: Table) -> None:
        hand = table(DEAL.replace("QH", "2S"), rules="winnipeg")
        assert hand.trump_suit == 3

    def test_dealer_names_any_suit_after_four_passes(self, table: Table) -> None:
        hand = table(DEAL, "pass, pass, pass, pass", rules="winnipeg-call-24")
        assert (hand.phase, hand.seat_on_turn) == (Phase.DEALER_NAMES, Seat.NORTH)
        assert sorted(map(action_text, hand.legal())) == ["name C", "name D", "name H", "name S"]
        assert hand.upcard_state == "turned_down"

    def test_the_naming_dealer_may_not_pass(self, table: Table) -> None:
        hand = table(DEAL, "pass, pass, pass, pass, name H", rules="winnipeg-call-24")
        assert (hand.maker_seat, hand.trump_suit) == (Seat.NORTH, 2)
        assert (hand.phase, hand.seat_on_turn) == (Phase.ALONE, Seat.NORTH)
