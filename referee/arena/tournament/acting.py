"""Actions of a director, checked against the event as it stands before they are taken."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from referee.arena.bots import BotSpecError, DialSpec, parse_bot
from referee.arena.classes import check_module
from referee.arena.formats.entrants import Entrants
from referee.arena.formats.model import Encounter, RoundPlan
from referee.arena.tournament.actionlog import ActionLog
from referee.arena.tournament.actions import Action, ActionError, Rulings, in_force
from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.field import bots_of, entrants_of, format_of
from referee.arena.tournament.journals import journal_fault
from referee.arena.tournament.model import BoardKey, BoardPlayed
from referee.arena.tournament.place import EventPlace
from referee.arena.tournament.scoring import Tally
from referee.arena.tournament.sheet import Sheet, entry_fault
from referee.errors import RefereeError
from referee.rules import largest_points
from referee.sealing.keys import SigningKey

BETWEEN_ROUNDS: Final = frozenset({"substitute", "withdraw"})
LONGEST_REASON: Final = 500
LONGEST_SHOWN: Final = 60
SCORE: Final = re.compile(r"[+-]?[0-9]{1,6}([.][0-9]{1,6}|/[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class Scene:
    """An event as it stands when an action is taken: the rounds drawn, the boards played."""

    sheet: Sheet
    plans: Sequence[RoundPlan]
    results: Sequence[BoardPlayed]

    def checked(self, action: Action, taken: Sequence[Action]) -> Action:
        """The action, after those that were `taken`, as it is signed.

        Raises ActionError where it makes no sense as things stand.
        """
        _check_words(action)
        rulings = Rulings(in_force(taken))
        match action.kind:
            case "adjust" | "void" | "replay":
                action = self._board(action, rulings)
            case "undo":
                self._undo(action, taken, rulings)
            case "substitute":
                self._substitute(action, rulings)
            case _:
                pass
        if action.kind in BETWEEN_ROUNDS:
            self._holder(action, rulings)
        after = Rulings(in_force((*taken, replace(action, seq=len(taken)))))
        try:
            format_of(self.sheet, after)
        except RefereeError as err:
            raise ActionError(f"that cannot be: {err}") from err
        return action

    def encounter(self, round_: int, number: int) -> Encounter:
        """An encounter that was drawn."""
        plans = {plan.number: plan for plan in self.plans}
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
        if not 1 <= action.board <= self.sheet.boards:
            raise ActionError(
                f"there is no board {action.board} (use a number from 1 to {self.sheet.boards})"
            )
        key = BoardKey(action.round, action.encounter, action.board)
        stands = Tally(self.sheet, self.results, rulings).board(encounter, key)
        if action.kind == "adjust":
            if action.entry not in encounter.entries:
                raise ActionError(
                    f"{action.entry!r} does not play there (there are:"
                    f" {', '.join(encounter.entries)})"
                )
            most = largest_points(self.sheet.rules)
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

    def _undo(self, action: Action, taken: Sequence[Action], rulings: Rulings) -> None:
        if not 0 <= action.undoes < len(taken):
            raise ActionError(f"there is no action {action.undoes} (see tournament status)")
        undone = taken[action.undoes]
        if undone.kind == "lost":
            raise ActionError(f"action {action.undoes} says what is gone (it stands)")
        counts = undone.kind == "undo" or any(a.seq == undone.seq for a in rulings.actions)
        if not counts:
            raise ActionError(f"action {action.undoes} is undone already (undo that undoing)")
        drawn = len(self.plans)
        if undone.kind in BETWEEN_ROUNDS and undone.since <= drawn:
            raise ActionError(
                f"round {undone.since} was drawn with action {action.undoes} (it stands)"
            )

    def _holder(self, action: Action, rulings: Rulings) -> None:
        drawn = len(self.plans)
        rounds = format_of(self.sheet, rulings).rounds()
        left = rounds is None or drawn < rounds
        if action.since <= drawn:
            hint = f"use round {drawn + 1} or a later one" if left else "all of them have been"
            raise ActionError(f"round {action.since} has been drawn ({hint})")
        if rounds is not None and action.since > rounds:
            hint = f"use round {drawn + 1} to {rounds}" if left else "all of them have been drawn"
            raise ActionError(f"there is no round {action.since} among {rounds} ({hint})")
        field: Entrants = entrants_of(self.sheet, rulings)
        present = [field.name(place, action.since) for place in field.present(action.since)]
        if action.entry not in present:
            raise ActionError(
                f"{action.entry!r} does not play in round {action.since} (there are:"
                f" {', '.join(present)})"
            )

    def _substitute(self, action: Action, rulings: Rulings) -> None:
        names = bots_of(self.sheet, rulings)
        fault = entry_fault(action.name)
        if fault is not None:
            raise ActionError(f"not a name for an entry: {action.name!r} ({fault})")
        if other := next((n for n in names if n.casefold() == action.name.casefold()), None):
            raise ActionError(f"an entry is called {other!r} already (give it another --name)")
        try:
            spec = parse_bot(action.bot, apart=True)
        except BotSpecError as err:
            raise ActionError(str(err)) from err
        if isinstance(spec, DialSpec):
            raise ActionError(f"{action.bot!r} dials in, and would see both tables (use cmd:)")


def _check_words(action: Action) -> None:
    for option, text in (("--reason", action.reason), ("--who", action.who)):
        if not text.strip() or len(text) > LONGEST_REASON or not text.isprintable():
            raise ActionError(
                f"{option} is {text[:LONGEST_SHOWN]!r} (give 1 to {LONGEST_REASON} printable"
                " characters, in one line)"
            )


class Desk:
    """Where actions are taken: each is checked, then signed and kept."""

    def __init__(self, sheet: Sheet, db: EventDb, key: SigningKey) -> None:
        self._sheet = sheet
        self._db = db
        self._log = ActionLog(db, key)

    def take(self, action: Action) -> Action:
        """Take an action; ActionError where it makes no sense as things stand."""
        if action.kind == "substitute" and action.bot.startswith("py:"):
            check_module(action.bot)
        plans = [planned.plan for planned in self._db.rounds()]
        _last, results = self._db.results()
        checked = Scene(self._sheet, plans, results).checked(action, self._log.actions())
        return self._log.take(checked, drawn=len(plans))

    def give_up(self, slot: int, action: Action, place: EventPlace) -> tuple[Action, ...]:
        """Give up the journal of a worker: a try at a board that lay open in it is void.

        There is an action of the kind `lost` for each. Whoever calls this keeps the event from
        being run meanwhile. ActionError where the journal can be gone on with.
        """
        _check_words(action)
        slots = sorted({*place.slots(), *self._db.openings().values()})
        if slot in self._db.lost():
            raise ActionError(f"the journal of worker {slot} is given up already (run the event)")
        if slot not in slots:
            raise ActionError(
                f"there is no worker {slot} (there are: {', '.join(map(str, slots)) or 'none'})"
            )
        known = [board for at, board in self._db.known() if at == slot]
        if not journal_fault(place.journal(slot), known):
            raise ActionError(
                f"{str(place.journal(slot))!r} is there and sound"
                " (run the event: it recovers what lay open in it)"
            )
        lost = [
            replace(action, kind="lost", round=key.round, encounter=key.encounter,
                    board=key.board, attempt=key.attempt)
            for key in sorted(self._db.left_open(slot))
        ]  # fmt: skip
        return self._log.give_up(slot, lost)


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
