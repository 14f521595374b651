"""The rounds of an event paired again, from what was known when each of them was."""

from collections.abc import Iterator

from referee.arena.formats.model import RoundPlan
from referee.arena.tournament.actions import Rulings, in_force
from referee.arena.tournament.field import format_of
from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.publish.facts import Facts
from referee.arena.tournament.scoring import Tally, history
from referee.arena.tournament.verify.report import INCOMPLETE, PUBLISHER, RULES, Finding
from referee.errors import RefereeError


def pairings(facts: Facts) -> Iterator[Finding]:
    """The rounds that the format does not give; the same history gives the same round."""
    for at, paired in enumerate(facts.rounds):
        plan = paired.plan
        if plan.number != at + 1:
            yield _finding(f"round {plan.number} stands where round {at + 1} is due")
            return
        if paired.actions > len(facts.actions):
            yield _finding(f"round {plan.number} was paired after actions that nobody took")
            return
        try:
            due = _due(facts, at, paired.actions)
        except UnfinishedRoundError as err:
            yield Finding(INCOMPLETE, PUBLISHER, "records", str(err))
            return
        except RefereeError as err:
            yield _finding(f"round {plan.number} cannot be paired again: {err}")
            return
        if due is None:
            yield _finding(f"round {plan.number} is one too many: the event was over")
        elif due != plan:
            yield _finding(f"round {plan.number}: {_difference(plan, due)}")


def _due(facts: Facts, at: int, actions: int) -> RoundPlan | None:
    """The round that is due after those before, by what had been played and decided by then."""
    rulings = Rulings(in_force(facts.taken[:actions]))
    known = _known(facts, facts.rounds[at].plan.number)
    results = [played for played in facts.results if played.id in known]
    before = facts.plans[:at]
    tally = Tally(facts.sheet, results, rulings)
    played = history(before, tally)
    if len(played) != at:
        key = _missing(before[len(played)], tally)
        raise UnfinishedRoundError(
            f"board {key.board} of round {key.round}, encounter {key.encounter}, is missing, and"
            f" round {at + 1} was drawn after it (get the whole folder)"
        )
    return format_of(facts.sheet, rulings).next_round(played)


def _missing(plan: RoundPlan, tally: Tally) -> BoardKey:
    """The first board of a round that is not over."""
    boards = (board for meeting in tally.meetings(plan) for board in meeting.boards)
    return next(board.key for board in boards if not board.done)


class UnfinishedRoundError(RefereeError):
    """A round was paired though boards of those before it are missing."""


def _known(facts: Facts, number: int) -> set[str]:
    """The boards announced before the first of a round: later ones cannot have counted for it."""
    found: set[str] = set()
    for each in facts.tries:
        if each.key.round == number:
            break
        found.add(each.id)
    return found


def _difference(plan: RoundPlan, due: RoundPlan) -> str:
    for n, (told, wanted) in enumerate(zip(plan.encounters, due.encounters, strict=False), 1):
        if told != wanted:
            return (
                f"encounter {n} is told as {' against '.join(told.entries)} ({told.reason!r}), and"
                f" the format gives {' against '.join(wanted.entries)} ({wanted.reason!r})"
            )
    if plan.byes != due.byes:
        return "its byes are not those that the format gives"
    return "it has more or fewer encounters than the format gives"


def _finding(message: str) -> Finding:
    return Finding(RULES, PUBLISHER, "event.json", message)
