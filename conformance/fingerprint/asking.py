"""The questions that tell rule sets apart, asked of a target whatever it claims."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from random import Random

from conformance.check import FILLED, checks_of, with_view
from conformance.corpus import Corpus
from conformance.errors import PositionError
from conformance.fingerprint.bracket import Toward, sought
from conformance.generate import played
from conformance.jsontypes import Json, Record
from conformance.knobs import RuleSets
from conformance.oracle.answer import position
from conformance.targets.base import Hello, Target

IN_A_ROW = 5
SCORES = 100
SEED = 1
CHOSEN = "cases.txt"
"""The checks that `python -m conformance.fingerprint` has chosen, one a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question: where it comes from, what is asked, and the rules it was written for."""

    source: str
    request: Record
    own: Mapping[str, str]
    score: int | None = None
    """Where both sides stand, in a question that is asked at every score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it was sent under some rules, and what came of it."""

    question: int
    sent: Mapping[str, str]
    answer: Record | None
    claimed: bool = True
    """Whether the target claims these rules."""
    broke: str = ""
    """How the target broke down over it."""


def questions(corpus: Corpus) -> list[Question]:
    """The chosen cases of the corpus, and deals finished at every score."""
    names = (files("conformance.fingerprint") / CHOSEN).read_text(encoding="ascii").split()
    wanted = {name.partition("@")[0] for name in names}
    cases = [case for case in corpus.cases if case.id in wanted]
    found = {
        check.id: Question(source=check.id, request=check.steps[-1].request, own=check.rules)
        for check in checks_of(corpus, cases)
    }
    chosen = [found[name] for name in names if name in found]
    return [*chosen, *at_scores(corpus.rulesets)]


def at_scores(rulesets: RuleSets) -> Iterator[Question]:
    """A deal at its end, and one before its first call, at every score: they show the target."""
    rules = rulesets.maps["standard"]
    chance = Random(SEED)  # noqa: S311 -- the same deal each time
    deal = played(chance, "random", "standard", rules)
    common: dict[str, Json] = {"ruleset": "standard", "rules": rules, "deal": deal.deal}
    ended: dict[str, Json] = {"actions": list(deal.actions), "tricks": []}
    for op, more in (("replay", ended), ("legal", {"actions": []})):
        for score in range(SCORES):
            at: dict[str, Json] = {"op": op, **common, "score": {"ns": score, "ew": score}}
            yield Question(
                source=f"a deal at {score}-{score}", request={**at, **more}, own=rules, score=score
            )


def ask(
    target: Target,
    hello: Hello,
    asked: Sequence[Question],
    rulesets: RuleSets,
    tell: Callable[[int, int], None] = lambda _done, _all: None,
) -> Iterator[Asked]:
    """Ask every question under its own rules and under those that the target claims first.

    Of what is asked at every score, only the scores are taken that lead to the end of a game.
    A target of `legal` alone may read the view alone, so it is asked nothing that has no view
    because the actions cannot be played.
    A target that breaks down several times in a row is asked no more.
    """
    base = _base(hello, rulesets)
    known = [one for one in enumerate(asked) if not hello.ops or one[1].request["op"] in hello.ops]
    plan = [
        (number, name, rules)
        for number, question in known
        if question.score is None
        for name, rules in _under(question, base, rulesets)
        if not (hello.ops == {"legal"} and _is_nonsense(question.request, rules))
    ]
    row = 0
    for count, one in enumerate(_answers(target, hello, asked, plan, rulesets), start=1):
        tell(count, len(plan))
        yield one
        row = row + 1 if one.broke else 0
        if row == IN_A_ROW:
            return

    def answered(number: int) -> Asked:
        plan = [(number, base, rulesets.maps[base])]
        return next(_answers(target, hello, asked, plan, rulesets))

    low = 0
    for op in ("replay", "legal"):
        upwards = [at for at, one in known if one.score is not None and one.request["op"] == op]
        found, end = _around_the_end(answered, upwards, low)
        yield from found
        low = low if end is None else end


def _around_the_end(
    answered: Callable[[int], Asked], upwards: Sequence[int], low: int
) -> tuple[list[Asked], int | None]:
    """What is answered at scores up to the lowest that ends the game, and that score if any does.

    Beyond the end no answer is known, so where an error comes it is looked for below.
    """
    found: dict[int, Asked] = {}
    played: list[int] = []
    over: list[int] = []

    def look(score: int) -> Toward:
        one = found[score] = answered(upwards[score])
        if one.answer is None or "error" in one.answer:
            return Toward.DOWN
        ended = ends_the_game(one.answer)
        (over if ended else played).append(score)
        return Toward.DOWN if ended else Toward.UP

    sought(look, low, len(upwards) - 1)
    last = min(over) if over else max(played, default=len(upwards))
    known = [one for score, one in found.items() if one.broke or score <= last]
    return known, min(over, default=None)


def ends_the_game(answer: Record) -> bool:
    """Whether an answer at a score says that no deal comes after, or none is played."""
    after = answer.get("next_dealer", answer.get("turn"))
    return "error" not in answer and after in (None, "none")


def _answers(
    target: Target,
    hello: Hello,
    asked: Sequence[Question],
    plan: Sequence[tuple[int, str, Mapping[str, str]]],
    rulesets: RuleSets,
) -> Iterator[Asked]:
    requests = (
        {"id": at, **_sent(asked[number].request, name, rules)}
        for at, (number, name, rules) in enumerate(plan, start=1)
    )
    for reply in target.ask(requests):
        number, name, rules = plan[reply.id - 1]
        answer, claimed = reply.answer, hello.plays(name, rules, rulesets)
        if answer is not None and not _is_evidence(answer, claimed):
            answer = None
        yield Asked(
            question=number,
            sent=rules,
            answer=answer,
            claimed=claimed,
            broke=reply.detail if reply.answer is None else "",
        )


def _base(hello: Hello, rulesets: RuleSets) -> str:
    """The rule set that is sent beside a question's own: the first that the target claims."""
    claimed = [name for name in rulesets.maps if name in hello.rulesets]
    return claimed[0] if claimed else "standard"


def _under(
    question: Question, base: str, rulesets: RuleSets
) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield base, rulesets.maps[base]
    if question.own != rulesets.maps[base]:
        yield str(question.request["ruleset"]), question.own


def _sent(request: Record, name: str, rules: Mapping[str, str]) -> Record:
    """A question under some rules, with the view that there is under these."""
    sent: dict[str, Json] = {**request, "ruleset": name, "rules": rules}
    if request["op"] in FILLED:
        field, knob = FILLED[str(request["op"])]
        sent[field] = rules[knob]
    sent.pop("view", None)
    return with_view(sent)


def _is_nonsense(request: Record, rules: Mapping[str, str]) -> bool:
    """Whether the actions of a question cannot be played under some rules."""
    try:
        position({**request, "rules": rules})
    except PositionError:
        return True
    return False


def _is_evidence(answer: Record, claimed: bool) -> bool:  # noqa: FBT001 -- a fact about the answer
    """Whether an answer says anything: a refusal of rules that nobody claimed does not."""
    return "unsupported" not in answer and (claimed or "error" not in answer)
