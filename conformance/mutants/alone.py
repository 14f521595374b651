"""Engines that are wrong about going alone, and about who leads then."""

from typing import Final

from conformance.mutants.making import Mutant, engine
from conformance.oracle import Hand
from conformance.oracle.cards import SEATS, clockwise, left, partner, side

TRICKS = 5


class PartnerOfTheLonerLeads(Hand):
    """The seat that sits out leads."""

    def _leader(self) -> str:
        return partner(self.alone[0]) if self.alone else super()._leader()


class LonerLeads(Hand):
    """The player who is alone leads."""

    def _leader(self) -> str:
        return self.alone[0] if self.alone else super()._leader()


class LonersLeftLeads(Hand):
    """The seat left of the player who is alone leads."""

    def _leader(self) -> str:
        around = clockwise(left(self.alone[0])) if self.alone else [super()._leader()]
        return next(seat for seat in around if seat not in self.out())


class SeatAfterTheSitterIsSkippedToo(Hand):
    """Where the dealer's left sits out, the next seat is skipped as well."""

    def _leader(self) -> str:
        found = super()._leader()
        if left(self.dealer) not in self.out():
            return found
        return next(seat for seat in clockwise(left(found)) if seat not in self.out())


class SitterPlays(Hand):
    """Nobody sits out against a loner, so tricks have four cards."""

    def out(self) -> list[str]:
        return []


class OpponentsSitOut(Hand):
    """An opponent of the loner sits out, not the partner."""

    def out(self) -> list[str]:
        return [seat for seat in SEATS if left(seat) in self.alone]


class BothOpponentsSitOut(Hand):
    """Both opponents of the loner sit out, and the partner plays."""

    def out(self) -> list[str]:
        return [seat for seat in SEATS if {left(seat), left(partner(seat))} & set(self.alone)]


class TricksOfTwoCards(Hand):
    """Against a loner a trick ends after two cards."""

    def _play(self, seat: str, card: str) -> None:
        super()._play(seat, card)
        if len(self.alone) == 1 and len(self.trick) == len(SEATS) - 2:
            self.winners.append(self.trick[0][0])
            self.turn = self.trick[0][0]
            self.trick = []


class DealEndsWhenAllHandsAreEmpty(Hand):
    """Against a loner the deal stays open, since the sitter still holds five cards."""

    def _play(self, seat: str, card: str) -> None:
        super()._play(seat, card)
        if self.phase == "over" and any(self.hands.values()):
            self.phase, self.turn = "play", self.winners[-1]


class AloneIsSwapped(Hand):
    """Alone is taken for with the partner, and the other way round."""

    def _make(self, seat: str, words: list[str]) -> None:
        said = words[-1] == "alone"
        super()._make(seat, words[:-1] if said else [*words, "alone"])


class AloneIsForgotten(Hand):
    """Alone is heard and not acted on."""

    def _make(self, seat: str, words: list[str]) -> None:
        super()._make(seat, [word for word in words if word != "alone"])


class SitterMayStillAct(Hand):
    """A seat that sits out is told that it is not its turn."""

    def faults(self, seat: str, text: str) -> list[str]:
        found = super().faults(seat, text)
        return ["NOT_YOUR_TURN"] if found == ["SITTING_OUT"] else found


class DefendersAskedAgainstTwo(Hand):
    """Defenders are asked to go alone although the makers play together."""

    def makers_alone(self) -> bool:
        return self.maker is not None


class DefendersAreNeverAsked(Hand):
    """No defender is ever asked."""

    def _may_still_go(self, seat: str) -> bool:
        defends = self.maker is not None and side(seat) != self.making_side()
        return super()._may_still_go(seat) and not defends


class OnlyOneDefenderIsAsked(Hand):
    """The second defender is not asked once the first has declined."""

    def _may_still_go(self, seat: str) -> bool:
        declined = any(side(asked) == side(seat) for asked in self.asked)
        return super()._may_still_go(seat) and not (declined and side(seat) != self.making_side())


class BothDefendersMayGoAlone(Hand):
    """Both defenders may say alone."""

    def _may_still_go(self, seat: str) -> bool:
        if partner(seat) in self.alone and seat not in self.asked:
            return self.making_side() != side(seat)
        return super()._may_still_go(seat)


class DealersLeftIsNotAskedFirst(Hand):
    """The last of those who may go alone is asked first."""

    def _ask_alone(self) -> None:
        super()._ask_alone()
        waiting = [seat for seat in SEATS if self._may_still_go(seat)]
        if self.phase == "alone" and self.turn != self.maker and waiting:
            self.turn = waiting[-1]


class MakerIsAskedInTurn(Hand):
    """The maker is not asked before the others."""

    def _ask_alone(self) -> None:
        super()._ask_alone()
        if self.phase == "alone":
            around = clockwise(left(self.dealer))
            self.turn = next(seat for seat in around if self._may_still_go(seat))


class SeatsAreAskedAgain(Hand):
    """A seat that declined is asked again after the others."""

    def apply(self, text: str) -> None:
        seat = self.turn or ""
        super().apply(text)
        others = [who for who in self.asked if who != seat]
        if text == "decline" and others and self.phase == "play":
            self.asked = [seat]
            self._ask_alone()


class AloneEndsTheQuestion(Hand):
    """Once one seat is alone nobody else is asked."""

    def _may_still_go(self, seat: str) -> bool:
        answered = bool(set(self.asked) & set(self.alone)) and self.phase == "alone"
        return super()._may_still_go(seat) and not answered


class LateAloneIsAnyOtherWrongPhase(Hand):
    """A bare alone outside its phase is refused as any other word."""

    def _out_of_phase(self, seat: str, text: str) -> str:
        return "WRONG_PHASE" if text else super()._out_of_phase(seat, text)


class AloneMayBeSaidAfterwards(Hand):
    """The maker may say alone as a message of its own after the call."""

    def faults(self, seat: str, text: str) -> list[str]:
        found = super().faults(seat, text)
        return [] if text == "alone" and found == ["ALONE_TOO_LATE"] else found


MUTANTS: Final[tuple[Mutant, ...]] = tuple(
    engine(wrong)
    for wrong in (
        PartnerOfTheLonerLeads,
        LonerLeads,
        LonersLeftLeads,
        SeatAfterTheSitterIsSkippedToo,
        SitterPlays,
        OpponentsSitOut,
        BothOpponentsSitOut,
        TricksOfTwoCards,
        DealEndsWhenAllHandsAreEmpty,
        AloneIsSwapped,
        AloneIsForgotten,
        SitterMayStillAct,
        DefendersAskedAgainstTwo,
        DefendersAreNeverAsked,
        OnlyOneDefenderIsAsked,
        BothDefendersMayGoAlone,
        DealersLeftIsNotAskedFirst,
        MakerIsAskedInTurn,
        SeatsAreAskedAgain,
        AloneEndsTheQuestion,
        LateAloneIsAnyOtherWrongPhase,
        AloneMayBeSaidAfterwards,
    )
)
