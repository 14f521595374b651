"""A case drawn: the trick on the table with its four seats, and what is known beside it."""

from collections.abc import Iterator, Sequence

from conformance.case import Case
from conformance.corpus import spread
from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, list_of, map_of, texts_of
from conformance.knobs import RuleSets
from conformance.oracle.answer import position
from conformance.oracle.cards import SEATS
from conformance.oracle.hand import Hand

NARROW = 12
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "N": "no trump"}


def drawn(case: Case, rulesets: RuleSets) -> list[str]:
    """The lines of the drawing, question and answer below it; only words where there is no deal."""
    return [*_table(case, rulesets), f"asked: {asked(case)}", f"answer: {answered(case.then)}"]


def asked(case: Case) -> str:
    """The question in words."""
    ask = case.ask
    match case.op:
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
        case _:
            return case.op


def _cards(value: Json) -> str:
    return " ".join(texts_of(value, "cards"))


def _tricks(tricks: Sequence[Json]) -> str:
    each = [texts_of(trick, "a trick") for trick in tricks]
    return " / ".join(", ".join(text.removeprefix("play ") for text in trick) for trick in each)


def answered(then: Record) -> str:
    """The answer in words, its fields in the order of the case."""
    return "; ".join(f"{name.replace('_', ' ')} {_value(value)}" for name, value in then.items())


def _value(value: Json) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str() | int() | float():
            return str(value)
        case None:
            return "none"
        case dict():
            return " ".join(f"{key} {_value(item)}" for key, item in value.items())
        case _:
            items = [_value(item) for item in list_of(value, "a list")]
            return ", ".join(items) if items else "nothing"


def _table(case: Case, rulesets: RuleSets) -> Iterator[str]:
    if "deal" not in case.given:
        return
    rules = next(iter(spread(case, rulesets).values()))
    try:
        table = position({"rules": rules, **case.given})
    except PositionError:
        return
    hand = table.hand
    yield from picture(hand)
    yield "  " + "; ".join(_facts(hand, case))
    yield from (
        f"  {seat} holds {' '.join(sorted(hand.hands[seat]))}" for seat in _holders(hand, case)
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


def _facts(hand: Hand, case: Case) -> Iterator[str]:
    yield f"upcard {hand.upcard} {hand.upcard_state.replace('_', ' ')}"
    if hand.trump is not None:
        yield f"trump {SUITS[hand.trump]}"
    if hand.maker is not None:
        alone = " alone" if hand.maker in hand.alone else ""
        yield f"{hand.maker} made it{alone}"
    if "score" in case.given:
        score = map_of(case.given["score"], "score")
        yield f"score {score['ns']}-{score['ew']}"
    yield f"{hand.turn} to act" if hand.turn is not None else "the deal is over"


def _holders(hand: Hand, case: Case) -> list[str]:
    """The seats whose hands matter: who is on turn, and who acts or looks."""
    named = [str(case.ask[name]) for name in ("by", "seat") if name in case.ask]
    seats = [*([hand.turn] if hand.turn else []), *named]
    return [seat for seat in SEATS if seat in seats and hand.hands[seat]]
