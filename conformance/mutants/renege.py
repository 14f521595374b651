"""Engines that are wrong about reneges in a record."""

from collections.abc import Sequence
from typing import Final

from conformance.jsontypes import Json, Record
from conformance.mutants.making import Mutant, edited, function
from conformance.oracle.adjudicate import (
    Finding,
    Laid,
    _from_hands,
    _from_play,
    _is_heard,
    _named,
    _payer,
    _price,
)
from conformance.oracle.cards import side
from conformance.oracle.hand import Hand

Claims = Sequence[tuple[str, str, int]]


def play_proves_nothing(tricks: Sequence[Sequence[Laid]], trump: str) -> set[Finding]:
    """A renege that only the play shows is not found."""
    return set() if trump else _from_play(tricks, trump)


def hands_prove_nothing(tricks: Sequence[Sequence[Laid]], trump: str, hand: Hand) -> set[Finding]:
    """A renege that only the hands show is not found."""
    return set() if tricks else _from_hands(tricks, trump, hand)


def printed_suits_count(tricks: Sequence[Sequence[Laid]], trump: str, hand: Hand) -> set[Finding]:
    """Reneges are looked for by the suits printed on the cards."""
    return _from_hands(tricks, "N" if trump else trump, hand)


def nobody_claims(found: set[Finding], claims: Claims) -> str | None:
    """Every renege that is found is paid for, claimed or not."""
    named = [("", seat, trick) for trick, seat in _named(found)]
    return _payer(found, [*claims, *named])


def equal_reneges_are_paid(found: set[Finding], claims: Claims) -> str | None:
    """Where both sides reneged alike the first of them pays."""
    right = sorted({(trick, against) for _, against, trick in claims} & _named(found))
    return side(right[0][1]) if right else _payer(found, claims)


def the_claimant_pays(found: set[Finding], claims: Claims) -> str | None:
    """A right claim is paid by the side that claims."""
    payer = _payer(found, claims)
    return {"ns": "ew", "ew": "ns"}[payer] if payer else None


def false_claims_cost_nothing(found: set[Finding], claims: Claims) -> str | None:
    """A false claim is paid by nobody."""
    right = [one for one in claims if (one[2], one[1]) in _named(found)]
    return _payer(found, claims) if right else None


def a_false_claim_takes_from_a_right_one(found: set[Finding], claims: Claims) -> str | None:
    """A false claim counts against its side beside right ones."""
    guilty = [against if (trick, against) in _named(found) else by for by, against, trick in claims]
    counted = {which: sum(side(seat) == which for seat in guilty) for which in ("ns", "ew")}
    if counted["ns"] == counted["ew"]:
        return None
    return "ns" if counted["ns"] > counted["ew"] else "ew"


def partners_claim_too(by: str, against: str) -> bool:
    """A claim by the offender, or by the offender's partner, is heard as an adversary's is."""
    return by != "" or _is_heard(by, against)


def loners_make_no_difference(payer: str, makers: str | None, *, lone: bool) -> str:
    """A renege costs the same whoever is alone."""
    return _price(payer, makers, lone=lone and not payer)


def each_side_pays_the_others_price(payer: str, makers: str | None, *, lone: bool) -> str:
    """The prices of a lone side and of its opponents are mixed up."""
    found = _price(payer, makers, lone=lone)
    swapped = {
        "renege_by_lone_side": "renege_vs_lone_maker",
        "renege_vs_lone_maker": "renege_by_lone_side",
    }
    return swapped.get(found, found)


def counts_tricks_from_zero(found: dict[str, Json], _: Record) -> None:
    """Tricks of a finding are counted from nought."""
    findings = found.get("findings")
    if isinstance(findings, list):
        found["findings"] = [
            {**one, "trick": int(one["trick"]) - 1} for one in findings if isinstance(one, dict)
        ]


def names_no_card(found: dict[str, Json], _: Record) -> None:
    """A finding does not tell the card."""
    findings = found.get("findings")
    if isinstance(findings, list):
        found["findings"] = [{**one, "card": ""} for one in findings if isinstance(one, dict)]


def pays_the_other_side(found: dict[str, Json], _: Record) -> None:
    """The side that is paid is named as the one that pays."""
    penalty = found.get("penalty")
    if isinstance(penalty, dict):
        other = {"ns": "ew", "ew": "ns"}.get(str(penalty.get("side")), "none")
        found["penalty"] = {**penalty, "side": other}


MUTANTS: Final[tuple[Mutant, ...]] = (
    function(_from_play, play_proves_nothing),
    function(_from_hands, hands_prove_nothing),
    function(_from_hands, printed_suits_count),
    *(
        function(_payer, wrong)
        for wrong in (
            nobody_claims,
            equal_reneges_are_paid,
            the_claimant_pays,
            false_claims_cost_nothing,
            a_false_claim_takes_from_a_right_one,
        )
    ),
    function(_is_heard, partners_claim_too),
    function(_price, loners_make_no_difference),
    function(_price, each_side_pays_the_others_price),
    edited("adjudicate", counts_tricks_from_zero),
    edited("adjudicate", names_no_card),
    edited("adjudicate", pays_the_other_side),
)
