"""The proof of one deal: the lines of match_open and of that deal, in one small file.

Each signed line carries its `prev`, so that its signature is checked alone.
"""

import json
from collections.abc import Iterable
from typing import Final

from referee.sealing.canonical import parse
from referee.sealing.errors import NoSuchDealError, UnreadableError
from referee.sealing.events import MatchOpen
from referee.sealing.transcript import split_line

PROOF_FORMAT: Final = "euchre-deal-proof/1"
PROOF_START: Final = b'{"format":"euchre-deal-proof/'


def proof_text(match: str, lines: list[bytes]) -> bytes:
    """A deal proof: the lines of match_open and of one deal, without their line feeds."""
    texts = [line.decode("ascii") for line in lines]
    value = {"format": PROOF_FORMAT, "match": match, "lines": texts}
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"


def proof_lines(text: bytes) -> tuple[str, list[bytes]]:
    """The match and the lines of a deal proof, which is in its one form."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise UnreadableError("not a whole deal proof: it is not JSON") from err
    if not isinstance(value, dict) or set(value) != {"format", "match", "lines"}:
        raise UnreadableError("not a deal proof: it has format, match and lines, and no more")
    match, lines = value["match"], value["lines"]
    if value["format"] != PROOF_FORMAT or not isinstance(match, str) or not isinstance(lines, list):
        raise UnreadableError(f"not a deal proof of the format {PROOF_FORMAT!r}")
    try:
        raw = [str(line).encode("ascii") for line in lines]
    except UnicodeEncodeError as err:
        raise UnreadableError("not a deal proof: a line is not ASCII") from err
    if not raw or proof_text(match, raw).rstrip(b"\n") != text.removesuffix(b"\n"):
        raise UnreadableError("not a deal proof in its one form (written by prove-deal)")
    return match, raw


def prove_deal(lines: Iterable[bytes], deal: int) -> bytes:
    """The proof of one deal of a transcript, given as lines without line feeds."""
    kept: list[bytes] = []
    match = ""
    closed = False
    for line in lines:
        raw, _ = split_line(line)
        fields = parse(raw)
        if fields.get("kind") == MatchOpen.kind:
            match = str(fields.get("match"))
            if "board" in fields:
                raise UnreadableError(
                    "a table of a sealed board: its deck stands in the board's file, and the two"
                    " are its proof (verify them together)"
                )
            kept.append(line)
        elif fields.get("deal") == deal:
            kept.append(line)
            closed = fields.get("kind") == "deal_close"
            if closed:
                break
    if not match:
        raise UnreadableError("not a transcript: it has no match_open")
    if not closed:
        raise NoSuchDealError(f"the transcript holds no closed deal {deal} (show lists them)")
    return proof_text(match, kept)
