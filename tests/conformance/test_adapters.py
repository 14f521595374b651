"""The adapters that strangers copy: each passes all that it claims."""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.check import Check
from conformance.cli import main
from conformance.cli.adapter import FILES, FOLDER
from conformance.corpus import Corpus
from conformance.runner import Run, run
from conformance.targets import open_target
from conformance.verdict import Verdict

NEEDS = {
    "python": "python3",
    "node": "node",
    "go": "go",
    "bash": "jq",
    "rust": "rustc",
    "cpp": "c++",
    "java": "javac",
}
PLAYED = {"legal", "apply", "view", "replay", "score", "game"}


def adapter(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["adapter", *arguments])


def started(language: str, folder: Path) -> str:
    """The target of an adapter that `adapter` has written and its language has made ready."""
    if shutil.which(NEEDS[language]) is None:
        pytest.skip(f"{NEEDS[language]} is missing: the adapter in {language} was not run")
    path = folder / Path(FILES[language]).name
    assert adapter("--lang", language, "-o", str(path)).exit_code == 0
    match language:
        case "python":
            return f"cmd:{sys.executable} -S {path}"
        case "node":
            return f"cmd:node {path}"
        case "go":
            built = folder / "adapter"
            subprocess.run(["go", "build", "-o", built, path], check=True)
            return f"cmd:{built}"
        case "rust":
            built = folder / "adapter"
            build = ["rustc", "-O", "--edition", "2021", "-o", str(built), str(path)]
            subprocess.run(build, check=True)
            return f"cmd:{built}"
        case "cpp":
            built = folder / "adapter"
            subprocess.run(["c++", "-O1", "-std=c++20", "-o", built, path], check=True)
            return f"cmd:{built}"
        case "java":
            subprocess.run(["javac", "-d", folder, path], check=True)
            return f"cmd:java -cp {folder} Adapter"
        case _:
            return f"cmd:{path}"


def ran(corpus: Corpus, checks: Sequence[Check], spec: str) -> Run:
    return run(open_target(spec, corpus.rulesets, case_seconds=10), corpus, checks)


@pytest.mark.parametrize("language", FILES)
def test_every_adapter_passes_the_checks_drawn(
    language: str, corpus: Corpus, checks: Sequence[Check], tmp_path: Path
) -> None:
    done = ran(corpus, checks[::11], started(language, tmp_path))
    assert done.executed()
    assert done.exit_code() == 0, done.failed()[:3]


@pytest.mark.heavy
@pytest.mark.parametrize("language", FILES)
def test_every_adapter_passes_all_that_it_claims(
    language: str, corpus: Corpus, checks: Sequence[Check], tmp_path: Path
) -> None:
    done = ran(corpus, checks, started(language, tmp_path))
    assert done.exit_code() == 0, done.failed()[:3]
    passed = [result.check for result in done.results if result.verdict is Verdict.PASS]
    assert {step.op for check in passed for step in check.steps} == done.hello.ops
    assert {check.ruleset for check in passed} >= done.hello.rulesets


@pytest.mark.parametrize("language", ["python", "node", "go", "rust", "cpp", "java"])
def test_the_whole_adapters_answer_every_op_of_a_deal_and_a_game(
    language: str, corpus: Corpus, tmp_path: Path
) -> None:
    target = open_target(started(language, tmp_path), corpus.rulesets)
    hello = target.hello({"id": 0, "op": "hello", "protocol": 1})
    target.close()
    assert hello.ops == PLAYED


@pytest.mark.parametrize("language", FILES)
def test_what_is_printed_is_the_file(language: str) -> None:
    assert adapter("--lang", language).stdout_bytes == (FOLDER / FILES[language]).read_bytes()


IMPORTED = {
    "python": r"^(?:import|from) (\w+)",
    "node": r'^import .* from "(.*)";$',
    "go": r'^\t"(.*)"$',
    "rust": r"^use (\w+)",
    "cpp": r"^#include (.*)$",
    "java": r"^import (.*);$",
}


def imported(language: str) -> set[str]:
    source = (FOLDER / FILES[language]).read_text(encoding="utf-8")
    return set(re.findall(IMPORTED[language], source, re.MULTILINE))


def test_the_python_adapter_needs_nothing_but_python() -> None:
    assert imported("python")
    assert imported("python") <= sys.stdlib_module_names


def test_the_node_adapter_needs_nothing_but_node() -> None:
    assert imported("node")
    assert {name.partition(":")[0] for name in imported("node")} == {"node"}


def test_the_go_adapter_needs_nothing_but_go() -> None:
    assert imported("go")
    assert not [name for name in imported("go") if "." in name]


def test_the_rust_adapter_needs_nothing_but_rust() -> None:
    assert imported("rust") == {"std"}


def test_the_cpp_adapter_needs_nothing_but_its_compiler() -> None:
    assert imported("cpp")
    assert not [name for name in imported("cpp") if not re.fullmatch("<[a-z]+>", name)]


def test_the_java_adapter_needs_nothing_but_the_jdk() -> None:
    assert imported("java")
    assert not [name for name in imported("java") if not name.startswith("java.")]


def test_an_unknown_language_is_told_which_there_are() -> None:
    found = adapter("--lang", "cobol")
    assert found.exit_code == 2
    assert found.output.splitlines() == [
        (
            "main adapter: invalid value for '--lang': 'cobol' is not one of 'python', 'node', "
            "'go', 'bash', 'rust', 'cpp', 'java' (see main adapter --help)"
        )
    ]


def test_without_a_language_the_languages_are_named_in_one_line() -> None:
    found = adapter()
    assert found.exit_code == 2
    assert found.output.splitlines() == [
        (
            "main adapter: missing option '--lang'. Choose from: python, node, go, bash, rust, "
            "cpp, java (see main adapter --help)"
        )
    ]


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    mine = tmp_path / "adapter.py"
    mine.write_text("mine")
    found = adapter("--lang", "python", "-o", str(mine))
    assert found.exit_code == 2
    assert "it is there already (name another)" in found.output
    assert mine.read_text() == "mine"


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    found = adapter("--lang", "go", "-o", str(tmp_path / "none" / "adapter.go"))
    assert found.exit_code == 2
    assert found.output.endswith("No such file or directory (name another)\n")
