"""What a director decides by hand: audited lines that change how results count, never the results.

Every action is a signed line after the one before it, says who took it and why, and can be undone
by another. What is undone no longer counts and stays in the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.signedlog import LogLine
from referee.errors import InternalError, RefereeError
from referee.sealing.canonical import Json

KINDS: Final = ("adjust", "void", "replay", "lost", "forfeit", "substitute", "withdraw", "undo")
AUTOMATIC: Final = "referee"
"""Who forfeits the boards of a bot that never starts."""


class ActionError(RefereeError):
    """An action that cannot be taken as things stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One action. `round`, `encounter` and `board` are 0 where they mean nothing.

    adjust: `entry` gets `score` on a board, its opponents the opposite; void: a board counts no
    more; replay: tries up to `attempt` count no more and a fresh board is played; lost: the try
    `attempt` lay open in a journal that is lost, and a fresh board is played; forfeit: `entries`
    lose what is not played of an encounter by the largest points; substitute: `name`
    with `bot` plays in the place of `entry` since round `since`; withdraw: `entry` plays no more
    since round `since`; undo: action `undoes` counts no more.
    """

    seq: int
    kind: str
    who: str
    reason: str
    at_ms: int
    round: int = 0
    encounter: int = 0
    board: int = 0
    attempt: int = 0
    entry: str = ""
    entries: tuple[str, ...] = ()
    score: Fraction = Fraction(0)
    name: str = ""
    bot: str = ""
    since: int = 0
    undoes: int = -1

    @property
    def key(self) -> BoardKey:
        """The try at a board that it is about."""
        return BoardKey(self.round, self.encounter, self.board, self.attempt)

    @property
    def told(self) -> str:
        """What was done, in one line."""
        place = f"round {self.round}, encounter {self.encounter}"
        match self.kind:
            case "adjust":
                told = f"{self.entry} gets {self.score} on board {self.board} of {place}"
            case "void":
                told = f"board {self.board} of {place} does not count"
            case "replay":
                told = f"board {self.board} of {place} is played again"
            case "lost":
                told = (
                    f"try {self.attempt} at board {self.board} of {place} is void:"
                    " the journal that it lay open in is lost"
                )
            case "forfeit":
                told = f"{' and '.join(self.entries)} forfeit what is not played of {place}"
            case "substitute":
                told = f"{self.name} ({self.bot}) for {self.entry} since round {self.since}"
            case "withdraw":
                told = f"{self.entry} withdraws before round {self.since}"
            case _:
                told = f"action {self.undoes} is undone"
        return told

    def fields(self) -> Mapping[str, Json]:
        """The action as its line has it; what means nothing is left out."""
        fields: dict[str, Json] = {
            "kind": self.kind, "who": self.who, "reason": self.reason, "at": self.at_ms,
        }  # fmt: skip
        numbers = {
            "round": self.round, "encounter": self.encounter, "board": self.board,
            "attempt": self.attempt, "since": self.since,
        }  # fmt: skip
        fields |= {name: number for name, number in numbers.items() if number}
        texts = {"entry": self.entry, "name": self.name, "bot": self.bot}
        fields |= {name: text for name, text in texts.items() if text}
        if self.kind == "adjust":
            fields["score"] = str(self.score)
        if self.kind == "forfeit":
            fields["entries"] = list(self.entries)
        if self.kind == "undo":
            fields["undoes"] = self.undoes
        return fields


def read_action(line: LogLine) -> Action:
    """The action of a line of the log."""
    event = line.event

    def text(name: str) -> str:
        value = event.get(name, "")
        if not isinstance(value, str):
            raise InternalError(f"an action with {name} {value!r}")
        return value

    def number(name: str, default: int = 0) -> int:
        value = event.get(name, default)
        if not isinstance(value, int):
            raise InternalError(f"an action with {name} {value!r}")
        return value

    entries = event.get("entries", ())
    if not isinstance(entries, Sequence):
        raise InternalError(f"an action with entries {entries!r}")
    return Action(
        seq=number("seq"),
        kind=text("kind"),
        who=text("who"),
        reason=text("reason"),
        at_ms=number("at"),
        round=number("round"),
        encounter=number("encounter"),
        board=number("board"),
        attempt=number("attempt"),
        entry=text("entry"),
        entries=tuple(str(name) for name in entries),
        score=Fraction(text("score") or "0"),
        name=text("name"),
        bot=text("bot"),
        since=number("since"),
        undoes=number("undoes", -1),
    )


def in_force(actions: Sequence[Action]) -> tuple[Action, ...]:
    """The actions that count: neither undone nor an undoing; an undoing can be undone too.

    >>> taken = [Action(seq=n, kind=kind, who="w", reason="r", at_ms=0, undoes=n - 1)
    ...          for n, kind in enumerate(("void", "undo", "undo"))]
    >>> [len(in_force(taken[:n])) for n in (1, 2, 3)]
    [1, 0, 1]
    """
    undone: set[int] = set()
    for action in reversed(actions):
        if action.kind == "undo" and action.seq not in undone:
            undone.add(action.undoes)
    return tuple(a for a in actions if a.kind != "undo" and a.seq not in undone)


@dataclass(frozen=True, slots=True)
class Rulings:
    """What the actions in force say of boards."""

    actions: tuple[Action, ...] = ()

    def _of(self, kind: str, key: BoardKey) -> list[Action]:
        place = (key.round, key.encounter, key.board)
        return [
            a for a in self.actions
            if a.kind == kind and (a.round, a.encounter, a.board) == place
        ]  # fmt: skip

    def void(self, key: BoardKey) -> bool:
        """Whether a board does not count, and is not played again."""
        return bool(self._of("void", key))

    def replayed(self, key: BoardKey) -> int:
        """The last attempt of a board that no longer counts; 0 where all do."""
        return max((action.attempt for action in self._of("replay", key)), default=0)

    def lost(self, key: BoardKey) -> int:
        """The last attempt of a board that lay open in a lost journal; 0 where none did."""
        return max((action.attempt for action in self._of("lost", key)), default=0)

    def adjusted(self, key: BoardKey) -> Action | None:
        """The newest adjustment of a board."""
        found = self._of("adjust", key)
        return found[-1] if found else None

    def forfeit(self, round_: int, encounter: int) -> tuple[str, ...]:
        """Who has forfeited what is not played of an encounter."""
        found = [
            a for a in self.actions
            if a.kind == "forfeit" and (a.round, a.encounter) == (round_, encounter)
        ]  # fmt: skip
        return tuple(dict.fromkeys(name for action in found for name in action.entries))

    def with_kind(self, kind: str) -> tuple[Action, ...]:
        """The actions of a kind."""
        return tuple(action for action in self.actions if action.kind == kind)
