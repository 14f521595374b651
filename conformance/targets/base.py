"""What every target offers, and the hello it introduces itself with."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from conformance.errors import TargetStartError
from conformance.jsontypes import Json, Record
from conformance.knobs import RuleSets
from conformance.verdict import Verdict

PROTOCOL = 1
OPS = ("legal", "apply", "view", "replay", "score", "deck", "draw", "game", "perft", "adjudicate")


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


class Target(Protocol):
    """Something that claims to play Euchre."""

    name: str

    def hello(self, request: Record) -> Hello:
        """Start, and say what is claimed."""

    def ask(self, requests: Iterable[Record]) -> Iterator[Reply]:
        """Answer requests, in any order, each exactly once."""

    def close(self) -> None:
        """End what was started."""


def hello_from(answer: Record, name: str) -> Hello:
    """The hello of a target's first answer; anything malformed is refused."""
    if answer.get("protocol") != PROTOCOL:
        raise TargetStartError(
            f"{name}: speaks protocol {answer.get('protocol')!r}: answer hello with "
            f'"protocol": {PROTOCOL}'
        )
    knobs: dict[str, tuple[str, ...]] = {}
    claimed = answer.get("knobs", {})
    if not isinstance(claimed, Mapping):
        raise TargetStartError(f"{name}: knobs in hello is not an object")
    for knob, values in claimed.items():
        knobs[knob] = _texts(values, f"knobs.{knob}", name)
    return Hello(
        name=str(answer.get("name", name)),
        version=str(answer.get("version", "")),
        language=str(answer.get("language", "")),
        ops=frozenset(_texts(answer.get("ops", []), "ops", name)),
        knobs=knobs,
        rulesets=frozenset(_texts(answer.get("rulesets", []), "rulesets", name)),
        parallel=answer.get("parallel") is True,
    )


def _texts(value: Json, what: str, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TargetStartError(f"{name}: {what} in hello is not a list of texts")
    return tuple(str(item) for item in value)


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

    def _one(self, request: Record, number: int) -> Reply:
        try:
            answer: object = self._answer(request)
        except Exception as err:  # noqa: BLE001 -- whatever the target raises is the target's crash
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
