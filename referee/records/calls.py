"""The calls of a recorded deal: who made trump and who is alone, and what was said amiss.

The rule book's own engine plays the calls over a deal that agrees with all that is known; `spoken`
says how each word is taken. What the record states beside its calls is held against them here.
"""

from collections.abc import Iterable

from referee.records.model import Problem
from referee.records.spoken import MAKES, TO_PLAY, Spoken
from referee.records.stated import are_short, contradictions, is_order, lone_violations
from referee.rules import SEATS, SUIT_LETTERS, Phase, makers_from_play
from referee.rules.alone import go_alone
from referee.rules.calling import call, turned_suit
from referee.rules.notation import ALONE, DECLINE, ORDER, PASS
from referee.rules.play import begin_play


class Calling(Spoken):
    """One deal's calls, played to the first lead."""

    def play(self) -> "Calling":
        """Play everything that was said."""
        if not self._deal.has_dealer:
            self._without_dealer()
            return self
        self._stated_first()
        while self._queue:
            said = self._queue.pop(0)
            self._settle(said)
            if self.redealt:
                self._wrong("action.phase", f"{said.words!r} was said after the redeal")
            else:
                self._say(said)
        self._settle(None)
        self._finish()
        self._stray_trump()
        self._by_statement()
        self._by_guess()
        return self

    def _by_statement(self) -> None:
        """Take what is stated beside the calls, and hold it against them and the rules."""
        deal, hand = self._deal, self.hand
        called = hand.maker if deal.said else -1
        said = hand.alone_seats if deal.said else ()
        self._stated_last()
        untaken = self.buried if self._took_none() else None
        self.problems += contradictions(deal, called, untaken)
        unsaid = [seat for seat in deal.alone if seat not in said]
        for seat, found in lone_violations(hand, deal, unsaid):
            self._wrong(found.rule, f"{seat.word} is alone: {found.sentence}", seat)

    def _took_none(self) -> bool:
        """Whether the play began and it is certain that no upcard was taken."""
        begun = self.hand.phase in TO_PLAY and self.hand.trump >= 0 and not self.redealt
        return begun and self._deal.upcard is not None and not self.took

    def _without_dealer(self) -> None:
        """Take what was said as it stands where nobody knows whose turn it was."""
        deal, hand = self._deal, self.hand
        made = next((said for said in self._queue if said.words.startswith(MAKES)), None)
        hand.trump = -1 if deal.trump is None else deal.trump
        if made is not None and hand.trump < 0 and made.words.startswith("name "):
            hand.trump = f"{SUIT_LETTERS}N".find(made.words.split(" ")[1])
        elif made is not None and hand.trump < 0 and deal.upcard is not None:
            hand.trump = turned_suit(hand)
        maker = made.seat if deal.maker is None and made is not None else deal.maker
        hand.maker = -1 if maker is None else maker
        lone = maker is not None and made is not None and made.words.endswith(" alone")
        for seat in {*deal.alone, maker} if lone else deal.alone:
            if seat is not None:
                go_alone(hand, seat)
        for said in self._queue:
            self.told.append(said.words if said.seat is None else f"{said.seat.word}: {said.words}")
        self.has_called = False
        begin_play(hand)
        hand.first = -1
        self.open.append("who dealt is not known, nor whose turn it was to call and to lead")

    def _by_guess(self) -> None:
        """Forget a trump that only a guess at the upcard gives."""
        deal, hand = self._deal, self.hand
        if deal.upcard is None and deal.trump is None and self._by_turning and hand.trump >= 0:
            hand.trump = -1
            self.open.append("the upcard is not known, and with it trump")
        elif not deal.said and not hand.alone and are_short(deal.tricks):
            self.has_called = False
            self.open.append("who is alone is not known")
        elif hand.trump < 0 and deal.tricks and not self.redealt:
            self.has_called = False
            self.open.append("what made trump is not known")

    def _stated_first(self) -> None:
        """Take trump, maker and loners as stated where no call is written down."""
        deal, hand = self._deal, self.hand
        if self._queue or deal.trump is None or hand.phase in {Phase.ALONE, *TO_PLAY}:
            return
        laid = [
            tuple((p.seat, p.card) for p in trick if p.seat is not None and p.card is not None)
            for trick in deal.tricks
        ]
        told = all(play.seat is not None for trick in deal.tricks for play in trick)
        seen = makers_from_play(hand.rules, laid if told else [])
        alone = deal.alone or tuple(seat for seat in SEATS if seen.alone >> seat & 1)
        maker = seen.maker if deal.maker is None else deal.maker
        while hand.phase is Phase.HOUSE:
            hand.advance(PASS)
        if deal.upcard is not None and hand.phase is Phase.ROUND_ONE and is_order(hand, deal.trump):
            self._ordered_up(maker, alone)
            return
        hand.trump, hand.maker = deal.trump, maker
        for seat in alone:
            go_alone(hand, seat)
        begin_play(hand)

    def _ordered_up(self, maker: int, alone: Iterable[int]) -> None:
        """Let the dealer take the upcard, since its suit can be made trump in no other way."""
        hand = self.hand
        for seat in alone:
            go_alone(hand, seat)
        hand.turn = hand.dealer if maker < 0 else maker
        call(hand, ORDER)
        hand.maker = maker
        self._settle(None)

    def _stated_last(self) -> None:
        """Hold trump and loners against what the record states, which wins."""
        deal, hand = self._deal, self.hand
        made = deal.trump if deal.trump is not None else hand.trump
        unsaid = [seat for seat in deal.alone if not hand.alone >> seat & 1]
        if made == hand.trump and not unsaid:
            return
        if hand.trump >= 0 and made != hand.trump:
            message = "the trump that is stated is not the one that the calls make"
            self.problems.append(Problem(f"deal {deal.number}", message))
        seat = hand.maker if deal.maker is None else int(deal.maker)
        known = deal.upcard is not None and made is not None
        if known and hand.phase is Phase.ROUND_ONE and is_order(hand, made):
            self._ordered_up(seat, unsaid)
            self._finish()
            return
        hand.trump = made
        hand.maker = hand.maker if deal.maker is None else deal.maker
        for loner in unsaid:
            go_alone(hand, loner)
        begin_play(hand)

    def _finish(self) -> None:
        """Decline and give for those of whom nothing is written down."""
        hand = self.hand
        while hand.phase in {Phase.ALONE, Phase.PARTNERS_BEST}:
            if hand.phase is Phase.ALONE:
                hand.advance(ALONE if SEATS[hand.turn] in self._deal.alone else DECLINE)
            else:
                self.unknown_moves = True
                self.open.append(f"{SEATS[hand.turn].word} gives a card that is not known")
                self._force(hand.legal()[0])
            self._settle(None)

    def _stray_trump(self) -> None:
        """Take trump from a call that the rules do not know, where the table played on with it."""
        hand, stray = self.hand, self._stray
        if stray is None or hand.trump >= 0 or not self._deal.tricks:
            return
        if hand.phase is Phase.ROUND_ONE and is_order(hand, stray.suit):
            self._ordered_up(stray.seat, [stray.seat] if stray.alone else [])
            self._finish()
            return
        hand.trump, hand.maker = stray.suit, stray.seat
        if stray.alone:
            go_alone(hand, stray.seat)
        begin_play(hand)
