from conformance.jsontypes import Json
from conformance.targets.referee import answer
from referee.rules import preset

HANDS: dict[str, Json] = {
    "north": ["JC", "9C", "AD", "KH", "QH"],
    "east": ["AS", "KS", "TD", "9D", "TH"],
    "south": ["QS", "TS", "QD", "KD", "9H"],
    "west": ["AC", "QC", "AH", "JH", "TC"],
}


def ask(record: dict[str, Json], claims: list[Json] | None = None, **more: Json) -> dict[str, Json]:
    rules: dict[str, Json] = dict(preset("standard").to_map())
    request: dict[str, Json] = {"op": "adjudicate", "rules": rules, "record": record, **more}
    if claims is not None:
        request["claims"] = claims
    return answer(request)


def test_a_renege_is_found_from_full_hands_and_costs_its_side_once_claimed() -> None:
    deal: Json = {"dealer": "south", "hands": HANDS, "upcard": "9S"}
    reply = ask(
        {"tricks": [["west AC", "north JC"]]},
        [{"by": "west", "against": "north", "trick": 1}],
        deal=deal,
        actions=["order", "discard 9H"],
    )
    assert reply == {
        "findings": [{"trick": 1, "seat": "north", "card": "JC", "rule": "renege.definition"}],
        "penalty": {"side": "ns", "points": 2},
    }


def test_a_renege_is_found_from_the_play_alone() -> None:
    tricks: list[Json] = [["west AC", "north JC", "east TC", "south QC"], ["north 9C"]]
    reply = ask({"trump": "S", "tricks": tricks})
    assert reply["findings"] == [
        {"trick": 1, "seat": "north", "card": "JC", "rule": "renege.definition"}
    ]
    assert reply["penalty"] == {"side": "none", "points": 0}


def test_a_record_without_trump_is_an_error() -> None:
    assert "no trump" in str(ask({"tricks": [["west AC", "north JC"]]})["error"])


def test_a_card_that_is_none_is_an_error() -> None:
    assert "not a card" in str(ask({"trump": "S", "tricks": [["west 10C"]]})["error"])
