"""What a finished deal is worth (chapter score)."""

from collections.abc import Mapping, Sequence

from conformance.oracle.cards import other, side

TRICKS = 5


def points_of(
    rules: Mapping[str, str],
    *,
    taken: Mapping[str, int],
    making_side: str | None,
    alone: Sequence[str],
) -> dict[str, int]:
    """The points of each side for a deal that was played out."""
    points = {"ns": 0, "ew": 0}
    most = "ns" if taken["ns"] > taken["ew"] else "ew"
    makers = making_side or most
    lone = any(side(seat) == makers for seat in alone)
    if makers == most:
        points[makers] = _made(rules, taken[makers], lone=lone)
    else:
        points[other(makers)] = _euchred(
            rules, taken[other(makers)], lone=lone, both=lone and len(alone) > 1
        )
    return points


def _made(rules: Mapping[str, str], taken: int, *, lone: bool) -> int:
    if taken < TRICKS:
        return int(rules["points_made"])
    counted = ["points_march", "points_lone_march"] if lone else ["points_march"]
    return max(int(rules[knob]) for knob in counted)


def _euchred(rules: Mapping[str, str], taken: int, *, lone: bool, both: bool) -> int:
    counted = ["points_euchre"]
    if taken == TRICKS:
        counted.append("points_euchre_all_five")
    if lone:
        counted.append("points_lone_euchred")
    if both and rules["defend_alone"] != "never":
        counted.append("points_lone_defender")
    return max(int(rules[knob]) for knob in counted)
