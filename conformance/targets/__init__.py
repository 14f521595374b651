"""What the suite can ask: programs, services and modules that claim to play Euchre."""

import shlex
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final

from conformance.errors import TargetStartError, UsageError
from conformance.jsontypes import Record
from conformance.knobs import RuleSets
from conformance.mutants import mutant
from conformance.oracle import answer
from conformance.targets.accepting import accept_everything
from conformance.targets.base import Hello, InProcess, Reply, Target, claims_everything
from conformance.targets.module import module_target
from conformance.targets.openspiel import OpenSpiel
from conformance.targets.pipelined import Pipelined
from conformance.targets.process import ProcessTarget
from conformance.targets.wrong import complement, nothing

__all__ = ["Hello", "Reply", "Target", "open_instances", "open_target"]

FORMS = (
    "cmd:COMMAND, grpc://HOST:PORT, py:MODULE:OBJECT, referee:, oracle:, openspiel:, null:, "
    "wrong:, accept-everything:, mutant:NAME or machine:ID"
)


PLAIN: Mapping[str, Callable[[Record], Record]] = {
    "oracle": answer,
    "null": nothing,
    "wrong": complement,
    "accept-everything": accept_everything,
}
"""Targets in this process that claim everything and need no more than their name."""


BARE: Final = frozenset({*PLAIN, "referee", "openspiel"})
"""Targets that are named by their word alone."""
KINDS: Final = BARE | {"cmd", "grpc", "py", "machine", "mutant"}


def check_spec(spec: str) -> None:
    """Say with a UsageError what is wrong with the form of a target, before anything is loaded."""
    scheme, colon, rest = spec.partition(":")
    if not colon:
        raise UsageError(f"not a target: {spec!r} (write {FORMS})")
    if scheme not in KINDS:
        raise UsageError(f"unknown kind of target {scheme!r} in {spec!r} (write {FORMS})")
    if rest and scheme in BARE:
        raise UsageError(f"{scheme} takes nothing after the colon: {spec!r} (write {scheme}:)")


def open_target(spec: str, rulesets: RuleSets, *, case_seconds: float = 2.0) -> Target:
    """The target that a word of the command line names."""
    check_spec(spec)
    scheme, _, rest = spec.partition(":")
    match scheme:
        case "cmd":
            return ProcessTarget(rest, case_seconds=case_seconds)
        case "grpc":
            return service_target(rest, case_seconds)
        case "py":
            return module_target(rest)
        case "referee":
            return InProcess(spec, referee_answer(), claims_everything("referee", rulesets))
        case "openspiel":
            return InProcess(spec, OpenSpiel().answer)
        case "machine":
            return ProcessTarget(machine_command(rest), case_seconds=case_seconds)
        case "mutant":
            return InProcess(spec, mutant(rest, rulesets).answer, claims_everything(spec, rulesets))
        case _:
            return InProcess(spec, PLAIN[scheme], claims_everything(scheme, rulesets))


def machine_command(change: str) -> str:
    """The command of a machine-made mutant; making the list of them takes a second."""
    module = import_module("conformance.machine")
    module.change_of(change)
    return f"{shlex.quote(sys.executable)} -m conformance.machine {shlex.quote(change)}"


def service_target(address: str, case_seconds: float) -> Target:
    """A service; its library takes long to load, and is loaded only when it is asked for."""
    module = import_module("conformance.targets.service")
    found: Callable[..., Target] = module.ServiceTarget
    return found(address, case_seconds=case_seconds)


def open_instances(
    spec: str, rulesets: RuleSets, *, jobs: int, case_seconds: float = 2.0
) -> list[Target]:
    """A target as often as `jobs` says; one that is answered in this process only once."""
    first = open_target(spec, rulesets, case_seconds=case_seconds)
    more = jobs - 1 if isinstance(first, Pipelined) else 0
    return [
        first,
        *(open_target(spec, rulesets, case_seconds=case_seconds) for _ in range(more)),
    ]


def referee_answer() -> Callable[[Record], Record]:
    """Our own referee, imported only when it is asked for."""
    try:
        module = import_module("conformance.targets.referee")
    except ImportError as err:
        raise TargetStartError(f"referee: cannot be loaded: {err}") from err
    found: Callable[[Record], Record] = module.answer
    return found
