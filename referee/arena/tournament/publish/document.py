"""The event as one value: what `event.json` says and what every page is made from.

Entries, encounters and boards are numbered from 1 as the director numbered them. A score is points
per deal, an exact fraction; the bounds of an interval are floats, written to six places.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias

from referee.arena.tournament.model import BoardKey, BoardPlayed
from referee.arena.tournament.publish.figures import exact

FORMAT: Final = "euchre-event/1"
TEAM: Final = "team"
INDIVIDUAL: Final = "individual"
SEAT_WORDS: Final = ("north", "east", "south", "west")

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


@dataclass(frozen=True, slots=True)
class EntryTold:
    """Who took part: the name, the bot it played with, and whose place it took since what round."""

    name: str
    bot: str
    instead_of: str = ""
    since: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingTold:
    """An encounter: who met whom and why, and what its finished boards came to.

    `totals` are sums of x; `winner` is None where it is drawn or not finished. `games` are those
    won by either side, None where none are played. `planned` is how many boards it has, fewer than
    the sheet's where a sequential test is decided; `verdict` is that test's word.
    """

    round: int
    encounter: int
    entries: tuple[str, ...]
    reason: str
    label: str = ""
    totals: Mapping[str, Fraction] = field(default_factory=dict)
    boards: int = 0
    winner: str | None = None
    games: tuple[int, int] | None = None
    planned: int = 0
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class ByeTold:
    """An entry that did not play in a round, why, and what that is worth in matches won."""

    entry: str
    reason: str
    worth: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class RoundTold:
    """A round: its encounters and byes, and how many actions had been taken when it was paired."""

    number: int
    meetings: tuple[MeetingTold, ...]
    byes: tuple[ByeTold, ...] = ()
    actions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingTold:
    """A board that counts otherwise than it was played: how, and what its scores are instead.

    `how` is a word of the director's (`adjusted`, `forfeit`, `void`); a board that does not count
    has no scores.
    """

    round: int
    encounter: int
    board: int
    how: str
    scores: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class OpenTold:
    """A board that is announced and neither closed nor void: nothing else is told of it."""

    key: BoardKey
    id: str
    matches: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingTold:
    """A row of the standings; `breaks` are the tie-breaks in the order in which they were asked.

    `points` are match points; None in an event that has none. An interval is missing where too
    few boards differ, and `interval` says so.
    """

    place: int
    entry: str
    points: Fraction | None
    breaks: tuple[tuple[str, Fraction], ...]
    wins: int
    draws: int
    losses: int
    byes: int = 0
    boards: int
    mean: Fraction
    withdrawn: bool = False
    low: float | None = None
    high: float | None = None
    interval: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingTold:
    """A team's rating on the scale of chess, with its interval; entries of one `group` have met."""

    entry: str
    rating: float
    low: float
    high: float
    boards: int
    group: int

    def as_map(self) -> Mapping[str, Json]:
        """The rating as `event.json` has it."""
        return {
            "entry": self.entry,
            "rating": self.rating,
            "low": self.low,
            "high": self.high,
            "boards": self.boards,
            "group": self.group,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTold:
    """Something the director did: who, when (seconds since 1970), what, and why."""

    number: int
    at: int
    by: str
    what: str
    reason: str
    undone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An event as far as it is published.

    `ranking` are the groups of equals in which the format itself ranks, empty where the standings
    do; `counting` are the ids of the boards whose scores count as they were played. `target` is
    that of the games that boards add up to, 0 where they do not. `largest` is
    the most that a deal can pay, `swing` the most that a board can score. `fixed` is
    whether the intervals are those of a fixed number of boards: it was fixed before the first was
    played, all are, and half of the entries or more have boards enough that differ. Else they are
    always valid.
    """

    name: str
    referee_key: str
    finished: bool
    sheet: str
    kind: str
    pairing: str
    boards_each: int
    match_points: tuple[Fraction, Fraction, Fraction]
    tie_breaks: tuple[str, ...]
    ranking: tuple[tuple[str, ...], ...]
    seed: str
    target: int
    largest: int
    swing: int
    rules: Mapping[str, str]
    entries: tuple[EntryTold, ...]
    rounds: tuple[RoundTold, ...]
    boards: tuple[BoardPlayed, ...]
    counting: frozenset[str]
    rulings: tuple[RulingTold, ...]
    open: tuple[OpenTold, ...]
    standings: tuple[StandingTold, ...]
    ratings: tuple[RatingTold, ...] = ()
    actions: tuple[ActionTold, ...] = ()
    noisy: bool = False
    noise: tuple[str, ...] = ()
    fixed: bool = False
    method: str = ""

    @property
    def played(self) -> tuple[BoardPlayed, ...]:
        """The boards that were closed and are not void."""
        return tuple(board for board in self.boards if not board.void)

    @property
    def counted(self) -> tuple[BoardPlayed, ...]:
        """The boards whose scores count as they were played."""
        return tuple(board for board in self.boards if board.id in self.counting)

    @property
    def voided(self) -> tuple[BoardPlayed, ...]:
        """The boards that were opened and closed void."""
        return tuple(board for board in self.boards if board.void)

    def number_of(self, entry: str) -> int:
        """The number of an entry on the pages: its place in the sheet, from 1; 0 where unknown."""
        names = [told.name for told in self.entries]
        return names.index(entry) + 1 if entry in names else 0

    def holders(self, entry: str) -> tuple[str, ...]:
        """Who has held the place of an entry: the entry itself, then whom it followed."""
        found = [entry]
        before = {told.name: told.instead_of for told in self.entries}
        while before.get(found[-1]):
            found.append(before[found[-1]])
        return tuple(found)

    def of(self, meeting: MeetingTold) -> tuple[BoardPlayed, ...]:
        """The boards of an encounter, in order, void ones too."""
        place = (meeting.round, meeting.encounter)
        found = [b for b in self.boards if (b.key.round, b.key.encounter) == place]
        return tuple(sorted(found, key=lambda board: board.key))


def document_bytes(document: Document) -> bytes:
    """`event.json`: sorted keys, ASCII, one spelling."""
    text = json.dumps(as_map(document), indent=1, sort_keys=True, ensure_ascii=True)
    return f"{text}\n".encode("ascii")


def as_map(document: Document) -> Mapping[str, Json]:
    """The document as `euchre-event-1.schema.json` describes it."""
    return {
        "format": FORMAT,
        "name": document.name,
        "referee_key": document.referee_key,
        "state": "finished" if document.finished else "running",
        "sheet": document.sheet,
        "kind": document.kind,
        "pairing": document.pairing,
        "boards_each": document.boards_each,
        "match_points": [exact(value) for value in document.match_points],
        "tie_breaks": list(document.tie_breaks),
        "ranking": [list(group) for group in document.ranking],
        "seed": document.seed,
        "target": document.target,
        "largest": document.largest,
        "swing": document.swing,
        "rules": dict(document.rules),
        "entries": [
            {
                "name": told.name,
                "bot": told.bot,
                "instead_of": told.instead_of,
                "since": told.since,
            }
            for told in document.entries
        ],
        "rounds": [_round(told) for told in document.rounds],
        "boards": [
            {**_board(board), "counts": board.id in document.counting} for board in document.boards
        ],
        "rulings": [_ruling(ruling) for ruling in document.rulings],
        "open": [{**key_map(o.key), "id": o.id, "matches": list(o.matches)} for o in document.open],
        "standings": [_standing(row) for row in document.standings],
        "ratings": [rating.as_map() for rating in document.ratings],
        "actions": [_action(action) for action in document.actions],
        "noise": {"noisy": document.noisy, "told": list(document.noise)},
        "fixed": document.fixed,
        "method": document.method,
    }


def key_map(key: BoardKey) -> dict[str, Json]:
    """A board's place in the event."""
    return {
        "round": key.round,
        "encounter": key.encounter,
        "board": key.board,
        "attempt": key.attempt,
    }


def _round(told: RoundTold) -> Json:
    return {
        "round": told.number,
        "actions": told.actions,
        "encounters": [
            {
                "encounter": meeting.encounter,
                "entries": list(meeting.entries),
                "reason": meeting.reason,
                "label": meeting.label,
                "totals": {name: exact(x) for name, x in meeting.totals.items()},
                "boards": meeting.boards,
                "winner": meeting.winner,
                "planned": meeting.planned,
                "verdict": meeting.verdict,
                "games": None if meeting.games is None else list(meeting.games),
            }
            for meeting in told.meetings
        ],
        "byes": [
            {"entry": bye.entry, "reason": bye.reason, "worth": exact(bye.worth)}
            for bye in told.byes
        ],
    }


def _ruling(ruling: RulingTold) -> Json:
    return {
        "round": ruling.round,
        "encounter": ruling.encounter,
        "board": ruling.board,
        "how": ruling.how,
        "scores": {name: exact(x) for name, x in ruling.scores.items()},
    }


def _board(board: BoardPlayed) -> Mapping[str, Json]:
    return {
        **key_map(board.key),
        "id": board.id,
        "matches": list(board.matches),
        "dealer": SEAT_WORDS[board.dealer],
        "seatings": [list(seating) for seating in board.seatings],
        "outcomes": list(board.outcomes),
        "points": [{"ns": pair.ns, "ew": pair.ew} for pair in board.points],
        "faults": [
            {
                "table": fault.table,
                "seat": SEAT_WORDS[fault.seat],
                "entry": fault.entry,
                "why": fault.why,
            }
            for fault in board.faults
        ],
        "void": board.void,
        "scores": {name: exact(x) for name, x in board.scores.items()},
    }


def _standing(row: StandingTold) -> Json:
    return {
        "place": row.place,
        "entry": row.entry,
        "points": None if row.points is None else exact(row.points),
        "breaks": [{"by": word, "value": exact(value)} for word, value in row.breaks],
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "byes": row.byes,
        "withdrawn": row.withdrawn,
        "boards": row.boards,
        "mean": exact(row.mean),
        "low": row.low,
        "high": row.high,
        "interval": row.interval,
    }


def _action(action: ActionTold) -> Json:
    return {
        "number": action.number,
        "at": action.at,
        "by": action.by,
        "what": action.what,
        "reason": action.reason,
        "undone": action.undone,
    }
