"""A TCP relay between clients and a referee that drops connections, or leads them elsewhere."""

import asyncio
import contextlib
from typing import Final

PIECE: Final = 1 << 16


class Relay:
    """Carries bytes to `target`; `drop` cuts every connection at once."""

    def __init__(self) -> None:
        self.target = ""
        self.address = ""
        self._ends: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen on a free loopback port."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def drop(self) -> None:
        """Cut every connection, as a pulled plug does."""
        for end in tuple(self._ends):
            end.transport.abort()

    async def stop(self) -> None:
        """Cut everything and listen no longer."""
        if self._server is not None:
            self._server.close()
        self.drop()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self.target.rpartition(":")
        try:
            there, back = await asyncio.open_connection(host, int(port))
        except (OSError, ValueError):
            writer.transport.abort()
            return
        ends = {writer, back}
        self._ends |= ends
        try:
            await asyncio.gather(_pipe(reader, back), _pipe(there, writer))
        finally:
            self._ends -= ends
            for end in ends:
                end.transport.abort()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
        writer.close()
