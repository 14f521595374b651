"""The knobs of a rule set, and the values of each.

Names and values are the same in code, in YAML and on the wire; the first value is the default.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.rules.cards import Pack


class FirstDealer(StrEnum):
    """How the first dealer is found. Rule: dealer.first."""

    BLACK_JACK = "black_jack"
    ANY_JACK = "any_jack"
    DRAW_LOW = "draw_low"
    DRAW_HIGH = "draw_high"
    AGREED = "agreed"


class Packets(StrEnum):
    """In what packets the cards are dealt. Rule: deal.packets."""

    THREE_TWO = "3-2"
    TWO_THREE = "2-3"
    THREE_TWO_ALTERNATING = "3-2-3-2"
    TWO_THREE_ALTERNATING = "2-3-2-3"
    SINGLE = "single"


class Cut(StrEnum):
    """Who cuts. Rule: cut.right."""

    NONE = "none"
    DEALERS_RIGHT = "dealers_right"
    DEALERS_LEFT = "dealers_left"


class TrumpMaking(StrEnum):
    """How trump is made. Rule: round-one.order."""

    TWO_ROUNDS = "two_rounds"
    ONE_ROUND_THEN_DEALER = "one_round_then_dealer"
    TURNED_SUIT = "turned_suit"


class AllPass(StrEnum):
    """What happens when all pass twice. Rule: round-two.stick."""

    STICK = "stick"
    THROW_IN = "throw_in"


class ThrowInDealer(StrEnum):
    """Who deals after a throw-in. Rule: dealer.rotation."""

    LEFT = "left"
    SAME = "same"


class OrderNeedsTrump(StrEnum):
    """Whether a caller must hold a trump. Rule: round-one.void-order."""

    NEVER = "never"
    LEFT_COUNTS = "left_counts"
    NATURAL_ONLY = "natural_only"


class OrderNeedsTrumpScope(StrEnum):
    """Whom that test binds. Rule: round-one.void-order."""

    ORDERING_SEATS = "ordering_seats"
    DEALER_ONLY = "dealer_only"
    ROUND_ONE_ALL = "round_one_all"
    EVERY_CALL = "every_call"


class PartnerOrder(StrEnum):
    """How the dealer's partner orders. Rule: round-one.dealer-partner-alone."""

    WITH_PARTNER = "with_partner"
    MUST_BE_ALONE = "must_be_alone"


class Upcard(StrEnum):
    """Whether the dealer takes the upcard. Rule: discard.dealer-takes-upcard."""

    DEALER_TAKES = "dealer_takes"
    STAYS_OUT = "stays_out"


class BuryUpcard(StrEnum):
    """Whether the card just taken may be buried. Rule: discard.may-be-upcard."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class SittingOutDealer(StrEnum):
    """Whether a dealer who sits out takes the upcard. Rule: discard.dealer-sits-out."""

    EXCHANGE = "exchange"
    LEAVE = "leave"


class AloneWho(StrEnum):
    """Who may go alone. Rule: alone.who."""

    MAKER = "maker"
    MAKING_SIDE = "making_side"
    ANY_PLAYER = "any_player"


class AloneWhen(StrEnum):
    """When it is said. Rule: alone.when."""

    WITH_CALL = "with_call"
    BEFORE_LEAD = "before_lead"


class DefendAlone(StrEnum):
    """Whether a defender may go alone. Rule: defend.alone."""

    NEVER = "never"
    VS_LONER = "vs_loner"
    ANY = "any"


class DefendAlonePoll(StrEnum):
    """From which seat the defenders are asked. Rule: defend.alone."""

    DEALERS_LEFT = "dealers_left"
    MAKERS_LEFT = "makers_left"


class LonerLead(StrEnum):
    """Who leads first against one lone player. Rule: lead.first."""

    DEALERS_LEFT = "dealers_left"
    LONERS_LEFT = "loners_left"


class BothAloneLead(StrEnum):
    """Who leads first where each side has a lone player. Rule: lead.first."""

    DEALERS_LEFT = "dealers_left"
    DEFENDER = "defender"


class BestBowerTurned(StrEnum):
    """What a turned best bower makes trump. Rule: best-bower.turned-up."""

    SPADES = "spades"
    DEALER_NAMES_BLIND = "dealer_names_blind"


class NoTrump(StrEnum):
    """Whether no trump may be named. Rule: bid.no-trump."""

    NEVER = "never"
    ROUND_TWO = "round_two"


class FarmersHand(StrEnum):
    """The remedy of a farmer's hand. Rule: house.farmers-hand."""

    NONE = "none"
    REDEAL = "redeal"
    SWAP_THREE = "swap_three"


class GoingUnder(StrEnum):
    """The remedy of going under. Rule: house.farmers-hand."""

    NONE = "none"
    SWAP_THREE = "swap_three"


class AceNoFace(StrEnum):
    """The remedy of ace, no face. Rule: house.ace-no-face."""

    NONE = "none"
    REDEAL = "redeal"


class NoAceNoFaceNoTrump(StrEnum):
    """The remedy of no ace, no face, no trump. Rule: house.no-ace-no-face-no-trump."""

    NONE = "none"
    REDEAL = "redeal"


class LonerLimit(StrEnum):
    """At which scores nobody may go alone. Rule: alone.restrict-at-8-9."""

    NONE = "none"
    EIGHT_OR_NINE = "eight_or_nine"


class PartnersBest(StrEnum):
    """Whether the loner gets a card of the partner. Rule: alone.partners-best."""

    NONE = "none"
    ONE_CARD = "one_card"


class Enforcement(StrEnum):
    """Whether an illegal card is refused or stands. Rule: renege.server."""

    REFUSE = "refuse"
    TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One knob: the words and numbers it can be set to, and the rule it bends."""

    name: str
    rule: str
    words: tuple[str, ...]
    least: int | None = None
    most: int | None = None
    default: str

    @property
    def values(self) -> str:
        """The values as a reader is told them."""
        shown = list(self.words)
        if self.least is not None:
            shown.append(f"{self.least}..{self.most}")
        return " | ".join(shown)

    def knows(self, value: str) -> bool:
        """Whether a text is a value of the knob; numbers are plain decimals."""
        if value in self.words:
            return True
        if self.least is None or self.most is None or not (value.isascii() and value.isdigit()):
            return False
        return len(value) <= len(str(self.most)) and (
            str(int(value)) == value and self.least <= int(value) <= self.most
        )


def _words(name: str, rule: str, values: type[StrEnum]) -> Knob:
    words = tuple(str(value) for value in values)
    return Knob(name=name, rule=rule, words=words, default=words[0])


def _number(name: str, rule: str, default: int, least: int = 0, most: int = 99) -> Knob:
    return Knob(name=name, rule=rule, words=(), least=least, most=most, default=str(default))


_ALL: Final = (
    _words("pack", "pack.24", Pack),
    _number("target", "game.target", 10, least=1),
    Knob(name="deals", rule="game.target", words=("none",), least=1, most=999, default="none"),
    _words("first_dealer", "dealer.first", FirstDealer),
    _words("packets", "deal.packets", Packets),
    _words("cut", "cut.right", Cut),
    _words("trump_making", "round-one.order", TrumpMaking),
    _words("all_pass", "round-two.stick", AllPass),
    _words("throw_in_dealer", "dealer.rotation", ThrowInDealer),
    _words("order_needs_trump", "round-one.void-order", OrderNeedsTrump),
    _words("order_needs_trump_scope", "round-one.void-order", OrderNeedsTrumpScope),
    _words("partner_order", "round-one.dealer-partner-alone", PartnerOrder),
    _words("upcard", "discard.dealer-takes-upcard", Upcard),
    _words("bury_upcard", "discard.may-be-upcard", BuryUpcard),
    _words("sitting_out_dealer", "discard.dealer-sits-out", SittingOutDealer),
    _words("alone_who", "alone.who", AloneWho),
    _words("alone_when", "alone.when", AloneWhen),
    _words("defend_alone", "defend.alone", DefendAlone),
    _words("defend_alone_poll", "defend.alone", DefendAlonePoll),
    _words("loner_lead", "lead.first", LonerLead),
    _words("both_alone_lead", "lead.first", BothAloneLead),
    _number("points_made", "score.table", 1),
    _number("points_march", "score.table", 2),
    _number("points_lone_march", "score.table", 4),
    _number("points_euchre", "score.table", 2),
    _number("points_euchre_all_five", "score.table", 2),
    _number("points_lone_euchred", "score.table", 2),
    _number("points_lone_defender", "defend.score", 4),
    _words("best_bower_turned", "best-bower.turned-up", BestBowerTurned),
    _words("no_trump", "bid.no-trump", NoTrump),
    _words("farmers_hand", "house.farmers-hand", FarmersHand),
    _words("going_under", "house.farmers-hand", GoingUnder),
    _words("ace_no_face", "house.ace-no-face", AceNoFace),
    _words("no_ace_no_face_no_trump", "house.no-ace-no-face-no-trump", NoAceNoFaceNoTrump),
    _words("loner_limit", "alone.restrict-at-8-9", LonerLimit),
    _words("partners_best", "alone.partners-best", PartnersBest),
    _words("enforcement", "renege.server", Enforcement),
    _number("renege_points", "renege.penalty", 2),
    _number("renege_vs_lone_maker", "renege.penalty", 4),
    _number("renege_by_lone_side", "renege.penalty", 2),
    _number("renege_false_claim", "renege.penalty", 0),
)
KNOBS: Final[dict[str, Knob]] = {knob.name: knob for knob in _ALL}
"""Every knob by its name, in the order they are shown."""
