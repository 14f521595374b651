"""The pictures of an event, as SVG: how sure the standings are, and what each board brought."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from referee.arena.statistics.figures import FixedFigure, WatchedFigure
from referee.arena.statistics.plots import boards_plot, standings_plot
from referee.arena.statistics.watch import Bounds, watched
from referee.arena.tournament.publish.document import Document, StandingTold

Kind = TypeVar("Kind", FixedFigure, WatchedFigure)


def pictures(document: Document) -> Mapping[str, str]:
    """The pictures by their names: `standings`, and `boards-N` of the entry with the number N."""
    found: dict[str, str] = {}
    known = [row for row in document.standings if row.low is not None]
    if known and document.fixed:
        found["standings"] = standings_plot([(r.entry, _figure(r, FixedFigure)) for r in known])
    elif known:
        found["standings"] = standings_plot([(r.entry, _figure(r, WatchedFigure)) for r in known])
    bounds = Bounds(-float(document.swing), float(document.swing))
    for row in document.standings:
        scores = scores_of(document, row.entry)
        if scores:
            name = f"boards-{document.number_of(row.entry)}"
            band = watched(scores, bounds)
            title = f"Points per board: {row.entry}"
            found[name] = boards_plot(scores, band, title=title, ident=name)
    return found


def scores_of(document: Document, entry: str) -> list[Fraction]:
    """What counts for an entry, and for whoever held its place before it, board by board."""
    holders = document.holders(entry)
    ruled = {(r.round, r.encounter, r.board): r.scores for r in document.rulings}
    played = {(b.key.round, b.key.encounter, b.key.board): b.scores for b in document.counted}
    places = (
        (meeting.round, meeting.encounter, board)
        for told in document.rounds
        for meeting in told.meetings
        for board in range(1, document.boards_each + 1)
    )
    return [
        x
        for place in places
        for name, x in ruled.get(place, played.get(place, {})).items()
        if name in holders
    ]


def _figure(row: StandingTold, kind: type[Kind]) -> Kind:
    return kind(mean=float(row.mean), low=row.low or 0.0, high=row.high or 0.0, boards=row.boards)
