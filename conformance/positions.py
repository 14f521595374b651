"""The positions of the corpus as the referee's own commands read them: one line a case."""

from conformance.check import first_request
from conformance.corpus import Corpus, canonical
from conformance.errors import PositionError, UsageError
from conformance.jsontypes import Json, Record, texts_of
from conformance.oracle.answer import position, standing

FORMAT = "euchre-positions/1"
UNPLAYED = ("draft", "withdrawn")


def positions(corpus: Corpus) -> bytes:
    """Every case that leads to a position with a seat on turn, under its first rule set.

    A case whose deal is over by then gives the last position before that. Two cases of one position
    give one line, under the first one's id.
    """
    head: dict[str, Json] = {"format": FORMAT, "license": "CC0-1.0"}
    lines, known = [canonical(head)], set[bytes]()
    for case in corpus.cases:
        if case.status in UNPLAYED or "deal" not in case.given:
            continue
        try:
            request = first_request(case, corpus.rulesets)
        except UsageError:
            continue  # nobody plays it by any rule set of the book
        actions = _open_actions(request)
        if actions is None:
            continue
        place: dict[str, Json] = {
            "ruleset": request["ruleset"],
            "changes": dict(case.changes),
            "deal": request["deal"],
            "actions": list(actions),
            "score": request.get("score", {"ns": 0, "ew": 0}),
        }
        if (text := canonical(place)) not in known:
            known.add(text)
            lines.append(canonical({"case": case.id, **place}))
    return b"\n".join((*lines, b""))


def _open_actions(request: Record) -> tuple[str, ...] | None:
    """The longest beginning of a case's actions after which a seat is on turn."""
    actions = tuple(texts_of(request.get("actions", []), "actions"))
    for length in range(len(actions), -1, -1):
        try:
            table = position({**request, "actions": list(actions[:length])})
        except PositionError:
            continue
        if "turn" in standing(table):
            return actions[:length]
    return None
