"""Refusals: the first reason that applies, and a table that stays as it was.

L is east, P south, R west and D north, who deals.
"""

from collections.abc import Callable

import pytest

from referee.rules import (
    RULE_OF,
    Hand,
    IllegalActionError,
    Reason,
    RuleSet,
    Seat,
    Violation,
    action_text,
    apply,
    parse_action,
    parse_card,
    preset,
    ruling,
    violation,
)

Table = Callable[..., Hand]
Legal = Callable[[Hand], list[str]]

PLAIN = "JD TD 9S AC KC | AD QD 9C TC QS | 9D AH KH JC AS | TS KD 9H QC JS | QH"
PASSES = "pass, pass, pass, pass"
IN_PLAY = "pass, pass, pass, order, discard JS"


def rules_with(base: str = "standard", **knobs: str) -> RuleSet:
    return RuleSet.from_map({**preset(base).to_map(), **knobs})


def refuse(hand: Hand, text: str, seat: Seat | None = None) -> Reason | None:
    """The reason for which words are refused; looking leaves the hand as it was."""
    before = hand.copy()
    who = seat if seat is not None else Seat(hand.turn)
    found = ruling(hand, who, text)
    assert hand == before
    assert violation(hand, who, text) == (found if isinstance(found, Violation) else None)
    return found.reason if isinstance(found, Violation) else None


def test_every_reason_has_its_rule() -> None:
    assert set(RULE_OF) == set(Reason)


def test_the_values_of_a_reason_are_its_name() -> None:
    assert [str(reason) for reason in Reason] == [reason.name for reason in Reason]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.UNKNOWN_ACTION),
        ("Pass", Reason.UNKNOWN_ACTION),
        ("pass ", Reason.UNKNOWN_ACTION),
        (" pass", Reason.UNKNOWN_ACTION),
        ("order up", Reason.UNKNOWN_ACTION),
        ("order  alone", Reason.UNKNOWN_ACTION),
        ("order\talone", Reason.UNKNOWN_ACTION),
        ("pick up", Reason.UNKNOWN_ACTION),
        ("order alone please", Reason.UNKNOWN_ACTION),
        ("name H", Reason.WRONG_PHASE),
        ("name nonsense", Reason.WRONG_PHASE),
        ("play", Reason.WRONG_PHASE),
        ("play 10H", Reason.WRONG_PHASE),
        ("discard JD", Reason.WRONG_PHASE),
        ("alone", Reason.WRONG_PHASE),
        ("decline", Reason.WRONG_PHASE),
        ("redeal", Reason.WRONG_PHASE),
        ("swap 9C 9D TC", Reason.WRONG_PHASE),
        ("give JD", Reason.WRONG_PHASE),
        ("pass", None),
        ("order", None),
        ("order alone", None),
    ],
)
def test_round_one_knows_pass_and_order(table: Table, text: str, reason: Reason | None) -> None:
    assert refuse(table(PLAIN), text) is reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("order", Reason.WRONG_PHASE),
        ("order alone", Reason.WRONG_PHASE),
        ("name H", Reason.SUIT_TURNED_DOWN),
        ("name H alone", Reason.SUIT_TURNED_DOWN),
        ("name h", Reason.UNKNOWN_ACTION),
        ("name X", Reason.UNKNOWN_ACTION),
        ("name N", Reason.UNKNOWN_ACTION),
        ("name", Reason.UNKNOWN_ACTION),
        ("name D alone alone", Reason.UNKNOWN_ACTION),
        ("name D", None),
        ("name S alone", None),
        ("pass", None),
    ],
)
def test_round_two_knows_pass_and_the_other_suits(
    table: Table, text: str, reason: Reason | None
) -> None:
    assert refuse(table(PLAIN, PASSES), text) is reason


def test_nobody_else_acts_before_the_seat_on_turn(table: Table) -> None:
    hand = table(PLAIN)
    reasons = [refuse(hand, "nonsense", seat) for seat in (Seat.SOUTH, Seat.WEST, Seat.NORTH)]
    assert reasons == [Reason.NOT_YOUR_TURN] * 3


def test_stuck_dealer_must_name(table: Table, legal: Legal) -> None:
    hand = table(PLAIN, PASSES, "pass, pass, pass")
    assert refuse(hand, "pass") is Reason.DEALER_STUCK
    assert refuse(hand, "name H") is Reason.SUIT_TURNED_DOWN
    assert legal(hand) == [
        *("name C", "name C alone", "name D", "name D alone", "name S", "name S alone"),
    ]


def test_only_the_dealer_is_stuck(table: Table) -> None:
    assert refuse(table(PLAIN, PASSES, "pass, pass"), "pass") is None


def test_unstuck_dealer_may_pass(table: Table) -> None:
    assert refuse(table(PLAIN, PASSES, "pass, pass, pass", rules="throw-in"), "pass") is None


@pytest.mark.parametrize("passes", [0, 1, 2, 3])
def test_whoever_orders_the_dealer_holds_six_and_nobody_leads(table: Table, passes: int) -> None:
    hand = table(PLAIN, *["pass"] * passes, "order")
    assert hand.counts == (6, 5, 5, 5)
    assert refuse(hand, "play TS") is Reason.WRONG_PHASE
    assert refuse(hand, "play JD", Seat.EAST) is Reason.NOT_YOUR_TURN
    assert refuse(hand, "discard JD") is Reason.CARD_NOT_HELD
    assert refuse(hand, "discard 2S") is Reason.UNKNOWN_ACTION
    assert refuse(hand, "discard") is Reason.UNKNOWN_ACTION
    assert refuse(hand, "discard QH") is None
    assert refuse(hand, "pass") is Reason.WRONG_PHASE


def test_the_upcard_may_not_be_buried_where_that_is_forbidden(table: Table, legal: Legal) -> None:
    hand = table(PLAIN, "order", rules=rules_with(bury_upcard="forbidden"))
    assert refuse(hand, "discard QH") is Reason.DISCARD_UPCARD_FORBIDDEN
    assert "discard QH" not in legal(hand)
    assert len(legal(hand)) == 5


def test_a_card_not_held_comes_before_following_suit(table: Table) -> None:
    hand = table(PLAIN, IN_PLAY, "play AC")
    assert refuse(hand, "play 9D") is Reason.CARD_NOT_HELD
    assert refuse(hand, "play QD") is Reason.MUST_FOLLOW_SUIT
    assert refuse(hand, "play 9C") is None


def test_a_played_card_is_not_held(table: Table) -> None:
    hand = table(PLAIN, IN_PLAY, "play AC, play TC, play JC, play QC")
    assert refuse(hand, "play AC", Seat.EAST) is Reason.CARD_NOT_HELD


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("play", Reason.UNKNOWN_ACTION),
        ("play ", Reason.UNKNOWN_ACTION),
        ("play 10D", Reason.UNKNOWN_ACTION),
        ("play jd", Reason.UNKNOWN_ACTION),
        ("play 2S", Reason.UNKNOWN_ACTION),
        ("play 8C", Reason.UNKNOWN_ACTION),
        ("play JD TD", Reason.UNKNOWN_ACTION),
        ("PLAY JD", Reason.UNKNOWN_ACTION),
        ("pass", Reason.WRONG_PHASE),
        ("discard JD", Reason.WRONG_PHASE),
        ("order", Reason.WRONG_PHASE),
    ],
)
def test_play_knows_only_cards_of_this_pack(table: Table, text: str, reason: Reason) -> None:
    assert refuse(table(PLAIN, IN_PLAY), text) is reason


def test_led_left_bower_must_be_followed_with_trump(table: Table, legal: Legal) -> None:
    hand = table(PLAIN, IN_PLAY, "play JD, play QS")
    assert legal(hand) == ["play AH", "play KH"]
    assert refuse(hand, "play 9D") is Reason.MUST_FOLLOW_SUIT


def test_the_sentence_says_why_the_left_bower_does_not_follow(table: Table) -> None:
    deal = "AD QD 9C TC QS | JD TD 9S AC KC | 9D AH KH JC AS | TS KD 9H QC JS | QH"
    hand = table(deal, IN_PLAY, "play AD")
    found = ruling(hand, Seat.SOUTH, "play JD")
    assert isinstance(found, Violation)
    assert found.rule == "play.follow-suit"
    assert found.sentence == (
        "AD was led; JD (the left bower, so hearts) does not follow diamonds, and TD does"
    )


def test_who_sits_out_does_not_act(table: Table) -> None:
    hand = table(PLAIN, "order alone, discard JS")
    assert refuse(hand, "play 9D", Seat.WEST) is Reason.SITTING_OUT
    assert refuse(hand, "nonsense", Seat.WEST) is Reason.SITTING_OUT
    assert refuse(hand, "play AD", Seat.SOUTH) is Reason.NOT_YOUR_TURN


def test_a_dealer_who_sits_out_acts_for_the_discard_only(table: Table) -> None:
    hand = table(PLAIN, "pass, order alone")
    assert refuse(hand, "discard TS") is None
    apply(hand, hand.legal()[0])
    assert refuse(hand, "play KD", Seat.NORTH) is Reason.SITTING_OUT


def test_a_dealer_who_sits_out_may_leave_the_upcard(table: Table) -> None:
    hand = table(PLAIN, "pass, order alone", rules=rules_with(sitting_out_dealer="leave"))
    assert (hand.phase, hand.upcard_state, hand.counts) == ("play", "turned", (5, 5, 5, 5))
    hand = table(PLAIN, "order alone", rules=rules_with(sitting_out_dealer="leave"))
    assert (hand.phase, hand.upcard_state, hand.counts) == ("discard", "taken", (6, 5, 5, 5))


def test_nothing_is_legal_after_the_deal(table: Table) -> None:
    hand = table(PLAIN, PASSES, PASSES, rules="throw-in")
    assert (hand.legal(), hand.seat_on_turn) == ([], None)
    assert [refuse(hand, "pass", seat) for seat in Seat] == [Reason.HAND_OVER] * 4


def test_a_refused_action_is_not_applied(table: Table) -> None:
    hand = table(PLAIN)
    before = hand.copy()
    code = parse_action("name D")
    assert code is not None
    with pytest.raises(IllegalActionError, match=r"'name D' is refused: .* \(action.phase\)"):
        apply(hand, code)
    assert hand == before


@pytest.mark.parametrize("code", [-1, 63, 255, 258, 10_000, 1 << 40])
def test_a_number_that_is_no_action_is_unknown(table: Table, code: int) -> None:
    found = violation(table(PLAIN), Seat.EAST, code)
    assert found is not None
    assert found.reason in {Reason.UNKNOWN_ACTION, Reason.WRONG_PHASE}


class TestTrumpTest:
    """`order_needs_trump` and its scopes: 9H is turned up."""

    LEFT_ONLY = "JD AS KS QC TC | 9S TS QS 9C KC | AH KH 9D TD QD | JS AC JC KD AD | 9H"
    NONE = "JS AS KS QC TC | 9S TS QS 9C KC | AH KH 9D TD QD | JD AC JC KD AD | 9H"
    DEALER_NONE = "JD AS KS QC TC | 9S TS QS 9C KC | AH KH 9D TD QD | JS AC JC KD AD | 9H"

    def test_left_bower_counts_in_ontario(self, table: Table) -> None:
        assert refuse(table(self.LEFT_ONLY, rules="ontario"), "order") is None

    def test_left_bower_is_no_natural_trump(self, table: Table) -> None:
        rules = rules_with("ontario", order_needs_trump="natural_only")
        assert refuse(table(self.LEFT_ONLY, rules=rules), "order") is Reason.NEEDS_TRUMP

    def test_a_caller_without_trump_is_refused_in_ontario(self, table: Table) -> None:
        hand = table(self.NONE, rules="ontario")
        assert refuse(hand, "order") is Reason.NEEDS_TRUMP
        assert refuse(hand, "order alone") is Reason.NEEDS_TRUMP
        assert refuse(table(self.NONE), "order") is None

    @pytest.mark.parametrize(
        ("scope", "eldest", "dealer", "round_two"),
        [
            ("ordering_seats", Reason.NEEDS_TRUMP, None, None),
            ("dealer_only", None, Reason.NEEDS_TRUMP, None),
            ("round_one_all", Reason.NEEDS_TRUMP, Reason.NEEDS_TRUMP, None),
            ("every_call", Reason.NEEDS_TRUMP, Reason.NEEDS_TRUMP, Reason.NEEDS_TRUMP),
        ],
    )
    def test_scope_says_whom_the_test_binds(
        self,
        table: Table,
        scope: str,
        eldest: Reason | None,
        dealer: Reason | None,
        round_two: Reason | None,
    ) -> None:
        rules = rules_with(
            "throw-in", order_needs_trump="natural_only", order_needs_trump_scope=scope
        )
        assert refuse(table(self.LEFT_ONLY, rules=rules), "order") is eldest
        hand = table(self.DEALER_NONE, "pass, pass, pass", rules=rules)
        assert refuse(hand, "order") is dealer
        hand = table(self.LEFT_ONLY, PASSES, "pass", rules=rules)
        assert refuse(hand, "name D") is round_two

    def test_a_stuck_dealer_is_exempt(self, table: Table) -> None:
        deal = "9S TS QS AS KS | 9C TC QC KC AC | 9D TD QD KD AD | AH KH QH TH 9H | JH"
        rules = rules_with(order_needs_trump="left_counts", order_needs_trump_scope="every_call")
        hand = table(deal, PASSES, "pass, pass, pass", rules=rules)
        assert refuse(hand, "name D") is None
        assert len(hand.legal()) == 6

    def test_the_best_bower_counts_under_every_form(self, table: Table) -> None:
        deal = "2S AS KS QC TC | 9S TS QS 9C KC | AH KH 9D TD QD | JS AC JC KD AD | 9H"
        rules = rules_with("winnipeg-call", order_needs_trump="natural_only")
        assert refuse(table(deal, rules=rules), "order") is None


class TestDealersPartner:
    """`partner_order: must_be_alone`."""

    def test_may_only_pass_or_order_alone(self, table: Table, legal: Legal) -> None:
        deal = "AS KS 9D TD QC | JH JD AH KH QH | 9H AC KC QS TS | 9C TC JC JS AD | TH"
        hand = table(deal, "pass", rules="ontario")
        assert refuse(hand, "order") is Reason.PARTNER_MUST_GO_ALONE
        assert legal(hand) == ["order alone", "pass"]

    def test_needs_a_trump_first(self, table: Table) -> None:
        hand = table(PLAIN, "pass", rules="ontario")
        assert refuse(hand, "order") is Reason.NEEDS_TRUMP

    def test_names_freely_in_round_two(self, table: Table) -> None:
        assert refuse(table(PLAIN, PASSES, "pass", rules="ontario"), "name D") is None

    def test_others_may_order_with_a_partner(self, table: Table) -> None:
        assert refuse(table(PLAIN, "pass, pass", rules="ontario"), "order") is None


class TestBareAlone:
    """`alone` as a word of its own outside its phase."""

    def test_before_trump_is_made_it_is_of_another_phase(self, table: Table) -> None:
        for rules in ("standard", "guide", "winnipeg-call", "defend-alone"):
            assert refuse(table(PLAIN, "pass", rules=rules), "alone") is Reason.WRONG_PHASE

    def test_with_more_words_it_is_of_another_phase(self, table: Table) -> None:
        assert refuse(table(PLAIN, IN_PLAY), "alone please") is Reason.WRONG_PHASE

    def test_the_maker_is_too_late_at_the_discard(self, table: Table) -> None:
        hand = table(PLAIN, "pass, pass, pass, order")
        assert refuse(hand, "alone") is Reason.ALONE_TOO_LATE

    def test_the_makers_partner_may_not(self, table: Table) -> None:
        assert refuse(table(PLAIN, "pass, order"), "alone") is Reason.ALONE_NOT_ALLOWED
        hand = table(PLAIN, IN_PLAY, "play AC")
        assert refuse(hand, "alone") is Reason.ALONE_NOT_ALLOWED

    def test_the_makers_partner_is_too_late_where_either_may(self, table: Table) -> None:
        hand = table(PLAIN, IN_PLAY, "decline, decline, play AC", rules="guide")
        assert refuse(hand, "alone") is Reason.ALONE_TOO_LATE

    def test_a_defender_finds_it_off(self, table: Table) -> None:
        for rules in ("standard", "guide"):
            asked = ", decline, decline" if rules == "guide" else ""
            hand = table(PLAIN, IN_PLAY + asked, rules=rules)
            assert refuse(hand, "alone") is Reason.DEFEND_ALONE_OFF

    def test_a_defender_needs_a_loner(self, table: Table) -> None:
        hand = table(PLAIN, IN_PLAY, rules="defend-alone")
        assert refuse(hand, "alone") is Reason.DEFEND_ALONE_NO_LONER

    def test_a_defender_who_declined_is_too_late(self, table: Table) -> None:
        loner = "pass, pass, pass, order alone, discard JS, decline, decline"
        hand = table(PLAIN, loner, rules="defend-alone")
        assert refuse(hand, "alone") is Reason.ALONE_TOO_LATE

    def test_everybody_is_too_late_where_any_player_may(self, table: Table) -> None:
        hand = table(PLAIN, "decline, decline, decline, decline", rules="winnipeg-24")
        assert refuse(hand, "alone") is Reason.ALONE_TOO_LATE


def test_alone_with_the_call_is_not_allowed_where_it_waits(table: Table, legal: Legal) -> None:
    hand = table(PLAIN, rules="guide")
    assert refuse(hand, "order alone") is Reason.ALONE_NOT_ALLOWED
    assert legal(hand) == ["order", "pass"]
    assert refuse(table(PLAIN, PASSES, rules="guide"), "name D alone") is Reason.ALONE_NOT_ALLOWED


def test_action_text_and_parse_action_agree(table: Table) -> None:
    for code in table(PLAIN).legal():
        assert parse_action(action_text(code)) == code


def test_hands_are_equal_only_to_hands_in_the_same_state(table: Table) -> None:
    assert table(PLAIN) == table(PLAIN)
    assert table(PLAIN) != table(PLAIN, "pass")
    assert table(PLAIN) != table(PLAIN, rules="quick")
    assert table(PLAIN) != "a hand"


def test_the_upcard_is_known_whatever_became_of_it(table: Table) -> None:
    seen = [
        table(PLAIN),
        table(PLAIN, "order"),
        table(PLAIN, "order, discard QH"),
        table(PLAIN, PASSES),
    ]
    assert {hand.upcard for hand in seen} == {parse_card("QH")}
    assert [hand.upcard_state for hand in seen] == ["turned", "taken", "taken", "turned_down"]
    assert [hand.discarded for hand in seen] == [None, None, parse_card("QH"), None]


def test_the_best_bower_is_named_in_the_sentence(table: Table) -> None:
    deal = "2S KC QC JC TC | AC 9S TS QS KS | AH KH 9D TD QD | JS AS AD KD JD | 9H"
    calls = "pass, pass, pass, pass, name C, decline, decline, decline, decline, play 2S"
    found = ruling(table(deal, calls, rules="winnipeg-call"), Seat.SOUTH, "play 9S")
    assert isinstance(found, Violation)
    assert found.sentence == (
        "2S (the best bower, so clubs) was led; 9S does not follow clubs, and AC does"
    )
