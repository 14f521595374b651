"""A whole site out of a document and the public records: its files by their names."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files as package_files
from typing import Final

from referee.arena.tournament.model import BoardPlayed
from referee.arena.tournament.publish.document import Document, document_bytes
from referee.arena.tournament.publish.encounters import encounter_name, encounter_page
from referee.arena.tournament.publish.index import FILES, SEALED, index_page
from referee.arena.tournament.publish.replay import Files, egn_of, records_of
from referee.arena.tournament.publish.sheets import (
    boards_csv,
    results_csv,
    standings_csv,
    swings_csv,
    tables_csv,
)
from referee.records import Record, UnreadableRecordError

RECOMPUTE: Final = "recompute"
RECORDS: Final = "records"
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sources:
    """What is published as it is: the tournament file, the signed logs, the records by name."""

    sheet: bytes
    announced: bytes
    actions: bytes
    records: Mapping[str, bytes]

    def files_of(self, board: BoardPlayed) -> Files | None:
        """The files of a board; None where one is missing."""
        names = record_names(board)
        if any(name not in self.records for name in names):
            return None
        own, *tables = (self.records[name] for name in names)
        return Files(own, tuple(tables))


def _read(board: str, found: Files) -> tuple[Record, ...]:
    try:
        return records_of(found)
    except UnreadableRecordError as err:
        raise UnreadableRecordError(
            f"a file of board {board} is damaged: {err} (remove the files of that board, and"
            " euchre-referee tournament run writes them again)"
        ) from err


def record_names(board: BoardPlayed) -> tuple[str, ...]:
    """The names of a board's files: its own, then one a table."""
    tables = (f"{board.id}.{n}.jsonl" for n in range(len(board.matches)))
    return f"{board.id}.board.jsonl", *tables


def site(
    document: Document, sources: Sources, plots: Mapping[str, str], told: Told = lambda _: None
) -> Iterator[tuple[str, bytes]]:
    """Every file of the site by its name; `told` hears of each encounter that is drawn."""
    yield "event.json", document_bytes(document)
    yield "event.yaml", sources.sheet
    yield "announced.jsonl", sources.announced
    yield "actions.jsonl", sources.actions
    yield "standings.csv", standings_csv(document)
    yield "results.csv", results_csv(document)
    yield "boards.csv", boards_csv(document)
    yield "tables.csv", tables_csv(document)
    yield "swings.csv", swings_csv(document)
    yield "README.txt", _readme(document)
    yield from recompute_scripts()
    for name, svg in plots.items():
        yield f"plots/{name}.svg", svg.encode()
    for name in sorted(_names(document)):
        if name in sources.records:
            yield f"{RECORDS}/{name}", sources.records[name]
    yield "index.html", index_page(document, plots)
    yield from _encounters(document, sources, told)


def _names(document: Document) -> Iterator[str]:
    for board in document.boards:
        yield from record_names(board)


def _encounters(document: Document, sources: Sources, told: Told) -> Iterator[tuple[str, bytes]]:
    for told_round in document.rounds:
        for meeting in told_round.meetings:
            files: dict[str, Files] = {}
            egn: set[str] = set()
            for board in document.of(meeting):
                found = sources.files_of(board)
                if found is None:
                    continue
                files[board.id] = found
                for n, record in enumerate(_read(board.id, found)):
                    text = egn_of(record)
                    if text is not None:
                        egn.add(board.matches[n])
                        yield f"egn/{board.id}.{n}.egn", text.encode()
            name = encounter_name(meeting.round, meeting.encounter)
            yield name, encounter_page(document, meeting, files, frozenset(egn))
            told(name)


def recompute_scripts() -> Iterator[tuple[str, bytes]]:
    """The program that computes every number of the pages again, as it lies beside them."""
    folder = package_files(f"referee.arena.tournament.{RECOMPUTE}")
    for path in sorted(folder.iterdir(), key=lambda item: item.name):
        if path.name.endswith(".py"):
            yield f"{RECOMPUTE}/{path.name}", path.read_bytes()


def _readme(document: Document) -> bytes:
    lines = [
        document.name,
        "",
        "Open index.html. Nothing here needs a network or a script.",
        "",
        *(f"{name:<16} {what}" for name, what in FILES),
        f"{'encounters/':<16} a page an encounter, every board played again at every table",
        f"{RECORDS + '/':<16} a file a board, and a file a table of it",
        f"{'egn/':<16} the deal of every table in Euchre Game Notation, where it can say it",
        f"{'plots/':<16} the pictures",
        f"{RECOMPUTE + '/':<16} computes every number of the pages again, with Python alone",
        "",
        "To verify, without a network:",
        f"  euchre-referee tournament verify . --referee-key '{document.referee_key}'",
        "  python -m recompute .",
        "",
        "Keep what you got while the event ran: --earlier COPY shows what was changed since.",
        "",
        SEALED,
        "",
    ]
    return "\n".join(lines).encode()
