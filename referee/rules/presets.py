"""The named rule sets.

A published preset is frozen: a change of meaning is a new name.
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
