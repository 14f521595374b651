"""What every target offers, and the hello it introduces itself with."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from conformance.errors import TargetStartError
from conformance.jsontypes import Json, Record
from conformance.knobs import RuleSets
from conformance.tree import near
from conformance.verdict import Verdict

PROTOCOL = 1
DEEPEST = 40
OPS = (
    *("legal", "apply", "view", "replay", "score", "deck", "draw", "game", "perft", "adjudicate"),
    "verify",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """What a target says it can do."""

    name: str
    version: str
    language: str
    ops: frozenset[str]
    knobs: Mapping[str, tuple[str, ...]]
    rulesets: frozenset[str]
    parallel: bool

    def plays(self, ruleset: str, rules: Mapping[str, str], rulesets: RuleSets) -> bool:
        """Whether the target claims these rules, by name or knob by knob."""
        if ruleset in self.rulesets and rulesets.maps.get(ruleset) == rules:
            return True
        for name, value in rules.items():
            claimed = self.knobs.get(name, (rulesets.knobs[name].default,))
            if "any" not in claimed and value not in claimed:
                return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, or what came instead of one."""

    id: int
    answer: Record | None = None
    fault: Verdict | None = None
    detail: str = ""
    stderr: str = ""


class BrokenError(Exception):
    """A talk with a target ended: why, in a verdict and in words.

    `confused` where an answer had an id that nothing waits for, `twice` if it was answered before.
    """

    def __init__(
        self, fault: Verdict, detail: str, *, confused: bool = False, twice: int | None = None
    ) -> None:
        super().__init__(detail)
        self.fault = fault
        self.detail = detail
        self.confused = confused
        self.twice = twice


class Target(Protocol):
    """Something that claims to play Euchre."""

    name: str

    def hello(self, request: Record) -> Hello:
        """Start, and say what is claimed."""

    def ask(self, requests: Iterable[Record]) -> Iterator[Reply]:
        """Answer requests, in any order, each once.

        Another reply may follow for a request that was answered before (its answer was another's,
        or it was answered twice); then the last one counts.
        """

    def forget(self, numbers: Iterable[int]) -> None:
        """Leave requests unasked that have no answer yet, after a reply with a fault."""

    def close(self) -> None:
        """End what was started."""


def hello_from(answer: Record, name: str) -> Hello:
    """The hello of a target's first answer; anything malformed is refused."""
    if answer.get("protocol") != PROTOCOL or answer.get("protocol") is True:
        raise TargetStartError(
            f"{name}: speaks protocol {answer.get('protocol')!r}: answer hello with "
            f'"protocol": {PROTOCOL}'
        )
    number = answer.get("id", 0)
    if number != 0 or isinstance(number, bool):
        raise TargetStartError(f'{name}: hello has the id {number!r}: answer it with "id": 0')
    claimed = answer.get("knobs", {})
    if not isinstance(claimed, Mapping):
        raise TargetStartError(
            f'{name}: knobs in hello is not an object: write "knobs": {{"target": ["any"]}}'
        )
    parallel = answer.get("parallel", False)
    if not isinstance(parallel, bool):
        raise TargetStartError(f"{name}: parallel in hello is {parallel!r}: write true or false")
    ops = frozenset(_texts(answer.get("ops", []), "ops", name))
    if not ops:
        raise TargetStartError(
            f'{name}: hello lists no ops: name what is answered, as "ops": ["legal"]'
        )
    knobs = {knob: _texts(values, f"knobs.{knob}", name) for knob, values in claimed.items()}
    for knob, values in knobs.items():
        if not values:
            raise TargetStartError(f"{name}: knobs.{knob} in hello has no value: leave it out")
    return Hello(
        name=_text(answer, "name", name) or name,
        version=_text(answer, "version", name),
        language=_text(answer, "language", name),
        ops=ops,
        knobs=knobs,
        rulesets=frozenset(_texts(answer.get("rulesets", []), "rulesets", name)),
        parallel=parallel,
    )


def _text(answer: Record, field: str, name: str) -> str:
    value = answer.get(field, "")
    if not isinstance(value, str):
        raise TargetStartError(f"{name}: {field} in hello is not a text: {value!r}")
    return value


def _texts(value: Json, what: str, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TargetStartError(f"{name}: {what} in hello is not a list of texts")
    return tuple(str(item) for item in value)


def odd_claims(hello: Hello, rulesets: RuleSets) -> tuple[str, ...]:
    """What hello claims that nobody can ask: a slip narrows what is asked, so it is said."""
    return tuple(_odd(hello, rulesets))


def unsaid_claim(hello: Hello, rulesets: RuleSets) -> tuple[str, str] | None:
    """The rules that hello claims by leaving knobs out, beside the sets it names; what to write."""
    first = {name: knob.default for name, knob in rulesets.knobs.items()}
    named = [rules for name, rules in rulesets.maps.items() if name in hello.rulesets]
    if not named or first in named or not hello.plays("", first, rulesets):
        return None
    called = next(name for name, rules in rulesets.maps.items() if rules == first)
    others = [
        {knob: [rules[knob]] for knob in first if rules[knob] != first[knob]} for rules in named
    ]
    said = f"hello claims {called} too, which it does not name: a knob that is left out means its"
    write = f'else write "knobs": {json.dumps(min(others, key=len))}'
    return f"{said} first value", f"add {called!r} to rulesets if you play it, {write}"


def warnings_of(hello: Hello, rulesets: RuleSets) -> tuple[str, ...]:
    """All that a run says about the claims of a target."""
    unsaid = unsaid_claim(hello, rulesets)
    return (*odd_claims(hello, rulesets), *([f"{unsaid[0]} ({unsaid[1]})"] if unsaid else []))


def _odd(hello: Hello, rulesets: RuleSets) -> Iterator[str]:
    for op in sorted(hello.ops.difference(OPS)):
        yield f"hello claims an unknown op {op!r}{near(op, OPS)}"
    for name in sorted(hello.rulesets.difference(rulesets.maps)):
        yield f"hello claims an unknown rule set {name!r}{near(name, rulesets.maps)}"
    for name, values in hello.knobs.items():
        knob = rulesets.knobs.get(name)
        if knob is None:
            yield f"hello claims an unknown knob {name!r}{near(name, rulesets.knobs)}"
            continue
        for value in values:
            if value != "any" and not knob.knows(value):
                slip = near(value, knob.values) or f" (it has {knob.shown()})"
                yield f"hello claims an unknown value {value!r} of the knob {name}{slip}"


def _no_number(word: str) -> Json:
    raise ValueError(word)


class _TwiceError(ValueError):
    """A key that stands twice in one object, so that readers disagree on what it says."""


def _once(pairs: list[tuple[str, Json]]) -> Json:
    """An object each of whose keys stands once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in found if names.count(name) > 1))
    return found


DECODER: Final = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_once)
"""Reads JSON; NaN and Infinity are none, and no key stands twice."""


def parsed(line: bytes) -> Record:
    """The one JSON object of a line; anything else is a breakdown."""
    try:
        value: Json = DECODER.decode(line.decode("utf-8"))
    except _TwiceError as err:
        detail = f"a line in which the key {str(err)[:60]!a} stands twice: {_cut(line)}"
        raise BrokenError(Verdict.PROTOCOL, detail) from err
    except UnicodeDecodeError as err:
        detail = f"a line that is not UTF-8, at its byte {err.start}: {_cut(line)}"
        raise BrokenError(Verdict.PROTOCOL, detail) from err
    except (ValueError, RecursionError) as err:
        raise BrokenError(Verdict.PROTOCOL, f"a line that is not JSON: {_cut(line)}") from err
    if not isinstance(value, dict):
        raise BrokenError(Verdict.PROTOCOL, f"a line that is not a JSON object: {_cut(line)}")
    if line.count(b"[") + line.count(b"{") > DEEPEST and _deeper(value, DEEPEST):
        raise BrokenError(Verdict.PROTOCOL, f"a line nested too deeply: {_cut(line)}")
    return value


def _cut(line: bytes) -> str:
    return ascii(line[:60].decode("utf-8", "replace"))


def _deeper(value: Json, depth: int) -> bool:
    if isinstance(value, str | int | float | None):
        return False
    items = value.values() if isinstance(value, Mapping) else value
    return depth == 0 or any(_deeper(item, depth - 1) for item in items)


class InProcess:
    """A target that is a function of one request, called in this process."""

    def __init__(
        self, name: str, answer: Callable[[Record], Record], claims: Record | None = None
    ) -> None:
        self.name = name
        self._answer = answer
        self._claims = claims

    def hello(self, request: Record) -> Hello:
        """The claims given, or what the function answers to hello."""
        if self._claims is not None:
            return hello_from(self._claims, self.name)
        reply = self._one(request, 0)
        if reply.answer is None:
            raise TargetStartError(f"{self.name}: did not answer hello: {reply.detail}")
        return hello_from(reply.answer, self.name)

    def ask(self, requests: Iterable[Record]) -> Iterator[Reply]:
        """Answer one request after another."""
        for request in requests:
            number = request.get("id")
            yield self._one(request, number if isinstance(number, int) else 0)

    def forget(self, numbers: Iterable[int]) -> None:
        """Nothing is asked ahead."""

    def _one(self, request: Record, number: int) -> Reply:
        try:
            answer: object = self._answer(request)
        except KeyboardInterrupt:
            raise
        except BaseException as err:  # noqa: BLE001 -- whatever the target raises is the target's crash
            detail = f"raised {type(err).__name__}: {err}"
            return Reply(id=number, fault=Verdict.CRASH, detail=detail)
        if not isinstance(answer, dict):
            detail = f"answered {type(answer).__name__}, not an object"
            return Reply(id=number, fault=Verdict.PROTOCOL, detail=detail)
        return Reply(id=number, answer=answer)

    def close(self) -> None:
        """Nothing to end."""


def claims_everything(name: str, rulesets: RuleSets) -> Record:
    """The hello of a target that claims to play everything."""
    return {
        "protocol": PROTOCOL,
        "name": name,
        "version": "1",
        "language": "python",
        "ops": list(OPS),
        "knobs": {knob: ["any"] for knob in rulesets.knobs},
        "rulesets": list(rulesets.maps),
        "parallel": False,
    }
