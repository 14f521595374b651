"""A bot's class, found by the name of its module and its own.

The standard library is all that this needs, so that a process of one bot is quickly there.
"""

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Final

from referee.errors import RefereeError

FORMS: Final = "write random, sensible, strong, py:MODULE:CLASS, cmd:COMMAND, dial or dial:COMMAND"


class BotSpecError(RefereeError, ValueError):
    """A bot that cannot be what was written."""


def find_class(text: str) -> Callable[[], object]:
    """The class of `py:MODULE:CLASS`, whose module is imported; BotSpecError where it is none."""
    module_name, name = names_of(text)
    module = _import(text, module_name)
    found: object = getattr(module, name, None)
    if inspect.isclass(found) and callable(getattr(found, "choose", None)):
        return found
    bots = [word for word, value in vars(module).items()
            if inspect.isclass(value) and callable(getattr(value, "choose", None))]  # fmt: skip
    there = f"it has {', '.join(sorted(bots))}" if bots else "it has none"
    raise BotSpecError(
        f"{text!r}: {module_name} has no class {name!r} with a choose method ({there})"
    )


def check_module(text: str) -> None:
    """Refuse a `py:MODULE:CLASS` whose module is nowhere; nothing of it is run to find out.

    What lies within a package is not looked for, as that would run the package.
    """
    module_name, _name = names_of(text)
    whole = module_name.partition(".")[0]
    _look_here()
    try:
        found = importlib.util.find_spec(whole)
    except (ImportError, ValueError):
        found = None
    if found is None:
        raise BotSpecError(
            f"{text!r}: there is no module {whole!r} (is it in the working directory or installed?)"
        )


def names_of(text: str) -> tuple[str, str]:
    """The module and the class of `py:MODULE:CLASS`; BotSpecError where it is not of that form."""
    module_name, _colon, name = text.removeprefix("py:").partition(":")
    if not module_name or not name:
        raise BotSpecError(f"{text!r} names no class ({FORMS})")
    return module_name, name


def _look_here() -> None:
    here = os.getcwd()  # noqa: PTH109 - sys.path holds strings
    if here not in sys.path:
        sys.path.insert(0, here)  # a bot in the working directory, as with python -m


def _import(text: str, name: str) -> ModuleType:
    _look_here()
    try:
        return importlib.import_module(name)
    except Exception as err:
        raise BotSpecError(
            f"{text!r}: importing {name!r} failed: {type(err).__name__}: {err}"
            " (is it in the working directory or installed?)"
        ) from err
