"""A case: what is given, what is asked, and what must be answered."""

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.edited import transcript_from
from conformance.jsontypes import Json, Record
from conformance.knobs import RuleSets, known_knob, known_value
from conformance.tree import Node
from conformance.wanted import SEATS, TRUMPS, sides, then_from

IMPORTANCE = ("normal", "critical")
STATUS = ("stable", "draft", "disputed", "withdrawn")
OPS = (
    *("legal", "apply", "view", "replay", "score", "deck", "draw", "game", "perft", "adjudicate"),
    "verify",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case of the corpus, as its author wrote it."""

    id: str
    title: str
    chapter: str
    topic: str
    rules: tuple[str, ...]
    why: str
    importance: str
    status: str
    superseded_by: str | None
    where: Mapping[str, tuple[str, ...]]
    changes: Mapping[str, str]
    given: Record
    op: str
    ask: Record
    then: Record
    alternatives: Mapping[str, Record]
    file: str
    line: int

    def place(self) -> str:
        """Where the case stands."""
        return f"{self.file}:{self.line}"

    def meaning(self) -> dict[str, Json]:
        """All that decides what the case tests; the wording of its title is none of it."""
        return {
            "where": {key: list(values) for key, values in sorted(self.where.items())},
            "with": dict(self.changes),
            "given": self.given,
            "op": self.op,
            "ask": self.ask,
            "then": self.then,
            "alternatives": dict(self.alternatives),
        }


REQUIRED = ("id", "title", "rules", "given", "when", "then")
OPTIONAL = ("why", "importance", "status", "superseded_by", "where", "with", "alternatives")


def case_from(node: Node, chapter: str, topic: str, rulesets: RuleSets) -> Case:
    """The case that a node of a case file describes."""
    fields = node.fields("the case", required=REQUIRED, optional=OPTIONAL)
    op, ask = when_from(fields["when"])
    alternatives: dict[str, Record] = {}
    if "alternatives" in fields:
        for sub in fields["alternatives"].sequence("alternatives"):
            entry = sub.fields("an alternative", required=("name", "then"))
            alternatives[entry["name"].text("name")] = then_from(entry["then"], op)
    status = fields["status"].one_of("status", STATUS) if "status" in fields else "stable"
    if (status == "disputed") != bool(alternatives):
        node.fail("alternatives stand in a disputed case, and only there")
    importance = "normal"
    if "importance" in fields:
        importance = fields["importance"].one_of("importance", IMPORTANCE)
    superseded = (
        fields["superseded_by"].text("superseded_by") if "superseded_by" in fields else None
    )
    changes = {}
    if "with" in fields:
        for name, sub in fields["with"].mapping("with").items():
            changes[name] = known_value(sub, known_knob(sub, name, rulesets.knobs))
    return Case(
        id=fields["id"].text("id"),
        title=fields["title"].prose("title"),
        chapter=chapter,
        topic=topic,
        rules=_rules(fields["rules"]),
        why=fields["why"].prose("why") if "why" in fields else "",
        importance=importance,
        status=status,
        superseded_by=superseded,
        where=where_from(fields["where"], rulesets) if "where" in fields else {},
        changes=changes,
        given=given_from(fields["given"]),
        op=op,
        ask=ask,
        then=then_from(fields["then"], op),
        alternatives=alternatives,
        file=node.file,
        line=node.line,
    )


def _rules(node: Node) -> tuple[str, ...]:
    rules = node.texts("rules")
    if not rules:
        node.fail("rules names no rule: name at least one id of rulebook.yaml")
    for name in rules:
        if rules.count(name) > 1:
            node.fail(f"rules names {name!r} twice")
    return rules


def where_from(node: Node, rulesets: RuleSets) -> dict[str, tuple[str, ...]]:
    """The constraints that pick the rule sets of a case."""
    wanted: dict[str, tuple[str, ...]] = {}
    for name, sub in node.mapping("where").items():
        values = sub.items if sub.items is not None else (sub,)
        if not values:
            sub.fail(f"{name} names no value, so no rule set fits: name one, or leave it out")
        if name == "ruleset":
            wanted[name] = tuple(value.one_of("ruleset", rulesets.maps) for value in values)
        else:
            knob = known_knob(sub, name, rulesets.knobs)
            wanted[name] = tuple(known_value(value, knob) for value in values)
    return wanted


def deal_from(node: Node) -> Record:
    """A deal: the dealer, four hands, the upcard, and the kitty where it matters."""
    fields = node.fields("the deal", required=("dealer", "hands", "upcard"), optional=("kitty",))
    hands = fields["hands"].fields("hands", required=SEATS)
    deal: dict[str, Json] = {
        "dealer": fields["dealer"].one_of("dealer", SEATS),
        "hands": {seat: list(hands[seat].words("a hand")) for seat in SEATS},
        "upcard": fields["upcard"].text("upcard"),
    }
    if "kitty" in fields:
        deal["kitty"] = list(fields["kitty"].words("kitty"))
    return deal


def given_from(node: Node) -> Record:
    """The deal, the actions so far, and the score before the deal."""
    fields = node.fields("given", optional=("deal", "actions", "tricks", "score"))
    given: dict[str, Json] = {}
    if "deal" in fields:
        given["deal"] = deal_from(fields["deal"])
        given["actions"] = actions_from(fields)
    elif "actions" in fields or "tricks" in fields:
        node.fail("actions without a deal")
    if "score" in fields:
        given["score"] = sides(fields["score"], "score")
    return given


def actions_from(fields: Mapping[str, Node]) -> list[str]:
    """Actions, and after them the cards of whole tricks."""
    actions: list[str] = []
    if "actions" in fields:
        actions += fields["actions"].texts("actions")
    if "tricks" in fields:
        for trick in tricks_from(fields["tricks"]):
            actions += trick
    return actions


def tricks_from(node: Node) -> list[list[str]]:
    """Tricks, each a list of actions, or the cards in the order they fell as one text."""
    tricks: list[list[str]] = []
    for sub in node.sequence("tricks"):
        if sub.scalar is not None:
            tricks.append([f"play {card}" for card in sub.words("a trick")])
        else:
            tricks.append(list(sub.texts("a trick")))
    return tricks


def when_from(node: Node) -> tuple[str, Record]:
    """The op and its fields."""
    pairs = node.mapping("when")
    if "ask" in pairs:
        node.fields("when", required=("ask",))
        return _asked(pairs["ask"])
    if "apply" in pairs:
        node.fields("when", required=("apply",), optional=("by",))
        ask: dict[str, Json] = {"action": pairs["apply"].text("apply")}
        if "by" in pairs:
            ask["by"] = pairs["by"].one_of("by", SEATS)
        return "apply", ask
    if "replay" in pairs:
        node.fields("when", required=("replay",))
        return "replay", {"tricks": tricks_from(pairs["replay"])}
    if "game" in pairs:
        node.fields("when", required=("game",))
        deals = [_game_deal(sub) for sub in pairs["game"].sequence("game")]
        if not deals:
            pairs["game"].fail("game names no deal: a game has at least one")
        return "game", {"deals": deals}
    for op, take in (
        ("deck", _deck),
        ("draw", _draw),
        ("perft", _perft),
        ("adjudicate", _adjudicate),
        ("verify", transcript_from),
    ):
        if op in pairs:
            node.fields("when", required=(op,))
            return op, take(pairs[op])
    raise node.error(f"when asks nothing known: {', '.join(pairs) or 'it is empty'}")


def _asked(node: Node) -> tuple[str, Record]:
    words = node.text("ask").split(" ")
    match words:
        case ["legal" | "score" as op]:
            return op, {}
        case ["view", seat] if seat in SEATS:
            return "view", {"seat": seat}
        case _:
            raise node.error(f"ask is legal, score or view SEAT, not {' '.join(words)!r}")


def _game_deal(node: Node) -> Record:
    fields = node.fields("a deal", required=("deal",), optional=("actions", "tricks"))
    return {"deal": deal_from(fields["deal"]), "actions": actions_from(fields)}


def _deck(node: Node) -> Record:
    fields = node.fields("deck", required=("deck", "dealer"), optional=("packets",))
    ask: dict[str, Json] = {
        "deck": list(fields["deck"].words("deck")),
        "dealer": fields["dealer"].one_of("dealer", SEATS),
    }
    if "packets" in fields:
        ask["packets"] = fields["packets"].raw("packets")
    return ask


def _draw(node: Node) -> Record:
    fields = node.fields("draw", required=("deck", "start"), optional=("method",))
    ask: dict[str, Json] = {
        "deck": list(fields["deck"].words("deck")),
        "start": fields["start"].one_of("start", SEATS),
    }
    if "method" in fields:
        ask["method"] = fields["method"].text("method")
    return ask


def _perft(node: Node) -> Record:
    fields = node.fields("perft", optional=("depth",))
    return {"depth": fields["depth"].count("depth")} if "depth" in fields else {}


def _adjudicate(node: Node) -> Record:
    fields = node.fields("adjudicate", required=("record",), optional=("claims",))
    record = fields["record"].fields("record", required=("tricks",), optional=("trump",))
    kept: dict[str, Json] = {
        "tricks": [list(sub.texts("a trick")) for sub in record["tricks"].sequence("tricks")]
    }
    if "trump" in record:
        kept["trump"] = record["trump"].one_of("trump", TRUMPS)
    ask: dict[str, Json] = {"record": kept}
    if "claims" in fields:
        ask["claims"] = [_claim(sub) for sub in fields["claims"].sequence("claims")]
    return ask


def _claim(node: Node) -> Record:
    fields = node.fields("a claim", required=("by", "against", "trick"))
    return {
        "by": fields["by"].one_of("by", SEATS),
        "against": fields["against"].one_of("against", SEATS),
        "trick": fields["trick"].integer("trick"),
    }
