"""What operators did, noted before it is done."""

from dataclasses import dataclass

from referee.host.appends import kept
from referee.host.clock import Clock
from referee.journal.store import Deed, Store
from referee.meter import Meter
from referee.sealing.canonical import dump


@dataclass(frozen=True, slots=True)
class Operator:
    """Who asks for what only operators may do: a name, and the place that the call came from.

    `certificate` is the name in the client's certificate, where it gave one.
    """

    name: str
    place: str
    certificate: str = ""


class Trail:
    """The deeds of operators in a journal."""

    def __init__(self, store: Store, clock: Clock, meter: Meter) -> None:
        self._store = store
        self._clock = clock
        self._meter = meter

    async def note(self, operator: Operator, what: str, match: bytes) -> None:
        """Note what an operator is about to do; it is not done where that fails."""
        where = {"from": operator.place, "certificate": operator.certificate}
        detail = dump({name: text for name, text in where.items() if text}).decode("ascii")
        deed = Deed(
            at_ms=self._clock.wall_ms(), who=operator.name, what=what, match=match, detail=detail
        )
        await kept(self._store.note(deed), self._meter)

    def deeds(self, first: int, last: int) -> list[Deed]:
        """The deeds of these numbers, in order, from 1 on."""
        return list(self._store.deeds(first, last))

    def count(self) -> int:
        """How many deeds there are."""
        return self._store.deed_count()
