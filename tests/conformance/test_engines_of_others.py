"""Engines by other people fail what their baselines state, and nothing else."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import conformance
from conformance.jsontypes import Record
from tests.corpus import corpus

TARGETS = Path(conformance.__file__).parent / "targets"
EUCHRE_CLI = f"cmd:{sys.executable} -m conformance.targets.euchre_cli"
WITH_OPENSPIEL = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="open-spiel has no wheel for this Python"
)
OPENSPIEL = pytest.param("openspiel:", "openspiel.yaml", marks=WITH_OPENSPIEL)
PROGRAM = "from conformance.cli import main; main()"
ENGINES = pytest.mark.parametrize(
    ("spec", "name"), [OPENSPIEL, pytest.param(EUCHRE_CLI, "euchre_cli.yaml")]
)


def ran(folder: Path, *arguments: str) -> tuple[int, Record, str]:
    """Exit code, first record and complaints of a verb in a folder of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    totals: Record = json.loads(done.stdout.splitlines()[0]) if done.stdout else {}
    return done.returncode, totals, done.stdout + done.stderr


@pytest.mark.heavy
@ENGINES
def test_every_failure_is_stated_and_every_statement_is_a_failure(
    spec: str, name: str, tmp_path: Path
) -> None:
    code, totals, said = ran(
        tmp_path, "run", "--json", "-t", spec, "--baseline", str(TARGETS / name)
    )
    assert code == 0, said
    verdicts = totals["verdicts"]
    assert isinstance(verdicts, dict)
    assert not {"fail", "crash", "hang", "protocol", "fixed"} & set(verdicts)
    stated = yaml.safe_load((TARGETS / name).read_text(encoding="utf-8"))
    assert verdicts["known-fail"] == sum(len(entry["cases"].split()) for entry in stated)
    assert verdicts["pass"] > verdicts["known-fail"]


@ENGINES
def test_a_failure_that_is_not_stated_fails_the_run(spec: str, name: str, tmp_path: Path) -> None:
    code, _, said = ran(tmp_path, "run", "--json", "-t", spec, "-k", "target-020")
    assert code == 1, said
    code, _, said = ran(
        tmp_path, "run", "--json", "-t", spec, "-k", "target-020", "--baseline", str(TARGETS / name)
    )
    assert code == 0, said


@ENGINES
def test_every_statement_names_a_rule_and_a_reason(spec: str, name: str) -> None:
    assert spec
    known = corpus().rulebook.rules
    for entry in yaml.safe_load((TARGETS / name).read_text(encoding="utf-8")):
        rule, _, reason = entry["reason"].partition(": ")
        assert rule in known
        assert reason


def test_a_missing_euchre_cli_ends_with_exit_4_and_the_line_that_installs_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "euchre.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    code, _, said = ran(
        tmp_path, "run", "--json", "-t", f"cmd:env PYTHONPATH={tmp_path} {EUCHRE_CLI[4:]}"
    )
    assert code == 4
    assert "not here: install it: python -m pip install euchre-cli==0.7.0" in said
    assert said.count("\n") == 1


@WITH_OPENSPIEL
def test_a_fingerprint_of_openspiel_tells_what_it_plays_and_follows(tmp_path: Path) -> None:
    _, told, said = ran(tmp_path, "fingerprint", "--json", "-t", "openspiel:")
    assert told["nearest"] == "standard", said
    assert told["followed"] == ["all_pass", "alone_when", "defend_alone"]
    knobs = told["knobs"]
    assert isinstance(knobs, list)
    turned = {str(it["knob"]): str(it["value"]) for it in knobs}
    assert turned.pop("bury_upcard") == "forbidden"
    assert turned.pop("deals") == "1", "a game of it is one deal, whatever the score before it"
    assert not turned
