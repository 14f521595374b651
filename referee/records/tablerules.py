"""The knobs of a real table: what an irregularity costs (rule book, chapter 11).

They form a second map beside the rule set, used where records are judged and nowhere else; they are
no part of the rule set's hash.
Values are text on the wire and in files; the first is the default.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Final

from referee.errors import RefereeError
from referee.rules import Knob


class TableRulesError(RefereeError, ValueError):
    """Table rules that cannot be made: an unknown knob or value."""


def _words(name: str, rule: str, words: str) -> Knob:
    values = tuple(words.split())
    return Knob(name=name, rule=rule, words=values, default=values[0])


def _points(name: str, rule: str, default: int) -> Knob:
    return Knob(name=name, rule=rule, words=(), least=0, most=99, default=str(default))


_ALL: Final = (
    _words(
        "misdeal_remedy",
        "misdeal.wrong-count",
        "same_dealer lose_deal lose_after_upcard lose_after_lead",
    ),
    Knob(
        name="misdeal_limit",
        rule="misdeal.wrong-count",
        words=("none",),
        least=2,
        most=9,
        default="none",
    ),
    _words("wrong_count_in_play", "misdeal.wrong-count", "redeal forfeit"),
    _points("wrong_count_points", "misdeal.wrong-count", 2),
    _points("wrong_count_lone_points", "misdeal.wrong-count", 4),
    _words("exposed_in_deal", "misdeal.exposed-card", "redeal claim"),
    _words("exposed_with_upcard", "misdeal.exposed-card", "redeal claim"),
    _words("no_cut", "cut.right", "stands claim"),
    _words("deal_out_of_turn", "deal.out-of-turn", "before_upcard before_lead stands misdeal"),
    _words("kitty_exposed", "deal.kitty-exposed", "play_on redeal"),
    _words("call_out_of_turn", "bid.out-of-turn", "ignored loses_call"),
    _points("call_out_of_turn_points", "bid.out-of-turn", 0),
    _words("turned_down_named", "round-two.not-turned-suit", "call_again counts_as_pass"),
    _words("partner_after_wrong_call", "bid.partner-pass-after-error", "free must_pass"),
    _words("table_talk", "table-talk", "warning warning_then_points points"),
    _points("table_talk_points", "table-talk", 2),
    _words("lead_out_of_turn", "play.out-of-turn", "exposed called stands"),
    _words("exposed_card", "play.exposed-card", "must_be_played called no_penalty"),
    _words("lone_exposed_card", "play.exposed-card", "no_penalty as_others"),
    _words(
        "renege_correction",
        "renege.correction-window",
        "until_quitted until_finished until_side_plays never",
    ),
    _words("renege_claim", "renege.claim-window", "deal_closed next_deal"),
    _words("renege_hand", "renege.penalty", "ends played_out"),
    _words("renege_both_sides", "renege.both-sides", "cancel each_pays"),
    _words("penalty_form", "renege.penalty", "opponents_score offender_loses"),
    _words("laydown", "claim.laydown", "play_on all_agree provable"),
    _points("laydown_points", "claim.laydown", 0),
)
TABLE_KNOBS: Final[dict[str, Knob]] = {knob.name: knob for knob in _ALL}
"""Every table knob by its name, in the order they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules:
    """What irregularities cost at one table; the defaults are the mildest that a source gives."""

    misdeal_remedy: str = "same_dealer"
    misdeal_limit: int | None = None
    wrong_count_in_play: str = "redeal"
    wrong_count_points: int = 2
    wrong_count_lone_points: int = 4
    exposed_in_deal: str = "redeal"
    exposed_with_upcard: str = "redeal"
    no_cut: str = "stands"
    deal_out_of_turn: str = "before_upcard"
    kitty_exposed: str = "play_on"
    call_out_of_turn: str = "ignored"
    call_out_of_turn_points: int = 0
    turned_down_named: str = "call_again"
    partner_after_wrong_call: str = "free"
    table_talk: str = "warning"
    table_talk_points: int = 2
    lead_out_of_turn: str = "exposed"
    exposed_card: str = "must_be_played"
    lone_exposed_card: str = "no_penalty"
    renege_correction: str = "until_quitted"
    renege_claim: str = "deal_closed"
    renege_hand: str = "ends"
    renege_both_sides: str = "cancel"
    penalty_form: str = "opponents_score"
    laydown: str = "play_on"
    laydown_points: int = 0

    def __post_init__(self) -> None:
        """Refuse values that a knob does not have."""
        for name, value in self.to_map().items():
            _check(name, value)

    def to_map(self) -> dict[str, str]:
        """Every knob with its value as text."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: "none" if value is None else str(value) for name, value in values}

    @classmethod
    def from_map(cls, values: Mapping[str, str]) -> "TableRules":
        """The table rules that a map of texts describes; a knob that is absent has its default.

        >>> TableRules.from_map({"laydown": "provable"}).laydown
        'provable'
        """
        for name, value in values.items():
            _check(name, value)
        texts = {name: values.get(name, knob.default) for name, knob in TABLE_KNOBS.items()}
        words = {name: text for name, text in texts.items() if TABLE_KNOBS[name].least is None}
        numbers = {name: int(text) for name, text in texts.items() if TABLE_KNOBS[name].least == 0}
        limit = texts["misdeal_limit"]
        return _made(words, numbers, None if limit == "none" else int(limit))


def _made(words: Mapping[str, str], numbers: Mapping[str, int], limit: int | None) -> TableRules:
    return TableRules(
        misdeal_remedy=words["misdeal_remedy"],
        misdeal_limit=limit,
        wrong_count_in_play=words["wrong_count_in_play"],
        wrong_count_points=numbers["wrong_count_points"],
        wrong_count_lone_points=numbers["wrong_count_lone_points"],
        exposed_in_deal=words["exposed_in_deal"],
        exposed_with_upcard=words["exposed_with_upcard"],
        no_cut=words["no_cut"],
        deal_out_of_turn=words["deal_out_of_turn"],
        kitty_exposed=words["kitty_exposed"],
        call_out_of_turn=words["call_out_of_turn"],
        call_out_of_turn_points=numbers["call_out_of_turn_points"],
        turned_down_named=words["turned_down_named"],
        partner_after_wrong_call=words["partner_after_wrong_call"],
        table_talk=words["table_talk"],
        table_talk_points=numbers["table_talk_points"],
        lead_out_of_turn=words["lead_out_of_turn"],
        exposed_card=words["exposed_card"],
        lone_exposed_card=words["lone_exposed_card"],
        renege_correction=words["renege_correction"],
        renege_claim=words["renege_claim"],
        renege_hand=words["renege_hand"],
        renege_both_sides=words["renege_both_sides"],
        penalty_form=words["penalty_form"],
        laydown=words["laydown"],
        laydown_points=numbers["laydown_points"],
    )


def _check(name: str, value: str) -> None:
    knob = TABLE_KNOBS.get(name)
    if knob is None:
        near = get_close_matches(name, list(TABLE_KNOBS), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the names are {' '.join(TABLE_KNOBS)}"
        raise TableRulesError(f"no such table rule: {name!r} ({hint})")
    if not knob.knows(value):
        raise TableRulesError(
            f"table rule {name!r} has no value {value!r} (its values are {knob.values})"
        )
