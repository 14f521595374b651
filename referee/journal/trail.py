"""The audit of a trail: every deed that was ever noted is there, and can be read."""

from referee.journal.sqlite import SqliteReader
from referee.journal.store import Deed
from referee.sealing.canonical import parse
from referee.sealing.errors import DealProofError

MATCH_SIZE = 16


def audit_trail(reader: SqliteReader) -> tuple[int, str]:
    """How many deeds there are, and the first fault of the trail; empty where it is sound."""
    numbered, newest = reader.numbered_deeds(), reader.deed_count()
    for place, (number, deed) in enumerate(numbered, 1):
        if number != place:
            return len(numbered), f"deed {place} is missing"
        fault = _fault(deed)
        if fault:
            return len(numbered), f"deed {number} {fault}"
    if newest != len(numbered):
        return len(numbered), f"deed {newest} is missing"
    return len(numbered), ""


def _fault(deed: Deed) -> str:
    if deed.match is not None and len(deed.match) != MATCH_SIZE:
        return "is of no match"
    try:
        text = deed.detail.encode("ascii")
        parse(text)
    except (DealProofError, UnicodeEncodeError):
        return "has a detail that is not the JSON of a trail"
    return ""
