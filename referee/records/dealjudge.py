"""The judgement of one deal: its calls, its play, its irregularities, its points."""

from dataclasses import dataclass, replace
from typing import Final

from referee.records.calls import Calling
from referee.records.known import Known
from referee.records.law import Effects, Table, apply_law
from referee.records.laydown import laid_down
from referee.records.model import Problem, RecordedDeal
from referee.records.proof import proved
from referee.records.reneges import judged_claims, proved_reneges
from referee.records.report import Irregularity, JudgedDeal, trump_letter
from referee.records.tablerules import TableRules
from referee.records.unheld import unheld
from referee.records.walk import Walk
from referee.rules import (
    SEATS,
    Finding,
    Holding,
    Makers,
    Outcome,
    Penalty,
    Result,
    RuleSet,
    Seat,
    Side,
    hand_of,
    points_won,
)
from referee.rules.knobs import TrumpMaking
from referee.rules.play import TRICKS

_UNFINISHED: Final = "unfinished"


@dataclass(frozen=True, slots=True)
class _Scored:
    """How a deal ended, in the word of the protocol and in that of the table."""

    outcome: str
    word: str
    tricks: tuple[int, int]
    points: tuple[int, int]


class DealJudge:
    """One recorded deal before its judge."""

    def __init__(
        self,
        rules: RuleSet,
        table: TableRules,
        deal: RecordedDeal,
        *,
        house_said: bool = True,
        ordered: bool = True,
        score: tuple[int, int] = (0, 0),
        expected: Seat | None = None,
        misdeals: int = 0,
    ) -> None:
        self._rules = rules
        self._table = table
        self._deal = deal
        self._house_said = house_said
        self._ordered = ordered
        self._score = score
        self._expected = expected
        self._misdeals = misdeals
        self._known = Known(rules, deal)
        self._irregularities: list[Irregularity] = []
        self._problems: list[Problem] = list(deal.problems)
        self._penalties: list[Penalty] = []

    def judge(self) -> JudgedDeal:
        """The judgement; the score and the next dealer are those the caller works out."""
        calling, walk, told = self._followed()
        deal, known = self._deal, self._known
        self._problems += [*known.problems, *calling.problems, *walk.problems]
        self._irregularities += [*self._dealing(), *calling.irregularities, *walk.irregularities]
        holdings = self._holdings(calling, walk)
        effects = self._law(calling, walk.laid()[0], holdings)
        reneges = proved_reneges(self._rules, calling.hand.trump, walk, holdings)
        self._irregularities += reneges.irregularities
        self._irregularities += unheld(known, calling, walk, holdings)
        scored = self._scored(calling, walk, effects, [*reneges.findings, *effects.late])
        self._penalties += [item.penalty for item in self._irregularities if item.penalty.points]
        ordered = sorted(self._irregularities, key=lambda item: item.place)
        hand = calling.hand
        return JudgedDeal(
            number=deal.number,
            dealer=deal.dealer if deal.has_dealer else None,
            upcard=deal.upcard,
            trump=trump_letter(hand.trump),
            maker=hand.maker_seat,
            alone=hand.alone_seats,
            calls=tuple(calling.told),
            discard=known.discard(calling.buried, walk.played(), took=calling.took),
            tricks=tuple(trick.judged() for trick in walk.tricks),
            irregularities=tuple(ordered),
            open=(*told, *calling.open, *walk.open, *reneges.open),
            problems=tuple(self._problems),
            outcome=scored.outcome,
            word=scored.word,
            tricks_won=scored.tricks,
            points=scored.points,
            penalties=tuple(self._paid()),
            score=self._score,
            next_dealer=effects.next_dealer,
        )

    def _followed(self) -> tuple[Calling, Walk, list[str]]:
        """The calls and the play under all that they teach, and what they prove of the deal."""
        first = self._call(full=False)
        walk = self._walk(first)
        deal, told = proved(self._rules, self._known, first, walk)
        if told:
            self._deal, self._known = deal, Known(self._rules, deal)
            first = self._call(full=False)
            walk = self._walk(first)
        self._known.learn(walk.played(), first.buried, may_take=first.may_take)
        calling = self._call(full=True)
        return calling, self._walk(calling), told

    def _walk(self, calling: Calling) -> Walk:
        return Walk(
            calling.hand,
            self._deal.tricks,
            self._known.owners(calling.moved, may_take=calling.may_take),
            ordered=self._ordered,
            called=calling.has_called,
            first=self._deal.first_lead,
        )

    def _call(self, *, full: bool) -> Calling:
        known = self._known
        return Calling(
            self._rules,
            self._table,
            self._deal,
            known.completed(),
            tuple(full and known.is_full(seat) for seat in SEATS),
            house_said=self._house_said,
            score=self._score,
        ).play()

    def _dealing(self) -> list[Irregularity]:
        """What is wrong before a word is said: a stolen deal, a wrong number of cards."""
        found: list[Irregularity] = []
        deal, expected = self._deal, self._expected
        told = {happening.kind for happening in deal.happenings}
        if expected not in {None, deal.dealer} and "deal_out_of_turn" not in told:
            assert expected is not None  # noqa: S101 -- the test above says so
            what = f"{deal.dealer.word} deals, and it is {expected.word}'s deal"
            found.append(
                Irregularity(
                    rule="deal.out-of-turn", what=what, seat=deal.dealer, remedy="the deal stands"
                )
            )
        if "wrong_count" not in told:
            for seat, count in self._known.counts():
                cards = "card" if count == 1 else "cards"
                what = f"{SEATS[seat].word} was dealt {count} {cards}"
                found.append(Irregularity(rule="misdeal.wrong-count", what=what, seat=SEATS[seat]))
        return found

    def _holdings(self, calling: Calling, walk: Walk) -> tuple[Holding, ...]:
        if self._known_whole() and not calling.unknown_moves:
            dealer = self._deal.dealer
            spare = int(calling.may_take and calling.buried is None)
            hands = list(calling.hand.hands)
            if spare:
                hands[dealer] = hand_of(self._known.dealt[dealer]) | 1 << calling.hand.upcard
            holdings = [Holding(cards) for cards in hands]
            holdings[dealer] = Holding(hands[dealer], spare)
            return tuple(holdings)
        moved = frozenset(calling.moved)
        return self._known.holdings(
            walk.played(), calling.buried, took=calling.may_take, moved=moved
        )

    def _known_whole(self) -> bool:
        return self._deal.upcard is not None and all(self._known.is_full(seat) for seat in SEATS)

    def _law(
        self,
        calling: Calling,
        tricks: list[tuple[tuple[int, int], ...]],
        holdings: tuple[Holding, ...],
    ) -> Effects:
        table = Table(
            self._table,
            calling.hand,
            self._deal.dealer,
            self._expected,
            self._misdeals,
            tricks,
            holdings,
        )
        effects = apply_law(table, self._deal.happenings)
        self._irregularities += effects.irregularities
        self._problems += effects.problems
        return effects

    def _scored(
        self, calling: Calling, walk: Walk, effects: Effects, findings: list[Finding]
    ) -> _Scored:
        won = walk.won
        if effects.redeal or calling.redealt:
            return _Scored(Result.REDEAL, "redeal", (0, 0), (0, 0))
        if calling.hand.trump < 0:
            return self._without_trump(calling)
        makers = Makers(calling.hand.maker, calling.hand.alone)
        claims = self._deal.claims
        ended, told = judged_claims(self._rules, self._table, claims, makers, findings)
        self._irregularities += told
        if ended and self._table.renege_hand == "ends":
            return _Scored(Result.RENEGE, "renege", won, (0, 0))
        tricks, finished = self._with_laydowns(calling, walk)
        turned = self._rules.trump_making is TrumpMaking.TURNED_SUIT
        if finished and makers.maker < 0 and not turned:
            return _Scored(
                _UNFINISHED, "not scored, since nobody knows who made trump", won, (0, 0)
            )
        if not finished:
            return _Scored(_UNFINISHED, "unfinished, so not scored", won, (0, 0))
        points = points_won(self._rules, makers.maker, makers.alone, tricks)
        barred = set(effects.barred)
        if ended:
            barred |= {finding.seat.side for finding in ended}
        points = (
            0 if Side.NS in barred else points[0],
            0 if Side.EW in barred else points[1],
        )
        outcome = Outcome(
            outcome=Result.PLAYED,
            maker=calling.hand.maker_seat,
            alone=calling.hand.alone_seats,
            tricks=tricks,
            points=points,
        )
        self._hold_against(points)
        return _Scored(Result.PLAYED, outcome.word, tricks, points)

    def _hold_against(self, points: tuple[int, int]) -> None:
        said = self._deal.points
        if said not in {None, points} and said is not None:
            message = f"the deal pays {points[0]}-{points[1]}, and {said[0]}-{said[1]} is stated"
            self._problems.append(Problem(f"deal {self._deal.number}", message))

    def _without_trump(self, calling: Calling) -> _Scored:
        if calling.hand.seat_on_turn is None:
            return _Scored(Result.THROWN_IN, "thrown in", (0, 0), (0, 0))
        return _Scored(_UNFINISHED, "unfinished, so not scored", (0, 0), (0, 0))

    def _with_laydowns(self, calling: Calling, walk: Walk) -> tuple[tuple[int, int], bool]:
        """The tricks of each side with those that were laid down, and whether they are five."""
        sure = self._known_whole() and not calling.unknown_moves
        for happening in self._deal.happenings:
            if happening.kind == "laydown" and 0 < (happening.trick or 0) <= TRICKS:
                hand = calling.hand if sure else None
                told, tricks = laid_down(self._table, happening, walk, hand)
                self._irregularities += told
                if tricks is not None:
                    return tricks, True
        return walk.won, walk.finished

    def _paid(self) -> list[Penalty]:
        """The penalties as the table pays them: to the other side, or off the offender's score."""
        if self._table.penalty_form == "opponents_score":
            return self._penalties
        return [replace(item, points=-item.points) for item in self._penalties]
