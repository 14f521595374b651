"""The referee loaded once more, with one of its modules changed."""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

from conformance.jsontypes import Record
from conformance.machine.changes import Change

RULES = "referee.rules"
ADAPTER = "conformance.targets.referee"


class _Changed(MetaPathFinder, Loader):
    """Finds one module in its changed text, and leaves all others to whoever else finds them."""

    def __init__(self, name: str, change: Change) -> None:
        self.name = name
        self.change = change

    def find_spec(
        self, fullname: str, _path: object = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The changed module, where it is the one that is wanted."""
        return spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed text as the module."""
        code = compile(self.change.source, f"<{self.change.file}, changed>", "exec")
        exec(code, vars(module))  # noqa: S102 -- a changed module is run as any module is


def load_changed(change: Change) -> Callable[[Record], Record]:
    """The referee's answers with one module changed; this process has no right ones after it."""
    for name in [name for name in sys.modules if name.split(".")[0] == "referee"]:
        del sys.modules[name]
    sys.modules.pop(ADAPTER, None)
    sys.meta_path.insert(0, _Changed(f"{RULES}.{change.file.removesuffix('.py')}", change))
    answer: Callable[[Record], Record] = import_module(ADAPTER).answer
    return answer
