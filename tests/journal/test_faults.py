"""A disk that fails at any write, flush or truncation: nothing is told that is not kept.

A short match is played once without a fault, to count what it writes; then once for every one of
these, which fails. Whoever is told NOT_RECORDED says the same again once there is room.
"""

import asyncio
import itertools
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw
import pytest

from referee.host.items import Answer, Misused, Reply, Ruling
from referee.host.mint import Tickets
from referee.host.referee import Referee
from referee.journal.audit import audit
from referee.journal.driver import Driver, connect_to_read, prepared
from referee.journal.sqlite import SqliteReader, SqliteStore
from referee.journal.store import Row, StoreError
from referee.table.policy import policy
from tests.host.support import (
    KEY,
    REQUEST,
    Ear,
    FakeClock,
    House,
    in_loop,
    info,
    playing,
    ruled,
    settle,
    wrong,
)
from tests.journal.faults import Disk, Error, as_a_crash_leaves_it
from tests.journal.support import report_of

EVERY = 60
"""Of every so many faults the usual tests try one; the heavy ones try them all."""
FIRST = Row(b"m" * 16, 0, None, "created", b"{}")
ERRORS: dict[str, Error] = {
    "input and output": apsw.IOError,
    "a full disk": apsw.FullError,
    "a disk that became read-only": apsw.ReadOnlyError,
}


class Course:
    """One match on a disk that may fail, from its creation to its end."""

    def __init__(self, path: Path, disk: Disk, crash: Callable[[], None] = lambda: None) -> None:
        self.path = path
        self.disk = disk
        self.losses = 0
        self.answered: list[bytes] = []
        self.told: dict[int, bytes] = {}
        self._crash = crash
        self._rids = (n.to_bytes(16, "big") for n in itertools.count(1_000))
        self.house = House()

    async def run(self) -> None:
        with closing(SqliteStore(self.path, driver=self.disk.driver())) as store:
            self.disk.arm(self.disk.at)
            await self.play(store)
            self.disk.heal()

    async def play(self, store: SqliteStore) -> None:
        house = self.house
        house.referee = Referee(store=store, key=KEY, clock=FakeClock(), chance=house.chance)
        await self.create()
        for seat in range(4):
            ruled = await self.until_recorded(partial(house.match.sit, seat, info(seat)))
            assert isinstance(ruled, Ruling), ruled
        await self.go_on()

    async def go_on(self) -> None:
        house = self.house
        for seat in range(4):
            house.ears[seat] = Ear()
            house.match.attach(seat, house.ears[seat], 0)
        while not house.match.state.over:
            await self.turn()
            await settle()
        self.hear()

    async def turn(self) -> None:
        """The next input of whoever is asked for one."""
        house = self.house
        number, rid = house.deal.number, next(self._rids)
        if house.deal.hand is not None:
            seat, text = house.turn, house.legal[0]
            give = partial(house.match.act, seat, rid, house.match.state.version + 1, text)
            await self.ruled(lambda reply: give(reply=reply), rid)
            return
        for seat in range(4):
            commit, rid = house.commit_bytes(seat), next(self._rids)
            await self.ruled(partial(house.match.commit, seat, rid, number, commit), rid)
        for seat in range(4):
            await self.until_recorded_reveal(seat)

    async def until_recorded_reveal(self, seat: int) -> None:
        rid = next(self._rids)
        while True:
            answer = await self.house.reveal(seat, rid)
            if not self.lost(answer):
                self.answered.append(rid)
                return

    async def ruled(self, give: Callable[[Reply], None], rid: bytes) -> None:
        answer = await self.until_recorded(give)
        assert isinstance(answer, Ruling), answer
        assert answer.accepted
        self.answered.append(rid)

    async def create(self) -> None:
        while True:
            try:
                self.house.tickets = await self.house.referee.create(
                    rule_set="quick",
                    knobs={"deals": "1"},
                    policy=policy(),
                    request_id=REQUEST,
                )
            except StoreError:
                self.loss()
            else:
                return

    async def until_recorded(self, give: Callable[[Reply], None]) -> Answer:
        """The answer to an input that is given again for as long as it is not recorded."""
        while True:
            answer = await self.house.hear(give)
            if not self.lost(answer):
                return answer

    def lost(self, answer: Answer) -> bool:
        if isinstance(answer, Misused) and answer.wrong == "NOT_RECORDED":
            self.loss()
            return True
        return False

    def loss(self) -> None:
        """Somebody was told that nothing was recorded: what was told so far has to stand."""
        self.losses += 1
        self.hear()
        self._crash()
        self.disk.heal()

    def hear(self) -> None:
        for ear in self.house.ears:
            for item in ear.events:
                assert self.told.setdefault(item.seq, item.raw) == item.raw

    def assert_stands(self, path: Path) -> None:
        """Everything that was told or answered is in a journal, which is sound."""
        with closing(SqliteReader(path)) as reader:
            rows = [row for match in reader.matches() for row in reader.rows(match)]
            public = {row.seq: row.body for row in rows if row.seq is not None}
            assert {seq: public.get(seq) for seq in self.told} == self.told
            assert set(self.answered) <= {row.request_id for row in rows}
            assert [found.fault for found in audit(reader) if not found.sound] == []

    def assert_finished(self, path: Path) -> None:
        self.assert_stands(path)
        with closing(SqliteReader(path)) as reader:
            (match,) = reader.matches()
            assert verified(list(reader.rows(match)))


def verified(rows: list[Row]) -> bool:
    return report_of(b"".join(row.line for row in rows if row.seq is not None)).exit == 0


def played(path: Path, disk: Disk, crash: Callable[[], None] = lambda: None) -> Course:
    course = Course(path, disk, crash)
    asyncio.run(course.run())
    return course


@pytest.fixture(scope="session")
def writes(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Every operation on the disk in a match without a fault."""
    disk = Disk(checkpoint=20)
    path = tmp_path_factory.mktemp("clean") / "j.db"
    played(path, disk).assert_finished(path)
    return disk.done


def test_the_match_reaches_every_point_at_which_a_disk_can_fail(writes: list[str]) -> None:
    assert {"write wal", "sync wal", "write db", "sync db"} <= set(writes)


def outlives(folder: Path, at: int, error: Error, *, stays: bool) -> None:
    """A fault costs nothing that was told: on the spot, after a crash, and at the end."""
    disk = Disk(checkpoint=20, at=at, error=error, stays=stays)
    path, crashed = folder / "j.db", folder / f"crash-{at}"
    copies: list[Path] = []

    def crash() -> None:
        if not copies:
            copies.append(as_a_crash_leaves_it(path, crashed))
            course.assert_stands(copies[0])

    course = Course(path, disk, crash)
    asyncio.run(course.run())
    assert disk.broke
    course.assert_finished(path)
    for copy in copies:
        resumed = Course(copy, Disk())
        asyncio.run(after_a_crash(resumed))


async def after_a_crash(resumed: Course) -> None:
    """Another referee goes on where the disk failed, with the decks that were there."""
    house = resumed.house
    with closing(SqliteStore(resumed.path)) as store:
        house.referee = Referee(store=store, key=KEY, clock=FakeClock(), chance=house.chance)
        if not house.referee.matches.resume():
            return
        house.tickets = Tickets(store.matches()[0], ("",) * 4, "")
        if len(house.match.state.seated) == len(house.ears):
            await resumed.go_on()
            resumed.assert_finished(resumed.path)


@pytest.mark.parametrize("error", ERRORS)
def test_a_disk_that_fails_costs_nothing_that_was_told(
    tmp_path: Path, writes: list[str], error: str
) -> None:
    first = 1 + 7 * list(ERRORS).index(error)
    for at in range(first, len(writes) + 1, EVERY):
        (tmp_path / str(at)).mkdir()
        outlives(tmp_path / str(at), at, ERRORS[error], stays=at % 2 == 0)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("stays", "step"), [(False, 1), (True, 4)], ids=["once", "until it is mended"]
)
def test_every_write_and_every_flush_may_fail(
    tmp_path: Path, writes: list[str], step: int, *, stays: bool
) -> None:
    for at in range(1, len(writes) + 1, step):
        (tmp_path / str(at)).mkdir()
        outlives(tmp_path / str(at), at, apsw.IOError, stays=stays)


def test_a_referee_goes_on_when_there_is_room_again_and_says_what_was_the_matter(
    tmp_path: Path,
) -> None:
    disk = Disk(error=apsw.FullError, stays=True)
    with closing(SqliteStore(tmp_path / "j.db", driver=disk.driver())) as store:
        assert store.trouble == ""
        disk.arm(1)
        with pytest.raises(StoreError, match=r"a fault .*free the disk: the referee goes on"):
            store.append((FIRST,), at_ms=1).result(30)
        assert "a fault" in store.trouble
        with pytest.raises(StoreError, match=r"an earlier append of this match was lost"):
            store.append((FIRST,), at_ms=1).result(30)
        disk.heal()
        store.heal(FIRST.match)
        store.append((FIRST,), at_ms=1).result(30)
        assert store.trouble == ""
        assert list(store.rows(FIRST.match)) == [FIRST]


def test_an_append_without_rows_finds_out_whether_there_is_room(tmp_path: Path) -> None:
    disk = Disk(error=apsw.FullError, stays=True)
    with closing(SqliteStore(tmp_path / "j.db", driver=disk.driver())) as store:
        store.append((), at_ms=1).result(30)
        disk.arm(1)
        with pytest.raises(StoreError):
            store.append((), at_ms=1).result(30)
        disk.heal()
        store.append((), at_ms=1).result(30)
        assert store.trouble == ""


def test_a_full_disk_costs_all_that_share_a_commit_one_failure_each(tmp_path: Path) -> None:
    disk = Disk(error=apsw.FullError, stays=True)
    with closing(SqliteStore(tmp_path / "j.db", driver=disk.driver())) as store:
        disk.arm(1)
        rows = [Row(bytes([n]) * 16, 0, None, "created", b"{}") for n in range(50)]
        lost = [store.append((row,), at_ms=1) for row in rows]
        assert all(isinstance(each.exception(30), StoreError) for each in lost)
        assert len(disk.broke) <= len(rows)
        assert list(store.matches()) == []


def test_a_journal_that_another_program_holds_is_written_when_it_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "j.db"

    def impatient(path: Path) -> sqlite3.Connection:
        return prepared(
            sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0.01)
        )

    with (
        closing(SqliteStore(path, driver=Driver(write=impatient))) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="database is locked"):
            store.append((FIRST,), at_ms=1).result(30)
        assert store.trouble == "database is locked"
        other.execute("ROLLBACK")
        store.heal(FIRST.match)
        store.append((FIRST,), at_ms=1).result(30)
        assert store.trouble == ""


def test_a_journal_that_is_read_only_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    SqliteStore(path).close()
    with pytest.raises(StoreError, match=r"cannot be used as a journal: .*readonly database"):
        SqliteStore(path, driver=Driver(write=connect_to_read))


def test_an_append_that_nothing_can_write_is_told_and_the_next_one_is_kept(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "j.db")) as store:
        odd = Row(b"o" * 16, 0, None, "half a character: \ud800", b"{}")
        with pytest.raises(StoreError, match="surrogates not allowed"):
            store.append((odd,), at_ms=1).result(30)
        store.append((FIRST,), at_ms=1).result(30)


@in_loop
async def test_a_commit_that_stands_though_it_was_given_up_for_lost_is_told() -> None:
    house = await playing()
    before = house.match.durable.version
    house.store.keeping_silent = True
    assert wrong(await house.act(house.legal[0])) == "NOT_RECORDED"
    house.store.keeping_silent = False
    await settle()
    assert house.match.durable.version == before + 1
    assert house.ears[0].events[-1].seq == before + 1
    assert ruled(await house.act(house.legal[0])).accepted


@in_loop
async def test_a_match_stays_frozen_while_the_journal_cannot_be_read_either() -> None:
    house = await playing()
    seat, seq, text = house.turn, house.match.state.version + 1, house.legal[0]
    house.store.broken = house.store.unreadable = True
    assert wrong(await house.act(text, seat, seq=seq)) == "NOT_RECORDED"
    assert wrong(await house.act(text, seat, seq=seq)) == "NOT_RECORDED"
    house.store.broken = house.store.unreadable = False
    await house.clock.turn(1_000)
    assert ruled(await house.act(text, seat, seq=seq)).accepted


@in_loop
async def test_a_match_that_was_made_though_it_was_given_up_for_lost_can_be_played() -> None:
    house = House()
    house.store.keeping_silent = True
    with pytest.raises(StoreError):
        await house.create()
    house.store.keeping_silent = False
    await house.create()
    await house.sit()
    await house.seal()
    assert house.referee.matches.census().open == 1
