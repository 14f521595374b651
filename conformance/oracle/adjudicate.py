"""Reneges in a record, and what claiming them costs (chapter renege)."""

from collections.abc import Mapping, Sequence

from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, int_of, list_of, map_of, text_of, texts_of
from conformance.oracle.cards import NO_TRUMP, SEATS, SUITS, pack, partner, side, suit_of
from conformance.oracle.hand import Hand

RULE = "renege.definition"
Laid = tuple[str, str]
Finding = tuple[int, str, str]


def adjudicate(rules: Mapping[str, str], request: Record, hand: Hand | None) -> dict[str, Json]:
    """The reneges of a record, from the hands and from the play, and what claiming them costs."""
    record = map_of(request.get("record"), "record")
    tricks = _tricks(rules["pack"], record)
    trump = _trump(record, hand)
    found = _from_play(tricks, trump)
    if hand is not None:
        found |= _from_hands(tricks, trump, hand)
    made = [_claim(item) for item in list_of(request.get("claims", []), "claims")]
    claims = [claim for claim in made if _is_heard(claim[0], claim[1])]
    payer = _payer(found, claims)
    points = 0
    if payer is not None:
        lone, makers = _makers(rules, tricks, hand)
        right = any((trick, seat) in _named(found) for _, seat, trick in claims)
        points = int(rules[_price(payer, makers, lone=lone) if right else "renege_false_claim"])
    findings: list[Json] = [
        {"trick": trick, "seat": seat, "card": card, "rule": RULE}
        for trick, seat, card in sorted(found)
    ]
    paid = payer if payer is not None and points else "none"
    return {"findings": findings, "penalty": {"side": paid, "points": points}}


def _tricks(name: str, record: Record) -> list[list[Laid]]:
    tricks: list[list[Laid]] = []
    laid: list[str] = []
    for item in list_of(record.get("tricks"), "record.tricks"):
        trick: list[Laid] = []
        for text in texts_of(item, "a trick"):
            seat, _, card = text.partition(" ")
            if seat not in SEATS or card not in pack(name):
                raise PositionError(f"not a seat and a card of the pack {name}: {text!r}")
            if card in laid:
                raise PositionError(f"the card {card!r} is played twice")
            if seat in [before for before, _ in trick]:
                raise PositionError(f"{seat} plays twice in one trick")
            laid.append(card)
            trick.append((seat, card))
        tricks.append(trick)
    return tricks


def _trump(record: Record, hand: Hand | None) -> str:
    if "trump" in record:
        trump = text_of(record["trump"], "record.trump")
        if trump not in (*SUITS, NO_TRUMP):
            raise PositionError(f"not a trump: {trump!r}")
        return trump
    if hand is None or hand.trump is None:
        raise PositionError("the record does not say what is trump")
    return hand.trump


def _from_play(tricks: Sequence[Sequence[Laid]], trump: str) -> set[Finding]:
    """Void shown, then broken: a seat that did not follow and later shows a card of the suit."""
    found: set[Finding] = set()
    for number, trick in enumerate(tricks, start=1):
        for seat, card in trick[1:]:
            led = suit_of(trick[0][1], trump)
            later = [
                shown for after in tricks[number:] for holder, shown in after if holder == seat
            ]
            if suit_of(card, trump) != led and any(suit_of(c, trump) == led for c in later):
                found.add((number, seat, card))
    return found


def _from_hands(tricks: Sequence[Sequence[Laid]], trump: str, hand: Hand) -> set[Finding]:
    """A seat that did not follow while it held a card of the suit.

    While the dealer holds six, one of them is not in the play, and nobody knows which.
    """
    found: set[Finding] = set()
    held = {seat: set(cards) for seat, cards in hand.hands.items()}
    spare = {seat: int(seat == hand.turn and hand.phase == "discard") for seat in SEATS}
    for number, trick in enumerate(tricks, start=1):
        led = suit_of(trick[0][1], trump) if trick else ""
        for seat, card in trick:
            held[seat].discard(card)
            able = len([kept for kept in held[seat] if suit_of(kept, trump) == led])
            if suit_of(card, trump) != led and able > spare[seat]:
                found.add((number, seat, card))
    return found


def _claim(item: Json) -> tuple[str, str, int]:
    fields = map_of(item, "a claim")
    by, against = text_of(fields.get("by"), "by"), text_of(fields.get("against"), "against")
    if by not in SEATS or against not in SEATS:
        raise PositionError(f"a claim by {by!r} against {against!r}: a seat is one of the four")
    return by, against, int_of(fields.get("trick"), "trick")


def _is_heard(by: str, against: str) -> bool:
    """Only an adversary may claim; a claim against one's own side is as if nobody had spoken."""
    return side(by) != side(against)


def _named(found: set[Finding]) -> set[tuple[int, str]]:
    return {(trick, seat) for trick, seat, _ in found}


def _payer(found: set[Finding], claims: Sequence[tuple[str, str, int]]) -> str | None:
    """The side with more reneges rightly claimed, or else with more false claims; equals cancel."""
    right = {(trick, against) for _, against, trick in claims} & _named(found)
    guilty = [seat for _, seat in right] or [by for by, _, _ in set(claims)]
    counted = {which: len([1 for seat in guilty if side(seat) == which]) for which in ("ns", "ew")}
    if counted["ns"] == counted["ew"]:
        return None
    return "ns" if counted["ns"] > counted["ew"] else "ew"


def _makers(
    rules: Mapping[str, str], tricks: Sequence[Sequence[Laid]], hand: Hand | None
) -> tuple[bool, str | None]:
    """Whether the making side was alone, and which side it is, as far as anybody can know."""
    if hand is not None and hand.trump is not None:
        return hand.makers_alone(), hand.making_side()
    played = {seat for trick in tricks for seat, _ in trick}
    out = [seat for seat in SEATS if seat not in played]
    defenders_never_first = rules["defend_alone"] != "any" and rules["alone_who"] != "any_player"
    if len(out) == 1 and len(played) == len(SEATS) - 1 and defenders_never_first:
        return True, side(partner(out[0]))
    return False, None


def _price(payer: str, makers: str | None, *, lone: bool) -> str:
    """The knob that prices a renege: by whether the making side was alone, and who reneged."""
    if not lone or makers is None:
        return "renege_points"
    return "renege_by_lone_side" if payer == makers else "renege_vs_lone_maker"
