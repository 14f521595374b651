"""The first page of an event: how it stands, who met whom, what went wrong, and how to check it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final

from referee.arena.tournament.publish.crosstable import by_round, crosstable
from referee.arena.tournament.publish.document import (
    INDIVIDUAL,
    Document,
    StandingTold,
)
from referee.arena.tournament.publish.encounters import encounter_name, games_won, score_cell
from referee.arena.tournament.publish.figures import decimal, shortest, signed, tie_break
from referee.arena.tournament.publish.markup import Markup, element, heading, joined, table, told
from referee.arena.tournament.publish.robust import robustness
from referee.arena.tournament.publish.sheets import swings
from referee.arena.tournament.publish.shell import link, page, section
from referee.arena.tournament.publish.strength import strength

SEALED: Final = (
    "The boards are sealed and checkable: the referee sees the hands, so the seal makes it unable"
    " to choose the cards or change the record, not unable to whisper."
)
FILES: Final = (
    ("event.json", "everything on these pages, for programs"),
    ("event.yaml", "the tournament file, as it was when the event began"),
    ("announced.jsonl", "the ids of every board and table, signed before it was played"),
    ("actions.jsonl", "what the director did, signed"),
    ("standings.csv", "the standings"),
    ("results.csv", "a row an entry of an encounter"),
    ("boards.csv", "a row an entry of a board"),
    ("tables.csv", "a row a table of a board"),
    ("swings.csv", "the boards by how much they decided"),
    ("README.txt", "what is here, in plain text"),
)
FOOTNOTES: Final = ("*", "†", "‡", "§", "‖", "¶")
_MOST_SWINGS: Final = 10


def index_page(document: Document, plots: Mapping[str, str]) -> bytes:
    """`index.html`; `plots` are SVG pictures by their titles."""
    parts = [
        element("h1", told("event/name", document.name)),
        _state(document),
        *([] if not document.noisy else [_noisy()]),
        _contents(),
        section("standings", "Standings", _standings(document), *_method(document)),
        *([] if not plots else [section("plots", "Pictures", *_plots(document, plots))]),
        section("rounds", "Round by round", by_round(document), *_rounds(document)),
    ]
    if document.kind != INDIVIDUAL:
        parts.insert(-1, section("crosstable", "Crosstable", crosstable(document)))
        parts.insert(-1, section("ratings", "Ratings", *strength(document)))
    parts += [
        section("swings", "Boards that decided", _swings(document), *robustness(document)),
        section("faults", "Faults", _faults(document)),
        section("void", "Void boards", *_void(document)),
        section("actions", "What the director did", _actions(document)),
        section("rules", "Rules", *_rules(document)),
        section("noise", "The machine", *_noise(document)),
        section("verify", "Check it yourself", *_verify(document)),
        section("files", "Files", _files()),
    ]
    return page(document.name, *parts)


def _state(document: Document) -> Markup:
    counted = [
        ("entries", sum(not entry.instead_of for entry in document.entries)),
        ("rounds", len(document.rounds)),
        ("boards played", len(document.played)),
        ("void", len(document.voided)),
        ("never opened" if document.finished else "open", len(document.open)),
    ]
    state = "finished" if document.finished else "running: only closed boards are told"
    figures = joined(
        (
            joined((told(f"count/{word.split()[-1]}", str(number)), f" {word}"))
            for word, number in counted
        ),
        " · ",
    )
    return element("p", f"{document.pairing}, {state} · ", figures, class_="quiet")


def _noisy() -> Markup:
    return element(
        "p",
        "This event is noisy: the machine had less to give than the bots were owed, so that lost"
        " time may be its doing.",
        class_="note",
    )


def _contents() -> Markup:
    names = (
        "standings", "rounds", "swings", "faults", "void", "actions", "rules", "noise", "verify",
        "files",
    )  # fmt: skip
    return element("nav", element("ul", *(element("li", link(f"#{n}", n)) for n in names)))


def _standings(document: Document) -> Markup:
    if not document.standings:
        return element("p", "No board has been played to its end.")
    first = document.standings[0]
    with_points = first.points is not None
    head = [
        heading("place", number=True),
        heading("entry"),
        *([heading("match points", number=True)] if with_points else []),
        *(heading(word.replace("_", " "), number=True) for word, _ in first.breaks),
        *(heading(word, number=True) for word in ("won", "drawn", "lost", "byes", "boards")),
        heading("points per deal", number=True),
        element("th", told("interval/heading", "95 % interval"), scope="col", class_="number"),
    ]
    said = dict.fromkeys(row.interval for row in document.standings if row.interval)
    marks = dict(zip(said, FOOTNOTES, strict=False))
    rows = [_standing(document, row, marks.get(row.interval, "")) for row in document.standings]
    notes = [element("p", f"{mark} {note}", class_="quiet") for note, mark in marks.items()]
    return joined((table(head, rows), *notes))


def _standing(document: Document, row: StandingTold, mark: str) -> list[Markup]:
    place = f"standing/{document.number_of(row.entry)}"
    cells = [
        told(f"{place}/place", str(row.place), "td", "number"),
        element(
            "th",
            told(f"entry/{document.number_of(row.entry)}/name", row.entry),
            *_instead(document, row.entry),
            " (withdrawn)" if row.withdrawn else "",
            scope="row",
            class_="name",
            title=row.entry,
        ),
    ]
    if row.points is not None:
        cells.append(told(f"{place}/points", shortest(row.points), "td", "number"))
    cells += [
        told(f"{place}/{word}", tie_break(word, value), "td", "number")
        for word, value in row.breaks
    ]
    for word, number in (
        ("won", row.wins), ("drawn", row.draws), ("lost", row.losses), ("byes", row.byes),
        ("boards", row.boards),
    ):  # fmt: skip
        cells.append(told(f"{place}/{word}", str(number), "td", "number"))
    cells.append(score_cell(f"{place}/mean", row.mean))
    if row.low is None or row.high is None:
        cells.append(element("td", "none", _marked(mark), class_="number"))
    else:
        low = told(f"{place}/low", signed(row.low))
        high = told(f"{place}/high", signed(row.high))
        cells.append(element("td", low, " to ", high, _marked(mark), class_="number"))
    return cells


def _marked(mark: str) -> Markup:
    """The sign of a footnote, in a place of its own so that the figures stay in line."""
    return element("sup", mark, class_="footnote")


def _instead(document: Document, entry: str) -> Iterator[Markup]:
    """Whose place an entry took over."""
    number = document.number_of(entry)
    before = document.entries[number - 1].instead_of if number else ""
    if before:
        yield joined((" for ", told(f"entry/{number}/for", before)))


def _method(document: Document) -> Iterator[Markup]:
    if document.method:
        yield element("p", told("method", document.method), class_="quiet")


def _plots(document: Document, plots: Mapping[str, str]) -> Iterator[Markup]:
    """The picture of the standings, and one an entry to be opened."""
    for name, svg in plots.items():
        figure = element("figure", Markup(svg), class_="plot", data_plot=name)
        _, _, number = name.partition("-")
        if number:
            entry = document.entries[int(number) - 1].name
            summary = element("summary", "Points per board: ", told(f"entry/{number}/name", entry))
            yield element("details", summary, figure)
        else:
            yield figure


def _rounds(document: Document) -> Iterator[Markup]:
    for round_told in document.rounds:
        number = round_told.number
        rows = []
        for meeting in round_told.meetings:
            place = f"meeting/{number}/{meeting.encounter}"
            who = []
            for n, name in enumerate(meeting.entries, start=1):
                entry = told(f"entry/{document.number_of(name)}/name", name)
                total = meeting.totals.get(name, Fraction(0))
                who.append(joined((entry, " ", told(f"{place}/total/{n}", signed(total)))))
            rows.append([
                element("td", link(f"{encounter_name(number, meeting.encounter)}",
                                   str(meeting.encounter)),
                        class_="number", data_is=f"{place}/encounter"),
                element("td", joined((*who, *games_won(meeting, "span")), " · ")),
                told(f"{place}/boards", str(meeting.boards), "td", "number"),
                told(f"{place}/reason", meeting.reason, "td"),
            ])  # fmt: skip
        head = [
            heading("encounter", number=True), heading("entries and their scores"),
            heading("boards", number=True), heading("why they met"),
        ]  # fmt: skip
        yield element("h3", "Round ", told(f"round/{number}", str(number)))
        yield table(head, rows)
        for n, bye in enumerate(round_told.byes, start=1):
            name = told(f"entry/{document.number_of(bye.entry)}/name", bye.entry)
            yield element("p", name, " has a bye: ", told(f"round/{number}/bye/{n}", bye.reason))


def _swings(document: Document) -> Markup:
    ranked = swings(document)
    whole = sum((swing for _, swing in ranked), Fraction(0))
    if not whole:
        return element("p", "On every board all entries came out equal.")
    rows = []
    for rank, (board, swing) in enumerate(ranked[:_MOST_SWINGS], start=1):
        place = f"swing/{rank}"
        key = board.key
        page_name = encounter_name(key.round, key.encounter)
        best = [name for name, x in board.scores.items() if x == swing and x > 0]
        label = f"{key.round}-{key.encounter}-{key.board}"
        rows.append([
            told(f"{place}/rank", str(rank), "td", "number"),
            element("td", link(f"{page_name}#b{board.id}", label), data_is=f"{place}/board"),
            told(f"{place}/best", " ".join(best), "td"),
            told(f"{place}/swing", signed(swing), "td", "number"),
            told(f"{place}/share", f"{decimal(100 * swing / whole, 1)} %", "td", "number"),
        ])  # fmt: skip
    head = [
        heading("rank", number=True), heading("round-encounter-board"), heading("for"),
        heading("points per deal", number=True), heading("share of all swings", number=True),
    ]  # fmt: skip
    return table(head, rows)


def _faults(document: Document) -> Markup:
    counted = Counter(
        (document.number_of(fault.entry), fault.why)
        for board in document.boards
        for fault in board.faults
    )
    if not counted:
        return element("p", "None.")
    names = [entry.name for entry in document.entries]
    rows = [
        [
            told(f"entry/{number}/name", names[number - 1] if number else "?", "td"),
            told(f"fault/{number}/{why}/why", why, "td"),
            told(f"fault/{number}/{why}/count", str(count), "td", "number"),
        ]
        for (number, why), count in sorted(counted.items())
    ]
    return table([heading("entry"), heading("what"), heading("times", number=True)], rows)


def _void(document: Document) -> Iterator[Markup]:
    if not document.voided:
        yield element("p", "None.")
        return
    yield element("p", "They were opened, so their cards are never played again; they count for"
                  " nobody, and other boards took their place.", class_="quiet")  # fmt: skip
    rows = []
    for board in document.voided:
        key = board.key
        label = f"{key.round}-{key.encounter}-{key.board}, attempt {key.attempt}"
        page_name = encounter_name(key.round, key.encounter)
        rows.append([
            element("td", link(f"{page_name}#b{board.id}", label),
                    data_is=f"board/{board.id}/place"),
            told(f"board/{board.id}/void", board.void, "td"),
        ])  # fmt: skip
    yield table([heading("round-encounter-board"), heading("why")], rows)


def _actions(document: Document) -> Markup:
    if not document.actions:
        return element("p", "Nothing: the results stand as they were played.")
    rows = []
    for action in document.actions:
        place = f"action/{action.number}"
        when = datetime.fromtimestamp(action.at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        rows.append([
            told(f"{place}/number", str(action.number), "td", "number"),
            told(f"{place}/at", when, "td"),
            told(f"{place}/by", action.by, "td"),
            told(f"{place}/what", action.what, "td", "undone" if action.undone else ""),
            told(f"{place}/reason", action.reason, "td"),
            told(f"{place}/now", "undone" if action.undone else "stands", "td"),
        ])  # fmt: skip
    words = ("when", "who", "what", "why", "now")
    return table([heading("number", number=True), *(heading(word) for word in words)], rows)


def _rules(document: Document) -> Iterator[Markup]:
    """The whole rule set, to be opened."""
    rows = [
        [element("th", knob, scope="row"), told(f"rule/{knob}", value, "td")]
        for knob, value in sorted(document.rules.items())
    ]
    yield element("p", "Boards an encounter: ", told("event/boards", str(document.boards_each)))
    summary = element("summary", "Every knob of the rule set")
    yield element("details", summary, table([heading("knob"), heading("value")], rows))


def _noise(document: Document) -> Iterator[Markup]:
    if not document.noise:
        yield element("p", "Nothing was recorded of the machine.")
    for n, text in enumerate(document.noise, start=1):
        yield element("p", told(f"noise/{n}", text))


def _verify(document: Document) -> Iterator[Markup]:
    yield element("p", SEALED)
    yield element("p", "Without a network, in this folder:")
    yield element(
        "pre",
        "euchre-referee tournament verify . --referee-key '",
        told("event/key", document.referee_key),
        "'\npython -m recompute .",
    )
    yield element(
        "p",
        "The first verifies every record, the announcements, the pairings and the standings; take"
        " the key from a source of your own. The second computes every number of these pages again"
        " from the records, and shares no code with the program that wrote them.",
        class_="quiet",
    )


def _files() -> Markup:
    named: Sequence[Markup] = [element("li", link(name, name), f": {what}") for name, what in FILES]
    rest = (
        element("li", "records/: a file a board, and a file a table of it"),
        element("li", "egn/: the deal of every table in Euchre Game Notation, where it can say it"),
        element("li", "plots/: the pictures of this page"),
        element("li", "recompute/: computes every number of these pages again, with Python alone"),
    )
    return element("ul", *named, *rest)
