"""A seat that cheats at a real server: it pays for it, and nobody else does."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Final

import pytest

from referee.journal.verify import Report, verify_stream
from referee.pb.euchre.referee.v1 import match_pb2, play_pb2
from referee.sealing import SEATS
from referee.sealing.commit import seat_commit
from referee.sealing.events import SeatCommit
from tests.host.support import KEY
from tests.service.support import SEATS as WIRE_SEATS
from tests.service.support import Made, Stream, on_loop, serving

NORTH: Final = 0
SOUTH: Final = 2
LARGEST: Final = 4
QUICKLY: Final = {"commit_ms": 400, "reveal_ms": 400}
PATIENTLY: Final = {"commit_ms": 20_000, "reveal_ms": 20_000}

Twist = Callable[["Table", play_pb2.PlayItem, play_pb2.PlayInput], play_pb2.PlayInput | None]


class Table(Stream):
    """Four seats that play by the book, but for what `twist` makes of north's commits and reveals.

    A twist returns what north says instead, or nothing where it keeps silent.
    """

    twist: Twist = staticmethod(lambda _table, _item, said: said)
    asked: play_pb2.PlayItem

    async def answer(self, item: play_pb2.PlayItem) -> None:
        self.asked = item
        await super().answer(item)

    async def say(self, *inputs: play_pb2.PlayInput) -> None:
        for said in inputs:
            given: play_pb2.PlayInput | None = said
            if said.seat == WIRE_SEATS[NORTH] and not said.HasField("act"):
                given = type(self).twist(self, self.asked, said)
            if given is not None:
                await super().say(given)

    @property
    def deal(self) -> int:
        return self.asked.ask.deal

    def seed(self, deal: int) -> bytes:
        """North's seed, as the script draws it."""
        return bytes([NORTH + 1, deal % 250]) * 16


@asynccontextmanager
async def table(twist: Twist, knobs: dict[str, str], limits: dict[str, int]) -> AsyncIterator[Made]:
    """A match from deal 1 on, with south as the dealer, so that north is no cutter by the left."""
    async with serving() as served:
        request = match_pb2.CreateMatchRequest(
            request_id=secrets.token_bytes(16),
            rule_set="quick",
            rules={"first_dealer": "agreed", "target": "4", **knobs},
            first_dealer=WIRE_SEATS[SOUTH],
        )
        for name, value in limits.items():
            setattr(request.policy, name, value)
        answer = await served.matches.CreateMatch(request, timeout=20)
        made = Made(served, answer.match.match, tuple(answer.seat_tokens), answer.watch_token)
        Table.twist = staticmethod(twist)
        stream = Table(made, (0, 1, 2, 3))
        await stream.hello()
        await stream.play_on()
        yield made


async def course(
    twist: Twist, limits: dict[str, int] | None = None, **knobs: str
) -> tuple[Report, Made]:
    """A match played out, and what the verifier says of its record."""
    async with table(twist, knobs, limits or PATIENTLY) as made:
        text = b"".join(item.line for item in made.match.log)
        return verify_stream(BytesIO(text), pinned=KEY.public), made


def pays_for_it(report: Report, made: Made) -> None:
    """North is charged twice and its side forfeits; nobody else is charged; the record is sound."""
    assert report.exit == 0, report.verdict.failure
    faults = [(SEATS[f.seat], f.why) for f in report.verdict.totals.faults]
    assert faults == [("north", "WITHHELD"), ("north", "WITHHELD")]
    closed = made.match.durable.closed
    assert closed is not None
    assert (closed.outcome, closed.by, closed.winner) == ("forfeit", NORTH, 1)


def honest(_table: Table, _item: play_pb2.PlayItem, said: play_pb2.PlayInput) -> play_pb2.PlayInput:
    return said


@on_loop
async def test_honest_seats_are_charged_with_nothing() -> None:
    report, made = await course(honest)
    assert (report.exit, report.verdict.totals.faults) == (0, [])
    assert made.match.durable.closed is not None
    assert made.match.durable.closed.outcome == "finished"


@on_loop
async def test_a_withheld_reveal_pays_the_other_side_the_most_and_twice_forfeits() -> None:
    def silent(
        _table: Table, _item: play_pb2.PlayItem, said: play_pb2.PlayInput
    ) -> play_pb2.PlayInput | None:
        return None if said.HasField("reveal") else said

    report, made = await course(silent, QUICKLY, target="10")
    pays_for_it(report, made)
    assert made.match.durable.score.ew == 2 * LARGEST


@on_loop
async def test_a_withheld_commitment_is_charged_like_a_withheld_reveal() -> None:
    def silent(
        _table: Table, _item: play_pb2.PlayItem, said: play_pb2.PlayInput
    ) -> play_pb2.PlayInput | None:
        return None if said.HasField("commit") else said

    pays_for_it(*await course(silent, QUICKLY, target="10"))


@on_loop
async def test_the_commitment_of_another_seat_does_not_stand_a_second_time() -> None:
    async with serving() as served:
        made = await served.create("quick", **PATIENTLY)
        stream = made.stream()
        await stream.hello()
        item = await stream.until("ask")
        said, copied = made.input(1), made.input(0)
        for given in (said, copied):
            given.commit.deal = item.ask.deal
            given.commit.commit = seat_commit(made.match.id, 0, 1, b"s" * 32, None)
        await stream.say(said)
        await stream.say(copied)
        status = (await stream.until("status")).status
        assert "another seat has this commitment" in status.message
        committed = [e.event.seat for e in made.match.log if isinstance(e.event, SeatCommit)]
        assert committed == [1]


@on_loop
@pytest.mark.parametrize("seed", [b"x" * 32, b"x" * 31, b"x" * 33, b""], ids=len)
async def test_another_seed_than_was_committed_to_is_charged_at_once(seed: bytes) -> None:
    def change(
        _table: Table, _item: play_pb2.PlayItem, said: play_pb2.PlayInput
    ) -> play_pb2.PlayInput:
        if said.HasField("reveal"):
            said.reveal.seed = seed
        return said

    pays_for_it(*await course(change, target="10"))


@on_loop
async def test_the_seed_and_commitment_of_an_old_deal_open_nothing_in_a_new_one() -> None:
    def replay(
        given: Table, _item: play_pb2.PlayItem, said: play_pb2.PlayInput
    ) -> play_pb2.PlayInput:
        match, deal = given.made.match.id, given.deal
        if deal > 1 and said.HasField("commit"):
            said.commit.commit = seat_commit(match, 1, NORTH, given.seed(1), None)
        elif deal > 1:
            said.reveal.seed = given.seed(1)
        return said

    report, made = await course(replay, target="10")
    pays_for_it(report, made)
    assert [f.deal for f in report.verdict.totals.faults] == [2, 3]


@on_loop
async def test_a_cut_by_a_seat_that_does_not_cut_is_charged_where_it_was_committed_to() -> None:
    def cut(given: Table, item: play_pb2.PlayItem, said: play_pb2.PlayInput) -> play_pb2.PlayInput:
        if item.ask.cutter:
            return said
        seed = given.seed(given.deal)
        if said.HasField("commit"):
            said.commit.commit = seat_commit(given.made.match.id, given.deal, NORTH, seed, 5)
        else:
            said.reveal.cut = 5
        return said

    report, made = await course(cut, cut="dealers_left", target="10")
    pays_for_it(report, made)


@on_loop
async def test_a_cut_beyond_the_pack_is_charged() -> None:
    def cut(given: Table, item: play_pb2.PlayItem, said: play_pb2.PlayInput) -> play_pb2.PlayInput:
        if not item.ask.cutter and not said.reveal.HasField("cut"):
            return said
        seed = given.seed(given.deal)
        if said.HasField("commit"):
            said.commit.commit = seat_commit(given.made.match.id, given.deal, NORTH, seed, 24)
        else:
            said.reveal.cut = 24
        return said

    report, _ = await course(cut, cut="dealers_left", target="10")
    faults = {(SEATS[f.seat], f.why) for f in report.verdict.totals.faults}
    assert (report.exit, faults) == (0, {("north", "WITHHELD")})
