"""Targets that are a Python object: `py:module:object`."""

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

from conformance.errors import TargetStartError, UsageError
from conformance.jsontypes import Record
from conformance.targets.base import InProcess, parsed


def module_target(spec: str) -> InProcess:
    """The target of `module:object`: a function of one request, or a class or object with one."""
    name = f"py:{spec}"
    module_name, colon, path = spec.partition(":")
    if not colon or not module_name or not path:
        raise UsageError(f"{name}: write py:MODULE:OBJECT, as py:my_engine:answer")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found: object = importlib.import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
        if isinstance(found, type):
            found = found()
    except KeyboardInterrupt:
        raise
    except BaseException as err:
        raise TargetStartError(f"{name}: cannot be loaded: {type(err).__name__}: {err}") from err
    method: object = getattr(found, "answer", found)
    if not callable(method):
        raise TargetStartError(f"{name}: is neither a function nor an object with answer()")
    return InProcess(name, _typed(method))


def _typed(method: Callable[..., object]) -> Callable[[Record], Record]:
    def answer(request: Record) -> Record:
        found = method(request)
        if isinstance(found, dict):
            return parsed(json.dumps(found).encode("ascii"))  # held to what a line can say
        raise TypeError(f"answered {type(found).__name__}, not a dict")

    return answer
