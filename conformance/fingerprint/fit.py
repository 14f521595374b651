"""The rules under which the oracle answers as the target did: those that explain most answers.

A model gives each knob a value, or says that it follows the rules that are sent.
From each named rule set, and from an engine that follows every knob, the knobs are turned one by
one as long as more answers are explained.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.fingerprint.asking import Asked, Question, ends_the_game
from conformance.fingerprint.compare import Comparison, paid
from conformance.fingerprint.predict import Leaf, Predictor, Value
from conformance.jsontypes import Record
from conformance.knobs import RuleSets, meaningless

FOLLOWED: Final = "as sent"
"""What a model says of a knob that follows the rules that are sent."""
TRIED = 3
NEAR = 6
BEYOND = 999
STEPS = 6
"""How far a model may go from a named rule set; further off, none is near."""
Model = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The best model, and how well it explains the answers."""

    model: Model
    start: str
    agree: int
    answers: int
    wrong: tuple[int, ...]

    @property
    def follows(self) -> bool:
        """Whether the model began with an engine that follows every knob."""
        return self.start == FOLLOWED

    def rules_near(self, rulesets: RuleSets) -> dict[str, str]:
        """The model as rules, what it follows being as where it began."""
        base = rulesets.maps.get(self.start, rulesets.maps["standard"])
        return {
            knob: base[knob] if value == FOLLOWED else value for knob, value in self.model.items()
        }


class Fitter:
    """The answers of one target, held against models."""

    def __init__(
        self,
        asked: Sequence[Question],
        answers: Sequence[Asked],
        rulesets: RuleSets,
        predictor: Predictor,
    ) -> None:
        self.rulesets = rulesets
        self.questions = asked
        heard = [item for item in answers if item.answer is not None]
        last = _last_score(asked, heard)
        self.items = [item for item in heard if _begun_at(asked[item.question]) <= last]
        self._predictor = predictor
        replies = [(self._op(item), item.answer or {}) for item in self.items]
        self._comparison = Comparison(replies)
        self._fits: dict[tuple[int, int], tuple[Leaf, bool]] = {}
        self._paid = {one for item in self.items for one in paid(item.answer or {})}
        self._ends = self._shown_ends()
        self._candidates = {knob: list(self._values(knob)) for knob in rulesets.knobs}

    def _op(self, item: Asked) -> str:
        return str(self.questions[item.question].request["op"])

    def _values(self, name: str) -> Iterator[str]:
        """Every value that a knob may have: of numbers those that an answer or a rule set shows."""
        knob = self.rulesets.knobs[name]
        yield FOLLOWED
        yield from knob.built
        if knob.span is not None:
            low, high = knob.span
            sent = [*self.rulesets.maps.values(), *(item.sent for item in self.items)]
            known = {int(rules[name]) for rules in sent if rules[name].isdigit()}
            shown = self._ends if name == "target" else self._paid
            yield from (
                str(one) for one in sorted({low, high} | shown | known) if low <= one <= high
            )

    def _shown_ends(self) -> set[int]:
        """The targets that the scores show at which a game is over: what a deal pays is open."""
        return {
            score + more
            for op, score in _ends(self.questions, self.items)
            for more in range(NEAR if op == "replay" else 1)
        }

    def agrees(self, number: int, model: Model) -> bool:
        """Whether an answer is what the model says."""
        item = self.items[number]
        return self._same(number, self._predictor.leaf(item.question, _value(model, item.sent)))

    def _same(self, number: int, leaf: Leaf) -> bool:
        key = (number, id(leaf))
        if key not in self._fits:
            item = self.items[number]
            fits = self._comparison.same(self._op(item), leaf.answer, item.answer or {})
            self._fits[key] = (leaf, fits)
        return self._fits[key][1]

    def best(self) -> Fit:
        """The model that explains most answers; the plainer one where two explain as many."""
        starts: dict[str, Model] = dict(self.rulesets.maps)
        starts[FOLLOWED] = dict.fromkeys(self.rulesets.knobs, FOLLOWED)
        scored = sorted(starts, key=lambda name: self._score(starts[name]), reverse=True)
        found: list[Fit] = []
        for name in scored[:TRIED]:
            found.append(self._climbed(name, starts[name]))
            if not found[-1].wrong:
                break
        return max(found, key=lambda fit: (fit.agree, -self._turned(fit, starts[fit.start])))

    def _turned(self, fit: Fit, start: Model) -> int:
        return sum(fit.model[knob] != start[knob] for knob in start)

    def _score(self, model: Model) -> int:
        return sum(self.agrees(number, model) for number in range(len(self.items)))

    def _climbed(self, name: str, start: Model) -> Fit:
        model = start
        if 2 * self._score(start) > len(self.items):
            for _ in range(len(start) if name == FOLLOWED else STEPS):
                step = self._step(model)
                if step is None:
                    break
                model = step
        return self.judged(name, self._settled(start, model))

    def _settled(self, start: Model, model: Model) -> Model:
        """The model with the knobs turned back that explain nothing after the later turns."""
        for knob, value in start.items():
            back = {**model, knob: value}
            if value != model[knob] and makes_sense(back):
                numbered = self.touched(model)[knob]
                if self._as_good(back, numbered):
                    model = back
        return model

    def judged(self, name: str, model: Model) -> Fit:
        """How well a model explains the answers."""
        wrong = [number for number in range(len(self.items)) if not self.agrees(number, model)]
        return Fit(
            model=model,
            start=name,
            agree=len(self.items) - len(wrong),
            answers=len(self.items),
            wrong=tuple(wrong),
        )

    def _step(self, model: Model) -> Model | None:
        """The model with the one knob turned that explains most answers more; none if none does."""
        best, gain = None, 0
        for knob, numbered in self.touched(model).items():
            wrong = [number for number, right in numbered if not right]
            sure = [number for number, right in numbered if right]
            for value in self._candidates[knob]:
                other = {**model, knob: value}
                if value == model[knob] or len(wrong) <= gain or not makes_sense(other):
                    continue
                won = sum(self.agrees(number, other) for number in wrong)
                if won > gain:
                    lost = sum(not self.agrees(number, other) for number in sure)
                    if won - lost > gain:
                        best, gain = other, won - lost
        return best

    def touched(self, model: Model) -> dict[str, list[tuple[int, bool]]]:
        """For each knob the answers that depend on it, and whether the model explains them."""
        found: dict[str, list[tuple[int, bool]]] = {knob: [] for knob in model}
        for number, item in enumerate(self.items):
            leaf = self._predictor.leaf(item.question, _value(model, item.sent))
            right = self._same(number, leaf)
            for knob in leaf.knobs:
                found[knob].append((number, right))
        return found

    def alike(self, model: Model, knob: str, numbered: Sequence[tuple[int, bool]]) -> "Alike":
        """The other values of a knob that explain the answers as well."""

        def fits(value: str) -> bool:
            other = {**model, knob: value}
            return makes_sense(other) and self._as_good(other, numbered)

        known = self.rulesets.knobs[knob]
        words = [value for value in known.built if value != model[knob] and fits(value)]
        if known.span is None:
            return Alike(tuple(words))
        low, high = known.span
        if not model[knob].isdigit():
            return Alike(tuple(words + [text for text in (str(low), str(high)) if fits(text)]))
        here = int(model[knob])
        return Alike(tuple(words), here, _last(here, low, fits), _last(here, high, fits))

    def _as_good(self, other: Model, numbered: Sequence[tuple[int, bool]]) -> bool:
        debt = 0
        rest = sum(not right for _, right in numbered)
        for number, right in numbered:
            now = self.agrees(number, other)
            debt += right - now
            rest -= not right
            if debt > rest:
                return False
        return debt <= 0

    def telling(self, model: Model, knob: str, value: str) -> list[int]:
        """The answers that the model explains and would not with another value of a knob."""
        other = {**model, knob: value}
        return [
            number
            for number, right in self.touched(model)[knob]
            if right and not self.agrees(number, other)
        ]

    def follows_as_well(self, fit: Fit) -> bool:
        """Whether an engine that follows every knob would explain as many answers."""
        follower = dict.fromkeys(self.rulesets.knobs, FOLLOWED)
        return self._score(follower) >= fit.agree

    def never_looked_at(self, knob: str) -> bool:
        """Whether no answer of the oracle depended on a knob."""
        return knob not in self._predictor.looked_at

    def differs(self, question: int, model: Model, knob: str, value: str) -> bool:
        """Whether a question would tell two values of a knob apart, were it answered."""
        sent = self.questions[question].own
        one = self._predictor.leaf(question, _value(model, sent))
        two = self._predictor.leaf(question, _value({**model, knob: value}, sent))
        return one.answer != two.answer


@dataclass(frozen=True, slots=True)
class Alike:
    """Values of a knob that answer alike: words, and numbers from a lowest to a highest."""

    words: tuple[str, ...] = ()
    here: int = 0
    low: int = 0
    high: int = 0

    def __bool__(self) -> bool:
        return bool(self.words) or self.low < self.high

    def __contains__(self, value: str) -> bool:
        inside = value.isdigit() and self.low <= int(value) <= self.high and self.low < self.high
        return value in self.words or inside

    def shown(self) -> str:
        """The values in words."""
        numbers = [f"{self.low}..{self.high}"] if self.low < self.high else []
        return ", ".join([*self.words, *numbers])


def _last(here: int, bound: int, fits: Callable[[str], bool]) -> int:
    """The number furthest towards a bound that still fits; those between fit too."""
    way = 1 if bound > here else -1
    good, bad = 0, abs(bound - here) + 1
    while good + 1 < bad:
        middle = good + 1 if good == 0 else (good + bad) // 2
        if fits(str(here + way * middle)):
            good = middle
        else:
            bad = middle
    return here + way * good


def makes_sense(model: Model) -> bool:
    """Whether the values that a model fixes go together."""
    if FOLLOWED in model.values():
        return True
    return meaningless(model) is None


def _begun_at(question: Question) -> int:
    """The higher score before the deal of a question."""
    score = question.request.get("score")
    if question.score is not None or not isinstance(score, Mapping):
        return 0
    return max(one for one in score.values() if isinstance(one, int))


def _ends(asked: Sequence[Question], heard: Sequence[Asked]) -> Iterator[tuple[str, int]]:
    """The questions that show a game to be over, and the scores at which they do."""
    for item in heard:
        question = asked[item.question]
        if question.score is not None and ends_the_game(item.answer or {}):
            yield str(question.request["op"]), question.score


def _last_score(asked: Sequence[Question], heard: Sequence[Asked]) -> int:
    """The highest score at which the target still plays a deal: beyond, no answer is known."""
    ends = dict(sorted(_ends(asked, heard), reverse=True))
    questions = (asked[item.question] for item in heard)
    if any(one.score is not None and one.request["op"] == "legal" for one in questions):
        return max(0, ends.get("legal", BEYOND + 1) - 1)
    return ends.get("replay", BEYOND)


def _value(model: Model, sent: Mapping[str, str]) -> Value:
    """The value of a knob under a model, where some rules were sent."""
    if FOLLOWED not in model.values():
        return model.__getitem__

    def value(knob: str) -> str:
        fixed = model[knob]
        return sent[knob] if fixed == FOLLOWED else fixed

    return value


def fitted(
    asked: Sequence[Question],
    answers: Sequence[Asked],
    rulesets: RuleSets,
    predictor: Predictor | None = None,
) -> tuple[Fitter, Fit]:
    """The answers held against models, and the best of them."""
    known = predictor or predicting(asked, rulesets)
    fitter = Fitter(asked, answers, rulesets, known)
    return fitter, fitter.best()


def predicting(asked: Sequence[Question], rulesets: RuleSets) -> Predictor:
    """A predictor of these questions, to be used for several targets."""
    requests: list[Record] = [question.request for question in asked]
    return Predictor(requests, list(rulesets.knobs))
