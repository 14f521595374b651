"""Engines that are wrong about which card beats which, and which suit a card counts as."""

from collections.abc import Callable
from functools import wraps
from typing import Final

from conformance.mutants.making import Mutant, function
from conformance.oracle import cards

Ladder = Callable[[str, str], list[str]]
TRUMPS = 9
_ladder = cards.ladder
_suit_of = cards.suit_of
_winner = cards.winner


def with_a_trump(wrong: Ladder) -> Ladder:
    """The wrong order where there is a trump suit, the right one where there is none."""

    @wraps(wrong)
    def ranked(trump: str, led: str) -> list[str]:
        return wrong(trump, led) if trump in cards.SUITS else _ladder(trump, led)

    return ranked


def jack_below_ten(trump: str, led: str) -> list[str]:
    """In a plain suit the jack stands below the ten."""
    ranked = _ladder(trump, led)
    if led != trump and "J" + led in ranked[TRUMPS:]:
        jack, ten = ranked.index("J" + led), ranked.index("T" + led)
        ranked[jack], ranked[ten] = ranked[ten], ranked[jack]
    return ranked


def jack_above_ace(trump: str, led: str) -> list[str]:
    """In a plain suit the jack stands above the ace."""
    ranked = _ladder(trump, led)
    if led != trump and "J" + led in ranked[TRUMPS:]:
        ranked.remove("J" + led)
        ranked.insert(ranked.index("A" + led), "J" + led)
    return ranked


def ten_above_king(trump: str, led: str) -> list[str]:
    """The ten stands between the ace and the king."""
    ranked = _ladder(trump, led)
    for suit in (trump, led):
        ranked.remove("T" + suit)
        ranked.insert(ranked.index("K" + suit), "T" + suit)
    return ranked


def ace_is_low(trump: str, led: str) -> list[str]:
    """The ace stands below the nine."""
    ranked = _ladder(trump, led)
    for suit in (trump, led):
        ranked.remove("A" + suit)
        ranked.insert(ranked.index("9" + suit) + 1, "A" + suit)
    return ranked


def left_below_ace(trump: str, led: str) -> list[str]:
    """The left bower stands below the ace of trump."""
    ranked = _ladder(trump, led)
    left = "J" + cards.TWIN[trump]
    ranked.remove(left)
    ranked.insert(ranked.index("A" + trump) + 1, left)
    return ranked


def left_above_right(trump: str, led: str) -> list[str]:
    """The left bower stands above the right."""
    ranked = _ladder(trump, led)
    ranked.remove("J" + cards.TWIN[trump])
    return ["J" + cards.TWIN[trump], *ranked]


def no_bowers(trump: str, led: str) -> list[str]:
    """The jacks stand between queen and ten in trump as well."""
    suits = (trump, led) if led != trump else (trump,)
    return [*cards.BEST, *(rank + suit for suit in suits for rank in "AKQJT987")]


def two_of_spades_is_a_low_spade(trump: str, led: str) -> list[str]:
    """The best bower is the lowest of all."""
    ranked = _ladder(trump, led)
    return [card for card in ranked if card not in cards.BEST] + list(cards.BEST)


def trumps_do_not_ruff(trump: str, led: str) -> list[str]:
    """A card of the led suit beats a trump."""
    ranked = _ladder(trump, led)
    plain = [card for card in ranked if _suit_of(card, trump) == led]
    return plain + [card for card in ranked if card not in plain]


def high_discards_win(trump: str, led: str) -> list[str]:
    """An ace or king that neither follows nor trumps wins over the led suit."""
    ranked = _ladder(trump, led)
    aces = [rank + suit for rank in "AK" for suit in "CDHS"]
    return ranked[:TRUMPS] + [card for card in aces if card not in ranked] + ranked[TRUMPS:]


def jack_is_high_without_a_trump(trump: str, led: str) -> list[str]:
    """Where there is no trump the jack beats the ace."""
    ranked = _ladder(trump, led)
    return ranked if trump in cards.SUITS else ["J" + led, *ranked]


def spades_ruff_without_a_trump(trump: str, led: str) -> list[str]:
    """Where there is no trump spades beat the led suit."""
    ranked = _ladder(trump, led)
    return ranked if trump in cards.SUITS else [*(rank + "S" for rank in "AKQJT987"), *ranked]


def leader_takes_the_trick(trick: list[tuple[str, str]], trump: str) -> str:
    """Whoever leads wins the trick."""
    return trick[0][0] if trump else _winner(trick, trump)


def last_takes_the_trick(trick: list[tuple[str, str]], trump: str) -> str:
    """Of two cards of one suit the later wins."""
    led = _suit_of(trick[0][1], trump)
    suit = trump if any(_suit_of(card, trump) == trump for _, card in trick) else led
    return [seat for seat, card in trick if _suit_of(card, trump) == suit][-1]


def jack_and_ten_tie(trick: list[tuple[str, str]], trump: str) -> str:
    """In a plain suit jack and ten are equal, and the first of them wins."""
    won = _winner(trick, trump)
    card = next(laid for seat, laid in trick if seat == won)
    if card[0] != "J" or _suit_of(card, trump) == trump:
        return won
    return next((seat for seat, laid in trick if laid == "T" + card[1] or laid == card), won)


def without_a_left_bower(card: str, trump: str | None) -> str:
    """Every card counts as the suit printed on it."""
    return (trump or "S") if card in cards.BEST and trump != cards.NO_TRUMP else card[1]


def bowers_without_a_trump(card: str, trump: str | None) -> str:
    """Where there is no trump the jack of spades counts as a club."""
    return "C" if trump == cards.NO_TRUMP and card == "JS" else _suit_of(card, trump)


def best_bower_is_a_spade(card: str, trump: str | None) -> str:
    """The best bower counts as a spade."""
    return "S" if card in cards.BEST else _suit_of(card, trump)


def left_bower_goes_by_color(card: str, trump: str | None) -> str:
    """Both jacks of trump's color count as the other suit of the color."""
    if trump not in cards.TWIN or card[0] != "J" or card[1] not in (trump, cards.TWIN[trump]):
        return _suit_of(card, trump)
    return cards.TWIN[trump]


def every_jack_is_a_bower(card: str, trump: str | None) -> str:
    """Every jack counts as a trump."""
    return trump if trump in cards.TWIN and card[0] == "J" else _suit_of(card, trump)


def left_bower_is_of_the_other_color(card: str, trump: str | None) -> str:
    """The left bower is taken to be a jack of the other color."""
    if trump not in cards.TWIN or card[0] != "J":
        return _suit_of(card, trump)
    return trump if card[1] == {"C": "D", "D": "C", "H": "S", "S": "H"}[trump] else card[1]


MUTANTS: Final[tuple[Mutant, ...]] = (
    *(
        function(_ladder, with_a_trump(wrong))
        for wrong in (
            jack_below_ten,
            jack_above_ace,
            ten_above_king,
            ace_is_low,
            left_below_ace,
            left_above_right,
            no_bowers,
            two_of_spades_is_a_low_spade,
            trumps_do_not_ruff,
            high_discards_win,
        )
    ),
    function(_ladder, jack_is_high_without_a_trump),
    function(_ladder, spades_ruff_without_a_trump),
    *(
        function(_winner, wrong)
        for wrong in (leader_takes_the_trick, last_takes_the_trick, jack_and_ten_tie)
    ),
    *(
        function(_suit_of, wrong)
        for wrong in (
            without_a_left_bower,
            bowers_without_a_trump,
            best_bower_is_a_spade,
            left_bower_goes_by_color,
            every_jack_is_a_bower,
            left_bower_is_of_the_other_color,
        )
    ),
)
