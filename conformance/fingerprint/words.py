"""What a fingerprint says: the nearest rule set, the knobs that differ, and what cannot be told."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from conformance.fingerprint.asking import Asked, Question
from conformance.fingerprint.fit import FOLLOWED, Alike, Fit, Fitter
from conformance.jsontypes import Json

SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A knob that is not as it was expected to be, and the questions that told."""

    knob: str
    value: str
    expected: str
    told_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Untold:
    """A knob of which some values answer alike, and why."""

    knob: str
    alike: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """All that the answers of a target tell of its rules."""

    target: str
    follows: bool
    nearest: str
    turned: tuple[Turned, ...]
    followed: tuple[str, ...]
    untold: tuple[Untold, ...]
    agree: int
    answers: int
    wrong: tuple[str, ...]
    outside: tuple[str, ...]
    """What is answered otherwise under rules that the target does not claim."""
    follows_unknown: bool
    breakdowns: tuple[str, ...]
    rules: Mapping[str, str]

    @property
    def known(self) -> bool:
        """Whether any rule set explains most answers."""
        return 2 * self.agree > self.answers

    @property
    def fits(self) -> bool:
        """Whether every answer under rules that the target claims is explained."""
        return self.known and not self.wrong

    def lines(self) -> Iterator[str]:
        """The report for a reader."""
        if not self.answers:
            yield f"{self.target}: nothing to tell it by: it answered none of the questions"
        elif not self.known:
            yield (
                f"{self.target}: fits no rule set: {self.answers - self.agree} answers are "
                f"otherwise even than the nearest, {self.nearest or 'the rules that are sent'}"
            )
            return
        elif self.follows:
            yield f"{self.target}: follows the rules it is sent"
        else:
            yield f"{self.target}: plays one rule set, whatever it is sent"
            yield f"nearest rule set: {self.nearest}"
        for one in self.turned:
            beside = "always " if self.follows else ""
            other = "" if self.follows else f" ({self.nearest}: {one.expected})"
            yield f"  {one.knob}: {beside}{one.value}{other}  told by {_some(one.told_by)}"
        if self.followed:
            yield f"  follows what it is sent in: {', '.join(self.followed)}"
        if self.follows_unknown:
            yield "  whether it follows other rules cannot be told: it answered under no others"
        yield from (
            f"cannot be told: {one.knob} ({one.alike} answer alike): {one.why}"
            for one in self.untold
        )
        if self.fits:
            yield f"{self.agree} of {self.answers} answers fit"
        elif self.answers:
            yield (
                f"fits no rule set: {len(self.wrong)} questions are answered otherwise than by the "
                f"nearest: {_some(self.wrong)}"
            )
        if self.outside:
            yield (
                f"outside its claims {len(self.outside)} questions are answered by no rules that "
                f"are known: {_some(self.outside)}"
            )
        if self.breakdowns:
            yield f"broke down {len(self.breakdowns)} times: {self.breakdowns[0]}"

    def as_json(self) -> dict[str, Json]:
        """The report for a program."""
        return {
            "target": self.target,
            "follows": self.follows,
            "nearest": self.nearest,
            "knobs": [
                {
                    "knob": one.knob,
                    "value": one.value,
                    "expected": one.expected,
                    "told_by": list(one.told_by),
                }
                for one in self.turned
            ],
            "followed": list(self.followed),
            "cannot_be_told": [
                {"knob": one.knob, "alike": one.alike, "why": one.why} for one in self.untold
            ],
            "rules": dict(self.rules),
            "fits": self.fits,
            "agree": self.agree,
            "answers": self.answers,
            "wrong": list(self.wrong),
            "outside_claims": list(self.outside),
            "follows_unknown": self.follows_unknown,
            "breakdowns": list(self.breakdowns),
        }


def _some(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def fingerprint(
    target: str,
    fitter: Fitter,
    fit: Fit,
    answers: Sequence[Asked],
    *,
    deals: int | None = None,
) -> Fingerprint:
    """What a fit tells; `deals` is the length of a game where it was measured."""
    asked = fitter.questions
    if deals is not None:
        fit = fitter.judged(fit.start, {**fit.model, "deals": str(deals)})
    touched = fitter.touched(fit.model)
    alike = {
        knob: fitter.alike(fit.model, knob, touched[knob])
        for knob in fit.model
        if knob != "deals" or deals is None
    }
    alike.setdefault("deals", Alike())
    maps = fitter.rulesets.maps
    nearest = min(maps, key=lambda name: len(_differing(fit, maps[name], alike)))
    expected = dict.fromkeys(maps[nearest], FOLLOWED) if fit.follows else maps[nearest]
    turned = _differing(fit, expected, alike)
    rules = {knob: _value(fit, knob, maps[nearest], alike[knob]) for knob in fit.model}
    return Fingerprint(
        target=target,
        follows=fit.follows,
        nearest="" if fit.follows else nearest,
        turned=tuple(_told(turned, fitter, fit, maps[nearest], deals)),
        followed=tuple(
            knob
            for knob, value in fit.model.items()
            if value == FOLLOWED and not fit.follows and knob in _ever_seen(touched)
        ),
        untold=tuple(_untold(fitter, fit, alike, answers, asked)),
        agree=fit.agree,
        answers=fit.answers,
        wrong=_sources(fitter, fit, claimed=True),
        outside=_sources(fitter, fit, claimed=False),
        follows_unknown=not fit.follows and fit.agree > 0 and fitter.follows_as_well(fit),
        breakdowns=tuple(one.broke for one in answers if one.broke),
        rules=rules,
    )


def _sources(fitter: Fitter, fit: Fit, *, claimed: bool) -> tuple[str, ...]:
    """The questions that the model does not explain, under rules that are claimed or are not."""
    wrong = [fitter.items[number] for number in fit.wrong]
    return tuple(
        unique(fitter.questions[one.question].source for one in wrong if one.claimed == claimed)
    )


def _ever_seen(touched: Mapping[str, Sequence[tuple[int, bool]]]) -> set[str]:
    return {knob for knob, numbered in touched.items() if numbered}


def _value(fit: Fit, knob: str, near: Mapping[str, str], alike: Alike) -> str:
    return near[knob] if near[knob] in alike and not fit.follows else fit.model[knob]


def _differing(fit: Fit, expected: Mapping[str, str], alike: Mapping[str, Alike]) -> list[str]:
    return [
        knob
        for knob, value in fit.model.items()
        if value not in (expected[knob], FOLLOWED) and expected[knob] not in alike[knob]
    ]


def _told(
    knobs: Iterable[str], fitter: Fitter, fit: Fit, near: Mapping[str, str], deals: int | None
) -> Iterator[Turned]:
    for knob in knobs:
        other = FOLLOWED if fit.follows else near[knob]
        told = unique(
            fitter.questions[fitter.items[number].question].source
            for number in fitter.telling(fit.model, knob, other)
        )
        if knob == "deals" and deals is not None:
            told = [f"a game of {deals} deals", *told]
        yield Turned(knob=knob, value=fit.model[knob], expected=other, told_by=tuple(told))


def unique(names: Iterable[str]) -> list[str]:
    """Each name once, in the order in which it came."""
    return list(dict.fromkeys(names))


def _untold(
    fitter: Fitter,
    fit: Fit,
    alike: Mapping[str, Alike],
    answers: Sequence[Asked],
    asked: Sequence[Question],
) -> Iterator[Untold]:
    heard = {one.question for one in answers if one.answer is not None}
    missing = [number for number in range(len(asked)) if number not in heard]
    for knob, values in alike.items():
        if not values or fit.model[knob] == FOLLOWED:
            continue
        other = next(iter(values.words), str(values.low))
        if other == fit.model[knob]:
            other = str(values.high)
        ops = unique(
            str(asked[number].request["op"])
            for number in missing
            if fitter.differs(number, fit.model, knob, other)
        )
        shown = values.shown()
        if fit.model[knob] not in values:
            shown = f"{fit.model[knob]}, {shown}"
        if ops:
            why = f"it takes an answer to {' or '.join(ops)}"
        elif fitter.never_looked_at(knob):
            why = "no answer shows it"
        else:
            why = "nothing that can happen under its other rules depends on it"
        yield Untold(knob=knob, alike=shown, why=why)
    if fit.follows:
        unseen = [knob for knob in fit.model if fit.model[knob] == FOLLOWED and alike[knob]]
        for knob in unseen:
            why = "no answer shows it" if fitter.never_looked_at(knob) else "too few answers"
            yield Untold(knob=knob, alike=f"followed, {alike[knob].shown()}", why=why)
