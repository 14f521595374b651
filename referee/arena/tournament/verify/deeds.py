"""The director's actions: only those that could have been taken as the event stood count."""

from collections.abc import Iterator, Sequence

from referee.arena.tournament.acting import Scene, read_score
from referee.arena.tournament.actions import AUTOMATIC, KINDS, Action, ActionError, read_action
from referee.arena.tournament.publish.facts import Facts
from referee.arena.tournament.signedlog import LogLine
from referee.arena.tournament.verify.report import PUBLISHER, REFEREE, RULES, Finding
from referee.errors import InternalError, RefereeError

FILE = "actions.jsonl"


def unreadable(lines: Sequence[LogLine]) -> Iterator[Finding]:
    """The signed lines that tell no action."""
    for number, line in enumerate(lines):
        try:
            read_score(str(line.event.get("score") or "0"))
            action = read_action(line)
            if action.kind not in KINDS:
                raise ActionError(f"there is no such action: {action.kind!r:.60}")
        except (RefereeError, InternalError) as err:
            yield Finding(RULES, REFEREE, FILE, f"action {number}: {err}")


def impossible(facts: Facts) -> Iterator[Finding]:
    """The actions that make no sense as the event stood when they were taken.

    A round is drawn before all actions that it does not count.
    """
    taken = facts.taken
    for number, action in enumerate(taken):
        drawn = [each.plan for each in facts.rounds if each.actions <= number]
        scene = Scene(facts.sheet, drawn, facts.results)
        try:
            _check(scene, action, taken[:number])
            if action.kind == "lost":
                _check_lost(facts, action)
        except RefereeError as err:
            party = PUBLISHER if len(drawn) < len(facts.rounds) else REFEREE
            yield Finding(RULES, party, FILE, f"action {number} ({action.told}): {err}")


def _check_lost(facts: Facts, action: Action) -> None:
    """A journal that is lost takes only tries along that were announced and have no record."""
    if action.key not in {each.key for each in facts.tries}:
        raise ActionError(f"attempt {action.attempt} was not announced")
    if action.key in {each.key for each in facts.results}:
        raise ActionError(f"attempt {action.attempt} is not lost: its record is there")


def _check(scene: Scene, action: Action, before: Sequence[Action]) -> None:
    checked = scene.checked(action, before)
    if action.kind == "replay" and not 1 <= action.attempt <= checked.attempt:
        raise ActionError(f"attempt {action.attempt} has not been played")
    if action.kind == "forfeit":
        there = scene.encounter(action.round, action.encounter).entries
        if action.who != AUTOMATIC or not action.entries or not set(action.entries) <= set(there):
            raise ActionError(f"only the referee lets one forfeit that plays: {', '.join(there)}")
