"""The GitHub Action: its shape, and its shell steps run as a job would run them."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from conformance.report.annotations import command

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
README = ROOT / "conformance" / "README.md"
INPUT = re.compile(r"\$\{\{ inputs\.([a-z-]+) \}\}")
Folder = Callable[..., Path]


@dataclass(frozen=True, slots=True)
class Step:
    """A shell step of the action."""

    script: str
    folder: str
    environment: Mapping[str, str]


class Job:
    """A job on this machine: the folders and files that GitHub gives to a step."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self.folder = folder
        self.runner = folder / "runner"
        self.runner.mkdir()
        self.action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert set(given) <= set(self.action["inputs"])
        self.inputs = {
            name: given.get(name, one.get("default", ""))
            for name, one in self.action["inputs"].items()
        }
        self.summary = self.runner / "summary"
        self.output = self.runner / "output"

    def steps(self) -> Iterator[Step]:
        for step in self.action["runs"]["steps"]:
            assert step["shell"] == "bash"
            yield Step(step["run"], step.get("working-directory", "."), step.get("env", {}))

    def run(self, step: Step) -> subprocess.CompletedProcess[str]:
        """One step, in the shell that GitHub starts for `shell: bash`."""
        environment = {
            **os.environ,
            "RUNNER_TEMP": str(self.runner),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_OUTPUT": str(self.output),
            **{name: self._filled(text) for name, text in step.environment.items()},
        }
        script = self.runner / "step.sh"
        script.write_text(step.script, encoding="utf-8")
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.folder / self._filled(step.folder),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def _filled(self, text: str) -> str:
        return INPUT.sub(lambda found: self.inputs[found[1]], text)

    def asked(self) -> subprocess.CompletedProcess[str]:
        """The second step, with the suite of this environment in place of an installed one."""
        (self.runner / "euchre-conformance").symlink_to(Path(sys.executable).parent.parent)
        return self.run(list(self.steps())[1])


def test_the_action_fits_the_published_schema() -> None:
    done = subprocess.run(
        [
            Path(sys.executable).parent / "check-jsonschema",
            "--builtin-schema",
            "vendor.github-actions",
            ACTION,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_no_input_stands_inside_a_script() -> None:
    for step in yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"]:
        assert "${{" not in step["run"]


def test_a_right_program_passes_and_writes_the_summary(corpus_dir: Folder, tmp_path: Path) -> None:
    corpus_dir(count=2)
    job = Job(tmp_path, target="referee:", rulesets="standard", arguments="--corpus cases")
    done = job.asked()
    assert done.returncode == 0, done.stderr
    assert "::error" not in done.stdout
    assert "2 of 2 checks executed, **0 failed**" in job.summary.read_text(encoding="utf-8")
    outputs = dict(line.split("=") for line in job.output.read_text(encoding="utf-8").splitlines())
    assert outputs["exit"] == "0"
    assert '"complete":true' in Path(outputs["log"]).read_text(encoding="utf-8")


def test_each_failed_case_is_annotated_and_the_job_fails(
    corpus_dir: Folder, tmp_path: Path
) -> None:
    corpus_dir(count=12)
    job = Job(tmp_path, target="null:", arguments="--corpus cases")
    done = job.asked()
    assert done.returncode == 1
    errors = [line for line in done.stdout.splitlines() if line.startswith("::error ")]
    assert errors[0].startswith("::error title=fail small-001%3A The dealer's left speaks first::")
    assert "rules round-one.order%0Arerun: euchre-conformance run -t null:" in errors[0]
    assert errors[-1] == "::error title=null%3A::3 more cases failed: see the summary"
    assert len(errors) == 10
    assert "**12 failed**" in job.summary.read_text(encoding="utf-8")


def test_a_baseline_that_is_stale_is_annotated(corpus_dir: Folder, tmp_path: Path) -> None:
    corpus_dir()
    (tmp_path / "known.yaml").write_text(
        "- {cases: small-001@standard, kind: fail, reason: none}\n", encoding="utf-8"
    )
    job = Job(tmp_path, target="referee:", baseline="known.yaml", arguments="--corpus cases")
    done = job.asked()
    assert done.returncode == 3
    assert "::error title=baseline::known.yaml:1: stale: small-001@standard" in done.stdout


def test_a_program_that_does_not_start_is_said(tmp_path: Path) -> None:
    job = Job(tmp_path, target="cmd:./nobody")
    done = job.asked()
    assert done.returncode == 4
    assert "::error title=Euchre conformance::nothing was asked (exit 4)" in done.stdout
    assert "./nobody" in done.stderr
    assert "exit 4" in job.summary.read_text(encoding="utf-8")


def test_the_program_is_started_in_the_working_directory(
    corpus_dir: Folder, tmp_path: Path
) -> None:
    corpus_dir()
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "engine.py").write_text(
        "from conformance.oracle import answer\n\n\ndef play(request):\n"
        "    if request['op'] != 'hello':\n        return answer(request)\n"
        "    return {'protocol': 1, 'ops': ['legal'], 'rulesets': ['standard']}\n",
        encoding="utf-8",
    )
    job = Job(
        tmp_path,
        target="py:engine:play",
        arguments="--corpus ../cases",
        working_directory="inside",
    )
    done = job.asked()
    assert done.returncode == 0, done.stderr


@pytest.mark.heavy
def test_the_suite_is_installed_and_asks(corpus_dir: Folder, tmp_path: Path) -> None:
    corpus_dir()
    job = Job(tmp_path, target="referee:", arguments="--corpus cases", python=sys.executable)
    for step in job.steps():
        done = job.run(step)
        assert done.returncode == 0, done.stderr
    assert "1 of 1 checks executed" in job.summary.read_text(encoding="utf-8")


def test_the_usage_in_the_readme_names_inputs_that_there_are() -> None:
    text = README.read_text(encoding="utf-8")
    block = text.partition("## In GitHub Actions")[2].split("```")[1].partition("\n")[2]
    (step,) = yaml.safe_load(block)
    assert set(step["with"]) <= set(yaml.safe_load(ACTION.read_text(encoding="utf-8"))["inputs"])


def test_a_command_keeps_its_lines_and_signs() -> None:
    assert command("a, b: c", "100 %\nall") == "::error title=a%2C b%3A c::100 %25%0Aall"
