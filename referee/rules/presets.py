"""The named rule sets.

A published preset is frozen: a change of meaning is a new name.

Where a source says nothing, a preset has what `standard` has. Beyond the rule pages implemented
here:
`bicycle` is "How to play Euchre" of the Bicycle cards: the lowest card drawn deals, ace lowest; the
dealer's right cuts; all may pass twice; alone is said with the call; nobody defends alone.
`british` is what the pages on British Euchre share (Cornwall, Guernsey, the pub leagues): the joker
as best bower, a blind call of the dealer who turns it, a partner who makes trump only alone, any
defender alone, the lead on the loner's left or with the lone defender, 21 points.
`tournament-ohio` is the Ohio tournament rules: the first jack of any color deals, the cut is
offered to the dealer's right, the dealer is stuck, and one may order without a trump.
`wec` is the World Euchre Championship: twelve deals, and whoever orders must hold a trump, the left
bower included.
"""

from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from referee.rules import knobs as k
from referee.rules.cards import Pack
from referee.rules.ruleset import RuleSet, RuleSetError

_STANDARD: Final = RuleSet()
_WINNIPEG: Final = replace(
    _STANDARD,
    pack=Pack.E25,
    first_dealer=k.FirstDealer.AGREED,
    trump_making=k.TrumpMaking.TURNED_SUIT,
    upcard=k.Upcard.STAYS_OUT,
    alone_who=k.AloneWho.ANY_PLAYER,
    alone_when=k.AloneWhen.BEFORE_LEAD,
    points_lone_march=2,
)
_WINNIPEG_CALL: Final = replace(
    _WINNIPEG,
    trump_making=k.TrumpMaking.ONE_ROUND_THEN_DEALER,
    points_euchre_all_five=4,
)

PRESETS: Final = MappingProxyType(
    {
        "standard": _STANDARD,
        "quick": replace(_STANDARD, target=5),
        "throw-in": replace(_STANDARD, all_pass=k.AllPass.THROW_IN),
        "defend-alone": replace(_STANDARD, defend_alone=k.DefendAlone.VS_LONER),
        "ontario": replace(
            _STANDARD,
            all_pass=k.AllPass.THROW_IN,
            order_needs_trump=k.OrderNeedsTrump.LEFT_COUNTS,
            order_needs_trump_scope=k.OrderNeedsTrumpScope.ORDERING_SEATS,
            partner_order=k.PartnerOrder.MUST_BE_ALONE,
        ),
        "guide": replace(
            _STANDARD,
            packets=k.Packets.TWO_THREE,
            cut=k.Cut.DEALERS_RIGHT,
            first_dealer=k.FirstDealer.DRAW_LOW,
            all_pass=k.AllPass.THROW_IN,
            alone_who=k.AloneWho.MAKING_SIDE,
            alone_when=k.AloneWhen.BEFORE_LEAD,
        ),
        "winnipeg": _WINNIPEG,
        "winnipeg-call": _WINNIPEG_CALL,
        "winnipeg-24": replace(_WINNIPEG, pack=Pack.E24),
        "winnipeg-call-24": replace(_WINNIPEG_CALL, pack=Pack.E24),
        "bicycle": replace(
            _STANDARD,
            first_dealer=k.FirstDealer.DRAW_LOW,
            cut=k.Cut.DEALERS_RIGHT,
            all_pass=k.AllPass.THROW_IN,
        ),
        "british": replace(
            _STANDARD,
            pack=Pack.E25J,
            target=21,
            first_dealer=k.FirstDealer.AGREED,
            cut=k.Cut.DEALERS_LEFT,
            all_pass=k.AllPass.THROW_IN,
            partner_order=k.PartnerOrder.MUST_BE_ALONE,
            defend_alone=k.DefendAlone.ANY,
            loner_lead=k.LonerLead.LONERS_LEFT,
            both_alone_lead=k.BothAloneLead.DEFENDER,
            best_bower_turned=k.BestBowerTurned.DEALER_NAMES_BLIND,
        ),
        "tournament-ohio": replace(
            _STANDARD,
            first_dealer=k.FirstDealer.ANY_JACK,
            cut=k.Cut.DEALERS_RIGHT,
        ),
        "wec": replace(
            _STANDARD,
            deals=12,
            order_needs_trump=k.OrderNeedsTrump.LEFT_COUNTS,
        ),
    }
)
"""Every named rule set."""


def preset(name: str) -> RuleSet:
    """The rule set of a name.

    >>> preset("quick").target
    5
    """
    rules = PRESETS.get(name)
    if rules is None:
        near = get_close_matches(name, list(PRESETS), n=1)
        meant = f"did you mean {near[0]!r}? " if near else ""
        raise RuleSetError(f"no such rule set: {name!r} ({meant}the names are {' '.join(PRESETS)})")
    return rules
