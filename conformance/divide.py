"""Finding the wrong branch of a tree: the ways to play on, counted below each action."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conformance.errors import CorpusError
from conformance.jsontypes import Json, Record, texts_of
from conformance.oracle import answer, position
from conformance.targets.base import Target
from conformance.verdict import shown

DEEP = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """One action, what the target counts below it, and what the oracle counts."""

    action: str
    got: Json
    wanted: Record

    @property
    def right(self) -> bool:
        """Whether both count the same results."""
        return isinstance(self.got, Mapping) and dict(self.got) == dict(self.wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A position, and the branches below it."""

    actions: tuple[str, ...]
    legal: str
    branches: tuple[Branch, ...]


def divide(target: Target, request: Record) -> Iterator[Level]:
    """Descend into the first branch that the target counts wrongly, a level at a time."""
    actions = texts_of(request.get("actions", []), "actions")
    depth = request.get("depth", DEEP)
    left = depth if isinstance(depth, int) else DEEP
    while left > 0:
        level = _level(target, {**request, "actions": actions}, left)
        if not level.branches:
            return
        yield level
        wrong = [branch.action for branch in level.branches if not branch.right]
        if level.legal or not wrong:
            return
        actions = [*actions, wrong[0]]
        left -= 1


def _level(target: Target, request: Record, depth: int) -> Level:
    common = {key: value for key, value in request.items() if key not in ("op", "depth", "view")}
    actions = texts_of(request["actions"], "actions")
    legal = sorted(position(request).hand.legal())
    asked: list[dict[str, Json]] = [{"op": "legal", **common}]
    for action in legal:
        below: dict[str, Json] = {"op": "perft", **common, "actions": [*actions, action]}
        asked.append({**below, "depth": depth - 1})
    answers: dict[int, Record] = {}
    for reply in target.ask({"id": number, **item} for number, item in enumerate(asked, start=1)):
        answers[reply.id] = reply.answer or {"error": reply.detail}
    theirs = answers[1].get("legal")
    same = isinstance(theirs, list) and sorted(map(str, theirs)) == legal
    branches = [
        Branch(
            action=action,
            got=answers[number].get("spread", answers[number].get("error")),
            wanted=_spread(asked[number - 1]),
        )
        for number, action in enumerate(legal, start=2)
    ]
    return Level(
        actions=tuple(actions),
        legal="" if same else f"legal here: got {shown(theirs)}, wanted {shown(legal)}",
        branches=tuple(branches),
    )


def _spread(request: Record) -> Record:
    spread = answer(request).get("spread")
    if not isinstance(spread, Mapping):
        raise CorpusError(f"the oracle counts nothing: {answer(request)}")
    return spread
