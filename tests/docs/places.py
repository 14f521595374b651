"""The two places in which a page is read: a fresh checkout, or an empty folder with the package."""

import os
import shutil
import subprocess
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
CHECKOUT: Final = ("README.md",)
"""Pages read in a fresh checkout, with nothing installed; the others have the package."""


def quiet_environment(home: Path) -> dict[str, str]:
    """This environment without a virtual one, and with an empty place for what programs keep."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "MAKEFLAGS", "MAKELEVEL")
    }
    ours = os.environ.get("VIRTUAL_ENV", str(ROOT / ".venv"))
    path = [part for part in kept["PATH"].split(os.pathsep) if not part.startswith(ours)]
    return {**kept, "PATH": os.pathsep.join(path), "XDG_STATE_HOME": str(home)}


def checkout(folder: Path) -> Path:
    """A copy of what git would keep of this checkout."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def with_package(folder: Path, environment: dict[str, str]) -> dict[str, str]:
    """The environment with a virtual one in front, in which our wheel is installed."""
    home = folder / "installed"
    venv.create(home, with_pip=True)
    source = checkout(folder / "source")
    install = [str(home / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, str(source)], check=True, stdin=subprocess.DEVNULL)
    return {**environment, "PATH": f"{home / 'bin'}{os.pathsep}{environment['PATH']}"}
