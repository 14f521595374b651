"""Words that several formats of records share: cards, seats, calls, plays and irregularities."""

from collections.abc import Mapping
from typing import Final

from referee.records.jsonfields import Reader
from referee.records.model import Happening, Laid, Problem, Said, TimedClaim
from referee.rules import (
    SEATS,
    Card,
    InvalidCardError,
    Seat,
    Suit,
    UnknownSeatError,
    parse_card,
    parse_seat,
    parse_trump,
)
from referee.rules.notation import uncovered

UNKNOWN: Final = "X"
_STAGES: Final = ("dealing", "before_upcard", "before_lead", "in_play")
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "wrong_count": _STAGES,
    "exposed_in_deal": ("dealing", "upcard"),
    "no_cut": (),
    "deal_out_of_turn": _STAGES[1:],
    "kitty_exposed": (),
    "table_talk": (),
    "lead_out_of_turn": (),
    "exposed_card": (),
    "correction": ("in_trick", "after_partner", "finished", "quitted"),
    "laydown": (),
}
"""The irregularities that a record may write down, and when each was found; the first is meant
where a record does not say."""
_ROUND: Final = 4
_DIGITS: Final = 4
CLAIM_TIMES: Final = ("deal", "closed", "later")


def card_of(text: str, at: str, problems: list[Problem]) -> Card | None:
    """A card, or nothing for `X`; what is neither is a problem."""
    if text == UNKNOWN:
        return None
    try:
        return parse_card(text)
    except InvalidCardError as err:
        problems.append(Problem(at, str(err)))
        return None


def cards_known(texts: list[str], at: str, problems: list[Problem]) -> tuple[Card | None, ...]:
    """The cards of a list; what is no card is a problem, and unknown."""
    return tuple(card_of(text, f"{at}[{n}]", problems) for n, text in enumerate(texts))


def number_of(text: str) -> int | None:
    """A whole number in plain digits, as a record writes it; nothing where the text is none.

    >>> number_of("12"), number_of("²"), number_of("9" * 5000)
    (12, None, None)
    """
    plain = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if plain else None


def seat_of(word: str | None, at: str, problems: list[Problem]) -> Seat | None:
    """A seat, where it is there."""
    if word is None:
        return None
    try:
        return parse_seat(word)
    except UnknownSeatError as err:
        problems.append(Problem(at, str(err)))
        return None


def suit_of_letter(letter: str | None, at: str, problems: list[Problem]) -> Suit | None:
    """Trump as a letter, `N` for no trump."""
    if letter is None:
        return None
    try:
        return parse_trump(letter)
    except InvalidCardError as err:
        problems.append(Problem(at, str(err)))
        return None


def words_of(text: str) -> str:
    """What was said, in the one form that the rules know: a swap names its cards in order.

    >>> words_of("swap TC 9S TS")
    'swap 9S TC TS'
    """
    word, _, cards = text.partition(" ")
    return uncovered(word, cards.split()) if word == "swap" else text


def said_of(text: str) -> Said:
    """A word of a seat: `east pass`, or `pass` of the seat on turn."""
    first, _, rest = text.partition(" ")
    if rest and first in {seat.word for seat in SEATS}:
        return Said(words_of(rest), parse_seat(first))
    return Said(words_of(text))


def laid_of(text: str, at: str, problems: list[Problem]) -> Laid:
    """A card on the table: `east JC`, or `JC` of the seat on turn."""
    first, _, rest = text.partition(" ")
    if rest:
        seat = seat_of(first, at, problems)
        return Laid(card_of(rest, at, problems), seat, rest)
    return Laid(card_of(text, at, problems), None, text)


def happening_of(fields: Reader) -> Happening | None:
    """An irregularity as a record writes it down; nothing where its kind is not known."""
    problems, place = fields.problems, fields.at
    kind = fields.text("kind") or ""
    if kind not in KINDS:
        fields.wrong("kind", kind, f"an irregularity (one of {' '.join(KINDS)})")
        return None
    times = KINDS[kind]
    at = fields.text("at") or (times[0] if times else "")
    if at not in times and (at or times):
        fields.wrong("at", at, f"a time of {kind} (one of {' '.join(times) or 'none'})")
        at = times[0] if times else ""
    card = fields.text("card")
    happening = Happening(
        kind,
        seat_of(fields.text("by"), f"{place}.by", problems),
        fields.number("trick"),
        None if card is None else card_of(card, f"{place}.card", problems),
        at,
        fields.number("number"),
        bool(fields.flag("claimed")) or bool(fields.flag("agreed")),
        fields.number("called"),
    )
    fields.end()
    return _complete(happening, fields)


_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "table_talk": ("by",),
    "kitty_exposed": (),
    "lead_out_of_turn": ("by", "card", "trick"),
    "exposed_card": ("by", "card", "trick"),
    "correction": ("by", "card", "trick"),
    "laydown": ("by", "trick", "number"),
    "deal_out_of_turn": ("by",),
}


def _complete(happening: Happening, fields: Reader) -> Happening | None:
    """The irregularity, unless something it cannot do without is missing."""
    values = {
        "by": happening.seat,
        "card": happening.card,
        "trick": happening.trick,
        "number": happening.number,
    }
    missing = [name for name in _NEEDS.get(happening.kind, ()) if values[name] is None]
    if not missing:
        return happening
    message = f"{happening.kind} needs {' and '.join(missing)}"
    fields.problems.append(Problem(fields.at, message))
    return None


def claim_of(fields: Reader) -> TimedClaim | None:
    """A renege claimed; nothing where it does not say by whom, against whom and which trick."""
    by = seat_of(fields.text("by"), f"{fields.at}.by", fields.problems)
    against = seat_of(fields.text("against"), f"{fields.at}.against", fields.problems)
    trick = fields.number("trick")
    at = fields.text("at") or CLAIM_TIMES[0]
    if at not in CLAIM_TIMES:
        fields.wrong("at", at, f"a time of a claim (one of {' '.join(CLAIM_TIMES)})")
        at = CLAIM_TIMES[0]
    fields.end()
    if by is None or against is None or trick is None:
        fields.problems.append(Problem(fields.at, "a claim needs by, against and trick"))
        return None
    return TimedClaim(by, against, trick, at)


def speaks_of_house(words: list[str]) -> bool:
    """Whether the words begin with answers to the house's question.

    A record kept by hand leaves out the four who have nothing to say.
    """
    if any(word.startswith(("redeal", "swap ")) for word in words):
        return True
    passes = next((n for n, word in enumerate(words) if word != "pass"), len(words))
    if passes == len(words):
        return passes > _ROUND + _ROUND
    return passes >= (_ROUND if words[passes].startswith("order") else _ROUND + _ROUND)
