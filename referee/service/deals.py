"""DealService: the verifier as a service."""

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

from google.rpc import code_pb2

from referee.journal.verify import Report, verify_stream
from referee.pb.euchre.referee.v1 import deal_pb2, deal_pb2_grpc
from referee.sealing.keys import VerifyKey, parse_key
from referee.service.clerks import Clerks, Task
from referee.service.guard import check_readable
from referee.service.status import Context, bad_field, refusal

LARGEST_TRANSCRIPT: Final = 64 << 20
UPLOAD_S: Final = 120.0
"""A transcript is whole in that time."""


def verdict_message(report: Report) -> deal_pb2.Verdict:
    """What the verifier found."""
    failure = report.verdict.failure
    return deal_pb2.Verdict(
        exit=report.exit,
        party="" if failure is None else failure.party or "",
        seq=None if failure is None else failure.seq,
        deal=None if failure is None else failure.deal,
        text="verified" if failure is None else failure.message,
        deals=report.verdict.totals.verified,
    )


def pinned_key(text: str) -> VerifyKey | None:
    """The key that the asker pins, if any."""
    return parse_key(text) if text else None


def verify_task(data: bytes) -> bytes:
    """The verdict on a file's bytes, as an answer of either rpc."""
    request = deal_pb2.VerifyDealRequest.FromString(data)
    pinned = pinned_key(request.referee_key)
    report = verify_stream(io.BytesIO(request.proof), pinned=pinned)
    return deal_pb2.VerifyDealResponse(verdict=verdict_message(report)).SerializeToString()


TASKS: Final[Mapping[str, Task]] = {"VerifyDeal": verify_task}


class DealService(deal_pb2_grpc.DealServiceServicer):
    """Proofs, checked for whoever asks."""

    def __init__(self, clerks: Clerks) -> None:
        self._clerks = clerks

    async def _verified(self, request: deal_pb2.VerifyDealRequest) -> bytes:
        """The bytes of the response; both rpcs answer with a verdict under the same number."""
        pinned_key(request.referee_key)
        data = request.SerializeToString()
        return await self._clerks.answer("VerifyDeal", verify_task, data, small=0)

    async def VerifyDeal(  # noqa: N802 -- the rpc's name
        self, request: deal_pb2.VerifyDealRequest, _context: Context
    ) -> bytes:
        """Check a deal proof."""
        if not request.proof:
            raise bad_field("proof", "the file's bytes are wanted")
        return await self._verified(request)

    async def VerifyTranscript(  # noqa: N802 -- the rpc's name
        self, requests: AsyncIterator[deal_pb2.VerifyTranscriptRequest], _context: Context
    ) -> bytes:
        """Check a whole transcript, sent in pieces."""
        with self._clerks.room() as more:
            try:
                async with asyncio.timeout(UPLOAD_S):
                    data, key = await _received(requests, more)
            except TimeoutError:
                text = f"not whole after {UPLOAD_S:g} s (verify it offline)"
                raise refusal(code_pb2.RESOURCE_EXHAUSTED, "TOO_SLOW", text) from None
            request = deal_pb2.VerifyDealRequest(proof=data, referee_key=key)
            return await self._verified(request)


async def _received(
    requests: AsyncIterator[deal_pb2.VerifyTranscriptRequest], more: Callable[[int], None]
) -> tuple[bytes, str]:
    """A file that comes in pieces, and the key that stands beside it."""
    data = bytearray()
    key = ""
    async for message in requests:
        check_readable(message)
        key = key or message.referee_key
        more(len(message.chunk))
        data += message.chunk
        if len(data) > LARGEST_TRANSCRIPT:
            text = f"over {LARGEST_TRANSCRIPT >> 20} MiB (verify it offline)"
            raise refusal(code_pb2.RESOURCE_EXHAUSTED, "TOO_LARGE", text)
    if not data:
        raise bad_field("chunk", "the file's bytes are wanted")
    return bytes(data), key
