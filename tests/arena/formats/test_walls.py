"""What the formats know of the rest of the referee."""

import ast
from pathlib import Path

import pytest

import referee.arena.formats as package

MODULES = sorted(Path(package.__path__[0]).glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_formats_import_nothing_of_the_referee_but_errors(path: Path) -> None:
    imported = {
        node.module or "."
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    ours = {name for name in imported if name.startswith(("referee", "."))}
    assert all(
        name == "referee.errors" or name.startswith("referee.arena.formats.") for name in ours
    )
