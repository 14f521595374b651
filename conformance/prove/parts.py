"""Every part of the proof, in the order in which they are run."""

from collections.abc import Callable, Mapping
from typing import Final

from conformance.prove.branches import branches
from conformance.prove.harness import harness
from conformance.prove.kills import named_mutants
from conformance.prove.machine import machine_made
from conformance.prove.metamorphic import metamorphic
from conformance.prove.nonsense import nonsense
from conformance.prove.part import Part, Setting
from conformance.prove.shares import always_wrong, linted, reference
from conformance.prove.spread import pairs, rules_by_set

PARTS: Final[Mapping[str, Callable[[Setting], Part]]] = {
    "lint": linted,
    "reference": reference,
    "shares": always_wrong,
    "coverage": rules_by_set,
    "pairs": pairs,
    "nonsense": nonsense,
    "branches": branches,
    "metamorphic": metamorphic,
    "harness": harness,
    "mutants": named_mutants,
    "machine": machine_made,
}
