"""Targets that are always wrong: the corpus must catch them in every chapter."""

from collections.abc import Mapping

from conformance.jsontypes import Json, Record
from conformance.oracle import answer as right_answer
from conformance.oracle.cards import SEATS, left, other

TURNED_ROUND = {"turned": "taken", "taken": "turned_down", "turned_down": "turned"}


def nothing(_: Record) -> dict[str, Json]:
    """The empty answer, to whatever was asked."""
    return {}


def complement(request: Record) -> dict[str, Json]:
    """The opposite of the right answer."""
    right = right_answer(request)
    if "error" in right:
        return {"legal": [], "scores": []}
    if request.get("op") == "apply":
        if "refused" in right:
            return {"turn": _next(right.get("turn")), "legal": []}
        return {"refused": "WRONG_PHASE", "turn": _next(right.get("turn")), "legal": []}
    return {name: twisted(name, value) for name, value in right.items()}


def twisted(name: str, value: Json) -> Json:
    """A wrong value in place of a right one."""
    if name in ("legal", "hand", "kitty", "alone", "out", "findings"):
        return [] if value else ["pass"]
    if isinstance(value, Mapping):
        return _twisted_map(name, value)
    if isinstance(value, list):
        return [twisted("", item) for item in value]
    if isinstance(value, str):
        return _twisted_text(value)
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value


def _twisted_map(name: str, value: Mapping[str, Json]) -> dict[str, Json]:
    if name in ("points", "tricks", "score"):
        return {"ns": value["ew"], "ew": value["ns"]}
    if name == "hands":
        return {seat: value[left(seat)] for seat in value}
    return {key: twisted(key, item) for key, item in value.items()}


def _twisted_text(value: str) -> str:
    if value in SEATS:
        return left(value)
    if value in ("ns", "ew"):
        return other(value)
    return TURNED_ROUND.get(value, "no " + value)


def _next(seat: Json) -> str:
    return left(seat) if isinstance(seat, str) and seat in SEATS else SEATS[0]
