"""The load again, with a stream for each seat: as bots that know nothing of each other would play.

What a stream costs is told by its messages, so both sessions here count them, in and out.
"""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import Final, TypeAlias

import grpc

from benchmarks.load import MADE, Table
from referee.pb.euchre.referee.v1 import play_pb2, play_pb2_grpc
from referee.rules import SEATS

Call: TypeAlias = "grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]"
OWN_CONNECTION: Final = (("grpc.use_local_subchannel_pool", 1),)


def connections(address: str, number: int) -> list[grpc.aio.Channel]:
    """So many connections of their own: a server takes a limited number of streams on one."""
    return [grpc.aio.insecure_channel(address, options=OWN_CONNECTION) for _ in range(number)]


class Apart:
    """Every seat of every table on a stream of its own."""

    def __init__(self, channels: Iterable[grpc.aio.Channel], playing: Sequence[Table]) -> None:
        self.messages = 0
        self._stubs = cycle([play_pb2_grpc.PlayServiceStub(channel) for channel in channels])
        self._tables = playing
        self._readers: list[asyncio.Task[None]] = []
        self._held: list[tuple[Call, play_pb2.PlayInput]] = []
        self._left = 0
        self._under_way = 0
        self._rested = asyncio.Event()

    async def play(self, actions: int) -> int:
        """Open the streams the first time, then answer what is asked; how many actions that was."""
        self._left = actions
        self._rested.clear()
        if not self._readers:
            for table in self._tables:
                for seat in SEATS:
                    await self._open(table, seat)
        held, self._held = self._held, []
        for call, said in held:
            await self._say(call, said)
        rested = asyncio.create_task(self._rested.wait())
        done, _ = await asyncio.wait({rested, *self._readers}, return_when=asyncio.FIRST_COMPLETED)
        for ended in done - {rested}:
            ended.result()
            raise SystemExit("the referee has ended a stream")
        return actions - self._left

    async def _open(self, table: Table, seat: int) -> None:
        call = next(self._stubs).Play()
        hello = play_pb2.Hello(protocol=1, seats=[table.hello(seat)])
        await call.write(play_pb2.PlayRequest(hello=hello))
        self.messages += 1
        self._readers.append(asyncio.create_task(self._listen(call, table, seat)))

    async def _listen(self, call: Call, table: Table, seat: int) -> None:
        while isinstance(message := await call.read(), play_pb2.PlayResponse):
            self.messages += 1
            for item in message.items:
                match item.WhichOneof("item"):
                    case "event":
                        table.fold(item.event)
                    case "ask":
                        await self._answer(call, table.answer(seat, item.ask))
                    case "ruling":
                        self._under_way -= 1
                        self._left -= item.ruling.HasField("seq")
                    case "status":
                        raise SystemExit(f"the referee refuses an input: {item.status.message}")
                    case _:
                        pass
            if self._left <= 0 and not self._under_way:
                self._rested.set()

    async def _answer(self, call: Call, said: play_pb2.PlayInput) -> None:
        """Say it now, or at the beginning of the next round."""
        if self._left > 0:
            await self._say(call, said)
        else:
            self._held.append((call, said))

    async def _say(self, call: Call, said: play_pb2.PlayInput) -> None:
        self._under_way += 1
        self.messages += 1
        await call.write(play_pb2.PlayRequest(inputs=[said]))

    async def close(self) -> None:
        """Let go of the streams."""
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)


class EchoApart:
    """Streams of an echo, each with one message under way."""

    def __init__(self, channels: Iterable[grpc.aio.Channel], streams: int) -> None:
        self.messages = 0
        stubs = cycle([play_pb2_grpc.PlayServiceStub(channel) for channel in channels])
        self._calls: list[Call] = [next(stubs).Play() for _ in range(streams)]
        self._table = Table(MADE)
        self._left = 0

    async def play(self, actions: int) -> int:
        """Send so many actions, each in a message of its own."""
        self._left = actions
        await asyncio.gather(*map(self._talk, self._calls))
        return actions - self._left

    async def _talk(self, call: Call) -> None:
        while self._left > 0:
            self._left -= 1
            said = self._table.act(0, 123, "play KD")
            await call.write(play_pb2.PlayRequest(inputs=[said]))
            if not isinstance(await call.read(), play_pb2.PlayResponse):
                raise SystemExit("the echo has ended the stream")
            self.messages += 2
