"""What is left to do in an event: tries to announce, tries to play, boards that were given up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.arena.formats.model import RoundPlan
from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.scoring import MeetingStanding, Tally

SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Agenda:
    """`announce` are new tries; `outstanding` are announced and have no result.

    `exhausted` are boards that were void so often that there is no sense in another try.
    """

    announce: tuple[BoardKey, ...]
    outstanding: tuple[BoardKey, ...]
    exhausted: tuple[BoardKey, ...]

    @property
    def over(self) -> bool:
        """Whether nothing is left of the rounds planned so far."""
        return not (self.announce or self.outstanding or self.exhausted)


def agenda_of(
    meetings: Sequence[MeetingStanding],
    tally: Tally,
    newest: Mapping[tuple[int, int, int], int],
    most: int,
) -> Agenda:
    """What is left of some encounters; `newest` is the newest try announced of each board."""
    announce: list[BoardKey] = []
    outstanding: list[BoardKey] = []
    exhausted: list[BoardKey] = []
    for meeting in meetings:
        until = 0
        for board in meeting.boards:
            if board.done:
                continue
            key = board.key
            if meeting.ahead:  # no board of a chunk before the chunk before it is done
                until = until or _chunk_end(key.board, meeting.ahead)
                if key.board > until:
                    break
            since = tally.rulings.replayed(key)
            last = newest.get((key.round, key.encounter, key.board), 0)
            if last > max(board.attempt, since, tally.rulings.lost(key)):
                outstanding.append(_attempt(key, last))
            elif sum(p.key.attempt > since for p in tally.tries(key)) >= most:
                exhausted.append(key)
            else:
                announce.append(_attempt(key, last + 1))
    return Agenda(tuple(announce), tuple(outstanding), tuple(exhausted))


def _chunk_end(board: int, size: int) -> int:
    """The last board of the chunk that a board is in.

    >>> _chunk_end(5, 4), _chunk_end(8, 4), _chunk_end(3, 1)
    (8, 8, 3)
    """
    return (board - 1) // size * size + size


def _attempt(key: BoardKey, attempt: int) -> BoardKey:
    return BoardKey(key.round, key.encounter, key.board, attempt)


def chunked(keys: Sequence[BoardKey], size: int) -> list[tuple[BoardKey, ...]]:
    """Tries put into chunks: of one encounter, and in a fixed grid where they are first tries.

    >>> [len(c) for c in chunked([BoardKey(1, 1, n) for n in (1, 2, 3, 4, 5)], 4)]
    [4, 1]
    """
    groups: dict[tuple[int, int, int], list[BoardKey]] = {}
    for key in keys:
        groups.setdefault((key.round, key.encounter, (key.board - 1) // size), []).append(key)
    return [tuple(group) for group in groups.values()]


def entries_of(
    plans: Sequence[RoundPlan], keys: Sequence[BoardKey]
) -> Mapping[BoardKey, tuple[str, ...]]:
    """Who meets on some boards."""
    rounds = {plan.number: plan for plan in plans}
    return {key: rounds[key.round].encounters[key.encounter - 1].entries for key in keys}
