"""What the wheel carries beside its own packages, found when it is built.

The bridge plays through the Python client and new-bot copies clients, and nothing of either is
published by itself: so the wheel brings `euchre_bot`, with stubs that are those of the referee
under another name, and the sources that a new bot takes along.
"""

import importlib.util
import shutil
import tempfile
from pathlib import Path
from types import ModuleType

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = Path("referee/data/carried")
STUBS = Path("euchre_bot/pb")
EXECUTABLE = 0o755


class Carrying(BuildHookInterface):
    """Adds files to a wheel; an editable one finds them in the checkout."""

    def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:
        """Name the files to add."""
        if version == "editable":
            return
        root = Path(self.root)
        self._scratch = Path(tempfile.mkdtemp(prefix="euchre-carried-"))
        add = build_data["force_include"]
        for path in _listing(root).carried(root):
            # A copy: a file that is added by its own name is in no package any more.
            add[self._made(CARRIED / path, (root / path).read_bytes())] = str(CARRIED / path)
        stubs = root / "referee" / "pb"
        for path in sorted(stubs.rglob("*.py")):
            text = path.read_bytes().replace(b"referee.pb.", b"euchre_bot.pb.")
            name = STUBS / path.relative_to(stubs)
            add[self._made(name, text)] = str(name)
        for path in self._scratch.rglob("*.sh"):
            path.chmod(EXECUTABLE)

    def _made(self, name: Path, content: bytes) -> str:
        """A file of the wheel, outside the checkout."""
        path = self._scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return str(path)

    def finalize(self, version: str, build_data: object, artifact_path: str) -> None:
        """Remove what was made."""
        del build_data, artifact_path
        if version != "editable":
            shutil.rmtree(self._scratch, ignore_errors=True)


def _listing(root: Path) -> ModuleType:
    """The module that knows what is carried, without the package around it."""
    spec = importlib.util.spec_from_file_location("carried", root / "referee/cli/carried.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError("referee/cli/carried.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
