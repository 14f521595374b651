"""How a mutant is made: the oracle with one piece exchanged while it answers."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType

from conformance.jsontypes import Json, Record
from conformance.oracle import Hand
from conformance.oracle import answer as right_answer

ORACLE = "conformance.oracle."


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """An engine with one wrong rule."""

    name: str
    text: str
    answer: Callable[[Record], Record]
    knob: str = ""


def engine(wrong: type[Hand]) -> Mutant:
    """The mutant that plays a deal by a wrong kind of hand."""
    return Mutant(name=_words(wrong.__name__), text=_text(wrong), answer=exchanging(Hand, wrong))


def function(right: Callable[..., object], wrong: Callable[..., object]) -> Mutant:
    """The mutant in which a wrong function or class stands in for one of the oracle's."""
    name = _words(wrong.__name__)
    return Mutant(name=name, text=_text(wrong), answer=exchanging(right, wrong))


def edited(op: str, edit: Callable[[dict[str, Json], Record], None]) -> Mutant:
    """The mutant whose answers to one op are edited."""

    def answer(request: Record) -> Record:
        found = dict(right_answer(request))
        if request["op"] == op and "error" not in found:
            edit(found, request)
        return found

    return Mutant(name=_words(edit.__name__), text=_text(edit), answer=answer)


def exchanging(right: object, wrong: object) -> Callable[[Record], Record]:
    """The answers of an oracle in which something wrong stands wherever it uses the right one."""
    places = list(_places(right))

    def answer(request: Record) -> Record:
        with _exchanged(places, right, wrong):
            return right_answer(request)

    return answer


def _places(right: object) -> Iterator[tuple[ModuleType, str]]:
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith(ORACLE):
            yield from ((module, name) for name, held in vars(module).items() if held is right)


@contextmanager
def _exchanged(
    places: list[tuple[ModuleType, str]], right: object, wrong: object
) -> Iterator[None]:
    for module, name in places:
        setattr(module, name, wrong)
    try:
        yield
    finally:
        for module, name in places:
            setattr(module, name, right)


def _words(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower().replace("_", "-")


def _text(wrong: object) -> str:
    return (wrong.__doc__ or "").strip()
