"""One table beside a client that opens streams and takes each back at once."""

from typing import Final

from benchmarks.attackers import beside
from benchmarks.harness import Goal, report

TABLES: Final = 1
ACTIONS: Final = 400


def main() -> None:
    """Measure, print and write `out/reset.json`."""
    waits = beside("reset", number=TABLES, actions=ACTIONS)
    report(
        "reset",
        {
            "tables": TABLES,
            "streams opened and reset": waits.done,
            **waits.rows(0.5),
            **waits.rows(0.99),
            "a victim's p50 under rapid reset ÷ without": Goal(waits.worse(0.5), most=3.0),
        },
    )


if __name__ == "__main__":
    main()
