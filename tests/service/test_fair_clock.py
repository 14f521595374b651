"""A seat's clock starts when the bytes of its question have left, over the real stream."""

import asyncio
from contextlib import suppress

import pytest

from referee.pb.euchre.referee.v1 import adjudication_pb2, play_pb2
from referee.sealing.events import ActionTaken
from referee.service.stream import SeatStream
from tests.host.support import KEY, FakeClock, House, playing, settle
from tests.service.support import PATIENCE_S, SEATS, hello, on_loop, refusal, serving


class Gate:
    """The far end of a stream: it takes a message when the test lets it."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.waiting = asyncio.Event()
        self.taken: list[bytes] = []

    async def read(self) -> None:
        await asyncio.Event().wait()

    async def write(self, message: bytes) -> None:
        self.waiting.set()
        await self.open.wait()
        self.taken.append(message)

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"


def actions(house: House) -> list[ActionTaken]:
    return [e.event for e in house.match.log if isinstance(e.event, ActionTaken)]


@on_loop
async def test_a_seat_whose_stream_is_backed_up_by_other_tables_loses_no_time() -> None:
    house = await playing(move_ms=5_000)
    seat = (house.turn + 1) % 4
    gate = Gate()
    stream = SeatStream(gate, KEY)  # type: ignore[arg-type]  # all that is used of a context
    running = asyncio.create_task(stream.run(lambda _stream, _input: None))
    stream.outbox.put(play_pb2.PlayItem(match="another table"))
    await gate.waiting.wait()
    stream.take(house.match, seat, 0)
    await house.act("pass")
    await house.clock.turn(4_900)
    gate.open.set()
    await settle()
    assert len(gate.taken) == 2
    await house.clock.turn(4_999)
    assert house.turn == seat
    await house.clock.turn(1)
    assert (actions(house)[-1].seat, actions(house)[-1].fallback) == (seat, "TIMEOUT")
    assert actions(house)[-1].used_ms == 5_000
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


@on_loop
async def test_the_stream_of_a_real_client_starts_its_clocks() -> None:
    clock = FakeClock()
    async with serving(clock=clock) as served:
        made = await served.create(move_ms=5_000)
        stream = made.stream()
        await stream.hello()
        ask = await stream.until_asked_to_act()
        await served.rules.ListRuleSets(adjudication_pb2.ListRuleSetsRequest(), timeout=PATIENCE_S)
        await clock.turn(5_000)
        fault = await stream.until("fault")
        assert (fault.fault.seat, fault.fault.why) == (ask.seat, "TIMEOUT")
        stream.call.cancel()


@pytest.mark.parametrize("way", ["GetView", "Act", "Hello"])
@on_loop
async def test_a_seat_that_sees_its_question_by_a_call_gains_nothing_by_not_reading_its_stream(
    way: str,
) -> None:
    clock = FakeClock()
    async with serving(clock=clock) as served:
        made = await served.create("standard", move_ms=5_000)
        stream = made.stream()
        await stream.hello()
        ask = await stream.until_asked_to_act()
        seat, version = ask.seat % 4, ask.ask.view.state_version
        made.match.attach(seat, lambda _items: None, 0, reports=True)
        await stream.say(made.act(ask.seat - 1, "pass", version + 1))
        await stream.until("ruling")
        mine = {"metadata": (("authorization", f"Bearer {made.seats[seat]}"),)}
        if way == "GetView":
            wanted = play_pb2.GetViewRequest(match=made.id, seat=SEATS[seat], from_seq=version)
            shown = (await served.plays.GetView(wanted, timeout=PATIENCE_S, **mine)).view
        elif way == "Hello":
            back = play_pb2.PlayInput(match=made.id, seat=SEATS[seat], hello=hello(""))
            said = play_pb2.ActRequest(input=back)
            shown = (await served.plays.Act(said, timeout=PATIENCE_S, **mine)).view
        else:
            stale = play_pb2.ActRequest(input=made.act(seat, "pass", version))
            shown = (await refusal(served.plays.Act(stale, timeout=PATIENCE_S, **mine))).view
        assert "pass" in shown.legal
        await clock.turn(5_000)
        taken = [e.event for e in made.match.log if isinstance(e.event, ActionTaken)]
        assert (taken[-1].seat, taken[-1].fallback) == (seat, "TIMEOUT")
        stream.call.cancel()
