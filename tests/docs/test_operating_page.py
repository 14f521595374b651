"""The page for operators names every event of the log and every metric, and nothing else."""

import re
from typing import Final

import pytest

from referee.service.metrics import COUNTERS, HISTOGRAMS
from tests.docs.places import ROOT

PAGE: Final = (ROOT / "referee" / "service" / "OPERATING.md").read_text(encoding="utf-8")
NAMED: Final = re.compile(r'"([a-z_]+)(?: [a-z_]+=%[sd])+"')
BARE: Final = re.compile(r'log\.(?:debug|info|warning|error|exception)\("([a-z_]+)"')
CODE: Final = "\n".join(
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "referee").rglob("*.py"))
    if "pb" not in path.parts
)


def table_after(heading: str) -> str:
    return PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def first_cells(heading: str) -> set[str]:
    """The words in backticks in the first column of a table."""
    rows = re.findall(r"^\| (`.*?) \|", table_after(heading), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([a-z_*]+)", row)}


def test_the_page_names_every_event_of_the_log() -> None:
    logged = {*NAMED.findall(CODE), *BARE.findall(CODE), "said"}
    assert first_cells("The log") == logged


@pytest.mark.parametrize("name", [row[1] for row in (*COUNTERS, *HISTOGRAMS)])
def test_the_page_names_a_metric(name: str) -> None:
    assert {name, f"{name}_total"} & first_cells("Metrics")


def test_the_page_names_no_metric_that_there_is_not() -> None:
    known = {name for name in first_cells("Metrics") if name != "process_*"}
    for name in known - {"euchre_rpcs_ended_total"}:
        bare = name.removesuffix("_total").removesuffix("_info")
        assert f'"{bare}"' in CODE, name
