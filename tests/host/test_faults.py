"""Each kind of fault: what it costs by the policy, that all are told, and what the record says."""

from collections.abc import Awaitable, Callable
from io import BytesIO

import pytest

from referee.journal.verify import verify_stream
from referee.sealing.events import ActionTaken, MatchOpen
from referee.table.policy import DEFAULTS, policy
from tests.host.ends import end, last_close
from tests.host.support import KEY, Ear, House, in_loop, playing, ruled, settle, wrong

Spoil = Callable[[House, int], Awaitable[None]]


async def illegal(house: House, seat: int) -> None:
    for _ in range(3):
        assert not ruled(await house.act("rubbish", seat)).accepted


async def malformed(house: House, seat: int) -> None:
    for _ in range(3):
        assert wrong(await house.act('"', seat)) == "MALFORMED"


async def both_kinds(house: House, seat: int) -> None:
    await house.act("rubbish", seat)
    await house.act('"', seat)
    await house.act("rubbish", seat)


async def late(house: House, seat: int) -> None:
    assert seat == house.turn
    await house.clock.turn(5_000)


async def away(house: House, seat: int) -> None:
    house.match.detach(seat, house.ears[seat])
    await house.clock.turn(30_000)


async def crashed(house: House, seat: int) -> None:
    assert seat == house.turn
    house.match.course.fall_back(seat, "CRASH")
    await settle()


async def left(house: House, seat: int) -> None:
    house.match.forfeit(seat, "DISCONNECT")
    await settle()


def told(ear: Ear, seat: int, why: str) -> bool:
    return (seat, why) in ear.faults


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (illegal, "ILLEGAL"),
        (malformed, "ILLEGAL"),
        (both_kinds, "ILLEGAL"),
        (late, "TIMEOUT"),
        (crashed, "CRASH"),
        (left, "DISCONNECT"),
    ],
)
@in_loop
async def test_every_seat_and_every_watcher_is_told_of_a_fault_at_once(
    spoil: Spoil, why: str
) -> None:
    house = await playing()
    watcher = Ear()
    house.match.watch(watcher, 0)
    seat = house.turn
    await spoil(house, seat)
    assert all(told(ear, seat, why) for ear in (*house.ears, watcher))


@pytest.mark.parametrize(
    ("spoil", "why"), [(illegal, "ILLEGAL"), (away, "DISCONNECT"), (left, "DISCONNECT")]
)
@in_loop
async def test_a_fault_that_forfeits_gives_the_match_to_the_other_side_and_stands_in_the_record(
    spoil: Spoil, why: str
) -> None:
    house = await playing(move_ms=60_000)
    seat = (house.turn + 1) % 4
    await spoil(house, seat)
    assert (end(house).outcome, end(house).by, end(house).winner) == (
        "forfeit",
        seat,
        1 - (seat & 1),
    )
    assert (last_close(house).faults[-1].seat, last_close(house).faults[-1].why) == (seat, why)
    lines = b"".join(item.line for item in house.match.log)
    report = verify_stream(BytesIO(lines), pinned=KEY.public)
    assert report.exit == 0, report.verdict.failure


@in_loop
async def test_what_was_refused_is_explained_when_the_deal_has_closed() -> None:
    house = await playing()
    seat = house.turn
    await house.act("rubbish", seat)
    await house.act('"', seat)
    house.match.forfeit(seat, "DISCONNECT")
    await settle()
    tried = [(a.seat, a.action, a.reason) for a in last_close(house).attempts]
    assert tried == [(seat, "rubbish", "UNKNOWN_ACTION"), (seat, "?", "UNKNOWN_ACTION")]


@pytest.mark.parametrize("limit", [1, 2, 4])
@in_loop
async def test_the_policy_says_how_many_attempts_forfeit(limit: int) -> None:
    house = await playing(illegal_limit=limit)
    seat = house.turn
    for number in range(limit):
        assert not house.match.durable.over, number
        await house.act("rubbish", seat)
    assert end(house).by == seat


@pytest.mark.parametrize("limit", [1, 2, 3])
@in_loop
async def test_the_policy_says_how_many_timeouts_forfeit(limit: int) -> None:
    house = await playing(timeout_limit=limit, move_ms=250)
    while not house.match.durable.over:
        if house.deal.hand is None:
            await house.seal()
        await house.clock.turn(250)
    by = end(house).by
    assert by is not None
    assert house.match.durable.timeouts[by] == limit
    assert max(house.match.durable.timeouts) == limit


@in_loop
async def test_a_seat_that_is_away_has_its_fallbacks_counted_as_the_others() -> None:
    house = await playing(timeout_limit=1, grace_ms=30_000)
    seat = house.turn
    house.match.detach(seat, house.ears[seat])
    await house.clock.turn(5_000)
    assert (end(house).outcome, end(house).by) == ("forfeit", seat)
    assert last_close(house).faults[-1].why == "DISCONNECT"


@in_loop
async def test_infrastructure_never_scores() -> None:
    house = await playing()
    house.match.forfeit(2, "INFRA")
    await settle()
    assert (end(house).outcome, end(house).by, end(house).winner) == ("void", None, None)
    assert (last_close(house).outcome, last_close(house).faults) == ("void", ())
    assert (last_close(house).points.ns, last_close(house).points.ew) == (0, 0)
    lines = b"".join(item.line for item in house.match.log)
    assert verify_stream(BytesIO(lines), pinned=KEY.public).exit == 0


@in_loop
async def test_a_store_that_failed_costs_no_seat_its_time() -> None:
    house = await playing(move_ms=1_000)
    seat = house.turn
    await house.clock.turn(900)
    house.store.broken = True
    assert wrong(await house.act("pass")) == "NOT_RECORDED"
    house.store.broken = False
    await house.clock.turn(999)
    assert house.turn == seat
    assert ruled(await house.act("pass")).accepted
    assert house.match.durable.timeouts == (0, 0, 0, 0)


@in_loop
async def test_a_start_that_fails_scores_for_nobody() -> None:
    house = await House().create(start_ms=1_000)
    await house.sit(0, 1, 2)
    await house.clock.turn(1_000)
    assert (house.match.durable.dropped, house.match.durable.closed) == ("START_FAIL", None)
    assert all(house.ears[seat].closings == ["dropped"] for seat in (0, 1, 2))


@in_loop
async def test_a_reveal_deadline_does_not_wait_for_the_grace() -> None:
    house = await (await House().create(reveal_ms=700, grace_ms=30_000)).sit()
    for seat in range(4):
        await house.commit(seat)
    house.match.detach(3, house.ears[3])
    for seat in (0, 1, 2):
        await house.reveal(seat)
    await house.clock.turn(700)
    assert (last_close(house).faults[0].seat, last_close(house).faults[0].why) == (3, "WITHHELD")


# -- fallback actions


async def until_fallback(house: House, word: str) -> ActionTaken:
    """Order up, and let the time run out until an action of a word is played for a seat."""
    for _ in range(40):
        seat = house.turn
        legal = sorted(house.legal)
        await house.clock.turn(5_000)
        taken = [e.event for e in house.match.log if isinstance(e.event, ActionTaken)][-1]
        assert taken.seat == seat
        if taken.action.split(" ")[0] == word:
            assert word != "play" or taken.action == legal[0]
            return taken
    raise AssertionError(word)


@pytest.mark.parametrize(
    ("rules", "first", "word"),
    [
        ("standard", "", "pass"),
        ("standard", "order", "discard"),
        ("standard", "order", "play"),
        ("defend-alone", "order alone", "decline"),
    ],
)
@in_loop
async def test_a_timeout_passes_or_declines_or_plays_the_first_action_by_its_bytes(
    rules: str, first: str, word: str
) -> None:
    house = await playing(rules, timeout_limit=99)
    if first:
        await house.act(first)
    taken = await until_fallback(house, word)
    assert taken.fallback == "TIMEOUT"


@in_loop
async def test_the_blind_of_a_discard_after_a_timeout_is_the_referees() -> None:
    house = await playing(timeout_limit=99)
    await house.act("order")
    first = min(house.legal)
    taken = await until_fallback(house, "discard")
    opening = house.deal.openings[0]
    deck = house.deal.deck
    assert deck is not None
    assert f"discard {deck.cards[opening.positions[0]]}" == first
    assert taken.commit
    assert len(opening.blinds[0]) == 32


# -- the policy


def test_the_policy_without_a_word_is_the_published_one() -> None:
    assert policy().fields() == {
        "rated": True,
        "games": 1,
        "illegal_limit": 3,
        "timeout_limit": 5,
        "withheld_limit": 2,
        "move_ms": 5_000,
        "bank_ms": 0,
        "increment_ms": 0,
        "start_ms": 20_000,
        "commit_ms": 5_000,
        "reveal_ms": 5_000,
        "grace_ms": 30_000,
    }


@pytest.mark.parametrize("name", [name for name in DEFAULTS if name.endswith("_ms")])
def test_no_limit_is_below_what_a_busy_machine_stumbles_by(name: str) -> None:
    if name in {"bank_ms", "increment_ms"}:
        assert policy({name: 0}).fields()[name] == 0
        return
    assert policy({name: 250}).fields()[name] == 250
    with pytest.raises(ValueError, match=f"{name} is 249"):
        policy({name: 249})


@in_loop
async def test_the_policy_stands_at_the_head_of_the_record() -> None:
    house = await playing(move_ms=1_234, illegal_limit=7)
    opened = house.match.log[0].event
    assert isinstance(opened, MatchOpen)
    assert (opened.policy.move_ms, opened.policy.illegal_limit) == (1_234, 7)


@in_loop
async def test_the_increment_is_added_to_the_next_decision() -> None:
    house = await playing(move_ms=1_000, increment_ms=300, timeout_limit=99)
    seat = house.turn
    await house.act("pass")
    while house.turn != seat:
        await house.act("pass")
    assert house.ears[seat].asks[-1].ask.limit_ms == 1_300
    await house.clock.turn(1_299)
    assert house.turn == seat
    await house.clock.turn(1)
    assert house.turn != seat
