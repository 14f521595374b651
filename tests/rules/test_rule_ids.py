"""Every rule id that the code names is in the rule book."""

import re
from pathlib import Path

import yaml

import referee.rules
from referee.rules import KNOBS, RULE_OF

ROOT = Path(__file__).parents[2]


def ids_in_the_code() -> set[str]:
    sources = Path(referee.rules.__file__).parent.glob("*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    return set(re.findall(r"Rule: ([a-z0-9.-]*[a-z0-9])", text))


def ids_in_the_rule_book() -> set[str]:
    book = yaml.safe_load((ROOT / "conformance" / "rulebook.yaml").read_text(encoding="utf-8"))
    return set(book["rules"])


def test_every_rule_that_the_code_cites_is_in_the_rule_book() -> None:
    cited = ids_in_the_code()
    assert len(cited) > 30
    assert cited <= ids_in_the_rule_book()


def test_every_refusal_names_a_rule_of_the_rule_book() -> None:
    assert set(RULE_OF.values()) <= ids_in_the_rule_book()


def test_every_knob_bends_a_rule_of_the_rule_book() -> None:
    assert {knob.rule for knob in KNOBS.values()} <= ids_in_the_rule_book()
