"""One connection through the proxy, and all that can be done to it."""

import asyncio
import contextlib
import random
import socket
import struct
from asyncio.trsock import TransportSocket
from typing import Final

PIECE: Final = 1 << 16
LINGER: Final = struct.pack("ii", 1, 0)
ODD: Final = (1, 3, 7, 113, 1_021)
"""The sizes of slices, in turn."""
SLICED: Final = 256
"""So much of a piece is sliced; the rest goes in one write, or the processor is what is tested."""


class Link:
    """Carries bytes both ways between a client and the target.

    While it is half open its bytes vanish and neither end is told, not even that the other left.
    """

    def __init__(self, number: int, door: int, chance: random.Random) -> None:
        self.number = number
        self.door = door
        self.half_open = False
        self.latency_s = 0.0
        self.rate = 0.0
        self.slicing = False
        self._chance = chance
        self._over = asyncio.Event()
        self._ends: list[asyncio.StreamWriter] = []

    async def carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: str
    ) -> None:
        """Carry until one end closes, or a fault ends it."""
        self._ends = [writer]
        host, _, port = target.rpartition(":")
        try:
            there, back = await asyncio.open_connection(host, int(port))
            self._ends.append(back)
            if self._over.is_set():
                return
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        except (OSError, ValueError):
            pass  # the target is not there: the client is cut off
        finally:
            for end in self._ends:
                end.transport.abort()

    def cut(self) -> None:
        """Close both ends in good order (FIN)."""
        self._over.set()
        for end in self._ends:
            end.close()

    def reset(self) -> None:
        """Close both ends at once (RST)."""
        self._over.set()
        for end in self._ends:
            known = end.get_extra_info("socket")
            if isinstance(known, TransportSocket):
                with contextlib.suppress(OSError):
                    known.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
            end.transport.abort()

    def fair(self) -> None:
        """Carry as a good network does; what is half open stays so, since bytes are lost."""
        self.latency_s = self.rate = 0.0
        self.slicing = False

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(PIECE):
                if self.latency_s:
                    await asyncio.sleep(self.latency_s * self._chance.uniform(0.5, 1.5))
                if not self.half_open:
                    await self._write(writer, piece)
        if self.half_open:
            await self._over.wait()
        writer.close()

    async def _write(self, writer: asyncio.StreamWriter, piece: bytes) -> None:
        if self.slicing:
            piece = await self._slice(writer, piece)
        step = max(1, int(self.rate / 10)) if self.rate else len(piece)
        for start in range(0, len(piece), max(step, 1)):
            part = piece[start : start + step]
            writer.write(part)
            await writer.drain()
            if self.rate:
                await asyncio.sleep(len(part) / self.rate)

    async def _slice(self, writer: asyncio.StreamWriter, piece: bytes) -> bytes:
        """Send the beginning of a piece in odd writes; what is left."""
        at = turn = 0
        while at < min(len(piece), SLICED):
            size = ODD[turn % len(ODD)]
            writer.write(piece[at : at + size])
            await writer.drain()
            await asyncio.sleep(0)
            at, turn = at + size, turn + 1
        return piece[at:]
