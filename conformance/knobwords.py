"""The knobs and the table rules in the words of a table: `knobwords.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.corpus import HOME
from conformance.knobs import Knob, RuleSets
from conformance.tree import Node, read

FORMAT = "euchre-knobwords/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a knob asks, and what its values mean; a number stands where `{n}` does."""

    asks: str
    values: Mapping[str, str]
    number: str

    def of(self, value: str) -> str:
        """The sentence of a value; empty where it is not worth one."""
        if value in self.values:
            return self.values[value]
        return self.number.replace("{n}", value)


def knobwords(rulesets: RuleSets) -> dict[str, Words]:
    """The words of every knob and table rule and every value, none missing and none too many."""
    root = read(HOME / "knobwords.yaml", "knobwords.yaml")
    fields = root.fields("the file", required=("format", "knobs", "table"))
    if fields["format"].text("format") != FORMAT:
        fields["format"].fail(f"format must be {FORMAT}")
    return {
        **_words(fields["knobs"], "knobs", rulesets.knobs),
        **_words(fields["table"], "table", rulesets.table_knobs),
    }


def _words(root: Node, what: str, knobs: Mapping[str, Knob]) -> dict[str, Words]:
    found: dict[str, Words] = {}
    for name, node in root.fields(what, required=tuple(knobs)).items():
        entry = node.fields(f"knob {name}", required=("asks",), optional=("values", "number"))
        values: dict[str, str] = {}
        if "values" in entry:
            wanted = entry["values"].fields("values", required=knobs[name].values)
            values = {value: sub.raw("words") for value, sub in wanted.items()}
        if ("number" in entry) is not (knobs[name].span is not None):
            node.fail(f"{name} has words for a number, or needs them")
        number = entry["number"].text("number") if "number" in entry else ""
        found[name] = Words(asks=entry["asks"].text("asks"), values=values, number=number)
    return found
