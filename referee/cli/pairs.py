"""Options of the form NAME=VALUE."""

from collections.abc import Sequence

import click


def map_of(pairs: Sequence[str], option: str = "--knob") -> dict[str, str]:
    """The map that a repeated option gives; a name with two values is a usage error.

    >>> map_of(["target=5", "deals=none"])
    {'target': '5', 'deals': 'none'}
    """
    values: dict[str, str] = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or not name:
            raise click.BadParameter(f"{pair!r} (write it as NAME=VALUE)", param_hint=option)
        if values.setdefault(name, value) != value:
            message = f"{name!r} is given as {values[name]!r} and as {value!r} (give it once)"
            raise click.BadParameter(message, param_hint=option)
    return values
