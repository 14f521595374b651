"""The public files of boards, read for what was dealt, said, laid and paid."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from .fields import WrongFileError, as_map, items, load, maps, number, parsed, text

SEATS = ("north", "east", "south", "west")
FIRST_LARGER = {"3-2": (3, 3, 3, 3), "2-3": (2, 2, 2, 2)}
ALTERNATING = {"3-2-3-2": (3, 2, 3, 2), "2-3-2-3": (2, 3, 2, 3)}


@dataclass
class Table:
    """One table of a board."""

    match: str
    seats: list[str]
    outcome: str = ""
    points: tuple[int, int] = (0, 0)
    faults: list[tuple[int, str]] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    discard: str = ""
    plays: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Board:
    """One board: its deal, its tables, and why it is void where it is."""

    id: str
    place: tuple[int, int, int, int]
    dealer: int
    deck: list[str]
    rules: dict[str, str]
    void: str
    tables: list[Table]

    def entries(self) -> list[str]:
        """Who played it, in the order of the first table's seats."""
        return list(dict.fromkeys(self.tables[0].seats))

    def scores(self) -> dict[str, Fraction]:
        """Points per deal: the mean over the tables of an entry's side less the other side."""
        found: dict[str, Fraction] = {}
        for name in self.entries():
            total = 0
            for table in self.tables:
                north_south, east_west = table.points
                ahead = north_south - east_west
                total += ahead if table.seats.index(name) % 2 == 0 else -ahead
            found[name] = Fraction(total, len(self.tables))
        return found

    def hand(self, seat: int) -> list[str]:
        """The five cards a seat was dealt."""
        turn = (seat - self.dealer - 1) % 4
        if self.rules["packets"] == "single":
            places = list(range(turn, 20, 4))
        else:
            first = (FIRST_LARGER | ALTERNATING)[self.rules["packets"]]
            at = sum(first[:turn])
            again = sum(first) + sum(5 - n for n in first[:turn])
            places = [*range(at, at + first[turn]), *range(again, again + 5 - first[turn])]
        return [self.deck[place] for place in places]


def events(name: str, content: bytes) -> Iterator[dict[str, object]]:
    """The events of a file of lines."""
    for line in content.splitlines():
        yield as_map(name, parsed(name, line).get("event"))


def read_board(folder: Path, told: dict[str, object]) -> Board:
    """A board from its files; `told` is its place in the event, and no more is taken from it."""
    board_id = text(told, "id")
    name = f"{board_id}.board.jsonl"
    opened: dict[str, object] = {}
    closed: dict[str, object] = {}
    for event in events(name, load(folder / name)):
        if event.get("kind") == "board_open":
            opened = event
        elif event.get("kind") == "board_close":
            closed = event
    if not opened or not closed:
        raise WrongFileError(f"{name!r} has no board_open or no board_close")
    deck = text(closed, "deck").split(" ")
    void = ""
    if closed.get("outcome") != "played":
        void = text(closed, "reason") or str(closed.get("outcome"))
    return Board(
        id=text(opened, "board"),
        place=(
            number(told, "round"),
            number(told, "encounter"),
            number(told, "board"),
            number(told, "attempt"),
        ),
        dealer=SEATS.index(text(opened, "dealer")),
        deck=deck,
        rules={k: str(v) for k, v in as_map("rules", opened.get("rules")).items()},
        void=void,
        tables=[
            read_table(folder / f"{board_id}.{n}.jsonl", deck)
            for n in range(number(opened, "tables"))
        ],
    )


def read_table(path: Path, deck: list[str]) -> Table:
    """One table from its file."""
    table = Table("", [])
    said: list[tuple[int, int, str]] = []
    shown: dict[int, list[str]] = {}
    for event in events(path.name, load(path)):
        kind = event.get("kind")
        if kind == "match_open":
            table.match = text(event, "match")
            table.seats = [text(seat, "name") for seat in maps(event, "seats")]
        elif kind == "action":
            seat = SEATS.index(text(event, "seat"))
            said.append((number(event, "seq"), seat, text(event, "action")))
        elif kind == "deal_close":
            table.outcome = text(event, "outcome")
            points = as_map("points", event.get("points"))
            table.points = (number(points, "ns"), number(points, "ew"))
            for fault in maps(event, "faults"):
                table.faults.append((SEATS.index(text(fault, "seat")), text(fault, "why")))
            for opening in maps(event, "openings"):
                places = [int(str(place)) for place in items(opening, "positions")]
                shown[number(opening, "seq")] = [deck[place] for place in places]
    _tell(table, said, shown)
    return table


def _tell(table: Table, said: list[tuple[int, int, str]], shown: dict[int, list[str]]) -> None:
    """Sort what was said into calls, the dealer's discard and plays."""
    for seq, seat, words in said:
        whole = " ".join([words, *shown.get(seq, [])])
        verb, _, card = whole.partition(" ")
        if verb == "play":
            table.plays.append((seat, card))
        elif verb == "discard" and not any(call.startswith("give ") for call in table.calls):
            table.discard = card
        else:
            table.calls.append(whole)
