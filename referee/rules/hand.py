"""The play of one deal as a small state machine."""

from typing import Final

from referee.errors import RefereeError
from referee.rules.alone import answer, begin_alone
from referee.rules.calling import begin_calling, begin_deal, bury, call
from referee.rules.cards import BIT, card_list
from referee.rules.deal import Deal
from referee.rules.exchange import give
from referee.rules.house import house_answer
from referee.rules.notation import DECLINE, DISCARD, GIVE, PASS, action_text, is_action
from referee.rules.notation import PLAY as PLAY_CODE
from referee.rules.play import lay
from referee.rules.reasons import Violation
from referee.rules.ruleset import RuleSet
from referee.rules.ruling import PHASE_CODES, REASONS, code_violation, legal_calls, ruling
from referee.rules.state import PLAY, HandState

_CARD_BIT: Final[dict[int | str, int]] = {PLAY_CODE + card: bit for card, bit in enumerate(BIT)}
"""For the code of a play, its card as a set."""


class IllegalActionError(RefereeError):
    """An action that was to be applied although it is refused."""

    def __init__(self, action: str, violation: Violation) -> None:
        super().__init__(f"{action!r} is refused: {violation.sentence} ({violation.rule})")
        self.action = action
        self.violation = violation


class Hand(HandState):
    """One deal under one rule set, from the first call to the last trick.

    `advance` trusts its caller; `apply` looks first. Treat what you are given as a value:
    `copy` before you try something out. `score` is the game's before the deal, NS first: a house
    rule may keep a side from going alone by it.
    """

    __slots__ = ()

    def __init__(self, rules: RuleSet, deal: Deal, score: tuple[int, int] = (0, 0)) -> None:
        super().__init__(rules, deal, score)
        begin_deal(self)

    def legal(self) -> list[int]:
        """The codes of every legal action of the seat on turn, in rising order."""
        if self.stage == PLAY:
            return card_list(self.options)
        return legal_calls(self)

    def advance(self, code: int) -> None:
        """Make a move that is known to be legal."""
        _MOVES[self.stage](self, code)

    def copy(self) -> "Hand":
        """An independent hand in the same state."""
        twin = Hand.__new__(Hand)
        twin.rules = self.rules
        twin.deal = self.deal
        twin.score = self.score
        twin.dealer = self.dealer
        twin.stage = self.stage
        twin.turn = self.turn
        twin.turned = self.turned
        twin.trump = self.trump
        twin.maker = self.maker
        twin.alone = self.alone
        twin.out = self.out
        twin.asked = self.asked
        twin.hands = self.hands.copy()
        twin.discard = self.discard
        twin.gone = self.gone
        twin.gave = self.gave
        twin.swapper = self.swapper
        twin.fold_asked = self.fold_asked
        twin.redealt = self.redealt
        twin.plays = self.plays.copy()
        twin.winners = self.winners.copy()
        twin.size = self.size
        twin.to_come = self.to_come
        twin.first = self.first
        twin.next = self.next
        twin.options = self.options
        twin.follow = self.follow
        twin.row = self.row
        twin.best = self.best
        twin.best_seat = self.best_seat
        return twin


def _house_move(hand: HandState, code: int) -> None:
    if house_answer(hand, code):
        (begin_calling if hand.trump < 0 else begin_alone)(hand)


def _bury_move(hand: HandState, code: int) -> None:
    bury(hand, code - DISCARD)


def _give_move(hand: HandState, code: int) -> None:
    give(hand, code - GIVE)


_MOVES: Final = (_house_move, call, _bury_move, call, call, _give_move, answer, lay)
"""What makes the move of each phase; when a deal is over there is none."""


def legal_actions(hand: Hand) -> list[int]:
    """The codes of every legal action of the seat on turn, in rising order."""
    return hand.legal()


def violation(hand: Hand, seat: int, action: int | str) -> Violation | None:
    """What is wrong with an action of a seat, or nothing where it is legal."""
    if seat == hand.turn:
        if hand.options & _CARD_BIT.get(action, 0):
            return None
        if action in PHASE_CODES[hand.stage] and REASONS[hand.stage](hand, action) is None:
            return None
    if isinstance(action, str):
        found = ruling(hand, seat, action)
        return found if isinstance(found, Violation) else None
    return code_violation(hand, seat, action)


def apply(hand: Hand, action: int) -> None:
    """Make a move of the seat on turn, or refuse it and change nothing."""
    if hand.options & _CARD_BIT.get(action, 0):  # most of a deal: a card that may be played
        lay(hand, action)
        return
    found = violation(hand, hand.turn, action)
    if found is not None:
        raise IllegalActionError(action_text(action) if is_action(action) else str(action), found)
    _MOVES[hand.stage](hand, action)


def fallback_action(hand: Hand) -> int:
    """What is played for a seat that does not answer in time.

    `pass` where it is legal, else `decline`, else the first legal action by its words.
    """
    legal = hand.legal()
    for code in (PASS, DECLINE):
        if code in legal:
            return code
    return min(legal, key=action_text)
