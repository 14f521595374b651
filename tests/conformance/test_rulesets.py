"""The rule sets stated here and those of the referee are the same."""

from conformance.corpus import HOME
from conformance.knobs import rulesets_from
from conformance.tree import read
from referee.records.tablerules import TABLE_KNOBS
from referee.rules import KNOBS, PRESETS

STATED = rulesets_from(read(HOME / "rulesets.yaml", "rulesets.yaml"))


def test_every_named_rule_set_is_the_referees() -> None:
    assert dict(STATED.maps) == {name: rules.to_map() for name, rules in PRESETS.items()}


def test_every_table_knob_is_the_judges() -> None:
    stated = {
        knob.name: (knob.rule, knob.default, knob.values, knob.span)
        for knob in STATED.table_knobs.values()
    }
    assert stated == {
        knob.name: (
            knob.rule,
            knob.default,
            tuple(knob.words),
            None if knob.least is None else (knob.least, knob.most),
        )
        for knob in TABLE_KNOBS.values()
    }


def test_every_knob_has_the_referees_rule_and_default() -> None:
    stated = {knob.name: (knob.rule, knob.default) for knob in STATED.knobs.values()}
    assert stated == {knob.name: (knob.rule, knob.default) for knob in KNOBS.values()}


def test_every_knob_knows_the_values_the_referee_knows() -> None:
    for knob in KNOBS.values():
        assert STATED.knobs[knob.name].values == tuple(knob.words), knob.name
        assert STATED.knobs[knob.name].built == tuple(knob.words), knob.name
