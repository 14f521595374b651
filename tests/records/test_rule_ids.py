import re
from pathlib import Path

import yaml

import referee.records
from referee.records import TABLE_KNOBS

SOURCES = Path(referee.records.__file__).parent
RULEBOOK = Path(__file__).parents[2] / "conformance" / "rulebook.yaml"
NAMED = re.compile(
    r'"((?:action|alone|bid|claim|cut|deal|game|misdeal|pack|play|renege|round-one|round-two'
    r'|trick)\.[a-z0-9-]+|table-talk)"'
)


def test_every_rule_that_the_judge_names_stands_in_the_rule_book() -> None:
    known = set(yaml.safe_load(RULEBOOK.read_text(encoding="utf-8"))["rules"])
    named = {knob.rule for knob in TABLE_KNOBS.values()}
    for source in SOURCES.glob("*.py"):
        named |= set(NAMED.findall(source.read_text(encoding="utf-8")))
    assert len(named) > 20
    assert sorted(named - known) == []
