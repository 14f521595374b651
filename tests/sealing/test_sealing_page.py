"""The page that explains the seal is in the package and says what the code does."""

import re
from importlib import resources
from typing import Final

from referee.sealing import SEATS
from referee.sealing.encode import TAGS
from referee.sealing.packs import PACKS

PAGE: Final = (resources.files("referee.sealing") / "SEALING.md").read_text(encoding="utf-8")
SUITS: Final = "CDHS"


def test_the_page_lists_every_tag_once() -> None:
    (listed,) = re.findall(r"^- The tags, each for one use: (.*)\.$", PAGE, re.MULTILINE)
    assert sorted(re.findall(r"`([^`]+)`", listed)) == sorted(tag.decode() for tag in TAGS)


def test_the_packs_of_the_page_are_the_packs_that_are_dealt() -> None:
    rows = re.findall(r"^\| `(E\w+)` \| ([^|]+) \|([^|]*)\| (\d+) \|$", PAGE, re.MULTILINE)
    told = {
        name: [rank + suit for suit in SUITS for rank in ranks.split()] + re.findall(r"\w+", last)
        for name, ranks, last, _ in rows
    }
    assert told == {name: list(cards) for name, cards in PACKS.items()}
    assert [len(told[name]) for name, *_ in rows] == [int(count) for *_, count in rows]


def test_the_seats_of_the_page_are_numbered_as_they_are_hashed() -> None:
    assert ", ".join(f"{i} {seat}" for i, seat in enumerate(SEATS)) in PAGE


def test_the_port_stays_within_thirty_lines() -> None:
    (port,) = re.findall(
        r"^## The port, in thirty lines\n```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL
    )
    assert 0 < len([line for line in port.splitlines() if line.strip()]) <= 30
