"""Quotas on the command line: `--quota NAME=N`, as often as wanted."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from referee.cli.pairs import map_of
from referee.service.quotas import QUOTA_NAMES, QuotaError, Quotas

_USUAL: Final = Quotas()
QUOTAS_HELP: Final = "At most so many; " + ", ".join(
    f"{name}={_USUAL.most(name)}" for name in QUOTA_NAMES
)


def quotas_of(given: Sequence[str]) -> Quotas:
    """The quotas with those that are given; QuotaError where one is none."""
    numbers: dict[str, int] = {}
    for name, text in map_of(given, "--quota").items():
        if name not in QUOTA_NAMES:
            near = get_close_matches(name, QUOTA_NAMES, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(QUOTA_NAMES)}"
            raise QuotaError(f"not a quota: {name!r} ({hint})")
        if not (text.isascii() and text.isdigit()) or len(text) > len("1000000"):
            raise QuotaError(f"the quota {name} is {text!r}: use a number from 1 on")
        numbers[name] = int(text)
    return Quotas(**numbers)
