"""The page for operators tells the limits that the server has."""

from pathlib import Path

from referee.service import clerks, deals, limits, stream

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "referee" / "service" / "OPERATING.md").read_text(encoding="utf-8")


def test_the_page_tells_the_limits_as_they_are() -> None:
    section = PAGE.partition("## What one client cannot do")[2].partition("\n## ")[0]
    for told in (
        f"{limits.MOST_CONNECTIONS:,} connections",
        f"in {limits.HANDSHAKE_MS // 1_000} s that it speaks HTTP/2",
        f"for {limits.IDLE_MS // 60_000} minutes",
        f"unanswered for {limits.PING_ANSWER_MS // 1_000} s",
        f"{limits.MOST_STREAMS:,} calls",
        f"headers of {limits.LARGEST_METADATA >> 10} KiB",
        f"messages of {limits.LARGEST_MESSAGE >> 20} MiB",
        f"a ping every {limits.PINGS_APART_MS // 1_000} s",
        f"comes in {limits.HELLO_S:g} s",
        f"verify in {deals.UPLOAD_S:g} s",
        f"{limits.MOST_INPUTS:,} inputs",
        f"{limits.AT_A_STRETCH} at a turn",
        f"{stream.MISUSES_A_SEAT} misuses a seat",
        f"{limits.LONGEST_QUEUE:,} items",
        f"a message {limits.STALLED_S:g} s",
        f"in {clerks.LONGEST_S:g} s",
        f"{clerks.MOST_WAITING} questions",
    ):
        assert told in section, told
