"""Engines that are wrong about calling and about the discard."""

from typing import Final

from conformance.mutants.making import Mutant, engine
from conformance.oracle import Hand
from conformance.oracle.cards import SEATS, SUITS, TWIN, left, partner


class StuckDealerPasses(Hand):
    """The dealer may pass as the last of round two, although stuck."""

    def _stuck(self, seat: str) -> bool:
        return self.phase == "dealer_names" and seat == self.dealer


class FourthSeatIsStuck(Hand):
    """West is stuck in round two, whoever deals."""

    def _stuck(self, seat: str) -> bool:
        return self.phase == "round_two" and seat == "west"


class EverybodyIsStuck(Hand):
    """Nobody may pass in round two."""

    def _stuck(self, seat: str) -> bool:
        return super()._stuck(seat) or self.phase == "round_two"


class TurnedDownSuitMayBeNamed(Hand):
    """The suit that was turned down may be named."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        return {**super()._broken(seat, words), "SUIT_TURNED_DOWN": False}


class TurnedDownSuitIsForTheDealer(Hand):
    """A stuck dealer may name the suit that was turned down."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        broken = super()._broken(seat, words)
        return {**broken, "SUIT_TURNED_DOWN": broken["SUIT_TURNED_DOWN"] and seat != self.dealer}


class TurnedDownColorMayNotBeNamed(Hand):
    """The other suit of the turned-down suit's color may not be named either."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        broken = super()._broken(seat, words)
        color = TWIN[self.turned_suit]
        named = self.phase == "round_two" and words[0] == "name" and words[1] == color
        return {**broken, "SUIT_TURNED_DOWN": broken["SUIT_TURNED_DOWN"] or named}


class OrderInRoundTwo(Hand):
    """The upcard may still be ordered in round two."""

    def faults(self, seat: str, text: str) -> list[str]:
        if self.phase == "round_two" and text == "order" and seat == self.turn:
            return []
        return super().faults(seat, text)


class NameInRoundOne(Hand):
    """Another suit may be named in round one."""

    def faults(self, seat: str, text: str) -> list[str]:
        if self.phase == "round_one" and text.startswith("name ") and seat == self.turn:
            return []
        return super().faults(seat, text)


class WordsAreReadLoosely(Hand):
    """Small and capital letters and spaces at the ends make no difference."""

    def faults(self, seat: str, text: str) -> list[str]:
        words = text.strip().split(" ")
        tidy = " ".join([words[0].lower(), *(word.upper() for word in words[1:])])
        return super().faults(seat, tidy.replace("ALONE", "alone"))


class AnySuitIsASuit(Hand):
    """A name of no suit at all is taken."""

    def faults(self, seat: str, text: str) -> list[str]:
        found = super().faults(seat, text)
        return [] if found == ["UNKNOWN_ACTION"] and text.startswith("name ") else found


class TurnIsNotChecked(Hand):
    """Whoever speaks is taken to be on turn."""

    def faults(self, seat: str, text: str) -> list[str]:
        return super().faults(self.turn or seat, text)


class PartnersShareATurn(Hand):
    """The partner may act for the seat on turn."""

    def faults(self, seat: str, text: str) -> list[str]:
        on_turn = self.turn is not None and partner(seat) == self.turn
        return super().faults(self.turn or seat if on_turn else seat, text)


class PhaseIsNotNamed(Hand):
    """A known word of another phase is called unknown."""

    def _out_of_phase(self, seat: str, text: str) -> str:
        found = super()._out_of_phase(seat, text)
        return "UNKNOWN_ACTION" if found == "WRONG_PHASE" else found


class RoundTwoBeginsWithTheDealer(Hand):
    """The dealer speaks first in round two."""

    def _pass(self, seat: str) -> None:
        super()._pass(seat)
        if self.passes == len(SEATS) and self.phase == "round_two":
            self.turn = self.dealer


class RoundOneBeginsWithTheDealer(Hand):
    """The dealer has had a turn in round one before anybody else."""

    def _pass(self, seat: str) -> None:
        super()._pass(seat)
        if self.passes == len(SEATS) - 1 and self.phase == "round_one":
            self._pass(self.dealer)


class RoundTwoGoesRoundForEver(Hand):
    """Eight passes begin round two again."""

    def _pass(self, seat: str) -> None:
        super()._pass(seat)
        if self.phase == "over":
            self.phase, self.turn, self.passes = "round_two", left(self.dealer), len(SEATS)


class PassesFeedTheDealer(Hand):
    """Every pass gives the upcard to the dealer."""

    def _pass(self, seat: str) -> None:
        self.hands[self.dealer].add(self.upcard)
        super()._pass(seat)


class UpcardTakenInRoundTwo(Hand):
    """The dealer gets the turned-down card when a suit is named."""

    def _make(self, seat: str, words: list[str]) -> None:
        if words[0] == "name":
            self.hands[self.dealer].add(self.upcard)
        super()._make(seat, words)


class UpcardIsNeverTurnedDown(Hand):
    """The upcard is still called turned in round two."""

    def _pass(self, seat: str) -> None:
        super()._pass(seat)
        if self.upcard_state == "turned_down":
            self.upcard_state = "turned"


class StuckDealerNamesSpades(Hand):
    """Whatever a dealer names as the last in round two, spades are trump."""

    def _make(self, seat: str, words: list[str]) -> None:
        if words[0] == "name" and self._stuck(seat):
            words = [words[0], "S", *words[2:]]
        super()._make(seat, words)


class NextSuitIsMade(Hand):
    """The suit after the one that was named is trump."""

    def _make(self, seat: str, words: list[str]) -> None:
        if words[0] == "name" and words[1] in SUITS:
            after = SUITS[(SUITS.index(words[1]) + 1) % len(SUITS)]
            words = [words[0], after, *words[2:]]
        super()._make(seat, words)


class OrderMakesTheDealerMaker(Hand):
    """The dealer is the maker whoever orders."""

    def _make(self, seat: str, words: list[str]) -> None:
        super()._make(self.dealer if words == ["order"] else seat, words)


class UpcardGoesToTheMaker(Hand):
    """The maker takes the upcard and buries a card, not the dealer."""

    def _make(self, seat: str, words: list[str]) -> None:
        super()._make(seat, words)
        if self.phase == "discard" and seat != self.dealer:
            self.hands[self.dealer].discard(self.upcard)
            self.hands[seat].add(self.upcard)
            self.turn = seat


class DealerKeepsSixCards(Hand):
    """The buried card stays in the dealer's hand."""

    def apply(self, text: str) -> None:
        buried = text.split(" ")[1] if text.startswith("discard") else ""
        super().apply(text)
        if buried:
            self.hands[self.dealer].add(buried)


class UpcardIsBuriedByItself(Hand):
    """The card just taken goes under whatever the dealer buries."""

    def apply(self, text: str) -> None:
        if not text.startswith("discard"):
            super().apply(text)
            return
        kept = text.split(" ")[1]
        super().apply(text)
        if kept != self.upcard:
            self.hands[self.dealer].discard(self.upcard)
            self.hands[self.dealer].add(kept)


class AnyCardMayBeBuried(Hand):
    """A card that the dealer does not hold may be buried."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        broken = super()._broken(seat, words)
        return {**broken, "CARD_NOT_HELD": broken["CARD_NOT_HELD"] and words[0] != "discard"}


class TrumpsMayNotBeBuried(Hand):
    """A card of the trump suit may not be buried."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        broken = super()._broken(seat, words)
        buried = words[0] == "discard" and words[-1][1] == self.trump
        held = buried and not broken["CARD_NOT_HELD"]
        return {**broken, "DISCARD_UPCARD_FORBIDDEN": held or broken["DISCARD_UPCARD_FORBIDDEN"]}


class PlayBeforeTheDiscard(Hand):
    """A card may be played while the dealer holds six."""

    def faults(self, seat: str, text: str) -> list[str]:
        if self.phase == "discard" and text.startswith("play"):
            return []
        return super().faults(seat, text)

    def apply(self, text: str) -> None:
        if self.phase != "discard" or not text.startswith("play"):
            super().apply(text)


class SittingOutDealerLeavesTheUpcard(Hand):
    """A dealer who sits out does not take the upcard."""

    def _make(self, seat: str, words: list[str]) -> None:
        super()._make(seat, words)
        if self.phase == "discard" and self.dealer in self.out():
            self.hands[self.dealer].discard(self.upcard)
            self._ask_alone()


class SittingOutDealerKeepsSix(Hand):
    """A dealer who sits out takes the upcard and is never asked to bury a card."""

    def _make(self, seat: str, words: list[str]) -> None:
        super()._make(seat, words)
        if self.phase == "discard" and self.dealer in self.out():
            self._ask_alone()


class LeftBowerIsNoTrumpToCallOn(Hand):
    """The left bower never counts where a call needs a trump."""

    def _holds_trump(self, seat: str, words: list[str]) -> bool:
        trump = words[1] if words[0] == "name" else self.turned_suit
        return any(card in ("2S", "BB") or card[1] == trump for card in self.hands[seat])


class UpcardCountsForTheDealer(Hand):
    """The upcard counts as a trump in the dealer's hand where a call needs one."""

    def _tested(self, seat: str, word: str) -> bool:
        return super()._tested(seat, word) and not (word == "order" and seat == self.dealer)


class AnyTrumpTestBindsTheDealer(Hand):
    """Where a call needs a trump the dealer who picks up is bound too."""

    def _tested(self, seat: str, word: str) -> bool:
        bound = self.rules["order_needs_trump"] != "never" and word == "order"
        return super()._tested(seat, word) or (bound and seat == self.dealer)


class EveryOrderOfThePartnerMustBeAlone(Hand):
    """Every seat that orders with the partner is told to go alone, where one must."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        must = self.rules["partner_order"] == "must_be_alone" and words == ["order"]
        return {**super()._broken(seat, words), "PARTNER_MUST_GO_ALONE": must}


class OrderOfThePartnerIsMadeAlone(Hand):
    """A plain order of the partner is taken as alone, where it must be alone."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        return {**super()._broken(seat, words), "PARTNER_MUST_GO_ALONE": False}


MUTANTS: Final[tuple[Mutant, ...]] = tuple(
    engine(wrong)
    for wrong in (
        StuckDealerPasses,
        FourthSeatIsStuck,
        EverybodyIsStuck,
        TurnedDownSuitMayBeNamed,
        TurnedDownSuitIsForTheDealer,
        TurnedDownColorMayNotBeNamed,
        OrderInRoundTwo,
        NameInRoundOne,
        WordsAreReadLoosely,
        AnySuitIsASuit,
        TurnIsNotChecked,
        PartnersShareATurn,
        PhaseIsNotNamed,
        RoundTwoBeginsWithTheDealer,
        RoundOneBeginsWithTheDealer,
        RoundTwoGoesRoundForEver,
        PassesFeedTheDealer,
        UpcardTakenInRoundTwo,
        UpcardIsNeverTurnedDown,
        StuckDealerNamesSpades,
        NextSuitIsMade,
        OrderMakesTheDealerMaker,
        UpcardGoesToTheMaker,
        DealerKeepsSixCards,
        UpcardIsBuriedByItself,
        AnyCardMayBeBuried,
        TrumpsMayNotBeBuried,
        PlayBeforeTheDiscard,
        SittingOutDealerLeavesTheUpcard,
        SittingOutDealerKeepsSix,
        LeftBowerIsNoTrumpToCallOn,
        UpcardCountsForTheDealer,
        AnyTrumpTestBindsTheDealer,
        EveryOrderOfThePartnerMustBeAlone,
        OrderOfThePartnerIsMadeAlone,
    )
)
