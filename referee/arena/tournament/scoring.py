"""From boards and rulings to how each encounter stands, and from there to the standings.

Nothing is kept but boards and actions: what they come to is computed anew each time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import takewhile
from typing import Final

from referee.arena.formats.model import Encounter, Outcome, RoundPlan, RoundPlayed
from referee.arena.formats.standings import Row, standings
from referee.arena.statistics.sprt import Sprt, Verdict
from referee.arena.tournament.actions import Rulings
from referee.arena.tournament.field import entrants_of, format_of, order_of
from referee.arena.tournament.games import TableGames, stream
from referee.arena.tournament.model import BoardKey, BoardPlayed
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.stopping import sequential_test, stop_after
from referee.rules import largest_points

TEAMS: Final = 2
Place = tuple[int, int, int]
"""Round, encounter and board, whatever the attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStanding:
    """A board of an encounter as it counts: its scores, none where it does not (yet).

    `done` is whether nothing more is to be played of it; `attempt` the newest that has a result;
    `how` is empty where it counts as played, or says what counts instead.
    """

    key: BoardKey
    done: bool
    scores: Mapping[str, Fraction] = field(default_factory=dict)
    attempt: int = 0
    how: str = ""
    played: BoardPlayed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingStanding:
    """An encounter: its boards in order, and what they come to.

    Where games are played, to the `target`, whoever has won more of them wins, then whoever has
    scored more; who has `conceded` the rest of it does not. Not more than `ahead` boards lie open
    or wait at once; 0 for no such limit.
    """

    round: int
    number: int
    encounter: Encounter
    boards: tuple[BoardStanding, ...]
    target: int = 0
    ahead: int = 0
    conceded: tuple[str, ...] = ()

    def games_before(self, board: int) -> tuple[TableGames, ...]:
        """Every table's games before a board, from the boards before it that count as played."""
        points = [
            each.played.points for each in self.boards
            if each.key.board < board and each.played is not None and not each.how
        ]  # fmt: skip
        return stream(points, TEAMS, self.target)

    @property
    def games(self) -> tuple[int, int]:
        """How many games each side has won, where games are played."""
        first, second = (table.won for table in self.games_before(len(self.boards) + 1))
        return first.ns + second.ew, first.ew + second.ns

    @property
    def finished(self) -> bool:
        """Whether nothing more is to be played."""
        return all(board.done for board in self.boards)

    @property
    def counted(self) -> int:
        """How many boards count."""
        return sum(bool(board.scores) for board in self.boards)

    @property
    def totals(self) -> Mapping[str, Fraction]:
        """The sum of each entry's scores."""
        return {
            name: sum((b.scores.get(name, Fraction(0)) for b in self.boards), Fraction(0))
            for name in self.encounter.entries
        }

    @property
    def outcome(self) -> Outcome:
        """What the boards so far come to; level totals are a draw."""
        totals = self.totals
        scores = tuple(totals[name] for name in self.encounter.entries)
        best = max(scores)
        leaders = [name for name in self.encounter.entries if totals[name] == best]
        winner = leaders[0] if len(leaders) == 1 else None
        if self.target:
            winner = self._winner_of_games(winner)
        return Outcome(scores=scores, boards=self.counted, winner=winner)

    def _winner_of_games(self, leader: str | None) -> str | None:
        first, second = self.encounter.entries
        others = [name for name in self.encounter.entries if name not in self.conceded]
        if len(others) == 1:
            return others[0]
        ours, theirs = self.games
        if ours == theirs:
            return leader
        return first if ours > theirs else second


class Tally:
    """All results and rulings of an event, by board."""

    def __init__(self, sheet: Sheet, results: Iterable[BoardPlayed], rulings: Rulings) -> None:
        self.sheet = sheet
        self.rulings = rulings
        self._test = sequential_test(sheet)
        self._by_place: dict[Place, list[BoardPlayed]] = {}
        for played in results:
            self.add(played)

    def add(self, played: BoardPlayed) -> None:
        """Count another board."""
        key = played.key
        tries = self._by_place.setdefault((key.round, key.encounter, key.board), [])
        tries.append(played)
        tries.sort(key=lambda each: each.key.attempt)

    def tries(self, key: BoardKey) -> Sequence[BoardPlayed]:
        """Every attempt at a board that has a result."""
        return self._by_place.get((key.round, key.encounter, key.board), ())

    def board(self, encounter: Encounter, key: BoardKey) -> BoardStanding:
        """How a board stands."""
        tries = self.tries(key)
        last = tries[-1].key.attempt if tries else 0
        since = self.rulings.replayed(key)
        # The first, not the newest: where a replay was undone, the board counts as it did before.
        counted = next((p for p in tries if not p.void and p.key.attempt > since), None)
        scores = {} if counted is None else counted.scores
        done, how = counted is not None, ""
        if adjusted := self.rulings.adjusted(key):
            scores = _adjusted(encounter, adjusted.entry, adjusted.score)
            done, how = True, "adjusted"
        elif counted is None and (losers := self.rulings.forfeit(key.round, key.encounter)):
            scores = self._forfeited(encounter, losers)
            done, how = True, "forfeit"
        if self.rulings.void(key):
            scores, done, how = {}, True, "void"
        return BoardStanding(
            key=key, done=done, scores=scores, attempt=last, how=how, played=counted
        )

    def _forfeited(self, encounter: Encounter, losers: Sequence[str]) -> Mapping[str, Fraction]:
        """Losers lose by the largest points of a deal, shared among those who do not."""
        others = [name for name in encounter.entries if name not in losers]
        if not others:
            return dict.fromkeys(encounter.entries, Fraction(0))
        lost = Fraction(largest_points(self.sheet.rules))
        gain = lost * len(losers) / len(others)
        return {name: -lost if name in losers else gain for name in encounter.entries}

    def meeting(self, plan: RoundPlan, number: int) -> MeetingStanding:
        """How an encounter of a round stands; `number` counts from 1."""
        encounter = plan.encounters[number - 1]
        boards = tuple(
            self.board(encounter, BoardKey(plan.number, number, board))
            for board in range(1, self.sheet.boards + 1)
        )
        if self._test is not None:
            boards = self._until_decided(encounter, boards, self._test)
        return MeetingStanding(
            round=plan.number,
            number=number,
            encounter=encounter,
            boards=boards,
            ahead=self._ahead,
            target=self.sheet.rules.target if self.sheet.mode == "games" else 0,
            conceded=self.rulings.forfeit(plan.number, number),
        )

    @property
    def _ahead(self) -> int:
        """How many boards may be played at once of an encounter; 0 for all."""
        if self.sheet.mode == "games":
            return 1  # the next board's score is not known before this one is played
        return 0 if self._test is None else self.sheet.chunk

    def _until_decided(
        self, encounter: Encounter, boards: tuple[BoardStanding, ...], test: Sprt
    ) -> tuple[BoardStanding, ...]:
        """The boards after which the test was decided; all of them where it was not."""
        first = encounter.entries[0]
        done = tuple(takewhile(lambda board: board.done, boards))
        scores = [board.scores.get(first) for board in done]
        number, verdict = stop_after(test, self.sheet.chunk, scores)
        return boards if verdict is Verdict.CONTINUE else boards[:number]

    def meetings(self, plan: RoundPlan) -> tuple[MeetingStanding, ...]:
        """How all encounters of a round stand."""
        return tuple(self.meeting(plan, n) for n in range(1, len(plan.encounters) + 1))


def _adjusted(encounter: Encounter, entry: str, score: Fraction) -> Mapping[str, Fraction]:
    share = -score / (len(encounter.entries) - 1)
    return {name: score if name == entry else share for name in encounter.entries}


def history(plans: Sequence[RoundPlan], tally: Tally) -> tuple[RoundPlayed, ...]:
    """The rounds that are over, from the first."""
    played: list[RoundPlayed] = []
    for plan in plans:
        meetings = tally.meetings(plan)
        if not all(meeting.finished for meeting in meetings):
            break
        played.append(RoundPlayed(plan, tuple(meeting.outcome for meeting in meetings)))
    return tuple(played)


def provisional(plans: Sequence[RoundPlan], tally: Tally) -> tuple[RoundPlayed, ...]:
    """Every round that has begun, with the encounters of which a board counts."""
    played: list[RoundPlayed] = []
    for plan in plans:
        shown = [m for m in tally.meetings(plan) if m.finished or m.counted]
        cut = RoundPlan(
            number=plan.number,
            encounters=tuple(meeting.encounter for meeting in shown),
            byes=plan.byes,
        )
        played.append(RoundPlayed(cut, tuple(meeting.outcome for meeting in shown)))
    return tuple(played)


def is_over(sheet: Sheet, plans: Sequence[RoundPlan], tally: Tally) -> bool:
    """Whether nothing is left to be played or paired."""
    played = history(plans, tally)
    if not plans or len(played) != len(plans):
        return False
    return format_of(sheet, tally.rulings).next_round(played) is None


def standings_of(sheet: Sheet, plans: Sequence[RoundPlan], tally: Tally) -> tuple[Row, ...]:
    """The standings as they are now."""
    rulings = tally.rulings
    played = history(plans, tally)
    ranking = format_of(sheet, rulings).ranking(played) if len(played) == len(plans) else None
    rounds = played if ranking is not None else provisional(plans, tally)
    return standings(entrants_of(sheet, rulings), rounds, order_of(sheet), ranking)
