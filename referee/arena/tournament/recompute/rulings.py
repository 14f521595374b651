"""What the director did, and what it makes of boards."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from .fields import fraction, load, text, texts
from .record import Board, events


@dataclass
class Action:
    """A line of the director's log."""

    seq: int
    kind: str
    who: str
    reason: str
    at_ms: int
    board: tuple[int, int, int]
    attempt: int
    entry: str
    entries: list[str]
    score: Fraction
    name: str
    bot: str
    since: int
    undoes: int

    def told(self) -> str:
        """What was done, in the words of the pages."""
        round_number, encounter, board = self.board
        place = f"round {round_number}, encounter {encounter}"
        words = {
            "adjust": f"{self.entry} gets {self.score} on board {board} of {place}",
            "void": f"board {board} of {place} does not count",
            "replay": f"board {board} of {place} is played again",
            "lost": f"try {self.attempt} at board {board} of {place} is void:"
            " the journal that it lay open in is lost",
            "forfeit": f"{' and '.join(self.entries)} forfeit what is not played of {place}",
            "substitute": f"{self.name} ({self.bot}) for {self.entry} since round {self.since}",
            "withdraw": f"{self.entry} withdraws before round {self.since}",
        }
        return words.get(self.kind, f"action {self.undoes} is undone")


def read_actions(path: Path) -> list[Action]:
    """The director's log; it may be empty, and is not verified here."""
    found = []
    for event in events(path.name, load(path)):
        round_number, encounter, board = (
            _number(event, word) for word in ("round", "encounter", "board")
        )
        found.append(
            Action(
                seq=_number(event, "seq"),
                kind=text(event, "kind"),
                who=text(event, "who"),
                reason=text(event, "reason"),
                at_ms=_number(event, "at"),
                board=(round_number, encounter, board),
                attempt=_number(event, "attempt"),
                entry=text(event, "entry"),
                entries=texts(event, "entries"),
                score=fraction(text(event, "score") or "0"),
                name=text(event, "name"),
                bot=text(event, "bot"),
                since=_number(event, "since"),
                undoes=_number(event, "undoes", -1),
            )
        )
    return found


def _number(event: dict[str, object], name: str, missing: int = 0) -> int:
    found = event.get(name, missing)
    return found if isinstance(found, int) else missing


def undone_actions(actions: list[Action]) -> set[int]:
    """The numbers of those that another one undoes, which is not undone itself."""
    undone: set[int] = set()
    for action in sorted(actions, key=lambda one: -one.seq):
        if action.kind == "undo" and action.seq not in undone:
            undone.add(action.undoes)
    return undone


def standing_actions(actions: list[Action]) -> list[Action]:
    """Those that count."""
    undone = undone_actions(actions)
    return [one for one in actions if one.kind != "undo" and one.seq not in undone]


def ruled_scores(
    largest: int,
    in_force: list[Action],
    place: tuple[int, int, int],
    entries: list[str],
    board: Board | None,
) -> tuple[str, dict[str, Fraction]]:
    """How a board counts otherwise than it was played, and its scores; empty where it does not."""
    here = [one for one in in_force if one.board == place]
    if any(one.kind == "void" for one in here):
        return "void", {}
    adjusted = [one for one in here if one.kind == "adjust"]
    if adjusted:
        last = adjusted[-1]
        share = -last.score / (len(entries) - 1)
        return "adjusted", {n: last.score if n == last.entry else share for n in entries}
    given = [o for o in in_force if o.kind == "forfeit" and o.board[:2] == place[:2]]
    losers = {name for one in given for name in one.entries}
    if board is None and losers:
        others = len(entries) - len(losers)
        lost = Fraction(largest) if others else Fraction(0)
        gain = lost * len(losers) / others if others else Fraction(0)
        return "forfeit", {n: -lost if n in losers else gain for n in entries}
    return "", {}
