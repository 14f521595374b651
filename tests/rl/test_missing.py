"""Where PettingZoo is not installed the import says which line installs it."""

import os
import subprocess
import sys
from pathlib import Path


def test_without_pettingzoo_the_import_names_the_extra(tmp_path: Path) -> None:
    for name in ("pettingzoo", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "import referee.rl"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    line = 'not here (install it: python -m pip install "euchre-referee[rl]")'
    assert done.stderr.rstrip().endswith(line)
