"""What was said in a recorded deal, each word with its seat and phase, for those who write it."""

from dataclasses import dataclass
from typing import ClassVar

from referee.errors import RefereeError
from referee.records.known import Known
from referee.records.model import Laid, Record, RecordedDeal
from referee.records.walk import Walk
from referee.rules import (
    PRESETS,
    SEATS,
    Hand,
    Phase,
    RuleSet,
    Seat,
    Violation,
    card_text,
    parse_action,
    preset,
    ruling,
)
from referee.rules.knobs import AloneWhen, DefendAlone


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


def told(rules: RuleSet, deal: RecordedDeal, *, ordered: bool) -> Told:
    """The calls of a deal with their phases; CannotExpressError where they are not lawful."""
    if not deal.has_dealer:
        raise CannotExpressError(f"deal {deal.number}: who dealt is not known (write the dealer)")
    hand = Hand(rules, Known(rules, deal).completed())
    words: list[Word] = []
    queue = list(deal.said)
    while hand.phase not in {Phase.PLAY, Phase.OVER}:
        seat = SEATS[hand.turn]
        buries = hand.phase is Phase.DISCARD and not any(w.words.startswith("give ") for w in words)
        if buries and deal.discard is not None:
            text = f"discard {card_text(deal.discard)}"
        elif queue:
            text = queue.pop(0).words
        else:
            raise CannotExpressError(
                f"deal {deal.number}: the calls are not whole (export a match that was played out)"
            )
        found = ruling(hand, seat, text)
        if isinstance(found, Violation):
            raise CannotExpressError(
                f"deal {deal.number}: {seat.word} says {text!r}, which is not lawful"
                f" ({found.rule}): only lawful calls can be exported"
            )
        code = parse_action(text)
        words.append(Word(hand.phase, seat, text))
        if code is not None:
            hand.advance(code)
    tricks = Walk(hand, deal.tricks, {}, ordered=ordered).seated() if hand.trump >= 0 else ()
    if tricks is None:
        raise CannotExpressError(
            f"deal {deal.number}: who played which card is not known (judge the record first)"
        )
    return Told(tuple(words), hand, tricks)


def check_one_game(record: Record, name: str) -> None:
    """Refuse a match of several games where a format holds one."""
    if record.games > 1:
        raise CannotExpressError(
            f"{name} holds one game, and the match is {record.games} (export it as text or json)"
        )
