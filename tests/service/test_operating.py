"""StatusService over a real server: what an operator is told of a referee that runs."""

from referee.pb.euchre.referee.v1 import status_pb2
from tests.service.support import PATIENCE_S, Served, bearer, on_loop, refusal, serving

Ask = status_pb2.GetStatusRequest


async def told(served: Served, token: str = "") -> status_pb2.GetStatusResponse:
    call = served.status.GetStatus(Ask(), timeout=PATIENCE_S, metadata=bearer(token))
    found: status_pb2.GetStatusResponse = await call
    return found


@on_loop
async def test_a_referee_says_who_it_is_and_that_nothing_has_happened_yet() -> None:
    async with serving() as served:
        found = await told(served)
        assert found.version
        assert found.referee_key == served.referee.key.public.text
        assert not found.draining
        assert (found.open_matches, found.waiting_matches, found.seats_connected) == (0, 0, 0)
        assert dict(found.actions) == {}


@on_loop
async def test_matches_that_wait_and_matches_that_are_played_are_told_apart() -> None:
    async with serving() as served:
        await served.create()
        made = await served.create(move_ms=60_000)
        stream = made.stream()
        await stream.hello()
        await stream.until_asked_to_act()
        found = await told(served)
        assert (found.open_matches, found.waiting_matches) == (1, 1)
        assert (found.seats_connected, found.play_streams) == (4, 1)
        stream.call.cancel()


@on_loop
async def test_actions_and_refusals_are_counted_by_what_came_of_them() -> None:
    async with serving() as served:
        made = await served.create(move_ms=60_000)
        stream = made.stream()
        await stream.hello()
        ask = await stream.until_asked_to_act()
        seq = ask.ask.view.state_version + 1
        await stream.say(made.act(ask.seat - 1, "play AS", seq))
        await stream.until("ruling")
        await stream.say(made.act(ask.seat - 1, "pass", seq))
        await stream.until("ruling")
        found = await told(served)
        assert dict(found.actions) == {"accepted": 1, "refused": 1}
        assert sum(found.refusals.values()) == 1
        assert found.actions_a_second > 0
        stream.call.cancel()


@on_loop
async def test_faults_are_counted_by_kind() -> None:
    async with serving() as served:
        made = await served.create(move_ms=60_000)
        stream = made.stream()
        await stream.hello()
        ask = await stream.until_asked_to_act()
        for _ in range(3):
            seq = ask.ask.view.state_version + 1
            await stream.say(made.act(ask.seat - 1, "play AS", seq))
            await stream.until("ruling")
        found = await told(served)
        assert dict(found.faults) == {"ILLEGAL": 1}
        assert found.open_matches == 0
        stream.call.cancel()


@on_loop
async def test_unary_calls_are_timed_by_rpc() -> None:
    async with serving() as served:
        await served.create()
        await served.create()
        found = {pace.rpc: pace for pace in (await told(served)).latencies}
        assert found["MatchService/CreateMatch"].count == 2
        assert 0 < found["MatchService/CreateMatch"].p50_ms <= 10_000


@on_loop
async def test_only_the_operator_is_told() -> None:
    async with serving(operator_token="o" * 20) as served:
        refused = await refusal(served.status.GetStatus(Ask(), timeout=PATIENCE_S))
        assert (refused.code, refused.reason) == ("UNAUTHENTICATED", "OPERATOR_ONLY")
        assert (await told(served, "o" * 20)).version
