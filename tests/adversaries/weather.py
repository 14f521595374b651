"""The weather of a network as data: which faults come, how often, and how long each lasts."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

KINDS: Final = ("cut", "reset", "half_open", "delay", "slice", "throttle", "blackout", "dark")
"""What may strike: FIN, RST, bytes that vanish, latency, odd writes, a narrow line, one door that
refuses everybody, all doors at once."""
LASTING: Final = ("half_open", "delay", "slice", "throttle", "blackout", "dark")


class PlanError(ValueError):
    """A plan that is none; the message says what may stand there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Weights of the kinds, the mean seconds between strikes, and how strong each is.

    A time of two numbers is drawn between them. `every` of 0 is fine weather.
    """

    every: float = 0.5
    cut: float = 3
    reset: float = 3
    half_open: float = 1
    delay: float = 4
    slice: float = 2
    throttle: float = 2
    blackout: float = 1
    dark: float = 0
    half_open_s: float = 45
    slow_s: float = 8
    latency_s: float = 0.15
    rate: float = 65_536
    blackout_s: float = 10
    longest_blackout_s: float = 45
    dark_s: float = 2

    def weights(self) -> dict[str, float]:
        """How likely each kind is, against the others."""
        return {kind: float(getattr(self, kind)) for kind in KINDS}

    def lasts_s(self, kind: str, chance: random.Random) -> float:
        """How long one strike of a kind lasts; 0 for what is over at once."""
        match kind:
            case "half_open":
                return self.half_open_s
            case "blackout":
                return chance.uniform(self.blackout_s, self.longest_blackout_s)
            case "dark":
                return self.dark_s
            case _:
                return self.slow_s if kind in LASTING else 0.0


def parse_plan(text: str, base: Plan | None = None) -> Plan:
    """The plan in words such as `every=0.2,cut=3,half_open=1`; what is not named stays.

    >>> parse_plan("every=2,dark=1").dark
    1.0
    """
    plan = base or Plan()
    known = [field.name for field in fields(Plan)]
    given: dict[str, float] = {}
    for word in filter(None, text.split(",")):
        name, _, value = word.partition("=")
        if name not in known:
            raise PlanError(f"not a word of a plan: {name!r} (use one of {', '.join(known)})")
        try:
            given[name] = float(value)
        except ValueError:
            raise PlanError(f"{name} is {value!r}: write a number, as {name}=1.5") from None
        if not 0 <= given[name] < float("inf"):
            raise PlanError(f"{name} is {value!r}: a number from 0 up is wanted")
    plan = replace(plan, **given)
    if plan.every and not any(plan.weights().values()):
        raise PlanError("no kind of fault has a weight (give one, as cut=1, or every=0)")
    return plan


def drawn(weights: Mapping[str, float], chance: random.Random) -> str:
    """One kind, by weight."""
    return chance.choices(list(weights), list(weights.values()))[0]
