"""What may be done in a position, and why something may not (chapters calling to play)."""

from collections.abc import Mapping, Sequence
from functools import cache

from conformance.oracle.cards import (
    BEST,
    NO_TRUMP,
    PACKS,
    SEATS,
    SUITS,
    left,
    natural,
    pack,
    partner,
    side,
    suit_of,
)
from conformance.oracle.house import hopeless, is_swap, low, may_redeal, may_swap, swaps
from conformance.oracle.reasons import RULE_ORDER, WORDS, WORDS_IN

BARRED_SCORES = (8, 9)


class Position:
    """A deal as it stands under one rule set."""

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
        self.rules = rules
        self.score = dict(score or {"ns": 0, "ew": 0})
        self.kitty = list(kitty)
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
        self.swapped = False
        self.redealt = False
        self.given: list[str] = []
        self.trick: list[tuple[str, str]] = []
        self.winners: list[str] = []
        self.turn: str | None = left(dealer)
        self.phase = "round_one"
        self.blind = rules["best_bower_turned"] == "dealer_names_blind" and upcard in BEST

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
        if not self._rightly_written(words):
            return ["UNKNOWN_ACTION"]
        broken = self._broken(seat, words)
        return sorted((why for why in broken if broken[why]), key=RULE_ORDER.index)

    def _rightly_written(self, words: list[str]) -> bool:
        if words[0] == "swap":
            return is_swap(words, pack(self.rules["pack"]))
        return " ".join(words) in self.forms()

    def forms(self) -> Sequence[str]:
        """Everything that can be said in this phase, allowed or not; swaps apart."""
        return forms(self.phase, self.rules["pack"], self.rules["no_trump"])

    def legal(self) -> set[str]:
        """Everything that the seat on turn may do."""
        seat = self.turn
        if seat is None:
            return set()
        word = "give" if self.phase == "partners_best" else self.phase
        if word in ("play", "discard", "give"):
            tried = [f"{word} {card}" for card in self.hands[seat]]
        else:
            tried = list(self.forms())
        if self.phase == "house":
            tried += swaps(self.hands[seat])
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
        not_with_call = self.rules["alone_when"] != "with_call" or self._barred(seat)
        named = words[1:] if word in ("discard", "play", "give", "swap") else []
        return {
            "CARD_NOT_HELD": any(name not in self.hands[seat] for name in named),
            "MUST_FOLLOW_SUIT": word == "play" and self._fails_to_follow(seat, card),
            "DISCARD_UPCARD_FORBIDDEN": buries
            and card == self.upcard
            and not self.given
            and self.rules["bury_upcard"] == "forbidden",
            "SUIT_TURNED_DOWN": turned_down,
            "DEALER_STUCK": word == "pass" and self._stuck(seat),
            "NEEDS_TRUMP": self._tested(seat, word) and not self._holds_trump(seat, words),
            "PARTNER_MUST_GO_ALONE": plain_order and self.rules["partner_order"] == "must_be_alone",
            "ALONE_NOT_ALLOWED": said_with_call and not_with_call,
            "NOT_QUALIFIED": not self._qualified(seat, words),
        }

    def _qualified(self, seat: str, words: list[str]) -> bool:
        """Whether the hand is one that the house rule is for."""
        cards = self.hands[seat]
        if words[0] == "redeal":
            if self.trump is not None:
                return hopeless(cards, self.trump)
            return may_redeal(self.rules, cards)
        if words[0] == "swap":
            lows = all(low(card) for card in words[1:])
            spent = self.swapped or self.trump is not None
            return may_swap(self.rules, cards) and lows and not spent
        return True

    def _barred(self, seat: str) -> bool:
        """Whether the score bars the seat's side from going alone."""
        limited = self.rules["loner_limit"] == "eight_or_nine"
        return limited and self.score[side(seat)] in BARRED_SCORES

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
        if trump == NO_TRUMP:
            return True
        if self.rules["order_needs_trump"] == "natural_only":
            return any(natural(card, trump) for card in self.hands[seat])
        return any(suit_of(card, trump) == trump for card in self.hands[seat])

    def makers_alone(self) -> bool:
        """Whether a player of the making side plays alone."""
        return any(side(seat) == self.making_side() for seat in self.alone)

    def making_side(self) -> str | None:
        """The side that made trump; none where nobody did."""
        return None if self.maker is None else side(self.maker)


@cache
def forms(phase: str, pack_name: str, no_trump: str) -> tuple[str, ...]:
    """Everything that can be said in a phase, whoever says it; swaps apart."""
    words = {"play": "play", "discard": "discard", "partners_best": "give"}
    if phase in words:
        return tuple(f"{words[phase]} {card}" for card in pack(pack_name))
    if phase == "house":
        return ("pass", "redeal")
    if phase == "alone":
        return ("alone", "decline")
    if phase == "round_one":
        return ("pass", "order", "order alone")
    names = [f"name {suit}" for suit in SUITS]
    if phase == "round_two" and no_trump == "round_two":
        names.append(f"name {NO_TRUMP}")
    return ("pass", *names, *(f"{name} alone" for name in names))


def is_action(text: str) -> bool:
    """Whether words are an action of some phase, with some pack, under some rule set."""
    words = text.split(" ")
    if words[0] == "swap":
        return any(is_swap(words, pack(name)) for name in PACKS)
    return text in _every_form()


@cache
def _every_form() -> frozenset[str]:
    return frozenset(
        text
        for phase in WORDS_IN
        if phase != "over"
        for name in PACKS
        for text in forms(phase, name, "round_two")
    )
