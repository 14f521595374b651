"""Every rpc and every kind of token: nothing is read or played without the right one.

The rpcs come from the descriptors, so that a new one without a line in the table fails here.
"""

import importlib
import pkgutil
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

import conformance.pb.euchre
import referee.pb.euchre
from referee.host.passes import READING_MS
from referee.pb.euchre.referee.v1 import (
    adjudication_pb2,
    deal_pb2,
    lobby_pb2,
    match_pb2,
    play_pb2,
)
from referee.service.doors import DOORS
from referee.service.reflecting import version_one
from referee.service.server import SERVICES
from tests.host.support import FakeClock
from tests.service.support import PATIENCE_S, SEATS, Made, Served, bearer, hello, on_loop, serving

ADA = "token-of-an-operator"
NOWHERE = "0" * 32
LATE_MS = 30_000
CLIENTS_OWN = "Internal error from Core"
"""What grpc's client says, now and then, in the place of a status that it was too late to read."""
M = TypeVar("M", bound=Message)

WHO = ("none", "garbage", "other", "wrong", "seat", "watcher", "ended", "gone", "operator")
"""No token; one that is nobody's; a seat of another match; another seat of the match; the seat
itself; the watching token; a seat's whose match is over; one whose day is over besides; an
operator's."""

OK, NO, NONE, NOT_YOURS = "OK", "UNAUTHENTICATED", "NOT_FOUND", "PERMISSION_DENIED"
EVERYBODY = (OK,) * 9
SEAT_ONLY = (NO, NO, NONE, NOT_YOURS, OK, NOT_YOURS, NO, NO, NO)
WHOEVER_SEES = (NO, NO, NONE, OK, OK, OK, NO, NO, NO)
OPERATOR_ONLY = (*(NO,) * 8, OK)

TABLE: dict[str, Sequence[str]] = {
    "euchre.referee.v1.MatchService/CreateMatch": OPERATOR_ONLY,
    "euchre.referee.v1.MatchService/GetMatch": WHOEVER_SEES,
    "euchre.referee.v1.MatchService/ListMatches": OPERATOR_ONLY,
    "euchre.referee.v1.MatchService/AbortMatch": OPERATOR_ONLY,
    "euchre.referee.v1.MatchService/GetTranscript": (NO, NO, NONE, OK, OK, OK, OK, NO, NO),
    # The tokens of Play stand in its Hello: a token of another match opens a stream of that one,
    # on which this match cannot be played.
    "euchre.referee.v1.PlayService/Play": (
        *(NO, NO, NOT_YOURS, NOT_YOURS, OK, NOT_YOURS, NO, NO, NO),
    ),
    "euchre.referee.v1.PlayService/Act": SEAT_ONLY,
    "euchre.referee.v1.PlayService/GetView": SEAT_ONLY,
    "euchre.referee.v1.PlayService/Watch": WHOEVER_SEES,
    "euchre.referee.v1.LobbyService/JoinMatch": (NONE,) * 9,  # a wrong code: no token helps
    "euchre.referee.v1.LobbyService/ListOpenSeats": EVERYBODY,
    "euchre.referee.v1.AdjudicationService/ListRuleSets": EVERYBODY,
    "euchre.referee.v1.AdjudicationService/GetRuleSet": EVERYBODY,
    "euchre.referee.v1.AdjudicationService/LegalActions": EVERYBODY,
    "euchre.referee.v1.AdjudicationService/Adjudicate": EVERYBODY,
    "euchre.referee.v1.AdjudicationService/ReplayDeals": EVERYBODY,
    "euchre.referee.v1.AdjudicationService/JudgeRecord": EVERYBODY,
    "euchre.referee.v1.DealService/VerifyDeal": EVERYBODY,
    "euchre.referee.v1.DealService/VerifyTranscript": EVERYBODY,
    "euchre.referee.v1.StatusService/GetStatus": OPERATOR_ONLY,
    "euchre.referee.v1.StatusService/ListDeeds": OPERATOR_ONLY,
    # What an implementation under test answers; the suite serves it, the referee does not.
    "euchre.conformance.v1.ConformanceTargetService/Hello": ("UNIMPLEMENTED",) * 9,
    "euchre.conformance.v1.ConformanceTargetService/Answer": ("UNIMPLEMENTED",) * 9,
    "grpc.health.v1.Health/Check": EVERYBODY,
    "grpc.health.v1.Health/Watch": EVERYBODY,
    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo": EVERYBODY,
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": EVERYBODY,
}


def every_rpc() -> dict[str, MethodDescriptor]:
    """Every rpc of both packages of ours, of health and of reflection."""
    names = [
        found.name
        for root in (referee.pb.euchre, conformance.pb.euchre)
        for found in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")
        if found.name.endswith("_pb2")
    ]
    files = [importlib.import_module(name).DESCRIPTOR for name in names]
    files += [health_pb2.DESCRIPTOR, reflection_pb2.DESCRIPTOR]
    files += [version_one()]
    services = [service for file in files for service in file.services_by_name.values()]
    return {f"{s.full_name}/{rpc.name}": rpc for s in services for rpc in s.methods}


RPCS = every_rpc()


# -- a server with matches of every age


@dataclass(frozen=True)
class World:
    """A match that is played, another, one that has just ended, and one of the day before."""

    served: Served
    here: Made
    other: Made
    ended: Made
    gone: Made

    def token(self, who: str) -> str:
        return {
            "none": "",
            "garbage": "f" * 64,
            "other": self.other.seats[0],
            "wrong": self.here.seats[1],
            "seat": self.here.seats[0],
            "watcher": self.here.watching,
            "ended": self.ended.seats[0],
            "gone": self.gone.seats[0],
            "operator": ADA,
        }[who]

    def match(self, who: str) -> str:
        """The match that is asked for: that of the token, where it has had one, or this one."""
        return {"ended": self.ended.id, "gone": self.gone.id}.get(who, self.here.id)


async def made(served: Served, clock: FakeClock, later_ms: int | None = None) -> Made:
    """A match, which is ended where it is to be so old."""
    request = match_pb2.CreateMatchRequest(rule_set="quick")
    request.policy.start_ms = 3_600_000
    given = await served.matches.CreateMatch(request, metadata=bearer(ADA), timeout=PATIENCE_S)
    match = Made(served, given.match.match, tuple(given.seat_tokens), given.watch_token)
    await sit(match)
    if later_ms is not None:
        end = match_pb2.AbortMatchRequest(match=match.id)
        await served.matches.AbortMatch(end, metadata=bearer(ADA), timeout=PATIENCE_S)
        await clock.turn(later_ms)
    return match


async def sit(match: Made) -> None:
    """Every seat says Hello: the match opens, and its first deal."""
    for seat, token in enumerate(match.seats):
        said = match.input(seat)
        said.hello.CopyFrom(hello(token))
        request = play_pb2.ActRequest(input=said)
        await match.served.plays.Act(request, metadata=bearer(token), timeout=PATIENCE_S)


@asynccontextmanager
async def world() -> AsyncIterator[World]:
    clock = FakeClock()
    async with serving(ADA, clock=clock) as served:
        gone = await made(served, clock, READING_MS)
        ended = await made(served, clock, LATE_MS)
        here, other = await made(served, clock), await made(served, clock)
        yield World(served, here, other, ended, gone)


# -- what is asked


def commitment(match: Made, match_id: str) -> play_pb2.PlayInput:
    """North commits to a seed."""
    deal = match.match.durable.deal
    assert deal is not None
    said = play_pb2.PlayInput(match=match_id, seat=SEATS[0], request_id=secrets.token_bytes(16))
    said.commit.deal, said.commit.commit = deal.number, b"c" * 32
    return said


REQUESTS: dict[str, Callable[[World, str], Message]] = {
    "MatchService/CreateMatch": lambda _, __: match_pb2.CreateMatchRequest(),
    "MatchService/GetMatch": lambda _, match: match_pb2.GetMatchRequest(match=match),
    "MatchService/AbortMatch": lambda _, match: match_pb2.AbortMatchRequest(match=match),
    "MatchService/GetTranscript": lambda _, match: match_pb2.GetTranscriptRequest(match=match),
    "PlayService/Act": lambda w, match: play_pb2.ActRequest(input=commitment(w.here, match)),
    "PlayService/GetView": lambda _, match: play_pb2.GetViewRequest(match=match, seat=SEATS[0]),
    "PlayService/Watch": lambda _, match: play_pb2.WatchRequest(match=match),
    "LobbyService/JoinMatch": lambda _, __: lobby_pb2.JoinMatchRequest(
        code="0000-0000-0000", request_id=b"r" * 16
    ),
    "AdjudicationService/GetRuleSet": lambda _, __: adjudication_pb2.GetRuleSetRequest(
        name="quick"
    ),
    "AdjudicationService/JudgeRecord": lambda _, __: adjudication_pb2.JudgeRecordRequest(
        record=b"deal 1 dealer west up TH\n"
    ),
    "DealService/VerifyDeal": lambda _, __: deal_pb2.VerifyDealRequest(proof=b"{}"),
    "DealService/VerifyTranscript": lambda _, __: deal_pb2.VerifyTranscriptRequest(chunk=b"x"),
    "ServerReflection/ServerReflectionInfo": lambda _, __: reflection_pb2.ServerReflectionRequest(
        list_services=""
    ),
}


def request_of(rpc: MethodDescriptor, place: World, match: str) -> Message:
    make = REQUESTS.get(f"{rpc.containing_service.name}/{rpc.name}")
    return GetMessageClass(rpc.input_type)() if make is None else make(place, match)


@dataclass(frozen=True)
class Outcome:
    """How a call ended, all that it said, and what came before."""

    code: str
    text: str = ""
    trailing: tuple[tuple[str, str | bytes], ...] = ()
    answers: int = 0


async def once(message: M) -> AsyncIterator[M]:
    yield message


async def outcome(served: Served, rpc: MethodDescriptor, request: Message, token: str) -> Outcome:
    """Ask an rpc; of a stream the first message is all that is wanted."""
    try:
        answers = await answered(served.channel, rpc, request, token)
    except grpc.aio.AioRpcError as err:
        trailing = tuple((name, value) for name, value in err.trailing_metadata() or ())
        return Outcome(err.code().name, err.details() or "", trailing)
    return Outcome(OK, answers=answers)


async def answered(
    channel: grpc.aio.Channel, rpc: MethodDescriptor, request: Message, token: str
) -> int:
    """How many answers an rpc has given, at most one; the error that it ends with is raised."""
    path = f"/{rpc.containing_service.full_name}/{rpc.name}"
    put = GetMessageClass(rpc.input_type).SerializeToString
    get = GetMessageClass(rpc.output_type).FromString
    who = bearer(token)
    if rpc.client_streaming and rpc.server_streaming:
        talk = channel.stream_stream(path, put, get)(
            once(request), metadata=who, timeout=PATIENCE_S
        )
        said = isinstance(await talk.read(), Message)
        talk.cancel()
    elif rpc.client_streaming:
        upload = channel.stream_unary(path, put, get)
        said = isinstance(await upload(once(request), metadata=who, timeout=PATIENCE_S), Message)
    elif rpc.server_streaming:
        stream = channel.unary_stream(path, put, get)(request, metadata=who, timeout=PATIENCE_S)
        said = isinstance(await stream.read(), Message)
        stream.cancel()
    else:
        ask = channel.unary_unary(path, put, get)
        said = isinstance(await ask(request, metadata=who, timeout=PATIENCE_S), Message)
    return int(said)


async def played(place: World, token: str, match: str) -> Outcome:
    """A stream with this token, on which north of a match commits to a seed."""
    call = place.served.plays.Play(timeout=PATIENCE_S)
    greeting = play_pb2.Hello(protocol=1, seats=[hello(token, resume=1_000)])
    said = commitment(place.here, match)
    answers = 0
    try:
        await call.write(play_pb2.PlayRequest(hello=greeting))
        await call.write(play_pb2.PlayRequest(inputs=[said]))
        while isinstance(message := await call.read(), play_pb2.PlayResponse):
            for item in message.items:
                if item.request_id == said.request_id:
                    call.cancel()
                    return _answered(item)
                assert item.match != match or item.seat == SEATS[place.here.seats.index(token)]
                answers += 1
        code = await call.code()
        trailing = tuple((name, value) for name, value in await call.trailing_metadata() or ())
        return Outcome(code.name, await call.details(), trailing, answers)
    except grpc.aio.AioRpcError as err:
        return Outcome(err.code().name, err.details() or "", answers=answers)


def _answered(item: play_pb2.PlayItem) -> Outcome:
    if item.HasField("ruling"):
        return Outcome(OK, answers=1)
    detail = (("status", item.status.SerializeToString()),)
    return Outcome(code_pb2.Code.Name(item.status.code), item.status.message, detail)


async def asked(place: World, name: str, token: str, match: str) -> Outcome:
    rpc = RPCS[name]
    while True:
        if name == "euchre.referee.v1.PlayService/Play":
            found = await played(place, token, match)
        else:
            found = await outcome(place.served, rpc, request_of(rpc, place, match), token)
        if found.text != CLIENTS_OWN:
            return found


# -- the table


def test_every_rpc_has_a_line_in_the_table_and_no_line_is_of_another() -> None:
    assert set(TABLE) == set(RPCS)


def test_every_rpc_of_the_server_has_its_door_and_no_door_leads_nowhere() -> None:
    ours = {name.removeprefix("euchre.referee.v1.") for name in RPCS if ".referee." in name}
    assert set(DOORS) == ours
    assert {name.partition("/")[0] for name in RPCS if ".referee." in name} == set(SERVICES)


@pytest.mark.parametrize("name", sorted(TABLE))
@on_loop
async def test_each_token_opens_its_own_doors_and_no_other(name: str) -> None:
    async with world() as place:
        found = [await asked(place, name, place.token(who), place.match(who)) for who in WHO]
        assert dict(zip(WHO, (each.code for each in found), strict=True)) == dict(
            zip(WHO, TABLE[name], strict=True)
        )
        assert [each.answers for each in found if each.code in {NO, NONE}] == [
            0 for each in found if each.code in {NO, NONE}
        ]


def hidden(seen: Outcome, match: str) -> Outcome:
    """An outcome in which the match that was asked for is not to be read."""
    trailing = tuple(
        (name, value.replace(match.encode(), b"?") if isinstance(value, bytes) else value)
        for name, value in seen.trailing
    )
    return Outcome(seen.code, seen.text.replace(match, "?"), trailing, seen.answers)


@pytest.mark.parametrize("name", [n for n, codes in sorted(TABLE.items()) if codes[2] != codes[4]])
@pytest.mark.parametrize("who", ["none", "garbage", "other", "ended", "gone"])
@on_loop
async def test_a_match_that_is_not_the_tokens_and_one_that_never_was_look_alike(
    name: str, who: str
) -> None:
    async with world() as place:
        token = place.token(who)
        forbidden = await asked(place, name, token, place.here.id)
        unknown = await asked(place, name, token, NOWHERE)
        assert forbidden.code != OK
        assert hidden(forbidden, place.here.id) == hidden(unknown, NOWHERE)


@pytest.mark.parametrize("who", ["none", "garbage", "other", "ended", "gone"])
@on_loop
async def test_the_journal_is_not_read_for_whom_it_is_not(
    who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the time that an answer takes would tell an unknown match from a forbidden one."""
    async with world() as place:
        monkeypatch.setattr(place.served.store, "rows", None)
        for name, codes in TABLE.items():
            if codes[2] != codes[4] and "Play/" not in name:
                forbidden = await asked(place, name, place.token(who), place.here.id)
                assert forbidden.code in {NO, NONE, NOT_YOURS}


@on_loop
async def test_a_seat_of_another_match_is_told_nothing_of_this_one() -> None:
    async with world() as place:
        call = place.served.plays.Play(timeout=PATIENCE_S)
        greeting = play_pb2.Hello(protocol=1, seats=[hello(place.other.seats[0])])
        await call.write(play_pb2.PlayRequest(hello=greeting))
        said = commitment(place.here, place.here.id)
        await call.write(play_pb2.PlayRequest(inputs=[said]))
        told: set[str] = set()
        refused = False
        while not refused:
            message = await call.read()
            assert isinstance(message, play_pb2.PlayResponse)
            for item in message.items:
                refused = refused or item.request_id == said.request_id
                told.add(item.match if item.request_id != said.request_id else "")
        assert told == {place.other.id, ""}
        call.cancel()
