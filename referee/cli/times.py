"""Times as a person reads them."""

from datetime import UTC, datetime


def clock_time(wall_ms: int) -> str:
    """Milliseconds since 1970 as UTC.

    >>> clock_time(1_700_000_000_000)
    '2023-11-14 22:13:20Z'
    """
    moment = datetime.fromtimestamp(wall_ms / 1_000, UTC)
    return moment.isoformat(sep=" ", timespec="seconds").replace("+00:00", "Z")
