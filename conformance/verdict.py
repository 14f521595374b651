"""Judging: whether an answer says what the case wants, and the words for the result."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from conformance.check import Step
from conformance.jsontypes import Json, Record

AS_SETS = ("legal", "hand", "kitty", "alone", "out", "findings")
WHOLE = ("hands", "spread")


class Verdict(StrEnum):
    """What became of a check."""

    PASS = "pass"  # noqa: S105 -- a verdict, not a password
    FAIL = "fail"
    CRASH = "crash"
    HANG = "hang"
    PROTOCOL = "protocol"
    UNSUPPORTED = "unsupported"
    NOT_APPLICABLE = "not-applicable"
    DISPUTED = "disputed"


WORST_FIRST = (
    Verdict.CRASH,
    Verdict.HANG,
    Verdict.PROTOCOL,
    Verdict.FAIL,
    Verdict.UNSUPPORTED,
    Verdict.NOT_APPLICABLE,
    Verdict.DISPUTED,
    Verdict.PASS,
)
FAILURES = WORST_FIRST[:4]
EXECUTED = (*FAILURES, Verdict.DISPUTED, Verdict.PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """The verdict on one answer, and in words what was wrong with it."""

    verdict: Verdict
    problems: tuple[str, ...] = ()
    alternative: str = ""
    reason_judged: bool = True


def judge(step: Step, answer: Record, alternatives: Mapping[str, Record]) -> Judgment:
    """The verdict on an answer that came in time."""
    if "unsupported" in answer:
        return Judgment(
            verdict=Verdict.UNSUPPORTED, problems=(f"the target does not support {step.op!r}",)
        )
    problems = tuple(mismatches(step, step.then, answer))
    silent = "refused" in step.then and answer.get("refused") is True
    if not problems:
        return Judgment(verdict=Verdict.PASS, reason_judged=not silent)
    for name, then in alternatives.items():
        if not list(mismatches(step, then, answer)):
            return Judgment(verdict=Verdict.DISPUTED, problems=problems, alternative=name)
    return Judgment(verdict=Verdict.FAIL, problems=problems)


def mismatches(step: Step, then: Record, answer: Record) -> Iterator[str]:
    """Every way in which an answer is not what was wanted."""
    if "error" in then:
        if "error" not in answer:
            yield f"wanted an error, got {shown(answer)}"
        return
    if "error" in answer:
        yield f"answered an error: {answer['error']}"
        return
    body: Json = answer.get("view", {}) if step.op == "view" else answer
    if not isinstance(body, Mapping):
        yield f"view is not an object: {shown(body)}"
        return
    for name, wanted in then.items():
        if name == "hidden":
            yield from _leaks(wanted, answer)
        elif name == "unchanged":
            yield from _changed(step, body)
        elif name == "refused":
            yield from _refused(wanted, body)
        else:
            yield from _differs(name, wanted, body.get(name))
    if step.op in ("apply", "replay") and "refused" not in then and "refused" in body:
        yield f"refused with {shown(body['refused'])}, wanted it accepted"


def _refused(wanted: Json, body: Record) -> Iterator[str]:
    got = body.get("refused")
    if wanted == "none":
        if got not in (None, "none"):
            yield f"refused with {shown(got)}, wanted it accepted"
    elif got in (None, "none", False, ""):
        yield f"accepted, wanted it refused with {wanted}"
    elif got is not True and got != wanted:
        yield f"refused with {shown(got)}, wanted {wanted}"


def _changed(step: Step, body: Record) -> Iterator[str]:
    before = step.before or {}
    for name in ("turn", "legal"):
        if name in before:
            for problem in _differs(name, before[name], body.get(name)):
                yield f"changed by the refusal: {problem}"


def _leaks(wanted: Json, answer: Record) -> Iterator[str]:
    seen = set(_texts(answer))
    if isinstance(wanted, list):
        for card in wanted:
            if card in seen:
                yield f"shows the hidden card {card}"


def _texts(value: Json) -> Iterator[str]:
    """Every word anywhere in an answer."""
    if isinstance(value, str):
        yield value
        yield from value.split()
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _differs(name: str, wanted: Json, got: Json) -> Iterator[str]:
    if wanted == "none":
        if got not in (None, "none"):
            yield f"{name}: got {shown(got)}, wanted none"
    elif wanted is False and got is None:
        return
    elif name in AS_SETS and isinstance(wanted, list):
        yield from _set_differs(name, wanted, got)
    elif isinstance(wanted, Mapping):
        yield from _map_differs(name, wanted, got)
    elif isinstance(wanted, list) and isinstance(got, list) and name in ("trick", "scores"):
        yield from _list_differs(name, wanted, got)
    elif not same(wanted, got):
        yield f"{name}: got {shown(got)}, wanted {shown(wanted)}"


def _set_differs(name: str, wanted: list[Json], got: Json) -> Iterator[str]:
    if not isinstance(got, list):
        yield f"{name}: got {shown(got)}, wanted {shown(wanted)}"
        return
    if _same_words(wanted, got):
        return
    want = {shown(item) for item in wanted}
    have = [shown(item) for item in got]
    missing = sorted(want - set(have))
    extra = sorted(set(have) - want)
    twice = sorted({item for item in have if have.count(item) > 1})
    parts = [
        f"{word} {', '.join(items)}"
        for word, items in (("lacks", missing), ("has besides", extra), ("has twice", twice))
        if items
    ]
    if parts:
        yield f"{name}: {'; '.join(parts)}"


def _same_words(wanted: list[Json], got: list[Json]) -> bool:
    """Whether two lists hold the same texts, each once: the common case, looked at first."""
    words = {item for item in got if isinstance(item, str)}
    return (
        len(words) == len(got) == len(wanted)
        and words.issuperset(item for item in wanted if isinstance(item, str))
        and all(isinstance(item, str) for item in wanted)
    )


def _map_differs(name: str, wanted: Mapping[str, Json], got: Json) -> Iterator[str]:
    if not isinstance(got, Mapping):
        yield f"{name}: got {shown(got)}, wanted {shown(wanted)}"
        return
    for key, value in wanted.items():
        if name == "hands" and isinstance(value, list):
            yield from _set_differs(f"{name}.{key}", value, got.get(key))
        else:
            yield from _differs(f"{name}.{key}", value, got.get(key))
    if name in WHOLE:
        for key in got:
            if key not in wanted:
                yield f"{name}: has besides {key}"


def _list_differs(name: str, wanted: list[Json], got: list[Json]) -> Iterator[str]:
    if len(wanted) != len(got):
        yield f"{name}: got {shown(got)}, wanted {shown(wanted)}"
        return
    for index, (want, have) in enumerate(zip(wanted, got, strict=True)):
        yield from _differs(f"{name}[{index}]", want, have)


def same(wanted: Json, got: Json) -> bool:
    """Whether two values are equal, a boolean never being a number."""
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(same, wanted, got))
    return wanted == got


def shown(value: Json) -> str:
    """A value for a message, cut where it is long."""
    if value is None:
        return "nothing"
    if isinstance(value, list):
        text = "[" + ", ".join(shown(item) for item in value) + "]"
    elif isinstance(value, Mapping):
        text = "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    else:
        text = str(value)
    return text if len(text) <= 200 else text[:199] + "…"  # noqa: PLR2004 -- one line or two
