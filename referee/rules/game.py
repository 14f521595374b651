"""A game: deals until a side reaches the target, or for a fixed number (chapter game)."""

from dataclasses import dataclass, replace
from typing import Final

from referee.errors import RefereeError
from referee.rules.hand import Hand
from referee.rules.hand import violation as hand_violation
from referee.rules.knobs import ThrowInDealer
from referee.rules.reasons import Reason, Violation
from referee.rules.ruleset import RuleSet
from referee.rules.ruling import ruling as hand_ruling
from referee.rules.scoring import Outcome, Result
from referee.rules.seats import SIDES, Seat, Side

_KEEP_THE_DEALER: Final = frozenset({Result.REDEAL, Result.VOID})
_NOT_COUNTED: Final = frozenset({Result.REDEAL, Result.VOID})
_OVER: Final = Violation(Reason.GAME_OVER, "the game is over")


class GameOverError(RefereeError):
    """A deal after the end of the game."""


def next_dealer(rules: RuleSet, dealer: Seat, outcome: Outcome) -> Seat:
    """Who deals next: the left neighbor, once, after a deal that was thrown in too.

    Rule: dealer.rotation
    """
    if outcome.outcome in _KEEP_THE_DEALER:
        return dealer
    if outcome.outcome is Result.THROWN_IN and rules.throw_in_dealer is ThrowInDealer.SAME:
        return dealer
    return dealer.left


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """The state of a game between two deals; the score is by side, NS first."""

    rules: RuleSet
    dealer: Seat
    score: tuple[int, int] = (0, 0)
    deals: int = 0

    @property
    def is_over(self) -> bool:
        """Whether no further deal is played.

        Rule: game.reach-or-exceed
        Rule: game.ends-at-hand-end
        """
        if self.rules.deals is not None:
            return self.deals >= self.rules.deals
        return max(self.score) >= self.rules.target

    @property
    def winner(self) -> Side | None:
        """The side that won; nobody before the end, or after equal scores."""
        if not self.is_over or self.score[0] == self.score[1]:
            return None
        return SIDES[0] if self.score[0] > self.score[1] else SIDES[1]

    def after(self, outcome: Outcome) -> "Game":
        """The game after one more deal."""
        if self.is_over:
            raise GameOverError(
                f"the game is over at {self.score[0]}-{self.score[1]} (start a new game)"
            )
        ns, ew = outcome.points
        return replace(
            self,
            dealer=next_dealer(self.rules, self.dealer, outcome),
            score=(self.score[0] + ns, self.score[1] + ew),
            deals=self.deals + (outcome.outcome not in _NOT_COUNTED),
        )

    def next_game(self) -> "Game":
        """A new game at the same table: the deal goes on passing left."""
        return Game(rules=self.rules, dealer=self.dealer)

    def ruling(self, hand: Hand, seat: int, text: str) -> Violation | int:
        """The ruling on the words of a seat, GAME_OVER before everything else."""
        return _OVER if self.is_over else hand_ruling(hand, seat, text)

    def violation(self, hand: Hand, seat: int, action: int | str) -> Violation | None:
        """What is wrong with an action of a seat, GAME_OVER before everything else."""
        return _OVER if self.is_over else hand_violation(hand, seat, action)
