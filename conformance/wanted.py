"""What a case wants to be answered: the fields of `then`, each with the values it may have."""

from collections.abc import Callable, Iterable, Mapping

from conformance.jsontypes import Json, Record
from conformance.oracle.cards import PACKS, pack
from conformance.oracle.reasons import RULE_OF, WORDS_IN
from conformance.oracle.ruling import is_action
from conformance.tree import Node, integers

SEATS = ("north", "east", "south", "west")
SIDES = ("ns", "ew")
TRUMPS = ("C", "D", "H", "S", "N")
CARDS = frozenset(card for name in PACKS for card in pack(name))
"""The cards of every pack."""
RENEGE = "renege.definition"
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
    "verify": ("exit", "party", "event"),
}
ONE_OF: Mapping[str, tuple[str, ...]] = {
    "turn": SEATS,
    "seat": SEATS,
    "dealer": SEATS,
    "maker": SEATS,
    "next_dealer": SEATS,
    "winner": SIDES,
    "trump": TRUMPS,
    "phase": tuple(WORDS_IN),
    "refused": tuple(RULE_OF),
    "outcome": ("played", "thrown_in", "redeal", "fault", "renege", "void"),
    "upcard_state": ("turned", "taken", "turned_down"),
    "party": ("referee", "file", "key", "nobody"),
}
"""The fields that hold one word of a closed list."""


def then_from(node: Node, op: str) -> Record:
    """The fields that are judged."""
    pairs = node.fields("then", optional=(*FIELDS_OF[op], "error"))
    if not pairs:
        node.fail("then judges nothing")
    wanted: dict[str, Json] = {}
    for name, sub in pairs.items():
        if sub.scalar == "none":
            wanted[name] = "none"
        elif name in ONE_OF:
            wanted[name] = sub.one_of(name, (*ONE_OF[name], "none"))
        else:
            wanted[name] = READERS.get(name, _text)(sub, name)
    return wanted


def sides(node: Node, what: str) -> dict[str, int]:
    """A count for each side, both named."""
    node.fields(what, required=SIDES)
    return integers(node, what)


def _findings(node: Node, what: str) -> list[Record]:
    findings: list[Record] = []
    for sub in node.sequence(what):
        entry = sub.fields("a finding", required=("trick", "seat", "card"), optional=("rule",))
        findings.append(
            {
                "trick": entry["trick"].count("trick"),
                "seat": entry["seat"].one_of("seat", SEATS),
                "card": _card(entry["card"], "card"),
                "rule": entry["rule"].text("rule") if "rule" in entry else RENEGE,
            }
        )
    return findings


def _penalty(node: Node, what: str) -> Record:
    fields = node.fields(what, required=("side", "points"))
    return {
        "side": fields["side"].one_of("side", ("ns", "ew", "none")),
        "points": fields["points"].count("points"),
    }


def _flag(node: Node, what: str) -> bool:
    if node.raw(what) != "true":
        node.fail(f"{what} can only be true")
    return True


def _cards(node: Node, what: str) -> list[str]:
    return list(_once(node, _known_cards(node, node.words(what), what), what))


def _card(node: Node, what: str) -> str:
    text = node.text(what)
    return next(iter(_known_cards(node, (text,), what)))


def _seats(node: Node, what: str) -> list[str]:
    return list(_known_seats(node, node.words(what), what))


def _out(node: Node, what: str) -> list[str]:
    return list(_once(node, _known_seats(node, node.words(what), what), what))


def _known_seats(node: Node, words: Iterable[str], what: str) -> Iterable[str]:
    for word in words:
        if word not in SEATS:
            node.fail(f"{what} has {word!r}: it must be one of {', '.join(SEATS)}")
        yield word


def _known_cards(node: Node, words: Iterable[str], what: str) -> Iterable[str]:
    for word in words:
        if word not in CARDS:
            node.fail(f"{what} has {word!r}, which is no card: write rank and suit, as 9H or TC")
        yield word


def _once(node: Node, words: Iterable[str], what: str) -> Iterable[str]:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            node.fail(f"{what} has {word!r} twice")
        seen.add(word)
        yield word


def _count(node: Node, what: str) -> int:
    return node.count(what)


def _text(node: Node, what: str) -> str:
    return node.text(what)


def _hands(node: Node, what: str) -> dict[str, list[str]]:
    return {seat: _cards(sub, what) for seat, sub in node.mapping(what).items()}


def _trick(node: Node, what: str) -> list[dict[str, str]]:
    laid = []
    for sub in node.sequence(what):
        entry = sub.fields("a card of the trick", required=("seat", "card"))
        laid.append(
            {"seat": entry["seat"].one_of("seat", SEATS), "card": _card(entry["card"], "card")}
        )
    return laid


def _scores(node: Node, what: str) -> list[dict[str, int]]:
    return [sides(sub, what) for sub in node.sequence(what)]


def _legal(node: Node, what: str) -> list[str]:
    return list(_once(node, (_action(sub) for sub in node.sequence(what)), what))


def _action(node: Node) -> str:
    text = node.text("a legal action")
    if not is_action(text):
        node.fail(f"{text!r} is no action: write it as play 9H, discard TC, order alone, name S")
    return text


READERS: Mapping[str, Callable[[Node, str], Json]] = {
    "closed": _flag,
    "unchanged": _flag,
    "error": _flag,
    "legal": _legal,
    "hand": _cards,
    "kitty": _cards,
    "upcard": _card,
    "led": _card,
    "alone": _out,
    "out": _out,
    "winners": _seats,
    "hidden": _cards,
    "hands": _hands,
    "trick": _trick,
    "scores": _scores,
    "turned": _count,
    "exit": _count,
    "event": _count,
    "leaves": _count,
    "at": _count,
    "tricks": sides,
    "points": sides,
    "score": sides,
    "counts": integers,
    "spread": integers,
    "findings": _findings,
    "penalty": _penalty,
}
