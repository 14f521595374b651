"""Cases out of a record: the whole deal, and what is legal where a hand must follow."""

from collections.abc import Callable, Iterator, Mapping

from conformance.errors import PositionError, UsageError
from conformance.generate.draft import draft
from conformance.generate.search import Difference, differing
from conformance.importing.reading import Game, Told
from conformance.jsontypes import Json, Record
from conformance.knobs import RuleSets, meaningless
from conformance.oracle import Hand, answer
from conformance.oracle.answer import hand_of
from conformance.oracle.cards import SEATS

Answer = Callable[[Record], Record | None]


def cases_from(
    game: Game, rulesets: RuleSets, referee: Answer, *, name: str, topic: str
) -> Iterator[tuple[str, str]]:
    """A draft, or nothing and what is wrong, one after another."""
    rules = _rules(game, rulesets, name)
    number = 0
    for told in game.deals:
        try:
            requests = list(_requests(told, name, rules))
        except PositionError as err:
            yield "", f"deal at {told.line}: {err}"
            continue
        for request in requests:
            right = answer(request)
            if "error" in right:
                yield "", f"deal at {told.line}: {right['error']}"
            elif differing(right, referee(request)):
                yield "", f"deal at {told.line}: our two engines differ, no case is made of it"
            else:
                number += 1
                found = Difference(request=request, right=right, other={}, kind="", deals=0)
                yield draft(found, rulesets, number, topic=topic), ""


def _rules(game: Game, rulesets: RuleSets, name: str) -> Mapping[str, str]:
    for knob, value in game.knobs.items():
        if knob not in rulesets.knobs or not rulesets.knobs[knob].knows(value):
            raise UsageError(f"the record names a rule that is not known: {knob}={value}")
    rules = {**rulesets.named(name), **game.knobs}
    if clash := meaningless(rules):
        raise UsageError(f"the record names rules that do not go together: {clash}")
    return rules


def _requests(told: Told, name: str, rules: Mapping[str, str]) -> Iterator[Record]:
    missing = [seat for seat in SEATS if seat not in told.hands]
    if missing or not told.upcard:
        lack = f"the hand of {missing[0]}" if missing else "the upcard"
        raise PositionError(f"the record does not show {lack}, and a case needs all cards")
    deal: dict[str, Json] = {
        "dealer": told.dealer,
        "hands": {seat: list(cards) for seat, cards in told.hands.items()},
        "upcard": told.upcard,
    }
    hand = hand_of(rules, deal, ())
    actions = list(_called(hand, told))
    common: dict[str, Json] = {"ruleset": name, "rules": rules, "deal": deal}
    plays: list[str] = []
    bound: Record | None = None
    for trick in told.tricks:
        left = list(trick)
        while left and hand.turn is not None:
            card = _next(left, hand.turn)
            held = hand.hands[hand.turn]
            if bound is None and len(hand.legal()) < len(held) and hand.trick:
                bound = {"op": "legal", **common, "actions": [*actions, *plays]}
            plays.append(f"play {card}")
            if hand.refusal(hand.turn, plays[-1]) is not None:
                yield {
                    "op": "apply",
                    **common,
                    "actions": [*actions, *plays[:-1]],
                    "action": plays[-1],
                    "by": hand.turn,
                }
                return
            hand.apply(plays[-1])
    if bound is not None:
        yield bound
    yield {"op": "replay", **common, "actions": [*actions, *plays], "tricks": []}


def _next(left: list[str], seat: str) -> str:
    """The card that a seat lays next, out of those of the trick."""
    for place, text in enumerate(left):
        owner, colon, card = text.rpartition(":")
        if not colon or owner == seat:
            del left[place]
            return card
    raise PositionError(f"the trick shows no card of {seat}, who is on turn: {' '.join(left)}")


def _called(hand: Hand, told: Told) -> Iterator[str]:
    """Every action until the play: what the record leaves out is filled in where it is certain."""
    calls = list(told.calls)
    while hand.turn is not None and hand.phase != "play":
        seat = hand.turn
        match hand.phase:
            case "discard":
                if not told.discard:
                    raise PositionError("the record does not show the discard")
                said = f"discard {told.discard}"
            case "alone":
                said = "alone" if seat in told.alone or _takes(calls, "alone") else "decline"
                _takes(calls, "decline")
            case "house":
                said = "pass"
            case _:
                if not calls:
                    return
                said = calls.pop(0)
                with_call = hand.rules["alone_when"] == "with_call" and said != "pass"
                if with_call and seat in told.alone and not said.endswith("alone"):
                    said += " alone"
        reason = hand.refusal(seat, said)
        if reason is not None:
            raise PositionError(f"{seat} may not {said!r}: {reason}")
        hand.apply(said)
        yield said


def _takes(calls: list[str], word: str) -> bool:
    if calls and calls[0] == word:
        calls.pop(0)
        return True
    return False
