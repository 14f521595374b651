"""What every figure of the pages must be, under the name that it has there."""

import time
from collections import Counter
from fractions import Fraction

from .event import Event, Meeting
from .ratings import Pair, ratings
from .record import SEATS, Board, Table
from .rulings import undone_actions
from .standings import Table as Standings
from .standings import standing_figures
from .written import card, cards, decimal, signed

MOST_SWINGS = 10
TOP = 3
TEAM_TABLES = 2
UPCARD = 20


def expected(event: Event, standings: Standings) -> dict[str, str]:
    """Every figure."""
    found: dict[str, str] = {"event/name": event.name, "event/key": event.key}
    found["method"] = event.method
    found["event/boards"] = str(event.boards_each)
    for knob, value in (event.boards[0].rules if event.boards else event.rules).items():
        found[f"rule/{knob}"] = value
    found["interval/heading"] = "95 % interval"
    played = [board for board in event.boards if not board.void]
    for word, number in (
        ("entries", sum(not before for before in event.instead_of.values())),
        ("rounds", len(event.rounds)),
        ("played", len(played)),
        ("void", len(event.boards) - len(played)),
        ("open", event.open),
        ("opened", event.open),
    ):
        found[f"count/{word}"] = str(number)
    for number, name in enumerate(event.names, start=1):
        found[f"entry/{number}/name"] = name
        found[f"entry/{number}/for"] = event.instead_of[name]
    for n in range(1, 7):
        found[f"column/{n}"] = str(n)
    for board in event.boards:
        found |= _board(board)
    found |= _rounds(event)
    found |= _cross(event)
    found |= _swings([board for board in played if board.id in event.counting])
    found |= _robust(event)
    found |= _ratings(event, standings)
    found |= _told(event)
    found |= standing_figures(event, standings)
    return found


def _board(board: Board) -> dict[str, str]:
    place = f"board/{board.id}"
    round_number, encounter, number, attempt = board.place
    found = {
        f"{place}/id": board.id,
        f"{place}/number": str(number),
        f"{place}/attempt": str(attempt),
        f"{place}/place": f"{round_number}-{encounter}-{number}, attempt {attempt}",
    }
    if board.void:
        found[f"{place}/void"] = board.void
    else:
        for n, x in enumerate(board.scores().values(), start=1):
            found[f"{place}/x/{n}"] = signed(x)
    for n, table in enumerate(board.tables, start=1):
        for (seat, why), count in Counter(table.faults).items():
            at = f"{place}/fault/{n - 1}/{SEATS[seat]}/{why}"
            found[f"{at}/table"] = str(n)
            found[f"{at}/why"] = why
            found[f"{at}/count"] = str(count)
        found |= _table(n, table)
    if len(board.deck) > UPCARD:
        for seat, word in enumerate(SEATS):
            found[f"deal/{board.id}/{word}"] = cards(board.hand(seat))
        found[f"deal/{board.id}/up"] = card(board.deck[UPCARD])
        found[f"deal/{board.id}/kitty"] = cards(board.deck[UPCARD + 1 :])
    return found


def _table(number: int, table: Table) -> dict[str, str]:
    place = f"table/{table.match}"
    found = {
        f"{place}/number": str(number),
        f"{place}/points": f"{table.points[0]}-{table.points[1]}",
        f"{place}/discard": card(table.discard),
    }
    for word, name in zip(SEATS, table.seats, strict=True):
        found[f"{place}/{word}"] = name
    for n, words in enumerate(table.calls):
        found[f"{place}/call/{n}"] = words
    size = len({seat for seat, _ in table.plays}) or 1
    for n, (seat, text) in enumerate(table.plays):
        trick = n // size + 1
        found[f"{place}/trick/{trick}"] = str(trick)
        for word in SEATS:
            found.setdefault(f"{place}/trick/{trick}/{word}", "")
        found[f"{place}/trick/{trick}/{SEATS[seat]}"] = card(text)
    return found


def _rounds(event: Event) -> dict[str, str]:
    found: dict[str, str] = {}
    for round_told in event.rounds:
        found[f"round/{round_told.number}"] = str(round_told.number)
        for n, (_, reason, _) in enumerate(round_told.byes, start=1):
            found[f"round/{round_told.number}/bye/{n}"] = reason
        for meeting in round_told.meetings:
            found |= _meeting(event, meeting)
    return found


def _meeting(event: Event, meeting: Meeting) -> dict[str, str]:
    place = f"meeting/{meeting.round}/{meeting.encounter}"
    totals = meeting.totals
    boards = meeting.boards
    found = {
        f"{place}/round": str(meeting.round),
        f"{place}/encounter": str(meeting.encounter),
        f"{place}/reason": meeting.reason,
        f"{place}/boards": str(boards),
        f"{place}/verdict": meeting.verdict,
        f"{place}/planned": str(meeting.planned),
        f"{place}/games": f"{meeting.won[0]}-{meeting.won[1]}",
    }
    for board, (how, scores) in meeting.ruled.items():
        ruling = f"ruling/{meeting.round}/{meeting.encounter}/{board}"
        found[f"{ruling}/number"] = str(board)
        found[f"{ruling}/how"] = how
        for n, name in enumerate(meeting.entries, start=1):
            found[f"{ruling}/x/{n}"] = signed(scores.get(name, Fraction(0)))
    for n, name in enumerate(meeting.entries, start=1):
        found[f"{place}/total/{n}"] = signed(totals[name])
        if boards:
            key = f"byround/{meeting.round}/{event.number(name)}"
            found[key] = signed(totals[name] / boards)
    return found


def _cross(event: Event) -> dict[str, str]:
    sums: dict[tuple[str, str], Fraction] = {}
    boards: Counter[tuple[str, str]] = Counter()
    for round_told in event.rounds:
        for meeting in round_told.meetings:
            totals = meeting.totals
            for name in meeting.entries:
                for other in meeting.entries:
                    if other != name:
                        pair = (name, other)
                        sums[pair] = sums.get(pair, Fraction(0)) + totals[name]
                        boards[pair] += meeting.boards
    return {
        f"cross/{event.number(name)}/{event.number(other)}": signed(total / boards[name, other])
        for (name, other), total in sums.items()
        if boards[name, other]
    }


def _swings(played: list[Board]) -> dict[str, str]:
    ranked = sorted((-max(board.scores().values()), board.place, board) for board in played)
    whole = -sum((first for first, _, _ in ranked), Fraction(0))
    found: dict[str, str] = {}
    if not whole:
        return found
    for rank, (first, place, board) in enumerate(ranked[:MOST_SWINGS], start=1):
        swing = -first
        best = [name for name, x in board.scores().items() if x == swing and x > 0]
        found[f"swing/{rank}/rank"] = str(rank)
        found[f"swing/{rank}/board"] = "-".join(str(n) for n in place[:3])
        found[f"swing/{rank}/best"] = " ".join(best)
        found[f"swing/{rank}/swing"] = signed(swing)
        found[f"swing/{rank}/share"] = f"{decimal(100 * swing / whole, 1)} %"
    return found


def _robust(event: Event) -> dict[str, str]:
    """How much of each entry's result hangs on a few boards."""
    found = {"robust/top": str(TOP)}
    for name in event.names:
        scores = [
            board.scores()[name]
            for board in event.boards
            if board.id in event.counting and name in board.entries()
        ]
        if not scores:
            continue
        total, n = sum(scores, Fraction(0)), len(scores)
        left = [(total - x) / (n - 1) if n > 1 else Fraction(0) for x in scores]
        sizes = sorted((abs(x) for x in scores), reverse=True)
        share = Fraction(sum(sizes[:TOP]), sum(sizes) or 1)
        place = f"robust/{event.number(name)}"
        found[f"{place}/boards"] = str(n)
        found[f"{place}/mean"] = signed(total / n)
        found[f"{place}/low"] = signed(min(left))
        found[f"{place}/high"] = signed(max(left))
        found[f"{place}/turned"] = str(_turned_by(scores, total))
        found[f"{place}/share"] = f"{decimal(100 * share, 1)} %"
    return found


def _ratings(event: Event, standings: Standings) -> dict[str, str]:
    """The ratings of teams that have met."""
    if event.kind == "individual":
        return {}
    counts: dict[tuple[int, int], list[int]] = {}
    for board in event.boards:
        if board.id not in event.counting or len(board.tables) != TEAM_TABLES:
            continue
        first, second = (event.place_of[name] for name in board.entries())
        x = board.scores()[board.entries()[0]]
        if first > second:
            first, second, x = second, first, -x
        met = counts.setdefault((first, second), [0, 0, 0])
        met[0 if x > 0 else 1 if x < 0 else 2] += 1
    places = sorted({place for pair in counts for place in pair})
    pairs = [Pair(places.index(a), places.index(b), met) for (a, b), met in counts.items()]
    found: dict[str, str] = {}
    for place, values in zip(places, ratings(len(places), pairs) if places else [], strict=True):
        at = f"rating/{event.number(standings.lines[place].name)}"
        for word, value in zip(("rating", "low", "high"), values, strict=True):
            found[f"{at}/{word}"] = signed(Fraction(round(value, 2)), 0)
        boards = sum(sum(met) for pair, met in counts.items() if place in pair)
        found[f"{at}/boards"] = str(boards)
    return found


def _turned_by(scores: list[Fraction], total: Fraction) -> int:
    """How many of the best boards have to be left out until the sign of the sum is gone."""
    if not total:
        return 0
    best = sorted((x if total > 0 else -x for x in scores), reverse=True)
    rest = abs(total)
    for count, x in enumerate(best):
        if rest <= 0:
            return count
        rest -= x
    return len(best)


def _told(event: Event) -> dict[str, str]:
    """Faults counted, and what no record holds: the director's actions and the machine's noise."""
    found: dict[str, str] = {}
    counted: Counter[tuple[int, str]] = Counter()
    for board in event.boards:
        for table in board.tables:
            for seat, why in table.faults:
                counted[event.number(table.seats[seat]), why] += 1
    for (number, why), count in counted.items():
        found[f"fault/{number}/{why}/why"] = why
        found[f"fault/{number}/{why}/count"] = str(count)
    for n, words in enumerate(event.noise, start=1):
        found[f"noise/{n}"] = words
    undone = undone_actions(event.actions)
    for action in event.actions:
        place = f"action/{action.seq}"
        when = time.gmtime(action.at_ms // 1000)
        found[f"{place}/number"] = str(action.seq)
        found[f"{place}/at"] = time.strftime("%Y-%m-%d %H:%M:%S UTC", when)
        found[f"{place}/by"] = action.who
        found[f"{place}/now"] = "undone" if action.seq in undone else "stands"
        found[f"{place}/what"] = action.told()
        found[f"{place}/reason"] = action.reason
    return found
