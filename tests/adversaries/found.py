"""How much a fuzzer sends, what came back, and what may not."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

ALLOWED: Final = frozenset(
    {
        "OK",
        "INVALID_ARGUMENT",
        "ABORTED",
        "NOT_FOUND",
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
        "FAILED_PRECONDITION",
        "RESOURCE_EXHAUSTED",
        "UNAVAILABLE",
    }
)
"""The statuses that the proto files tell of; DEADLINE_EXCEEDED would be a stuck call."""
EXITS: Final = frozenset({0, 1, 2, 3, 4, 5, 6, 7})
PATIENCE_S: Final = 180.0


@dataclass(frozen=True)
class Plan:
    """How much to send."""

    messages: int
    transcript_bytes: int
    seed: int


@dataclass
class Found:
    """What came back, and what should not have."""

    messages: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    exits: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    honest_actions: int = 0
    rss: list[tuple[int, int]] = field(default_factory=list)

    def blame(self, text: str) -> None:
        """Keep what is wrong, but not without end."""
        if len(self.wrong) < 50:
            self.wrong.append(text)
