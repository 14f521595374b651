"""The best pairing of a graph, by networkx: maximum cardinality first, then least cost."""

from collections.abc import Mapping, Sequence

from referee.arena.formats.errors import SwissExtraError

Edge = tuple[int, int]


def check_extra() -> None:
    """Refuse where networkx is missing.

    Raises:
        SwissExtraError: naming the extra that brings it.

    """
    try:
        import networkx  # noqa: F401, ICN001, PLC0415 -- only to see that it is here
    except ImportError as err:
        raise SwissExtraError(
            f"a Swiss cannot be paired: {err}"
            ' (install it: python -m pip install "euchre-referee[swiss]")'
        ) from err


def in_order(gains: Mapping[Edge, Sequence[int]], ends: int) -> dict[Edge, int]:
    """One weight for each edge's gains, of which the first goes before all others, and so on.

    `ends` is how many ends the edges have: a pairing has at most half as many edges.

    >>> in_order({(0, 1): (1, 0), (2, 3): (0, 7)}, ends=4)
    {(0, 1): 29, (2, 3): 7}
    """
    units: list[int] = []
    unit = 1
    for level in reversed(list(zip(*gains.values(), strict=True))):
        units.insert(0, unit)
        unit *= ends * max(abs(gain) for gain in level) + 1
    return {
        edge: sum(unit * gain for unit, gain in zip(units, row, strict=True))
        for edge, row in gains.items()
    }


def most_pairs(weights: Mapping[Edge, int]) -> tuple[Edge, ...]:
    """As many edges as can be chosen without a common end; among those, the greatest weight.

    The weights are exact integers of any size. The answer is one of the best; it is the only one,
    and so the same on any machine, where no two choices weigh the same.

    >>> most_pairs({(0, 1): 9, (1, 2): 100, (2, 3): 9})
    ((0, 1), (2, 3))
    """
    import networkx as nx  # noqa: PLC0415 -- an extra: `check_extra` has said so where it is missing

    graph: nx.Graph[int] = nx.Graph()
    for (one, other), weight in sorted(weights.items()):
        graph.add_edge(one, other, weight=weight)
    found: set[Edge] = nx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in found))
