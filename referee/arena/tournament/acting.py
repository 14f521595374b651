"""Actions of a director, checked against the event as it stands before they are taken."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Final

from referee.arena.bots import BotSpecError, DialSpec, parse_bot
from referee.arena.formats.entrants import Entrants
from referee.arena.formats.model import Encounter
from referee.arena.tournament.actionlog import ActionLog
from referee.arena.tournament.actions import Action, ActionError, Rulings, in_force
from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.field import bots_of, entrants_of, format_of
from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.scoring import Tally
from referee.arena.tournament.sheet import Sheet, entry_fault
from referee.errors import RefereeError
from referee.rules import largest_points
from referee.sealing.keys import SigningKey

BETWEEN_ROUNDS: Final = frozenset({"substitute", "withdraw"})
LONGEST_REASON: Final = 500
LONGEST_SHOWN: Final = 60
SCORE: Final = re.compile(r"[+-]?[0-9]{1,6}([.][0-9]{1,6}|/[0-9]{1,6})?")


class Desk:
    """Where actions are taken: each is checked, then signed and kept."""

    def __init__(self, sheet: Sheet, db: EventDb, key: SigningKey) -> None:
        self._sheet = sheet
        self._db = db
        self._log = ActionLog(db, key)

    def take(self, action: Action) -> Action:
        """Take an action; ActionError where it makes no sense as things stand."""
        for option, text in (("--reason", action.reason), ("--who", action.who)):
            if not text.strip() or len(text) > LONGEST_REASON or not text.isprintable():
                raise ActionError(
                    f"{option} is {text[:LONGEST_SHOWN]!r} (give 1 to {LONGEST_REASON} printable"
                    " characters, in one line)"
                )
        taken = self._log.actions()
        checked = self._checked(action, taken)
        after = Rulings(in_force((*taken, replace(checked, seq=len(taken)))))
        try:
            format_of(self._sheet, after)
        except RefereeError as err:
            raise ActionError(f"that cannot be: {err}") from err
        return self._log.take(checked)

    def _checked(self, action: Action, taken: tuple[Action, ...]) -> Action:
        rulings = Rulings(in_force(taken))
        match action.kind:
            case "adjust" | "void" | "replay":
                return self._board(action, rulings)
            case "undo":
                self._undo(action, taken, rulings)
            case "substitute":
                self._substitute(action, rulings)
            case _:
                pass
        if action.kind in BETWEEN_ROUNDS:
            self._holder(action, rulings)
        return action

    def encounter(self, round_: int, number: int) -> Encounter:
        """An encounter that was drawn."""
        plans = {planned.plan.number: planned.plan for planned in self._db.rounds()}
        if round_ not in plans:
            raise ActionError(f"round {round_} has not been drawn (there are {len(plans)})")
        there = plans[round_].encounters
        if not 1 <= number <= len(there):
            raise ActionError(
                f"round {round_} has no encounter {number} (use a number from 1 to {len(there)})"
            )
        return there[number - 1]

    def _board(self, action: Action, rulings: Rulings) -> Action:
        encounter = self.encounter(action.round, action.encounter)
        if not 1 <= action.board <= self._sheet.boards:
            raise ActionError(
                f"there is no board {action.board} (use a number from 1 to {self._sheet.boards})"
            )
        key = BoardKey(action.round, action.encounter, action.board)
        _last, results = self._db.results()
        stands = Tally(self._sheet, results, rulings).board(encounter, key)
        if action.kind == "adjust":
            if action.entry not in encounter.entries:
                raise ActionError(
                    f"{action.entry!r} does not play there (there are:"
                    f" {', '.join(encounter.entries)})"
                )
            most = largest_points(self._sheet.rules)
            if abs(action.score) > most:
                raise ActionError(
                    f"a board pays at most {most} points per deal, not {action.score}"
                    " (use a smaller score)"
                )
            return action
        if action.kind == "replay":
            if not stands.attempt:
                raise ActionError(f"board {action.board} has not been played (wait for it)")
            return replace(action, attempt=stands.attempt)
        return action

    def _undo(self, action: Action, taken: tuple[Action, ...], rulings: Rulings) -> None:
        if not 0 <= action.undoes < len(taken):
            raise ActionError(f"there is no action {action.undoes} (see tournament status)")
        undone = taken[action.undoes]
        counts = undone.kind == "undo" or any(a.seq == undone.seq for a in rulings.actions)
        if not counts:
            raise ActionError(f"action {action.undoes} is undone already (undo that undoing)")
        drawn = len(self._db.rounds())
        if undone.kind in BETWEEN_ROUNDS and undone.since <= drawn:
            raise ActionError(
                f"round {undone.since} was drawn with action {action.undoes} (it stands)"
            )

    def _holder(self, action: Action, rulings: Rulings) -> None:
        drawn = len(self._db.rounds())
        if action.since <= drawn:
            raise ActionError(
                f"round {action.since} has been drawn (use round {drawn + 1} or a later one)"
            )
        field: Entrants = entrants_of(self._sheet, rulings)
        present = [field.name(place, action.since) for place in field.present(action.since)]
        if action.entry not in present:
            raise ActionError(
                f"{action.entry!r} does not play in round {action.since} (there are:"
                f" {', '.join(present)})"
            )

    def _substitute(self, action: Action, rulings: Rulings) -> None:
        names = bots_of(self._sheet, rulings)
        fault = entry_fault(action.name)
        if fault is not None:
            raise ActionError(f"not a name for an entry: {action.name!r} ({fault})")
        if other := next((n for n in names if n.casefold() == action.name.casefold()), None):
            raise ActionError(f"an entry is called {other!r} already (give it another --name)")
        try:
            spec = parse_bot(action.bot)
        except BotSpecError as err:
            raise ActionError(str(err)) from err
        if isinstance(spec, DialSpec):
            raise ActionError(f"{action.bot!r} dials in, and would see both tables (use cmd:)")


def read_score(text: str) -> Fraction:
    """A score in points per deal, as 1.5 or 3/2; ActionError where it is none."""
    bad = ActionError(f"not a score: {text[:LONGEST_SHOWN]!r} (write it as 1.5 or 3/2)")
    if not SCORE.fullmatch(text):  # Fraction itself would take 1e999999999, and all memory
        raise bad
    try:
        score = Fraction(text)
    except ZeroDivisionError as err:
        raise bad from err
    if score.denominator > 1_000:  # noqa: PLR2004 -- nobody scores finer
        raise bad
    return score
