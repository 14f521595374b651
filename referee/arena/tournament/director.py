"""The director: plans rounds, announces boards, hands out chunks, counts what comes back.

Whatever it does is in the event's file before it counts, so it may be killed at any moment: the
next one finds what was planned, announced and played, has the workers recover what they had in
hand, and goes on. It never plays a board itself.
"""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Final

from referee.arena.formats.model import RoundPlan
from referee.arena.queue.interface import Task, TaskState
from referee.arena.tournament.actionlog import ActionLog
from referee.arena.tournament.actions import AUTOMATIC, Action, Rulings
from referee.arena.tournament.agenda import agenda_of, chunked, entries_of
from referee.arena.tournament.announcing import Announcer
from referee.arena.tournament.chunks import Work, boards_of, chunk_key, write_work
from referee.arena.tournament.crew import Crew, Rest
from referee.arena.tournament.disk import DiskWatch
from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.field import bots_of, format_of
from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.place import EventPlace
from referee.arena.tournament.scoring import BoardStanding, MeetingStanding, Tally, history
from referee.arena.tournament.sheet import Sheet
from referee.errors import RefereeError
from referee.host.clock import Chance
from referee.sealing.keys import SigningKey
from referee.sealing.parts import Pair

TICK_S: Final = 0.5
AT_EASE: Final = 4
"""How many times as long as it has counted the director rests: the cores are the workers'."""
IN_PASSING: Final = frozenset({"board", "idle", "ready", "drained"})
"""What a worker says that can wait for the next tick: nothing is to be planned for it."""


class StoppedError(RefereeError):
    """The event cannot go on; what was played is kept."""

    exit_code = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an event is. `total` is what is planned, None where results decide it.

    `scores` has for every entry how often it has scored what on the boards that count.
    """

    round: int
    rounds: int | None
    done: int
    total: int | None
    void: int
    faults: int
    scores: Mapping[str, Mapping[float, int]]


class Director:
    """Runs one event to its end, or until it is told to stop.

    `tell` gets what people should read as it happens, `progressed` how far the event is; `rest`
    lets seconds pass.
    """

    def __init__(
        self,
        *,
        place: EventPlace,
        sheet: Sheet,
        db: EventDb,
        key: SigningKey,
        key_file: Path,
        directory: Path,
        chance: Chance,
        wall_ms: Callable[[], int],
        tell: Callable[[str], None],
        progressed: Callable[[Progress], None],
        rest: Rest = asyncio.sleep,
    ) -> None:
        self._sheet = sheet
        self._db = db
        self._wall_ms = wall_ms
        self._tell = tell
        self._progressed = progressed
        self._place = place
        self._queue = db.queue()
        self._log = ActionLog(db, key)
        self._announcer = Announcer(db, place.announced, key, chance)
        self._rest = rest
        self._crew = Crew(place, key_file, directory, self._heard, rest=rest)
        self._disk = DiskWatch(place.directory, tell)
        self._woken = asyncio.Event()
        self._draining = asyncio.Event()
        self._stopping = asyncio.Event()
        self._seen = 0
        self._tally = Tally(sheet, (), Rulings())
        self._plans: list[RoundPlan] = []
        self._pending: dict[str, tuple[BoardKey, ...]] = {}
        self._serials: dict[str, int] = {}
        self._meetings: dict[tuple[int, int], MeetingStanding] = {}
        self._dirty = True
        self._begun = False

    @property
    def crew(self) -> Crew:
        """The workers."""
        return self._crew

    def drain(self) -> None:
        """Stop after the chunks that are being played."""
        self._draining.set()
        self._woken.set()

    def stop(self) -> None:
        """Stop now; boards in play become void."""
        self._stopping.set()
        self._woken.set()

    async def run(self, workers: int) -> bool:
        """Play the event; True where it is over, False where it was stopped."""
        self._begin()
        try:
            self._look()
            self._begun = True
            over = self._plan()
            boards = [board for _slot, board in self._db.known()]
            if over and not self._place.lacking(boards, self._sheet.tables):
                return True
            self._crew.cores = max(1, (os.cpu_count() or 1) // workers)
            for slot in self._slots(workers):
                await self._crew.start(slot)
            if over:  # files were lost since; the workers write them again
                await self._drained()
                self._check_written(boards)
                return True
            return await self._go_on()
        finally:
            await self._crew.stop()
            self._queue.close()

    def _slots(self, workers: int) -> list[int]:
        """Where workers are started: wherever one has been, so that it recovers; then more."""
        lost = self._db.lost()
        used = {*self._place.slots(), *self._db.openings().values()} - lost
        fresh = (slot for slot in count(1) if slot not in lost)
        return sorted({*islice(fresh, workers), *used})

    def _check_written(self, boards: Sequence[str]) -> None:
        lost = self._place.lacking(boards, self._sheet.tables)
        if lost:
            raise StoppedError(
                f"files of {len(lost)} boards are gone from {str(self._place.records)!r}, and the"
                f" journals in {str(self._place.work)!r} do not have them (put the files back)"
            )

    def _begin(self) -> None:
        now = self._wall_ms()
        self._announcer.open_event(self._sheet.hash, self._sheet.preset, now_ms=now)
        self._plans = [planned.plan for planned in self._db.rounds()]
        for key, state in self._db.tasks():
            boards = boards_of(key)
            base = key.partition("~")[0]
            self._serials[base] = self._serials.get(base, 0) + 1
            if state in {TaskState.WAITING, TaskState.LEASED, TaskState.DEAD}:
                self._pending[key] = boards

    def _heard(self, slot: int, word: str) -> None:
        if word == "ended" and not self._crew.stopping:
            self._tell(f"worker {slot} has ended; it is started again, and recovers")
        if word not in IN_PASSING:
            self._dirty = True
            self._woken.set()

    async def _go_on(self) -> bool:
        while True:
            if self._crew.failed is not None:
                raise self._crew.failed
            if self._stopping.is_set():
                return False
            if self._draining.is_set():
                await self._drained()
                self._look()
                return False
            self._woken.clear()
            self._disk.look()
            began = time.monotonic()
            self._look()
            if self._plan():
                return True
            await self._rest(min(TICK_S, AT_EASE * (time.monotonic() - began)))
            try:
                async with asyncio.timeout(TICK_S):
                    await self._woken.wait()
            except TimeoutError:
                pass

    async def _drained(self) -> None:
        """Wait for the chunks in play, or for the word to stop now."""
        self._crew.drain()
        waiting = asyncio.create_task(self._crew.drained())
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait({waiting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for task in (waiting, stopping):
            task.cancel()
        await asyncio.gather(waiting, stopping, return_exceptions=True)

    def _look(self) -> None:
        """Take in new results and actions."""
        rulings = self._log.rulings()
        if rulings != self._tally.rulings:
            fresh = Tally(self._sheet, (), rulings)
            _last, every = self._db.results()
            for played in every:
                fresh.add(played)
            self._tally, self._seen, self._dirty = fresh, _last, True
            self._meetings.clear()
            return
        self._seen, new = self._db.results(self._seen)
        for played in new:
            self._tally.add(played)
            self._meetings.pop((played.key.round, played.key.encounter), None)
            self._dirty = True
            if played.void and self._begun:
                key = played.key
                self._tell(
                    f"board {key.board} of round {key.round}, encounter {key.encounter} is void"
                    f" ({played.void}); a fresh one takes its place"
                )

    def _plan(self) -> bool:
        """Announce and enqueue what is due; True where the event is over."""
        self._mend_pending()
        while self._dirty:
            meetings = self._standing()
            self._show(meetings)
            agenda = agenda_of(
                meetings, self._tally, self._announcer.newest(), self._sheet.attempts
            )
            if agenda.exhausted:
                raise self._exhausted(agenda.exhausted)
            if not agenda.over:
                self._hand_out(agenda.announce, agenda.outstanding)
                self._dirty = False
                return False
            if not self._next_round():
                return True
        return False

    def _standing(self) -> list[MeetingStanding]:
        """How every encounter stands; only those with news are counted again."""
        found: list[MeetingStanding] = []
        for plan in self._plans:
            for number in range(1, len(plan.encounters) + 1):
                at = plan.number, number
                if at not in self._meetings:
                    self._meetings[at] = self._tally.meeting(plan, number)
                found.append(self._meetings[at])
        return found

    def _next_round(self) -> bool:
        """Plan the round after those that are over; False where there is none.

        Where the director's desk has been busy meanwhile, it is looked at first.
        """
        rulings = self._tally.rulings
        played = history(self._plans, self._tally)
        plan = format_of(self._sheet, rulings).next_round(played)
        if plan is None:
            return False
        if not self._db.add_round(plan, self._log.count):
            self._look()
            return True
        self._plans.append(plan)
        self._tell(f"round {plan.number}: {_told(plan)}")
        return True

    def _hand_out(self, announce: Sequence[BoardKey], outstanding: Sequence[BoardKey]) -> None:
        now = self._wall_ms()
        entries = entries_of(self._plans, [*announce, *outstanding])
        self._announcer.announce(announce, entries, self._sheet.tables, now_ms=now)
        queued = {key for boards in self._pending.values() for key in boards}
        idle = [key for key in (*announce, *outstanding) if key not in queued]
        opened = self._db.openings() if idle else {}
        due = [key for key in idle if key not in opened]
        bots = bots_of(self._sheet, self._tally.rulings)
        tasks: list[Task] = []
        for boards in chunked(sorted(due), self._sheet.chunk):
            base = chunk_key(boards, 0).partition("~")[0]
            serial = self._serials[base] = self._serials.get(base, 0) + 1
            names = entries[boards[0]]
            work = Work(
                names,
                {name: bots[name] for name in names},
                tuple(self._announcer.boards[key] for key in boards),
                self._scores(boards[0]),
            )
            key = chunk_key(boards, serial)
            tasks.append(Task(key, write_work(work)))
            self._pending[key] = boards
        if tasks:
            self._queue.enqueue(tasks, now_ms=now)

    def _scores(self, key: BoardKey) -> tuple[Pair, ...]:
        """The games that go on at the tables of a board; none where all begin at 0-0."""
        if self._sheet.mode != "games":
            return ()
        plan = next(plan for plan in self._plans if plan.number == key.round)
        before = self._tally.meeting(plan, key.encounter).games_before(key.board)
        scores = tuple(game.score for game in before)
        return scores if any(score.ns or score.ew for score in scores) else ()

    def _mend_pending(self) -> None:
        """Forget chunks that are done; those that are dead are forfeited by whose bot it was."""
        states = dict(self._db.tasks()) if self._pending else {}
        for key in list(self._pending):
            if states.get(key) in {TaskState.DONE, TaskState.CANCELLED, None}:
                del self._pending[key]
                self._dirty = True
        for dead in self._queue.dead():
            if dead.task.key in self._pending:
                del self._pending[dead.task.key]
                self._forfeit(boards_of(dead.task.key)[0], dead.why)

    def _forfeit(self, key: BoardKey, why: str) -> None:
        word, _, rest = why.partition(" ")
        entry = rest.partition(" ")[0]
        if word != "START_FAIL" or not entry:
            raise StoppedError(
                f"a chunk of round {key.round}, encounter {key.encounter} cannot be played: {why}"
                " (see the workers' logs; nothing is lost)"
            )
        self._log.insist(
            Action(
                seq=0,
                kind="forfeit",
                who=AUTOMATIC,
                reason=f"START_FAIL: the bot of {entry} does not start",
                at_ms=self._wall_ms(),
                round=key.round,
                encounter=key.encounter,
                entries=(entry,),
            )
        )
        self._tell(
            f"{entry} forfeits what is not played of round {key.round}, encounter"
            f" {key.encounter}: {rest.partition(' ')[2]}"
        )
        self._look()

    def _exhausted(self, boards: Sequence[BoardKey]) -> StoppedError:
        first = boards[0]
        return StoppedError(
            f"board {first.board} of round {first.round}, encounter {first.encounter} was void"
            f" {self._sheet.attempts} times, each time by a failure of this host"
            " (see the workers' logs; what was played is kept, and the same command goes on)"
        )

    def _show(self, meetings: Sequence[MeetingStanding]) -> None:
        self._progressed(progress_of(self._sheet, self._plans, meetings, self._tally))


def progress_of(
    sheet: Sheet,
    plans: Sequence[RoundPlan],
    meetings: Sequence[MeetingStanding],
    tally: Tally,
) -> Progress:
    """How far an event is."""
    boards = [board for meeting in meetings for board in meeting.boards]
    rounds = format_of(sheet, tally.rulings).rounds()
    total: int | None = len(boards)
    if rounds is None:
        total = None
    elif plans and rounds > len(plans):
        total = len(boards) + (rounds - len(plans)) * len(plans[-1].encounters) * sheet.boards
    tries = [played for board in boards for played in tally.tries(board.key)]
    return Progress(
        round=len(plans),
        rounds=rounds,
        done=sum(board.done for board in boards),
        total=total,
        void=sum(bool(played.void) for played in tries),
        faults=sum(len(played.faults) for played in tries),
        scores=_scores(boards),
    )


def _told(plan: RoundPlan) -> str:
    met = ", ".join(" - ".join(encounter.entries) for encounter in plan.encounters)
    byes = ", ".join(bye.entry for bye in plan.byes)
    return "; ".join(part for part in (met, f"bye: {byes}" if byes else "") if part)


def _scores(boards: Sequence[BoardStanding]) -> Mapping[str, Mapping[float, int]]:
    found: dict[str, Counter[float]] = {}
    for board in boards:
        for name, score in board.scores.items():
            found.setdefault(name, Counter())[float(score)] += 1
    return found
