"""What a seat is told, as the wire has it: items, answers, and whole messages of a stream.

A stream's messages are put together from the bytes of their parts, since most parts are told more
than once: an event to every seat of its table, on one stream or on several. Protocol buffers allow
it: the parts of a message may be encoded apart, and their bytes joined.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

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
from referee.pb.euchre.referee.v1 import play_pb2, table_pb2
from referee.sealing.keys import SigningKey
from referee.sealing.messages import ReceiptItem, receipt_bytes
from referee.service import convert
from referee.service.status import misuse, refusal

LARGEST_MESSAGE: Final = 1 << 19
"""Bytes after which a message is sent and the next begun: far below what a client takes at once."""
_ITEMS: Final = bytes((play_pb2.PlayResponse.ITEMS_FIELD_NUMBER << 3 | 2,))
"""What stands before the length of each item in a PlayResponse."""
_MORE: Final = 0x80
"""The bit of a byte of a length that says that another byte follows."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to a seat of a match, what a receipt says of it, and when its input came."""

    match: str
    seat: "table_pb2.Seat"
    answer: Answer
    receipt: ReceiptItem | None
    came: float = 0.0


Entry: TypeAlias = "tuple[str, table_pb2.Seat, Item] | Answered | play_pb2.PlayItem"
"""What waits to be sent: to which seat of which match, or the message itself."""


def item_message(match: Match, seat: int, item: Item) -> play_pb2.PlayItem:
    """One thing that a seat is told."""
    to = _addressed(match.id.hex(), convert.seat_value(seat))
    return play_pb2.PlayItem.FromString(to + _part(item))


def answer_message(match: Match, answer: Answer) -> play_pb2.PlayItem:
    """The answer to an input."""
    to = _addressed(match.id.hex(), convert.seat_value(answer.seat))
    return play_pb2.PlayItem.FromString(to + _answer_part(answer))


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


def responses(entries: Sequence[Entry], key: SigningKey) -> Iterator[bytes]:
    """The messages of a stream that hold these items, in order: one, but for a great many items.

    One receipt at a message's end covers all that it accepts.
    """
    pieces: list[bytes] = []
    receipts: list[ReceiptItem] = []
    size = 0
    for entry in entries:
        if isinstance(entry, tuple):
            match, seat, told = entry
            body = _addressed(match, seat) + _part(told)
        elif isinstance(entry, Answered):
            body = _addressed(entry.match, entry.seat) + _answer_part(entry.answer)
            if entry.receipt is not None:
                receipts.append(entry.receipt)
        else:
            body = entry.SerializeToString()
        pieces += (_ITEMS, _length(len(body)), body)
        size += len(body)
        if size > LARGEST_MESSAGE:
            yield _message(pieces, receipts, key)
            pieces, receipts, size = [], [], 0
    if pieces:
        yield _message(pieces, receipts, key)


def _message(pieces: list[bytes], receipts: Sequence[ReceiptItem], key: SigningKey) -> bytes:
    if receipts:
        body = play_pb2.PlayItem(receipt=receipt_message(receipts, key)).SerializeToString()
        pieces += (_ITEMS, _length(len(body)), body)
    return b"".join(pieces)


def receipt_message(items: Sequence[ReceiptItem], key: SigningKey) -> play_pb2.Receipt:
    """The referee's receipt for what it accepted in one message."""
    listed = [
        play_pb2.ReceiptItem(match=item.match, deal=item.deal, seq=item.seq, head=item.head)
        for item in items
    ]
    return play_pb2.Receipt(items=listed, sig=key.sign(receipt_bytes(items)))


@lru_cache(maxsize=1 << 12)
def _length(number: int) -> bytes:
    """A length as the encoding of protocol buffers writes it: seven bits a byte, the lowest first.

    >>> _length(300).hex()
    'ac02'
    """
    groups = bytearray()
    while number >= _MORE:
        groups.append(number % _MORE | _MORE)
        number >>= 7
    groups.append(number)
    return bytes(groups)


@lru_cache(maxsize=1 << 14)
def _addressed(match: str, seat: "table_pb2.Seat") -> bytes:
    """The part of an item that says to whom it goes."""
    return play_pb2.PlayItem(match=match, seat=seat).SerializeToString()


def _part(item: Item) -> bytes:
    """The part of an item that says what is told."""
    if isinstance(item, EventItem):
        return event_part(item)
    message = play_pb2.PlayItem()
    match item:
        case AskItem():
            message.after = max(item.after, 0)
            convert.fill_ask(message.ask, item.ask)
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
    return message.SerializeToString()


@lru_cache(maxsize=1 << 12)
def event_part(item: EventItem) -> bytes:
    """A public event, as every seat of its table is told it: encoded once."""
    return play_pb2.PlayItem(event=convert.event_message(item)).SerializeToString()


def _answer_part(answer: Answer) -> bytes:
    message = play_pb2.PlayItem(request_id=answer.request_id)
    if isinstance(answer, Ruling):
        message.after = max(answer.after, 0)
        convert.fill_ruling(message.ruling, answer)
    else:
        message.status.CopyFrom(misuse(answer))
    return message.SerializeToString()
