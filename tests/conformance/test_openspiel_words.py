"""The mapping between the protocol's words and OpenSpiel's numbers."""

import pytest

from conformance.jsontypes import Json, Record, list_of, map_of
from conformance.targets.openspiel import OpenSpiel
from conformance.targets.spiel import RANKS, SUITS, card_of, number_of

pyspiel = pytest.importorskip("pyspiel", reason="open-spiel has no wheel for this Python")

DEAL: Record = {
    "dealer": "north",
    "hands": {
        "north": ["9C", "9S", "TS", "KD", "AC"],
        "east": ["AD", "QD", "9H", "TC", "QS"],
        "south": ["JD", "TD", "KS", "QC", "JS"],
        "west": ["9D", "AH", "KH", "JC", "AS"],
    },
    "upcard": "QH",
}
RULES: Record = {"all_pass": "stick", "alone_when": "with_call", "defend_alone": "never"}


@pytest.fixture
def engine() -> OpenSpiel:
    return OpenSpiel()


def asked(op: str, *actions: str, rules: Record = RULES, **more: Json) -> dict[str, Json]:
    return {"op": op, "rules": rules, "deal": DEAL, "actions": list(actions), **more}


def test_a_card_has_the_number_that_openspiel_prints_it_for() -> None:
    for card in (rank + suit for rank in RANKS for suit in SUITS):
        assert pyspiel.euchre.card_string(number_of(card)) == card[1] + card[0]
        assert card_of(number_of(card)) == card


def test_alone_with_the_call_is_said_when_openspiel_asks_for_it(engine: OpenSpiel) -> None:
    answer = engine.answer(asked("legal", "order alone", "discard 9C", "play AD", "play TD"))
    assert (answer["turn"], answer["phase"]) == ("north", "play")


def test_alone_before_the_lead_is_openspiels_own_question(engine: OpenSpiel) -> None:
    rules = {**RULES, "alone_when": "before_lead"}
    assert "order alone" not in list_of(engine.answer(asked("legal", rules=rules))["legal"], "")
    answer = engine.answer(asked("legal", "order", "discard 9C", rules=rules))
    assert (answer["turn"], answer["legal"]) == ("east", ["alone", "decline"])


@pytest.mark.parametrize("action", ["order", "name S", "play AD", "discard AD", "pas", "play 2S"])
def test_a_word_of_another_phase_is_refused_and_changes_nothing(
    engine: OpenSpiel, action: str
) -> None:
    before = engine.answer(asked("legal", "pass", "pass", "pass", "order"))
    after = engine.answer(asked("apply", "pass", "pass", "pass", "order", action=action))
    assert after == {"refused": True, **before}


def test_a_seat_that_is_not_on_turn_is_refused(engine: OpenSpiel) -> None:
    assert engine.answer(asked("apply", action="pass", by="south"))["refused"] is True
    assert "refused" not in engine.answer(asked("apply", action="pass", by="east"))


def test_a_view_holds_the_hand_of_its_seat_and_of_no_other(engine: OpenSpiel) -> None:
    view = map_of(engine.answer(asked("view", seat="west"))["view"], "view")
    assert sorted(map(str, list_of(view["hand"], "hand"))) == ["9D", "AH", "AS", "JC", "KH"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"upcard": "9C"}, "the card '9C' stands twice in the deal"),
        ({"upcard": "2S"}, "OpenSpiel's pack has no card '2S'"),
        ({"dealer": "nobody"}, "deal.dealer is not a seat: 'nobody'"),
        ({"hands": {**map_of(DEAL["hands"], ""), "east": ["AD"]}}, "east holds 1 cards, not 5"),
    ],
)
def test_a_deal_that_cannot_be_dealt_is_an_error(
    engine: OpenSpiel, change: Record, problem: str
) -> None:
    request = {**asked("legal"), "deal": {**DEAL, **change}}
    assert engine.answer(request) == {"error": problem}


def test_an_action_that_cannot_happen_is_an_error_that_names_it(engine: OpenSpiel) -> None:
    answer = engine.answer(asked("legal", "pass", "name S"))
    assert str(answer["error"]).startswith("action 2: OpenSpiel does not allow 'name S'")


def test_an_op_that_it_does_not_have_is_unsupported(engine: OpenSpiel) -> None:
    assert engine.answer({"op": "deck"}) == {"unsupported": "deck"}
