"""Machine-made mutants of the referee's rules: one small change of the source each."""

from conformance.machine.changes import Change, change_of, every_change, rules_dir
from conformance.machine.patched import load_changed

__all__ = ["Change", "change_of", "every_change", "load_changed", "rules_dir"]
