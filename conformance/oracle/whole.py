"""A deal within a game: the score, the end, and the tree of all ways to play on."""

from collections import Counter
from collections.abc import Mapping

from conformance.errors import PositionError
from conformance.oracle.hand import Hand


class Table:
    """A hand, and the score before it."""

    def __init__(
        self, rules: Mapping[str, str], score: Mapping[str, int], hand: Hand, *, number: int = 1
    ) -> None:
        self.rules = rules
        self.score = dict(score)
        self.hand = hand
        self.number = number

    def score_after(self) -> dict[str, int]:
        """The score, with the points of the deal if it is finished."""
        if self.hand.phase != "over":
            return dict(self.score)
        points = self.hand.points()
        return {which: self.score[which] + points[which] for which in ("ns", "ew")}

    def game_over(self) -> bool:
        """Whether no further deal is played."""
        if self.rules["deals"] != "none":
            last = self.number >= int(self.rules["deals"])
            return last and self.hand.phase == "over" and not self.hand.redealt
        return max(self.score_after().values()) >= int(self.rules["target"])

    def refusal(self, seat: str, text: str) -> str | None:
        """Why a seat may not do this; none if it may."""
        return "GAME_OVER" if self.game_over() else self.hand.refusal(seat, text)

    def finished(self) -> None:
        """Refuse a deal that is not played to its end."""
        if self.hand.phase != "over":
            raise PositionError(f"the deal is not finished: {self.hand.turn} is on turn")


def leaves(hand: Hand, depth: int) -> Counter[str]:
    """How many ways to play on end in each result, down to a depth."""
    if hand.phase == "over":
        points = hand.points()
        paid = [which for which in ("ns", "ew") if points[which]]
        which = paid[0] if paid else "none"
        return Counter([f"{hand.outcome()}/{which}/{points.get(which, 0)}"])
    if depth == 0:
        return Counter(["open/none/0"])
    spread: Counter[str] = Counter()
    for action in hand.legal():
        below = hand.copy()
        below.apply(action)
        spread.update(leaves(below, depth - 1))
    return spread
