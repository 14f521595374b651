"""Whether the parts of a tournament file fit each other: field and format, boards and chunks."""

from typing import Final

from referee.arena.tournament.field import format_of, order_of
from referee.arena.tournament.marked import Fields, Value, meant
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.stopping import sequential_test
from referee.errors import RefereeError

SEATS: Final = 4
NEED_EVEN: Final = frozenset({"round_robin", "swiss"})
FORBIDDEN_IN: Final = frozenset({"swiss", "round_robin", "gauntlet"})


def check_field(sheet: Sheet, fields: Fields, options: Fields, *, begun: bool) -> None:
    """Refuse, with its line, what could not be played to the end.

    Where the event has `begun`, whether its first round can be drawn is known.
    """
    _check_boards(sheet, fields)
    _check_byes(sheet, fields)
    _check_names(sheet, options)
    count = len(sheet.entries)
    if (rounds := options.get("rounds")) is not None and sheet.format.kind == "swiss":
        most = count - 1 if count % 2 == 0 else count
        if (sheet.format.rounds or 0) > most:
            rounds.refuse(
                f"{sheet.format.rounds} rounds among {count} entries: somebody would meet again"
                f" (use at most {most}, or a round_robin)"
            )
    if sheet.forbidden and sheet.format.kind not in FORBIDDEN_IN:
        _at(fields, "forbidden").refuse(
            f"a {sheet.format.kind} cannot keep pairs apart (use swiss, or leave it out)"
        )
    _check_format(sheet, fields, options, begun=begun)
    if sheet.sprt is not None:
        if count != 2 or sheet.tables != 2:  # noqa: PLR2004 -- a duel of two teams
            _at(fields, "stop").refuse(f"{count} entries: only a duel of two teams can be stopped")
        if sheet.format.kind not in {"round_robin", "gauntlet"} or sheet.format.times != 1:
            _at(fields, "stop").refuse("a duel that can be stopped is one meeting (times: 1)")
        try:
            sequential_test(sheet)
        except RefereeError as err:
            _at(fields, "stop").refuse(str(err))
        if sheet.mode != "boards":
            _at(fields, "stop").refuse("a test of points per deal needs mode: boards")
    if sheet.mode == "games" and (sheet.tables != 2 or sheet.rules.deals is not None):  # noqa: PLR2004
        _at(fields, "mode").refuse(
            "games are played by two teams to the target of the rules (use mode: boards)"
        )


def _check_format(sheet: Sheet, fields: Fields, options: Fields, *, begun: bool) -> None:
    """Whatever the format itself has against the field."""
    pairs = format_of if begun else _first_round
    for make, keys in ((order_of, ("tie_breaks",)), (pairs, ("movement", "format"))):
        try:
            make(sheet)
        except RefereeError as err:
            where = next(
                (v for key in keys if (v := options.get(key) or fields.get(key))), fields.of
            )
            where.refuse(str(err))


def _first_round(sheet: Sheet) -> object:
    return format_of(sheet).next_round(())


def _at(fields: Fields, key: str) -> Value:
    return fields.get(key) or fields.of


def _check_boards(sheet: Sheet, fields: Fields) -> None:
    if sheet.mode == "games":
        return
    boards, chunk = sheet.boards, sheet.chunk
    if sheet.dealers == "balanced" and boards % SEATS:
        low, high = boards - boards % SEATS, boards + SEATS - boards % SEATS
        use = f"{low} or {high}" if low else f"{high}"
        _at(fields, "boards").refuse(
            f"{boards} boards do not give every seat the deal as often"
            f" (use {use}, or dealers: rotating)"
        )
    if boards % chunk:
        _at(fields, "chunk").refuse(
            f"{boards} boards are no whole number of chunks of {chunk}"
            f" (use one of {', '.join(map(str, _divisors(boards)))})"
        )


def _divisors(boards: int) -> list[int]:
    return [n for n in range(1, min(boards, 64) + 1) if boards % n == 0]


def _check_byes(sheet: Sheet, fields: Fields) -> None:
    count, kind = len(sheet.entries), sheet.format.kind
    if kind == "individual" or kind in NEED_EVEN:
        full = SEATS if kind == "individual" else 2
    else:
        full = sheet.format.size if kind == "progressive" else 1
    odd = count % full != 0
    told = "an odd field" if full == 2 else "no whole number of tables"  # noqa: PLR2004
    if odd and sheet.bye in {None, "none"}:
        where = _at(fields, "byes" if sheet.bye else "entries")
        where.refuse(
            f"{count} entries are {told}, and there is no rule for byes"
            " (write byes: full, half or zero, or change the field)"
        )


def _check_names(sheet: Sheet, options: Fields) -> None:
    names = sheet.names
    challengers = options.get("challengers")
    if challengers is not None:
        for item in challengers.items():
            if item.scalar() not in names:
                item.refuse(f"no entry is called {item.scalar()!r} ({meant(item.scalar(), names)})")
        if len(sheet.format.challengers) >= len(names):
            challengers.refuse("everybody is a challenger (leave somebody for them to meet)")
