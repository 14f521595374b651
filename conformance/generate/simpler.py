"""Requests that ask the same kind of thing in a simpler way, the boldest step first.

Whatever is left out may make a question that nobody can ask; the oracle answers it with an error.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, takewhile

from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, list_of, map_of, text_of, texts_of
from conformance.knobs import RuleSets, meaningless
from conformance.oracle import position
from conformance.oracle.cards import SEATS, pack

ASKED_BY_A_KNOB = 4
"""So many actions may go with a knob: what each seat has said to a question of a house rule."""


def fewer(request: Record, rulesets: RuleSets) -> Iterator[Record]:
    """Requests in which something is left out."""
    yield from _rules(request, rulesets)
    yield from _question(request)
    yield from _game(request)
    yield from _record(request)
    yield from _actions(request, len(texts_of(request.get("actions", []), "actions")))
    for other in _rules(request, rulesets):
        yield from _actions(other, ASKED_BY_A_KNOB)


def nearer(request: Record, _: RuleSets) -> Iterator[Record]:
    """Requests whose deal is nearer to the order of the pack."""
    if "deal" in request:
        yield from _turned_table(request)
        yield from _cards(request)


def _rules(request: Record, rulesets: RuleSets) -> Iterator[Record]:
    rules = map_of(request["rules"], "rules")
    for name in rulesets.maps:
        named: Record = {**request, "ruleset": name, "rules": rulesets.maps[name]}
        if _turned(named, rulesets) < _turned(request, rulesets):
            yield named
    base = rulesets.maps[str(request["ruleset"])]
    for knob, value in base.items():
        if rules[knob] != value:
            back = {**{key: str(one) for key, one in rules.items()}, knob: value}
            if meaningless(back) is None:
                yield {**request, "rules": back}
    if rules == base:
        before = takewhile(lambda name: name != request["ruleset"], rulesets.maps)
        yield from ({**request, "ruleset": name, "rules": rulesets.maps[name]} for name in before)


def _turned(request: Record, rulesets: RuleSets) -> int:
    """How many knobs differ from the named rule set."""
    base = rulesets.maps[str(request["ruleset"])]
    rules = map_of(request["rules"], "rules")
    return sum(rules[knob] != value for knob, value in base.items())


def _question(request: Record) -> Iterator[Record]:
    if request.get("score", {"ns": 0, "ew": 0}) != {"ns": 0, "ew": 0}:
        yield {key: value for key, value in request.items() if key != "score"}
    if request["op"] in ("view", "apply"):
        words = ("seat", "by", "action")
        bare = {key: value for key, value in request.items() if key not in words} | {"op": "legal"}
        yield bare
        if "action" in request:
            said = texts_of(request.get("actions", []), "actions")
            yield {**bare, "actions": [*said, str(request["action"])]}


def _actions(request: Record, most: int) -> Iterator[Record]:
    """Some actions in a row left out, many before few."""
    actions = texts_of(request.get("actions", []), "actions")
    for count in range(min(most, len(actions)), 0, -1):
        for start in range(len(actions) - count, -1, -1):
            yield {**request, "actions": [*actions[:start], *actions[start + count :]]}


def _game(request: Record) -> Iterator[Record]:
    """One deal of a game alone, or a game with a deal less."""
    if request["op"] != "game":
        return
    deals = [map_of(one, "a deal") for one in list_of(request["deals"], "deals")]
    common = {key: value for key, value in request.items() if key != "deals"}
    for one in deals:
        yield {**common, "op": "replay", **one, "tricks": []}
    if len(deals) > 1:
        yield {**request, "deals": deals[1:]}
        yield {**request, "deals": deals[:-1]}


def _record(request: Record) -> Iterator[Record]:
    """A record without the deal, or with a claim less, or a trick less."""
    if request["op"] != "adjudicate":
        return
    record = map_of(request["record"], "record")
    if (trump := _trump(request)) is not None:
        bare = {key: value for key, value in request.items() if key not in ("deal", "actions")}
        yield {**bare, "record": {"trump": trump, **record}}
    claims = list_of(request.get("claims", []), "claims")
    for place in range(len(claims)):
        yield {**request, "claims": [*claims[:place], *claims[place + 1 :]]}
    tricks = list_of(record["tricks"], "tricks")
    if len(tricks) > 1:
        yield {**request, "record": {**record, "tricks": tricks[:-1]}}


def _trump(request: Record) -> str | None:
    """The trump suit of a record with a deal; none where there is no deal or no trump."""
    try:
        return position(request).hand.trump if "deal" in request else None
    except PositionError:
        return None


def _turned_table(request: Record) -> Iterator[Record]:
    """The table turned until north deals."""
    deal = map_of(request["deal"], "deal")
    away = SEATS.index(text_of(deal["dealer"], "dealer"))
    if away == 0 or request["op"] == "adjudicate" or "score" in request:
        return
    hands = map_of(deal["hands"], "hands")
    turned: dict[str, Json] = {
        **deal,
        "dealer": SEATS[0],
        "hands": {seat: hands[SEATS[(n + away) % 4]] for n, seat in enumerate(SEATS)},
    }
    named = {
        key: SEATS[(SEATS.index(str(request[key])) - away) % 4]
        for key in ("seat", "by")
        if key in request
    }
    yield {**request, "deal": turned, **named}


def _cards(request: Record) -> Iterator[Record]:
    """Two cards exchanged, everywhere or in the deal alone, so that the deal is nearer to order."""
    rules = map_of(request["rules"], "rules")
    order = pack(str(rules["pack"]))
    deal = map_of(request["deal"], "deal")
    places = _places(deal)
    for one, two in combinations(range(len(places)), 2):
        first, second = places[one], places[two]
        if order.index(second) < order.index(first):
            swap = {first: second, second: first}
            yield {**request, **{key: _swapped(request[key], swap) for key in _holding(request)}}
            yield {**request, "deal": _swapped(deal, swap)}


def _holding(request: Record) -> list[str]:
    return [key for key in ("deal", "actions", "action", "tricks", "record") if key in request]


def _places(deal: Record) -> list[str]:
    hands = map_of(deal["hands"], "hands")
    cards = [card for seat in SEATS for card in texts_of(hands[seat], "a hand")]
    return [*cards, str(deal["upcard"]), *texts_of(deal.get("kitty", []), "kitty")]


def _swapped(value: Json, swap: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return " ".join(swap.get(word, word) for word in value.split(" "))
    if isinstance(value, Mapping):
        return {key: _swapped(item, swap) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_swapped(item, swap) for item in value]
    return value
