"""A chunk of boards played: every table in an order of its own, all tables at once."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.arena.boards.chunk import Chunk, ChunkBoard, ChunkError, check_chunk, write_key
from referee.arena.boards.played import board_played
from referee.arena.boards.seated import EntryFailure, MakesPlayers, SeatedPlayer
from referee.arena.local import LocalSeat
from referee.arena.tournament.model import BoardPlayed
from referee.host.asked import name_of
from referee.host.boards import BoardHost, OpenBoard
from referee.host.clock import Chance
from referee.host.items import Item
from referee.host.match import Match
from referee.journal.store import StoreError
from referee.rules import RuleSet
from referee.table.board import BoardAsked

log = logging.getLogger(__name__)
MS: Final = 1_000
_DRAWN: Final = 8


async def check_entry(
    entry: str, bot: MakesPlayers, *, rules: Mapping[str, str], start_ms: int
) -> None:
    """Start one player of an entry and let it go; EntryFailure where it does not start."""
    player = SeatedPlayer(entry, 0, bot, start_s=start_ms / MS)
    await player.begin("0" * 32, rules)
    await player.leave()


async def play_chunk(
    chunk: Chunk, *, host: BoardHost, bots: Mapping[str, MakesPlayers], chance: Chance
) -> AsyncGenerator[BoardPlayed, None]:
    """Play all boards of a chunk; each comes out when its close and its tables' are durable.

    Whoever stops listening (`aclose`, or `contextlib.aclosing` around it), or is canceled, leaves
    no board open: what is not closed by then is closed `void`. One chunk waits for the disk most of
    the time where its bots are quick: play some side by side (see `benchmarks.boards`). Raises
    ChunkError and EntryFailure before a board is opened, StoreError where the journal fails; then
    the boards that were not closed are left to `recover_boards`.
    """
    check_chunk(chunk)
    missing = next((entry for entry in chunk.entries if entry not in bots), None)
    if missing is not None:
        raise ChunkError(f"there is no bot for the entry {missing!r} (give one for each)")
    play = _ChunkPlay(chunk, host, bots, chance)
    try:
        await play.begin()
        for _ in chunk.boards:
            yield await play.next()
    finally:
        await play.end()


@dataclass(slots=True, eq=False)
class _Played:
    """A board in play: how many of its tables are done with it, and whether it is given up."""

    board: OpenBoard
    done: int = 0
    void: bool = False
    stop: asyncio.Event = field(default_factory=asyncio.Event)


class _ChunkPlay:
    """One chunk from its first player to its last board."""

    def __init__(
        self, chunk: Chunk, host: BoardHost, bots: Mapping[str, MakesPlayers], chance: Chance
    ) -> None:
        self._chunk = chunk
        self._host = host
        self._chance = chance
        start_s = chunk.policy.start_ms / MS
        self._players = tuple(
            tuple(SeatedPlayer(name, seat, bots[name], start_s=start_s) for seat, name in row)
            for row in map(enumerate, chunk.seatings)
        )
        self._orders = tuple(_drawn_order(len(chunk.boards), chance) for _ in chunk.seatings)
        self._boards: tuple[_Played, ...] = ()
        self._results: asyncio.Queue[BoardPlayed | BaseException] = asyncio.Queue()
        self._playing: set[asyncio.Task[None]] = set()
        self._closing: set[asyncio.Task[None]] = set()

    # From the start to the end.

    async def begin(self) -> None:
        """Start all players, then open all boards, then let every table begin."""
        await self._start_players()
        opened = await self._host.open([self._asked(board) for board in self._chunk.boards])
        self._boards = tuple(_Played(board) for board in opened)
        for table in range(len(self._chunk.seatings)):
            self._go(self._play_table(table), self._playing)

    async def _start_players(self) -> None:
        starting = []
        for table, players in enumerate(self._players):
            first = self._chunk.boards[self._orders[table][0]].matches[table]
            starting += [player.begin(first, self._chunk.rules) for player in players]
        ends = await asyncio.gather(*starting, return_exceptions=True)
        failures = [end for end in ends if isinstance(end, BaseException)]
        if failures:
            named = (failure for failure in failures if isinstance(failure, EntryFailure))
            raise next(named, failures[0])

    def _asked(self, board: ChunkBoard) -> BoardAsked:
        chunk = self._chunk
        rules = RuleSet.from_map(dict(chunk.rules))
        return BoardAsked(
            board=bytes.fromhex(board.id),
            matches=tuple(bytes.fromhex(match) for match in board.matches),
            rule_set=name_of(rules),
            rules=chunk.rules,
            pack=rules.pack.value,
            dealer=board.dealer,
            policy=chunk.policy,
            names=chunk.seatings,
            label=write_key(board.key),
            scores=board.scores,
        )

    async def next(self) -> BoardPlayed:
        """The next board that is closed."""
        result = await self._results.get()
        if isinstance(result, BaseException):
            raise result
        return result

    async def end(self) -> None:
        """Stop what still runs, close what is still open void, and let all players go."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        await asyncio.gather(*self._closing, return_exceptions=True)  # they are on their way
        for played in self._boards:
            if not played.board.closed:
                try:
                    await played.board.close(void=True)
                except StoreError as err:
                    log.error("board_left_open board=%s error=%s", played.board.label, err)  # noqa: TRY400 -- it says all
        leaving = (player.leave() for players in self._players for player in players)
        await asyncio.gather(*leaving, return_exceptions=True)

    def _go(self, work: Coroutine[None, None, None], among: "set[asyncio.Task[None]]") -> None:
        task = asyncio.create_task(self._told(work))
        among.add(task)
        task.add_done_callback(among.discard)

    async def _told(self, work: Coroutine[None, None, None]) -> None:
        """Whatever ends a table or a close early is whoever listens' to know."""
        try:
            await work
        except Exception as err:  # noqa: BLE001 -- it is raised where the chunk is listened to
            self._results.put_nowait(err)

    # One table.

    async def _play_table(self, table: int) -> None:
        for place in self._orders[table]:
            played = self._boards[place]
            if not played.void:
                try:
                    await self._play(played, table)
                except StoreError:
                    raise
                except Exception:
                    log.exception("board_given_up board=%s table=%s", played.board.label, table)
                    played.void = True
                    played.stop.set()
            played.done += 1
            if played.done == len(self._players):
                self._go(self._close(played), self._closing)

    async def _close(self, played: _Played) -> None:
        closed = await played.board.close(void=played.void)
        self._results.put_nowait(board_played(closed))

    async def _play(self, played: _Played, table: int) -> None:
        """Play one board at one table, until nothing is missing but the board's close."""
        match = played.board.take_up(table)
        waits = asyncio.Event()

        def hear(_items: Sequence[Item]) -> None:
            if match.durable.waits_for_board:
                waits.set()

        match.watch(hear, 0)
        players = self._players[table]
        locals_ = [
            LocalSeat(match, player.seat, player, secret=b"", chance=self._chance)
            for player in players
        ]
        try:
            for local in locals_:
                await local.start()
            await _until(waits, played.stop, [local.run() for local in locals_])
        finally:
            match.unwatch(hear)
            match.course.deadlines.close()
        for player, local in zip(players, locals_, strict=True):
            if local.failure is not None or _stopped(match, player.seat):
                await player.renew()


def _stopped(match: Match, seat: int) -> bool:
    """Whether a seat is why its table stopped early."""
    ending = match.durable.ending
    return ending is not None and ending.by == seat


async def _until(
    done: asyncio.Event,
    stop: asyncio.Event,
    running: Sequence[Coroutine[None, None, None]],
) -> None:
    """Run the seats of a table until it is done or given up; what a seat raises is raised."""
    seats = [asyncio.create_task(seat) for seat in running]
    ends = [asyncio.create_task(done.wait()), asyncio.create_task(stop.wait())]
    try:
        waiting: set[asyncio.Task[object]] = {*seats, *ends}
        while waiting and not (done.is_set() or stop.is_set()):
            over, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in over:
                task.result()
    finally:
        for task in (*seats, *ends):
            task.cancel()
        await asyncio.gather(*seats, *ends, return_exceptions=True)


def _drawn_order(count: int, chance: Chance) -> tuple[int, ...]:
    """An order drawn: nobody needs to prove it, so the bias of 64 bits is of no account."""
    drawn = [(chance(_DRAWN), place) for place in range(count)]
    return tuple(place for _, place in sorted(drawn))
