"""Why an action is refused, and which rule says so (rule book, chapter action)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Reason(StrEnum):
    """The reasons for a refusal, in the order in which they are looked for."""

    GAME_OVER = "GAME_OVER"
    HAND_OVER = "HAND_OVER"
    SITTING_OUT = "SITTING_OUT"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    UNKNOWN_ACTION = "UNKNOWN_ACTION"
    WRONG_PHASE = "WRONG_PHASE"
    CARD_NOT_HELD = "CARD_NOT_HELD"
    MUST_FOLLOW_SUIT = "MUST_FOLLOW_SUIT"
    DISCARD_UPCARD_FORBIDDEN = "DISCARD_UPCARD_FORBIDDEN"
    SUIT_TURNED_DOWN = "SUIT_TURNED_DOWN"
    DEALER_STUCK = "DEALER_STUCK"
    NEEDS_TRUMP = "NEEDS_TRUMP"
    PARTNER_MUST_GO_ALONE = "PARTNER_MUST_GO_ALONE"
    ALONE_NOT_ALLOWED = "ALONE_NOT_ALLOWED"
    ALONE_TOO_LATE = "ALONE_TOO_LATE"
    DEFEND_ALONE_OFF = "DEFEND_ALONE_OFF"
    DEFEND_ALONE_NO_LONER = "DEFEND_ALONE_NO_LONER"
    NOT_QUALIFIED = "NOT_QUALIFIED"


RULE_OF: Final[dict[Reason, str]] = {
    Reason.GAME_OVER: "game.over",
    Reason.HAND_OVER: "deal.over",
    Reason.SITTING_OUT: "action.sitting-out",
    Reason.NOT_YOUR_TURN: "action.turn",
    Reason.UNKNOWN_ACTION: "action.form",
    Reason.WRONG_PHASE: "action.phase",
    Reason.CARD_NOT_HELD: "play.card-held",
    Reason.MUST_FOLLOW_SUIT: "play.follow-suit",
    Reason.DISCARD_UPCARD_FORBIDDEN: "discard.may-be-upcard",
    Reason.SUIT_TURNED_DOWN: "round-two.not-turned-suit",
    Reason.DEALER_STUCK: "round-two.stick",
    Reason.NEEDS_TRUMP: "round-one.void-order",
    Reason.PARTNER_MUST_GO_ALONE: "round-one.dealer-partner-alone",
    Reason.ALONE_NOT_ALLOWED: "alone.who",
    Reason.ALONE_TOO_LATE: "alone.when",
    Reason.DEFEND_ALONE_OFF: "defend.alone",
    Reason.DEFEND_ALONE_NO_LONER: "defend.alone",
    Reason.NOT_QUALIFIED: "house.not-qualified",
}


@dataclass(frozen=True, slots=True)
class Violation:
    """What was wrong with an action: the first reason that applies, and one plain sentence."""

    reason: Reason
    sentence: str

    @property
    def rule(self) -> str:
        """The id of the rule that was broken."""
        return RULE_OF[self.reason]
