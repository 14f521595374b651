"""The reneges of a recorded deal: which are proved, which were claimed, and what they cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.records.model import TimedClaim
from referee.records.report import Irregularity
from referee.records.tablerules import TableRules
from referee.records.walk import Walk
from referee.rules import (
    SEATS,
    SIDES,
    Claim,
    Finding,
    Hands,
    Holding,
    Makers,
    Penalty,
    RuleSet,
    Suit,
    card_text,
    claimed,
    hand_of,
    pack_cards,
    penalty_of,
    renege_price,
)
from referee.rules.irregularities import Verdict


@dataclass(frozen=True, slots=True)
class Reneges:
    """The reneges that are proved, as findings and in words, and the questions left open."""

    findings: tuple[Finding, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()
    open: tuple[str, ...] = ()


def proved_reneges(
    rules: RuleSet, trump: Suit, walk: Walk, holdings: tuple[Holding, ...]
) -> Reneges:
    """What the play of a deal proves of those who did not follow; `trump` is -1 if not known.

    Rule: renege.definition
    """
    tricks, unled = walk.laid()
    if trump < 0:
        told = "trump is not known, so who reneged cannot be said"
        return Reneges(open=(told,) if tricks else ())
    findings: list[Finding] = []
    irregularities: list[Irregularity] = []
    questions: list[str] = []
    pack = hand_of(pack_cards(rules.pack))
    hands = Hands(pack, trump, tricks, holdings, unled=unled, unknown=walk.unknown())
    for number, seat, card, verdict in hands.judged():
        told = f"{SEATS[seat].word} plays {card_text(card)} to {card_text(tricks[number][0][1])}"
        if verdict is Verdict.RENEGED:
            findings.append(Finding(number + 1, SEATS[seat], card))
            irregularities.append(
                Irregularity(
                    rule="renege.definition",
                    what=f"{told} and could have followed: a renege",
                    trick=number + 1,
                    seat=SEATS[seat],
                    card=card,
                )
            )
        elif verdict is Verdict.OPEN:
            questions.append(
                f"trick {number + 1}: {told}; whether it could have followed is not known"
            )
    return Reneges(tuple(findings), tuple(irregularities), tuple(questions))


def judged_claims(
    rules: RuleSet,
    table: TableRules,
    claims: Sequence[TimedClaim],
    makers: Makers,
    findings: Sequence[Finding],
) -> tuple[tuple[Finding, ...], list[Irregularity]]:
    """The reneges that were claimed in time, and what is said of the claims with what they cost.

    Rule: renege.claim-window
    """
    last = {"deal"} if table.renege_claim == "deal_closed" else {"deal", "closed"}
    timely = [Claim(c.by, c.against, c.trick) for c in claims if c.at in last]
    right = claimed(findings, timely)
    told = [
        failed
        for claim in claims
        if (failed := _failed(claim, findings, in_time=claim.at in last)) is not None
    ]
    if right and table.renege_both_sides == "each_pays":
        for side in sorted({finding.seat.side for finding in right}):
            price = renege_price(rules, makers, SIDES.index(side))
            told.append(_charge("renege.penalty", "the renege is claimed", Penalty(side, price)))
        return right, told
    penalty = penalty_of(rules, findings, timely, makers)
    if penalty.side is not None:
        why = "the renege is claimed" if right else "a claim was false"
        told.append(_charge("renege.penalty", why, penalty))
    elif len({finding.seat.side for finding in right}) > 1:
        why = "equal reneges of both sides cancel"
        told.append(_charge("renege.both-sides", why, penalty))
    return right, told


def _charge(rule: str, what: str, penalty: Penalty) -> Irregularity:
    return Irregularity(rule=rule, what=what, penalty=penalty)


def _failed(
    claim: TimedClaim, findings: Sequence[Finding], *, in_time: bool
) -> Irregularity | None:
    """Why a claim failed; None where it did not."""
    told = f"{claim.by.word} claims a renege of {claim.against.word} in trick {claim.trick}"
    proved = any((f.seat, f.trick) == (claim.against, claim.trick) for f in findings)
    adverse = claim.by.side is not claim.against.side
    if proved and in_time and adverse:
        return None
    rule, why = "renege.claim-window", "too late"
    if not adverse:
        why = "only an adversary may claim, so it counts for nothing"
    elif not proved:
        rule, why = "renege.definition", "none is proved there"
    return Irregularity(rule=rule, what=f"{told}: {why}", trick=claim.trick, seat=claim.by)
