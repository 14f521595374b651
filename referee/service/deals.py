"""DealService: the verifier as a service."""

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Final

from google.rpc import code_pb2

from referee.journal.verify import Report, verify_stream
from referee.pb.euchre.referee.v1 import deal_pb2, deal_pb2_grpc
from referee.sealing.keys import VerifyKey, parse_key
from referee.service.guard import check_readable
from referee.service.status import Context, bad_field, refusal

LARGEST_TRANSCRIPT: Final = 64 << 20


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


async def verified(data: bytes, pinned: VerifyKey | None) -> deal_pb2.Verdict:
    """The verdict on a file's bytes, found beside the event loop."""
    report = await asyncio.to_thread(verify_stream, io.BytesIO(data), pinned=pinned)
    return verdict_message(report)


class DealService(deal_pb2_grpc.DealServiceServicer):
    """Proofs, checked for whoever asks."""

    async def VerifyDeal(  # noqa: N802 -- the rpc's name
        self, request: deal_pb2.VerifyDealRequest, _context: Context
    ) -> deal_pb2.VerifyDealResponse:
        """Check a deal proof."""
        if not request.proof:
            raise bad_field("proof", "the file's bytes are wanted")
        verdict = await verified(request.proof, pinned_key(request.referee_key))
        return deal_pb2.VerifyDealResponse(verdict=verdict)

    async def VerifyTranscript(  # noqa: N802 -- the rpc's name
        self, requests: AsyncIterator[deal_pb2.VerifyTranscriptRequest], _context: Context
    ) -> deal_pb2.VerifyTranscriptResponse:
        """Check a whole transcript, sent in pieces."""
        data = bytearray()
        key = ""
        async for message in requests:
            check_readable(message)
            key = key or message.referee_key
            data += message.chunk
            if len(data) > LARGEST_TRANSCRIPT:
                text = f"over {LARGEST_TRANSCRIPT >> 20} MiB (verify it offline)"
                raise refusal(code_pb2.RESOURCE_EXHAUSTED, "TOO_LARGE", text)
        if not data:
            raise bad_field("chunk", "the file's bytes are wanted")
        verdict = await verified(bytes(data), pinned_key(key))
        return deal_pb2.VerifyTranscriptResponse(verdict=verdict)
