"""Sixteen tables beside a client that watches them all, floods its own, and reads nothing."""

from typing import Final

from benchmarks.attackers import beside
from benchmarks.harness import Goal, report

TABLES: Final = 16
ACTIONS: Final = 60


def main() -> None:
    """Measure, print and write `out/slow_reader.json`."""
    waits = beside("stall", number=TABLES, actions=ACTIONS)
    report(
        "slow_reader",
        {
            "tables": TABLES,
            "streams that nobody read": waits.done,
            **waits.rows(0.5),
            **waits.rows(0.99),
            "other tables' p99 with a slow reader ÷ without": Goal(waits.worse(0.99), most=2.0),
        },
    )


if __name__ == "__main__":
    main()
