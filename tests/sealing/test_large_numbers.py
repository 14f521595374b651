"""Numbers that four bytes cannot hold are refused where they come from outside."""

import json

import pytest

from referee.sealing.errors import UnreadableError
from referee.sealing.proof import prove_deal
from referee.sealing.receipts import read_receipt
from referee.sealing.transcript import event_hash, line_bytes, sign_event
from referee.sealing.verify import SIGNED_KINDS
from tests.sealing.support import KEY, proof_verdict, sealed_match

BEYOND = 2**32


def moved(proof: bytes, by: int) -> bytes:
    """The same deal, further on in the chain, signed again by the referee."""
    fields = json.loads(proof)
    opened, *lines = fields["lines"]
    events = [json.loads(line)["event"] for line in lines]
    head, moved_lines = bytes.fromhex(events[0]["prev"]), [opened]
    for event in events:
        event["seq"] += by
        event["prev"] = head.hex()
        raw = json.dumps(event, sort_keys=True, separators=(",", ":")).encode()
        head = event_hash(head, raw)
        sig = sign_event(KEY, head) if event["kind"] in SIGNED_KINDS else b""
        moved_lines.append(line_bytes(raw, sig).decode().removesuffix("\n"))
    return json.dumps({**fields, "lines": moved_lines}, separators=(",", ":")).encode() + b"\n"


def test_a_receipt_with_a_number_beyond_four_bytes_is_unreadable() -> None:
    item = {"deal": 1, "head": "00" * 32, "match": "00" * 16, "seq": BEYOND}
    text = json.dumps({"items": [item], "sig": "00" * 64}, separators=(",", ":"))
    with pytest.raises(UnreadableError):
        read_receipt(text.encode(), "north.jsonl", 1)


def test_a_proof_with_numbers_beyond_four_bytes_is_refused_and_none_is_a_crash() -> None:
    text = sealed_match(1, levels=("signs",) * 4).text
    proof = prove_deal(text.splitlines(), 1)
    failure = proof_verdict(moved(proof, BEYOND)).failure
    assert failure is not None
    assert (failure.exit, failure.party) == (3, "file")
