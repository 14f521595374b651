"""Seats that renege, speak out of turn or rubbish, sleep, leave, or withhold their seed.

Three seats keep the rules on one stream; the fourth does not. It gets the ruling that the policy
says, the others are told, and the match verifies.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from io import BytesIO

import pytest

from referee.journal.audit import audit_match
from referee.journal.verify import verify_stream
from referee.pb.euchre.referee.v1 import play_pb2
from referee.sealing.closing import DealClose, MatchClose
from tests.service.support import SEATS, Made, Stream, hello, on_loop, serving

BAD = 2
LIMITS = {"move_ms": 250, "grace_ms": 400, "commit_ms": 5_000, "reveal_ms": 5_000}
Behave = Callable[[Stream, play_pb2.PlayItem], Awaitable[bool]]


async def reneges(stream: Stream, item: play_pb2.PlayItem) -> bool:
    """Play a card that does not follow suit, whenever there is one."""
    view = item.ask.view
    wrong = [card for card in view.hand if f"play {card}" not in view.legal]
    if item.ask.what != "act" or view.phase != "play" or not wrong:
        return False
    await stream.say(stream.made.act(BAD, f"play {wrong[0]}", view.state_version + 1))
    return True


async def rubbish(stream: Stream, item: play_pb2.PlayItem) -> bool:
    """Send what is no text of an action."""
    if item.ask.what != "act":
        return False
    said = stream.made.act(BAD, "\u2665" * 99, item.ask.view.state_version + 1)
    await stream.say(said)
    return True


async def unknown_words(stream: Stream, item: play_pb2.PlayItem) -> bool:
    """Send words that no rule knows."""
    if item.ask.what != "act":
        return False
    await stream.say(stream.made.act(BAD, "fold", item.ask.view.state_version + 1))
    return True


async def sleeps(_stream: Stream, item: play_pb2.PlayItem) -> bool:
    """Never act."""
    return item.ask.what == "act"


async def dies(stream: Stream, item: play_pb2.PlayItem) -> bool:
    """Cut the connection when asked to act."""
    if item.ask.what == "act":
        stream.call.cancel()
    return item.ask.what == "act"


async def never_commits(_stream: Stream, item: play_pb2.PlayItem) -> bool:
    """Keep the commitment of the first deal back."""
    return item.ask.what == "commit" and item.ask.deal > 0


async def never_reveals(_stream: Stream, item: play_pb2.PlayItem) -> bool:
    """Keep the seed of the first deal back."""
    return item.ask.what == "reveal" and item.ask.deal > 0


async def lies(stream: Stream, item: play_pb2.PlayItem) -> bool:
    """Reveal a seed that was not committed to."""
    if item.ask.what != "reveal" or not item.ask.deal:
        return False
    match, said = stream.made.match, stream.made.input(BAD)
    deal = match.durable.deal
    assert deal is not None
    said.reveal.deal, said.reveal.seed = item.ask.deal, bytes(32)
    said.reveal.cset, said.reveal.head = deal.cset, match.commit_head
    await stream.say(said)
    return True


async def misbehave(stream: Stream, behave: Behave) -> None:
    """Do what is asked, unless the behavior does something else."""
    try:
        while (item := await stream.next()) is not None:
            if item.event.HasField("match_close"):
                return
            if item.HasField("ask") and not await behave(stream, item):
                await stream.answer(item)
    except asyncio.CancelledError:
        if not stream.call.cancelled():
            raise


async def end_of(made: Made) -> tuple[MatchClose, DealClose]:
    """How the match ended, and its last deal."""
    await made.match.over.wait()
    close, closed = made.match.log[-2].event, made.match.log[-1].event
    assert isinstance(close, DealClose)
    assert isinstance(closed, MatchClose)
    return closed, close


@dataclass(frozen=True)
class Course:
    """What came of it: the end, the last deal, and the faults that the others were told."""

    end: MatchClose
    last: DealClose
    told: list[str]


async def course(made: Made, behave: Behave) -> Course:
    good, bad = made.stream(0, 1, 3), made.stream(BAD)
    await good.hello()
    await bad.hello(hello(made.seats[BAD]))
    playing = asyncio.create_task(good.play_on())
    astray = asyncio.create_task(misbehave(bad, behave))
    end, last = await asyncio.wait_for(end_of(made), 30)
    await playing
    astray.cancel()
    await asyncio.gather(astray, return_exceptions=True)
    rows = made.served.store.kept[made.match.id]
    audited = audit_match(made.match.id, rows, still_open=False)
    assert audited.sound, audited.fault
    report = verify_stream(BytesIO(b"".join(item.line for item in made.match.log)))
    assert report.exit == 0, report.verdict.failure
    told = [i.fault.why for i in good.items if i.HasField("fault") and i.fault.seat == SEATS[BAD]]
    for seat in (0, 1, 3):
        mine = [i for i in good.items if i.seat == SEATS[seat] and i.HasField("fault")]
        assert [i.fault.why for i in mine if i.fault.seat == SEATS[BAD]] == told[: len(mine)]
    return Course(end, last, told[::3])


@pytest.mark.parametrize(
    ("behave", "reasons"),
    [
        (reneges, {"MUST_FOLLOW_SUIT"}),
        (rubbish, {"UNKNOWN_ACTION"}),
        (unknown_words, {"UNKNOWN_ACTION"}),
    ],
)
@on_loop
async def test_three_illegal_attempts_forfeit_and_stand_in_the_transcript(
    behave: Behave, reasons: set[str]
) -> None:
    async with serving() as served:
        made = await served.create("standard", illegal_limit=3, timeout_limit=99)
        found = await course(made, behave)
        assert (found.end.outcome, found.end.by, found.end.winner) == ("forfeit", BAD, 1)
        assert found.told == ["ILLEGAL"]
        closes = [item.event for item in made.match.log if isinstance(item.event, DealClose)]
        attempts = [attempt for close in closes for attempt in close.attempts]
        assert [attempt.seat for attempt in attempts] == [BAD] * 3
        assert {attempt.reason for attempt in attempts} == reasons


@on_loop
async def test_a_seat_that_speaks_out_of_turn_forfeits() -> None:
    async with serving() as served:
        made = await served.create("standard", illegal_limit=3)

        async def barges_in(stream: Stream, item: play_pb2.PlayItem) -> bool:
            if item.ask.what != "commit" or item.ask.deal:
                return False
            await stream.answer(item)
            task = asyncio.create_task(barge(stream))
            tasks.append(task)
            return True

        async def barge(stream: Stream) -> None:
            while not made.match.durable.over:
                deal = made.match.durable.deal
                hand = None if deal is None else deal.hand
                if hand is not None and hand.seat_on_turn not in {None, BAD}:
                    await stream.say(made.act(BAD, "pass", made.match.durable.version + 1))
                await asyncio.sleep(0)

        tasks: list[asyncio.Task[None]] = []
        found = await course(made, barges_in)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (found.end.outcome, found.end.by, found.told) == ("forfeit", BAD, ["ILLEGAL"])
        assert {attempt.reason for attempt in found.last.attempts} <= {
            *("NOT_YOUR_TURN", "WRONG_PHASE", "SITTING_OUT"),
        }


@on_loop
async def test_a_seat_that_sleeps_has_its_fallback_played_until_it_forfeits() -> None:
    async with serving() as served:
        limits = {**LIMITS, "move_ms": 1_000}  # a busy machine's own delays are no fault
        made = await served.create("standard", timeout_limit=3, **limits)
        found = await course(made, sleeps)
        assert (found.end.outcome, found.end.by) == ("forfeit", BAD)
        assert found.told == ["TIMEOUT"] * 3


@on_loop
async def test_a_seat_that_dies_forfeits_when_its_grace_is_over() -> None:
    async with serving() as served:
        made = await served.create("standard", **{**LIMITS, "move_ms": 10_000})
        found = await course(made, dies)
        assert (found.end.outcome, found.end.by) == ("forfeit", BAD)
        assert found.told[-1] == "DISCONNECT"
        assert set(found.told) == {"DISCONNECT"}


@pytest.mark.parametrize("behave", [never_commits, never_reveals, lies])
@on_loop
async def test_a_seat_that_withholds_twice_forfeits_and_pays_the_most_each_time(
    behave: Behave,
) -> None:
    async with serving() as served:
        made = await served.create("standard", commit_ms=300, reveal_ms=300)
        found = await course(made, behave)
        assert (found.end.outcome, found.end.by, found.told) == (
            *("forfeit", BAD, ["WITHHELD", "WITHHELD"]),
        )
        assert (found.last.points.ns, found.last.points.ew) == (0, 4)
        assert found.last.score.ew == 8
