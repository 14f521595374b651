"""Receipts on the wire: one signature a message, over everything that it accepts."""

from referee.pb.euchre.referee.v1 import play_pb2
from referee.sealing.commit import seat_commit
from referee.sealing.messages import ReceiptItem, receipt_bytes
from tests.host.support import KEY
from tests.service.support import (
    PATIENCE_S,
    SEATS,
    Made,
    Stream,
    bearer,
    hello,
    on_loop,
    serving,
)


def named(receipt: play_pb2.Receipt) -> list[ReceiptItem]:
    """What a receipt names, once its signature has been checked."""
    items = [ReceiptItem(i.match, i.deal, i.seq, i.head) for i in receipt.items]
    assert KEY.public.accepts(receipt.sig, receipt_bytes(items))
    return items


def commitment(made: Made, seat: int) -> play_pb2.PlayInput:
    said = made.input(seat)
    said.commit.commit = seat_commit(made.match.id, 0, seat, bytes([seat + 1, 0]) * 16, None)
    return said


class Reader(Stream):
    """A stream that keeps whole messages, which carry the receipts."""

    async def message(self) -> list[play_pb2.PlayItem]:
        read = await self.call.read()
        assert isinstance(read, play_pb2.PlayResponse)
        return list(read.items)

    async def asked(self) -> None:
        """Read until a commitment is asked for."""
        asked = 0
        while asked < len(self.seats):
            asked += sum(item.HasField("ask") for item in await self.message())


@on_loop
async def test_every_message_that_accepts_ends_in_one_receipt_for_all_of_it() -> None:
    async with serving() as served:
        made = await served.create("quick", commit_ms=20_000)
        stream = Reader(made, (0, 1, 2, 3))
        await stream.hello()
        await stream.asked()
        await stream.say(*(commitment(made, seat) for seat in range(4)))
        told: list[ReceiptItem] = []
        while len(told) < 4:
            items = await stream.message()
            accepted = [item for item in items if item.ruling.accepted]
            receipts = [item for item in items if item.HasField("receipt")]
            assert len(receipts) == bool(accepted)
            if receipts:
                assert items[-1] == receipts[0]
                assert (receipts[0].match, receipts[0].seat) == ("", 0)
                told += named(receipts[0].receipt)
                assert len(receipts[0].receipt.items) == len(accepted)
        heads = {item.seq: item.head for item in made.match.log}
        kinds = {item.seq: item.event.kind for item in made.match.log}
        assert {kinds[item.seq] for item in told} == {"seat_commit"}
        assert all(heads[item.seq] == item.head for item in told)


@on_loop
async def test_a_seat_that_only_plays_gets_no_receipt() -> None:
    async with serving() as served:
        made = await served.create("quick", move_ms=20_000)
        stream = Reader(made, (0, 1, 2, 3))
        await stream.hello(*(hello(token, level=play_pb2.LEVEL_PLAYS) for token in made.seats))
        acted = False
        while not acted:
            for item in await stream.message():
                assert not item.HasField("receipt")
                if item.HasField("ask"):
                    seq = item.ask.view.state_version + 1
                    await stream.say(made.act(item.seat - 1, item.ask.view.legal[0], seq))
                acted = acted or item.ruling.accepted
        assert not made.match.durable.rated


@on_loop
async def test_a_single_call_is_answered_with_its_receipt() -> None:
    async with serving() as served:
        made = await served.create("quick", commit_ms=20_000)
        for seat, token in enumerate(made.seats):
            said = play_pb2.PlayInput(match=made.id, seat=SEATS[seat], hello=hello(token))
            answer = await served.plays.Act(
                play_pb2.ActRequest(input=said), metadata=bearer(token), timeout=PATIENCE_S
            )
            assert not answer.HasField("receipt")
        request = play_pb2.ActRequest(input=commitment(made, 0))
        north = bearer(made.seats[0])
        answer = await served.plays.Act(request, metadata=north, timeout=PATIENCE_S)
        (item,) = named(answer.receipt)
        assert (item.deal, item.head) == (0, made.match.log[item.seq].head)
        again = await served.plays.Act(request, metadata=north, timeout=PATIENCE_S)
        assert again.receipt == answer.receipt
