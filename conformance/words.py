"""What is wrong with a line that is not JSON, in a beginner's words."""

import json
from collections.abc import Sequence

STDERR = "standard output belongs to the protocol: print what is for you to standard error"
BOM = b"\xef\xbb\xbf"


def unreadable(line: bytes, more: Sequence[bytes], detail: str) -> tuple[str, str]:
    """What a line is that is no answer, and what to do; `more` are the lines after it."""
    if line.startswith(BOM):
        return "the output begins with a byte order mark", "write UTF-8 without one"
    if b"\x00" in line:
        return "the output is UTF-16, or holds null bytes", "write UTF-8"
    if "stands twice" in detail:
        return detail, "write each key of an answer once"
    if line.lstrip()[:1] in (b"{", b"[") and _whole(b"\n".join((line, *more))):
        return (
            "the answer is JSON spread over several lines",
            "write each answer on one line: no indent, no pretty printing",
        )
    if line.lstrip().startswith((b"{'", b"{ '")):
        return (
            f"{detail}: quoted as Python prints it",
            "write it with json.dumps, not with print or str",
        )
    if "not UTF-8" in detail:
        return detail, "write UTF-8, or escape what is not ASCII"
    if any(_whole(later) for later in more):
        return f"there is a banner before the answer: {detail}", STDERR
    return detail, STDERR


def _whole(data: bytes) -> bool:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict)
