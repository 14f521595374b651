"""What was said in a recorded deal, each word with its seat and phase, for those who write it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from referee.errors import RefereeError
from referee.records.known import Known
from referee.records.model import UNHEARD, Laid, Record, RecordedDeal, Said
from referee.records.walk import Walk
from referee.records.words import speaks_of_house
from referee.rules import (
    PRESETS,
    SEATS,
    Hand,
    Phase,
    Reason,
    RuleSet,
    Seat,
    Violation,
    card_text,
    parse_action,
    preset,
    ruling,
)
from referee.rules.knobs import AloneWhen, DefendAlone
from referee.rules.notation import PASS


class CannotExpressError(RefereeError):
    """Something that a format has no way to say."""

    exit_code: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a file, and what it leaves out."""

    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """A word before the play: its phase, who said it, and the word."""

    phase: Phase
    seat: Seat
    words: str


@dataclass(frozen=True, slots=True)
class Told:
    """A deal as it was called and played: every word with its phase, every card with its seat."""

    words: tuple[Word, ...]
    hand: Hand
    tricks: tuple[tuple[Laid, ...], ...]


def rules_of(record: Record) -> RuleSet:
    """The rule set that a record states."""
    return RuleSet.from_map({**preset(record.rules or "standard").to_map(), **record.knobs})


def named_rules(rules: RuleSet) -> tuple[str, dict[str, str]]:
    """The nearest preset, and the knobs in which the rule set differs from it."""
    values = rules.to_map()
    apart = {
        name: {knob: value for knob, value in values.items() if base.to_map()[knob] != value}
        for name, base in PRESETS.items()
    }
    name = min(apart, key=lambda n: len(apart[n]))
    return name, apart[name]


def asks_alone(rules: RuleSet) -> bool:
    """Whether seats are asked before the lead whether they go alone."""
    return rules.alone_when is AloneWhen.BEFORE_LEAD or rules.defend_alone is not DefendAlone.NEVER


def told(
    rules: RuleSet, deal: RecordedDeal, *, ordered: bool = True, house_said: bool = True
) -> Told:
    """The calls of a deal with their phases; CannotExpressError where they are not lawful.

    What goes without saying is filled in: a pass to the house's question, and no to whether one
    goes alone.
    """
    if not deal.has_dealer:
        raise _unfit(deal, "who dealt is not known (write the dealer)")
    if deal.upcard is None and any(said.words.startswith("order") for said in deal.said):
        raise _unfit(deal, "the upcard is not known, and with it trump (write the upcard)")
    known = Known(rules, deal)
    hand = Hand(rules, known.completed())
    speaks = house_said and speaks_of_house([said.words for said in deal.said])
    words: list[Word] = []
    queue = list(deal.said)
    while hand.phase not in {Phase.PLAY, Phase.OVER}:
        seat = SEATS[hand.turn]
        text = _next_words(hand, deal, queue, words, speaks_of_house=speaks)
        found = ruling(hand, seat, text)
        if isinstance(found, Violation) and _by_hand(found, text) and not known.is_full(seat):
            found = parse_action(text) or PASS
        if isinstance(found, Violation):
            lawful = "only lawful calls can be exported"
            raise _unfit(
                deal, f"{seat.word} says {text!r}, which is not lawful ({found.rule}): {lawful}"
            )
        words.append(Word(hand.phase, seat, text))
        hand.advance(found)
    if queue:
        raise _unfit(deal, f"{queue[0].words!r} is said after the calls (judge the record first)")
    _check_stated(deal, hand)
    return Told(tuple(words), hand, _seated(known, hand, ordered=ordered))


def _by_hand(found: Violation, text: str) -> bool:
    """Whether a refusal rests on a hand: it says nothing where the hand is not known."""
    buries = found.reason is Reason.CARD_NOT_HELD and text.startswith("discard ")
    return buries or found.reason is Reason.NEEDS_TRUMP


def _unfit(deal: RecordedDeal, why: str) -> CannotExpressError:
    return CannotExpressError(f"deal {deal.number}: {why}")


def _next_words(
    hand: Hand,
    deal: RecordedDeal,
    queue: list[Said],
    words: Sequence[Word],
    *,
    speaks_of_house: bool,
) -> str:
    """What the seat on turn says: written down, or left out since it goes without saying."""
    seat = SEATS[hand.turn]
    buries = hand.phase is Phase.DISCARD and not any(w.words.startswith("give ") for w in words)
    if buries and deal.discard is not None:
        return f"discard {card_text(deal.discard)}"
    if hand.phase is Phase.HOUSE and not speaks_of_house and hand.trump < 0:
        return "pass"
    if hand.phase is Phase.ALONE and (not queue or queue[0].seat not in {None, seat}):
        return "decline"
    if not queue:
        raise _unfit(deal, "the calls are not whole (export a match that was played out)")
    said = queue.pop(0)
    if said.words == UNHEARD:
        raise _unfit(deal, f"what {seat.word} called is not known (judge the record first)")
    if said.seat not in {None, seat} and said.seat is not None:
        raise _unfit(
            deal,
            f"{said.seat.word} says {said.words!r} while it is the turn of {seat.word}:"
            " only calls in turn can be exported",
        )
    return said.words


def _check_stated(deal: RecordedDeal, hand: Hand) -> None:
    """Refuse a deal whose stated trump, maker or loners are not those of its calls."""
    trump = deal.trump is None or deal.trump == hand.trump
    maker = deal.maker is None or deal.maker == hand.maker
    if not (trump and maker and set(deal.alone) <= set(hand.alone_seats)):
        raise _unfit(deal, "the calls make other trump than is stated (judge the record first)")


def _seated(known: Known, hand: Hand, *, ordered: bool) -> tuple[tuple[Laid, ...], ...]:
    deal = known.deal
    if hand.trump < 0:
        return ()
    took = hand.upcard_state.value == "taken"
    owners = {} if hand.buried[1:] else known.owners((), may_take=took)
    walk = Walk(hand, deal.tricks, owners, ordered=ordered)
    for item in walk.irregularities:
        raise _unfit(deal, f"{item.what} ({item.rule}): only play in turn can be exported")
    tricks = walk.seated()
    if tricks is None or walk.problems:
        raise _unfit(deal, "who played which card is not known (judge the record first)")
    return tricks


def lost_notes(record: Record, name: str) -> list[str]:
    """What a format other than our own leaves out of a record."""
    notes = [
        f"deal {deal.number}: irregularities and claims are not written: {name} has none"
        for deal in record.deals
        if deal.happenings or deal.claims
    ]
    if record.table_rules:
        notes.append(f"the table's rules are not written: {name} has none")
    return notes


def check_one_game(record: Record, name: str) -> None:
    """Refuse a match of several games where a format holds one."""
    if record.games > 1:
        raise CannotExpressError(
            f"{name} holds one game, and the match is {record.games} (export it as text or json)"
        )
