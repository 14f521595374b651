"""A rule set: one value for every knob.

The map is complete; a combination in which a knob asks for something that can never happen is
refused when the rule set is made.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Final

from referee.errors import RefereeError
from referee.rules import knobs as k
from referee.rules.cards import Pack
from referee.rules.knobs import KNOBS, Knob


class RuleSetError(RefereeError, ValueError):
    """A rule set that cannot be made: an unknown knob or value, or a meaningless combination."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one table; the defaults are those of `standard`."""

    pack: Pack = Pack.E24
    target: int = 10
    deals: int | None = None
    first_dealer: k.FirstDealer = k.FirstDealer.BLACK_JACK
    packets: k.Packets = k.Packets.THREE_TWO
    cut: k.Cut = k.Cut.NONE
    trump_making: k.TrumpMaking = k.TrumpMaking.TWO_ROUNDS
    all_pass: k.AllPass = k.AllPass.STICK
    throw_in_dealer: k.ThrowInDealer = k.ThrowInDealer.LEFT
    order_needs_trump: k.OrderNeedsTrump = k.OrderNeedsTrump.NEVER
    order_needs_trump_scope: k.OrderNeedsTrumpScope = k.OrderNeedsTrumpScope.ORDERING_SEATS
    partner_order: k.PartnerOrder = k.PartnerOrder.WITH_PARTNER
    upcard: k.Upcard = k.Upcard.DEALER_TAKES
    bury_upcard: k.BuryUpcard = k.BuryUpcard.ALLOWED
    sitting_out_dealer: k.SittingOutDealer = k.SittingOutDealer.EXCHANGE
    alone_who: k.AloneWho = k.AloneWho.MAKER
    alone_when: k.AloneWhen = k.AloneWhen.WITH_CALL
    defend_alone: k.DefendAlone = k.DefendAlone.NEVER
    defend_alone_poll: k.DefendAlonePoll = k.DefendAlonePoll.DEALERS_LEFT
    loner_lead: k.LonerLead = k.LonerLead.DEALERS_LEFT
    both_alone_lead: k.BothAloneLead = k.BothAloneLead.DEALERS_LEFT
    points_made: int = 1
    points_march: int = 2
    points_lone_march: int = 4
    points_euchre: int = 2
    points_euchre_all_five: int = 2
    points_lone_euchred: int = 2
    points_lone_defender: int = 4
    best_bower_turned: k.BestBowerTurned = k.BestBowerTurned.SPADES
    no_trump: k.NoTrump = k.NoTrump.NEVER
    farmers_hand: k.FarmersHand = k.FarmersHand.NONE
    going_under: k.GoingUnder = k.GoingUnder.NONE
    ace_no_face: k.AceNoFace = k.AceNoFace.NONE
    no_ace_no_face_no_trump: k.NoAceNoFaceNoTrump = k.NoAceNoFaceNoTrump.NONE
    loner_limit: k.LonerLimit = k.LonerLimit.NONE
    partners_best: k.PartnersBest = k.PartnersBest.NONE
    enforcement: k.Enforcement = k.Enforcement.REFUSE
    renege_points: int = 2
    renege_vs_lone_maker: int = 4
    renege_by_lone_side: int = 2
    renege_false_claim: int = 0

    def __post_init__(self) -> None:
        """Refuse unknown values, and combinations with no meaning."""
        values = self.to_map()
        for name, value in values.items():
            _check_value(KNOBS[name], value)
        _check_combinations(values)

    def to_map(self) -> dict[str, str]:
        """Every knob with its value as text, in the order of `KNOBS`."""
        return {field.name: _value_text(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_map(cls, values: Mapping[str, str]) -> "RuleSet":
        """The rule set that a map of texts describes; a knob that is absent has its default.

        >>> RuleSet.from_map({"target": "5"}).target
        5
        """
        for name in values:
            if name not in KNOBS:
                raise RuleSetError(f"no such knob: {name!r}{_suggestion(name, KNOBS)}")
        v = {name: values.get(name, knob.default) for name, knob in KNOBS.items()}
        for name, value in v.items():
            _check_value(KNOBS[name], value)
        return cls(
            pack=Pack(v["pack"]),
            target=int(v["target"]),
            deals=None if v["deals"] == "none" else int(v["deals"]),
            first_dealer=k.FirstDealer(v["first_dealer"]),
            packets=k.Packets(v["packets"]),
            cut=k.Cut(v["cut"]),
            trump_making=k.TrumpMaking(v["trump_making"]),
            all_pass=k.AllPass(v["all_pass"]),
            throw_in_dealer=k.ThrowInDealer(v["throw_in_dealer"]),
            order_needs_trump=k.OrderNeedsTrump(v["order_needs_trump"]),
            order_needs_trump_scope=k.OrderNeedsTrumpScope(v["order_needs_trump_scope"]),
            partner_order=k.PartnerOrder(v["partner_order"]),
            upcard=k.Upcard(v["upcard"]),
            bury_upcard=k.BuryUpcard(v["bury_upcard"]),
            sitting_out_dealer=k.SittingOutDealer(v["sitting_out_dealer"]),
            alone_who=k.AloneWho(v["alone_who"]),
            alone_when=k.AloneWhen(v["alone_when"]),
            defend_alone=k.DefendAlone(v["defend_alone"]),
            defend_alone_poll=k.DefendAlonePoll(v["defend_alone_poll"]),
            loner_lead=k.LonerLead(v["loner_lead"]),
            both_alone_lead=k.BothAloneLead(v["both_alone_lead"]),
            points_made=int(v["points_made"]),
            points_march=int(v["points_march"]),
            points_lone_march=int(v["points_lone_march"]),
            points_euchre=int(v["points_euchre"]),
            points_euchre_all_five=int(v["points_euchre_all_five"]),
            points_lone_euchred=int(v["points_lone_euchred"]),
            points_lone_defender=int(v["points_lone_defender"]),
            best_bower_turned=k.BestBowerTurned(v["best_bower_turned"]),
            no_trump=k.NoTrump(v["no_trump"]),
            farmers_hand=k.FarmersHand(v["farmers_hand"]),
            going_under=k.GoingUnder(v["going_under"]),
            ace_no_face=k.AceNoFace(v["ace_no_face"]),
            no_ace_no_face_no_trump=k.NoAceNoFaceNoTrump(v["no_ace_no_face_no_trump"]),
            loner_limit=k.LonerLimit(v["loner_limit"]),
            partners_best=k.PartnersBest(v["partners_best"]),
            enforcement=k.Enforcement(v["enforcement"]),
            renege_points=int(v["renege_points"]),
            renege_vs_lone_maker=int(v["renege_vs_lone_maker"]),
            renege_by_lone_side=int(v["renege_by_lone_side"]),
            renege_false_claim=int(v["renege_false_claim"]),
        )


def _value_text(value: object) -> str:
    return "none" if value is None else str(value)


def _suggestion(word: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(word, list(known), n=1)
    if near:
        return f" (did you mean {near[0]!r}?)"
    return f" (the names are {' '.join(known)})"


def _check_value(knob: Knob, value: str) -> None:
    if not knob.knows(value):
        near = get_close_matches(value, knob.words, n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise RuleSetError(
            f"knob {knob.name!r} has no value {value!r} (its values are {knob.values}{meant})"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """Two knobs that have no meaning together, why, and a third value that would give them one."""

    knob: str
    values: tuple[str, ...]
    beside: str
    beside_values: tuple[str, ...]
    why: str
    unless: tuple[str, str] | None = None

    def applies(self, values: Mapping[str, str]) -> bool:
        """Whether a complete map holds the combination."""
        return (
            values[self.knob] in self.values
            and values[self.beside] in self.beside_values
            and (self.unless is None or values[self.unless[0]] != self.unless[1])
        )


def _clash(first: str, second: str, why: str, unless: str = "") -> Clash:
    knob, _, values = first.partition(": ")
    beside, _, beside_values = second.partition(": ")
    third, _, value = unless.partition(": ")
    return Clash(
        knob=knob,
        values=tuple(values.split()),
        beside=beside,
        beside_values=tuple(beside_values.split()),
        why=why,
        unless=(third, value) if unless else None,
    )


CLASHES: Final = (
    _clash(
        "alone_when: with_call",
        "alone_who: making_side any_player",
        "only the maker makes the call",
    ),
    _clash(
        "alone_who: any_player",
        "defend_alone: vs_loner any",
        "any player already covers the defenders",
    ),
    _clash(
        "trump_making: turned_suit",
        "upcard: dealer_takes",
        "nobody accepts the upcard",
    ),
    _clash(
        "trump_making: turned_suit",
        "alone_who: maker making_side",
        "there is no maker",
    ),
    _clash(
        "trump_making: turned_suit",
        "order_needs_trump: left_counts natural_only",
        "nobody calls",
    ),
    _clash(
        "trump_making: turned_suit",
        "partner_order: must_be_alone",
        "nobody calls",
    ),
    _clash(
        "trump_making: turned_suit one_round_then_dealer",
        "all_pass: throw_in",
        "there is no second round of calling to pass",
    ),
    _clash(
        "partner_order: must_be_alone",
        "alone_when: before_lead",
        "alone cannot be said with the order",
    ),
    _clash(
        "throw_in_dealer: same",
        "all_pass: stick",
        "no deal is thrown in",
    ),
    _clash(
        "order_needs_trump_scope: dealer_only round_one_all every_call",
        "order_needs_trump: never",
        "there is no test to bind anybody",
    ),
    _clash(
        "bury_upcard: forbidden",
        "upcard: stays_out",
        "nobody takes the upcard",
    ),
    _clash(
        "sitting_out_dealer: leave",
        "upcard: stays_out",
        "nobody takes the upcard",
    ),
    _clash(
        "sitting_out_dealer: leave",
        "alone_when: before_lead",
        "the dealer has buried a card before anybody is alone",
    ),
    _clash(
        "defend_alone_poll: makers_left",
        "trump_making: turned_suit",
        "there is no maker",
    ),
    _clash(
        "defend_alone_poll: makers_left",
        "defend_alone: never",
        "no defender is asked",
        unless="alone_who: any_player",
    ),
    _clash(
        "both_alone_lead: defender",
        "defend_alone: never",
        "two players are never alone",
        unless="alone_who: any_player",
    ),
    _clash(
        "best_bower_turned: dealer_names_blind",
        "pack: E24 E28 E32",
        "no best bower is in the pack",
    ),
    _clash(
        "best_bower_turned: dealer_names_blind",
        "trump_making: turned_suit",
        "nobody makes trump",
    ),
    _clash(
        "no_trump: round_two",
        "trump_making: turned_suit one_round_then_dealer",
        "there is no second round of calling",
    ),
)
"""Every combination of two knobs that is refused."""


def _check_combinations(values: Mapping[str, str]) -> None:
    for clash in CLASHES:
        if clash.applies(values):
            raise RuleSetError(
                f"{clash.knob}: {values[clash.knob]} has no meaning beside"
                f" {clash.beside}: {values[clash.beside]}: {clash.why} (change one of the two)"
            )
    pays = any(values[name] != "0" for name in values if name.startswith("points_"))
    if values["deals"] == "none" and not pays:
        raise RuleSetError(
            "points_made: 0 has no meaning beside deals: none where no other points are paid:"
            " the game could never end (pay points or set deals)"
        )
