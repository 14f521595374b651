"""How a match ended, in the words that `euchre-referee match` and `show` end with."""

from dataclasses import dataclass
from typing import Self

from euchre_bot.events import Event


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended.

    `games` says that the score counts games, not points; `last` is then the score of the game at
    hand, as the last closed deal left it. `by` is the seat whose fault or wish it was.
    """

    match: str
    outcome: str
    winner: str | None
    ns: int
    ew: int
    deals: int
    games: bool = True
    last: tuple[int, int] | None = None
    by: str | None = None

    def __str__(self) -> str:
        by = f" by {self.by}" if self.by else ""
        told = self._score()
        if self.games and self.last is not None:
            told += f", the last one ns {self.last[0]} ew {self.last[1]}"
        after = f"after {self.deals} deal{'s' * (self.deals != 1)}"
        return f"match {self.match}: {self.outcome}{by}: {told}, {after}"

    def _score(self) -> str:
        """Who wins and by how much, the winner's count first."""
        unit = "games" if self.games else "points"
        if self.winner is None:
            return f"nobody wins, ns {self.ns} ew {self.ew} in {unit}"
        ours, theirs = (self.ew, self.ns) if self.winner == "ew" else (self.ns, self.ew)
        return f"{self.winner} wins {ours}-{theirs} in {unit}"

    @classmethod
    def of(cls, close: Event, match: str, *, games: bool, last: tuple[int, int] | None) -> Self:
        """What the event that closes a match says."""
        fields = close.fields
        ns, ew = score_of(close)
        return cls(
            match=match,
            outcome=fields.text("outcome"),
            winner=fields.text("winner") if "winner" in fields else None,
            ns=ns,
            ew=ew,
            deals=fields.number("deals"),
            games=games,
            last=last,
            by=fields.text("by") if "by" in fields else None,
        )


def score_of(close: Event) -> tuple[int, int]:
    """The score in the event that closes a deal or a match: ns, ew."""
    score = close.fields.child("score")
    return score.number("ns"), score.number("ew")
