"""Engines that are wrong about points, the next dealer and the end of the game."""

from typing import Final

from conformance.mutants.making import Mutant, engine, function
from conformance.oracle import Hand
from conformance.oracle.cards import SEATS, left, other, side
from conformance.oracle.whole import Table

TRICKS = 5


class ThrowInKeepsTheDealer(Hand):
    """The same seat deals again after a deal that was thrown in."""

    def next_dealer(self) -> str:
        return self.dealer if self.trump is None else super().next_dealer()


class ThrowInSkipsADealer(Hand):
    """The deal passes twice after a deal that was thrown in."""

    def next_dealer(self) -> str:
        return left(super().next_dealer()) if self.trump is None else super().next_dealer()


class DealNeverReachesNorth(Hand):
    """The deal passes from west to east."""

    def next_dealer(self) -> str:
        after = super().next_dealer()
        return "east" if after == "north" else after


class WinnersDealNext(Hand):
    """The seat that took the last trick deals next."""

    def next_dealer(self) -> str:
        return self.winners[-1] if self.winners else super().next_dealer()


class DealPassesRight(Hand):
    """The deal passes to the right."""

    def next_dealer(self) -> str:
        after = super().next_dealer()
        return after if after == self.dealer else left(left(after))


class MarchPaysOne(Hand):
    """All five tricks pay no more than three."""

    def _made(self, taken: int, *, lone: bool) -> int:
        return super()._made(taken, lone=lone) if lone else 1


class MarchIsFourTricks(Hand):
    """Four tricks are a march."""

    def _made(self, taken: int, *, lone: bool) -> int:
        return super()._made(
            min(taken + 1, TRICKS) if taken > TRICKS // 2 + 1 else taken, lone=lone
        )


class LoneMarchPaysTwo(Hand):
    """A lone march pays no more than a march."""

    def _made(self, taken: int, *, lone: bool) -> int:
        return min(2, super()._made(taken, lone=lone))


class LoneMadePaysTwo(Hand):
    """A lone player who makes it gets a point more."""

    def _made(self, taken: int, *, lone: bool) -> int:
        return super()._made(taken, lone=lone) + (lone and taken < TRICKS)


class EuchrePaysOne(Hand):
    """A euchre pays a point less."""

    def _euchred(self, taken: int, *, lone: bool) -> int:
        return super()._euchred(taken, lone=lone) - 1


class LoneEuchrePaysFour(Hand):
    """A lone maker who is euchred pays double."""

    def _euchred(self, taken: int, *, lone: bool) -> int:
        return super()._euchred(taken, lone=lone) * (2 if lone else 1)


class LoneDefenderPaysTwo(Hand):
    """A lone defender's euchre pays as any other."""

    def _euchred(self, taken: int, *, lone: bool) -> int:
        return super()._euchred(taken, lone=lone and len(self.alone) < len(SEATS) // 2)


class LoneDefenderPaysInAnyCase(Hand):
    """A lone defender pays the makers as a lone maker would."""

    def _made(self, taken: int, *, lone: bool) -> int:
        return super()._made(taken, lone=lone or bool(self.alone))


class PricesAdd(Hand):
    """Where two prices apply they are added."""

    def _euchred(self, taken: int, *, lone: bool) -> int:
        return super()._euchred(taken, lone=lone) + (2 if lone or taken == TRICKS else 0)


class EuchrePaysTheMakers(Hand):
    """The makers are paid for being euchred."""

    def points(self) -> dict[str, int]:
        points = super().points()
        makers = self.making_side()
        if makers is None or not points[other(makers)]:
            return points
        return {makers: points[other(makers)], other(makers): 0}


class EuchreTakesFromTheMakers(Hand):
    """The makers lose a point where they are euchred."""

    def points(self) -> dict[str, int]:
        points = super().points()
        makers = self.making_side()
        if makers is not None and points[other(makers)]:
            points[makers] = -1
        return points


class ThreeTricksAreNotEnough(Hand):
    """The makers need four tricks."""

    def points(self) -> dict[str, int]:
        points = super().points()
        makers = self.making_side()
        if makers is None or self.tricks()[makers] != TRICKS // 2 + 1:
            return points
        return {makers: 0, other(makers): int(self.rules["points_euchre"])}


class MakersTricksAloneCount(Hand):
    """Only the tricks that the maker took count for the side."""

    def tricks(self) -> dict[str, int]:
        count = super().tricks()
        if self.maker is None or self.phase != "over":
            return count
        which = side(self.maker)
        own = self.winners.count(self.maker)
        return {name: own if name == which else TRICKS - own for name in count}


class FifthTrickIsForgotten(Hand):
    """The points are counted before the fifth trick is added."""

    def points(self) -> dict[str, int]:
        last = self.winners.pop() if self.winners else ""
        points = super().points()
        if last:
            self.winners.append(last)
        return points


class PointsGoByTheDealer(Hand):
    """Sides are counted from the dealer, not from north."""

    def points(self) -> dict[str, int]:
        points = super().points()
        if side(self.dealer) == "ns":
            return points
        return {"ns": points["ew"], "ew": points["ns"]}


class MakerIsForgotten(Hand):
    """The dealer's side is taken for the makers."""

    def making_side(self) -> str | None:
        return side(self.dealer) if self.maker else None


class StuckMakerIsForgotten(Hand):
    """A dealer who was stuck is not kept as the maker."""

    def points(self) -> dict[str, int]:
        stuck = self.maker == self.dealer and self.upcard_state == "turned_down"
        return {"ns": 0, "ew": 0} if stuck else super().points()


class ThrowInPaysTheDefenders(Hand):
    """A deal that was thrown in pays the side that did not deal."""

    def points(self) -> dict[str, int]:
        points = super().points()
        if self.trump is None:
            points[other(side(self.dealer))] = 1
        return points


class ThrowInCountsAsPlayed(Hand):
    """A deal that was thrown in is called played."""

    def outcome(self) -> str:
        return "played"


class TargetMustBeExceeded(Table):
    """A side must have more points than the target."""

    def game_over(self) -> bool:
        over = max(self.score_after().values()) > int(self.rules["target"])
        return over if self.rules["deals"] == "none" else super().game_over()


class TargetOffByOne(Table):
    """The game ends a point before the target."""

    def game_over(self) -> bool:
        over = max(self.score_after().values()) >= int(self.rules["target"]) - 1
        return over if self.rules["deals"] == "none" else super().game_over()


class TargetMustBeHitExactly(Table):
    """The game goes on where a side jumps over the target."""

    def game_over(self) -> bool:
        over = int(self.rules["target"]) in self.score_after().values()
        return over if self.rules["deals"] == "none" else super().game_over()


class TargetIsAHundred(Table):
    """The game goes on to a hundred points."""

    def game_over(self) -> bool:
        over = max(self.score_after().values()) >= TRICKS * 20
        return over if self.rules["deals"] == "none" else super().game_over()


class ScoreBeforeTheDealEndsTheGame(Table):
    """The game is over only when the next deal begins."""

    def game_over(self) -> bool:
        over = max(self.score.values()) >= int(self.rules["target"])
        return over if self.rules["deals"] == "none" else super().game_over()


class UnfinishedDealsCount(Table):
    """A deal that is not played to its end is scored as it stands."""

    def finished(self) -> None:
        return


class PointsGoToBothSides(Table):
    """The score of the other side grows too."""

    def score_after(self) -> dict[str, int]:
        after = super().score_after()
        paid = max(after[which] - self.score[which] for which in after)
        return {which: self.score[which] + paid for which in after}


class PointsReplaceTheScore(Table):
    """The points of the deal stand in place of the score."""

    def score_after(self) -> dict[str, int]:
        finished = self.hand.phase == "over"
        return dict(self.hand.points()) if finished else super().score_after()


class ActionsAfterTheGameAreTaken(Table):
    """An action after the end of the game is looked at as any other."""

    def refusal(self, seat: str, text: str) -> str | None:
        return self.hand.refusal(seat, text)


MUTANTS: Final[tuple[Mutant, ...]] = (
    *(
        engine(wrong)
        for wrong in (
            ThrowInKeepsTheDealer,
            ThrowInSkipsADealer,
            DealNeverReachesNorth,
            WinnersDealNext,
            DealPassesRight,
            MarchPaysOne,
            MarchIsFourTricks,
            LoneMarchPaysTwo,
            LoneMadePaysTwo,
            EuchrePaysOne,
            LoneEuchrePaysFour,
            LoneDefenderPaysTwo,
            LoneDefenderPaysInAnyCase,
            PricesAdd,
            EuchrePaysTheMakers,
            EuchreTakesFromTheMakers,
            ThreeTricksAreNotEnough,
            MakersTricksAloneCount,
            FifthTrickIsForgotten,
            PointsGoByTheDealer,
            MakerIsForgotten,
            StuckMakerIsForgotten,
            ThrowInPaysTheDefenders,
            ThrowInCountsAsPlayed,
        )
    ),
    *(
        function(Table, wrong)
        for wrong in (
            TargetMustBeExceeded,
            TargetOffByOne,
            TargetMustBeHitExactly,
            TargetIsAHundred,
            ScoreBeforeTheDealEndsTheGame,
            UnfinishedDealsCount,
            PointsGoToBothSides,
            PointsReplaceTheScore,
            ActionsAfterTheGameAreTaken,
        )
    ),
)
