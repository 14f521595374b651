"""The play of one deal, from the first question to the fifth trick (chapters calling to score)."""

from collections.abc import Mapping, Sequence
from copy import copy

from conformance.errors import PositionError
from conformance.oracle.cards import SEATS, clockwise, left, other, partner, side, winner
from conformance.oracle.house import BEFORE_CALLING
from conformance.oracle.ruling import Position

TRICKS = 5


class Hand(Position):
    """One deal being played under one rule set."""

    def __init__(
        self,
        rules: Mapping[str, str],
        *,
        dealer: str,
        hands: Mapping[str, Sequence[str]],
        upcard: str,
        kitty: Sequence[str] = (),
        score: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(rules, dealer=dealer, hands=hands, upcard=upcard, kitty=kitty, score=score)
        if self.blind:
            self.phase = "dealer_names"
            self.turn = dealer
        elif any(rules[knob] != "none" for knob in BEFORE_CALLING):
            self.phase = "house"
        else:
            self._begin_calling()

    def copy(self) -> "Hand":
        """The same position, to be played on from separately."""
        twin = copy(self)
        twin.hands = {seat: set(cards) for seat, cards in self.hands.items()}
        twin.alone = list(self.alone)
        twin.asked = list(self.asked)
        twin.trick = list(self.trick)
        twin.winners = list(self.winners)
        twin.kitty = list(self.kitty)
        twin.given = list(self.given)
        return twin

    # ---- what then happens

    def apply(self, text: str) -> None:
        """Do what the seat on turn says."""
        seat = self.turn
        if seat is None:
            raise PositionError(f"{text!r} comes after the end of the deal")
        reason = self.refusal(seat, text)
        if reason is not None:
            legal = ", ".join(sorted(self.legal()))
            raise PositionError(f"{seat} may not {text!r}: {reason} (legal here: {legal})")
        words = text.split(" ")
        match words[0]:
            case "pass":
                self._pass(seat)
            case "redeal":
                self.redealt = True
                self._end()
            case "swap":
                self._swap(seat, words[1:])
            case "order" | "name":
                self._make(seat, words)
            case "discard":
                self.hands[seat].remove(words[1])
                self._after_discard()
            case "give":
                self._give(seat, words[1])
            case "alone" | "decline":
                self.asked.append(seat)
                if words[0] == "alone":
                    self.alone.append(seat)
                self._ask_alone()
            case _:
                self._play(seat, words[1])

    def _begin_calling(self) -> None:
        self.phase = "round_one"
        self.turn = left(self.dealer)
        if self.rules["trump_making"] == "turned_suit":
            self.trump = self.turned_suit
            self._trump_is_made()

    def _trump_is_made(self) -> None:
        """After trump, and after the discard: the last house rule, then the alone questions."""
        if self.rules["no_ace_no_face_no_trump"] == "redeal":
            self.phase = "house"
            self.turn = self._next_to_look(self.dealer)
        else:
            self._ask_alone()

    def _next_to_look(self, seat: str) -> str:
        return next(after for after in clockwise(left(seat)) if after not in self.out())

    def _end(self) -> None:
        self.phase = "over"
        self.turn = None

    def _look_on(self, seat: str) -> None:
        """Ask the next seat for its house hand; begin the calling after the last."""
        after_trump = self.trump is not None
        asked = clockwise(left(self.dealer))
        if after_trump:
            asked = [one for one in asked if one not in self.out()]
        if seat != asked[-1]:
            self.turn = asked[asked.index(seat) + 1]
        elif after_trump:
            self._ask_alone()
        else:
            self._begin_calling()

    def _swap(self, seat: str, cards: list[str]) -> None:
        if len(self.kitty) < len(cards):
            raise PositionError("a swap needs the kitty, and the deal does not give it")
        self.hands[seat].difference_update(cards)
        self.hands[seat].update(self.kitty[: len(cards)])
        self.kitty[: len(cards)] = cards
        self.swapped = True
        self._look_on(seat)

    def _give(self, seat: str, card: str) -> None:
        self.hands[seat].remove(card)
        self.hands[partner(seat)].add(card)
        self.given.append(seat)
        self.phase = "discard"
        self.turn = partner(seat)

    def _after_discard(self) -> None:
        """The dealer's discard makes trump good; a loner's only ends the exchange."""
        if self.given:
            self._ask_alone()
        else:
            self._trump_is_made()

    def _pass(self, seat: str) -> None:
        if self.phase == "house":
            self._look_on(seat)
            return
        self.passes += 1
        self.turn = left(seat)
        if self.passes == len(SEATS):
            self.upcard_state = "turned_down"
            self.phase = "round_two"
            if self.rules["trump_making"] == "one_round_then_dealer":
                self.phase = "dealer_names"
                self.turn = self.dealer
        if self.passes == 2 * len(SEATS):
            self._end()

    def _make(self, seat: str, words: list[str]) -> None:
        self.maker = seat
        self.trump = words[1] if words[0] == "name" else self.turned_suit
        if words[-1] == "alone":
            self.alone.append(seat)
            self.asked.append(seat)
        leaves = self.dealer in self.out() and self.rules["sitting_out_dealer"] == "leave"
        accepts = words[0] == "order" or self.blind
        takes = accepts and self.rules["upcard"] == "dealer_takes" and not leaves
        if takes:
            self.hands[self.dealer].add(self.upcard)
            self.upcard_state = "taken"
            self.phase = "discard"
            self.turn = self.dealer
        else:
            self._trump_is_made()

    def _may_still_go(self, seat: str) -> bool:
        if seat in self.asked or seat in self.alone or seat in self.out() or self._barred(seat):
            return False
        if self.rules["alone_who"] == "any_player":
            return True
        if side(seat) == self.making_side():
            allowed = self.rules["alone_who"] == "making_side" or seat == self.maker
            return allowed and self.rules["alone_when"] == "before_lead"
        defending = self.rules["defend_alone"]
        return defending == "any" or (defending == "vs_loner" and self.makers_alone())

    def _ask_alone(self) -> None:
        """Turn to the next seat that may still go alone; to the lead where there is none.

        A loner's partner gives the best card before anybody else is asked.
        """
        if giver := self._owes_a_card():
            self.phase = "partners_best"
            self.turn = giver
            return
        waiting = [seat for seat in clockwise(left(self.dealer)) if self._may_still_go(seat)]
        defenders_only = self.maker is not None and all(
            side(seat) != self.making_side() for seat in waiting
        )
        if self.maker is not None and self.maker in waiting:
            waiting = [self.maker]
        elif defenders_only and self.rules["defend_alone_poll"] == "makers_left":
            around = clockwise(left(self.maker or self.dealer))
            waiting = [seat for seat in around if seat in waiting]
        if waiting:
            self.phase = "alone"
            self.turn = waiting[0]
        else:
            self.phase = "play"
            self.turn = self._leader()

    def _owes_a_card(self) -> str | None:
        """The partner of a loner of the making side, or of any where nobody makes trump."""
        if self.rules["partners_best"] == "none":
            return None
        makers = self.making_side()
        for loner in self.alone:
            if partner(loner) not in self.given and makers in (None, side(loner)):
                return partner(loner)
        return None

    def _leader(self) -> str:
        first = left(self.dealer)
        if len(self.alone) == 1 and self.rules["loner_lead"] == "loners_left":
            first = left(self.alone[0])
        both = len(self.alone) > 1 and self.maker is not None
        if both and self.rules["both_alone_lead"] == "defender":
            first = next(seat for seat in self.alone if side(seat) != self.making_side())
        return next(seat for seat in clockwise(first) if seat not in self.out())

    def _play(self, seat: str, card: str) -> None:
        out = self.out()
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) < len(SEATS) - len(out):
            self.turn = next(after for after in clockwise(left(seat)) if after not in out)
            return
        if self.trump is None:
            raise PositionError("a trick without a trump suit")
        won = winner(self.trick, self.trump)
        self.winners.append(won)
        self.trick = []
        self.turn = won
        if len(self.winners) == TRICKS:
            self._end()

    # ---- what it is worth

    def tricks(self) -> dict[str, int]:
        """The tricks that each side has taken."""
        return {
            which: len([seat for seat in self.winners if side(seat) == which])
            for which in ("ns", "ew")
        }

    def outcome(self) -> str:
        """How the finished deal ended."""
        if self.redealt:
            return "redeal"
        return "thrown_in" if self.trump is None else "played"

    def points(self) -> dict[str, int]:
        """The points that each side gets for the finished deal."""
        points = {"ns": 0, "ew": 0}
        if self.outcome() != "played":
            return points
        taken = self.tricks()
        most = "ns" if taken["ns"] > taken["ew"] else "ew"
        makers = self.making_side() or most
        lone = any(side(seat) == makers for seat in self.alone)
        if makers == most:
            points[makers] = self._made(taken[makers], lone=lone)
        else:
            points[other(makers)] = self._euchred(taken[other(makers)], lone=lone)
        return points

    def _made(self, taken: int, *, lone: bool) -> int:
        if taken < TRICKS:
            return int(self.rules["points_made"])
        counted = ["points_march", "points_lone_march"] if lone else ["points_march"]
        return max(int(self.rules[knob]) for knob in counted)

    def _euchred(self, taken: int, *, lone: bool) -> int:
        counted = ["points_euchre"]
        if taken == TRICKS:
            counted.append("points_euchre_all_five")
        if lone:
            counted.append("points_lone_euchred")
        both = lone and len(self.alone) > 1
        if both and self.rules["defend_alone"] != "never":
            counted.append("points_lone_defender")
        return max(int(self.rules[knob]) for knob in counted)

    def next_dealer(self) -> str:
        """Who deals the next deal."""
        thrown_in_same = self.trump is None and self.rules["throw_in_dealer"] == "same"
        return self.dealer if self.redealt or thrown_in_same else left(self.dealer)
