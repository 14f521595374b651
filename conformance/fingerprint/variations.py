"""The rule sets that a fingerprint must tell: the named ones, and each with one knob turned."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conformance.knobs import Knob, RuleSets, meaningless


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """A named rule set with one knob turned, or as it is."""

    base: str
    knob: str
    rules: Mapping[str, str]

    @property
    def name(self) -> str:
        """The rule set and what is turned."""
        return f"{self.base} {self.knob}={self.rules[self.knob]}" if self.knob else self.base


def values(knob: Knob, *, every: bool) -> list[str]:
    """The values of a knob; of its numbers all, or some near its ends and its default."""
    found = list(knob.values)
    if knob.span is not None:
        low, high = knob.span
        middle = int(knob.default) if knob.default.isdigit() else low + 1
        some = {low, low + 1, middle - 1, middle, middle + 1, (low + high) // 2, high}
        chosen = range(low, high + 1) if every else sorted(some)
        found += [str(number) for number in chosen if low <= number <= high]
    return found


def variations(rulesets: RuleSets, base: str, *, every: bool = False) -> Iterator[Variation]:
    """A rule set with each knob turned to each other value that makes sense in it."""
    rules = rulesets.maps[base]
    for knob in rulesets.knobs.values():
        for value in values(knob, every=every):
            turned = {**rules, knob.name: value}
            if value != rules[knob.name] and meaningless(turned) is None:
                yield Variation(base=base, knob=knob.name, rules=turned)
