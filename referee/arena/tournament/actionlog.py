"""The log of a director's actions in an event's file: read, checked against its chain, added to."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from referee.arena.tournament.actions import Action, Rulings, in_force, read_action
from referee.arena.tournament.eventdb import EventDb, OvertakenError
from referee.arena.tournament.signedlog import ACTIONS, LogLine, next_line, read_log
from referee.sealing.keys import SigningKey, VerifyKey


class ActionLog:
    """The actions as they are in the file; others may add to it."""

    def __init__(self, db: EventDb, key: SigningKey | VerifyKey) -> None:
        self._db = db
        self._key = key
        self._lines: list[LogLine] = []
        self._rulings = Rulings()
        self._read: list[bytes] = []

    @property
    def count(self) -> int:
        """How many actions were taken, as last read."""
        return len(self._lines)

    def actions(self) -> tuple[Action, ...]:
        """Every action that was taken, in order."""
        raw = self._db.actions()
        if raw != self._read:
            public = self._key.public if isinstance(self._key, SigningKey) else self._key
            self._lines = read_log(ACTIONS, raw, public)
            self._read = raw
        return tuple(read_action(line) for line in self._lines)

    def rulings(self) -> Rulings:
        """What the actions in force say."""
        return Rulings(in_force(self.actions()))

    def take(self, action: Action, *, drawn: int | None = None) -> Action:
        """Add an action, with the number that is its own.

        EventError where another was taken meanwhile, or more rounds than `drawn` are there by now.
        """
        if drawn is None:  # else what was looked at when it was decided on
            self.actions()
        seq, (line,) = self._signed([action])
        self._db.add_action(seq, line, drawn=drawn)
        return replace(action, seq=seq)

    def insist(self, action: Action) -> Action:
        """Add an action that stands whatever else is decided in the same moment."""
        while True:
            with suppress(OvertakenError):
                return self.take(action)

    def give_up(self, slot: int, actions: Sequence[Action]) -> tuple[Action, ...]:
        """Give up a worker's journal, with the actions that say what lay open in it."""
        self.actions()
        seq, lines = self._signed(actions)
        self._db.give_up(slot, seq, lines)
        return tuple(replace(action, seq=number) for number, action in enumerate(actions, seq))

    def _signed(self, actions: Sequence[Action]) -> tuple[int, list[bytes]]:
        """The lines of actions after those that were last read, and the number of the first."""
        if not isinstance(self._key, SigningKey):
            raise TypeError("an action is signed")
        last = self._lines[-1] if self._lines else None
        lines: list[bytes] = []
        for action in actions:
            last = next_line(ACTIONS, last, action.fields(), self._key)
            lines.append(last.line)
        return len(self._lines), lines
