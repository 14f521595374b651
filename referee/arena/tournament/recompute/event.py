"""An event read from its files.

Pairings and reasons are those of `event.json`; all that was played comes from the records.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from .fields import WrongFileError, as_map, fraction, items, load, maps, number, parsed, text, texts
from .record import Board, read_board
from .rulings import Action, read_actions, ruled_scores, standing_actions

MOST_BOARDS = 100_000


@dataclass
class Meeting:
    """An encounter."""

    round: int
    encounter: int
    entries: list[str]
    reason: str
    winner: str | None
    planned: int
    verdict: str
    totals: dict[str, Fraction] = field(default_factory=dict)
    boards: int = 0
    scores: dict[str, list[Fraction]] = field(default_factory=dict)
    won: list[int] = field(default_factory=lambda: [0, 0])
    conceded: set[str] = field(default_factory=set)
    finished: bool = True
    ruled: dict[int, tuple[str, dict[str, Fraction]]] = field(default_factory=dict)


@dataclass
class Round:
    """A round; a bye has its entry, its reason and its worth."""

    number: int
    meetings: list[Meeting]
    byes: list[tuple[str, str, Fraction]]


@dataclass
class Event:
    """An event."""

    name: str
    key: str
    kind: str
    pairing: str
    fixed: bool
    sheet: str
    boards_each: int
    target: int
    largest: int
    swing: int
    method: str
    match_points: list[Fraction]
    tie_breaks: list[str]
    ranking: list[list[str]]
    seed: str
    names: list[str]
    place_of: dict[str, int]
    since: dict[str, int]
    instead_of: dict[str, str]
    rounds: list[Round]
    boards: list[Board]
    open: int
    actions: list[Action]
    noise: list[str]
    rules: dict[str, str]
    counting: set[str] = field(default_factory=set)

    def number(self, name: str) -> int:
        """The number of an entry, from 1."""
        return self.names.index(name) + 1

    def winner(self, meeting: Meeting) -> str | None:
        """Who has won an encounter: more games where they are played, else more points."""
        most = max(meeting.totals.values())
        leaders = [name for name, total in meeting.totals.items() if total == most]
        leader = leaders[0] if len(leaders) == 1 else None
        if not self.target:
            return leader
        left = [name for name in meeting.entries if name not in meeting.conceded]
        if len(left) == 1:
            return left[0]
        ours, theirs = meeting.won
        if ours == theirs:
            return leader
        return meeting.entries[0 if ours > theirs else 1]

    def meetings(self) -> Iterator[Meeting]:
        """Every encounter of every round."""
        for one in self.rounds:
            yield from one.meetings


class Games:
    """The games of an encounter: its two tables go on from board to board to the target."""

    def __init__(self, target: int) -> None:
        self.won = [0, 0]
        self._target = target
        self._running = [[0, 0], [0, 0]]

    def add(self, board: Board) -> None:
        """Go on with another board; at the second table the sides are exchanged."""
        if not self._target:
            return
        for n, table in enumerate(board.tables):
            running = self._running[n]
            for side in (0, 1):
                running[side] += table.points[side]
            if max(running) >= self._target:
                if running[0] != running[1]:
                    best = 0 if running[0] > running[1] else 1
                    self.won[best ^ n] += 1
                self._running[n] = [0, 0]


def read_event(folder: Path) -> Event:
    """The event whose files lie in a folder."""
    told = parsed("event.json", load(folder / "event.json"))
    entries = maps(told, "entries")
    noise = as_map("noise", told.get("noise"))
    event = Event(
        name=text(told, "name"),
        key=text(told, "referee_key"),
        kind=text(told, "kind"),
        pairing=text(told, "pairing"),
        fixed=told.get("fixed") is True,
        sheet=sha256(load(folder / "event.yaml")).hexdigest(),
        boards_each=number(told, "boards_each"),
        target=number(told, "target"),
        largest=number(told, "largest"),
        swing=number(told, "swing"),
        method=text(told, "method"),
        match_points=[fraction(value) for value in texts(told, "match_points")],
        tie_breaks=texts(told, "tie_breaks"),
        ranking=_ranking(told),
        seed=text(told, "seed"),
        names=[text(entry, "name") for entry in entries],
        place_of=_places(entries),
        instead_of={text(entry, "name"): text(entry, "instead_of") for entry in entries},
        since={text(entry, "name"): number(entry, "since") for entry in entries},
        rounds=[_round(one) for one in maps(told, "rounds")],
        boards=[read_board(folder / "records", board) for board in maps(told, "boards")],
        open=len(maps(told, "open")),
        actions=read_actions(folder / "actions.jsonl"),
        noise=texts(noise, "told"),
        rules={k: str(v) for k, v in as_map("rules", told.get("rules")).items()},
    )
    _sum_up(event)
    return event


def _ranking(told: dict[str, object]) -> list[list[str]]:
    """The groups in which a bracket ranks its entries: the rounds' winners decide them."""
    return [
        [str(name) for name in group] for group in items(told, "ranking") if isinstance(group, list)
    ]


def _places(entries: list[dict[str, object]]) -> dict[str, int]:
    """The place each entry plays for; a substitute plays for the place of whom it followed."""
    found: dict[str, int] = {}
    for entry in entries:
        before = text(entry, "instead_of")
        new = len(set(found.values()))
        found[text(entry, "name")] = found.get(before, new) if before else new
    return found


def _round(told: dict[str, object]) -> Round:
    meetings = [
        Meeting(
            round=number(told, "round"),
            encounter=number(one, "encounter"),
            entries=texts(one, "entries"),
            reason=text(one, "reason"),
            winner=text(one, "winner") or None,
            planned=_planned(one),
            verdict=text(one, "verdict"),
        )
        for one in maps(told, "encounters")
    ]
    byes = [
        (text(bye, "entry"), text(bye, "reason"), fraction(bye.get("worth")))
        for bye in maps(told, "byes")
    ]
    return Round(number(told, "round"), meetings, byes)


def _planned(told: dict[str, object]) -> int:
    """How many boards an encounter has."""
    planned = number(told, "planned")
    if not 0 <= planned <= MOST_BOARDS:
        raise WrongFileError(f"planned: {planned} boards, and at most {MOST_BOARDS} can be")
    return planned


def _sum_up(event: Event) -> None:
    """Add up what counts: boards as they were played, and what the director ruled instead."""
    in_force = standing_actions(event.actions)
    for meeting in event.meetings():
        games = Games(event.target)
        here = (meeting.round, meeting.encounter)
        given = [a for a in in_force if a.kind == "forfeit" and a.board[:2] == here]
        meeting.conceded = {name for one in given for name in one.entries}
        meeting.totals = dict.fromkeys(meeting.entries, Fraction(0))
        for number_ in range(1, meeting.planned + 1):
            place = (meeting.round, meeting.encounter, number_)
            tries = [b for b in event.boards if b.place[:3] == place and not b.void]
            replayed = [a.attempt for a in in_force if a.kind == "replay" and a.board == place]
            since = max(replayed, default=0)
            left = [b for b in tries if b.place[3] > since]
            board = min(left, key=lambda one: one.place[3], default=None)
            how, scores = ruled_scores(event.largest, in_force, place, meeting.entries, board)
            if how:
                meeting.ruled[number_] = (how, scores)
            elif board is not None:
                scores = board.scores()
                games.add(board)
                event.counting.add(board.id)
            meeting.finished &= bool(how) or board is not None
            meeting.boards += bool(scores)
            for name, x in scores.items():
                meeting.totals[name] += x
                meeting.scores.setdefault(name, []).append(x)
        meeting.won = games.won
