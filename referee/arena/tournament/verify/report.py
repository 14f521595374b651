"""What the verification of an event found: whose doing, in which file, and what."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

REFEREE: Final = "referee"
FILE: Final = "file"
PUBLISHER: Final = "publisher"
KEY: Final = "key"
PARTIES: Final = {
    REFEREE: "the referee signed what fails: the file is evidence against it",
    FILE: "the file is not as the referee wrote it: ask for another copy",
    PUBLISHER: "the publisher's files do not follow from the records: ask for them again",
    KEY: "the key is not the one that signed: ask the referee for its key",
}

VERIFIED: Final = 0
RULES: Final = 1
SEAL: Final = 3
SIGNATURE: Final = 4
INCOMPLETE: Final = 5
UNREADABLE: Final = 6
NOT_STRICT: Final = 7

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that fails: the exit code of its kind, whose doing, the file, and what."""

    exit: int
    party: str
    file: str
    message: str

    def as_map(self) -> dict[str, Json]:
        """The finding for programs."""
        return {
            "exit": self.exit,
            "party": self.party,
            "file": self.file,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReport:
    """The answer about one event; figures are 0 where it could not be read that far."""

    name: str = ""
    key: str = ""
    pinned: bool = False
    finished: bool = False
    findings: tuple[Finding, ...] = ()
    figures: dict[str, int] = field(default_factory=dict)

    @property
    def exit(self) -> int:
        """The exit code: that of the first finding; 0 where there is none."""
        return self.findings[0].exit if self.findings else VERIFIED

    def as_map(self) -> dict[str, Json]:
        """The report for programs."""
        return {
            "exit": self.exit,
            "name": self.name,
            "key": {"pinned": self.pinned, "line": self.key},
            "state": "finished" if self.finished else "running",
            "figures": dict(self.figures),
            "findings": [finding.as_map() for finding in self.findings],
        }
