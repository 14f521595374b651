"""What one seat may see (rule view.own-only)."""

from conformance.jsontypes import Json
from conformance.oracle.cards import SEATS
from conformance.oracle.hand import Hand
from conformance.oracle.whole import Table

ASKED_IN_PLAY = ("play", "over")


def view(table: Table, seat: str) -> dict[str, Json]:
    """The view of a seat; what has no meaning yet is absent."""
    hand = table.hand
    over = hand.phase == "over" or table.game_over()
    seen: dict[str, Json] = {
        "seat": seat,
        "phase": "over" if over else hand.phase,
        "dealer": hand.dealer,
        "hand": [] if _blind(hand, seat) else sorted(hand.hands[seat]),
        "counts": {who: len(hand.hands[who]) for who in SEATS},
        "upcard": hand.upcard,
        "upcard_state": hand.upcard_state,
        "score": table.score_after(),
        "legal": sorted(hand.legal()) if seat == hand.turn and not over else [],
    }
    if hand.trump is not None:
        seen["trump"] = hand.trump
        seen["alone"] = list(hand.alone)
        seen["out"] = hand.out()
    if hand.maker is not None:
        seen["maker"] = hand.maker
    if hand.phase in ASKED_IN_PLAY and hand.trump is not None:
        seen["trick"] = [{"seat": who, "card": card} for who, card in hand.trick]
        seen["tricks"] = hand.tricks()
    if hand.trick:
        seen["led"] = hand.trick[0][1]
    if hand.turn is not None and not over:
        seen["turn"] = hand.turn
    return seen


def _blind(hand: Hand, seat: str) -> bool:
    """Whether a dealer names trump before looking at the cards."""
    return hand.blind and hand.phase == "dealer_names" and seat == hand.dealer


def small_view(table: Table) -> dict[str, Json] | None:
    """What a simple target needs to answer `legal`: the view of the seat on turn."""
    seat = table.hand.turn
    if seat is None or table.game_over():
        return None
    return {key: value for key, value in view(table, seat).items() if key != "legal"}
