"""Rounds and results as JSON text, the form in which an event's file keeps them."""

import json
from collections.abc import Mapping
from fractions import Fraction

from referee.arena.formats.model import Bye, Encounter, RoundPlan
from referee.arena.tournament.model import BoardKey, BoardPlayed, Seating, TableFault
from referee.errors import InternalError
from referee.sealing.parts import Pair


class _Row:
    """An object that this program wrote, read with its types."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, dict):
            raise InternalError(f"a row of an event is no object: {value!r}")
        self._value: Mapping[str, object] = value

    def text(self, key: str) -> str:
        return _text(self._value.get(key))

    def number(self, key: str) -> int:
        return _number(self._value.get(key))

    def many(self, key: str) -> list[object]:
        value = self._value.get(key)
        if not isinstance(value, list):
            raise InternalError(f"no list {key!r} in a row of an event: {value!r}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(_text(item) for item in self.many(key))

    def rows(self, key: str) -> "list[_Row]":
        return [_Row(item) for item in self.many(key)]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise InternalError(f"no text in a row of an event: {value!r}")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise InternalError(f"no number in a row of an event: {value!r}")
    return value


def _read(text: str) -> _Row:
    try:
        return _Row(json.loads(text))
    except ValueError as err:
        raise InternalError(f"a row of an event is no JSON: {text[:80]!r}") from err


def _seating(value: object) -> Seating:
    if not isinstance(value, list) or len(value) != 4:  # noqa: PLR2004 -- four seats
        raise InternalError(f"no four seats in a row of an event: {value!r}")
    north, east, south, west = (_text(name) for name in value)
    return north, east, south, west


def plan_text(plan: RoundPlan) -> str:
    """A round that is to be played."""
    return json.dumps(
        {
            "number": plan.number,
            "encounters": [
                {"entries": list(e.entries), "reason": e.reason, "label": e.label}
                for e in plan.encounters
            ],
            "byes": [
                {"entry": bye.entry, "reason": bye.reason, "worth": str(bye.worth)}
                for bye in plan.byes
            ],
        }
    )


def read_plan(text: str) -> RoundPlan:
    """The round that a text stands for."""
    row = _read(text)
    return RoundPlan(
        number=row.number("number"),
        encounters=tuple(
            Encounter(
                entries=each.texts("entries"), reason=each.text("reason"), label=each.text("label")
            )
            for each in row.rows("encounters")
        ),
        byes=tuple(
            Bye(
                entry=each.text("entry"),
                reason=each.text("reason"),
                worth=Fraction(each.text("worth")),
            )
            for each in row.rows("byes")
        ),
    )


def played_text(played: BoardPlayed) -> str:
    """How a board came out."""
    key = played.key
    return json.dumps(
        {
            "round": key.round,
            "encounter": key.encounter,
            "board": key.board,
            "attempt": key.attempt,
            "id": played.id,
            "matches": list(played.matches),
            "dealer": played.dealer,
            "seatings": [list(seating) for seating in played.seatings],
            "outcomes": list(played.outcomes),
            "points": [[pair.ns, pair.ew] for pair in played.points],
            "faults": [
                {"table": each.table, "seat": each.seat, "entry": each.entry, "why": each.why}
                for each in played.faults
            ],
            "void": played.void,
        },
        sort_keys=True,
    )


def read_played(text: str) -> BoardPlayed:
    """The board that a text stands for."""
    row = _read(text)
    points: list[Pair] = []
    for pair in row.many("points"):
        if not isinstance(pair, list):
            raise InternalError(f"no points in a row of an event: {pair!r}")
        points.append(Pair(*(_number(side) for side in pair)))
    return BoardPlayed(
        key=BoardKey(
            row.number("round"), row.number("encounter"), row.number("board"), row.number("attempt")
        ),
        id=row.text("id"),
        matches=row.texts("matches"),
        dealer=row.number("dealer"),
        seatings=tuple(_seating(value) for value in row.many("seatings")),
        outcomes=row.texts("outcomes"),
        points=tuple(points),
        faults=tuple(
            TableFault(
                each.number("table"), each.number("seat"), each.text("entry"), each.text("why")
            )
            for each in row.rows("faults")
        ),
        void=row.text("void"),
    )
