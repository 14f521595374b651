"""Bots tried before an event: whether each starts, and how long it takes for a deal."""

import asyncio
import secrets
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.arena.boards import Chunk, ChunkBoard, EntryFailure, check_entry, play_chunk
from referee.arena.boards.seated import MakesPlayers
from referee.arena.bots import parse_bot
from referee.arena.tournament.confined import held_to
from referee.arena.tournament.model import BoardKey, team_seatings
from referee.arena.tournament.sheet import Sheet
from referee.host.boards import BoardHost
from referee.host.clock import LoopClock
from referee.journal.sqlite import SqliteStore
from referee.sealing.keys import SigningKey

BOARDS: Final = 2
TABLES: Final = 2
ENOUGH_S: Final = 1.0
ID_SIZE: Final = 16


@dataclass(frozen=True, slots=True)
class Tried:
    """A bot that was tried: seconds a deal where it plays all four seats; or why it did not start.

    `said` is what it wrote to standard error, `faults` how often it broke off or broke a rule.
    """

    bot: str
    entries: tuple[str, ...]
    seconds: float = 0.0
    failure: str = ""
    said: str = ""
    faults: int = 0


def bots_to_try(sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """Every different bot, and under which names it plays."""
    found: dict[str, tuple[str, ...]] = {}
    for name, bot in (
        *((each.name, each.bot) for each in sheet.entries),
        *((each.name, each.bot) for each in sheet.substitutes),
    ):
        found[bot] = (*found.get(bot, ()), name)
    return found


async def try_bots(
    sheet: Sheet,
    *,
    measure: bool,
    told: Callable[[Tried], None],
    hidden: tuple[Path, ...] = (),
) -> tuple[Tried, ...]:
    """Start every bot, and let it play some unannounced boards against itself where `measure`.

    Nothing of these boards is kept. What is `hidden` no bot sees.
    """
    found: list[Tried] = []
    for bot, entries in bots_to_try(sheet).items():
        tried = await _try(sheet, bot, entries, hidden, measure=measure)
        told(tried)
        found.append(tried)
    return tuple(found)


async def _try(
    sheet: Sheet, bot: str, entries: tuple[str, ...], hidden: tuple[Path, ...], *, measure: bool
) -> Tried:
    spec = held_to(sheet, parse_bot(bot, apart=True), hidden)
    rules = sheet.rules.to_map()
    try:
        await check_entry(entries[0], spec, rules=rules, start_ms=sheet.policy.start_ms)
        seconds, faults = await _measured(sheet, entries[0], spec) if measure else (0.0, 0)
    except EntryFailure as failure:
        return Tried(bot, entries, failure=failure.text, said=failure.stderr)
    return Tried(bot, entries, seconds, faults=faults)


async def _measured(sheet: Sheet, entry: str, spec: MakesPlayers) -> tuple[float, int]:
    """Seconds a deal and faults, from boards that the bot plays against itself."""
    with tempfile.TemporaryDirectory(prefix="euchre-trial-") as scratch:
        store = await asyncio.to_thread(SqliteStore, Path(scratch) / "trial.db", None)
        try:
            host = BoardHost(
                store=store,
                key=SigningKey.from_bytes("trial", secrets.token_bytes(32)),
                clock=LoopClock(),
                chance=secrets.token_bytes,
            )
            deals, faults, began = 0, 0, time.monotonic()
            while not deals or time.monotonic() - began < ENOUGH_S:
                chunk = _chunk(sheet, entry)
                async for played in play_chunk(
                    chunk, host=host, bots={entry: spec}, chance=secrets.token_bytes
                ):
                    deals += TABLES
                    faults += len(played.faults)
            return (time.monotonic() - began) / deals, faults
        finally:
            await asyncio.to_thread(store.close)


def _chunk(sheet: Sheet, entry: str) -> Chunk:
    return Chunk(
        rules=sheet.rules.to_map(),
        policy=sheet.policy,
        seatings=team_seatings(entry, entry),
        boards=tuple(
            ChunkBoard(
                BoardKey(1, 1, number),
                secrets.token_bytes(ID_SIZE).hex(),
                tuple(secrets.token_bytes(ID_SIZE).hex() for _ in range(TABLES)),
                number % 4,
            )
            for number in range(1, BOARDS + 1)
        ),
    )
