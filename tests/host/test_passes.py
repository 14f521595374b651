"""Tokens and invitations: what they are good for, until when, and after a restart."""

import asyncio

import pytest

from referee.errors import RefereeError
from referee.host.lobby import InvitationTakenError, OpenSeats, UnknownInvitationError
from referee.host.making import TooManyMatchesError
from referee.host.mint import Tickets, heard_code
from referee.host.passes import READING_MS, Pass
from referee.host.trail import Operator
from referee.journal.store import StoreError
from referee.table.policy import policy
from tests.host.support import REQUEST, FakeClock, House, in_loop, settle

ADA = Operator("ada", "127.0.0.1")
LATE_MS = 30_000
FIRST, OTHER = b"1" * 16, b"2" * 16


async def ended(grace_ms: int = 30_000) -> House:
    """A house whose one match has just been aborted."""
    house = await House().create(grace_ms=grace_ms)
    house.match.abort()
    await settle()
    return house


async def again(house: House, later_ms: int) -> House:
    """The same journal under a new process, so much later."""
    clock = FakeClock()
    clock.now = house.clock.now + later_ms
    back = House(house.store, clock)
    back.tickets = house.tickets
    back.referee.matches.resume()
    await settle()
    return back


def passes(house: House) -> list[Pass | None]:
    tickets = house.tickets
    return [house.referee.pass_of(token) for token in (*tickets.seats, tickets.watching)]


def good(house: House, *, ended: bool = False) -> list[Pass]:
    return [Pass(house.tickets.match, seat, ended=ended) for seat in (0, 1, 2, 3, None)]


# -- tokens


@in_loop
async def test_a_token_is_good_as_long_as_its_match_goes_on() -> None:
    house = await House().create(start_ms=3_600_000)
    await house.clock.turn(3_599_999)
    assert passes(house) == good(house)


@in_loop
async def test_a_seat_may_come_late_to_the_end_and_then_only_reads() -> None:
    house = await ended()
    await house.clock.turn(LATE_MS - 1)
    assert passes(house) == good(house)
    await house.clock.turn(1)
    assert passes(house) == good(house, ended=True)


@in_loop
async def test_a_seat_may_be_as_late_as_its_grace() -> None:
    house = await ended(grace_ms=90_000)
    await house.clock.turn(89_999)
    assert passes(house) == good(house)
    await house.clock.turn(1)
    assert passes(house) == good(house, ended=True)


@in_loop
async def test_a_day_after_its_match_a_token_is_as_unknown_as_any_other() -> None:
    house = await ended()
    await house.clock.turn(READING_MS - 1)
    assert passes(house) == good(house, ended=True)
    await house.clock.turn(1)
    assert passes(house) == [None] * 5
    assert house.referee.pass_of("") is None


@in_loop
async def test_what_has_ended_is_forgotten() -> None:
    house = await ended()
    await house.clock.turn(READING_MS)
    await house.create()  # the same request_id finds the old match, and lets nobody in again
    await house.referee.create(policy=policy(), request_id=OTHER)
    house.referee.match(house.referee.ids()[0].hex()).abort()
    await settle()
    assert len(house.referee._passes) == 5
    assert passes(house) == [None] * 5


@in_loop
async def test_a_match_that_is_over_is_let_go_of_when_nobody_can_come_late() -> None:
    house = await ended()
    assert len(house.referee.matches) == 1
    await house.clock.turn(LATE_MS)
    assert len(house.referee.matches) == 0
    assert house.match.state.over


@pytest.mark.parametrize(("later_ms", "left"), [(0, "plays"), (LATE_MS, "reads"), (READING_MS, "")])
@in_loop
async def test_a_restart_changes_nothing_about_the_end_of_a_token(later_ms: int, left: str) -> None:
    house = await again(await ended(), later_ms)
    wanted: dict[str, list[Pass] | list[None]] = {
        "plays": good(house),
        "reads": good(house, ended=True),
        "": [None] * 5,
    }
    assert passes(house) == wanted[left]
    assert len(house.referee._passes) == (5 if left else 0)


@in_loop
async def test_a_token_of_an_open_match_is_good_after_a_restart_and_ends_with_it() -> None:
    house = await again(await House().create(), READING_MS)
    assert passes(house) == good(house)
    house.match.abort()
    await settle()
    await house.clock.turn(READING_MS)
    assert passes(house) == [None] * 5


# -- invitations


async def invite(*seats: int, public: bool = False, **limits: int) -> House:
    house = House()
    house.tickets = await house.referee.create(
        policy=policy(limits),
        request_id=REQUEST,
        invited=seats,
        public=public,
        operator=ADA,
    )
    return house


def code(tickets: Tickets, seat: int) -> str:
    return dict(tickets.codes)[seat]


@in_loop
async def test_a_retried_request_gets_the_same_codes_and_no_two_are_alike() -> None:
    house = await invite(0, 1, 2, 3)
    again = await house.referee.create(
        policy=policy(), request_id=REQUEST, invited=(3, 2, 1, 0), operator=ADA
    )
    assert again == house.tickets
    assert len(set(again.codes)) == 4


@in_loop
async def test_a_code_gives_the_seats_token_once_and_to_the_same_request_again() -> None:
    house = await invite(1, 2)
    match, seat, token = await house.referee.join(code(house.tickets, 1), FIRST)
    assert (match.id, seat) == (house.tickets.match, 1)
    assert house.referee.pass_of(token) == Pass(match.id, 1)
    for _ in range(3):
        assert await house.referee.join(code(house.tickets, 1), FIRST) == (match, 1, token)
    assert len(house.referee._passes._guests[match.id].digests) == 4
    with pytest.raises(InvitationTakenError):
        await house.referee.join(code(house.tickets, 1), OTHER)
    assert (await house.referee.join(code(house.tickets, 2), OTHER))[1] == 2


@in_loop
async def test_the_operator_holds_no_token_of_a_seat_that_is_open_to_others() -> None:
    house = await invite(1)
    found = passes(house)
    assert found[1] is None
    assert [p is None for p in found].count(True) == 1


@in_loop
async def test_a_code_is_heard_in_any_case_and_with_the_letters_that_are_no_symbols() -> None:
    house = await invite(1)
    heard = code(house.tickets, 1).lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert (await house.referee.join(heard, FIRST))[1] == 1


@pytest.mark.parametrize(
    "text", ["", "7KQM", "7KQM-2D9X-RT4U", "7KQM-2D9X-RT4W-7", "7KQM_2D9XRT4W"]
)
def test_what_is_no_code_is_heard_as_none(text: str) -> None:
    assert heard_code(text) == ""


@pytest.mark.parametrize("text", ["", "7KQM", "0000-0000-0000"])
@in_loop
async def test_a_code_that_invites_to_nothing_is_unknown(text: str) -> None:
    house = await invite(1)
    with pytest.raises(UnknownInvitationError):
        await house.referee.join(text, FIRST)


@in_loop
async def test_a_code_ends_when_the_time_to_sit_down_is_over() -> None:
    house = await invite(1, start_ms=5_000)
    house.clock.now += 5_000  # the referee has not noticed yet
    with pytest.raises(UnknownInvitationError):
        await house.referee.join(code(house.tickets, 1), FIRST)


@in_loop
async def test_a_code_ends_when_its_match_begins_or_is_over() -> None:
    house = await invite(1)
    await house.referee.join(code(house.tickets, 1), FIRST)
    await house.sit()
    with pytest.raises(UnknownInvitationError):
        await house.referee.join(code(house.tickets, 1), FIRST)
    dropped = await invite(1)
    dropped.match.abort()
    await settle()
    with pytest.raises(UnknownInvitationError):
        await dropped.referee.join(code(dropped.tickets, 1), FIRST)
    assert dropped.referee._lobby._invitations == {}


@in_loop
async def test_codes_and_who_took_them_outlive_a_restart() -> None:
    house = await invite(1, 2)
    _, _, token = await house.referee.join(code(house.tickets, 1), FIRST)
    back = await again(house, 1)
    assert back.referee.pass_of(token) == Pass(house.tickets.match, 1)
    assert (await back.referee.join(code(house.tickets, 1), FIRST))[2] == token
    with pytest.raises(InvitationTakenError):
        await back.referee.join(code(house.tickets, 1), OTHER)
    assert (await back.referee.join(code(house.tickets, 2), OTHER))[1] == 2
    back.match.abort()
    await settle()
    last = await again(back, 1)
    assert last.referee.pass_of(token) == Pass(house.tickets.match, 1)


@in_loop
async def test_what_was_not_recorded_gives_no_token() -> None:
    house = await invite(1)
    house.store.broken = True
    with pytest.raises(StoreError):
        await house.referee.join(code(house.tickets, 1), FIRST)
    assert len(house.referee._passes) == 4
    house.store.broken = False
    await settle()
    assert (await house.referee.join(code(house.tickets, 1), OTHER))[1] == 1


@in_loop
async def test_the_journal_holds_no_code_and_no_token() -> None:
    house = await invite(1)
    _, _, token = await house.referee.join(code(house.tickets, 1), FIRST)
    kept = b"".join(row.body for row in house.store.rows(house.tickets.match))
    for secret in (code(house.tickets, 1), heard_code(code(house.tickets, 1)), token):
        assert secret.encode() not in kept


async def lobby_of(house: House) -> list[OpenSeats]:
    return [open_seats async for open_seats in house.referee.open_seats()]


@in_loop
async def test_tables_have_their_turn_between_two_matches_of_the_lobby() -> None:
    house = await invite(1, public=True)
    for number in range(3):
        await house.referee.create(
            policy=policy(), request_id=bytes([number]) * 16, invited=(1,), public=True
        )
    turns = 0

    async def play() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    table = asyncio.create_task(play())
    assert [turns async for _ in house.referee.open_seats()] == [1, 2, 3, 4]
    table.cancel()


@in_loop
async def test_a_match_stands_in_the_lobby_only_where_its_operator_says_so() -> None:
    house = await invite(1)
    assert await lobby_of(house) == []
    shown = await invite(1, 2, public=True)
    await shown.referee.join(code(shown.tickets, 1), FIRST)
    found = await lobby_of(shown)
    assert [(m.created.match, m.codes) for m in found] == [
        (shown.tickets.match, ((2, code(shown.tickets, 2)),))
    ]
    await shown.referee.join(code(shown.tickets, 2), FIRST)
    assert await lobby_of(shown) == []


@in_loop
async def test_a_match_in_the_lobby_needs_an_open_seat() -> None:
    with pytest.raises(RefereeError, match="needs a seat"):
        await House().referee.create(policy=policy(), public=True)


# -- operators


@in_loop
async def test_what_an_operator_does_stands_in_the_trail() -> None:
    house = await invite(1)
    await house.referee.abort(house.tickets.match.hex(), ADA)
    deeds = [(d.who, d.what, d.match, d.detail) for d in house.store.deeds()]
    where = '{"from":"127.0.0.1"}'
    assert deeds == [
        ("ada", "create", house.tickets.match, where),
        ("ada", "abort", house.tickets.match, where),
    ]
    assert [d.at_ms for d in house.store.deeds()] == [house.clock.wall_ms()] * 2


@in_loop
async def test_a_repeat_and_what_is_refused_leave_no_trail() -> None:
    house = await invite(1)
    await house.referee.create(policy=policy(), request_id=REQUEST, invited=(1,), operator=ADA)
    await house.referee.abort(house.tickets.match.hex(), ADA)
    await house.referee.abort(house.tickets.match.hex(), ADA)
    assert [deed.what for deed in house.store.deeds()] == ["create", "abort"]


@in_loop
async def test_nothing_is_done_that_the_trail_cannot_hold() -> None:
    house = await invite(1)
    house.store.broken = True
    with pytest.raises(StoreError):
        await house.referee.abort(house.tickets.match.hex(), ADA)
    with pytest.raises(StoreError):
        await house.referee.create(policy=policy(), request_id=OTHER, operator=ADA)
    assert not house.match.state.over
    assert house.referee.ids() == [house.tickets.match]
    assert house.referee.matches.open_of["ada"] == 1


@in_loop
async def test_each_operator_has_so_many_open_matches_and_no_more() -> None:
    house = await House().create()
    house.referee.making.most_of_one = 2
    made = [
        await house.referee.create(policy=policy(), request_id=rid, operator=ADA)
        for rid in (FIRST, OTHER)
    ]
    with pytest.raises(TooManyMatchesError, match="2 matches of operator ada"):
        await house.referee.create(policy=policy(), request_id=b"3" * 16, operator=ADA)
    bob = Operator("bob", "")
    await house.referee.create(policy=policy(), request_id=b"4" * 16, operator=bob)
    assert await house.referee.create(policy=policy(), request_id=FIRST, operator=ADA) == made[0]
    await house.referee.abort(made[0].match.hex(), bob)
    await house.referee.create(policy=policy(), request_id=b"3" * 16, operator=ADA)


@in_loop
async def test_open_matches_are_counted_again_after_a_restart() -> None:
    back = await again(await invite(1), 1)
    assert back.referee.matches.open_of == {"ada": 1}


@in_loop
async def test_what_is_shown_of_a_match_that_was_made_is_no_secret() -> None:
    house = await invite(1, public=True)
    shown = repr(house.tickets) + repr(await lobby_of(house))
    for secret in (*house.tickets.seats, house.tickets.watching, code(house.tickets, 1)):
        assert secret not in shown
