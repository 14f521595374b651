"""A case drawn: the trick on the table with its four seats, and what is known beside it."""

from collections.abc import Iterator, Sequence

from conformance.case import Case
from conformance.corpus import spread
from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, list_of, map_of, text_of, texts_of
from conformance.knobs import RuleSets
from conformance.oracle.answer import position
from conformance.oracle.cards import SEATS
from conformance.oracle.hand import Hand

NARROW = 12
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "N": "no trump"}


def drawn(case: Case, rulesets: RuleSets) -> list[str]:
    """The lines of the drawing, question and answer below it; only words where there is no deal."""
    rules = next(iter(spread(case, rulesets).values()))
    request: Record = {"op": case.op, "rules": rules, **case.given, **case.ask}
    return [*scene(request), f"asked: {question(request)}", f"answer: {answered(case.then)}"]


def question(ask: Record) -> str:
    """What a request asks, in words."""
    match ask["op"]:
        case "legal":
            return "what is legal?"
        case "apply":
            by = f"{ask['by']} says " if "by" in ask else ""
            return f"{by}{ask['action']}"
        case "view":
            return f"what does {ask['seat']} see?"
        case "replay":
            return f"what comes of these tricks? {_tricks(list_of(ask['tricks'], 'tricks'))}"
        case "deck":
            return f"{ask['dealer']} deals {_cards(ask['deck'])}"
        case "draw":
            return f"who deals first? The cards from {ask['start']} on: {_cards(ask['deck'])}"
        case "game":
            return f"the score after {len(list_of(ask['deals'], 'deals'))} deals"
        case "perft":
            return "how many ways are there to play on, and what do they pay?"
        case "adjudicate":
            record = map_of(ask["record"], "record")
            trump = f"trump {record['trump']}; " if "trump" in record else ""
            return f"who reneged? {trump}{_tricks(list_of(record['tricks'], 'tricks'))}"
        case "verify":
            return f"is this transcript in order? {_told(text_of(ask['text'], 'text'))}"
        case op:
            return str(op)


def _told(text: str) -> str:
    """How long a transcript is; its lines are for programs."""
    return f"({text.count(chr(10))} lines)"


def _cards(value: Json) -> str:
    return " ".join(texts_of(value, "cards"))


def _tricks(tricks: Sequence[Json]) -> str:
    each = [texts_of(trick, "a trick") for trick in tricks]
    return " / ".join(", ".join(text.removeprefix("play ") for text in trick) for trick in each)


def answered(then: Record) -> str:
    """The answer in words, its fields in the order of the case."""
    if not then:
        return "nothing at all"
    return "; ".join(
        f"{name.replace('_', ' ')} {value_words(value)}" for name, value in then.items()
    )


def value_words(value: Json) -> str:
    """A value of an answer in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str() | int() | float():
            return str(value)
        case None:
            return "none"
        case dict():
            return " ".join(f"{key} {value_words(item)}" for key, item in value.items())
        case _:
            items = [value_words(item) for item in list_of(value, "a list")]
            return ", ".join(items) if items else "nothing"


def hand_of_request(request: Record) -> Hand | None:
    """The position that a request describes, or None where it has no deal that can be reached."""
    if "deal" not in request:
        return None
    try:
        return position(request).hand
    except (PositionError, LookupError):
        return None  # a stored log may hold anything


def scene(request: Record) -> Iterator[str]:
    """The table of a request in lines; none where it has no deal."""
    hand = hand_of_request(request)
    if hand is None:
        return
    yield from picture(hand)
    yield "  " + "; ".join(facts(hand, request))
    yield from (
        f"  {seat} holds {' '.join(sorted(hand.hands[seat]))}" for seat in holders(hand, request)
    )


def picture(hand: Hand) -> list[str]:
    """Three lines: north above, west and east beside each other, south below."""
    at = {seat: _at(hand, seat) for seat in SEATS}
    middle = f"  {at['west']:<{NARROW * 2}}{at['east']}"
    return [
        " " * NARROW + at["north"],
        middle.rstrip(),
        " " * NARROW + at["south"],
    ]


def _at(hand: Hand, seat: str) -> str:
    laid = dict(hand.trick)
    mark = " (dealer)" if seat == hand.dealer else ""
    if seat in hand.out():
        return f"{seat}{mark} sits out"
    if seat in laid:
        led = " led" if seat == hand.trick[0][0] else ""
        return f"{seat}{mark} [{laid[seat]}]{led}"
    return f"{seat}{mark} ?" if seat == hand.turn else f"{seat}{mark} ."


def facts(hand: Hand, request: Record) -> Iterator[str]:
    """What is known beside the trick."""
    yield f"upcard {hand.upcard} {hand.upcard_state.replace('_', ' ')}"
    if hand.trump is not None:
        yield f"trump {SUITS[hand.trump]}"
    if hand.maker is not None:
        alone = " alone" if hand.maker in hand.alone else ""
        yield f"{hand.maker} made it{alone}"
    if "score" in request:
        score = map_of(request["score"], "score")
        yield f"score {score['ns']}-{score['ew']}"
    yield f"{hand.turn} to act" if hand.turn is not None else "the deal is over"


def holders(hand: Hand, request: Record) -> list[str]:
    """The seats whose hands matter: who is on turn, and who acts or looks."""
    named = [str(request[name]) for name in ("by", "seat") if name in request]
    seats = [*([hand.turn] if hand.turn else []), *named]
    return [seat for seat in SEATS if seat in seats and hand.hands[seat]]
