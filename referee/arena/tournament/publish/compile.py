"""The document of an event, from its facts."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import Final

from referee.arena.formats.standings import Row
from referee.arena.statistics.watch import swing_bounds
from referee.arena.tournament.field import entrants_of, format_of, order_of
from referee.arena.tournament.model import TEAM_TABLES
from referee.arena.tournament.publish.document import (
    INDIVIDUAL,
    TEAM,
    ActionTold,
    ByeTold,
    Document,
    EntryTold,
    MeetingTold,
    OpenTold,
    RoundTold,
    RulingTold,
    StandingTold,
)
from referee.arena.tournament.publish.facts import Facts, Paired
from referee.arena.tournament.publish.intervals import enough, interval_of, method
from referee.arena.tournament.publish.strength import ratings_of
from referee.arena.tournament.scoring import (
    MeetingStanding,
    Tally,
    history,
    is_over,
    standings_of,
)
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.stopping import sequential_test, stop_after
from referee.rules import largest_points

MS: Final = 1_000


def document_of(facts: Facts) -> Document:
    """The document: the same facts give the same one."""
    sheet, rulings = facts.sheet, facts.rulings
    tally = Tally(sheet, facts.results, rulings)
    meetings = [tally.meetings(each.plan) for each in facts.rounds]
    finished = is_over(facts.sheet, facts.plans, tally)
    boards = [board for row in meetings for meeting in row for board in meeting.boards]
    counting = [b.played for b in boards if b.played is not None and not b.how]
    rows = standings_of(sheet, facts.plans, tally) if facts.rounds else ()
    scores = [_scores((*row.before, row.name), meetings) for row in rows]
    fixed = finished and sheet.sprt is None and enough(scores)
    paid = sheet.match_points
    return Document(
        name=sheet.name,
        referee_key=facts.referee_key,
        finished=finished,
        sheet=sheet.hash,
        kind=INDIVIDUAL if sheet.format.individual else TEAM,
        pairing=sheet.format.kind,
        boards_each=sheet.boards,
        match_points=(paid.win, paid.draw, paid.loss),
        tie_breaks=order_of(sheet).tie_breaks,
        ranking=_ranking(facts, tally),
        seed=str(sheet.seed),
        target=sheet.rules.target if sheet.mode == "games" else 0,
        largest=largest_points(sheet.rules),
        swing=int(swing_bounds(sheet.rules).high),
        rules=sheet.rules.to_map(),
        entries=tuple(_entries(facts)),
        rounds=tuple(_round(sheet, *each) for each in zip(facts.rounds, meetings, strict=True)),
        boards=tuple(sorted(facts.results, key=lambda played: played.key)),
        counting=frozenset(played.id for played in counting),
        rulings=tuple(
            RulingTold(
                round=board.key.round,
                encounter=board.key.encounter,
                board=board.key.board,
                how=board.how,
                scores=board.scores,
            )
            for board in boards
            if board.how
        ),
        open=tuple(_open(facts)),
        standings=tuple(
            _standing(facts, row, own, fixed=fixed) for row, own in zip(rows, scores, strict=True)
        ),
        ratings=() if sheet.tables != TEAM_TABLES else ratings_of(counting, _last(facts)),
        actions=tuple(_actions(facts)),
        noisy=facts.noisy,
        noise=facts.noise,
        fixed=fixed,
        method=method(fixed=fixed),
    )


def _last(facts: Facts) -> dict[str, str]:
    """Who holds the place of each entry now, as the standings name it."""
    entrants = entrants_of(facts.sheet, facts.rulings)
    number = len(facts.rounds) + 1
    names = [told.name for told in _entries(facts)]
    return {name: entrants.last_holder(entrants.place(name), number) for name in names}


def _ranking(facts: Facts, tally: Tally) -> tuple[tuple[str, ...], ...]:
    """How a bracket ranks its entries, once its rounds so far are over."""
    played = history(facts.plans, tally)
    if not played or len(played) != len(facts.rounds):
        return ()
    return format_of(facts.sheet, facts.rulings).ranking(played) or ()


def _entries(facts: Facts) -> Iterator[EntryTold]:
    for entry in facts.sheet.entries:
        yield EntryTold(entry.name, entry.bot)
    for each in facts.sheet.substitutes:
        yield EntryTold(each.name, each.bot, each.instead_of, each.since)
    for action in facts.rulings.with_kind("substitute"):
        yield EntryTold(action.name, action.bot, action.entry, action.since)


def _verdict(sheet: Sheet, meeting: MeetingStanding) -> str:
    """What the sequential test says of an encounter; empty where there is none."""
    test = sequential_test(sheet)
    if test is None:
        return ""
    first = meeting.encounter.entries[0]
    done = takewhile(lambda board: board.done, meeting.boards)
    _, verdict = stop_after(test, sheet.chunk, [board.scores.get(first) for board in done])
    return str(verdict)


def _round(sheet: Sheet, paired: Paired, meetings: Sequence[MeetingStanding]) -> RoundTold:
    return RoundTold(
        number=paired.plan.number,
        meetings=tuple(
            MeetingTold(
                round=meeting.round,
                encounter=meeting.number,
                entries=meeting.encounter.entries,
                reason=meeting.encounter.reason,
                label=meeting.encounter.label,
                totals=meeting.totals,
                boards=meeting.counted,
                winner=meeting.outcome.winner if meeting.finished else None,
                games=meeting.games if meeting.target else None,
                planned=len(meeting.boards),
                verdict=_verdict(sheet, meeting),
            )
            for meeting in meetings
        ),
        byes=tuple(ByeTold(bye.entry, bye.reason, bye.worth) for bye in paired.plan.byes),
        actions=paired.actions,
    )


def _open(facts: Facts) -> Iterator[OpenTold]:
    closed = {played.id for played in facts.results}
    for each in facts.tries:
        if each.id not in closed:
            yield OpenTold(each.key, each.id, each.matches)


def _standing(facts: Facts, row: Row, scores: Sequence[Fraction], *, fixed: bool) -> StandingTold:
    sheet = facts.sheet
    low, high, told = interval_of(
        scores, fixed=fixed, rules=sheet.rules, sheet=sheet.hash, entry=row.name
    )
    return StandingTold(
        place=row.rank,
        entry=row.name,
        points=None if sheet.format.individual else row.points,
        breaks=tuple(zip(order_of(sheet).tie_breaks, row.tie_breaks, strict=True)),
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        byes=row.byes,
        boards=row.boards,
        mean=row.mean,
        withdrawn=row.withdrawn,
        low=low,
        high=high,
        interval=told,
    )


def _scores(names: Sequence[str], meetings: Sequence[Sequence[MeetingStanding]]) -> list[Fraction]:
    """The scores of a place's holders, board by board."""
    return [
        x
        for row in meetings
        for meeting in row
        for board in meeting.boards
        for name, x in board.scores.items()
        if name in names
    ]


def _actions(facts: Facts) -> Iterator[ActionTold]:
    undone: set[int] = set()
    for action in reversed(facts.taken):
        if action.kind == "undo" and action.seq not in undone:
            undone.add(action.undoes)
    for action in facts.taken:
        yield ActionTold(
            number=action.seq,
            at=action.at_ms // MS,
            by=action.who,
            what=action.told,
            reason=action.reason,
            undone=action.seq in undone,
        )
