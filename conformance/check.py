"""A check: one case under one rule set, as the requests that are sent and the answers wanted."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from conformance.case import Case
from conformance.corpus import Corpus, spread
from conformance.errors import CorpusError, PositionError, UsageError
from conformance.jsontypes import Json, Record, list_of, texts_of
from conformance.knobs import RuleSets
from conformance.oracle import answer
from conformance.oracle.answer import position, standing
from conformance.oracle.view import small_view
from conformance.oracle.whole import Table

UNPLAYED = ("deck", "draw", "game", "adjudicate", "verify")
"""The ops whose request nobody has played before the oracle is asked."""

SEEN = ("legal", "apply")
"""The ops whose request holds what the seat on turn sees."""

FILLED = {"deck": ("packets", "packets"), "draw": ("method", "first_dealer")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One request, and what its answer must say."""

    op: str
    request: Record
    then: Record
    before: Record | None = None
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A case under one rule set."""

    case: Case
    ruleset: str
    rules: Mapping[str, str]
    steps: tuple[Step, ...] = field(repr=False)

    @property
    def id(self) -> str:
        """The name of the check."""
        return f"{self.case.id}@{self.ruleset}"


def checks_of(
    corpus: Corpus, cases: Iterable[Case] | None = None, rulesets: Collection[str] = ()
) -> Iterator[Check]:
    """Every check of the corpus, or of some of its cases, or under some rule sets."""
    for case in corpus.cases if cases is None else cases:
        if case.status in ("draft", "withdrawn"):
            continue
        for name, rules in spread(case, corpus.rulesets).items():
            if rulesets and name not in rulesets:
                continue
            try:
                steps = tuple(_steps(case, name, rules))
            except PositionError as err:
                raise CorpusError(f"{case.place()}: case {case.id} under {name}: {err}") from err
            yield Check(case=case, ruleset=name, rules=rules, steps=steps)


def first_request(case: Case, rulesets: RuleSets) -> Record:
    """What a case asks under the first rule set that it runs under, drafts too."""
    for name, rules in spread(case, rulesets).items():
        try:
            return list(_steps(case, name, rules))[-1].request
        except PositionError as err:
            raise UsageError(f"{case.place()}: case {case.id} under {name}: {err}") from err
    raise UsageError(f"{case.place()}: case {case.id}: no rule set satisfies its where")


def with_view(request: Record) -> Record:
    """A request as it is sent: with what the seat on turn sees, where the actions can be played."""
    if request["op"] not in SEEN:
        return request
    try:
        seen = small_view(position(request))
    except PositionError:
        return request
    return request if seen is None else {**request, "view": seen}


def _steps(case: Case, name: str, rules: Mapping[str, str]) -> Iterator[Step]:
    request: dict[str, Json] = {"op": case.op, "ruleset": name, "rules": rules}
    request |= case.given
    request |= case.ask
    if case.op in FILLED:
        missing, knob = FILLED[case.op]
        request.setdefault(missing, rules[knob])
    if case.op in UNPLAYED and "error" not in case.then:
        refused = answer(request).get("error")
        if refused is not None:
            raise PositionError(str(refused))
    if "deal" not in case.given:
        yield Step(op=case.op, request=request, then=case.then)
        return
    table = position(request)
    before = standing(table)
    if case.op in SEEN and (seen := small_view(table)) is not None:
        request["view"] = seen
    if case.op == "replay":
        yield from _projected(request, table)
    yield Step(op=case.op, request=request, then=case.then, before=before)


def _projected(request: Record, table: Table) -> Iterator[Step]:
    """A `legal` check before every card of the tricks, as far as the cards are legal."""
    actions = texts_of(request.get("actions", []), "actions")
    plays = [
        action
        for trick in list_of(request.get("tricks", []), "tricks")
        for action in texts_of(trick, "a trick")
    ]
    common = {key: request[key] for key in ("ruleset", "rules", "deal", "score") if key in request}
    for number, action in enumerate(plays, start=1):
        then = standing(table)
        seen = small_view(table)
        asked: dict[str, Json] = {"op": "legal", **common, "actions": list(actions)}
        if seen is not None:
            asked["view"] = seen
        yield Step(op="legal", request=asked, then=then, label=f"before card {number}")
        seat = table.hand.turn
        if seat is None or table.refusal(seat, action) is not None:
            return
        table.hand.apply(action)
        actions.append(action)
