"""Questions that take long are answered beside the event loop, and no table waits for them."""

import asyncio
from collections.abc import Callable

import pytest
from google.rpc import code_pb2, status_pb2

from referee.pb.euchre.referee.v1 import adjudication_pb2, deal_pb2, table_pb2
from referee.service.clerk import TASKS, answer
from referee.service.clerks import ANSWERED, FAILED, REFUSED, Clerks
from tests.service.support import PATIENCE_S, Served, on_loop, refusal, serving, until

DEAL = adjudication_pb2.Deal(
    dealer=table_pb2.SEAT_NORTH,
    north=["9C", "TC", "JC", "QC", "KC"],
    east=["9D", "TD", "JD", "QD", "KD"],
    south=["9H", "TH", "JH", "QH", "KH"],
    west=["9S", "TS", "JS", "QS", "KS"],
    upcard="AC",
)
MANY = adjudication_pb2.LegalActionsRequest(
    positions=[adjudication_pb2.Position(deal=DEAL, actions=["pass"])] * 4_096
)
FEW = adjudication_pb2.LegalActionsRequest(positions=MANY.positions[:1_000])
ONE = adjudication_pb2.LegalActionsRequest(positions=MANY.positions[:1])


async def legal(served: Served, asked: adjudication_pb2.LegalActionsRequest) -> list[list[str]]:
    found = await served.rules.LegalActions(asked, timeout=PATIENCE_S)
    return [list(one.legal) for one in found.answers]


def clerks(served: Served) -> Clerks:
    return served.server._clerks


@on_loop
async def test_a_long_batch_leaves_the_loop_to_the_others() -> None:
    async with serving() as served:
        asking = asyncio.create_task(legal(served, MANY))
        turns = 0
        while not asking.done():
            turns += 1
            await asyncio.sleep(0)
        assert await asking == (await legal(served, ONE)) * 4_096
        assert turns > 1_000


@on_loop
async def test_a_short_question_needs_no_clerk_and_a_long_one_starts_one() -> None:
    async with serving() as served:
        await legal(served, ONE)
        assert not clerks(served)._idle
        await legal(served, FEW)
        await legal(served, FEW)
        assert len(clerks(served)._idle) == 1
        process = clerks(served)._idle[0]._process
    assert process.returncode is not None


@on_loop
async def test_what_a_clerk_refuses_reads_as_if_the_server_had_refused_it() -> None:
    async with serving() as served:
        wrong = adjudication_pb2.LegalActionsRequest(positions=FEW.positions)
        wrong.positions[7].deal.upcard = "9C"
        found = await refusal(served.rules.LegalActions(wrong, timeout=PATIENCE_S))
        assert (found.code, found.fields) == ("INVALID_ARGUMENT", ["positions[7]"])


@on_loop
async def test_a_clerk_that_dies_costs_one_question() -> None:
    async with serving() as served:
        await legal(served, FEW)
        process = clerks(served)._idle[0]._process
        process.kill()
        await process.wait()
        found = await refusal(served.rules.LegalActions(FEW, timeout=PATIENCE_S))
        assert (found.code, found.reason, found.asks_to_retry) == ("UNAVAILABLE", "NO_CLERK", True)
        assert len(await legal(served, FEW)) == 1_000


@on_loop
async def test_an_answer_that_takes_too_long_is_refused_and_its_clerk_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving() as served:
        await legal(served, FEW)
        process = clerks(served)._idle[0]._process
        with monkeypatch.context() as patch:
            patch.setattr("referee.service.clerks.LONGEST_S", 0.001)
            found = await refusal(served.rules.LegalActions(MANY, timeout=PATIENCE_S))
        assert (found.code, found.reason) == ("RESOURCE_EXHAUSTED", "TOO_LONG")
        await until(lambda: process.returncode is not None)
        assert len(await legal(served, FEW)) == 1_000


@on_loop
async def test_a_question_whose_asker_has_gone_is_not_answered_to_the_end() -> None:
    async with serving() as served:
        await legal(served, FEW)
        process = clerks(served)._idle[0]._process
        call = served.rules.LegalActions(MANY, timeout=PATIENCE_S)
        await until(lambda: not clerks(served)._idle)
        call.cancel()
        await until(lambda: process.returncode is not None)
        assert clerks(served)._waiting == 0


@on_loop
async def test_too_many_long_questions_are_refused_for_now(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as served:
        with monkeypatch.context() as patch:
            patch.setattr("referee.service.clerks.MOST_WAITING", 0)
            found = await refusal(served.rules.LegalActions(FEW, timeout=PATIENCE_S))
            assert (found.code, found.asks_to_retry) == ("RESOURCE_EXHAUSTED", True)
        with monkeypatch.context() as patch:
            patch.setattr("referee.service.clerks.MOST_BYTES", 1_000)
            piece = deal_pb2.VerifyTranscriptRequest(chunk=bytes(999))
            call = served.deals.VerifyTranscript(iter([piece, piece]), timeout=PATIENCE_S)
            assert (await refusal(call)).reason == "BUSY"
        assert clerks(served)._bytes == 0
        assert len(await legal(served, FEW)) == 1_000


@on_loop
async def test_a_transcript_that_never_ends_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.deals.UPLOAD_S", 0.2)
    async with serving() as served:
        call = served.deals.VerifyTranscript(timeout=PATIENCE_S)
        await call.write(deal_pb2.VerifyTranscriptRequest(chunk=b"x"))
        found = await refusal(call)
        assert (found.code, found.reason) == ("RESOURCE_EXHAUSTED", "TOO_SLOW")


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("LegalActions", ONE.SerializeToString(), ANSWERED),
        ("JudgeRecord", b"", REFUSED),
        ("LegalActions", b"\xff", FAILED),
        ("NoSuchTask", b"", FAILED),
    ],
)
def test_a_clerk_answers_refuses_or_says_how_it_failed(name: str, data: bytes, kind: bytes) -> None:
    found, said = answer(name, data)
    assert found == kind
    checks: dict[bytes, Callable[[bytes], bool]] = {
        ANSWERED: lambda body: body == TASKS[name](data),
        REFUSED: lambda body: status_pb2.Status.FromString(body).code == code_pb2.INVALID_ARGUMENT,
        FAILED: lambda body: b"Traceback" in body,
    }
    assert checks[kind](said)
