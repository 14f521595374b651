"""An event as it is played, on the terminal: what happens, and a bar with rate and time left."""

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from referee.arena.statistics.watch import Bounds, always_valid, swing_bounds
from referee.arena.tournament.director import Progress as Standing
from referee.arena.tournament.sheet import Sheet

EVERY_S: Final = 2.0
SHOWN: Final = 3
"""Leaders under the bar, and how often they are computed anew."""


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
        )
        self._watched = self._console.is_terminal and not quiet
        self._leaders = ""  # the display asks for it at once
        self._live = Live(
            get_renderable=self._screen, console=self._console, transient=True, refresh_per_second=4
        )
        self._tables = sheet.tables
        self._task = self._bar.add_task("starting", total=None, rate="")
        self._bounds = swing_bounds(sheet.rules)
        self._ranked_at = 0.0
        self._since: tuple[float, int] | None = None

    def __enter__(self) -> Self:
        if self._watched:
            self._live.start()
        return self

    def _screen(self) -> Group:
        return Group(self._bar, Text(self._leaders, no_wrap=True, overflow="ellipsis"))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._watched:
            self._live.stop()

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
        if self._watched and now - self._ranked_at > EVERY_S:
            self._ranked_at = now
            self._leaders = leaders(standing.scores, self._bounds)


def leaders(scores: Mapping[str, Mapping[float, int]], bounds: Bounds) -> str:
    """Who leads in points per deal, with intervals that are true at every moment at once."""
    figures = {name: always_valid(counts, bounds) for name, counts in scores.items()}
    best = sorted(figures, key=lambda name: (-figures[name].mean, name))[:SHOWN]
    return "   ".join(f"{name} {figures[name].text}" for name in best)
