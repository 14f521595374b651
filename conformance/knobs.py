"""The knobs and the named rule sets of `rulesets.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.errors import CorpusError, UsageError
from conformance.tree import Node, near

FORMAT = "euchre-rulesets/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One point on which houses differ: its values, and those that this release plays."""

    name: str
    rule: str
    values: tuple[str, ...]
    built: tuple[str, ...]
    span: tuple[int, int] | None
    default: str

    def knows(self, value: str) -> bool:
        """Whether this is a value of the knob at all."""
        return value in self.values or self._spans(value)

    def plays(self, value: str) -> bool:
        """Whether this release plays the value."""
        return value in self.built or self._spans(value)

    def _spans(self, value: str) -> bool:
        if self.span is None or not value.isascii() or not value.isdigit():
            return False
        if len(value) > len(str(self.span[1])):
            return False
        return str(int(value)) == value and self.span[0] <= int(value) <= self.span[1]

    def shown(self) -> str:
        """The values in words."""
        numbers = [f"{self.span[0]}..{self.span[1]}"] if self.span else []
        return ", ".join([*self.values, *numbers])


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSets:
    """Every knob, and every named rule set as a complete map of knob values."""

    knobs: Mapping[str, Knob]
    table_knobs: Mapping[str, Knob]
    maps: Mapping[str, Mapping[str, str]]
    sources: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, str]

    def named(self, name: str) -> Mapping[str, str]:
        """The knob map of a named rule set."""
        if name not in self.maps:
            raise UsageError(
                f"unknown rule set {name!r}{near(name, self.maps)}: use one of "
                + ", ".join(self.maps)
            )
        return self.maps[name]


def meaningless(rules: Mapping[str, str]) -> str | None:
    """Why these values make no sense beside each other; none if they do."""
    says = _Says(rules)
    two_rounds = says("trump_making=two_rounds")
    clashes: list[tuple[str, str, bool]] = [
        ("alone_who", "alone_when", not says("alone_who=maker") and says("alone_when=with_call")),
        (
            "alone_who",
            "defend_alone",
            says("alone_who=any_player") and not says("defend_alone=never"),
        ),
        (
            "partner_order",
            "alone_when",
            says("partner_order=must_be_alone", "alone_when=before_lead"),
        ),
        (
            "trump_making",
            "all_pass",
            says("all_pass=throw_in") and not two_rounds,
        ),
        ("throw_in_dealer", "all_pass", says("throw_in_dealer=same", "all_pass=stick")),
        (
            "order_needs_trump_scope",
            "order_needs_trump",
            says("order_needs_trump=never") and not says("order_needs_trump_scope=ordering_seats"),
        ),
        ("bury_upcard", "upcard", says("bury_upcard=forbidden", "upcard=stays_out")),
        ("sitting_out_dealer", "upcard", says("sitting_out_dealer=leave", "upcard=stays_out")),
        (
            "sitting_out_dealer",
            "alone_when",
            says("sitting_out_dealer=leave", "alone_when=before_lead"),
        ),
        (
            "best_bower_turned",
            "pack",
            says("best_bower_turned=dealer_names_blind")
            and rules["pack"] not in ("E25", "E25J", "E33J"),
        ),
        ("no_trump", "trump_making", says("no_trump=round_two") and not two_rounds),
        *_nobody_makes_trump(says),
        *_no_defender_asked(says),
    ]
    for one, two, clash in clashes:
        if clash:
            return f"{one}: {rules[one]} makes no sense beside {two}: {rules[two]}"
    return None


class _Says:
    """Whether a knob map holds all of some values."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        self.rules = rules

    def __call__(self, *values: str) -> bool:
        pairs = (value.split("=") for value in values)
        return all(self.rules[knob] == value for knob, value in pairs)


def _nobody_makes_trump(says: _Says) -> list[tuple[str, str, bool]]:
    turned = says("trump_making=turned_suit")
    return [
        ("trump_making", "upcard", turned and says("upcard=dealer_takes")),
        ("trump_making", "alone_who", turned and not says("alone_who=any_player")),
        ("trump_making", "order_needs_trump", turned and not says("order_needs_trump=never")),
        ("trump_making", "partner_order", turned and says("partner_order=must_be_alone")),
        ("trump_making", "defend_alone_poll", turned and says("defend_alone_poll=makers_left")),
        (
            "trump_making",
            "best_bower_turned",
            turned and says("best_bower_turned=dealer_names_blind"),
        ),
    ]


def _no_defender_asked(says: _Says) -> list[tuple[str, str, bool]]:
    none = says("defend_alone=never") and not says("alone_who=any_player")
    return [
        ("defend_alone_poll", "defend_alone", none and says("defend_alone_poll=makers_left")),
        ("both_alone_lead", "defend_alone", none and says("both_alone_lead=defender")),
    ]


def rulesets_from(root: Node) -> RuleSets:
    """The rule sets of a file."""
    fields = root.fields("the file", required=("format", "knobs", "table_rules", "rulesets"))
    if fields["format"].text("format") != FORMAT:
        fields["format"].fail(f"format must be {FORMAT}")
    knobs = {name: _knob(name, node) for name, node in fields["knobs"].mapping("knobs").items()}
    table = {
        name: _knob(name, node)
        for name, node in fields["table_rules"].mapping("table_rules").items()
    }
    maps: dict[str, Mapping[str, str]] = {}
    sources: dict[str, tuple[str, ...]] = {}
    texts: dict[str, str] = {}
    for name, node in fields["rulesets"].mapping("rulesets").items():
        entry = node.fields(
            f"rule set {name}", required=("source", "text", "knobs"), optional=("extends",)
        )
        base: Mapping[str, str] = {}
        if "extends" in entry:
            parent = entry["extends"].text("extends")
            if parent not in maps:
                entry["extends"].fail(f"extends {parent!r}, which does not stand above")
            base = maps[parent]
        own = knob_values(entry["knobs"], knobs)
        merged = {**base, **own}
        missing = [knob for knob in knobs if knob not in merged]
        if missing:
            node.fail(f"rule set {name} does not say {', '.join(missing)}")
        ordered = {knob: merged[knob] for knob in knobs}
        if clash := meaningless(ordered):
            node.fail(f"rule set {name}: {clash}")
        maps[name] = ordered
        sources[name] = entry["source"].words("source")
        texts[name] = entry["text"].text("text")
    return RuleSets(knobs=knobs, table_knobs=table, maps=maps, sources=sources, texts=texts)


def _knob(name: str, node: Node) -> Knob:
    fields = node.fields(
        f"knob {name}", required=("rule",), optional=("values", "built", "range", "default")
    )
    values: tuple[str, ...] = ()
    if "values" in fields:
        values = tuple(sub.raw("a value") for sub in fields["values"].sequence("values"))
    span: tuple[int, int] | None = None
    if "range" in fields:
        low, high = (sub.integer("a bound") for sub in fields["range"].sequence("range"))
        span = (low, high)
    built = values
    if "built" in fields:
        built = tuple(sub.raw("a value") for sub in fields["built"].sequence("built"))
    default = fields["default"].raw("default") if "default" in fields else values[0]
    rule = fields["rule"].text("rule")
    return Knob(name=name, rule=rule, values=values, built=built, span=span, default=default)


def knob_values(node: Node, knobs: Mapping[str, Knob]) -> dict[str, str]:
    """A map of knob values, each known and each played by this release."""
    chosen: dict[str, str] = {}
    for name, sub in node.mapping("knobs").items():
        knob = known_knob(sub, name, knobs)
        chosen[name] = known_value(sub, knob)
        if not knob.plays(chosen[name]):
            sub.fail(f"{name}: {chosen[name]} is not played by this release")
    return chosen


def known_knob(node: Node, name: str, knobs: Mapping[str, Knob]) -> Knob:
    """The knob of a name."""
    if name not in knobs:
        slip = near(name, knobs) or " (euchre-referee rules show standard lists the knobs)"
        node.fail(f"unknown knob {name!r}{slip}")
    return knobs[name]


def known_value(node: Node, knob: Knob) -> str:
    """A value of a knob, read as text whatever YAML makes of it."""
    value = node.raw(knob.name)
    if not knob.knows(value):
        node.fail(f"{knob.name} cannot be {value!r}: it is one of {knob.shown()}")
    return value


def chosen_rules(rulesets: RuleSets, name: str, changes: Mapping[str, str]) -> Mapping[str, str]:
    """A named rule set with some knobs changed; a clash is a corpus error."""
    rules = {**rulesets.named(name), **changes}
    if clash := meaningless(rules):
        raise CorpusError(f"{name}: {clash}")
    return rules
