"""Those who are told of one match: four chairs and the watchers, and all that they were told.

Only what is durable comes here. A seat hears the public events, its own cards, what it is asked
and every fault; a watcher hears the public events and the faults.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.host.deadlines import Key
from referee.host.items import AskItem, CardsItem, Closing, EventItem, FaultItem, Item, Sink
from referee.host.past import AT_HAND, EventLog, Past
from referee.sealing.events import DealOpen
from referee.sealing.keys import SigningKey
from referee.sealing.messages import private_deal_bytes
from referee.table.state import MatchState
from referee.table.view import Ask, cards_told, tells_cards

SEATS: Final = range(4)


@dataclass(slots=True)
class Chair:
    """A seat as the host knows it.

    `reports` says that its stream tells when a question has left. `away` is a seat whose stream
    has ended; `owed` one that the referee's own restart cut off, whose clock stands still until it
    is back. `asked` is what it was asked last.
    """

    sink: Sink | None = None
    reports: bool = False
    away: bool = False
    owed: bool = False
    asked: Key | None = None
    cards: list[CardsItem] = field(default_factory=list)


class Audience:
    """The chairs and watchers of one match, and the log of its public events."""

    def __init__(self, key: SigningKey, past: Past | None = None) -> None:
        self.log = EventLog(past)
        self._past = past
        self.chairs = tuple(Chair() for _ in SEATS)
        self._key = key
        self._watchers: list[Sink] = []

    def note(self, item: EventItem, state: MatchState) -> None:
        """Keep a public event, and the private cards that come with it."""
        self.log.append(item)
        if isinstance(item.event, DealOpen):
            self._forget(item.seq - AT_HAND)
        deal = state.deal
        if deal is None or deal.deck is None or not tells_cards(item.event):
            return
        root = deal.deck.root
        for seat, chair in enumerate(self.chairs):
            cards = cards_told(state, seat, item.event, item.seq)
            if cards:
                signed = private_deal_bytes(state.sealed_id, deal.number, seat, root, cards)
                sig = self._key.sign(signed)
                chair.cards.append(CardsItem(item.seq, deal.number, root, cards, sig))

    def _forget(self, before: int) -> None:
        """Leave to the journal what comes before a position."""
        self.log.forget(before)
        for chair in self.chairs:
            chair.cards = [cards for cards in chair.cards if cards.after >= self.log.first]

    def items(self, seat: int, from_seq: int) -> list[Item]:
        """The events from a position on, with the seat's cards between them.

        Cards that follow the event just before the position come again: they may have been lost.
        """
        first = self.log.first
        if self._past is not None and from_seq <= first and first:
            older = self._past.items(seat, from_seq)
            return [*(i for i in older if _place(i) < first), *self._at_hand(seat, first)]
        return self._at_hand(seat, from_seq)

    def _at_hand(self, seat: int, from_seq: int) -> list[Item]:
        cards = {c.after: c for c in self.chairs[seat].cards if c.after + 1 >= from_seq}
        items: list[Item] = [cards[from_seq - 1]] if from_seq - 1 in cards else []
        for event in self.log[from_seq:]:
            items.append(event)
            if event.seq in cards:
                items.append(cards[event.seq])
        return items

    def attach(self, seat: int, sink: Sink, from_seq: int, asks: Sequence[AskItem]) -> None:
        """Give a chair to a stream, which hears everything from a position on."""
        chair = self.chairs[seat]
        if chair.sink is not None:
            chair.sink([Closing("superseded", "another stream has taken the seat")])
        chair.sink = sink
        chair.asked = next((key_of(item.ask, item.after) for item in asks), None)
        sink([*self.items(seat, from_seq), *asks])

    def watch(self, sink: Sink, from_seq: int) -> None:
        """Tell somebody the public events from a position on."""
        self._watchers.append(sink)
        sink(list(self.log[from_seq:]))

    def unwatch(self, sink: Sink) -> None:
        """Stop telling."""
        if sink in self._watchers:
            self._watchers.remove(sink)

    def tell_all(self, item: Item) -> None:
        """Tell every seat and watcher the same."""
        for sink in (*(chair.sink for chair in self.chairs), *self._watchers):
            if sink is not None:
                sink([item])

    def tell(
        self,
        told: Sequence[EventItem],
        faults: Sequence[FaultItem],
        asks: Mapping[int, tuple[Key, Callable[[], AskItem]]],
        again: int | None,
    ) -> None:
        """Tell what one decision led to.

        `asks` holds for each seat that is asked something what identifies it, and how it is made:
        it is told once. The seat `again` is asked anew though nothing changed.
        """
        for sink in tuple(self._watchers):
            sink([*told, *faults])
        for seat, chair in enumerate(self.chairs):
            if chair.sink is None:
                continue
            items: list[Item] = [*_with_cards(told, chair.cards), *faults]
            key, ask = asks.get(seat, (None, None))
            if key != chair.asked or again == seat:
                chair.asked = key
                if ask is not None:
                    items.append(ask())
            if items:
                chair.sink(items)


def _place(item: Item) -> int:
    """The event that an item is, or follows."""
    match item:
        case EventItem():
            return item.seq
        case CardsItem():
            return item.after
        case _:
            return -1


def _with_cards(told: Sequence[EventItem], cards: Sequence[CardsItem]) -> Sequence[Item]:
    """Events just told, with the newest cards behind the one that they follow."""
    if not told or not cards or cards[-1].after < told[0].seq:
        return told
    place = cards[-1].after - told[0].seq + 1
    return [*told[:place], cards[-1], *told[place:]]


def key_of(ask: Ask, version: int) -> Key:
    """What is asked, so that the same question has the same key."""
    return (ask.what, ask.deal, version if ask.what == "act" else 0)
