"""The oracle's answers to the requests of the protocol, one function an op."""

from collections.abc import Callable, Mapping, Sequence

from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, int_of, list_of, map_of, text_of, texts_of
from conformance.oracle.adjudicate import adjudicate
from conformance.oracle.cards import SEATS, pack
from conformance.oracle.dealing import deal_cards, draw_dealer
from conformance.oracle.hand import Hand
from conformance.oracle.house import HAND_SIZE, SWAPPED
from conformance.oracle.sealed import verify
from conformance.oracle.view import view
from conformance.oracle.watched import Watched
from conformance.oracle.whole import Table, leaves


def answer(request: Record) -> dict[str, Json]:
    """The answer to one request; a request that makes no sense is answered `error`."""
    op = text_of(request.get("op"), "op")
    if op not in OPS:
        return {"unsupported": op}
    try:
        return OPS[op](request)
    except PositionError as err:
        return {"error": str(err)}


def rules_of(request: Record) -> dict[str, str]:
    """The knobs of a request; those that are watched stay watched."""
    rules = map_of(request.get("rules"), "rules")
    if isinstance(rules, Watched):
        return rules
    return {knob: text_of(value, knob) for knob, value in rules.items()}


def score_of(request: Record) -> dict[str, int]:
    """The score before the deal."""
    score = map_of(request.get("score", {"ns": 0, "ew": 0}), "score")
    return {which: int_of(score.get(which), f"score.{which}") for which in ("ns", "ew")}


def hand_of(
    rules: Mapping[str, str],
    deal: Json,
    actions: Sequence[str],
    score: Mapping[str, int] | None = None,
) -> Hand:
    """A deal, played as far as the actions go."""
    fields = map_of(deal, "deal")
    dealer = text_of(fields.get("dealer"), "dealer")
    if dealer not in SEATS:
        raise PositionError(f"not a seat: {dealer!r}")
    given = map_of(fields.get("hands"), "hands")
    hands = {seat: texts_of(given.get(seat), f"hands.{seat}") for seat in SEATS}
    upcard = text_of(fields.get("upcard"), "upcard")
    kitty = texts_of(fields.get("kitty", []), "kitty")
    dealt = check_deal(rules["pack"], hands, upcard, kitty)
    rest = [card for card in pack(rules["pack"]) if card not in dealt]
    if kitty and rest:
        raise PositionError(f"the kitty lacks {' '.join(rest)}: give all of it or none")
    if not kitty and len(rest) == SWAPPED:
        kitty = rest
    hand = Hand(rules, dealer=dealer, hands=hands, upcard=upcard, kitty=kitty, score=score)
    for action in actions:
        hand.apply(action)
    return hand


def check_deal(
    name: str, hands: Mapping[str, Sequence[str]], upcard: str, kitty: Sequence[str]
) -> list[str]:
    """Every card of a deal; refuse a hand of another size, and a card that has two places."""
    for seat, held in hands.items():
        if len(held) != HAND_SIZE:
            raise PositionError(f"{seat} holds {len(held)} cards: each seat must hold five cards")
    place_of: dict[str, str] = {}
    places = {**hands, "the upcard": [upcard], "the kitty": kitty}
    for place, cards in places.items():
        check_cards(name, cards)
        for card in cards:
            if card in place_of:
                raise PositionError(f"the card {card!r} stands twice: {place_of[card]} and {place}")
            place_of[card] = place
    return list(place_of)


def check_cards(name: str, cards: Sequence[str]) -> None:
    """Refuse a card that is not of the pack, or that stands twice."""
    known = pack(name)
    for index, card in enumerate(cards):
        if card not in known:
            like = ", ".join(mate for mate in known if mate[-1] == card[-1:])
            hint = f" (of that suit: {like})" if like else " (write rank then suit, as JH or TD)"
            raise PositionError(f"not a card of the pack {name}: {card!r}{hint}")
        if card in cards[:index]:
            raise PositionError(f"the card {card!r} stands twice")


def position(request: Record) -> Table:
    """The table that a request describes."""
    rules = rules_of(request)
    score = score_of(request)
    actions = texts_of(request.get("actions", []), "actions")
    return Table(rules, score, hand_of(rules, request.get("deal"), actions, score))


def standing(table: Table) -> dict[str, Json]:
    """Who is on turn, in which phase, and what is legal."""
    if table.hand.turn is None or table.game_over():
        return {"phase": "over", "legal": [], "closed": True}
    return {
        "turn": table.hand.turn,
        "phase": table.hand.phase,
        "legal": sorted(table.hand.legal()),
    }


def _legal(request: Record) -> dict[str, Json]:
    return standing(position(request))


def _apply(request: Record) -> dict[str, Json]:
    table = position(request)
    action = text_of(request.get("action"), "action")
    seat = text_of(request.get("by", table.hand.turn or SEATS[0]), "by")
    reason = table.refusal(seat, action)
    if reason is not None:
        return {"refused": reason, **standing(table)}
    table.hand.apply(action)
    return standing(table)


def _view(request: Record) -> dict[str, Json]:
    table = position(request)
    return {"view": view(table, text_of(request.get("seat"), "seat"))}


def _replay(request: Record) -> dict[str, Json]:
    table = position(request)
    at = 0
    for trick in list_of(request.get("tricks", []), "tricks"):
        for action in texts_of(trick, "a trick"):
            seat = table.hand.turn or SEATS[0]
            reason = table.refusal(seat, action)
            if reason is not None:
                return {"refused": reason, "at": at, **standing(table)}
            table.hand.apply(action)
            at += 1
    table.finished()
    reply: dict[str, Json] = {
        "winners": list(table.hand.winners),
        "outcome": table.hand.outcome(),
        "tricks": table.hand.tricks(),
        "points": table.hand.points(),
        "score": table.score_after(),
    }
    if not table.game_over():
        reply["next_dealer"] = table.hand.next_dealer()
    return reply


def _score(request: Record) -> dict[str, Json]:
    table = position(request)
    table.finished()
    return {"tricks": table.hand.tricks(), "points": table.hand.points()}


def _deck(request: Record) -> dict[str, Json]:
    rules = rules_of(request)
    deck = texts_of(request.get("deck"), "deck")
    whole(rules["pack"], deck)
    packets = text_of(request.get("packets", rules["packets"]), "packets")
    return {**deal_cards(deck, packets, text_of(request.get("dealer"), "dealer"))}


def _draw(request: Record) -> dict[str, Json]:
    rules = rules_of(request)
    deck = texts_of(request.get("deck"), "deck")
    whole(rules["pack"], deck)
    method = text_of(request.get("method", rules["first_dealer"]), "method")
    return {**draw_dealer(deck, method, text_of(request.get("start"), "start"))}


def whole(name: str, deck: Sequence[str]) -> None:
    """Refuse a deck that is not the whole pack."""
    check_cards(name, deck)
    if len(deck) != len(pack(name)):
        raise PositionError(
            f"the deck has {len(deck)} cards, the pack {name} has {len(pack(name))}"
        )


def _game(request: Record) -> dict[str, Json]:
    rules = rules_of(request)
    score = score_of(request)
    scores: list[Json] = []
    dealer = ""
    over = False
    number = 1
    for item in list_of(request.get("deals"), "deals"):
        fields = map_of(item, "a deal of the game")
        actions = texts_of(fields.get("actions", []), "actions")
        hand = hand_of(rules, fields.get("deal"), actions, score)
        table = Table(rules, score, hand, number=number)
        if over:
            raise PositionError(f"deal {number} comes after the end of the game")
        if dealer and table.hand.dealer != dealer:
            raise PositionError(f"deal {number} is dealt by {table.hand.dealer}, not by {dealer}")
        number += not hand.redealt
        table.finished()
        score = table.score_after()
        scores.append(score)
        dealer = table.hand.next_dealer()
        over = table.game_over()
    reply: dict[str, Json] = {"scores": scores}
    if not over:
        return {**reply, "dealer": dealer}
    if score["ns"] != score["ew"]:
        reply["winner"] = max(score, key=lambda which: score[which])
    return reply


def _perft(request: Record) -> dict[str, Json]:
    table = position(request)
    depth = int_of(request.get("depth", 99), "depth")
    spread = leaves(table.hand, depth)
    return {"leaves": sum(spread.values()), "spread": dict(sorted(spread.items()))}


def _adjudicate(request: Record) -> dict[str, Json]:
    rules = rules_of(request)
    hand = None
    if "deal" in request:
        hand = position(request).hand
    return adjudicate(rules, request, hand)


OPS: Mapping[str, Callable[[Record], dict[str, Json]]] = {
    "legal": _legal,
    "apply": _apply,
    "view": _view,
    "replay": _replay,
    "score": _score,
    "deck": _deck,
    "draw": _draw,
    "game": _game,
    "perft": _perft,
    "adjudicate": _adjudicate,
    "verify": verify,
}
