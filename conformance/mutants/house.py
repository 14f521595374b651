"""Engines that are wrong about the house rules, the loner's exchange and the limit of loners."""

from collections.abc import Collection, Mapping
from typing import Final

from conformance.mutants.making import Mutant, engine, function
from conformance.oracle import Hand
from conformance.oracle.cards import BEST, left, partner
from conformance.oracle.house import hopeless, low, may_redeal

HAND_SIZE = 5
SWAPPED = 3


class SwapGivesNothing(Hand):
    """The cards of a swap are shown and kept, and nothing comes for them."""

    def _swap(self, seat: str, cards: list[str]) -> None:
        held, kitty = set(self.hands[seat]), list(self.kitty)
        super()._swap(seat, cards)
        self.hands[seat], self.kitty = held, kitty


class RedealPassesTheDeal(Hand):
    """After a redeal the next seat deals."""

    def next_dealer(self) -> str:
        return left(self.dealer) if self.redealt else super().next_dealer()


class RedealIsAThrowIn(Hand):
    """A redeal is told as a deal that was thrown in."""

    def outcome(self) -> str:
        found = super().outcome()
        return "thrown_in" if found == "redeal" else found


class RedealGoesOn(Hand):
    """A redeal is heard, and the calling begins with the same cards."""

    def apply(self, text: str) -> None:
        super().apply(text)
        if self.redealt:
            self.redealt = False
            self._begin_calling()


class AnyHandQualifies(Hand):
    """Any hand may use a house rule."""

    def faults(self, seat: str, text: str) -> list[str]:
        found = super().faults(seat, text)
        return [] if found == ["NOT_QUALIFIED"] else found


class AnyCardMayGoUnder(Hand):
    """A hand that qualifies may swap high cards too."""

    def _qualified(self, seat: str, words: list[str]) -> bool:
        lows = sorted(card for card in self.hands[seat] if low(card))
        swaps = words[0] == "swap"
        return super()._qualified(seat, [words[0], *lows[:SWAPPED]] if swaps else words)


class OnlyEldestIsAsked(Hand):
    """Only the dealer's left is asked for a house hand."""

    def _look_on(self, seat: str) -> None:
        if self.trump is None:
            self._begin_calling()
        else:
            super()._look_on(seat)


class PartnerKeepsTheCard(Hand):
    """The partner shows the loner a card and keeps it."""

    def _give(self, seat: str, card: str) -> None:
        super()._give(seat, card)
        self.hands[seat].add(card)


class LonerKeepsSix(Hand):
    """The loner gets a card and buries none."""

    def _give(self, seat: str, card: str) -> None:
        super()._give(seat, card)
        self._ask_alone()


class DealerBuriesForTheLoner(Hand):
    """After the partner's card the dealer buries one, whoever is alone."""

    def _give(self, seat: str, card: str) -> None:
        super()._give(seat, card)
        if self.dealer != partner(seat):
            self.turn = self.dealer


class LimitIsForTheOtherSide(Hand):
    """At eight or nine it is the other side that may not go alone."""

    def _barred(self, seat: str) -> bool:
        return super()._barred(left(seat))


class LimitBindsAtAnyScore(Hand):
    """Where loners are limited nobody goes alone at any score."""

    def _barred(self, seat: str) -> bool:
        return self.rules["loner_limit"] != "none" or super()._barred(seat)


class BlindDealerLeavesTheBower(Hand):
    """A dealer who names blind does not take the best bower."""

    def _make(self, seat: str, words: list[str]) -> None:
        blind, self.blind = self.blind, False
        super()._make(seat, words)
        self.blind = blind


def jacks_are_low(card: str) -> bool:
    """A jack counts among the low cards of a farmer's hand."""
    return low(card) or (card[0] == "J" and card not in BEST)


def tens_are_not_low(card: str) -> bool:
    """Only nines count as low cards."""
    return low(card) and card[0] != "T"


def four_low_cards_do(rules: Mapping[str, str], cards: Collection[str]) -> bool:
    """Four low cards are enough for a redeal."""
    farmer = rules["farmers_hand"] == "redeal"
    return may_redeal(rules, cards) or (farmer and sum(map(low, cards)) >= HAND_SIZE - 1)


def no_ace_is_needed(rules: Mapping[str, str], cards: Collection[str]) -> bool:
    """A hand without a face card is enough where an ace belongs to it."""
    plain = all(card[0] not in "JQK" and card not in BEST for card in cards)
    return may_redeal(rules, cards) or (rules["ace_no_face"] == "redeal" and plain)


def a_jack_is_no_hope(cards: Collection[str], trump: str) -> bool:
    """No jack counts against a hand without ace, face card and trump."""
    return hopeless([card for card in cards if card[0] != "J"], trump)


MUTANTS: Final[tuple[Mutant, ...]] = (
    *(
        engine(wrong)
        for wrong in (
            SwapGivesNothing,
            RedealPassesTheDeal,
            RedealIsAThrowIn,
            RedealGoesOn,
            AnyHandQualifies,
            AnyCardMayGoUnder,
            OnlyEldestIsAsked,
            PartnerKeepsTheCard,
            LonerKeepsSix,
            DealerBuriesForTheLoner,
            LimitIsForTheOtherSide,
            LimitBindsAtAnyScore,
            BlindDealerLeavesTheBower,
        )
    ),
    function(low, jacks_are_low),
    function(low, tens_are_not_low),
    function(may_redeal, four_low_cards_do),
    function(may_redeal, no_ace_is_needed),
    function(hopeless, a_jack_is_no_hope),
)
