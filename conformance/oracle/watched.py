"""Knobs that remember which of them were looked at, and in which order."""

from collections.abc import Mapping


class Watched(dict[str, str]):
    """A rule set as a map; `seen` holds the knobs that an answer depended on."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        super().__init__(rules)
        self.seen: dict[str, str] = {}

    def __getitem__(self, knob: str) -> str:
        value = super().__getitem__(knob)
        self.seen.setdefault(knob, value)
        return value
