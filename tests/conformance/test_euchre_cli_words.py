"""The adapter to euchre-cli types what is said, and reads what is printed."""

import pytest

from conformance.jsontypes import Json, Record
from conformance.targets.euchre_cli import Adapter

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
ORDERED = ("pass", "pass", "pass", "order", "discard 9C")


@pytest.fixture(scope="module")
def engine() -> Adapter:
    return Adapter()


def asked(op: str, *actions: str, **more: Json) -> dict[str, Json]:
    return {"op": op, "rules": {}, "deal": DEAL, "actions": list(actions), **more}


def test_the_seat_that_it_asks_is_on_turn(engine: Adapter) -> None:
    answer = engine.answer(asked("legal", "pass"))
    assert answer == {"turn": "south", "phase": "round_one", "legal": ["order", "pass"]}


def test_only_suits_of_the_hand_are_offered(engine: Adapter) -> None:
    answer = engine.answer(asked("legal", "pass", "pass", "pass", "pass"))
    assert answer["legal"] == ["name C", "name D", "name S", "pass"]
    answer = engine.answer(asked("legal", "pass", "pass", "pass", "pass", "pass", "pass", "pass"))
    assert (answer["turn"], answer["phase"]) == ("north", "round_two")


def test_the_dealer_is_asked_for_one_of_six_cards(engine: Adapter) -> None:
    answer = engine.answer(asked("legal", "order"))
    assert (answer["turn"], answer["phase"]) == ("north", "discard")
    cards = ["9C", "9S", "AC", "KD", "QH", "TS"]
    assert answer["legal"] == [f"discard {card}" for card in cards]


def test_a_card_is_legal_if_it_is_taken_when_played(engine: Adapter) -> None:
    answer = engine.answer(asked("legal", *ORDERED, "play AD"))
    assert answer == {"turn": "south", "phase": "play", "legal": ["play TD"]}


def test_a_card_that_does_not_follow_is_refused_and_changes_nothing(engine: Adapter) -> None:
    before = engine.answer(asked("legal", *ORDERED, "play AD"))
    after = engine.answer(asked("apply", *ORDERED, "play AD", action="play JD"))
    assert after == {"refused": True, **before}


def test_a_seat_that_is_not_asked_cannot_speak(engine: Adapter) -> None:
    assert engine.answer(asked("apply", action="pass", by="west"))["refused"] is True


def test_a_deal_thrown_in_leaves_its_dealer_on_deal(engine: Adapter) -> None:
    answer = engine.answer(asked("replay", *["pass"] * 8))
    assert (answer["outcome"], answer["next_dealer"]) == ("thrown_in", "north")


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        ("order alone", "action 1: euchre-cli does not take 'order alone'"),
        ("play AD", "action 1: euchre-cli does not take 'play AD'"),
    ],
)
def test_what_it_does_not_offer_is_an_error_in_the_actions(
    engine: Adapter, action: str, problem: str
) -> None:
    assert engine.answer(asked("legal", action)) == {"error": problem}


def test_a_deck_with_a_card_twice_is_an_error(engine: Adapter) -> None:
    request: Record = {"op": "draw", "rules": {}, "start": "north", "method": "black_jack"}
    answer = engine.answer({**request, "deck": ["9C", "9C"]})
    assert answer == {"error": "euchre-cli's pack has no card '9C', or not another one"}


def test_a_second_table_in_a_process_finds_the_engine_as_it_was(engine: Adapter) -> None:
    first = engine.answer(asked("legal", "pass"))
    assert Adapter().answer(asked("legal", "pass")) == first
