"""What a seat is told, as the wire has it: items, answers, and whole messages of a stream."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from google.rpc import code_pb2

from referee.host.items import (
    Answer,
    AskItem,
    CardsItem,
    Closing,
    EventItem,
    FaultItem,
    Item,
    Ruling,
)
from referee.host.match import Match
from referee.pb.euchre.referee.v1 import events_pb2, play_pb2, table_pb2
from referee.sealing.keys import SigningKey
from referee.sealing.messages import ReceiptItem, receipt_bytes
from referee.service import convert
from referee.service.status import misuse, refusal


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to a seat of a match, and what a receipt says of it."""

    match: str
    seat: "table_pb2.Seat"
    answer: Answer
    receipt: ReceiptItem | None


Entry: TypeAlias = "tuple[str, table_pb2.Seat, Item] | Answered | play_pb2.PlayItem"
"""What waits to be sent: to which seat of which match, or the message itself."""
Events: TypeAlias = dict[tuple[str, int], events_pb2.Event]


def item_message(match: Match, seat: int, item: Item) -> play_pb2.PlayItem:
    """One thing that a seat is told."""
    message = play_pb2.PlayItem(match=match.id.hex(), seat=convert.seat_value(seat))
    _fill_item(message, item, {})
    return message


def answer_message(match: Match, answer: Answer) -> play_pb2.PlayItem:
    """The answer to an input."""
    message = play_pb2.PlayItem(match=match.id.hex(), seat=convert.seat_value(answer.seat))
    _fill_answer(message, answer)
    return message


def welcome_message(match: Match, seat: int) -> play_pb2.PlayItem:
    """The answer to a Hello."""
    created = match.state.created
    message = play_pb2.PlayItem(match=match.id.hex(), seat=convert.seat_value(seat))
    message.welcome.CopyFrom(
        play_pb2.Welcome(
            match=match.id.hex(),
            seat=convert.seat_value(seat),
            rules=created.rules,
            policy=convert.policy_map(created.policy),
            declined=match.state.declined(seat),
            referee_key=match.referee_key.raw,
        )
    )
    return message


def response(entries: Sequence[Entry], key: SigningKey) -> play_pb2.PlayResponse:
    """One message of a stream; one receipt at its end covers all that it accepts.

    An event that several of its seats are told of is converted once.
    """
    message = play_pb2.PlayResponse()
    events: Events = {}
    receipts: list[ReceiptItem] = []
    for entry in entries:
        if isinstance(entry, play_pb2.PlayItem):
            message.items.append(entry)
        elif isinstance(entry, Answered):
            _fill_answer(message.items.add(match=entry.match, seat=entry.seat), entry.answer)
            if entry.receipt is not None:
                receipts.append(entry.receipt)
        else:
            match, seat, told = entry
            _fill_item(message.items.add(match=match, seat=seat), told, events)
    if receipts:
        message.items.add().receipt.CopyFrom(receipt_message(receipts, key))
    return message


def receipt_message(items: Sequence[ReceiptItem], key: SigningKey) -> play_pb2.Receipt:
    """The referee's receipt for what it accepted in one message."""
    listed = [
        play_pb2.ReceiptItem(match=item.match, deal=item.deal, seq=item.seq, head=item.head)
        for item in items
    ]
    return play_pb2.Receipt(items=listed, sig=key.sign(receipt_bytes(items)))


def _fill_item(message: play_pb2.PlayItem, item: Item, events: Events) -> None:
    match item:
        case EventItem():
            key = (message.match, item.seq)
            event = events.get(key)
            if event is None:
                event = events[key] = convert.event_message(item)
            message.event.CopyFrom(event)
        case AskItem():
            message.after = max(item.after, 0)
            message.ask.CopyFrom(convert.ask_message(item))
        case CardsItem():
            message.after = item.after
            message.private_deal.CopyFrom(convert.cards_message(item))
        case FaultItem():
            message.after = max(item.after, 0)
            message.fault.CopyFrom(convert.fault_message(item))
        case Closing(why="superseded"):
            message.superseded.SetInParent()
        case Closing(why="draining"):
            message.draining.retry_ms = 1_000
        case Closing():
            message.status.CopyFrom(refusal(code_pb2.ABORTED, "DROPPED", item.text).status)


def _fill_answer(message: play_pb2.PlayItem, answer: Answer) -> None:
    message.request_id = answer.request_id
    if isinstance(answer, Ruling):
        message.after = max(answer.after, 0)
        message.ruling.CopyFrom(convert.ruling_message(answer))
    else:
        message.status.CopyFrom(misuse(answer))
