"""A server at its most talkative, in both forms of its log, and every secret that it had."""

import asyncio
import json
import secrets
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import grpc
import pytest

from benchmarks.load import POLICY, SECRET, Multiplexed, Table
from referee.journal.codec import event_of
from referee.journal.sqlite import SqliteReader
from referee.pb.euchre.referee.v1 import (
    lobby_pb2,
    lobby_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    table_pb2,
)
from referee.sealing.commit import seat_seed
from referee.table.events import CardHidden, MatchCreated, SeedShown
from tests.adversaries.target import Target
from tests.service.support import PATIENCE_S, bearer

OPERATOR = "operator-" + "5a" * 16
ACTIONS = 60


def journal_secrets(path: Path) -> set[str]:
    """What the journal keeps to itself in the middle of a match."""
    found: set[str] = set()
    with closing(SqliteReader(path)) as reader:
        for match in reader.matches():
            for event in map(event_of, reader.rows(match)):
                if isinstance(event, MatchCreated):
                    found.add(event.secret.hex())
                if isinstance(event, SeedShown):
                    found.add(event.seed.hex())
                if isinstance(event, CardHidden):
                    found |= {blind.hex() for blind in event.blinds}
    return found - {""}


async def create(
    channel: grpc.aio.Channel, *seats: table_pb2.Seat
) -> match_pb2.CreateMatchResponse:
    request = match_pb2.CreateMatchRequest(rule_set="quick", policy=POLICY, open_seats=seats)
    made: match_pb2.CreateMatchResponse = await match_pb2_grpc.MatchServiceStub(
        channel
    ).CreateMatch(request, timeout=PATIENCE_S, metadata=bearer(OPERATOR))
    return made


async def mistakes(channel: grpc.aio.Channel, told: Iterable[str]) -> int:
    """Calls that fail in every way, each with a secret where it does not belong."""
    matches = match_pb2_grpc.MatchServiceStub(channel)
    plays = play_pb2_grpc.PlayServiceStub(channel)
    lobby = lobby_pb2_grpc.LobbyServiceStub(channel)
    failed = 0
    for secret in told:
        seen = bearer(secret)
        hello = play_pb2.SeatHello(token=secret, name=secret, level=play_pb2.LEVEL_SIGNS)
        said = play_pb2.PlayInput(match=secret, request_id=bytes(16), hello=hello)
        first = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=[hello]))
        calls = [
            matches.GetMatch(match_pb2.GetMatchRequest(match=secret), timeout=9, metadata=seen),
            matches.ListMatches(
                match_pb2.ListMatchesRequest(page_token=secret), timeout=9, metadata=seen
            ),
            matches.AbortMatch(match_pb2.AbortMatchRequest(match=secret), timeout=9, metadata=seen),
            matches.CreateMatch(
                match_pb2.CreateMatchRequest(rule_set=secret, rules={secret: secret}),
                timeout=9,
                metadata=bearer(OPERATOR),
            ),
            plays.Act(play_pb2.ActRequest(input=said), timeout=9, metadata=seen),
            plays.Play(iter([first]), timeout=9).read(),
            lobby.JoinMatch(
                lobby_pb2.JoinMatchRequest(code=secret, request_id=bytes(16)), timeout=9
            ),
        ]
        results = await asyncio.gather(*calls, return_exceptions=True)
        failed += sum(isinstance(result, grpc.aio.AioRpcError) for result in results)
    return failed


async def life(folder: Path, form: str) -> set[str]:
    """A server that is used, misused, stopped and started again; the secrets it had."""
    (folder / "operators").write_text(f"ada {OPERATOR}\n")
    (folder / "operators").chmod(0o600)
    words = ("--operator-token-file", "operators", "--log-level", "debug", "--log-format", form)
    kept = {OPERATOR}
    async with (
        Target(folder, *words, GRPC_VERBOSITY="debug") as target,
        grpc.aio.insecure_channel(target.address) as channel,
    ):
        made = await create(channel)
        await Multiplexed(channel, [Table(made)]).play(ACTIONS)
        kept |= {*made.seat_tokens, made.watch_token}
        kept |= {
            seat_seed(SECRET, bytes.fromhex(made.match.match), deal).hex() for deal in range(9)
        }
        opened = await create(channel, table_pb2.SEAT_NORTH, table_pb2.SEAT_SOUTH)
        codes = [invitation.code for invitation in opened.invitations]
        request = lobby_pb2.JoinMatchRequest(code=codes[0], request_id=secrets.token_bytes(16))
        joined = await lobby_pb2_grpc.LobbyServiceStub(channel).JoinMatch(request, timeout=9)
        kept |= {*codes, joined.token, *(token for token in opened.seat_tokens if token)}
        assert await mistakes(channel, [*kept][:8]) > 40
        kept |= journal_secrets(folder / "j.db")
    async with Target(folder, *words, GRPC_VERBOSITY="debug"):
        pass
    pem = (folder / "k.pem").read_text(encoding="ascii").splitlines()[1]
    return {*kept, pem}


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_line_of_the_log_holds_a_secret_whatever_is_done_and_goes_wrong(
    form: str, tmp_path: Path
) -> None:
    kept = asyncio.run(life(tmp_path, form))
    log = (tmp_path / "log").read_text(encoding="utf-8", errors="replace")
    assert "match_created" in log
    assert "match_resumed" in log
    assert len(kept) > 20
    for secret in kept:
        assert secret not in log
        assert repr(bytes.fromhex(secret)) not in log if is_hex(secret) else True
    ours = [line for line in log.splitlines() if line.startswith("{")]
    assert all(json.loads(line)["event"] for line in ours)
    assert bool(ours) == (form == "json")


def is_hex(text: str) -> bool:
    return len(text) % 2 == 0 and all(ch in "0123456789abcdef" for ch in text)
