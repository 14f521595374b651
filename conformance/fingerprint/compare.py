"""Whether two answers say the same, as far as the target says anything."""

from collections.abc import Iterator, Mapping, Sequence

from conformance.jsontypes import Json, Record
from conformance.verdict import AS_SETS, same
from conformance.wanted import FIELDS_OF

NOTHING: tuple[Json, ...] = (None, "none", False)


class Comparison:
    """The fields that a target gives at all, op by op; what it never gives is not compared."""

    def __init__(self, replies: Sequence[tuple[str, Record]]) -> None:
        given: dict[str, set[str]] = {}
        for op, answer in replies:
            given.setdefault(op, set()).update(body(answer))
        self._fields = {
            op: [name for name in FIELDS_OF.get(op, ()) if name in names]
            for op, names in given.items()
        }

    def same(self, op: str, wanted: Record, got: Record) -> bool:
        """Whether an answer says what was wanted."""
        if "error" in wanted or "error" in got:
            return "error" in wanted and "error" in got
        ours, theirs = body(wanted), body(got)
        if not any(name in theirs for name in self._fields[op]):
            return False
        if op in ("apply", "replay") and bool(_refused(ours)) != bool(_refused(theirs)):
            return False
        return all(_equal(name, ours.get(name), theirs.get(name)) for name in self._fields[op])


def _refused(answer: Record) -> Json:
    said = answer.get("refused")
    return None if said in NOTHING else said


def body(answer: Record) -> Record:
    """The fields of an answer; of a view those of the view."""
    view = answer.get("view")
    return view if isinstance(view, Mapping) else answer


def _equal(name: str, wanted: Json, got: Json) -> bool:
    if wanted in NOTHING or wanted == []:
        return got in NOTHING or got == []
    if name == "refused" and got is True:
        return True
    if name in AS_SETS and isinstance(wanted, list) and isinstance(got, list):
        return sorted(map(str, wanted)) == sorted(map(str, got))
    return same(wanted, got)


def paid(answer: Record) -> Iterator[int]:
    """The points that an answer says somebody gets."""
    for name in ("points", "penalty"):
        found = answer.get(name)
        if isinstance(found, Mapping):
            yield from (one for one in found.values() if type(one) is int)
