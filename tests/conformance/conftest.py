"""Our corpus, small corpora and small programs for the tests of the suite."""

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest

from conformance.check import Check
from conformance.corpus import Corpus
from tests import corpus as ours

CASE = """
id: small-001
title: The dealer's left speaks first
rules: [round-one.order]
where: {ruleset: standard}
given:
  deal:
    dealer: north
    hands:
      north: 9C 9S TS KD AC
      east: AD QD 9H TC QS
      south: JD TD KS QC JS
      west: 9D AH KH JC AS
    upcard: QH
  actions: []
when: {ask: legal}
then: {turn: east}
"""

PRELUDE = """
import json, sys, time, os
def say(value):
    sys.stdout.write(json.dumps(value) + "\\n")
    sys.stdout.flush()
def hello(parallel=False):
    request = json.loads(sys.stdin.readline())
    say({"id": request["id"], "protocol": 1, "name": "bad", "ops": ["legal"],
         "rulesets": ["standard"], "knobs": {}, "parallel": parallel})
def right(request):
    return {"id": request["id"], "turn": "east", "phase": "round_one",
            "legal": ["pass", "order", "order alone"]}
"""


@pytest.fixture
def corpus_dir(tmp_path: Path) -> Callable[..., Path]:
    """Makes a folder with one file of cases; `case` may be changed by replacing a piece of it."""

    def make(old: str = "", new: str = "", *, count: int = 1, head: str = "play") -> Path:
        folder = tmp_path / "cases"
        folder.mkdir(exist_ok=True)
        body = CASE.strip().replace(old, new) if old else CASE.strip()
        cases = [body.replace("small-001", f"small-{number:03d}") for number in range(1, count + 1)]
        text = f"format: euchre-conformance/1\nchapter: {head}\ntopic: small\ncases:\n"
        for case in cases:
            text += "  - " + indent(case, "    ").lstrip() + "\n"
        (folder / "small.yaml").write_text(text, encoding="utf-8")
        return folder

    return make


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Writes a program that starts with helpers to speak the protocol; returns its target."""

    def make(body: str) -> str:
        path = tmp_path / "target.py"
        path.write_text(PRELUDE + dedent(body), encoding="utf-8")
        return f"cmd:{sys.executable} {path}"

    return make


@pytest.fixture
def corpus() -> Corpus:
    """Our own corpus."""
    return ours.corpus()


@pytest.fixture
def checks() -> tuple[Check, ...]:
    """Every check of our own corpus."""
    return ours.checks()
