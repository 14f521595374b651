"""The clients of the project, in one place: what they are called, and whether they can be run."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
HELP_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Client:
    """A client in one language, which is a folder under `clients/`; `needs` is its toolchain."""

    name: str
    title: str
    needs: str

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return ROOT / "clients" / self.name

    @property
    def seeded(self) -> bool:
        """Whether its random bot has `--seed`."""
        return True

    def bot(self, kind: str) -> str:
        """The command of one of its two bots, `random` or `sensible`."""
        return str(self.folder / "bin" / kind)

    @property
    def missing(self) -> str | None:
        """Why it cannot be run here; None where it can."""
        return _missing(self)


CLIENTS: Final = (
    Client("python", "Python", "python3"),
    Client("node", "TypeScript/Node", "node"),
    Client("go", "Go", "go"),
    Client("rust", "Rust", "cargo"),
    Client("java", "Java", "java"),
    Client("cpp", "C++", "c++"),
)


class Bridged(Client):
    """A program over stdio behind the bridge, which passes for a client; it is both of its bots."""

    @property
    def seeded(self) -> bool:
        """The flags are the bridge's own."""
        return False

    def bot(self, kind: str) -> str:
        """The command of its one bot."""
        del kind
        return str(Path(__file__).parent / "bridged.sh")


BRIDGE: Final = Bridged("stdio", "stdio", "perl")


@cache
def _missing(client: Client) -> str | None:
    for kind in ("random", "sensible"):
        command = client.bot(kind)
        if not os.access(command, os.X_OK):
            if shutil.which(client.needs) is None:
                return f"clients/{client.name}: {client.needs} is missing"
            return f"clients/{client.name}: bin/{kind} is not built (make -C clients/{client.name})"
        done = subprocess.run(
            (command, "--help"), capture_output=True, check=False, timeout=HELP_S, text=True
        )
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            why = said[-1] if said else "it says nothing"
            return f"clients/{client.name}: bin/{kind} --help exits {done.returncode}: {why}"
    return None
