"""The play of one deal, from the first call to the fifth trick (chapters calling to scoring)."""

from collections.abc import Mapping, Sequence
from copy import copy

from conformance.errors import PositionError
from conformance.oracle.cards import (
    SEATS,
    SUITS,
    clockwise,
    left,
    natural,
    other,
    pack,
    partner,
    side,
    suit_of,
    winner,
)
from conformance.oracle.reasons import RULE_ORDER, WORDS, WORDS_IN

TRICKS = 5


class Hand:
    """One deal being played under one rule set."""

    def __init__(
        self,
        rules: Mapping[str, str],
        *,
        dealer: str,
        hands: Mapping[str, Sequence[str]],
        upcard: str,
    ) -> None:
        self.rules = rules
        self.dealer = dealer
        self.hands = {seat: set(hands[seat]) for seat in SEATS}
        self.upcard = upcard
        self.turned_suit = suit_of(upcard, None)
        self.upcard_state = "turned"
        self.trump: str | None = None
        self.maker: str | None = None
        self.alone: list[str] = []
        self.asked: list[str] = []
        self.passes = 0
        self.trick: list[tuple[str, str]] = []
        self.winners: list[str] = []
        self.turn: str | None = left(dealer)
        self.phase = "round_one"
        if rules["trump_making"] == "turned_suit":
            self.trump = self.turned_suit
            self._ask_alone()

    def copy(self) -> "Hand":
        """The same position, to be played on from separately."""
        twin = copy(self)
        twin.hands = {seat: set(cards) for seat, cards in self.hands.items()}
        twin.alone = list(self.alone)
        twin.asked = list(self.asked)
        twin.trick = list(self.trick)
        twin.winners = list(self.winners)
        return twin

    # ---- what may be done

    def out(self) -> list[str]:
        """The seats that sit out."""
        return [seat for seat in SEATS if partner(seat) in self.alone]

    def refusal(self, seat: str, text: str) -> str | None:
        """The first reason why a seat may not do this; none if it may."""
        faults = self.faults(seat, text)
        return faults[0] if faults else None

    def faults(self, seat: str, text: str) -> list[str]:
        """Every rule that the action breaks, or the one reason why it is not looked at."""
        words = text.split(" ")
        if self.phase == "over":
            return ["HAND_OVER"]
        if seat != self.turn:
            return ["SITTING_OUT" if seat in self.out() else "NOT_YOUR_TURN"]
        if words[0] not in WORDS:
            return ["UNKNOWN_ACTION"]
        if words[0] not in WORDS_IN[self.phase]:
            return [self._out_of_phase(seat, text)]
        if text not in self.forms():
            return ["UNKNOWN_ACTION"]
        broken = self._broken(seat, words)
        return [reason for reason in RULE_ORDER if broken.get(reason)]

    def forms(self) -> list[str]:
        """Everything that can be said in this phase, allowed or not."""
        if self.phase in ("play", "discard"):
            return [f"{self.phase} {card}" for card in pack(self.rules["pack"])]
        if self.phase == "alone":
            return ["alone", "decline"]
        if self.phase == "round_one":
            return ["pass", "order", "order alone"]
        names = [f"name {suit}" for suit in SUITS]
        return ["pass", *names, *(f"{name} alone" for name in names)]

    def legal(self) -> set[str]:
        """Everything that the seat on turn may do."""
        seat = self.turn
        if seat is None:
            return set()
        if self.phase in ("play", "discard"):
            tried = [f"{self.phase} {card}" for card in self.hands[seat]]
        else:
            tried = self.forms()
        return {text for text in tried if self.refusal(seat, text) is None}

    def _out_of_phase(self, seat: str, text: str) -> str:
        if text != "alone" or self.trump is None:
            return "WRONG_PHASE"
        if self.rules["alone_who"] == "any_player" or self.maker is None:
            return "ALONE_TOO_LATE"
        if side(seat) == side(self.maker):
            only_maker = self.rules["alone_who"] == "maker" and seat != self.maker
            return "ALONE_NOT_ALLOWED" if only_maker else "ALONE_TOO_LATE"
        if self.rules["defend_alone"] == "never":
            return "DEFEND_ALONE_OFF"
        if self.rules["defend_alone"] == "vs_loner" and not self.makers_alone():
            return "DEFEND_ALONE_NO_LONER"
        return "ALONE_TOO_LATE"

    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        """Each rule that can refuse an action, and whether it refuses this one."""
        word, card = words[0], words[-1]
        buries = word == "discard"
        turned_down = self.phase == "round_two" and word == "name" and words[1] == self.turned_suit
        plain_order = words == ["order"] and seat == partner(self.dealer)
        said_with_call = len(words) > 1 and card == "alone"
        return {
            "CARD_NOT_HELD": (buries or word == "play") and card not in self.hands[seat],
            "MUST_FOLLOW_SUIT": word == "play" and self._fails_to_follow(seat, card),
            "DISCARD_UPCARD_FORBIDDEN": buries
            and card == self.upcard
            and self.rules["bury_upcard"] == "forbidden",
            "SUIT_TURNED_DOWN": turned_down,
            "DEALER_STUCK": word == "pass" and self._stuck(seat),
            "NEEDS_TRUMP": self._tested(seat, word) and not self._holds_trump(seat, words),
            "PARTNER_MUST_GO_ALONE": plain_order and self.rules["partner_order"] == "must_be_alone",
            "ALONE_NOT_ALLOWED": said_with_call and self.rules["alone_when"] != "with_call",
        }

    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if not self.trick:
            return False
        led = suit_of(self.trick[0][1], self.trump)
        able = any(suit_of(held, self.trump) == led for held in self.hands[seat])
        return able and suit_of(card, self.trump) != led

    def _stuck(self, seat: str) -> bool:
        if self.phase == "dealer_names":
            return True
        last = self.phase == "round_two" and seat == self.dealer
        return last and self.rules["all_pass"] == "stick"  # noqa: S105 -- a knob, not a password

    def _tested(self, seat: str, word: str) -> bool:
        """Whether this call asks for a trump in the caller's hand."""
        if self.rules["order_needs_trump"] == "never":
            return False
        scope = self.rules["order_needs_trump_scope"]
        if word == "order":
            is_dealer = seat == self.dealer
            return not (
                (scope == "ordering_seats" and is_dealer)
                or (scope == "dealer_only" and not is_dealer)
            )
        return word == "name" and scope == "every_call" and not self._stuck(seat)

    def _holds_trump(self, seat: str, words: list[str]) -> bool:
        trump = words[1] if words[0] == "name" else self.turned_suit
        if self.rules["order_needs_trump"] == "natural_only":
            return any(natural(card, trump) for card in self.hands[seat])
        return any(suit_of(card, trump) == trump for card in self.hands[seat])

    def makers_alone(self) -> bool:
        """Whether a player of the making side plays alone."""
        return any(side(seat) == self.making_side() for seat in self.alone)

    def making_side(self) -> str | None:
        """The side that made trump; none where nobody did."""
        return None if self.maker is None else side(self.maker)

    # ---- what then happens

    def apply(self, text: str) -> None:
        """Do what the seat on turn says."""
        seat = self.turn
        if seat is None:
            raise PositionError(f"{text!r} comes after the end of the deal")
        reason = self.refusal(seat, text)
        if reason is not None:
            raise PositionError(f"{seat} may not {text!r}: {reason}")
        words = text.split(" ")
        match words[0]:
            case "pass":
                self._pass(seat)
            case "order" | "name":
                self._make(seat, words)
            case "discard":
                self.hands[seat].remove(words[1])
                self._ask_alone()
            case "alone" | "decline":
                self.asked.append(seat)
                if words[0] == "alone":
                    self.alone.append(seat)
                self._ask_alone()
            case _:
                self._play(seat, words[1])

    def _pass(self, seat: str) -> None:
        self.passes += 1
        self.turn = left(seat)
        if self.passes == len(SEATS):
            self.upcard_state = "turned_down"
            self.phase = "round_two"
            if self.rules["trump_making"] == "one_round_then_dealer":
                self.phase = "dealer_names"
                self.turn = self.dealer
        if self.passes == 2 * len(SEATS):
            self.phase = "over"
            self.turn = None

    def _make(self, seat: str, words: list[str]) -> None:
        self.maker = seat
        self.trump = words[1] if words[0] == "name" else self.turned_suit
        if words[-1] == "alone":
            self.alone.append(seat)
            self.asked.append(seat)
        leaves = self.dealer in self.out() and self.rules["sitting_out_dealer"] == "leave"
        takes = words[0] == "order" and self.rules["upcard"] == "dealer_takes" and not leaves
        if takes:
            self.hands[self.dealer].add(self.upcard)
            self.upcard_state = "taken"
            self.phase = "discard"
            self.turn = self.dealer
        else:
            self._ask_alone()

    def _may_still_go(self, seat: str) -> bool:
        if seat in self.asked or seat in self.alone or seat in self.out():
            return False
        if self.rules["alone_who"] == "any_player":
            return True
        if side(seat) == self.making_side():
            allowed = self.rules["alone_who"] == "making_side" or seat == self.maker
            return allowed and self.rules["alone_when"] == "before_lead"
        defending = self.rules["defend_alone"]
        return defending == "any" or (defending == "vs_loner" and self.makers_alone())

    def _ask_alone(self) -> None:
        """Turn to the next seat that may still go alone; to the lead where there is none."""
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
            self.phase = "over"
            self.turn = None

    # ---- what it is worth

    def tricks(self) -> dict[str, int]:
        """The tricks that each side has taken."""
        return {
            which: len([seat for seat in self.winners if side(seat) == which])
            for which in ("ns", "ew")
        }

    def outcome(self) -> str:
        """How the finished deal ended."""
        return "thrown_in" if self.trump is None else "played"

    def points(self) -> dict[str, int]:
        """The points that each side gets for the finished deal."""
        points = {"ns": 0, "ew": 0}
        if self.trump is None:
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
        same = self.trump is None and self.rules["throw_in_dealer"] == "same"
        return self.dealer if same else left(self.dealer)
