"""What a match no longer keeps in memory: it is read again from the journal when somebody asks.

A match may last for days and a thousand deals; what it keeps at hand is the deal that is played and
a little of the one before. Everything older stands in the journal.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, ParamSpec, Protocol, overload
from weakref import WeakMethod

from referee.host.items import Answer, EventItem, Item

AT_HAND: Final = 16
"""So many events before the open deal are kept as well: who was away a moment asks for those."""
P = ParamSpec("P")


def weakly(method: Callable[P, None]) -> Callable[P, None]:
    """A method that does not keep its object alive, and does nothing once that is gone.

    What calls a match back would otherwise hold it in a circle, for the collector to find late.
    """
    held = WeakMethod(method)

    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        found = held()
        if found is not None:
            found(*args, **kwargs)

    return call


class Past(Protocol):
    """What stands in the journal of one match. It costs time: the rows are read and folded."""

    def events(self, start: int, stop: int) -> list[EventItem]:
        """The public events between two positions."""
        ...

    def items(self, seat: int, from_seq: int) -> list[Item]:
        """The events from a position on, with a seat's cards between them."""
        ...

    def answers(self) -> Mapping[tuple[int, bytes], Answer]:
        """The answer to every attempt that a row keeps."""
        ...

    def deal_opened(self) -> None:
        """More is past than before; what nobody has asked for lately is not kept at hand."""
        ...


class EventLog(Sequence[EventItem]):
    """The public events of a match so far; those before `first` are read where they are wanted."""

    def __init__(self, past: Past | None = None) -> None:
        self.first = 0
        self._past = past
        self._items: list[EventItem] = []

    def append(self, item: EventItem) -> None:
        """Add the next event."""
        self._items.append(item)

    def forget(self, before: int) -> None:
        """Keep no longer what comes before a position, where it can be read again."""
        if self._past is not None and before > self.first:
            del self._items[: before - self.first]
            self.first = before

    def __len__(self) -> int:
        return self.first + len(self._items)

    @overload
    def __getitem__(self, place: int) -> EventItem: ...
    @overload
    def __getitem__(self, place: slice) -> list[EventItem]: ...
    def __getitem__(self, place: int | slice) -> EventItem | list[EventItem]:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            return self._between(start, stop)[::step]
        at = place + len(self) if place < 0 else place
        if not 0 <= at < len(self):
            raise IndexError(place)
        return self._items[at - self.first] if at >= self.first else self._between(at, at + 1)[0]

    def __iter__(self) -> Iterator[EventItem]:
        return iter(self[:])

    def _between(self, start: int, stop: int) -> list[EventItem]:
        older: list[EventItem] = []
        if self._past is not None and start < min(stop, self.first):
            older = self._past.events(start, min(stop, self.first))
        return older + self._items[max(start - self.first, 0) : max(stop - self.first, 0)]


class Spent:
    """The attempts whose answers are no longer at hand: a seat and a request_id, 17 bytes each."""

    SIZE: Final = 17

    def __init__(self) -> None:
        self._kept = bytearray()

    def add(self, seat: int, request_id: bytes) -> None:
        """Note one; what is no request_id of 16 bytes was never asked for."""
        if len(request_id) == self.SIZE - 1:
            self._kept += bytes((seat,)) + request_id

    def __contains__(self, attempt: tuple[int, bytes]) -> bool:
        seat, request_id = attempt
        wanted = bytes((seat,)) + request_id
        at = self._kept.find(wanted) if len(wanted) == self.SIZE else -1
        while at % self.SIZE and at >= 0:
            at = self._kept.find(wanted, at + 1)
        return at >= 0
