"""The page of an encounter: its boards, what each came to, and every table played again."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from referee.arena.tournament.model import BoardPlayed
from referee.arena.tournament.publish.document import SEAT_WORDS, Document, MeetingTold, RulingTold
from referee.arena.tournament.publish.figures import signed
from referee.arena.tournament.publish.markup import Markup, element, heading, joined, table, told
from referee.arena.tournament.publish.replay import Files, replay
from referee.arena.tournament.publish.shell import link, page, section


def encounter_name(round_number: int, encounter: int) -> str:
    """The published name of an encounter's page."""
    return f"encounters/{round_number}-{encounter}.html"


def encounter_page(
    document: Document, meeting: MeetingTold, files: Mapping[str, Files], egn: frozenset[str]
) -> bytes:
    """The page of one encounter.

    `files` are those of its boards by id, `egn` the matches whose deal is there as EGN.
    """
    boards = document.of(meeting)
    place = f"meeting/{meeting.round}/{meeting.encounter}"
    names = joined(
        (told(f"entry/{document.number_of(name)}/name", name) for name in meeting.entries),
        " · ",
    )
    title = element(
        "h1",
        "Round ",
        told(f"{place}/round", str(meeting.round)),
        ", encounter ",
        told(f"{place}/encounter", str(meeting.encounter)),
    )
    parts = [
        element("nav", element("p", link("../index.html", "The event"))),
        title,
        element("p", names),
        *games_won(meeting, "p"),
        *_verdict(meeting),
        element("p", "Why they met: ", told(f"{place}/reason", meeting.reason), class_="quiet"),
        section("boards", "Boards", _overview(document, meeting, boards)),
        section(
            "replay",
            "Every board at every table",
            element(
                "p",
                element("span", "Underlined", class_="led"),
                " is the card led, ",
                element("span", "shaded", class_="won"),
                " the card that won the trick.",
                class_="quiet",
            ),
            joined((_board(board, files, egn) for board in boards), "\n")
            or element("p", "No board of this encounter was opened."),
        ),
    ]
    shown = f"Round {meeting.round}, encounter {meeting.encounter}: {document.name}"
    return page(shown, *parts)


def _verdict(meeting: MeetingTold) -> tuple[Markup, ...]:
    """What the sequential test says, where there is one."""
    if not meeting.verdict:
        return ()
    place = f"meeting/{meeting.round}/{meeting.encounter}"
    return (
        element(
            "p",
            "the sequential test: ",
            told(f"{place}/verdict", meeting.verdict),
            "; boards that count or are due: ",
            told(f"{place}/planned", str(meeting.planned)),
        ),
    )


def games_won(meeting: MeetingTold, tag: str) -> tuple[Markup, ...]:
    """The games that either side has won, where games are played."""
    if meeting.games is None:
        return ()
    key = f"meeting/{meeting.round}/{meeting.encounter}/games"
    first, second = meeting.games
    return (element(tag, "games won: ", told(key, f"{first}-{second}")),)


def score_cell(key: str, value: Fraction) -> Markup:
    """A score in a cell, in the color of its sign."""
    tone = " plus" if value > 0 else " minus" if value < 0 else ""
    return told(key, signed(value), "td", f"number{tone}")


def _overview(document: Document, meeting: MeetingTold, boards: tuple[BoardPlayed, ...]) -> Markup:
    tables = max((len(board.matches) for board in boards), default=0)
    head = [
        heading("board", number=True),
        heading("dealer"),
        *(
            element(
                "th", "table ", told(f"column/{n + 1}", str(n + 1)), scope="col", class_="number"
            )
            for n in range(tables)
        ),
        *(
            element(
                "th",
                told(f"entry/{document.number_of(name)}/name", name),
                scope="col",
                class_="number name",
            )
            for name in meeting.entries
        ),
        heading("files"),
        heading(""),
    ]
    rows = [
        *(_row(document, meeting, board) for board in boards),
        *(
            _ruled(meeting, ruling, tables)
            for ruling in document.rulings
            if (ruling.round, ruling.encounter) == (meeting.round, meeting.encounter)
        ),
    ]
    place = f"meeting/{meeting.round}/{meeting.encounter}/total"
    total = [element("th", "in all", scope="row", colspan=str(2 + tables))]
    total += [
        score_cell(f"{place}/{n}", meeting.totals.get(name, Fraction(0)))
        for n, name in enumerate(meeting.entries, start=1)
    ]
    return table(
        head,
        [*rows, [*total, element("td"), element("td")]],
        "Points of a table, north and south first; a score is points per deal.",
    )


def _row(document: Document, meeting: MeetingTold, board: BoardPlayed) -> list[Markup]:
    place = f"board/{board.id}"
    number = str(board.key.board)
    cells = [
        element("th", link(f"#b{board.id}", number), class_="number", scope="row",
                data_is=f"{place}/number"),
        element("td", SEAT_WORDS[board.dealer]),
    ]  # fmt: skip
    if board.void:
        span = str(len(board.matches) + len(meeting.entries))
        cells.append(element("td", "void: ", told(f"{place}/void", board.void), colspan=span))
    else:
        cells += [
            told(f"table/{match}/points", f"{pair.ns}-{pair.ew}", "td", "number")
            for match, pair in zip(board.matches, board.points, strict=True)
        ]
        cells += [
            score_cell(f"{place}/x/{n}", board.scores.get(name, Fraction(0)))
            for n, name in enumerate(meeting.entries, start=1)
        ]
    cells.append(element("td", link(f"../records/{board.id}.board.jsonl", "board")))
    unheard = not board.void and board.id not in document.counting
    cells.append(element("td", "does not count" if unheard else "", class_="quiet"))
    return cells


def _ruled(meeting: MeetingTold, ruling: RulingTold, tables: int) -> list[Markup]:
    """What counts in the place of a board as it was played."""
    place = f"ruling/{ruling.round}/{ruling.encounter}/{ruling.board}"
    cells = [
        element("th", told(f"{place}/number", str(ruling.board)), class_="number", scope="row"),
        element("td", told(f"{place}/how", ruling.how), colspan=str(1 + tables)),
    ]
    for n, name in enumerate(meeting.entries, start=1):
        if name in ruling.scores:
            cells.append(score_cell(f"{place}/x/{n}", ruling.scores[name]))
        else:
            cells.append(element("td"))
    cells += [element("td"), element("td")]
    return cells


def _board(board: BoardPlayed, files: Mapping[str, Files], egn: frozenset[str]) -> Markup:
    place = f"board/{board.id}"
    tried = ""
    if board.key.attempt > 1:
        tried = joined((", attempt ", told(f"{place}/attempt", str(board.key.attempt))))
    void = ", void" if board.void else ""
    summary = element(
        "summary", "Board ", told(f"{place}/number", str(board.key.board)), tried, void
    )
    parts = [element("p", "Board ", element("code", board.id, data_is=f"{place}/id"))]
    if board.void:
        parts.append(element("p", "Void: ", told(f"{place}/void", board.void), class_="note"))
    parts.append(_faults(board))
    if board.id in files:
        parts.append(replay(board, files[board.id]))
    parts.append(_links(board, egn))
    inside = element("div", joined(parts, "\n"), class_="inside")
    return element("details", summary, inside, id=f"b{board.id}")


def _faults(board: BoardPlayed) -> Markup:
    """What was counted against seats of a board, and how often."""
    counted = Counter((fault.table, fault.seat, fault.why) for fault in board.faults)
    if not counted:
        return Markup("")
    rows = []
    for (number, seat, why), count in sorted(counted.items()):
        place = f"board/{board.id}/fault/{number}/{SEAT_WORDS[seat]}/{why}"
        rows.append(
            element(
                "li",
                "table ",
                told(f"{place}/table", str(number + 1)),
                f", {SEAT_WORDS[seat]}: ",
                told(f"{place}/why", why),
                ", times: ",
                told(f"{place}/count", str(count)),
            )
        )
    return joined((element("h4", "Faults"), element("ul", *rows)))


def _links(board: BoardPlayed, egn: frozenset[str]) -> Markup:
    found = [link(f"../records/{board.id}.board.jsonl", "board file")]
    for n, match in enumerate(board.matches):
        key = f"table/{match}/number"
        label = joined(("transcript of table ", told(key, str(n + 1))))
        found.append(element("a", label, href=f"../records/{board.id}.{n}.jsonl"))
        if match in egn:
            label = joined(("EGN of table ", told(key, str(n + 1))))
            found.append(element("a", label, href=f"../egn/{board.id}.{n}.egn"))
    return element("p", joined(found, " · "), class_="quiet")
