"""The tournament file as a value: who plays whom, how much, under which rules and limits.

Everything that can be known to be wrong without starting a bot is said when the file is read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import Final

from referee.arena.tournament.model import PLAYER_TABLES, TEAM_TABLES
from referee.rules import RuleSet
from referee.sealing.keys import name_fault
from referee.sealing.parts import Policy

FORMATS: Final = {
    "round_robin": "everybody meets everybody, `times` times",
    "gauntlet": "the `challengers` meet everybody else, `times` times",
    "swiss": "`rounds` rounds, each against somebody with about the same score",
    "progressive": "`rounds` rounds; who has won moves up a table (or as `movement` says),"
    " with `size` 2 teams or 4 players a table",
    "individual": "four players a table, everybody partners everybody once (a whist rotation)",
    "single_elimination": "a knock-out; `third_place: true` plays for the third place too",
    "double_elimination": "two losses are out; `reset: true` plays a second final where it is due",
}
"""Every format, with what it does."""
PLAYERS: Final = 4
ELIMINATION: Final = frozenset({"single_elimination", "double_elimination"})
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "round_robin": ("times",),
    "gauntlet": ("challengers", "times"),
    "swiss": ("rounds",),
    "progressive": ("rounds", "size", "movement"),
    "individual": ("rounds",),
    "single_elimination": ("third_place", "replays"),
    "double_elimination": ("reset", "replays"),
}
MODES: Final = ("boards", "games")
DEALERS: Final = ("balanced", "rotating")
BYES: Final = ("none", "full", "half", "zero")
SANDBOX: Final = ("auto", "on", "off")


def entry_fault(name: str) -> str | None:
    """Why a text cannot name an entry, or None: it is part of file names, pages and CSV."""
    fault = name_fault(name)
    if fault is None and ("/" in name or name[0] in ".-="):
        return "it may not hold a slash, nor begin with a dot, a dash or an equals sign"
    return fault


@dataclass(frozen=True, slots=True)
class Entry:
    """Who takes part: a name, the bot that plays under it, and the line that says so."""

    name: str
    bot: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSheet:
    """A format and its options; what does not belong to the format keeps its default."""

    kind: str
    rounds: int | None = None
    times: int = 1
    challengers: tuple[str, ...] = ()
    third_place: bool = False
    reset: bool = True
    replays: int = 0
    size: int = 2
    movement: tuple[tuple[str, str], ...] = ()

    @property
    def individual(self) -> bool:
        """Whether single players meet, four at a table, not teams."""
        return self.kind == "individual" or self.size == PLAYERS

    @property
    def elimination(self) -> bool:
        """Whether every meeting needs a winner."""
        return self.kind in ELIMINATION


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """What a meeting pays."""

    win: Fraction = Fraction(2)
    draw: Fraction = Fraction(1)
    loss: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Somebody who plays no more from a round on."""

    name: str
    before: int


@dataclass(frozen=True, slots=True)
class Substitute:
    """Who plays on in the place of an entry from a round on, with what that one has scored."""

    name: str
    bot: str
    instead_of: str
    since: int


@dataclass(frozen=True, slots=True)
class Sprt:
    """When two entries have played enough: a test of two means, in points per deal."""

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A tournament file, read and checked."""

    name: str
    format: FormatSheet
    entries: tuple[Entry, ...]
    preset: str = "standard"
    knobs: Mapping[str, str] = field(default_factory=dict)
    rules: RuleSet
    boards: int
    dealers: str = "balanced"
    mode: str = "boards"
    chunk: int
    policy: Policy
    deal_ms: int | None = None
    bye: str | None = None
    forbidden: tuple[tuple[str, str], ...] = ()
    tie_breaks: tuple[str, ...] = ()
    match_points: MatchPoints = MatchPoints()
    withdrawals: tuple[Withdrawal, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    sprt: Sprt | None = None
    seed: int = 0
    workers: int | None = None
    sandbox: str = "auto"
    attempts: int = 5
    text: bytes = b""

    @property
    def hash(self) -> str:
        """The file's SHA-256, in hex: what an event is pinned to when it starts."""
        return sha256(self.text).hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names, in the order of seeding."""
        return tuple(entry.name for entry in self.entries)

    @property
    def tables(self) -> int:
        """The tables at which each board is played."""
        return PLAYER_TABLES if self.format.individual else TEAM_TABLES

    def bot(self, name: str) -> str:
        """The bot of an entry, or of a substitute."""
        bots = {each.name: each.bot for each in self.entries}
        bots.update({each.name: each.bot for each in self.substitutes})
        return bots[name]
