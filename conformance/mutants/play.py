"""Engines that are wrong about following suit and about the course of the tricks."""

from typing import Final

from conformance.mutants.making import Mutant, engine
from conformance.oracle import Hand
from conformance.oracle.cards import clockwise, left, suit_of, winner

TRICKS = 5


class LeftFollowsItsPrintedSuit(Hand):
    """Suits are the printed ones when it comes to following."""

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if not self.trick:
            return False
        led = self.trick[0][1][1]
        return card[1] != led and any(held[1] == led for held in self.hands[seat])


class LedLeftBowerAsksForItsPrintedSuit(Hand):
    """A led left bower asks for the suit that is printed on it."""

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if not self.trick:
            return False
        led = self.trick[0][1][1]
        able = any(suit_of(held, self.trump) == led for held in self.hands[seat])
        return able and suit_of(card, self.trump) != led


class LeftBowerAloneIsAVoid(Hand):
    """A hand whose only trump is the left bower counts as void in trump."""

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if not self.trick:
            return False
        led = suit_of(self.trick[0][1], self.trump)
        able = any(held[1] == led for held in self.hands[seat])
        return able and suit_of(card, self.trump) != led


class RenegesAreAccepted(Hand):
    """Any card held may be played."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        return {**super()._broken(seat, words), "MUST_FOLLOW_SUIT": False}


class TrumpMayAlwaysBePlayed(Hand):
    """A trump may be played although the led suit is held."""

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        return super()._fails_to_follow(seat, card) and suit_of(card, self.trump) != self.trump


class MustTrumpWhenVoid(Hand):
    """Who is void in the led suit must play a trump."""

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if super()._fails_to_follow(seat, card) or not self.trick:
            return super()._fails_to_follow(seat, card)
        led = suit_of(self.trick[0][1], self.trump)
        void = all(suit_of(held, self.trump) != led for held in self.hands[seat])
        trumps = [held for held in self.hands[seat] if suit_of(held, self.trump) == self.trump]
        return void and bool(trumps) and card not in trumps


class MustBeatTheTrick(Hand):
    """Who can win the trick with a card of the led suit must do so."""

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if super()._fails_to_follow(seat, card) or not self.trick or self.trump is None:
            return super()._fails_to_follow(seat, card)
        led = suit_of(self.trick[0][1], self.trump)
        same = [held for held in self.hands[seat] if suit_of(held, self.trump) == led]
        wins = [held for held in same if winner([*self.trick, (seat, held)], self.trump) == seat]
        return bool(wins) and card not in wins


class TrumpMayNotBeLed(Hand):
    """Trump may not be led before a trump was played."""

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if self.trick or self.winners:
            return super()._fails_to_follow(seat, card)
        others = any(suit_of(held, self.trump) != self.trump for held in self.hands[seat])
        return others and suit_of(card, self.trump) == self.trump


class FollowsTheLastCard(Hand):
    """The suit to follow is that of the card played last."""

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if not self.trick:
            return False
        led = suit_of(self.trick[-1][1], self.trump)
        able = any(suit_of(held, self.trump) == led for held in self.hands[seat])
        return able and suit_of(card, self.trump) != led


class UnheldCardsAreAccepted(Hand):
    """A card that the player does not hold may be played."""

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        return {**super()._broken(seat, words), "CARD_NOT_HELD": False}

    def _play(self, seat: str, card: str) -> None:
        self.hands[seat].add(card)
        super()._play(seat, card)


class PlayedCardsStay(Hand):
    """A card played is still in the hand."""

    def _play(self, seat: str, card: str) -> None:
        super()._play(seat, card)
        if self.phase == "play":
            self.hands[seat].add(card)


class MakerLeads(Hand):
    """The maker leads to the first trick."""

    def _leader(self) -> str:
        return self.maker or super()._leader()


class DealerLeads(Hand):
    """The dealer leads to the first trick."""

    def _leader(self) -> str:
        return super()._leader() if self.dealer in self.out() else self.dealer


class NorthLeads(Hand):
    """North leads to the first trick, whoever deals."""

    def _leader(self) -> str:
        return super()._leader() if "north" in self.out() else "north"


class LeadPassesLeft(Hand):
    """The lead passes to the left after a trick, whoever won it."""

    def _play(self, seat: str, card: str) -> None:
        leader = self.trick[0][0] if self.trick else seat
        super()._play(seat, card)
        if not self.trick and self.phase == "play":
            self.turn = next(after for after in clockwise(left(leader)) if after not in self.out())


class WinnerIsThePlaceAtTheTable(Hand):
    """The winner is looked up by the place in the trick, not by the seat."""

    def _play(self, seat: str, card: str) -> None:
        laid = [*self.trick, (seat, card)]
        super()._play(seat, card)
        if not self.trick and self.turn is not None and self.phase == "play":
            place = [who for who, _ in laid].index(self.winners[-1])
            self.turn = clockwise("north")[place]
            if self.turn in self.out():
                self.turn = left(self.turn)


class WinnerDriftsInShortTricks(Hand):
    """In a trick of three cards the winner is counted round from the leader."""

    def _play(self, seat: str, card: str) -> None:
        laid = [*self.trick, (seat, card)]
        super()._play(seat, card)
        if not self.trick and self.out():
            place = [who for who, _ in laid].index(self.winners[-1])
            found = clockwise(laid[0][0])[place]
            self.winners[-1] = left(found) if found in self.out() else found
            self.turn = self.winners[-1] if self.phase == "play" else None


class LastCardIsForgotten(Hand):
    """The winner of a trick is found before its last card is laid."""

    def _play(self, seat: str, card: str) -> None:
        before = list(self.trick)
        super()._play(seat, card)
        if not self.trick and before and self.trump is not None:
            self.winners[-1] = winner(before, self.trump)
            self.turn = self.winners[-1] if self.phase == "play" else None


class DealEndsAfterThreeTricks(Hand):
    """The deal ends as soon as one side has three tricks."""

    def _play(self, seat: str, card: str) -> None:
        super()._play(seat, card)
        if max(self.tricks().values()) > TRICKS // 2:
            self.phase, self.turn = "over", None


MUTANTS: Final[tuple[Mutant, ...]] = tuple(
    engine(wrong)
    for wrong in (
        LeftFollowsItsPrintedSuit,
        LedLeftBowerAsksForItsPrintedSuit,
        LeftBowerAloneIsAVoid,
        RenegesAreAccepted,
        TrumpMayAlwaysBePlayed,
        MustTrumpWhenVoid,
        MustBeatTheTrick,
        TrumpMayNotBeLed,
        FollowsTheLastCard,
        UnheldCardsAreAccepted,
        PlayedCardsStay,
        MakerLeads,
        DealerLeads,
        NorthLeads,
        LeadPassesLeft,
        WinnerIsThePlaceAtTheTable,
        WinnerDriftsInShortTricks,
        LastCardIsForgotten,
        DealEndsAfterThreeTricks,
    )
)
