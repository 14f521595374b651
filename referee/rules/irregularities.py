"""The renege, where a card stands once it is laid (rule book, chapter 11).

A finding is proved by what is known: the cards of a hand that were dealt face up to the record, and
those the seat played later. What cannot be proved either way is said to be open.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from referee.rules.cards import Card, Cards, Suit, hand_of
from referee.rules.knobs import AloneWho, DefendAlone
from referee.rules.play import TRICKS
from referee.rules.ranking import FOLLOW
from referee.rules.ruleset import RuleSet
from referee.rules.seats import NOBODY, SEATS, SIDE_MASK, SIDES, Seat, Side

RENEGE: Final = "renege.definition"
Laid = tuple[tuple[int, Card], ...]
"""The cards of one trick in the order they fell, each with its seat."""


class Holding(NamedTuple):
    """What is known of a seat's hand as the play begins.

    `spare` is how many of the known cards were buried, nobody knows which.
    `elsewhere` are cards that the seat cannot hold.
    """

    cards: Cards = 0
    spare: int = 0
    elsewhere: Cards = 0


class Verdict(StrEnum):
    """What is known of a seat that did not follow suit."""

    RENEGED = "reneged"
    VOID = "void"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Finding:
    """A renege: the trick, counted from 1, the seat, and the card that did not follow."""

    trick: int
    seat: Seat
    card: Card
    rule: str = RENEGE


@dataclass(frozen=True, slots=True)
class Claim:
    """A renege that a seat claims against another."""

    by: Seat
    against: Seat
    trick: int

    @property
    def is_adverse(self) -> bool:
        """Whether an adversary claims; a side cannot claim against itself.

        Rule: renege.claim-window
        """
        return self.by & 1 != self.against & 1


@dataclass(frozen=True, slots=True)
class Penalty:
    """What the claims cost, and which side pays; nobody, and 0, where nothing is due."""

    side: Side | None = None
    points: int = 0


NO_PENALTY: Final = Penalty()


@dataclass(frozen=True, slots=True)
class Makers:
    """Who made trump and who played alone: a seat or -1, and a bit mask."""

    maker: int = NOBODY
    alone: int = 0


class Hands:
    """The hands of one deal as far as they are known, beside the cards that were played.

    `unled` are the tricks, from 0, whose lead is not known: nothing is judged there. `unknown` are
    the tricks and seats of plays whose card is not known: any card of the hand may have gone there.
    """

    def __init__(
        self,
        pack: Cards,
        trump: Suit,
        tricks: Sequence[Laid],
        holdings: Sequence[Holding] = (),
        *,
        unled: Collection[int] = (),
        unknown: Collection[tuple[int, int]] = (),
    ) -> None:
        self._pack = pack
        self._unled = unled
        self._unknown = unknown
        self._trump = trump
        self._tricks = tricks
        self._known = tuple(holdings) or (Holding(),) * 4
        self._played = [0, 0, 0, 0]
        for trick in tricks:
            for seat, card in trick:
                self._played[seat] |= 1 << card

    def verdict(self, number: int, seat: int) -> Verdict:
        """Whether a seat that did not follow to a trick could have followed.

        Rule: renege.definition -- proved by a card of the led suit shown later, or known to be held
        """
        lead = self._tricks[number][0][1]
        follow = FOLLOW[self._trump][lead]
        later = hand_of(c for t in self._tricks[number + 1 :] for s, c in t if s == seat)
        known, spare, elsewhere = self._known[seat]
        spare += sum(1 for at, who in self._unknown if who == seat and at < number)
        unplayed = known & ~self._played[seat]
        if later & follow or (unplayed & follow).bit_count() > spare:
            return Verdict.RENEGED
        others = TRICKS - 1 - number
        hidden = others - later.bit_count() - max(unplayed.bit_count() - spare, 0)
        if hidden <= 0:
            could = unplayed & follow if unplayed.bit_count() > spare else 0
            return Verdict.OPEN if could else Verdict.VOID
        everybody = self._played[0] | self._played[1] | self._played[2] | self._played[3]
        pool = self._pack & ~(everybody | elsewhere | known)
        if not spare and (pool & ~follow).bit_count() < hidden:
            return Verdict.RENEGED
        return Verdict.OPEN if (pool | unplayed) & follow else Verdict.VOID

    def judged(self) -> Iterable[tuple[int, int, Card, Verdict]]:
        """Every card that did not follow: trick from 0, seat, card and what is known of it."""
        for number, trick in enumerate(self._tricks):
            if not trick or number in self._unled:
                continue
            follow = FOLLOW[self._trump][trick[0][1]]
            for seat, card in trick[1:]:
                if not follow >> card & 1:
                    yield number, seat, card, self.verdict(number, seat)


def reneges(
    pack: Cards, trump: Suit, tricks: Sequence[Laid], holdings: Sequence[Holding] = ()
) -> tuple[Finding, ...]:
    """Every renege that is proved, from known hands and from the play alone.

    Rule: renege.definition
    """
    return tuple(
        Finding(number + 1, SEATS[seat], card)
        for number, seat, card, verdict in Hands(pack, trump, tricks, holdings).judged()
        if verdict is Verdict.RENEGED
    )


def makers_from_play(rules: RuleSet, tricks: Sequence[Laid]) -> Makers:
    """Who was alone, from the seats that never played; a lone side made trump where it must have.

    Rule: alone.partner-out
    """
    quitted = tricks if len(tricks) >= TRICKS else tricks[:-1]
    playing = {seat for trick in tricks for seat, _ in trick}
    alone = sum(1 << s for s in SEATS if quitted and s in playing and s ^ 2 not in playing)
    lone_defender = rules.alone_who is AloneWho.ANY_PLAYER or rules.defend_alone is DefendAlone.ANY
    if alone.bit_count() != 1 or lone_defender:
        return Makers(NOBODY, alone)
    return Makers(alone.bit_length() - 1, alone)


def renege_price(rules: RuleSet, makers: Makers, offender: int) -> int:
    """What a claimed renege of a side costs it, by who was alone.

    Rule: renege.penalty -- a lone defender changes nothing.
    """
    if makers.maker == NOBODY or not makers.alone & SIDE_MASK[makers.maker & 1]:
        return rules.renege_points
    if offender == makers.maker & 1:
        return rules.renege_by_lone_side
    return rules.renege_vs_lone_maker


def claimed(findings: Iterable[Finding], claims: Iterable[Claim]) -> tuple[Finding, ...]:
    """The reneges that an adversary claimed, each once."""
    named = {(claim.against, claim.trick) for claim in claims if claim.is_adverse}
    return tuple(finding for finding in findings if (finding.seat, finding.trick) in named)


def penalty_of(
    rules: RuleSet, findings: Sequence[Finding], claims: Sequence[Claim], makers: Makers
) -> Penalty:
    """What the claims of a deal cost.

    Rule: renege.both-sides -- equal reneges cancel, else the side with more pays once.
    Rule: renege.penalty -- a false claim costs only where no claim was right.
    Rule: renege.claim-window -- a claim by the offender's own side costs nobody anything.
    """
    right = claimed(findings, claims)
    if right:
        side = _more(finding.seat & 1 for finding in right)
        points = 0 if side is None else renege_price(rules, makers, side)
    else:
        side = _more(claim.by & 1 for claim in set(claims) if claim.is_adverse)
        points = 0 if side is None else rules.renege_false_claim
    return Penalty(SIDES[side], points) if side is not None and points else NO_PENALTY


def _more(sides: Iterable[int]) -> int | None:
    """The side that stands in a list more often than the other."""
    listed = list(sides)
    east_west = sum(listed)
    if 2 * east_west == len(listed):
        return None
    return int(2 * east_west > len(listed))
