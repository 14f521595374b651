"""Targets that play one rule set whatever they are sent, and what their fingerprints must say."""

from collections.abc import Callable, Mapping
from functools import cache

from conformance.check import FILLED
from conformance.corpus import canonical
from conformance.fingerprint import Fingerprint, Question, predicting, questions, take
from conformance.fingerprint.predict import Predictor
from conformance.fingerprint.variations import Variation
from conformance.jsontypes import Json, Record, list_of, map_of
from conformance.targets.base import InProcess, claims_everything
from conformance.targets.referee import answer as referee
from tests.corpus import corpus

Answer = Callable[[Record], Record]
AROUND = 4
LONG = 20
"""Games of so many deals are asked about only to learn how many deals a game has."""


@cache
def asked() -> list[Question]:
    return questions(corpus())


@cache
def predictor() -> Predictor:
    return predicting(asked(), corpus().rulesets)


def fixed(engine: Answer, rules: Record) -> Answer:
    """An engine that plays one rule set, whatever it is sent."""

    def answer(request: Record) -> Record:
        forced: dict[str, Json] = {**request, "rules": rules}
        if request["op"] in FILLED:
            field, knob = FILLED[str(request["op"])]
            forced[field] = rules[knob]
        return engine(forced)

    return answer


def taken(answer: Answer, **claims: Json) -> Fingerprint:
    rulesets = corpus().rulesets
    target = InProcess("x:", answer, {**claims_everything("x", rulesets), **claims})
    hello = target.hello({})
    return take(target, hello, asked(), rulesets, predictor=predictor())


def unlike(found: Fingerprint, rules: Record) -> set[str]:
    """The knobs that the fingerprint gives another value, those left open apart."""
    open_knobs = {one.knob for one in found.untold}
    return {knob for knob in rules if found.rules[knob] != rules[knob]} - open_knobs


DEARER = {
    "points_lone_march": "points_march",
    "points_euchre_all_five": "points_euchre",
    "points_lone_euchred": "points_euchre",
}
"""Of two prices for one deal the higher is paid: one that is not above the other shows nothing."""
LIMITED = 8
"""The lowest score at which loners may be limited."""


def left_open(rules: Mapping[str, str]) -> dict[str, str]:
    """What no deal under standard with a number changed can tell, with the numbers it may be."""
    found = {"cut": "", "enforcement": "", "points_lone_defender": "0..99"}
    for price, dearer in DEARER.items():
        if rules[dearer] != "0" and int(rules[price]) <= int(rules[dearer]):
            found[price] = f"0..{rules[dearer]}"
    if rules["deals"] != "none":
        found["target"] = "1..99"
    elif int(rules["target"]) <= LIMITED:
        found["loner_limit"] = ""
    return found


def what_is_wrong(one: Variation) -> list[str]:
    """What is wrong in the fingerprint of the referee that plays a variation and nothing else."""
    found = taken(fixed(remembering_referee, one.rules))
    left = {item.knob: item.alike if ".." in item.alike else "" for item in found.untold}
    unseen = left_open(one.rules)
    named = corpus().rulesets.maps[found.nearest]
    told = {turn.knob: turn.value for turn in found.turned}
    values = {**named, **told}
    wrong = [knob for knob in named if not alike(values[knob], one.rules[knob], unseen.get(knob))]
    idle = [knob for knob in told if alike(named[knob], one.rules[knob], unseen.get(knob))]
    return [
        *([] if found.fits else [f"{one.name}: fits no rule set"]),
        *([] if left == unseen else [f"{one.name}: left open are {left}, not {unseen}"]),
        *(f"{one.name}: {knob} is told as {values[knob]}" for knob in wrong),
        *(f"{one.name}: {knob} is told, and is no other" for knob in idle),
        *(f"{one.name}: nothing told {turn.knob}" for turn in found.turned if not turn.told_by),
    ]


def alike(one: str, two: str, unseen: str | None) -> bool:
    """Whether two values are the same, or cannot be told apart; some numbers or all values."""
    if unseen is None or ".." not in unseen:
        return one == two or unseen == ""
    low, high = map(int, unseen.split(".."))
    return one == two or (low <= int(one) <= high and low <= int(two) <= high)


_LONG_GAMES: dict[tuple[int, bool, bytes], Record] = {}


def remembering_referee(request: Record) -> Record:
    """The referee, which plays a long game once: of its length only its being over matters."""
    deals = list_of(request["deals"], "deals") if request["op"] == "game" else []
    last = map_of(request["rules"], "rules")["deals"]
    if len(deals) < LONG or last == "none":
        return referee(request)
    if len(deals) > int(str(last)):
        return {"error": "a deal after the end"}
    key = (len(deals), len(deals) == int(str(last)), canonical(deals[:AROUND]))
    if key not in _LONG_GAMES:
        _LONG_GAMES[key] = referee(request)
    return _LONG_GAMES[key]
