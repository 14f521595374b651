from dataclasses import FrozenInstanceError, fields, replace

import pytest

from referee.rules import CLASHES, KNOBS, PRESETS, RuleSet, RuleSetError, preset
from referee.rules.ruleset import Clash

NEEDED: dict[tuple[str, str], dict[str, str]] = {
    ("trump_making", "turned_suit"): {
        "upcard": "stays_out",
        "alone_who": "any_player",
        "alone_when": "before_lead",
    },
    ("throw_in_dealer", "same"): {"all_pass": "throw_in"},
    ("order_needs_trump_scope", "dealer_only"): {"order_needs_trump": "left_counts"},
    ("order_needs_trump_scope", "round_one_all"): {"order_needs_trump": "left_counts"},
    ("order_needs_trump_scope", "every_call"): {"order_needs_trump": "natural_only"},
    ("alone_who", "making_side"): {"alone_when": "before_lead"},
    ("alone_who", "any_player"): {"alone_when": "before_lead"},
    ("defend_alone_poll", "makers_left"): {"defend_alone": "any"},
    ("both_alone_lead", "defender"): {"defend_alone": "any"},
    ("best_bower_turned", "dealer_names_blind"): {"pack": "E25J"},
}
"""What a value has a meaning beside, where standard has something else."""

FIRST_VALUES = {
    "pack": "E24",
    "target": "10",
    "deals": "none",
    "first_dealer": "black_jack",
    "packets": "3-2",
    "cut": "none",
    "trump_making": "two_rounds",
    "all_pass": "stick",
    "throw_in_dealer": "left",
    "order_needs_trump": "never",
    "order_needs_trump_scope": "ordering_seats",
    "partner_order": "with_partner",
    "upcard": "dealer_takes",
    "bury_upcard": "allowed",
    "sitting_out_dealer": "exchange",
    "alone_who": "maker",
    "alone_when": "with_call",
    "defend_alone": "never",
    "defend_alone_poll": "dealers_left",
    "loner_lead": "dealers_left",
    "both_alone_lead": "dealers_left",
    "points_made": "1",
    "points_march": "2",
    "points_lone_march": "4",
    "points_euchre": "2",
    "points_euchre_all_five": "2",
    "points_lone_euchred": "2",
    "points_lone_defender": "4",
    "best_bower_turned": "spades",
    "no_trump": "never",
    "farmers_hand": "none",
    "going_under": "none",
    "ace_no_face": "none",
    "no_ace_no_face_no_trump": "none",
    "loner_limit": "none",
    "partners_best": "none",
    "enforcement": "refuse",
    "renege_points": "2",
    "renege_vs_lone_maker": "4",
    "renege_by_lone_side": "2",
    "renege_false_claim": "0",
}


def test_standard_has_every_knob_at_its_first_value() -> None:
    assert preset("standard").to_map() == FIRST_VALUES
    assert RuleSet() == preset("standard") == RuleSet.from_map({})


def test_every_knob_is_a_field_and_has_the_fields_default() -> None:
    assert [field.name for field in fields(RuleSet)] == list(KNOBS)
    assert {name: knob.default for name, knob in KNOBS.items()} == FIRST_VALUES


@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_set_reads_back_from_its_map(name: str) -> None:
    assert RuleSet.from_map(preset(name).to_map()) == preset(name)


@pytest.mark.parametrize(
    ("name", "apart"),
    [
        ("quick", {"target": "5"}),
        ("throw-in", {"all_pass": "throw_in"}),
        ("defend-alone", {"defend_alone": "vs_loner"}),
        (
            "ontario",
            {
                "all_pass": "throw_in",
                "order_needs_trump": "left_counts",
                "partner_order": "must_be_alone",
            },
        ),
        ("wec", {"deals": "12", "order_needs_trump": "left_counts"}),
        ("tournament-ohio", {"first_dealer": "any_jack", "cut": "dealers_right"}),
        (
            "bicycle",
            {"first_dealer": "draw_low", "cut": "dealers_right", "all_pass": "throw_in"},
        ),
        (
            "british",
            {
                "pack": "E25J",
                "target": "21",
                "first_dealer": "agreed",
                "cut": "dealers_left",
                "all_pass": "throw_in",
                "partner_order": "must_be_alone",
                "defend_alone": "any",
                "loner_lead": "loners_left",
                "both_alone_lead": "defender",
                "best_bower_turned": "dealer_names_blind",
            },
        ),
        (
            "guide",
            {
                "packets": "2-3",
                "cut": "dealers_right",
                "first_dealer": "draw_low",
                "all_pass": "throw_in",
                "alone_who": "making_side",
                "alone_when": "before_lead",
            },
        ),
        (
            "winnipeg",
            {
                "pack": "E25",
                "first_dealer": "agreed",
                "trump_making": "turned_suit",
                "upcard": "stays_out",
                "alone_who": "any_player",
                "alone_when": "before_lead",
                "points_lone_march": "2",
            },
        ),
    ],
)
def test_a_preset_differs_from_standard_only_in_this(name: str, apart: dict[str, str]) -> None:
    assert preset(name).to_map() == {**FIRST_VALUES, **apart}


def test_winnipeg_call_is_winnipeg_with_a_call_and_double_for_all_five() -> None:
    assert preset("winnipeg-call").to_map() == {
        **preset("winnipeg").to_map(),
        "trump_making": "one_round_then_dealer",
        "points_euchre_all_five": "4",
    }


def test_the_24_card_readings_differ_in_the_pack_only() -> None:
    for name in ("winnipeg", "winnipeg-call"):
        assert preset(f"{name}-24").to_map() == {**preset(name).to_map(), "pack": "E24"}


def test_an_unknown_rule_set_is_refused_with_the_near_name() -> None:
    with pytest.raises(RuleSetError, match=r"no such rule set: 'standrd' \(did you mean 'standar"):
        preset("standrd")


@pytest.mark.parametrize(
    ("knob", "value", "message"),
    [
        ("targets", "5", r"no such knob: 'targets' \(did you mean 'target'\?\)"),
        ("zzz", "5", r"no such knob: 'zzz' \(the names are pack target"),
        ("target", "0", r"'target' has no value '0' \(its values are 1..99\)"),
        ("target", "100", "has no value '100'"),
        ("target", "010", "has no value '010'"),
        ("target", "+5", "has no value"),
        ("target", " 5", "has no value"),
        ("target", "5.0", "has no value"),
        ("target", "\u0665", "has no value"),
        ("target", "", "has no value ''"),
        ("target", "9" * 5000, "has no value"),
        ("deals", "0", r"none \| 1..999"),
        ("deals", "1000", "has no value"),
        ("deals", "None", "did you mean 'none'"),
        ("points_made", "100", "0..99"),
        ("all_pass", "throw-in", "did you mean 'throw_in'"),
        ("all_pass", "Stick", "has no value 'Stick'"),
        ("pack", "E52", "has no value 'E52'"),
    ],
)
def test_an_unknown_knob_or_value_is_refused(knob: str, value: str, message: str) -> None:
    with pytest.raises(RuleSetError, match=message):
        RuleSet.from_map({knob: value})


@pytest.mark.parametrize("knob", KNOBS)
def test_every_word_of_a_knob_makes_a_rule_set_with_what_it_needs(knob: str) -> None:
    for word in KNOBS[knob].words:
        assert RuleSet.from_map({**NEEDED.get((knob, word), {}), knob: word}).to_map()[knob] == word


def test_a_number_may_be_any_of_its_range() -> None:
    rules = RuleSet.from_map({"target": "99", "deals": "999", "points_lone_march": "0"})
    assert (rules.target, rules.deals, rules.points_lone_march) == (99, 999, 0)


def test_a_replaced_rule_set_is_looked_at_too() -> None:
    with pytest.raises(RuleSetError, match="has no value '0'"):
        replace(preset("standard"), target=0)


def test_a_rule_set_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        preset("standard").target = 3  # type: ignore[misc]  # what is tested


MEANINGLESS = [
    ({"alone_who": "making_side"}, "alone_when: with_call", "alone_who: making_side"),
    (
        {"alone_who": "any_player", "alone_when": "before_lead", "defend_alone": "any"},
        "alone_who: any_player",
        "defend_alone: any",
    ),
    ({"trump_making": "turned_suit"}, "trump_making: turned_suit", "upcard: dealer_takes"),
    (
        {"trump_making": "turned_suit", "upcard": "stays_out"},
        "trump_making: turned_suit",
        "alone_who: maker",
    ),
    (
        {
            "trump_making": "turned_suit",
            "upcard": "stays_out",
            "alone_who": "any_player",
            "alone_when": "before_lead",
            "order_needs_trump": "left_counts",
        },
        "trump_making: turned_suit",
        "order_needs_trump: left_counts",
    ),
    (
        {"trump_making": "one_round_then_dealer", "all_pass": "throw_in"},
        "trump_making: one_round_then_dealer",
        "all_pass: throw_in",
    ),
    (
        {"partner_order": "must_be_alone", "alone_when": "before_lead"},
        "partner_order: must_be_alone",
        "alone_when: before_lead",
    ),
    ({"throw_in_dealer": "same"}, "throw_in_dealer: same", "all_pass: stick"),
    (
        {"order_needs_trump_scope": "every_call"},
        "order_needs_trump_scope: every_call",
        "order_needs_trump: never",
    ),
    (
        {"bury_upcard": "forbidden", "upcard": "stays_out"},
        "bury_upcard: forbidden",
        "upcard: stays_out",
    ),
    (
        {"sitting_out_dealer": "leave", "alone_when": "before_lead"},
        "sitting_out_dealer: leave",
        "alone_when: before_lead",
    ),
    ({"defend_alone_poll": "makers_left"}, "defend_alone_poll: makers_left", "defend_alone: never"),
    ({"both_alone_lead": "defender"}, "both_alone_lead: defender", "defend_alone: never"),
]


@pytest.mark.parametrize(("values", "one", "other"), MEANINGLESS)
def test_a_combination_with_no_meaning_is_refused_with_both_knobs(
    values: dict[str, str], one: str, other: str
) -> None:
    with pytest.raises(RuleSetError, match=f"{one} has no meaning beside {other}"):
        RuleSet.from_map(values)


def test_a_game_that_could_never_end_is_refused() -> None:
    nothing = {name: "0" for name in KNOBS if name.startswith("points_")}
    with pytest.raises(RuleSetError, match="the game could never end"):
        RuleSet.from_map(nothing)
    assert RuleSet.from_map({**nothing, "deals": "3"}).deals == 3


def test_winnipeg_may_poll_from_the_makers_left_where_there_is_a_maker() -> None:
    values = {"defend_alone_poll": "makers_left"}
    assert RuleSet.from_map({**preset("winnipeg-call").to_map(), **values})
    with pytest.raises(RuleSetError, match="there is no maker"):
        RuleSet.from_map({**preset("winnipeg").to_map(), **values})


@pytest.mark.parametrize("clash", CLASHES)
def test_a_clash_names_knobs_and_values_that_exist(clash: Clash) -> None:
    for knob, values in ((clash.knob, clash.values), (clash.beside, clash.beside_values)):
        assert set(values) <= set(KNOBS[knob].words)
