"""Requests that make no sense, derived from the corpus: each must be answered with an error."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conformance.corpus import Corpus
from conformance.jsontypes import Json, Record, list_of, map_of, texts_of
from conformance.knobs import meaningless
from conformance.oracle.cards import SEATS, pack
from conformance.prove.part import Part, Setting
from conformance.targets import referee_answer

FOREIGN = "1X"


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd:
    """A request, what is odd about it, and whether it makes sense after all."""

    about: str
    request: Record
    sense: bool = False


def odd_requests(corpus: Corpus) -> Iterator[Odd]:
    """Everything odd that can be asked: rule sets first, then cards, seats and actions."""
    yield from _rule_sets(corpus)
    yield from _tables(corpus)


def _draw(corpus: Corpus, rules: Mapping[str, str], name: str = "standard") -> Record:
    """A question that depends on nothing but the rule set: the dealer is agreed."""
    deck = (
        list(pack(rules["pack"])) if rules["pack"] in corpus.rulesets.knobs["pack"].values else []
    )
    return {
        "op": "draw",
        "ruleset": name,
        "rules": rules,
        "deck": deck,
        "start": "north",
        "method": "agreed",
    }


def _rule_sets(corpus: Corpus) -> Iterator[Odd]:
    standard = corpus.rulesets.maps["standard"]
    for word in ("no_such_knob", "taget"):
        yield Odd(about="an unknown knob", request=_draw(corpus, {**standard, word: "1"}))
    for knob in corpus.rulesets.knobs.values():
        for value in ("zzzz", knob.default + "x", "-1", "007", "1000000"):
            rules = {**standard, knob.name: value}
            yield Odd(about="an unknown value", request=_draw(corpus, rules))
    unpaid = {name: "0" for name in standard if name.startswith("points_")}
    yield Odd(about="no points at all", request=_draw(corpus, {**standard, **unpaid}))
    yield from _combinations(corpus)


def _combinations(corpus: Corpus) -> Iterator[Odd]:
    """Every named rule set with one knob turned, or two that clash; both engines must agree."""
    seen: set[tuple[tuple[str, str], ...]] = set()
    for name, base in corpus.rulesets.maps.items():
        for knob in corpus.rulesets.knobs.values():
            for value in knob.values:
                rules = {**base, knob.name: value}
                key = tuple(rules.items())
                if key in seen:
                    continue
                seen.add(key)
                sense = meaningless(rules) is None
                about = "a knob turned" if sense else "two knobs that clash"
                yield Odd(about=about, request=_draw(corpus, rules, name), sense=sense)


def _tables(corpus: Corpus) -> Iterator[Odd]:
    """A deal of the corpus with something wrong about it."""
    case = next(case for case in corpus.cases if case.op == "replay" and "deal" in case.given)
    rules = corpus.rulesets.maps["standard"]
    common: dict[str, Json] = {"ruleset": "standard", "rules": rules}
    deal = map_of(case.given["deal"], "deal")
    hands = map_of(deal["hands"], "hands")
    north, east = (texts_of(hands[seat], "a hand") for seat in SEATS[:2])

    def dealt(about: str, **changes: Json) -> Odd:
        changed: Record = {**deal, **changes}
        return Odd(about=about, request={"op": "legal", **common, "deal": changed, "actions": []})

    yield dealt("a hand of four", hands={**hands, "north": north[1:]})
    yield dealt("a hand of six", hands={**hands, "north": [*north, str(deal["upcard"])]})
    yield dealt("a card in two hands", hands={**hands, "north": [east[0], *north[1:]]})
    yield dealt("a card twice in one hand", hands={**hands, "north": [north[1], *north[1:]]})
    yield dealt("a card of no pack", hands={**hands, "north": [FOREIGN, *north[1:]]})
    yield dealt("a card of another pack", hands={**hands, "north": ["7C", *north[1:]]})
    yield dealt("an upcard that is held", upcard=north[0])
    yield dealt("a kitty that is held", kitty=north[:3])
    yield dealt("a dealer of no seat", dealer="nord")
    for actions in (["name H"], ["pass", "play 9C"], ["sit"], [""], ["pass"] * 9):
        said: list[Json] = [*actions]
        asked: Record = {"op": "legal", **common, "deal": deal, "actions": said}
        yield Odd(about="an action that cannot happen", request=asked)
        game: list[Json] = [{"deal": deal, "actions": said}]
        yield Odd(
            about="a game with such an action", request={"op": "game", **common, "deals": game}
        )
    record: Record = {"trump": "X", "tricks": [["north 9C"]]}
    unknown: Record = {"op": "adjudicate", **common, "record": record}
    yield Odd(about="a record with a trump of no suit", request=unknown)
    yield from _decks(common, list_of([*pack("E24")], "deck"))


def _decks(common: Record, deck: list[Json] | object) -> Iterator[Odd]:
    cards = texts_of(deck if isinstance(deck, list) else [], "deck")
    nines: list[Json] = [card for card in cards if card[0] == "9"]
    decks: dict[str, list[Json]] = {
        "a deck that lacks a card": [*cards[1:]],
        "a deck with a card twice": [*cards[:-1], cards[0]],
        "a deck with a card of no pack": [*cards[:-1], FOREIGN],
        "a deck without jacks": nines * 6,
    }
    for about, wrong in decks.items():
        yield Odd(about=about, request={"op": "deck", **common, "deck": wrong, "dealer": "north"})
        for method in ("black_jack", "draw_low"):
            asked = {"op": "draw", **common, "deck": wrong, "start": "north", "method": method}
            yield Odd(about=about, request=asked)
    whole: list[Json] = [*cards]
    asked = {"op": "draw", **common, "deck": whole, "start": "nord", "method": "black_jack"}
    yield Odd(about="a start of no seat", request=asked)


def nonsense(setting: Setting) -> Part:
    """The referee answers every odd request with an error, and those that make sense with none."""
    referee = referee_answer()
    counts: Counter[tuple[str, bool]] = Counter()
    problems: list[str] = []
    for odd in odd_requests(setting.corpus):
        found = referee(odd.request)
        right = ("error" in found) is not odd.sense
        counts[odd.about, right] += 1
        if not right:
            said = found.get("error", "no error")
            rules = map_of(odd.request["rules"], "rules")
            base = setting.corpus.rulesets.maps.get(str(odd.request["ruleset"]), {})
            turned = {knob: value for knob, value in rules.items() if base.get(knob) != value}
            problems.append(f"{odd.about} ({turned}) is answered with {said}")
    abouts = list(dict.fromkeys(about for about, _ in counts))
    return Part(
        name="nonsense",
        title="Requests that make no sense are answered with an error",
        heading=("what", "asked", "right"),
        rows=[
            [about, str(counts[about, True] + counts[about, False]), str(counts[about, True])]
            for about in abouts
        ],
        problems=problems,
        figures={"asked": counts.total(), "wrong": len(problems)},
    )
