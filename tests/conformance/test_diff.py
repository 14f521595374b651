"""Two logs compared."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main

Folder = Callable[..., Path]

ENGINE = """
def answer(request):
    if request["op"] == "hello":
        return {"protocol": 1, "ops": ["legal"], "rulesets": ["standard"]}
    return {"turn": WORDS.get(request["id"], "east")}
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def suite(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def logged(name: str, folder: Path, words: dict[int, str]) -> None:
    Path(f"{name}_engine.py").write_text(f"WORDS = {words}\n{ENGINE}")
    sys.modules.pop(f"{name}_engine", None)  # another test may have had one of that name
    spec = f"py:{name}_engine:answer"
    suite("run", "-t", spec, "--corpus", str(folder), "-o", f"jsonl={name}.jsonl")


def test_a_diff_tells_what_fails_newly_what_is_fixed_and_what_differs(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=4)
    logged("old", folder, {1: "west", 2: "west"})
    logged("new", folder, {2: "south", 3: "west"})
    found = suite("diff", "old.jsonl", "new.jsonl", "--json")
    assert found.exit_code == 1
    told = [json.loads(line) for line in found.output.splitlines()]
    assert [(one["change"], one["check"]) for one in told] == [
        ("newly failing", "small-003@standard"),
        ("fixed", "small-001@standard"),
        ("fails differently", "small-002@standard"),
    ]
    assert [one["worse"] for one in told] == [True, False, False]


def test_a_diff_tells_what_is_new_and_what_is_gone(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=2)
    logged("old", folder, {})
    logged("new", corpus_dir(count=3), {})
    assert suite("diff", "old.jsonl", "new.jsonl").output.splitlines() == [
        "new: py:new_engine:answer small-003@standard: not asked → pass",
        "1 new",
    ]
    found = suite("diff", "new.jsonl", "old.jsonl")
    assert found.exit_code == 0
    assert found.output.endswith("1 gone\n")


def test_a_new_check_that_fails_makes_it_worse(corpus_dir: Folder) -> None:
    logged("old", corpus_dir(count=2), {})
    logged("new", corpus_dir(count=3), {3: "west"})
    assert suite("diff", "old.jsonl", "new.jsonl").exit_code == 1


def test_the_same_run_twice_has_no_difference(corpus_dir: Folder) -> None:
    logged("old", corpus_dir(count=2), {1: "west"})
    found = suite("diff", "old.jsonl", "old.jsonl")
    assert (found.exit_code, found.output) == (0, "nothing changed\n")


def test_logs_of_several_targets_are_compared_target_by_target(corpus_dir: Folder) -> None:
    folder = str(corpus_dir())
    both = ["-t", "null:", "-t", "referee:", "--corpus", folder]
    suite("run", *both, "-o", "jsonl=both.jsonl")
    suite("run", *both[2:], "-o", "jsonl=one.jsonl")
    found = suite("diff", "both.jsonl", "one.jsonl")
    assert found.output.splitlines()[0] == "gone: null: small-001@standard: fail → not asked"


def test_logs_that_share_no_target_are_not_compared(corpus_dir: Folder) -> None:
    folder = ["--corpus", str(corpus_dir())]
    suite("run", "-t", "null:", "-t", "wrong:", *folder, "-o", "jsonl=two.jsonl")
    suite("run", "-t", "referee:", *folder, "-o", "jsonl=one.jsonl")
    found = suite("diff", "two.jsonl", "one.jsonl")
    assert found.exit_code == 2
    assert "the logs share no target: null:, wrong: and referee:" in found.output
