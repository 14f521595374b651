"""A difference written down as a draft of a case, to be read, titled and blessed by a person."""

from collections.abc import Iterator, Mapping

from conformance.case import case_from
from conformance.drawing import drawn
from conformance.flow import flow, quoted
from conformance.generate.search import Difference
from conformance.jsontypes import Json, Record, map_of, texts_of
from conformance.knobs import RuleSets
from conformance.oracle.cards import SEATS
from conformance.oracle.reasons import RULE_OF
from conformance.tree import parse

NEEDED = {"apply": ("turn",), "view": (), "legal": ("turn",)}


PHASES = {
    "house": "house.not-qualified",
    "round_one": "round-one.order",
    "round_two": "round-two.order",
    "dealer_names": "dealer-names.any-suit",
    "discard": "discard.any-of-six",
    "partners_best": "alone.partners-best",
    "alone": "alone.when",
    "play": "play.follow-suit",
    "over": "deal.over",
}
"""The rule that a draft about what is legal names, by the phase."""

RULES = {
    "legal": "action.phase",
    "apply": "action.refusal-changes-nothing",
    "view": "view.own-only",
    "replay": "score.table",
    "score": "score.table",
    "deck": "deal.packets",
    "draw": "dealer.first",
    "game": "game.reach-or-exceed",
    "adjudicate": "renege.definition",
}
"""The rule that any other draft names: a person looks for a nearer one."""


def draft(found: Difference, rulesets: RuleSets, number: int = 1, *, topic: str = "draft") -> str:
    """The draft as YAML, indented as the items of `cases`, the position drawn above it."""
    text = "\n".join(_lines(found, rulesets, number, topic)) + "\n"
    node = parse(text, "draft").sequence("drafts")[0]
    picture = drawn(case_from(node, "draft", topic, rulesets), rulesets)
    return "".join(f"  # {line}".rstrip() + "\n" for line in picture) + text


def file_head(topic: str) -> str:
    """The lines above the first draft of a file."""
    return f"format: euchre-conformance/1\nchapter: draft\ntopic: {topic}\ncases:\n"


def _lines(found: Difference, rulesets: RuleSets, number: int, topic: str) -> Iterator[str]:
    request = found.request
    rules = map_of(request["rules"], "rules")
    base = rulesets.maps[str(request["ruleset"])]
    changes = {knob: _plain(rules[knob]) for knob in base if rules[knob] != base[knob]}
    yield f"  - id: {topic}-{number:03d}"
    yield f"    title: A draft about {', '.join(found.fields()) or 'the answer'}"
    yield f"    rules: [{_rule(found)}]"
    yield "    status: draft"
    yield f"    where: {{ruleset: {request['ruleset']}}}"
    if changes:
        yield f"    with: {flow(changes)}"
    yield from _given(request)
    yield f"    when: {_when(request)}"
    yield f"    then: {flow(_then(found))}"


def _plain(value: Json) -> Json:
    """A number as a number, so that it needs no quotes."""
    text = str(value)
    return int(text) if text.isdigit() else text


def _rule(found: Difference) -> str:
    """The rule of the refusal, else that of the phase, else that of the question."""
    reason, phase = found.right.get("refused"), found.right.get("phase")
    if reason in RULE_OF:
        return RULE_OF[str(reason)]
    if found.request["op"] == "legal" and phase in PHASES:
        return PHASES[str(phase)]
    return RULES[str(found.request["op"])]


def _given(request: Record) -> Iterator[str]:
    if "deal" not in request:
        yield f"    given: {flow({'score': request['score']}) if 'score' in request else '{}'}"
        return
    yield "    given:"
    yield from _deal(map_of(request["deal"], "deal"), "      ")
    yield f"      actions: [{', '.join(texts_of(request.get('actions', []), 'actions'))}]"
    if "score" in request:
        yield f"      score: {flow(request['score'])}"


def _deal(deal: Record, indent: str) -> Iterator[str]:
    hands = map_of(deal["hands"], "hands")
    yield f"{indent}deal:"
    yield f"{indent}  dealer: {deal['dealer']}"
    yield f"{indent}  hands:"
    for seat in SEATS:
        yield f"{indent}    {seat}: {' '.join(texts_of(hands[seat], 'a hand'))}"
    yield f"{indent}  upcard: {deal['upcard']}"


def _when(request: Record) -> str:
    match request["op"]:
        case "legal" | "score" as op:
            return f"{{ask: {op}}}"
        case "view":
            return f"{{ask: view {request['seat']}}}"
        case "apply":
            return f"{{apply: {quoted(str(request['action']))}, by: {request['by']}}}"
        case "replay":
            return "{replay: []}"
        case "adjudicate":
            asked = {key: request[key] for key in ("record", "claims")}
            return f"{{adjudicate: {flow(asked)}}}"
        case "game":
            return f"{{game: {flow(request['deals'])}}}"
        case op:
            names = ("deck", "start", "method", "packets", "dealer")
            return f"{{{op}: {flow({key: request[key] for key in names if key in request})}}}"


def _then(found: Difference) -> dict[str, Json]:
    if "error" in found.right:
        return {"error": True}
    body = found.right.get("view", found.right)
    right = body if isinstance(body, Mapping) else found.right
    wanted = {name: right.get(name, "none") for name in found.fields()}
    for name in NEEDED.get(str(found.request["op"]), ()):
        if name in right:
            wanted.setdefault(name, right[name])
    return wanted
