"""From a tournament file, and what its director has decided since, to the format that pairs it."""

from collections.abc import Mapping

from referee.arena.formats.elimination import DoubleElimination, SingleElimination
from referee.arena.formats.entrants import Entrants, Substitution, Withdrawal, bye_rule
from referee.arena.formats.model import PLAYERS, TEAMS, Format
from referee.arena.formats.progressive import Hall, Progressive, movement_of
from referee.arena.formats.schedule import Gauntlet, RoundRobin
from referee.arena.formats.standings import Order
from referee.arena.formats.swiss import Swiss
from referee.arena.formats.tally import MatchPoints
from referee.arena.formats.whist import WhistRotation
from referee.arena.tournament.actions import Rulings
from referee.arena.tournament.sheet import Sheet
from referee.errors import RefereeError


class FieldError(RefereeError):
    """A format that cannot be played yet."""


NO_RULINGS = Rulings()


def entrants_of(sheet: Sheet, rulings: Rulings = NO_RULINGS) -> Entrants:
    """The field: as the file has it, and as the director has changed it."""
    withdrawals = [Withdrawal(each.name, each.before) for each in sheet.withdrawals]
    substitutions = [
        Substitution(each.name, each.instead_of, each.since) for each in sheet.substitutes
    ]
    withdrawals += [Withdrawal(a.entry, a.since) for a in rulings.with_kind("withdraw")]
    substitutions += [
        Substitution(a.name, a.entry, a.since) for a in rulings.with_kind("substitute")
    ]
    return Entrants(
        names=sheet.names,
        withdrawals=tuple(withdrawals),
        substitutions=tuple(substitutions),
        forbidden=sheet.forbidden,
    )


def bots_of(sheet: Sheet, rulings: Rulings = NO_RULINGS) -> Mapping[str, str]:
    """Every entry's and substitute's bot."""
    bots = {each.name: each.bot for each in sheet.entries}
    bots.update({each.name: each.bot for each in sheet.substitutes})
    bots.update({each.name: each.bot for each in rulings.with_kind("substitute")})
    return bots


def worth_of(sheet: Sheet) -> MatchPoints:
    """What a meeting pays."""
    paid = sheet.match_points
    return MatchPoints(win=paid.win, draw=paid.draw, loss=paid.loss)


def order_of(sheet: Sheet) -> Order:
    """How the standings are ordered."""
    size = PLAYERS if sheet.format.individual else TEAMS
    words = sheet.tie_breaks or (("score",) if size == TEAMS else ("wins",))
    return Order(size=size, worth=worth_of(sheet), tie_breaks=words, seed=str(sheet.seed))


def format_of(sheet: Sheet, rulings: Rulings = NO_RULINGS) -> Format:
    """The format that pairs the event; FormatError or FieldError where it cannot."""
    entrants = entrants_of(sheet, rulings)
    byes = bye_rule(sheet.bye or "none")
    form = sheet.format
    match form.kind:
        case "round_robin":
            return RoundRobin(entrants=entrants, byes=byes, laps=form.times)
        case "gauntlet":
            challengers = form.challengers or sheet.names[:1]
            return Gauntlet(entrants=entrants, byes=byes, challengers=challengers, laps=form.times)
        case "swiss":
            rounds = form.rounds or max(1, (len(sheet.names) - 1).bit_length())
            return Swiss(entrants=entrants, byes=byes, length=rounds, worth=worth_of(sheet))
        case "individual":
            return WhistRotation(entrants=entrants, byes=byes, length=form.rounds)
        case "progressive":
            hall = Hall.of(len(sheet.names), form.size)
            goes = movement_of(dict(form.movement), hall) if form.movement else None
            rounds = form.rounds or max(1, hall.tables)
            return Progressive(
                entrants=entrants, byes=byes, length=rounds, size=form.size, movement=goes
            )
        case "single_elimination":
            return SingleElimination(
                entrants=entrants, third_place=form.third_place, replays=form.replays
            )
        case "double_elimination":
            return DoubleElimination(entrants=entrants, reset=form.reset, replays=form.replays)
        case _:
            raise FieldError(f"no such format: {form.kind!r} (see tournament new --help)")
