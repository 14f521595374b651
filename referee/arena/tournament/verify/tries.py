"""The tries at each board: another one is due only where the one before it came to nothing."""

from collections.abc import Iterator
from dataclasses import replace

from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.publish.facts import Facts
from referee.arena.tournament.verify.report import INCOMPLETE, PUBLISHER, REFEREE, RULES, Finding


def undue(facts: Facts) -> Iterator[Finding]:
    """Boards that were tried again without need, and tries that are kept back.

    Else whoever does not like a board as it was played would play it again, and show the better.
    """
    played = {each.key: each for each in facts.results}
    replayed = {
        BoardKey(action.round, action.encounter, action.board, action.attempt)
        for action in facts.taken
        if action.kind == "replay"
    }
    lost = {action.key for action in facts.taken if action.kind == "lost"}
    tries = {each.key: each for each in facts.tries}
    for key, each in tries.items():
        where = f"board {key.board} of round {key.round}, encounter {key.encounter}"
        if not 1 <= key.board <= facts.sheet.boards:
            message = f"{where}: an encounter has {facts.sheet.boards} boards"
            yield Finding(RULES, REFEREE, "announced.jsonl", message)
        if replace(key, attempt=key.attempt + 1) not in tries:
            continue
        result = played.get(key)
        if result is None and key in lost:
            continue  # the director says so, in a signed action that was checked
        if result is None:
            name = f"records/{each.id}.board.jsonl"
            message = (
                f"the file is missing, and {where}, was tried again, so attempt {key.attempt} was"
                " over (ask for its files)"
            )
            yield Finding(INCOMPLETE, PUBLISHER, name, message)
        elif not result.void and key not in replayed:
            message = (
                f"{where}: another attempt was announced, though attempt {key.attempt} was played"
                " and no action of the director has it played again"
            )
            yield Finding(RULES, REFEREE, "announced.jsonl", message)
