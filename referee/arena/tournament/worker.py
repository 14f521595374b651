"""A worker: leases chunks, plays them, keeps their results and files; ends with its director.

    python -m referee.arena.tournament.worker DIR SLOT KEY CORES

One chunk is in play at a time, so that its bots have the core; chunks whose bots all answer at
once wait for the disk more than they think, and several of them are played side by side.

It reads its standard input, which its director holds open: `drain` ends it after what is in play,
the end of the input ends it at once. It says a line for whatever it has done. Its journal is
its own; what its dead predecessor left in it is recovered before anything is claimed.
"""

import asyncio
import contextlib
import json
import logging
import os
import resource
import secrets
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from referee.arena.boards import Chunk, ChunkBoard, EntryFailure, play_chunk, recover_boards
from referee.arena.boards.seated import MakesPlayers
from referee.arena.bots import PythonSpec, parse_bot
from referee.arena.noise import NoiseMeter
from referee.arena.players import BotFailure, FailureKind
from referee.arena.queue.interface import FailureKind as TaskFailure
from referee.arena.queue.interface import Lease, LeaseLostError, Task, TaskState
from referee.arena.tournament.chunks import Work, read_work
from referee.arena.tournament.confined import held_to
from referee.arena.tournament.eventdb import EventDb, EventError
from referee.arena.tournament.model import BoardKey, BoardPlayed
from referee.arena.tournament.place import EventPlace, only_one, pinned_sheet, write_whole
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.textform import played_text
from referee.errors import RefereeError
from referee.host.boards import BoardHost
from referee.host.clock import LoopClock
from referee.host.home import load_key
from referee.journal.sqlite import SqliteStore

log = logging.getLogger(__name__)
LEASE_MS: Final = 30_000
BEAT_S: Final = 5.0
IDLE_S: Final = 0.1
LOCK_S: Final = 30.0
SIDE_BY_SIDE: Final = 8
START_FAIL: Final = "START_FAIL"


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def say(line: str) -> None:
    """Tell the director."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


class EventClock(LoopClock):
    """The clock of an event: set back, it still opens no board before it was announced."""

    def __init__(self) -> None:
        self._floor_ms = 0

    def not_before(self, floor_ms: int) -> None:
        """Say nothing earlier from now on."""
        self._floor_ms = max(self._floor_ms, floor_ms)

    def wall_ms(self) -> int:
        """Milliseconds since 1970, for the record."""
        return max(super().wall_ms(), self._floor_ms)


class Worker:
    """One slot of an event, from its recovery to its end."""

    def __init__(self, place: EventPlace, slot: int, key_file: Path, cores: int) -> None:
        self._place = place
        self._slot = slot
        self._db = EventDb(place.db, write=True)
        self._queue = self._db.queue()
        self._sheet: Sheet = pinned_sheet(place, self._db)
        key = load_key(key_file, secrets.token_bytes)
        _check_journal(place.journal(slot), slot, self._db)
        self._store = SqliteStore(place.journal(slot), None)
        self._clock = EventClock()
        self._host = BoardHost(
            store=self._store, key=key, clock=self._clock, chance=secrets.token_bytes
        )
        self._hidden = (place.work, key_file)
        self._noise = NoiseMeter(cores)
        self._since_ms = now_ms()
        self._draining = asyncio.Event()
        self._bots: dict[str, MakesPlayers] = {}
        self._playing: dict[asyncio.Task[None], bool] = {}

    def close(self) -> None:
        """Let go of the files."""
        self._queue.close()
        self._db.close()
        self._store.close()

    async def run(self) -> None:
        """Recover, then play until told to stop."""
        self._noise.start()
        listening = asyncio.create_task(self._listen())
        working = asyncio.create_task(self._work())
        try:
            await asyncio.wait({listening, working}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
        finally:
            for task in (listening, working):
                task.cancel()
            await asyncio.gather(listening, working, return_exceptions=True)
            await self._noise.stop()
            self._keep_noise()

    def _keep_noise(self) -> None:
        """Keep what was heard of the host since this process began."""
        heard = json.dumps(self._noise.heard().to_map(), sort_keys=True)
        self._db.put_noise(self._slot, self._since_ms, heard)

    async def _listen(self) -> None:
        """Until the director closes our input, or is gone."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        await loop.connect_read_pipe(lambda: protocol, sys.stdin)
        while line := await reader.readline():
            if line.strip() == b"drain":
                self._draining.set()

    async def _work(self) -> None:
        await self.recover()
        say("ready")
        idle = False
        try:
            while not self._draining.is_set():
                if self._claim():
                    idle = False
                    continue
                if not self._playing and not idle:
                    say("idle")
                    idle = True
                await self._wait()
            while self._playing:
                await self._wait()
        except asyncio.CancelledError:
            await self._stop()
            await self.recover()
            raise
        except BaseException:
            await self._stop()
            raise
        say("drained")

    def _claim(self) -> bool:
        """Begin to play one more chunk, where there is one and a hand is free for it."""
        playing = self._playing
        if len(playing) >= SIDE_BY_SIDE or not all(playing.values()):
            return False
        lease = self._queue.claim(str(self._slot), lease_ms=LEASE_MS, now_ms=now_ms())
        if lease is None:
            return False
        work = read_work(lease.task.payload)
        at_once = all(answers_at_once(text) for text in work.bots.values())
        playing[asyncio.create_task(self._held(lease, work))] = at_once
        return True

    async def _wait(self) -> None:
        """Until a chunk is over or it is time to look again; what a chunk failed of is raised."""
        if not self._playing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._draining.wait(), IDLE_S)
            return
        first = asyncio.FIRST_COMPLETED
        done, _ = await asyncio.wait(self._playing, timeout=IDLE_S, return_when=first)
        for task in done:
            del self._playing[task]
            task.result()

    async def _stop(self) -> None:
        """End what is in play: its open boards become void."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        self._playing.clear()

    async def recover(self) -> None:
        """Close what a predecessor left open, keep what it had closed, give its chunk back.

        Files that were lost from the records since are written again.
        """
        known = [board for slot, board in self._db.known() if slot == self._slot]
        self._check_age(known)
        left = self._db.left_open(self._slot)
        if left:
            await self._recover(list(left.values()))
        for key, state in self._db.tasks():
            if state is TaskState.LEASED:
                self._give_back(key)
        for board in self._place.lacking(known, self._sheet.tables):
            self._export(board)

    def _check_age(self, known: Sequence[str]) -> None:
        """Refuse an older copy of the journal: what it lacks would be dealt anew."""
        held = {match.hex() for match in self._store.matches()}
        lost = next((board for board in known if board not in held), None)
        if lost is not None:
            raise EventError(
                f"{str(self._place.journal(self._slot))!r} is an older copy: board {lost[:8]},"
                " which was played, is not in it (put the newest back, or say that it is lost for"
                f" good: tournament act lost FILE {self._slot})"
            )

    def _give_back(self, key: str) -> None:
        """Nobody waits for the lease of a worker that is dead: this is its slot."""
        newest = self._queue.attempts(key)[-1]
        if newest.worker == str(self._slot):
            lease = Lease(Task(key, ""), newest.worker, newest.number, 0)
            with contextlib.suppress(LeaseLostError):
                self._queue.release(lease, now_ms=now_ms())

    async def _recover(self, left: Sequence[str]) -> None:
        found = await recover_boards(self._host, left)
        for played in found:
            self._keep(played)
        known = {played.id for played in found}
        self._db.never_opened(self._slot, [board for board in left if board not in known])
        say(f"recovered {len(found)}")

    def _keep(self, played: BoardPlayed) -> None:
        """Write a board's files, then its result: whoever sees the result finds the files."""
        self._export(played.id)
        self._db.add_results(self._slot, [played], now_ms=now_ms())
        say("board")

    def _export(self, board: str) -> None:
        """Write those of a board's files that are not there."""
        for name, content in self._host.files(bytes.fromhex(board)).items():
            path = self._place.records / name
            if not path.exists():
                write_whole(path, content)

    async def _held(self, lease: Lease, work: Work) -> None:
        """Play a chunk while its lease is renewed."""
        beating = asyncio.create_task(self._beat(lease))
        try:
            await self._play(lease, work)
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)

    async def _beat(self, lease: Lease) -> None:
        """Renew a lease; where it was lost what we opened is ours all the same (see openings)."""
        with contextlib.suppress(LeaseLostError):
            while True:
                await asyncio.sleep(BEAT_S)
                self._queue.heartbeat(lease, lease_ms=LEASE_MS, now_ms=now_ms())

    async def _play(self, lease: Lease, work: Work) -> None:
        ids = {each.key: each.id for each in work.boards}
        mine = self._db.open_boards(self._slot, list(ids.items()))
        opened = {key for key, _id in mine}
        results: list[BoardPlayed] = []
        if mine:
            self._clock.not_before(self._db.announced_ms())
            chunk = self._chunk(work, opened)
            try:
                bots = {name: self._bot(name, work.bots[name]) for name in work.entries}
                boards = play_chunk(chunk, host=self._host, bots=bots, chance=secrets.token_bytes)
                async with contextlib.aclosing(boards):
                    async for played in boards:
                        self._keep(played)
                        results.append(played)
            except EntryFailure as failure:
                self._db.never_opened(self._slot, [board for _key, board in mine])
                self._no_start(lease, failure)
                return
        with contextlib.suppress(LeaseLostError):
            bodies = [played_text(played) for played in results]
            self._queue.complete(lease, bodies, now_ms=now_ms())
        self._keep_noise()
        say("chunk")

    def _chunk(self, work: Work, opened: set[BoardKey]) -> Chunk:
        return Chunk(
            rules=self._sheet.rules.to_map(),
            policy=self._sheet.policy,
            seatings=work.seatings,
            boards=tuple(
                ChunkBoard(each.key, each.id, each.matches, each.dealer, work.scores)
                for each in work.boards
                if each.key in opened
            ),
        )

    def _bot(self, entry: str, text: str) -> MakesPlayers:
        if text not in self._bots:
            try:
                spec = parse_bot(text, apart=True)
            except RefereeError as err:
                failure = BotFailure(FailureKind.START_FAIL, str(err))
                raise EntryFailure(entry, failure) from err
            self._bots[text] = held_to(self._sheet, spec, self._hidden)
        return self._bots[text]

    def _no_start(self, lease: Lease, failure: EntryFailure) -> None:
        """Give the chunk back; after some tries the director decides that the entry forfeits."""
        why = f"{START_FAIL} {failure.entry} {failure.text}"
        log.warning("bot_not_started entry=%r error=%r", failure.entry, failure.text)
        with contextlib.suppress(LeaseLostError):
            self._queue.fail(lease, TaskFailure.INFRA, why, now_ms=now_ms())
        say("failed")


def answers_at_once(text: str) -> bool:
    """Whether a bot is a class in this process that promises to answer at once."""
    try:
        spec = parse_bot(text, apart=True)
    except RefereeError:
        return False
    return isinstance(spec, PythonSpec) and getattr(spec.make, "instant", False) is True


def _check_journal(path: Path, slot: int, db: EventDb) -> None:
    """Refuse where a journal was lost: its open boards would be dealt anew under their old ids."""
    lost = not path.exists() or not path.stat().st_size
    if lost and slot in db.openings().values():
        raise EventError(
            f"{str(path)!r} is gone, and boards that were played are in it"
            f" (put it back, or say that it is lost for good: tournament act lost FILE {slot})"
        )


def main(words: Sequence[str]) -> int:
    """Run a worker; what ends it is said on standard error, which is its log."""
    directory, slot, key_file, cores = words
    place = EventPlace(Path(directory))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the director decides what Ctrl-C means
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold secrets
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
    try:
        with only_one(place.work / f"{slot}.lock", wait_s=LOCK_S):
            return asyncio.run(_serve(place, int(slot), Path(key_file), int(cores)))
    except RefereeError as err:
        sys.stderr.write(f"{err}\n")
        return err.exit_code
    except OSError as err:
        where = "" if err.filename is None else f"{os.fsdecode(err.filename)!r}: "
        sys.stderr.write(f"{where}{err.strerror or err} (make room or make it writable)\n")
        return RefereeError.exit_code


async def _serve(place: EventPlace, slot: int, key_file: Path, cores: int) -> int:
    worker = Worker(place, slot, key_file, cores)
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    if task is not None:
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    with contextlib.closing(worker), contextlib.suppress(asyncio.CancelledError):
        await worker.run()
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
