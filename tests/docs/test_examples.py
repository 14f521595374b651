"""The examples in docstrings are true, in every module that has some."""

import doctest
import re
from importlib import import_module
from typing import Final

import pytest

from tests.docs.places import ROOT

EXAMPLE: Final = re.compile(r"^\s+>>> ", re.MULTILINE)
HOMES: Final = (ROOT, ROOT / "clients" / "python" / "src")
PACKAGES: Final = ("referee", "conformance", "euchre_bot")
MODULES: Final = sorted(
    ".".join(path.relative_to(home).with_suffix("").parts)
    for home in HOMES
    for package in PACKAGES
    for path in (home / package).rglob("*.py")
    if EXAMPLE.search(path.read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted
    assert not found.failed


def test_the_rules_have_examples() -> None:
    assert sum(name.startswith("referee.rules.") for name in MODULES) > 5
