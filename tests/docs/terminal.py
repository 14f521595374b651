"""One terminal for a page: its blocks run in it one after another, as a reader would run them."""

import contextlib
import os
import selectors
import signal
import subprocess
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Final, Self

from tests.docs.blocks import Block, script

SHELL: Final = r"""
set -e -o pipefail
trap 'printf "failed (exit %s): %s\n" "$?" "$BASH_COMMAND"' ERR
heard() { stat -c %s "$HEARD"; }
until_heard() {
  for _ in $(seq 600); do [ "$(heard)" != "$1" ] && return; sleep 0.1; done
  echo "what was to stay up said nothing for a minute"
  false
}
while read -r block <&3; do . "$block"; echo done >&4; done
"""
TOLD_LINES: Final = 15


class BlockError(Exception):
    """A block that did not do what the page says, and what was heard of it."""


class Terminal:
    """A shell in a folder, and everything it starts; gone when left."""

    def __init__(self, folder: Path, environment: dict[str, str], *, seconds: float) -> None:
        self._seconds = seconds
        self._notes = folder.with_name(folder.name + ".terminal")
        self._notes.mkdir()
        self._heard = self._notes / "heard"
        asked, self._asks = os.pipe()
        self._answers, answering = os.pipe()
        with self._heard.open("wb") as heard:
            self._shell = subprocess.Popen(
                ["bash", "-c", f"exec 3<&{asked} 4>&{answering}\n{SHELL}"],
                cwd=folder,
                env={**environment, "HEARD": str(self._heard)},
                stdin=subprocess.DEVNULL,
                stdout=heard,
                stderr=subprocess.STDOUT,
                pass_fds=(asked, answering),
                start_new_session=True,
            )
        os.close(asked)
        os.close(answering)

    def run(self, block: Block) -> None:
        """Run a block; raise with the end of what was heard where it goes wrong."""
        before = self._heard.stat().st_size
        path = self._notes / f"line-{block.line}.sh"
        path.write_text(script(block.text), encoding="utf-8")
        os.write(self._asks, f"{path}\n".encode())
        if not self._answered():
            ended = self._shell.poll() is not None
            why = "" if ended else f"not done after {self._seconds:.0f} s\n"
            with self._heard.open("rb") as heard:
                heard.seek(before)
                told = heard.read().decode("utf-8", "replace").splitlines()
            raise BlockError(why + "\n".join(told[-TOLD_LINES:]))

    def _answered(self) -> bool:
        deadline = monotonic() + self._seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._answers, selectors.EVENT_READ)
            while (left := deadline - monotonic()) > 0:
                if selector.select(min(left, 0.2)):
                    return os.read(self._answers, 5) == b"done\n"
                if self._shell.poll() is not None:
                    return False
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._shell.pid, signal.SIGKILL)
        self._shell.wait()
        os.close(self._asks)
        os.close(self._answers)
