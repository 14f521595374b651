"""Where OpenSpiel is not installed the target says which line installs it."""

import os
import subprocess
import sys
from pathlib import Path


def test_a_missing_openspiel_ends_with_exit_4_and_the_line_that_installs_it(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from conformance.cli import main; main()",
            "run",
            "-t",
            "openspiel:",
        ],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    line = (
        'openspiel: cannot be loaded: not here: install it: python -m pip install "euchre-referee['
    )
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
