"""PTN, written: the tags that `ptn` reads."""

from collections.abc import Sequence
from typing import Final

from referee.records.model import Laid, Record, RecordedDeal
from referee.records.phases import (
    CannotExpressError,
    Told,
    Word,
    Written,
    check_one_game,
    lost_notes,
    named_rules,
    rules_of,
    told,
)
from referee.records.ptn import SEAT_LETTERS, SUIT_ORDER
from referee.rules import SEATS, Card, Phase, Seat, card_text, parse_card
from referee.rules.cards import HEIGHT

_SYMBOLS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "N": "NT"}
_JOKER: Final = parse_card("BB")
_FOUR: Final = 4


def write_ptn(record: Record) -> Written:
    """The record as tag pairs; CannotExpressError where they have no way to say it."""
    rules = rules_of(record)
    check_one_game(record, "PTN")
    name, apart = named_rules(rules)
    knobs = "".join(f" {knob}={value}" for knob, value in apart.items())
    lines = [_tag("Rules", name + knobs), _tag("InitialScore", "{}-{}".format(*record.score))]
    for seat, player in zip(SEATS, record.players, strict=False):
        lines.append(_tag(seat.word.capitalize(), player))
    for deal in record.deals:
        called = told(rules, deal, ordered=record.ordered, house_said=record.house_said)
        lines += ["", *_deal(deal, called)]
    return Written("\n".join(lines) + "\n", (*record.notes, *lost_notes(record, "PTN")))


def _tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _deal(deal: RecordedDeal, called: Told) -> list[str]:
    for word in called.words:
        if word.phase in {Phase.HOUSE, Phase.PARTNERS_BEST} and word.words != "pass":
            raise CannotExpressError(
                f"deal {deal.number}: PTN has no word for {word.words!r}"
                " (export it as text or json)"
            )
    first = SEAT_LETTERS[deal.dealer.left]
    hands = " ".join(_hand(deal.hands[(deal.dealer + n) & 3]) for n in range(_FOUR))
    lines = [
        _tag("Board", str(deal.number)),
        _tag("Dealer", SEAT_LETTERS[deal.dealer]),
        _tag("Deal", f"{SEAT_LETTERS[deal.dealer]}:{hands}"),
    ]
    if deal.upcard is not None:
        lines.append(_tag("Upcard", _card(deal.upcard)))
        if deal.kitty is not None:
            lines.append(_tag("Undealt", _hand([deal.upcard, *deal.kitty])))
    hand = called.hand
    if hand.trump_suit is not None:
        alone = " alone" if hand.maker_seat in hand.alone_seats else ""
        lines.append(_tag("Contract", _SYMBOLS["CDHSN"[hand.trump_suit]] + alone))
    lines += [_tag("Auction", first), *_auction(deal.dealer.left, called.words)]
    if deal.discard is not None and deal.upcard is not None:
        lines += [_tag("CardsAdded", _card(deal.upcard)), _tag("CardsRemoved", _card(deal.discard))]
    return [*lines, *_play(called.tricks)]


def _card(card: Card | None) -> str:
    if card is None:
        return "??"
    text = card_text(card)
    return text if card == _JOKER else text[1] + text[0]


def _hand(cards: Sequence[Card | None] | None) -> str:
    """A hand as spades.hearts.diamonds.clubs, a joker fifth; `-` where it is not known."""
    known = [card for card in cards or () if card is not None]
    if not known or (cards is not None and len(known) != len(cards)):
        return "-"
    known.sort(key=lambda card: HEIGHT[card], reverse=True)
    suits = [
        "".join(card_text(c)[0] for c in known if card_text(c)[1] == suit and c != _JOKER)
        for suit in SUIT_ORDER
    ]
    return ".".join([*suits, "J"] if _JOKER in known else suits)


def _auction(first: Seat, words: Sequence[Word]) -> list[str]:
    """Rows of four columns, the first for the dealer's left."""
    cells: list[str] = []
    for word in words:
        text = _call(word)
        if text is None:
            continue
        while (first + len(cells)) & 3 != word.seat:
            cells.append("-")
        cells.append(text)
    cells += ["-"] * (-len(cells) % _FOUR)
    return [" ".join(cells[n : n + _FOUR]) for n in range(0, len(cells), _FOUR)]


def _call(word: Word) -> str | None:
    """A cell of the auction; nothing for what need not be written."""
    first, _, rest = word.words.partition(" ")
    if word.phase is Phase.HOUSE or first in {"decline", "discard"}:
        return None
    alone = "Alone" if word.words.endswith("alone") else ""
    if first == "alone":
        return "Alone"
    if first == "name":
        return _SYMBOLS[rest[0]] + alone
    return first.capitalize() + alone


def _play(tricks: Sequence[Sequence[Laid]]) -> list[str]:
    first = tricks[0][0].seat if tricks and tricks[0] else None
    if first is None:
        return []
    lines = [_tag("Play", SEAT_LETTERS[first])]
    for trick in tricks:
        by_seat = {laid.seat: _card(laid.card) for laid in trick}
        seats = [SEATS[(first + n) & 3] for n in range(_FOUR)]
        lines.append(" ".join(by_seat.get(seat, "-") for seat in seats))
    return lines
