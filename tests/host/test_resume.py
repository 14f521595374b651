"""A referee that comes back to its journal."""

import asyncio
from pathlib import Path

from referee.host.clock import LoopClock
from referee.host.items import Answer, Ruling
from referee.host.referee import Referee
from referee.journal.sqlite import SqliteStore
from referee.sealing.keys import SigningKey
from referee.sealing.parts import SeatInfo
from referee.table.policy import policy

KEY = SigningKey.from_bytes("host", bytes(range(32)))
REQUEST = b"r" * 16


async def sit_down_after_a_restart(journal: Path, seat: int) -> tuple[Answer, list[str | None]]:
    """A new referee on the journal; one seat is taken, and all that are taken are named."""
    store = SqliteStore(journal)
    referee = Referee(store=store, key=KEY, clock=LoopClock(), chance=bytes)
    try:
        referee.resume()
        tickets = await referee.create(policy=policy(), request_id=REQUEST)
        match = referee.match(tickets.match.hex())
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        info = SeatInfo(name=f"bot-{seat}", level="seeds", seed_by="seat")
        match.sit(seat, info, answer.set_result)
        names = [None if info is None else info.name for info in match.state.seats]
        return await answer, names
    finally:
        referee.close()
        store.close()


def test_match_that_was_resumed_goes_on_being_recorded(tmp_path: Path) -> None:
    journal = tmp_path / "referee.db"
    for seat in range(3):
        answer, names = asyncio.run(sit_down_after_a_restart(journal, seat))
        assert isinstance(answer, Ruling)
        assert answer.accepted
        assert [name for name in names if name] == [f"bot-{taken}" for taken in range(seat + 1)]
