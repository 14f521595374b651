"""What an engine of some rules answers, each answer worked out once.

The oracle looks at a few knobs only before it answers a question.
A question therefore has a tree: at each fork a knob, below it the values that were tried, and at
the leaves the answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from conformance.check import FILLED
from conformance.jsontypes import Json, Record
from conformance.oracle import Watched, answer

Value = Callable[[str], str]
"""The value of a knob."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """An answer, and the knobs that it depends on."""

    answer: Record
    knobs: tuple[str, ...]


@dataclass(slots=True)
class _Fork:
    knob: str
    below: "dict[str, _Fork | Leaf]" = field(default_factory=dict)


class Predictor:
    """The answers of the oracle to some questions, under any rules."""

    def __init__(self, requests: Sequence[Record], knobs: Sequence[str]) -> None:
        self._requests = [_bare(request) for request in requests]
        self._knobs = knobs
        self.looked_at: set[str] = set()
        self._trees: list[_Fork | Leaf | None] = [None] * len(requests)

    def leaf(self, number: int, value: Value) -> Leaf:
        """The answer to a question."""
        node = self._trees[number]
        while isinstance(node, _Fork):
            node = node.below.get(value(node.knob))
        if node is not None:
            return node
        rules = Watched({knob: value(knob) for knob in self._knobs})
        said = answer({**self._requests[number], "rules": rules})
        leaf = Leaf(said, tuple(rules.seen))
        self.looked_at |= rules.seen.keys()
        self._keep(number, list(rules.seen.items()), leaf)
        return leaf

    def _keep(self, number: int, seen: list[tuple[str, str]], leaf: Leaf) -> None:
        """Add an answer to the tree of its question."""
        if not seen:
            self._trees[number] = leaf
            return
        root = self._trees[number]
        if root is None:
            root = self._trees[number] = _Fork(seen[0][0])
        node: _Fork | Leaf = root
        for (knob, value), (after, _) in zip(seen, [*seen[1:], ("", "")], strict=True):
            if not isinstance(node, _Fork) or node.knob != knob:
                return
            node = node.below.setdefault(value, _Fork(after) if after else leaf)


def _bare(request: Record) -> dict[str, Json]:
    """A request without what the rules say by themselves."""
    filled = [name for name, _ in FILLED.values()]
    return {key: value for key, value in request.items() if key not in ("rules", *filled)}
