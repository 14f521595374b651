"""What was said over a recorded deal, word by word, as the table took it.

What was said stands at a table, so an unlawful call is named and then taken as the table took it.
What a record states beside the calls is the affair of `calls`.
"""

from collections.abc import Iterable
from typing import Final

from referee.records.model import UNHEARD, Problem, RecordedDeal, Said
from referee.records.report import Irregularity
from referee.records.stated import Stray, violation_on_turn
from referee.records.tablerules import TableRules
from referee.records.words import speaks_of_house
from referee.rules import (
    SEATS,
    SUIT_LETTERS,
    Deal,
    Hand,
    Penalty,
    Phase,
    Reason,
    RuleSet,
    Violation,
    action_text,
    card_text,
    parse_action,
    ruling,
)
from referee.rules.alone import go_alone
from referee.rules.calling import turned_suit
from referee.rules.knobs import AloneWhen, TrumpMaking, Upcard
from referee.rules.notation import (
    ALONE,
    DECLINE,
    DISCARD,
    NAME,
    NAME_ALONE,
    ORDER,
    ORDER_ALONE,
    PASS,
)
from referee.rules.play import begin_play

_CALLING: Final = frozenset({Phase.ROUND_ONE, Phase.ROUND_TWO, Phase.DEALER_NAMES})
_BY_HAND: Final = frozenset({Reason.NEEDS_TRUMP, Reason.NOT_QUALIFIED, Reason.CARD_NOT_HELD})
_BY_UPCARD: Final = frozenset({Reason.NEEDS_TRUMP, Reason.SUIT_TURNED_DOWN})
"""Refusals that rest on which card was turned."""
MAKES: Final = ("order", "name ")
"""How the words begin that make trump."""
TO_PLAY: Final = frozenset({Phase.PLAY, Phase.OVER})
"""The phases in which the calls are over."""


class Spoken:
    """One deal's words, each taken in its turn over a deal that agrees with all that is known."""

    def __init__(
        self,
        rules: RuleSet,
        table: TableRules,
        deal: RecordedDeal,
        dealt: Deal,
        full: tuple[bool, ...],
        *,
        house_said: bool,
        score: tuple[int, int],
    ) -> None:
        self.hand = Hand(rules, dealt, score)
        self.unknown_moves = False
        self.irregularities: list[Irregularity] = []
        self.problems: list[Problem] = []
        self.open: list[str] = []
        self.told: list[str] = []
        self.moved: set[int] = set()
        self.redealt = False
        self._queue, buried, self._loners = _apart(deal.said)
        self.buried = deal.discard if buried is None else buried
        """The card that the dealer put away, unless it cannot have done so."""
        self.has_called = True
        """Whether it is known what was called, and so who is alone."""
        self._table = table
        self._deal = deal
        self._full = full
        self._alone: set[int] = set()
        self._lost: set[int] = set()
        self._bound: set[int] = set()
        self._stray: Stray | None = None
        self._given = False
        self._by_turning = rules.trump_making is TrumpMaking.TURNED_SUIT
        self._house = house_said and speaks_of_house([said.words for said in self._queue])

    @property
    def took(self) -> bool:
        """Whether the dealer took the upcard."""
        return self.hand.upcard_state.value == "taken"

    @property
    def may_take(self) -> bool:
        """Whether the dealer has the upcard, or may have it for all that is known."""
        if self.took:
            return True
        open_yet = self.hand.upcard_state.value == "turned"
        unknown = self.hand.trump < 0 or self._deal.upcard is None
        return open_yet and unknown and self.hand.rules.upcard is Upcard.DEALER_TAKES

    def _wrong(
        self, rule: str, what: str, seat: int | None = None, remedy: str = "", points: int = 0
    ) -> None:
        penalty = Penalty(SEATS[seat].side, points) if points and seat is not None else Penalty()
        who = None if seat is None else SEATS[seat]
        self.irregularities.append(
            Irregularity(rule=rule, what=what, seat=who, remedy=remedy, penalty=penalty)
        )

    def _settle(self, said: Said | None) -> None:
        """Make the moves that a record need not write down."""
        hand = self.hand
        while True:
            if hand.phase is Phase.HOUSE and not self._is_house(said):
                hand.advance(PASS)
            elif hand.phase is Phase.DISCARD:
                self._bury()
            elif hand.phase is Phase.ALONE and hand.turn in self._alone:
                hand.advance(ALONE)
            elif hand.phase in _CALLING and hand.turn in self._lost and self._skipped(said):
                self._lost.discard(hand.turn)
                hand.advance(PASS)
            else:
                return

    def _skipped(self, said: Said | None) -> bool:
        return said is not None and said.seat is not None and said.seat != self.hand.turn

    def _is_house(self, said: Said | None) -> bool:
        """Whether a word answers the house's question, before the calls or after them."""
        if said is None or self.hand.trump < 0:
            return said is not None and self._house
        return said.words in {"pass", "redeal"}

    def _bury(self) -> None:
        hand = self.hand
        card = self._loners if self._given else self.buried
        who = SEATS[hand.turn].word
        legal = hand.legal()
        if card is None:
            self.unknown_moves = self.unknown_moves or self._given
            hand.advance(legal[-1])
            return
        text = f"discard {card_text(card)}"
        found = ruling(hand, hand.turn, text)
        if isinstance(found, int):
            hand.advance(found)
            return
        known = self._full[hand.turn] and self._deal.upcard is not None
        if self._deal.upcard is not None if found.reason is not Reason.CARD_NOT_HELD else known:
            self._wrong(found.rule, f"{who} buries {card_text(card)}: {found.sentence}", hand.turn)
        if hand.hands[hand.turn] >> card & 1:
            hand.advance(DISCARD + card)
            return
        if not self._given:
            self.buried = None
        hand.advance(legal[-1])

    def _say(self, said: Said) -> None:
        hand = self.hand
        words = said.words
        seat = hand.turn if said.seat is None else said.seat
        if hand.phase in TO_PLAY:
            self._too_late(seat, words)
        elif hand.phase is Phase.ALONE:
            self._answer(said)
        elif seat != hand.turn and not self._comes_to(seat, words):
            return
        elif seat in self._lost and words != "pass":
            self._lost.discard(seat)
            self._without_its_call(seat, words, "bid.out-of-turn", "lost its call")
        elif seat in self._bound and words.startswith(MAKES):
            rule = "bid.partner-pass-after-error"
            self._without_its_call(seat, words, rule, "must pass after the partner's wrong call")
        else:
            self._take(words)

    def _tell(self, seat: int, words: str) -> None:
        self.told.append(f"{SEATS[seat].word}: {words}")

    def _too_late(self, seat: int, words: str) -> None:
        hand = self.hand
        who = max(seat, 0)
        found = violation_on_turn(hand, who, words)
        rule = "action.phase" if found is None else found.rule
        self._tell(who, words)
        self._wrong(rule, f"{SEATS[who].word} says {words!r} after the calls", who)
        if words == "alone" and hand.phase is Phase.PLAY and not hand.alone >> who & 1:
            go_alone(hand, who)
            begin_play(hand)

    def _answer(self, said: Said) -> None:
        """Take an answer to the alone question; a seat named out of its turn is asked in turn."""
        hand = self.hand
        if said.words not in {"alone", "decline"}:
            self._wrong("action.phase", f"{said.words!r} is no answer to the alone question")
            return
        while hand.phase is Phase.ALONE and said.seat is not None and hand.turn != said.seat:
            hand.advance(DECLINE)
        if hand.phase is not Phase.ALONE:
            self._too_late(0 if said.seat is None else said.seat, said.words)
            return
        self._tell(hand.turn, said.words)
        hand.advance(ALONE if said.words == "alone" else DECLINE)

    def _comes_to(self, seat: int, words: str) -> bool:
        """Whether a call out of turn is the seat's call after all: those before it said nothing.

        Rule: bid.out-of-turn
        """
        hand, table = self.hand, self._table
        turn = hand.turn
        who = SEATS[seat].word
        speaks_later = any(said.seat in {None, turn} for said in self._queue)
        if hand.phase not in _CALLING or speaks_later:
            loses = table.call_out_of_turn == "loses_call"
            if loses:
                self._lost.add(seat)
            self._bind(seat)
            remedy = "it loses its call" if loses else "the call does not count"
            what = f"{who} says {words!r} while it is the turn of {SEATS[turn].word}"
            self._wrong("bid.out-of-turn", what, seat, remedy, table.call_out_of_turn_points)
            return False
        while hand.turn != seat and hand.phase in _CALLING:
            what = f"{SEATS[hand.turn].word} says nothing before {who} calls"
            self._wrong("round-one.order", what, hand.turn, "counted as a pass")
            hand.advance(PASS)
        return hand.turn == seat

    def _bind(self, seat: int) -> None:
        if self._table.partner_after_wrong_call == "must_pass":
            self._bound.add(seat ^ 2)

    def _without_its_call(self, seat: int, words: str, rule: str, why: str) -> None:
        stands = not any(said.words.startswith(MAKES) for said in self._queue)
        remedy = "the table let it stand" if stands else "counted as a pass"
        self._wrong(rule, f"{SEATS[seat].word} {why}, and says {words!r}", seat, remedy)
        self._take(words if stands else "pass")

    def _take(self, words: str) -> None:
        """Take the words of the seat on turn as the table took them."""
        hand = self.hand
        seat = hand.turn
        if hand.phase is Phase.DEALER_NAMES and words.startswith("order"):
            suit = SUIT_LETTERS[turned_suit(hand)]  # a blind call of the turned suit, as PTN has it
            words = words.replace("order", f"name {suit}", 1)
        self._tell(seat, words)
        if words == UNHEARD:
            self._unheard(seat)
            return
        self._by_turning = self._by_turning or words.startswith("order")
        found = ruling(hand, seat, words)
        if isinstance(found, int):
            if words.startswith(("swap ", "give ")):
                self._given = words.startswith("give ")
                self.moved |= {seat, seat ^ 2} if self._given else {seat}
            hand.advance(found)
            self.redealt = words == "redeal"
            return
        code = parse_action(words)
        if code is None:
            self._wrong(found.rule, f"{SEATS[seat].word} says {words!r}: {found.sentence}", seat)
            return
        self._unlawful(seat, words, code, found)

    def _unheard(self, seat: int) -> None:
        """Take a call that is not known as a pass where the calling went on after it."""
        more = any(said.words.startswith((*MAKES, "pass", UNHEARD)) for said in self._queue)
        if more and isinstance(ruling(self.hand, seat, "pass"), int):
            self.hand.advance(PASS)
        else:
            self.open.append(f"what {SEATS[seat].word} called is not known")

    def _unlawful(self, seat: int, words: str, code: int, found: Violation) -> None:
        hand, who = self.hand, SEATS[seat].word
        early = hand.rules.alone_when is AloneWhen.BEFORE_LEAD and words.endswith(" alone")
        guessed = found.reason in _BY_UPCARD and self._deal.upcard is None
        if guessed:
            self.open.append(f"{who} says {words!r}: the upcard is not known ({found.rule})")
            self._force(code)
        elif found.reason in _BY_HAND and not self._full[seat]:
            self.open.append(f"{who} says {words!r}: the hand is not known ({found.rule})")
            self._force(code)
        elif found.reason is Reason.ALONE_NOT_ALLOWED and early:
            self._alone.add(seat)
            self._take(words.removesuffix(" alone"))
            self.told.pop()
        elif found.reason is Reason.SUIT_TURNED_DOWN:
            self._turned_down(seat, words, code, found)
        elif found.reason is Reason.DEALER_STUCK:
            self._wrong(found.rule, f"{who} passes: {found.sentence}", seat, "it must name a suit")
        elif found.reason in {Reason.WRONG_PHASE, Reason.UNKNOWN_ACTION}:
            self._wrong(found.rule, f"{who} says {words!r}: {found.sentence}", seat)
            self._remember(seat, code)
        else:
            remedy = "the table let it stand"
            self._wrong(found.rule, f"{who} says {words!r}: {found.sentence}", seat, remedy)
            self._force(code)

    def _turned_down(self, seat: int, words: str, code: int, found: Violation) -> None:
        """Rule: round-two.not-turned-suit -- the call counts as a pass, or is made again."""
        who = SEATS[seat].word
        what = f"{who} says {words!r}: {found.sentence}"
        self._bind(seat)
        if self._table.turned_down_named == "counts_as_pass":
            self._wrong(found.rule, what, seat, "counted as a pass")
            self._force(PASS)
        elif any(said.seat in {None, seat} for said in self._queue):
            self._wrong(found.rule, what, seat, "it calls again")
        else:
            self._wrong(found.rule, what, seat, "the table let it stand")
            self._force(code)

    def _force(self, code: int) -> None:
        hand = self.hand
        if hand.phase in _CALLING or code == PASS or hand.phase is Phase.ALONE:
            hand.advance(code)
        elif action_text(code) == "redeal":
            self.redealt = True
        elif hand.phase is Phase.PARTNERS_BEST or hand.phase is Phase.HOUSE:
            self._given = hand.phase is Phase.PARTNERS_BEST
            self.moved |= {hand.turn, hand.turn ^ 2}
            hand.advance(hand.legal()[0])

    def _remember(self, seat: int, code: int) -> None:
        if code in {ORDER, ORDER_ALONE}:
            suit = turned_suit(self.hand)
            self._stray = Stray(seat, suit, code == ORDER_ALONE)
        elif NAME <= code < ALONE:
            self._stray = Stray(seat, code & 7, code >= NAME_ALONE)


def _apart(spoken: Iterable[Said]) -> tuple[list[Said], int | None, int | None]:
    """What was said but for discards; the card the dealer put away, and the one a loner did."""
    queue: list[Said] = []
    buried: int | None = None
    loners: int | None = None
    given = False
    for said in spoken:
        given = given or said.words.startswith("give ")
        code = parse_action(said.words)
        if code is None or not said.words.startswith("discard "):
            queue.append(said)
        elif given:
            loners = code - DISCARD
        else:
            buried = code - DISCARD
    return queue, buried, loners
