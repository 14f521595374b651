"""Messages that are put together from bytes are the messages that they stand for."""

from referee.host.items import AskItem, EventItem, Item, Ruling
from referee.pb.euchre.referee.v1 import play_pb2, table_pb2
from referee.sealing.events import ActionTaken
from referee.sealing.keys import SigningKey
from referee.sealing.messages import ReceiptItem
from referee.service import told
from referee.service.convert import seat_value
from referee.service.told import Answered, Entry, responses
from referee.table.view import Ask

KEY = SigningKey.from_bytes("referee", bytes(range(32)))
MATCH = "5f" * 16
NORTH, EAST = table_pb2.SEAT_NORTH, table_pb2.SEAT_EAST


def event(seq: int, action: str = "pass") -> EventItem:
    taken = ActionTaken(deal=1, seat=0, action=action, used_ms=1)
    return EventItem(seq, b"{}" * 100, b"", taken, bytes(32))


def ask(seat: int) -> AskItem:
    asked = Ask(seat=seat, what="commit", deal=1, cutter=True, limit_ms=5_000, view=None)
    return AskItem(-1, asked)


def items(entries: list[Entry]) -> list[play_pb2.PlayItem]:
    messages = [play_pb2.PlayResponse.FromString(raw) for raw in responses(entries, KEY)]
    return [item for message in messages for item in message.items]


def test_every_item_arrives_in_order_and_addressed() -> None:
    happened = event(7, "play JD")
    tellings: list[tuple[int, Item]] = [(0, happened), (1, happened), (1, ask(1))]
    entries: list[Entry] = [(MATCH, seat_value(s), item) for s, item in tellings]
    entries.append(play_pb2.PlayItem(match=MATCH, superseded=play_pb2.Superseded()))
    found = items(entries)
    assert [(i.match, i.seat, i.WhichOneof("item")) for i in found] == [
        (MATCH, NORTH, "event"),
        (MATCH, EAST, "event"),
        (MATCH, EAST, "ask"),
        (MATCH, table_pb2.SEAT_UNSPECIFIED, "superseded"),
    ]
    assert found[0].event == found[1].event
    assert (found[0].event.seq, found[0].event.action.action) == (7, "play JD")
    assert (found[2].after, found[2].ask.cutter, found[2].ask.limit_ms) == (0, True, 5_000)


def test_a_long_backlog_is_cut_into_messages_and_each_has_its_own_receipt() -> None:
    told_all = 3 * told.LARGEST_MESSAGE // 200
    entries: list[Entry] = []
    for number in range(told_all):
        rid = number.to_bytes(16, "big")
        ruling = Ruling(seat=0, request_id=rid, accepted=True, after=1, seq=number)
        receipt = ReceiptItem(bytes(16), 1, number, bytes(32))
        entries += [(MATCH, NORTH, event(number)), Answered(MATCH, NORTH, ruling, receipt)]
    raw = list(responses(entries, KEY))
    messages = [play_pb2.PlayResponse.FromString(one) for one in raw]
    assert len(raw) > 1
    for message in messages:
        rulings = [i.ruling.seq for i in message.items if i.HasField("ruling")]
        assert [i.seq for i in message.items[-1].receipt.items] == rulings
    everything = [i.event.seq for m in messages for i in m.items if i.HasField("event")]
    assert everything == list(range(told_all))
