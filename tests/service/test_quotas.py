"""Quotas at their edge: so many pass, one more is refused, and what has ended makes room."""

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest
from google.rpc import error_details_pb2

from referee.pb.euchre.referee.v1 import (
    adjudication_pb2,
    deal_pb2,
    lobby_pb2,
    match_pb2,
    play_pb2,
)
from referee.service.doors import place
from referee.service.quotas import QUOTA_NAMES, QuotaError, Quotas, Turnstiles
from referee.service.status import RefusedError
from tests.host.support import FakeClock, settle
from tests.service.support import (
    PATIENCE_S,
    SEATS,
    Made,
    Refused,
    bearer,
    on_loop,
    refusal,
    refused_status,
    serving,
)

ADA, BOB = "a" * 16, "b" * 16
Create = match_pb2.CreateMatchRequest


def quota_of(error: RefusedError) -> Refused:
    return refused_status(error.status)


def exhausted(refused: Refused, quota: str) -> bool:
    """Whether a refusal is that of a quota, and says which and when to try again."""
    return (refused.code, refused.reason, refused.quota, refused.asks_to_retry) == (
        *("RESOURCE_EXHAUSTED", "QUOTA", quota, True),
    )


# -- the count itself


@pytest.mark.parametrize("name", ["streams_per_token", "calls_per_token", "calls_per_peer"])
def test_so_many_are_inside_and_one_more_when_one_has_left(name: str) -> None:
    stiles = Turnstiles(Quotas(streams_per_token=2, calls_per_token=2, calls_per_peer=2), clock())
    first, second = stiles.inside(name, b"k", "token"), stiles.inside(name, b"k", "token")
    with first:
        with second:
            with pytest.raises(RefusedError) as caught, stiles.inside(name, b"k", "token"):
                pass
            assert exhausted(quota_of(caught.value), name)
            with stiles.inside(name, b"other", "token"):
                pass
        with stiles.inside(name, b"k", "token"):
            pass
    assert not stiles._inside


def test_whoever_is_thrown_out_makes_room_as_well() -> None:
    stiles = Turnstiles(Quotas(), clock())
    with pytest.raises(ZeroDivisionError), stiles.inside("calls_per_token", b"k", "token"):
        raise ZeroDivisionError
    assert not stiles._inside


def clock() -> FakeClock:
    return FakeClock()


def test_a_minutes_worth_is_spent_at_once_and_comes_back_evenly() -> None:
    hands = clock()
    stiles = Turnstiles(Quotas(creates_per_minute=3), hands)
    for _ in range(3):
        stiles.check("creates_per_minute", "ada")
        stiles.spend("creates_per_minute", "ada")
    with pytest.raises(RefusedError) as caught:
        stiles.check("creates_per_minute", "ada")
    assert exhausted(quota_of(caught.value), "creates_per_minute")
    stiles.check("creates_per_minute", "bob")
    hands.now += 19_999
    with pytest.raises(RefusedError) as caught:
        stiles.check("creates_per_minute", "ada")
    hands.now += 1
    stiles.check("creates_per_minute", "ada")


def test_the_answer_says_how_long_to_wait() -> None:
    stiles = Turnstiles(Quotas(creates_per_minute=3), clock())
    for _ in range(3):
        stiles.spend("creates_per_minute", "ada")
    with pytest.raises(RefusedError) as caught:
        stiles.check("creates_per_minute", "ada")
    info = error_details_pb2.RetryInfo()
    assert quota_of(caught.value)._unpack(info)
    assert info.retry_delay.ToMilliseconds() == 20_000
    assert "20 s" in caught.value.status.message


def test_nobody_is_remembered_for_longer_than_a_minute() -> None:
    hands = clock()
    stiles = Turnstiles(Quotas(), hands)
    for number in range(1_024):
        stiles.spend("guesses_per_minute", str(number))
    hands.now += 60_000
    stiles.spend("guesses_per_minute", "last")
    assert list(stiles._spent) == [("guesses_per_minute", "last")]


@pytest.mark.parametrize("name", QUOTA_NAMES)
@pytest.mark.parametrize("number", [0, -1, 1_000_001])
def test_a_quota_of_nothing_or_of_everything_is_refused(name: str, number: int) -> None:
    with pytest.raises(QuotaError, match=name):
        Quotas(**{name: number})


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("ipv4:127.0.0.1:5000", "127.0.0.1"),
        ("ipv4:192.0.2.7:1", "192.0.2.7"),
        ("ipv6:%5B::1%5D:5000", "::1"),
        ("ipv6:[2001:db8:1:2:3:4:5:6]:1", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2:ffff::9%5D:7", "2001:db8:1:2::/64"),
        ("ipv6:[fe80::1%25eth0]:1", "fe80::/64"),
        ("ipv6:[::ffff:192.0.2.7]:1", "192.0.2.7"),
        ("unix:", "unix"),
        ("unix:/run/r.sock", "unix"),
        ("ipv4:rubbish", "ipv4"),
        ("", ""),
    ],
)
def test_one_address_counts_as_one_whatever_its_port_and_a_network_of_ipv6_too(
    peer: str, counted: str
) -> None:
    assert place(peer) == counted


def test_those_who_are_remembered_are_looked_through_rarely_however_many_come() -> None:
    stiles = Turnstiles(Quotas(), clock())
    looks, kept = 0, stiles._spent
    for number in range(8_192):
        stiles.spend("guesses_per_minute", str(number))
        looks += stiles._spent is not kept
        kept = stiles._spent
    assert (looks, len(kept)) == (3, 8_192)


# -- the same over the wire


async def until_refused(made: Made, quota: str) -> Refused:
    """What the next watcher of a match is refused with, once those before it are counted."""
    request = play_pb2.WatchRequest(match=made.id)
    call = made.served.plays.Watch(request, metadata=bearer(made.watching), timeout=PATIENCE_S)
    refused = await refusal(call.read())
    assert exhausted(refused, quota)
    return refused


async def watching(made: Made, token: str) -> "asyncio.Task[object]":
    """Somebody who watches, and is let in."""
    call = made.served.plays.Watch(
        play_pb2.WatchRequest(match=made.id), metadata=bearer(token), timeout=PATIENCE_S
    )
    task: asyncio.Task[object] = asyncio.ensure_future(call.read())
    inside = made.served.server.porter.turnstiles._inside
    before = inside.total()
    while inside.total() == before:
        await settle()
    return task


@on_loop
async def test_one_token_has_so_many_open_streams() -> None:
    async with serving(quotas=Quotas(streams_per_token=2)) as served:
        made = await served.create()
        first, second = [await watching(made, made.watching) for _ in range(2)]
        await until_refused(made, "streams_per_token")
        other = await watching(made, made.seats[0])
        first.cancel()
        while served.server.porter.turnstiles._inside.total() > 2:
            await settle()
        third = await watching(made, made.watching)
        for task in (second, other, third):
            task.cancel()
        while served.server.porter.turnstiles._inside:
            await settle()


@on_loop
async def test_one_token_has_so_many_calls_at_once() -> None:
    async with serving(quotas=Quotas(calls_per_token=2)) as served:
        made = await served.create()
        stream = made.stream(0)
        await stream.hello()
        await stream.until("welcome")
        ask = play_pb2.GetViewRequest(match=made.id, seat=SEATS[0], wait_ms=30_000)
        token = bearer(made.seats[0])
        calls = [served.plays.GetView(ask, metadata=token, timeout=PATIENCE_S) for _ in range(2)]
        while served.server.porter.turnstiles._inside.total() < 2:
            await settle()
        now = play_pb2.GetViewRequest(match=made.id, seat=SEATS[0])
        refused = await refusal(served.plays.GetView(now, metadata=token, timeout=PATIENCE_S))
        assert exhausted(refused, "calls_per_token")
        for call in calls:
            call.cancel()
        while served.server.porter.turnstiles._inside:
            await settle()
        await served.plays.GetView(now, metadata=token, timeout=PATIENCE_S)
        stream.call.cancel()


@on_loop
async def test_one_address_has_so_many_calls_at_once_to_what_is_open_to_all() -> None:
    async with serving(quotas=Quotas(calls_per_peer=1)) as served:
        gate = asyncio.Event()

        async def pieces() -> AsyncIterator[deal_pb2.VerifyTranscriptRequest]:
            yield deal_pb2.VerifyTranscriptRequest(chunk=b"x")
            await gate.wait()

        upload = asyncio.ensure_future(served.deals.VerifyTranscript(pieces(), timeout=PATIENCE_S))
        while not served.server.porter.turnstiles._inside:
            await settle()
        ask = adjudication_pb2.ListRuleSetsRequest()
        refused = await refusal(served.rules.ListRuleSets(ask, timeout=PATIENCE_S))
        assert exhausted(refused, "calls_per_peer")
        await served.create()
        gate.set()
        assert (await upload).verdict.exit == 6
        assert (await served.rules.ListRuleSets(ask, timeout=PATIENCE_S)).rule_sets


@on_loop
async def test_one_operator_makes_so_many_matches_a_minute() -> None:
    async with serving(ADA, quotas=Quotas(creates_per_minute=2), also=[("bob", BOB)]) as served:
        for _ in range(2):
            await served.matches.CreateMatch(Create(), metadata=bearer(ADA), timeout=PATIENCE_S)
        refused = await refusal(
            served.matches.CreateMatch(Create(), metadata=bearer(ADA), timeout=PATIENCE_S)
        )
        assert exhausted(refused, "creates_per_minute")
        await served.matches.CreateMatch(Create(), metadata=bearer(BOB), timeout=PATIENCE_S)


@on_loop
async def test_one_operator_has_so_many_open_matches() -> None:
    quotas = Quotas(matches_per_operator=1)
    async with serving(ADA, quotas=quotas, also=[("bob", BOB)]) as served:
        token = bearer(ADA)
        made = await served.matches.CreateMatch(Create(), metadata=token, timeout=PATIENCE_S)
        refused = await refusal(
            served.matches.CreateMatch(Create(), metadata=token, timeout=PATIENCE_S)
        )
        assert exhausted(refused, "matches_per_operator")
        await served.matches.CreateMatch(Create(), metadata=bearer(BOB), timeout=PATIENCE_S)
        end = match_pb2.AbortMatchRequest(match=made.match.match)
        await served.matches.AbortMatch(end, metadata=token, timeout=PATIENCE_S)
        await served.matches.CreateMatch(Create(), metadata=token, timeout=PATIENCE_S)


@on_loop
async def test_one_operator_has_so_many_calls_at_once() -> None:
    async with serving(ADA, quotas=Quotas(calls_per_operator=1)) as served:
        served.store.holding = True
        making = asyncio.ensure_future(
            served.matches.CreateMatch(Create(), metadata=bearer(ADA), timeout=PATIENCE_S)
        )
        while not served.store.held:
            await settle()
        listing = match_pb2.ListMatchesRequest()
        refused = await refusal(
            served.matches.ListMatches(listing, metadata=bearer(ADA), timeout=PATIENCE_S)
        )
        assert exhausted(refused, "calls_per_operator")
        served.store.release()
        await making
        await served.matches.ListMatches(listing, metadata=bearer(ADA), timeout=PATIENCE_S)


@on_loop
async def test_whoever_guesses_codes_is_soon_not_heard_and_a_right_code_no_more_either() -> None:
    async with serving(quotas=Quotas(guesses_per_minute=3)) as served:
        made = await served.matches.CreateMatch(Create(open_seats=[SEATS[1]]), timeout=PATIENCE_S)
        wrong = lobby_pb2.JoinMatchRequest(code="0" * 12, request_id=secrets.token_bytes(16))
        for _ in range(3):
            refused = await refusal(served.lobby.JoinMatch(wrong, timeout=PATIENCE_S))
            assert (refused.code, refused.reason) == ("NOT_FOUND", "UNKNOWN_INVITATION")
        right = lobby_pb2.JoinMatchRequest(
            code=made.invitations[0].code, request_id=secrets.token_bytes(16)
        )
        for ask in (wrong, right):
            refused = await refusal(served.lobby.JoinMatch(ask, timeout=PATIENCE_S))
            assert exhausted(refused, "guesses_per_minute")
