"""Who came out how against whom, and in which round."""

from fractions import Fraction

from referee.arena.tournament.publish.document import Document, RoundTold
from referee.arena.tournament.publish.encounters import encounter_name, score_cell
from referee.arena.tournament.publish.figures import signed
from referee.arena.tournament.publish.markup import Markup, element, heading, table, told
from referee.arena.tournament.publish.shell import link


def order(document: Document) -> tuple[str, ...]:
    """The entries in the order of the standings; in that of the sheet where there are none."""
    if document.standings:
        return tuple(row.entry for row in document.standings)
    return tuple(entry.name for entry in document.entries)


def mean_against(document: Document, name: str, other: str) -> Fraction | None:
    """Points per deal of an entry against another over all boards; None where they have not met."""
    met = [
        meeting
        for told_round in document.rounds
        for meeting in told_round.meetings
        if name in meeting.entries and other in meeting.entries
    ]
    boards = sum(meeting.boards for meeting in met)
    if not boards:
        return None
    return sum((meeting.totals.get(name, Fraction(0)) for meeting in met), Fraction(0)) / boards


def crosstable(document: Document) -> Markup:
    """Points per deal of each entry against each other."""
    names = order(document)
    head = [heading("entry")]
    head += [
        element("th", told(f"entry/{document.number_of(name)}/name", name), scope="col",
                class_="number name", title=name)
        for name in names
    ]  # fmt: skip
    rows = []
    for name in names:
        mine = document.number_of(name)
        row = [element("th", name, scope="row", class_="name", data_is=f"entry/{mine}/name")]
        for other in names:
            mean = mean_against(document, name, other)
            key = f"cross/{mine}/{document.number_of(other)}"
            if name == other:
                row.append(element("td", class_="self"))
            else:
                row.append(element("td") if mean is None else score_cell(key, mean))
        rows.append(row)
    return table(head, rows, "Points per deal of the entry of the row against that of the column.")


def by_round(document: Document) -> Markup:
    """Points per deal of each entry in each round, with a link to the encounter."""
    head = [heading("entry")]
    head += [
        element("th", told(f"round/{r.number}", str(r.number)), scope="col", class_="number")
        for r in document.rounds
    ]
    rows = []
    for name in order(document):
        mine = document.number_of(name)
        row = [element("th", name, scope="row", class_="name", data_is=f"entry/{mine}/name")]
        row += [_cell(document, name, told_round) for told_round in document.rounds]
        rows.append(row)
    return table(head, rows, "Points per deal in each round.")


def _cell(document: Document, name: str, told_round: RoundTold) -> Markup:
    """What an entry, or whoever held its place before it, had in a round."""
    holders = document.holders(name)
    found = ((h, m) for m in told_round.meetings for h in holders if h in m.entries)
    holder, meeting = next(found, (name, None))
    if meeting is None:
        bye = any(each.entry in holders for each in told_round.byes)
        return element("td", "bye" if bye else "", class_="quiet")
    if not meeting.boards:
        return element("td", "to come", class_="quiet")
    mean = meeting.totals.get(holder, Fraction(0)) / meeting.boards
    href = encounter_name(meeting.round, meeting.encounter)
    key = f"byround/{meeting.round}/{document.number_of(holder)}"
    return element("td", link(href, signed(mean)), class_="number", data_is=key)
