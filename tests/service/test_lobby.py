"""LobbyService over a real server: seats given away with codes, and who may see them."""

import re
import secrets

import pytest

from referee.pb.euchre.referee.v1 import lobby_pb2, match_pb2, play_pb2, status_pb2, table_pb2
from tests.service.support import (
    PATIENCE_S,
    SEATS,
    Made,
    Served,
    bearer,
    on_loop,
    refusal,
    serving,
)

OPERATOR = "token-of-an-operator"
Create = match_pb2.CreateMatchRequest


async def invite(
    served: Served, *seats: int, public: bool = False
) -> "match_pb2.CreateMatchResponse":
    request = Create(
        request_id=secrets.token_bytes(16),
        rule_set="quick",
        open_seats=[SEATS[seat] for seat in seats],
        public=public,
    )
    made = await served.matches.CreateMatch(request, metadata=bearer(OPERATOR), timeout=PATIENCE_S)
    assert isinstance(made, match_pb2.CreateMatchResponse)
    return made


def asking(code: str) -> lobby_pb2.JoinMatchRequest:
    return lobby_pb2.JoinMatchRequest(code=code, request_id=secrets.token_bytes(16))


async def lobby(served: Served) -> "list[lobby_pb2.OpenMatch]":
    request = lobby_pb2.ListOpenSeatsRequest()
    return list((await served.lobby.ListOpenSeats(request, timeout=PATIENCE_S)).matches)


@on_loop
async def test_four_strangers_who_know_a_code_each_play_a_match() -> None:
    async with serving(OPERATOR) as served:
        made = await invite(served, 0, 1, 2, 3)
        assert list(made.seat_tokens) == [""] * 4
        tokens: list[str] = []
        for invitation in made.invitations:
            joined = await served.lobby.JoinMatch(asking(invitation.code), timeout=PATIENCE_S)
            assert (joined.match.match, joined.seat) == (made.match.match, invitation.seat)
            assert joined.referee_key == made.referee_key
            tokens.append(joined.token)
        match = Made(served, made.match.match, tuple(tokens), made.watch_token)
        stream = match.stream()
        await stream.hello()
        await stream.play_on()
        assert match.match.durable.closed is not None
        assert match.match.durable.closed.outcome == "finished"


@on_loop
async def test_codes_are_three_groups_that_can_be_read_out() -> None:
    async with serving(OPERATOR) as served:
        made = await invite(served, 1, 3)
        assert [each.seat for each in made.invitations] == [SEATS[1], SEATS[3]]
        assert [bool(token) for token in made.seat_tokens] == [True, False, True, False]
        for each in made.invitations:
            assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}", each.code)
            created = served.referee.match(made.match.match).state.created
            assert each.ends_at == created.created_at + created.policy.start_ms


@on_loop
async def test_a_code_is_good_once_and_its_request_gets_the_same_answer_again() -> None:
    async with serving(OPERATOR) as served:
        made = await invite(served, 1)
        first = asking(made.invitations[0].code.lower())
        given = await served.lobby.JoinMatch(first, timeout=PATIENCE_S)
        assert await served.lobby.JoinMatch(first, timeout=PATIENCE_S) == given
        other = asking(made.invitations[0].code)
        refused = await refusal(served.lobby.JoinMatch(other, timeout=PATIENCE_S))
        assert (refused.code, refused.reason) == ("FAILED_PRECONDITION", "TAKEN")


@pytest.mark.parametrize(
    ("code", "rid", "field"),
    [
        ("", b"r" * 16, "code"),
        ("0000-0000-000U", b"r" * 16, "code"),
        ("0000-0000-0000", b"", "request_id"),
        ("0000-0000-0000", b"r" * 15, "request_id"),
    ],
)
@on_loop
async def test_what_cannot_be_a_code_or_a_request_is_malformed(
    code: str, rid: bytes, field: str
) -> None:
    async with serving(OPERATOR) as served:
        request = lobby_pb2.JoinMatchRequest(code=code, request_id=rid)
        refused = await refusal(served.lobby.JoinMatch(request, timeout=PATIENCE_S))
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", [field])


@on_loop
async def test_a_wrong_code_and_one_that_has_ended_look_alike() -> None:
    async with serving(OPERATOR) as served:
        made = await invite(served, 1)
        end = match_pb2.AbortMatchRequest(match=made.match.match)
        await served.matches.AbortMatch(end, metadata=bearer(OPERATOR), timeout=PATIENCE_S)
        wrong, ended = [
            await refusal(served.lobby.JoinMatch(asking(code), timeout=PATIENCE_S))
            for code in ("0000-0000-0000", made.invitations[0].code)
        ]
        assert wrong == ended
        assert wrong.code == "NOT_FOUND"


@on_loop
async def test_the_lobby_shows_what_its_operators_show_and_nothing_else() -> None:
    async with serving(OPERATOR) as served:
        await invite(served, 0, 1)
        older = await invite(served, 1, public=True)
        newer = await invite(served, 2, 3, public=True)
        found = await lobby(served)
        assert [each.match.match for each in found] == [newer.match.match, older.match.match]
        assert list(found[0].invitations) == list(newer.invitations)
        assert (found[1].policy.start_ms, found[1].policy.rated) == (20_000, True)
        code = newer.invitations[0].code
        await served.lobby.JoinMatch(asking(code), timeout=PATIENCE_S)
        assert list((await lobby(served))[0].invitations) == list(newer.invitations)[1:]
        request = lobby_pb2.ListOpenSeatsRequest(page_size=1)
        short = await served.lobby.ListOpenSeats(request, timeout=PATIENCE_S)
        assert [each.match.match for each in short.matches] == [newer.match.match]


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (Create(open_seats=[SEATS[0], SEATS[0]]), "open_seats"),
        (Create(open_seats=[table_pb2.SEAT_UNSPECIFIED]), "open_seats"),
        (Create(public=True), "public"),
    ],
)
@on_loop
async def test_seats_that_cannot_be_opened_are_malformed(
    request_: match_pb2.CreateMatchRequest, field: str
) -> None:
    async with serving(OPERATOR) as served:
        call = served.matches.CreateMatch(request_, metadata=bearer(OPERATOR), timeout=PATIENCE_S)
        refused = await refusal(call)
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", [field])


@on_loop
async def test_a_request_id_does_not_make_a_match_with_other_open_seats() -> None:
    async with serving() as served:
        first = Create(request_id=b"r" * 16, open_seats=[SEATS[0]])
        made = await served.matches.CreateMatch(first, timeout=PATIENCE_S)
        assert await served.matches.CreateMatch(first, timeout=PATIENCE_S) == made
        for other in (
            Create(request_id=b"r" * 16),
            Create(request_id=b"r" * 16, open_seats=[SEATS[1]]),
            Create(request_id=b"r" * 16, open_seats=[SEATS[0]], public=True),
        ):
            refused = await refusal(served.matches.CreateMatch(other, timeout=PATIENCE_S))
            assert "other settings" in refused.text


@on_loop
async def test_what_was_not_recorded_may_be_asked_again() -> None:
    async with serving() as served:
        request = Create(open_seats=[SEATS[0]])
        made = await served.matches.CreateMatch(request, timeout=PATIENCE_S)
        ask = asking(made.invitations[0].code)
        served.store.broken = True
        refused = await refusal(served.lobby.JoinMatch(ask, timeout=PATIENCE_S))
        assert (refused.code, refused.asks_to_retry) == ("UNAVAILABLE", True)
        served.store.broken = False
        assert (await served.lobby.JoinMatch(ask, timeout=PATIENCE_S)).token


@on_loop
async def test_nobody_joins_while_the_server_stops() -> None:
    async with serving() as served:
        served.referee.matches.drain("stopping")
        refused = await refusal(served.lobby.JoinMatch(asking("0" * 12), timeout=PATIENCE_S))
        assert (refused.code, refused.reason) == ("UNAVAILABLE", "DRAINING")


# -- the trail


async def deeds(
    served: Served, token: str, size: int = 0, page: str = ""
) -> "status_pb2.ListDeedsResponse":
    request = status_pb2.ListDeedsRequest(page_size=size, page_token=page)
    found = await served.status.ListDeeds(request, metadata=bearer(token), timeout=PATIENCE_S)
    assert isinstance(found, status_pb2.ListDeedsResponse)
    return found


@on_loop
async def test_the_trail_says_who_did_what_from_where_newest_first() -> None:
    async with serving(OPERATOR, also=[("bob", "b" * 16)]) as served:
        made = await invite(served, 1)
        end = match_pb2.AbortMatchRequest(match=made.match.match)
        await served.matches.AbortMatch(end, metadata=bearer("b" * 16), timeout=PATIENCE_S)
        found = await deeds(served, OPERATOR)
        where = '{"from":"127.0.0.1"}'
        told = [(each.who, each.what, each.match, each.detail) for each in found.deeds]
        assert told == [
            ("bob", "abort", made.match.match, where),
            ("ada", "create", made.match.match, where),
        ]
        assert found.deeds[0].at >= found.deeds[1].at > 1_700_000_000_000
        assert not found.next_page_token


@on_loop
async def test_where_nobody_is_named_whoever_is_on_this_machine_did_it() -> None:
    async with serving() as served:
        await served.create()
        assert [each.who for each in (await deeds(served, "")).deeds] == ["loopback"]


@on_loop
async def test_the_trail_is_read_a_page_at_a_time() -> None:
    async with serving() as served:
        made = [(await served.create()).id for _ in range(5)]
        seen: list[list[str]] = []
        page = ""
        while not seen or page:
            found = await deeds(served, "", 2, page)
            seen.append([each.match for each in found.deeds])
            await served.create()  # what comes later does not shift the pages
            page = found.next_page_token
        assert seen == [made[:2:-1], made[2:0:-1], made[:1]]
        for wrong in ("x", "-1", "0", "99", "9" * 40):
            refused = await refusal(
                served.status.ListDeeds(
                    status_pb2.ListDeedsRequest(page_token=wrong), timeout=PATIENCE_S
                )
            )
            assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", ["page_token"])


# -- listing by state


@on_loop
async def test_matches_are_listed_by_state() -> None:
    async with serving() as served:
        waiting, playing, over = [await served.create() for _ in range(3)]
        stream = playing.stream()
        await stream.hello()
        await stream.until_asked_to_act()
        end = match_pb2.AbortMatchRequest(match=over.id)
        await served.matches.AbortMatch(end, timeout=PATIENCE_S)
        for state, ids in (
            ("waiting", [waiting.id]),
            ("open", [playing.id]),
            ("closed", [over.id]),
            ("", [over.id, playing.id, waiting.id]),
        ):
            request = match_pb2.ListMatchesRequest(state=state)
            found = await served.matches.ListMatches(request, timeout=PATIENCE_S)
            assert [match.match for match in found.matches] == ids
        wrong = match_pb2.ListMatchesRequest(state="over")
        refused = await refusal(served.matches.ListMatches(wrong, timeout=PATIENCE_S))
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", ["state"])
        stream.call.cancel()


@on_loop
async def test_pages_of_one_state_hold_only_its_matches() -> None:
    async with serving() as served:
        made = [await served.create() for _ in range(5)]
        for each in made[1::2]:
            end = match_pb2.AbortMatchRequest(match=each.id)
            await served.matches.AbortMatch(end, timeout=PATIENCE_S)
        request = match_pb2.ListMatchesRequest(state="waiting", page_size=2)
        seen: list[list[str]] = []
        while not seen or request.page_token:
            page = await served.matches.ListMatches(request, timeout=PATIENCE_S)
            seen.append([match.match for match in page.matches])
            request.page_token = page.next_page_token
        assert seen == [[made[4].id, made[2].id], [made[0].id]]


# -- a token's time over the wire


@on_loop
async def test_a_token_whose_match_is_over_reads_the_transcript_and_nothing_else() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        await stream.play_on()
        guests = served.referee._passes._guests[bytes.fromhex(made.id)]
        guests.late_ms = 0
        request = match_pb2.GetTranscriptRequest(match=made.id)
        read = served.matches.GetTranscript(
            request, metadata=bearer(made.watching), timeout=PATIENCE_S
        )
        assert [message async for message in read]
        watch = play_pb2.WatchRequest(match=made.id)
        see = match_pb2.GetMatchRequest(match=made.id)
        token = bearer(made.watching)
        for call in (
            served.plays.Watch(watch, metadata=token, timeout=PATIENCE_S).read(),
            served.matches.GetMatch(see, metadata=token, timeout=PATIENCE_S),
        ):
            refused = await refusal(call)
            assert (refused.code, refused.reason) == ("UNAUTHENTICATED", "TOKEN_ENDED")
