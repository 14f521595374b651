"""What the law of the table makes of the irregularities that a record writes down.

A misdeal ends the deal before it counts; what happens in the play costs points or binds a card.
Rules: the sections on misdeals, calls, play and reneges of the rule book; each knob of
`TableRules` is read here, at the rule that it bends, or where the calls are played.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.records.model import Happening, Problem
from referee.records.report import Irregularity
from referee.records.tablerules import TableRules
from referee.rules import (
    SEATS,
    Card,
    Finding,
    Hand,
    Holding,
    Penalty,
    Seat,
    Side,
    card_text,
)
from referee.rules.play import TRICKS
from referee.rules.ranking import FOLLOW

Tricks = Sequence[tuple[tuple[int, Card], ...]]
_EARLY: Final = frozenset({"dealing", "before_upcard"})


@dataclass(frozen=True, slots=True)
class Table:
    """What the law looks at: the table's rules, the calls as played, the tricks, the hands."""

    rules: TableRules
    hand: Hand
    dealer: Seat
    expected: Seat | None
    misdeals: int
    tricks: Tricks
    holdings: tuple[Holding, ...]


@dataclass(slots=True)
class Effects:
    """What follows from the irregularities: rulings, a redeal and who deals, who may not score."""

    irregularities: list[Irregularity] = field(default_factory=list)
    redeal: bool = False
    next_dealer: Seat | None = None
    barred: set[Side] = field(default_factory=set)
    late: list[Finding] = field(default_factory=list)
    talked: set[Side] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def apply_law(table: Table, happenings: Sequence[Happening]) -> Effects:
    """The rulings on everything that the record writes down, in its order."""
    effects = Effects()
    for happening in happenings:
        why = _impossible(table, happening)
        if why is None:
            _LAWS[happening.kind](table, happening, effects)
        else:
            message = f"{why}: it is not judged"
            effects.problems.append(Problem(happening.kind.replace("_", " "), message))
    return effects


def _impossible(table: Table, happening: Happening) -> str | None:
    """Why something cannot have happened as it is written down; nothing where it can."""
    trick, seat, card = happening.trick, happening.seat, happening.card
    if trick is not None and not 0 < trick <= TRICKS:
        return f"there is no trick {trick} (tricks count from 1 to {TRICKS})"
    if seat is None or card is None or trick is None:
        return None
    held = table.holdings[seat].cards >> card & 1
    for number, laid in enumerate(table.tricks[: trick - 1], 1):
        if any(card == played for _, played in laid):
            return f"{card_text(card)} was played to trick {number}, before trick {trick}"
    other = next((s for s in SEATS if s != seat and table.holdings[s].cards >> card & 1), None)
    if other is not None and not held:
        return f"{card_text(card)} is in the hand of {other.word}, not of {seat.word}"
    if table.holdings[seat].elsewhere >> card & 1 and not held:
        return f"{seat.word} cannot hold {card_text(card)}"
    return None


def _rule(
    effects: Effects,
    happening: Happening,
    rule: str,
    what: str,
    remedy: str,
    *,
    pays: tuple[Side, int] | None = None,
) -> None:
    penalty = Penalty(*pays) if pays is not None and pays[1] else Penalty()
    effects.irregularities.append(
        Irregularity(
            rule=rule,
            what=what,
            trick=happening.trick,
            seat=happening.seat,
            card=happening.card,
            remedy=remedy,
            penalty=penalty,
        )
    )


def _who(seat: Seat | None) -> str:
    return "the dealer" if seat is None else seat.word


def _misdeal(table: Table, at: str, effects: Effects) -> str:
    """Deal again, and by whom.

    Rule: misdeal.wrong-count
    """
    remedy, limit = table.rules.misdeal_remedy, table.rules.misdeal_limit
    early = at in _EARLY
    loses = (
        remedy == "lose_deal"
        or (remedy == "lose_after_upcard" and not early)
        or (remedy == "lose_after_lead" and at == "in_play")
    )
    effects.redeal = True
    if not loses and limit is not None and table.misdeals + 1 >= limit:
        loses = True
    if loses:
        effects.next_dealer = table.dealer.left
        return f"{table.dealer.word} loses the deal, and {table.dealer.left.word} deals"
    effects.next_dealer = table.dealer
    return f"{table.dealer.word} deals again"


def _wrong_count(table: Table, happening: Happening, effects: Effects) -> None:
    count = "the wrong number of" if happening.number is None else str(happening.number)
    what = f"{_who(happening.seat)} has {count} {'card' if happening.number == 1 else 'cards'}"
    if happening.at == "in_play" and table.rules.wrong_count_in_play == "forfeit":
        side = (table.dealer if happening.seat is None else happening.seat).side
        rules = table.rules
        lone = table.hand.alone
        points = rules.wrong_count_lone_points if lone else rules.wrong_count_points
        effects.barred.add(side)
        remedy = "the deal stands, and that side may not score"
        _rule(effects, happening, "misdeal.wrong-count", what, remedy, pays=(side, points))
        return
    remedy = _misdeal(table, happening.at, effects)
    _rule(effects, happening, "misdeal.wrong-count", what, remedy)


def _exposed_in_deal(table: Table, happening: Happening, effects: Effects) -> None:
    knob = table.rules.exposed_in_deal
    where = "while dealing"
    if happening.at == "upcard":
        knob, where = table.rules.exposed_with_upcard, "while turning the upcard"
    card = "a card" if happening.card is None else card_text(happening.card)
    what = f"{_who(happening.seat)} exposes {card} {where}"
    if knob == "claim" and not happening.claimed:
        remedy = "nobody claims a new deal, so it stands"
    else:
        remedy = _misdeal(table, "dealing", effects)
    _rule(effects, happening, "misdeal.exposed-card", what, remedy)


def _no_cut(table: Table, happening: Happening, effects: Effects) -> None:
    remedy = "the deal stands"
    if table.rules.no_cut == "claim" and happening.claimed:
        remedy = _misdeal(table, "dealing", effects)
    _rule(effects, happening, "cut.right", "the cut is not offered", remedy)


def _deal_out_of_turn(table: Table, happening: Happening, effects: Effects) -> None:
    """Rule: deal.out-of-turn -- until when a stolen deal can be stopped."""
    knob, at = table.rules.deal_out_of_turn, happening.at
    what = f"{_who(happening.seat)} deals out of turn"
    rightful = table.dealer if table.expected is None else table.expected
    if knob == "misdeal":
        remedy = _misdeal(table, at, effects)
        effects.next_dealer = rightful if effects.next_dealer is table.dealer else rightful.left
        remedy = f"a misdeal, and {effects.next_dealer.word} deals"
    elif (knob == "before_upcard" and at == "before_upcard") or (
        knob == "before_lead" and at in {"before_upcard", "before_lead"}
    ):
        effects.redeal, effects.next_dealer = True, rightful
        remedy = f"stopped in time: {rightful.word} deals"
    else:
        remedy = "the deal stands"
    _rule(effects, happening, "deal.out-of-turn", what, remedy)


def _kitty_exposed(table: Table, happening: Happening, effects: Effects) -> None:
    what = f"{_who(happening.seat)} exposes a card of the kitty"
    if table.rules.kitty_exposed == "redeal":
        effects.redeal, effects.next_dealer = True, table.dealer
        remedy = f"{table.dealer.word} deals again (no book rules on this)"
    else:
        remedy = "the play goes on (no book rules on this)"
    _rule(effects, happening, "deal.kitty-exposed", what, remedy)


def _table_talk(table: Table, happening: Happening, effects: Effects) -> None:
    knob, seat = table.rules.table_talk, happening.seat
    if seat is None:
        return
    again = seat.side in effects.talked
    effects.talked.add(seat.side)
    costs = knob == "points" or (knob == "warning_then_points" and again)
    points = table.rules.table_talk_points if costs else 0
    remedy = "a penalty" if points else "a warning"
    what = f"{seat.word} talks of the cards"
    _rule(effects, happening, "table-talk", what, remedy, pays=(seat.side, points))


def _lead_out_of_turn(table: Table, happening: Happening, effects: Effects) -> None:
    seat, card = happening.seat, happening.card
    if seat is None or card is None:
        return
    what = f"{seat.word} leads {card_text(card)} out of turn"
    knob = table.rules.lead_out_of_turn
    if knob == "stands":
        remedy = "the lead stands"
    elif knob == "called":
        remedy = "the lead is taken back, and the adversaries may call a card or a suit"
    else:
        remedy = f"the lead is taken back, and {_binding(table, seat)}"
    _rule(effects, happening, "play.out-of-turn", what, remedy)
    if knob == "called":
        _called(table, happening, effects)
    elif knob == "exposed":
        _bound(table, happening, effects)


def _binding(table: Table, seat: Seat) -> str:
    if _is_free(table, seat):
        return "the card is free again"
    if table.rules.exposed_card == "called":
        return "the adversaries may call the card"
    return "the card lies exposed until it can be played"


def _is_free(table: Table, seat: Seat) -> bool:
    """Whether a card that a seat exposed binds it to nothing; a lone player harms nobody."""
    if table.rules.exposed_card == "no_penalty":
        return True
    lone = bool(table.hand.alone >> seat & 1)
    return lone and table.rules.lone_exposed_card == "no_penalty"


def _exposed_card(table: Table, happening: Happening, effects: Effects) -> None:
    seat, card = happening.seat, happening.card
    if seat is None or card is None:
        return
    what = f"{seat.word} exposes {card_text(card)}"
    _rule(effects, happening, "play.exposed-card", what, _binding(table, seat))
    _bound(table, happening, effects)


def _bound(table: Table, happening: Happening, effects: Effects) -> None:
    """Hold an exposed card against the play: it goes at the first lawful chance, or when called.

    Rule: play.exposed-card
    """
    seat, card = happening.seat, happening.card
    if seat is None or card is None or _is_free(table, seat):
        return
    if table.rules.exposed_card == "called":
        _called(table, happening, effects)
        return
    for number in range(happening.trick or 1, len(table.tricks) + 1):
        played = _card_of(table.tricks[number - 1], seat)
        if played == card:
            return
        if played is not None and _could_play(table, number, seat, card):
            what = f"{seat.word} plays {card_text(played)} while {card_text(card)} lies exposed"
            _broken(effects, number, seat, played, what)
            return


def _called(table: Table, happening: Happening, effects: Effects) -> None:
    """Hold a card that was called against the play."""
    seat, card, number = happening.seat, happening.card, happening.called
    if seat is None or card is None or number is None or not 0 < number <= len(table.tricks):
        return
    played = _card_of(table.tricks[number - 1], seat)
    if played in {None, card} or played is None or not _could_play(table, number, seat, card):
        return
    what = f"{seat.word} plays {card_text(played)} although {card_text(card)} is called"
    _broken(effects, number, seat, played, what)


def _broken(effects: Effects, trick: int, seat: Seat, card: Card, what: str) -> None:
    effects.irregularities.append(
        Irregularity(rule="play.exposed-card", what=what, trick=trick, seat=seat, card=card)
    )


def _card_of(trick: tuple[tuple[int, Card], ...], seat: Seat) -> Card | None:
    return next((card for who, card in trick if who == seat), None)


def _could_play(table: Table, number: int, seat: Seat, card: Card) -> bool:
    """Whether a card was lawful at a trick, as far as the seat's hand is known."""
    trick, trump = table.tricks[number - 1], table.hand.trump
    if trump < 0:
        return False
    lead = trick[0][1]
    if trick[0][0] == seat or FOLLOW[trump][lead] >> card & 1:
        return True
    later = [c for t in table.tricks[number - 1 :] for s, c in t if s == seat and c != card]
    return not any(FOLLOW[trump][lead] >> c & 1 for c in later)


def _correction(table: Table, happening: Happening, effects: Effects) -> None:
    """Rule: renege.correction-window -- in time it is no renege, late it still is one."""
    seat, card, number, at = happening.seat, happening.card, happening.trick or 0, happening.at
    if seat is None or card is None:
        return
    windows: Mapping[str, frozenset[str]] = {
        "until_quitted": frozenset({"in_trick", "after_partner", "finished"}),
        "until_finished": frozenset({"in_trick", "after_partner"}),
        "until_side_plays": frozenset({"in_trick"}),
        "never": frozenset(),
    }
    what = f"{seat.word} takes back {card_text(card)}"
    if at in windows[table.rules.renege_correction]:
        remedy = f"corrected in time, and {_binding(table, seat)}"
        _rule(effects, happening, "renege.correction-window", what, remedy)
        _bound(table, happening, effects)
        return
    _rule(effects, happening, "renege.correction-window", what, "too late to correct it")
    trick = table.tricks[number - 1] if 0 < number <= len(table.tricks) else ()
    if not trick or table.hand.trump < 0:
        return
    follow = FOLLOW[table.hand.trump][trick[0][1]]
    instead = _card_of(trick, seat)
    if instead is not None and follow >> instead & 1 and not follow >> card & 1:
        effects.late.append(Finding(number, seat, card))


def _laydown(_table: Table, _happening: Happening, _effects: Effects) -> None:
    """Claims of the remaining tricks are judged where the tricks are counted."""


_LAWS: Final[Mapping[str, Callable[[Table, Happening, Effects], None]]] = {
    "wrong_count": _wrong_count,
    "exposed_in_deal": _exposed_in_deal,
    "no_cut": _no_cut,
    "deal_out_of_turn": _deal_out_of_turn,
    "kitty_exposed": _kitty_exposed,
    "table_talk": _table_talk,
    "lead_out_of_turn": _lead_out_of_turn,
    "exposed_card": _exposed_card,
    "correction": _correction,
    "laydown": _laydown,
}
