import pytest

from referee.records import TABLE_KNOBS, TableRules, TableRulesError
from referee.rules import Seat
from tests.records.support import F1, PLAY, found, judged, only


def ruled(text: str, **table: str) -> tuple[str, str, tuple[int, int], str]:
    """Outcome, remedy of the first irregularity, score and next dealer."""
    deal = only(judged(text, table))
    remedy = deal.irregularities[0].remedy if deal.irregularities else ""
    dealer = "" if deal.next_dealer is None else deal.next_dealer.word
    return deal.outcome, remedy, deal.score, dealer


def misdealt(kind: str, **table: str) -> tuple[str, str]:
    """Outcome and next dealer of a deal of west in which something happened."""
    outcome, _, _, dealer = ruled(F1 + kind, **table)
    return outcome, dealer


def test_a_misdeal_is_dealt_again_by_the_same_dealer() -> None:
    assert misdealt("wrong_count at=dealing") == ("redeal", "west")
    assert misdealt("wrong_count at=in_play") == ("redeal", "west")


def test_a_misdeal_may_lose_the_deal() -> None:
    assert misdealt("wrong_count at=dealing", misdeal_remedy="lose_deal") == ("redeal", "north")


@pytest.mark.parametrize(
    ("remedy", "at", "dealer"),
    [
        ("lose_after_upcard", "before_upcard", "west"),
        ("lose_after_upcard", "before_lead", "north"),
        ("lose_after_lead", "before_lead", "west"),
        ("lose_after_lead", "in_play", "north"),
    ],
)
def test_a_misdeal_may_lose_the_deal_from_a_stage_on(remedy: str, at: str, dealer: str) -> None:
    assert misdealt(f"wrong_count at={at}", misdeal_remedy=remedy) == ("redeal", dealer)


def test_the_second_misdeal_in_a_row_may_lose_the_deal() -> None:
    text = "deal 1 dealer west\nwrong_count at=dealing\ndeal 2 dealer west\nwrong_count at=dealing"
    assert [deal.next_dealer for deal in judged(text).deals] == [Seat.WEST, Seat.WEST]
    limited = judged(text, {"misdeal_limit": "2"}).deals
    assert [deal.next_dealer for deal in limited] == [Seat.WEST, Seat.NORTH]


def test_a_wrong_count_found_in_the_play_may_cost_points_and_the_right_to_score() -> None:
    text = F1 + "wrong_count by=west number=6 at=in_play"
    outcome, _, score, _ = ruled(text, wrong_count_in_play="forfeit")
    assert (outcome, score) == ("played", (2, 0))
    assert ruled(text, wrong_count_in_play="forfeit", wrong_count_points="1")[2] == (1, 0)


def test_a_wrong_count_beside_a_lone_hand_costs_more() -> None:
    text = F1.replace("calls pass pass pass order", "calls pass pass pass order alone").replace(
        PLAY, "trick JD AH JH\n"
    )
    lone = text + "wrong_count by=west number=6 at=in_play"
    deal = only(judged(lone, {"wrong_count_in_play": "forfeit"}))
    assert [penalty.points for penalty in deal.penalties] == [4]
    table = {"wrong_count_in_play": "forfeit", "wrong_count_lone_points": "3"}
    assert [penalty.points for penalty in only(judged(lone, table)).penalties] == [3]


@pytest.mark.parametrize(
    ("at", "knob"), [("dealing", "exposed_in_deal"), ("upcard", "exposed_with_upcard")]
)
def test_a_card_exposed_in_the_deal_is_dealt_again_or_only_on_a_claim(at: str, knob: str) -> None:
    event = f"exposed_in_deal card=9C at={at}"
    assert misdealt(event) == ("redeal", "west")
    assert misdealt(event, **{knob: "claim"}) == ("played", "north")
    assert misdealt(event + " claimed=true", **{knob: "claim"}) == ("redeal", "west")


def test_a_cut_that_is_not_offered_may_be_claimed_as_a_misdeal() -> None:
    assert misdealt("no_cut claimed=true") == ("played", "north")
    assert misdealt("no_cut claimed=true", no_cut="claim") == ("redeal", "west")
    assert misdealt("no_cut", no_cut="claim") == ("played", "north")


@pytest.mark.parametrize(
    ("knob", "at", "outcome"),
    [
        ("before_upcard", "before_upcard", "redeal"),
        ("before_upcard", "before_lead", "played"),
        ("before_lead", "before_lead", "redeal"),
        ("before_lead", "in_play", "played"),
        ("stands", "before_upcard", "played"),
        ("misdeal", "in_play", "redeal"),
    ],
)
def test_a_stolen_deal_can_be_stopped_until_its_stage(knob: str, at: str, outcome: str) -> None:
    stolen = f"{F1}deal 2 dealer south up TH\ndeal_out_of_turn by=south at={at}"
    deal = judged(stolen, {"deal_out_of_turn": knob}).deals[-1]
    assert deal.outcome == (outcome if outcome == "redeal" else "unfinished")
    if outcome == "redeal":
        assert deal.next_dealer is not None
        assert deal.next_dealer.word == "north"


def test_a_deal_out_of_turn_is_noticed_without_being_written_down() -> None:
    assert found(F1 + "deal 2 dealer south up TH\n") == ["deal.out-of-turn south"]


def test_a_card_of_the_kitty_that_is_exposed_is_played_on_or_dealt_again() -> None:
    assert misdealt("kitty_exposed by=east") == ("played", "north")
    assert misdealt("kitty_exposed by=east", kitty_exposed="redeal") == ("redeal", "west")


ORDERED = "calls pass pass pass order"
OUT_OF_TURN = F1.replace(
    ORDERED, "calls east: pass, north: pass, east: pass, south: pass, west: order"
)
LOST = F1.replace(ORDERED, "calls east: order, north: pass, south: pass, west: order")


def test_a_call_out_of_turn_does_not_count_and_is_made_again_in_turn() -> None:
    assert found(OUT_OF_TURN) == ["bid.out-of-turn east"]
    assert only(judged(OUT_OF_TURN)).maker == 3


def test_a_call_out_of_turn_may_lose_the_call() -> None:
    assert found(LOST, {"call_out_of_turn": "loses_call"}) == ["bid.out-of-turn east"]
    assert only(judged(LOST, {"call_out_of_turn": "loses_call"})).maker == 3
    twice = {"call_out_of_turn": "loses_call"}
    assert found(OUT_OF_TURN.replace("east: pass, south", "east: order, south"), twice) == [
        "bid.out-of-turn east",
        "bid.out-of-turn east",
    ]


def test_a_call_out_of_turn_may_cost_points() -> None:
    assert only(judged(OUT_OF_TURN, {"call_out_of_turn_points": "2"})).score == (2, 2)
    assert only(judged(OUT_OF_TURN)).score == (0, 2)


def test_a_seat_that_is_passed_over_is_named_and_counts_as_a_pass() -> None:
    text = F1.replace("calls pass pass pass order", "calls north: pass, west: order")
    assert found(text) == ["round-one.order east", "round-one.order south"]


TURNED = """\
deal 1 dealer west up TH
calls pass pass pass pass north: name H, {}
"""


def test_the_turned_down_suit_is_called_again_or_counts_as_a_pass() -> None:
    again = TURNED.format("north: name S")
    assert only(judged(again)).maker == 0
    table = {"turned_down_named": "counts_as_pass"}
    passed = TURNED.format("east: name S")
    assert only(judged(passed, table)).maker == 1
    assert found(passed, table) == ["round-two.not-turned-suit north"]


def test_the_partner_of_a_wrong_call_may_have_to_pass() -> None:
    text = TURNED.format("east: pass, south: name S, west: name C")
    table = {"turned_down_named": "counts_as_pass"}
    assert only(judged(text, table)).maker == 2
    table["partner_after_wrong_call"] = "must_pass"
    assert only(judged(text, table)).maker == 3
    assert "bid.partner-pass-after-error south" in found(text, table)


TALK = F1 + "table_talk by=east\ntable_talk by=west"


@pytest.mark.parametrize(
    ("knob", "score"),
    [("warning", (0, 2)), ("warning_then_points", (2, 2)), ("points", (4, 2))],
)
def test_table_talk_is_warned_or_paid(knob: str, score: tuple[int, int]) -> None:
    assert only(judged(TALK, {"table_talk": knob})).score == score


def test_table_talk_costs_what_the_knob_says() -> None:
    assert only(judged(TALK, {"table_talk": "points", "table_talk_points": "1"})).score == (2, 2)


EXPOSED = F1 + "exposed_card by=south card=TD trick=1"


def test_an_exposed_card_is_played_at_the_first_lawful_chance() -> None:
    # south holds KH TD JS TS 9C: hearts are led to tricks 1 to 3, and KH must follow the first
    assert found(EXPOSED) == ["play.exposed-card south 1"]
    late = F1.replace("QH 9H QD TD", "QH 9H QD JS").replace("TH AD 9S JS", "TH AD 9S TD")
    assert found(late + "exposed_card by=south card=TD trick=1") == [
        "play.exposed-card south 1",
        "play.exposed-card south 2",
    ]


def test_an_exposed_card_may_be_free_or_only_called() -> None:
    late = F1.replace("QH 9H QD TD", "QH 9H QD JS").replace("TH AD 9S JS", "TH AD 9S TD")
    text = late + "exposed_card by=south card=TD trick=1"
    assert found(text, {"exposed_card": "no_penalty"}) == ["play.exposed-card south 1"]
    assert found(text, {"exposed_card": "called"}) == ["play.exposed-card south 1"]
    called = {"exposed_card": "called"}
    assert found(text + " called=2", called)[1:] == ["play.exposed-card south 2"]


def test_a_lone_player_may_expose_cards_unless_the_table_says_otherwise() -> None:
    text = """\
deal 1 dealer west up 9S
hand north AC KC QC TC 9C
calls north: order alone
trick north:AC south:9H west:9D
trick north:KC south:TH west:TD
exposed_card by=north card=9C trick=1
"""
    text = text.replace("south:", "east:")
    assert "play.exposed-card north 1" in found(text)
    assert found(text).count("play.exposed-card north 1") == 1
    assert found(text, {"lone_exposed_card": "as_others"}).count("play.exposed-card north 1") == 2


LED = F1.replace("QH 9H QD TD", "QH 9H QD JS").replace("TH AD 9S JS", "TH AD 9S TD")


def test_a_lead_out_of_turn_is_exposed_called_or_stands() -> None:
    text = LED + "lead_out_of_turn by=south card=TD trick=2 called=2"
    remedies = [
        only(judged(text, {"lead_out_of_turn": knob})).irregularities[0].remedy
        for knob in ("exposed", "called", "stands")
    ]
    assert remedies == [
        "the lead is taken back, and the card lies exposed until it can be played",
        "the lead is taken back, and the adversaries may call a card or a suit",
        "the lead stands",
    ]
    assert len(found(text)) == 2
    assert len(found(text, {"lead_out_of_turn": "called"})) == 2
    assert len(found(text, {"lead_out_of_turn": "stands"})) == 1


def corrected(at: str, knob: str) -> bool:
    """Whether a renege that was taken back then still is one."""
    text = F1 + f"correction by=east card=QD trick=1 at={at}\nclaim north east 1"
    deal = only(judged(text, {"renege_correction": knob}))
    return deal.outcome == "renege"


@pytest.mark.parametrize(
    ("knob", "times"),
    [
        ("until_quitted", "in_trick after_partner finished"),
        ("until_finished", "in_trick after_partner"),
        ("until_side_plays", "in_trick"),
        ("never", ""),
    ],
)
def test_a_renege_may_be_corrected_in_its_window_and_not_after_it(knob: str, times: str) -> None:
    free = [at for at in ("in_trick", "after_partner", "finished", "quitted")
            if not corrected(at, knob)]  # fmt: skip
    assert " ".join(free) == times


RENEGED = F1.replace("JD AH KH JH", "JD QC KH JH").replace("KS TC QC 9C", "KS TC AH 9C")


def test_a_renege_is_claimed_until_the_deal_is_closed_or_until_the_next_one() -> None:
    text = RENEGED + "claim north east 1 closed"
    assert only(judged(text)).outcome == "played"
    assert only(judged(text, {"renege_claim": "next_deal"})).outcome == "renege"
    later = RENEGED + "claim north east 1 later"
    assert only(judged(later, {"renege_claim": "next_deal"})).outcome == "played"


def test_a_claimed_renege_ends_the_hand_or_the_hand_is_played_out() -> None:
    text = RENEGED + "claim north east 1"
    deal = only(judged(text))
    assert (deal.outcome, deal.points, deal.score) == ("renege", (0, 0), (2, 0))
    deal = only(judged(text, {"renege_hand": "played_out"}))
    assert (deal.outcome, deal.points, deal.score) == ("played", (0, 0), (2, 0))


BOTH = RENEGED.replace("AS KC AC TS", "AS KC AC 9C").replace("KS TC AH 9C", "KS TC AH TS")


def test_equal_reneges_cancel_or_each_side_pays() -> None:
    text = BOTH + "claim north east 1\nclaim west south 4"
    assert only(judged(text)).score == (0, 0)
    assert only(judged(text, {"renege_both_sides": "each_pays"})).score == (2, 2)


def test_a_penalty_is_scored_by_the_others_or_taken_off() -> None:
    text = "score 5-6\n" + RENEGED + "claim north east 1"
    assert only(judged(text)).score == (7, 6)
    assert only(judged(text, {"penalty_form": "offender_loses"})).score == (5, 4)


LAID = F1[: F1.index("trick AS")]


def test_a_hand_laid_down_is_played_on_agreed_or_proved() -> None:
    text = LAID + "laydown by=west trick=4 number=2"
    assert only(judged(text)).outcome == "unfinished"
    assert only(judged(text, {"laydown": "all_agree"})).outcome == "unfinished"
    assert only(judged(text + " agreed=true", {"laydown": "all_agree"})).points == (0, 2)
    assert only(judged(text, {"laydown": "provable"})).points == (0, 2)


def test_a_laydown_that_does_not_hold_is_refused() -> None:
    text = F1[: F1.index("trick QH")] + "laydown by=north trick=2 number=1"
    deal = only(judged(text, {"laydown": "provable"}))
    assert deal.outcome == "unfinished"
    assert deal.irregularities[0].remedy.startswith("it does not hold")


def test_a_laydown_cannot_be_proved_where_a_hand_is_not_known() -> None:
    text = LAID.replace("hand south KH TD JS TS 9C\n", "") + "laydown by=west trick=4 number=2"
    deal = only(judged(text, {"laydown": "provable"}))
    assert deal.irregularities[0].remedy.startswith("it cannot be proved")


def test_a_laydown_that_is_refused_may_cost_points() -> None:
    text = F1 + "laydown by=west trick=4 number=2"
    assert only(judged(text, {"laydown_points": "2"})).score == (2, 2)
    assert only(judged(text)).score == (0, 2)


def test_every_knob_has_its_default_first_and_its_rule() -> None:
    assert TableRules().to_map() == {name: knob.default for name, knob in TABLE_KNOBS.items()}
    assert TableRules.from_map(TableRules().to_map()) == TableRules()
    assert all(knob.rule for knob in TABLE_KNOBS.values())


@pytest.mark.parametrize(
    ("knob", "value", "message"),
    [
        ("misdeal_remdy", "lose_deal", "did you mean 'misdeal_remedy'?"),
        ("misdeal_remedy", "lose", "has no value 'lose'"),
        ("laydown_points", "100", "has no value '100'"),
        ("misdeal_limit", "1", "has no value '1'"),
        ("table_talk_points", "-1", "has no value '-1'"),
    ],
)
def test_an_unknown_table_rule_is_refused(knob: str, value: str, message: str) -> None:
    with pytest.raises(TableRulesError, match=message.replace("?", r"\?")):
        TableRules.from_map({knob: value})


def test_a_claim_by_the_offender_s_own_side_is_told_and_costs_nobody_anything() -> None:
    text = F1.replace("JD AH KH JH", "JD QC KH JH").replace("KS TC QC 9C", "KS TC AH 9C")
    deal = only(judged(text + "claim west east 1\n"))
    assert (deal.outcome, deal.penalties) == ("played", ())
    told = [item for item in deal.irregularities if item.rule == "renege.claim-window"]
    assert [item.what.partition(": ")[2] for item in told] == [
        "only an adversary may claim, so it counts for nothing"
    ]


def test_an_adversary_s_claim_beside_that_of_the_offender_s_partner_is_paid() -> None:
    text = F1.replace("JD AH KH JH", "JD QC KH JH").replace("KS TC QC 9C", "KS TC AH 9C")
    deal = only(judged(text + "claim west east 1\nclaim south east 1\n"))
    assert deal.outcome == "renege"
    assert [item.points for item in deal.penalties] == [2]
