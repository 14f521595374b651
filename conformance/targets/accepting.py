"""An engine that refuses nothing: `accept-everything:`."""

from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, map_of, text_of
from conformance.oracle import answer as right_answer
from conformance.oracle import position
from conformance.oracle.cards import SEATS, left


def accept_everything(request: Record) -> dict[str, Json]:
    """The right answer, but whatever can be said in the phase is legal and nothing is refused."""
    right = right_answer(request)
    if request.get("op") == "verify":
        return {"exit": 0}
    if "error" in right:
        return {"turn": SEATS[0], "legal": [], "scores": []}
    if "refused" in right:
        right.pop("refused")
        right["turn"] = left(text_of(right.get("turn", SEATS[0]), "turn"))
    if right.get("legal"):
        right["legal"] = _sayable(request)
    if "view" in right:
        view = map_of(right["view"], "view")
        right["view"] = {**view, "legal": _sayable(request)}
    return right


def _sayable(request: Record) -> list[Json]:
    """Everything that has a meaning in the phase."""
    try:
        hand = position(request).hand
    except PositionError:
        return []
    return list(hand.forms()) if hand.turn is not None else []
