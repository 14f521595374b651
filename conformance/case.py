"""A case: what is given, what is asked, and what must be answered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from conformance.jsontypes import Json, Record
from conformance.knobs import RuleSets, known_knob, known_value
from conformance.tree import Node, integers

IMPORTANCE = ("normal", "critical")
STATUS = ("stable", "draft", "disputed", "withdrawn")
SEATS = ("north", "east", "south", "west")
TRUMPS = ("C", "D", "H", "S", "N")
RENEGE = "renege.definition"
OPS = ("legal", "apply", "view", "replay", "score", "deck", "draw", "game", "perft", "adjudicate")
STANDING = ("turn", "phase", "legal", "closed")
VIEW = (
    "seat phase dealer hand counts upcard upcard_state trump maker alone out led trick tricks "
    "score turn legal hidden"
)
REPLAY = "winners outcome tricks points score next_dealer refused at"
FIELDS_OF: Mapping[str, tuple[str, ...]] = {
    "legal": STANDING,
    "apply": (*STANDING, "refused", "unchanged"),
    "view": tuple(VIEW.split()),
    "replay": (*STANDING, *REPLAY.split()),
    "score": ("tricks", "points"),
    "deck": ("hands", "upcard", "kitty"),
    "draw": ("dealer", "turned"),
    "game": ("scores", "winner", "dealer"),
    "perft": ("leaves", "spread"),
    "adjudicate": ("findings", "penalty"),
}


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
        title=fields["title"].text("title"),
        chapter=chapter,
        topic=topic,
        rules=fields["rules"].texts("rules"),
        why=fields["why"].text("why") if "why" in fields else "",
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


def where_from(node: Node, rulesets: RuleSets) -> dict[str, tuple[str, ...]]:
    """The constraints that pick the rule sets of a case."""
    wanted: dict[str, tuple[str, ...]] = {}
    for name, sub in node.mapping("where").items():
        values = sub.items if sub.items is not None else (sub,)
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
        given["score"] = score_from(fields["score"])
    return given


def score_from(node: Node) -> dict[str, int]:
    """A score, both sides named."""
    node.fields("score", required=("ns", "ew"))
    return integers(node, "score")


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
        return "game", {"deals": [_game_deal(sub) for sub in pairs["game"].sequence("game")]}
    for op, take in (
        ("deck", _deck),
        ("draw", _draw),
        ("perft", _perft),
        ("adjudicate", _adjudicate),
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
    return {"depth": fields["depth"].integer("depth")} if "depth" in fields else {}


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


def _findings(node: Node, what: str) -> list[Record]:
    findings: list[Record] = []
    for sub in node.sequence(what):
        entry = sub.fields("a finding", required=("trick", "seat", "card"), optional=("rule",))
        findings.append(
            {
                "trick": entry["trick"].integer("trick"),
                "seat": entry["seat"].one_of("seat", SEATS),
                "card": entry["card"].text("card"),
                "rule": entry["rule"].text("rule") if "rule" in entry else RENEGE,
            }
        )
    return findings


def _penalty(node: Node, what: str) -> Record:
    fields = node.fields(what, required=("side", "points"))
    return {
        "side": fields["side"].one_of("side", ("ns", "ew", "none")),
        "points": fields["points"].integer("points"),
    }


def _flag(node: Node, what: str) -> bool:
    if node.raw(what) != "true":
        node.fail(f"{what} can only be true")
    return True


def _words(node: Node, what: str) -> list[str]:
    return list(node.words(what))


def _integer(node: Node, what: str) -> int:
    return node.integer(what)


def _text(node: Node, what: str) -> str:
    return node.text(what)


def _hands(node: Node, what: str) -> dict[str, list[str]]:
    return {seat: list(sub.words(what)) for seat, sub in node.mapping(what).items()}


def _trick(node: Node, what: str) -> list[dict[str, str]]:
    laid = []
    for sub in node.sequence(what):
        entry = sub.fields("a card of the trick", required=("seat", "card"))
        laid.append(
            {"seat": entry["seat"].one_of("seat", SEATS), "card": entry["card"].text("card")}
        )
    return laid


def _scores(node: Node, what: str) -> list[dict[str, int]]:
    return [score_from(sub) for sub in node.sequence(what)]


def _legal(node: Node, what: str) -> list[str]:
    return [sub.text("a legal action") for sub in node.sequence(what)]


READERS: Mapping[str, Callable[[Node, str], Json]] = {
    "closed": _flag,
    "unchanged": _flag,
    "error": _flag,
    "legal": _legal,
    "hand": _words,
    "kitty": _words,
    "alone": _words,
    "out": _words,
    "winners": _words,
    "hidden": _words,
    "hands": _hands,
    "trick": _trick,
    "scores": _scores,
    "turned": _integer,
    "leaves": _integer,
    "at": _integer,
    "tricks": integers,
    "points": integers,
    "score": integers,
    "counts": integers,
    "spread": integers,
    "findings": _findings,
    "penalty": _penalty,
}


def then_from(node: Node, op: str) -> Record:
    """The fields that are judged."""
    pairs = node.fields("then", optional=(*FIELDS_OF[op], "error"))
    if not pairs:
        node.fail("then judges nothing")
    wanted: dict[str, Json] = {}
    for name, sub in pairs.items():
        if sub.scalar == "none":
            wanted[name] = "none"
        else:
            wanted[name] = READERS.get(name, _text)(sub, name)
    return wanted
