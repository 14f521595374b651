"""An event as it is played, on the terminal: what happens, and a bar with rate and time left."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from referee.arena.tournament.director import Progress as Standing
from referee.arena.tournament.sheet import Sheet


class Shown:
    """Says what happens, and shows how far the event is; the bar only where somebody looks."""

    def __init__(self, sheet: Sheet, *, quiet: bool) -> None:
        self._console = Console(highlight=False)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=quiet or not self._console.is_terminal,
        )
        self._tables = sheet.tables
        self._task = self._bar.add_task("starting", total=None, rate="")
        self._since: tuple[float, int] | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def tell(self, text: str) -> None:
        """Say something above the bar."""
        self._console.print(text, markup=False, soft_wrap=True)

    def progressed(self, standing: Standing) -> None:
        """Show how far the event is."""
        now = time.monotonic()
        if self._since is None:
            self._since = now, standing.done
        began, before = self._since
        played = standing.done - before
        rate = played * self._tables / max(now - began, 0.001)
        of = "" if standing.rounds is None else f"/{standing.rounds}"
        extra = f", {standing.void} void" if standing.void else ""
        extra += f", {standing.faults} faults" if standing.faults else ""
        self._bar.update(
            self._task,
            description=f"round {standing.round}{of}{extra}",
            completed=standing.done,
            total=standing.total,
            rate=f"{rate:.1f} deals/s" if played else "",
        )
