"""The journal on SQLite: what many tables gain by sharing one flush of the disk.

With *group commit* 256 tables append an action each before the first waits; with *commit per
action* every append waits for its own flush.
"""

import sqlite3
import tempfile
from concurrent.futures import Future
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.harness import OUT, Goal, interleave, ratio, report
from referee.journal.sqlite import SqliteStore
from referee.journal.store import Row

TABLES: Final = 256
TURNS: Final = 40
ALONE: Final = 300
ROUNDS: Final = 7
BODY: Final = (
    b'{"action":"play KD","deal":7,"kind":"action","prev":"%s","seat":"north","seq":123,'
    b'"used_ms":17}' % (b"5f" * 32)
)


class Tables:
    """Matches that append one action after the other."""

    def __init__(self, store: SqliteStore, first: int) -> None:
        self._store = store
        self._ids = [(first + n).to_bytes(16, "big") for n in range(TABLES)]
        self._next = [0] * TABLES

    def append(self, table: int) -> Future[None]:
        """Queue the table's next action."""
        n = self._next[table]
        self._next[table] = n + 1
        row = Row(self._ids[table], n, n, "action", BODY, b"", n.to_bytes(16, "big"))
        return self._store.append([row], at_ms=n)

    def together(self) -> int:
        """Every table makes an action, and waits for it."""
        for _ in range(TURNS):
            for done in [self.append(table) for table in range(TABLES)]:
                done.result()
        return TURNS * TABLES

    def alone(self) -> int:
        """One action after the other."""
        for n in range(ALONE):
            self.append(n % TABLES).result()
        return ALONE


def main() -> None:
    """Measure, print and write `out/journal.json`."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT) as place:
        store = SqliteStore(Path(place) / "journal.db")
        work = {
            "group": Tables(store, 0).together,
            "alone": Tables(store, TABLES).alone,
        }
        rates = interleave(work, rounds=ROUNDS)
        store.close()
    report(
        "journal",
        {
            "sqlite": sqlite3.sqlite_version,
            "group commit at 256 tables, actions a second": median(rates["group"]),
            "commit per action, actions a second": median(rates["alone"]),
            "group commit ÷ commit per action": Goal(ratio(rates, "group", "alone"), least=50),
        },
    )


if __name__ == "__main__":
    main()
