"""What must not matter: where the seats are, which suit of a color is which, how the kitty lies."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conformance.jsontypes import Json, Record, map_of
from conformance.oracle.cards import BEST, SEATS
from conformance.prove.part import Part, Setting
from conformance.targets import referee_answer
from conformance.verdict import AS_SETS

CARD = re.compile(r"[789TJQKA][CDHS]")
KEPT = (
    *("op", "rules", "ruleset", "id", "refused", "phase", "outcome", "method", "packets", "rule"),
    "text",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A change of names: of seats and sides, and of suits."""

    name: str
    words: Mapping[str, str]
    suits: Mapping[str, str]

    def of(self, value: Json, name: str = "") -> Json:
        """A request or an answer with everything renamed."""
        if name in KEPT:
            return value
        if isinstance(value, Mapping):
            return {self._word(key): self.of(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.of(item, name) for item in value]
        return self._text(value, name) if isinstance(value, str) else value

    def _text(self, text: str, name: str) -> str:
        """A text, word by word; the cards of a swap stand in their written order."""
        before = text.split(" ")
        words = [self._word(word) for word in before]
        if words[0] == "swap" and before[1:] == sorted(before[1:]):
            words[1:] = sorted(words[1:])
        if words[0] == "name" or name == "trump":
            words = [self.suits.get(word, word) for word in words]
        return " ".join(words)

    def _word(self, word: str) -> str:
        if CARD.fullmatch(word):
            return word[0] + self.suits.get(word[1], word[1])
        if "/" in word:
            return "/".join(map(self._word, word.split("/")))
        return self.words.get(word, word)


def _rotation(count: int) -> Turn:
    words = {seat: SEATS[(n + count) % len(SEATS)] for n, seat in enumerate(SEATS)}
    if count % 2:
        words |= {"ns": "ew", "ew": "ns"}
    return Turn(name=f"seats turned by {count}", words=words, suits={})


def _pairs(*pairs: str) -> Turn:
    suits = {one: pair[1 - n] for pair in pairs for n, one in enumerate(pair)}
    return Turn(name=f"suits exchanged: {' '.join(pairs)}", words={}, suits=suits)


TURNS = (*map(_rotation, (1, 2, 3)), _pairs("CS"), _pairs("DH"), _pairs("CS", "DH"))


def _askable(turn: Turn, request: Record) -> bool:
    """Whether a change of suits leaves the question as it is: no best bower that is a spade."""
    if not turn.suits:
        return True
    rules = map_of(request["rules"], "rules")
    return not any(card in _texts(request) for card in BEST) and rules["pack"] in (
        *("E24", "E28", "E32"),
    )


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value


def _even(value: Json, name: str = "") -> Json:
    """An answer in which sets have one order and errors one text."""
    if isinstance(value, Mapping):
        if "error" in value:
            return {"error": True}
        return {key: _even(value[key], key) for key in sorted(value)}
    if isinstance(value, list):
        items = [_even(item, name) for item in value]
        sets = (*AS_SETS, "north", "east", "south", "west")
        return sorted(items, key=str) if name in sets else items
    return value


def metamorphic(setting: Setting) -> Part:
    """Every question of the corpus with seats, suits and kitty renamed gets the renamed answer."""
    referee = referee_answer()
    asked: Counter[str] = Counter()
    problems: list[str] = []
    for check in setting.checks:
        request = check.steps[-1].request
        right = _even(referee(request))
        for turn in TURNS:
            if _askable(turn, request):
                asked[turn.name] += 1
                found = _even(referee(_record(turn.of(request))))
                if found != _even(turn.of(right)):
                    problems.append(f"{check.id} is answered otherwise with {turn.name}")
        for changed in _kitties(request):
            asked["the kitty turned round"] += 1
            if _even(referee(changed)) != right:
                problems.append(f"{check.id} is answered otherwise with the kitty turned round")
    return Part(
        name="metamorphic",
        title="What must not matter",
        heading=("what is renamed", "asked"),
        rows=[[name, str(count)] for name, count in asked.items()],
        problems=problems,
        figures={"asked": asked.total(), "wrong": len(problems)},
    )


def _record(value: Json) -> Record:
    return map_of(value, "a request")


def _kitties(request: Record) -> Iterator[Record]:
    """The request with its kitty turned round, where no swap draws on it."""
    deal = request.get("deal")
    if not isinstance(deal, Mapping) or "kitty" not in deal:
        return
    kitty = deal["kitty"]
    if isinstance(kitty, list) and "swap_three" not in _texts(request["rules"]):
        yield {**request, "deal": {**deal, "kitty": kitty[::-1]}}
