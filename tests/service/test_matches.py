"""MatchService over a real server: making, seeing, listing and ending matches."""

import logging

import pytest

from referee.pb.euchre.referee.v1 import match_pb2, table_pb2
from referee.rules import preset
from tests.host.support import settle
from tests.service.support import PATIENCE_S, Made, Served, bearer, drain, on_loop, refusal, serving

Create = match_pb2.CreateMatchRequest
NOWHERE = "0" * 32
OPERATOR = "hush-operator-token"


@on_loop
async def test_a_match_has_four_seats_a_watcher_and_every_knob() -> None:
    async with serving() as served:
        made = await served.matches.CreateMatch(Create(rule_set="guide"), timeout=PATIENCE_S)
        assert len(set(made.seat_tokens) | {made.watch_token}) == 5
        assert (made.match.state, made.match.rule_set) == ("waiting", "guide")
        assert dict(made.match.rules) == preset("guide").to_map()
        assert made.referee_key == served.referee.key.public.text


@on_loop
async def test_the_same_request_id_makes_the_same_match() -> None:
    async with serving() as served:
        request = Create(request_id=b"r" * 16)
        first = await served.matches.CreateMatch(request, timeout=PATIENCE_S)
        assert await served.matches.CreateMatch(request, timeout=PATIENCE_S) == first


@on_loop
async def test_a_request_id_with_other_settings_is_no_repeat() -> None:
    async with serving() as served:
        await served.matches.CreateMatch(Create(request_id=b"r" * 16), timeout=PATIENCE_S)
        other = Create(request_id=b"r" * 16, rule_set="guide")
        refused = await refusal(served.matches.CreateMatch(other, timeout=PATIENCE_S))
        assert refused.code == "INVALID_ARGUMENT"
        assert "other settings" in refused.text


@pytest.mark.parametrize(
    ("request_", "field", "text"),
    [
        (Create(rule_set="standart"), "rules", "did you mean 'standard'"),
        (Create(rules={"pakc": "E24"}), "rules", "'pakc'"),
        (Create(rules={"pack": "E99"}), "rules", "'E99'"),
        (Create(policy=match_pb2.Policy(move_ms=10)), "policy", "move_ms is 10"),
        (Create(policy=match_pb2.Policy(games=1_000)), "policy", "games is 1000"),
        (Create(request_id=b"short"), "request_id", "16 bytes"),
        (Create(first_dealer=table_pb2.SEAT_NORTH), "request", "first dealer"),
        (Create(rules={"deals": "4"}, policy=match_pb2.Policy(games=2)), "request", "games to 1"),
    ],
)
@on_loop
async def test_a_match_that_cannot_be_is_refused_and_the_field_named(
    request_: match_pb2.CreateMatchRequest, field: str, text: str
) -> None:
    async with serving() as served:
        refused = await refusal(served.matches.CreateMatch(request_, timeout=PATIENCE_S))
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", [field])
        assert text in refused.text
        assert served.store.matches() == []


@on_loop
async def test_the_operators_token_is_needed_where_there_is_one() -> None:
    async with serving(OPERATOR) as served:
        stub = served.matches
        calls = [
            (stub.CreateMatch, Create()),
            (stub.ListMatches, match_pb2.ListMatchesRequest()),
            (stub.AbortMatch, match_pb2.AbortMatchRequest(match=NOWHERE)),
        ]
        for call, request in calls:
            for token in ("", OPERATOR.upper(), OPERATOR + " "):
                refused = await refusal(call(request, metadata=bearer(token), timeout=PATIENCE_S))
                assert (refused.code, refused.reason) == ("UNAUTHENTICATED", "OPERATOR_ONLY")
        made = await stub.CreateMatch(Create(), metadata=bearer(OPERATOR), timeout=PATIENCE_S)
        assert made.match.state == "waiting"


@on_loop
async def test_a_journal_that_cannot_be_written_is_unavailable_and_worth_a_retry() -> None:
    async with serving() as served:
        served.store.broken = True
        refused = await refusal(served.matches.CreateMatch(Create(), timeout=PATIENCE_S))
        assert (refused.code, refused.reason, refused.asks_to_retry) == (
            *("UNAVAILABLE", "NOT_RECORDED", True),
        )


# -- seeing


@on_loop
async def test_every_token_of_a_match_sees_it_and_no_other_token_does() -> None:
    async with serving() as served:
        made, other = await served.create(), await served.create()
        request = match_pb2.GetMatchRequest(match=made.id)
        for token in (*made.seats, made.watching):
            seen = await served.matches.GetMatch(
                request, metadata=bearer(token), timeout=PATIENCE_S
            )
            assert seen.match.match == made.id
        for token, code in (("", "UNAUTHENTICATED"), ("ff", "UNAUTHENTICATED")):
            refused = await refusal(
                served.matches.GetMatch(request, metadata=bearer(token), timeout=PATIENCE_S)
            )
            assert (refused.code, refused.reason) == (code, "BAD_TOKEN")
        foreign = bearer(other.seats[0])
        forbidden = await refusal(
            served.matches.GetMatch(request, metadata=foreign, timeout=PATIENCE_S)
        )
        unknown = await refusal(
            served.matches.GetMatch(
                match_pb2.GetMatchRequest(match=NOWHERE), metadata=foreign, timeout=PATIENCE_S
            )
        )
        assert (forbidden.code, forbidden.reason) == ("NOT_FOUND", "UNKNOWN_MATCH")
        assert forbidden.text.replace(made.id, "") == unknown.text.replace(NOWHERE, "")


@pytest.mark.parametrize("match", ["", "xyz", "00", NOWHERE])
@on_loop
async def test_what_is_no_match_id_is_not_found(match: str) -> None:
    async with serving() as served:
        made = await served.create()
        refused = await refusal(
            served.matches.GetMatch(
                match_pb2.GetMatchRequest(match=match),
                metadata=bearer(made.watching),
                timeout=PATIENCE_S,
            )
        )
        assert refused.code == "NOT_FOUND"


async def lines(made: Made, token: str, from_seq: int = 0) -> list[bytes]:
    call = made.served.matches.GetTranscript(
        match_pb2.GetTranscriptRequest(match=made.id, from_seq=from_seq),
        metadata=bearer(token),
        timeout=PATIENCE_S,
    )
    return [line async for message in call for line in message.lines]


@on_loop
async def test_a_transcript_holds_the_lines_so_far_from_any_position() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        await stream.until_asked_to_act()
        whole = await lines(made, made.watching)
        assert whole == [item.line for item in made.match.log]
        for place in (0, 1, len(whole) - 1, len(whole), len(whole) + 9):
            assert await lines(made, made.seats[2], place) == whole[place:]


@on_loop
async def test_a_transcript_is_for_the_tokens_of_its_match() -> None:
    async with serving() as served:
        made, other = await served.create(), await served.create()
        request = match_pb2.GetTranscriptRequest(match=made.id)
        for token, code in ((other.watching, "NOT_FOUND"), ("", "UNAUTHENTICATED")):
            call = served.matches.GetTranscript(request, metadata=bearer(token), timeout=PATIENCE_S)
            assert (await refusal(drain(call))).code == code


# -- listing


async def page(served: Served, size: int, token: str = "") -> match_pb2.ListMatchesResponse:
    found = await served.matches.ListMatches(
        match_pb2.ListMatchesRequest(page_size=size, page_token=token), timeout=PATIENCE_S
    )
    assert isinstance(found, match_pb2.ListMatchesResponse)
    return found


@on_loop
async def test_matches_are_listed_newest_first_a_page_at_a_time() -> None:
    async with serving() as served:
        made = [(await served.create()).id for _ in range(5)]
        seen: list[list[str]] = []
        token = ""
        while not seen or token:
            found = await page(served, 2, token)
            seen.append([match.match for match in found.matches])
            token = found.next_page_token
        assert [len(ids) for ids in seen] == [2, 2, 1]
        assert [match for ids in seen for match in ids] == made[::-1]


@on_loop
async def test_a_new_match_does_not_shift_the_pages() -> None:
    async with serving() as served:
        made = [(await served.create()).id for _ in range(3)]
        first = await page(served, 2)
        await served.create()
        second = await page(served, 2, first.next_page_token)
        assert [match.match for match in second.matches] == made[:1]


@on_loop
async def test_a_page_token_that_is_not_ours_is_refused() -> None:
    async with serving() as served:
        for token in ("zz", NOWHERE):
            refused = await refusal(
                served.matches.ListMatches(
                    match_pb2.ListMatchesRequest(page_token=token), timeout=PATIENCE_S
                )
            )
            assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", ["page_token"])


@on_loop
async def test_a_finished_match_reads_the_same_before_and_after_it_is_forgotten() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        await stream.play_on()
        before = (await page(served, 1), await lines(made, made.watching, 3))
        served.referee.matches.forget_finished()
        assert (await page(served, 1), await lines(made, made.watching, 3)) == before


# -- ending


@on_loop
async def test_an_abort_closes_the_match_once() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        await stream.until_asked_to_act()
        request = match_pb2.AbortMatchRequest(match=made.id)
        ended = await served.matches.AbortMatch(request, timeout=PATIENCE_S)
        assert (ended.match.state, ended.match.outcome, ended.match.winner) == (
            *("closed", "aborted", ""),
        )
        again = await refusal(served.matches.AbortMatch(request, timeout=PATIENCE_S))
        assert (again.code, again.reason) == ("FAILED_PRECONDITION", "CLOSED")


@on_loop
async def test_an_abort_of_no_match_is_not_found() -> None:
    async with serving() as served:
        request = match_pb2.AbortMatchRequest(match=NOWHERE)
        assert (await refusal(served.matches.AbortMatch(request, timeout=1))).code == "NOT_FOUND"


@on_loop
async def test_a_call_that_is_given_up_leaves_the_match_whole() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        await stream.until_asked_to_act()
        served.store.holding = True
        call = served.matches.AbortMatch(
            match_pb2.AbortMatchRequest(match=made.id), timeout=PATIENCE_S
        )
        while not served.store.held:
            await settle()
        call.cancel()
        await settle()
        served.store.release()
        await stream.play_on()
        assert stream.items[-1].event.HasField("match_close")


# -- our own errors


@on_loop
async def test_an_error_of_ours_is_internal_with_a_number_and_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serving() as served:
        served.store.matches = None  # type: ignore[assignment,method-assign]  # a bug of ours
        caplog.set_level(logging.ERROR, "referee.service.status")
        request = match_pb2.ListMatchesRequest()
        refused = await refusal(served.matches.ListMatches(request, timeout=PATIENCE_S))
        assert (refused.code, refused.reason) == ("INTERNAL", "INTERNAL")
        assert "NoneType" not in refused.text
        number = refused.text.split()[4]
        assert [number in record.getMessage() for record in caplog.records] == [True]
