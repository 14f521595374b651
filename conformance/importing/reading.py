"""Reading a record: what was dealt, said and played, and by line what could not be read."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from conformance.errors import PositionError, UsageError
from conformance.jsontypes import Json, Record, list_of, map_of, text_of, texts_of
from conformance.oracle.cards import SEATS, clockwise

SYMBOLS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "NT": "N"}
LETTERS = dict(zip("NESW", SEATS, strict=True))
PTN_SUITS = "SHDC"
CARD = re.compile(r"[7-9TJQKA2][CDHS]|BB")
TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
CALL = re.compile(r"pass|(?:order|name [CDHSN])(?: alone)?|alone|decline", re.IGNORECASE)
COLUMNS = 4


@dataclass(slots=True, kw_only=True)
class Told:
    """One deal as the record tells it."""

    line: int
    dealer: str = ""
    hands: dict[str, list[str]] = field(default_factory=dict)
    upcard: str = ""
    calls: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)
    discard: str = ""
    tricks: list[list[str]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Game:
    """The deals of a record, the rules it names, and what could not be read."""

    deals: list[Told] = field(default_factory=list)
    ruleset: str = ""
    knobs: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def read_game(text: str) -> Game:
    """The game of a record, whose format is told by how it begins."""
    begin = text.lstrip()
    game = Game()
    if begin.startswith("{"):
        _egn(text, game)
    elif begin.startswith("["):
        _ptn(text, game)
    else:
        _plain(text, game)
    return game


def _card(text: str) -> str:
    """A card in our letters, from any of the formats."""
    found = "BB" if text in ("B", "BB") else text.upper()
    if found[:1] in "CDHS" and CARD.fullmatch(found[1:] + found[:1]):
        found = found[1:] + found[:1]
    if not CARD.fullmatch(found):
        raise PositionError(f"not a card: {text!r} (write rank then suit, as JH or TD)")
    return found


def _egn(text: str, game: Game) -> None:
    try:
        root = map_of(json.loads(text), "the file")
    except (ValueError, RecursionError, PositionError) as err:
        raise UsageError(
            f"not readable as EGN: {err} (EGN is one JSON object; PTN and text begin otherwise)"
        ) from err
    if root.get("fileType") != "Euchre Game Notation":
        raise UsageError('not an EGN file: fileType is not "Euchre Game Notation"')
    try:
        rules = map_of(map_of(root.get("metadata", {}), "metadata").get("ruleset", {}), "ruleset")
        game.knobs.update(_egn_knobs(rules))
        deals = list_of(root.get("deals", []), "deals")
    except PositionError as err:
        raise UsageError(f"not readable as EGN: {err}") from err
    for number, deal in enumerate(deals, start=1):
        try:
            game.deals.append(_egn_deal(map_of(deal, "a deal"), number))
        except (PositionError, ValueError, IndexError) as err:
            game.problems.append(f"deal {number}: {err}")


def _egn_knobs(rules: Record) -> Iterator[tuple[str, str]]:
    words = {
        ("std", False): ("all_pass", "throw_in"),
        ("canadian", True): ("partner_order", "must_be_alone"),
        ("defend_alone", True): ("defend_alone", "vs_loner"),
        ("partners_best", True): ("partners_best", "one_card"),
        ("allow_no_trump", True): ("no_trump", "round_two"),
        ("loner_lead", "LEFT_OF_LONER"): ("loner_lead", "loners_left"),
    }
    yield from (said for (key, value), said in words.items() if rules.get(key) == value)
    numbers = {
        "winning_score": "target",
        "num_deals": "deals",
        "loner_march_score": "points_lone_march",
        "loner_euchred_score": "points_lone_euchred",
    }
    yield from ((knob, str(rules[key])) for key, knob in numbers.items() if key in rules)
    rank, joker = rules.get("min_rank", 9), rules.get("joker") is True
    packs = {(9, False): "E24", (8, False): "E28", (7, False): "E32", (9, True): "E25J"}
    if isinstance(rank, int) and (rank, joker) in packs:
        yield "pack", packs[rank, joker]


def _egn_deal(deal: Record, number: int) -> Told:
    state = map_of(deal.get("initialState"), "initialState")
    told = Told(line=number, dealer=_seat_of(state.get("dealer")))
    told.upcard = _card(text_of(state.get("upCard"), "upCard"))
    hands = list_of(state.get("playerCards", []), "playerCards")
    for seat, hand in zip(SEATS, hands, strict=False):
        told.hands[seat] = [_card(text) for text in texts_of(hand, "a hand")]
    for item in list_of(deal.get("phases", []), "phases"):
        phase = map_of(item, "a phase")
        if phase.get("type") == "EUCHRE_BIDDING":
            _egn_calls(phase, told)
        elif phase.get("type") == "TRICK_PLAY":
            for trick in list_of(phase.get("tricks", []), "tricks"):
                told.tricks.append([_card(text) for text in texts_of(trick, "a trick")])
    return told


def _egn_calls(phase: Record, told: Told) -> None:
    for text in texts_of(phase.get("calls", []), "calls"):
        word = text.lower()
        told.calls.append(word if word in ("pass", "order") else f"name {word.upper()}")
    maker = [*clockwise(told.dealer)[1:], told.dealer]
    if phase.get("isAlone") is True and told.calls:
        told.alone.append(maker[(len(told.calls) - 1) % len(maker)])
    if "aloneDefender" in phase:
        told.alone.append(_seat_of(phase["aloneDefender"]))
    if "discard" in phase:
        told.discard = _card(text_of(phase["discard"], "discard"))


def _seat_of(value: Json) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(SEATS):
        return SEATS[value]
    raise PositionError(f"not a player: {value!r} (0 is north, 3 is west)")


def _ptn(text: str, game: Game) -> None:
    rows, first = "", SEATS[0]
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        tag = TAG.fullmatch(line)
        try:
            if tag:
                rows = tag[1]
                first = _ptn_tag(tag[1], tag[2], number, game) or first
            elif line and not line.startswith(("%", ";")):
                _ptn_row(rows, first, line.split(), game)
        except (PositionError, KeyError, IndexError, ValueError) as err:
            game.problems.append(f"line {number}: cannot be read: {line!r} ({err})")


def _ptn_tag(name: str, value: str, number: int, game: Game) -> str:
    """Take in a tag; the seat of the first column where rows follow it."""
    if name == "Rules":
        _rules(value.split(), game)
    elif name == "Dealer":
        game.deals.append(Told(line=number, dealer=LETTERS[value]))
    elif name == "Deal":
        seat, _, hands = value.partition(":")
        for one, text in zip(clockwise(LETTERS[seat]), hands.split(), strict=True):
            if text != "-":
                game.deals[-1].hands[one] = _ptn_hand(text)
    elif name == "Upcard":
        game.deals[-1].upcard = _card(value)
    elif name == "CardsRemoved":
        game.deals[-1].discard = _card(value)
    elif name in ("Auction", "Play"):
        return LETTERS[value]
    return ""


def _ptn_hand(text: str) -> list[str]:
    parts = text.split(".")
    cards = [
        _card(rank + suit) for suit, ranks in zip(PTN_SUITS, parts, strict=False) for rank in ranks
    ]
    return [*cards, "BB"] if len(parts) > len(PTN_SUITS) else cards


def _ptn_row(rows: str, first: str, cells: list[str], game: Game) -> None:
    seats = dict(zip(clockwise(first), cells, strict=False))
    if rows == "Play":
        game.deals[-1].tricks.append(
            [f"{seat}:{_card(cell)}" for seat, cell in seats.items() if cell != "-"]
        )
    elif rows == "Auction":
        for seat, cell in seats.items():
            if cell == "-":
                continue
            alone = cell.endswith("Alone")
            word = cell.removesuffix("Alone")
            if alone:
                game.deals[-1].alone.append(seat)
            if word:
                said = word.lower() if word in ("Pass", "Order") else f"name {SYMBOLS[word]}"
                game.deals[-1].calls.append(said)


def _plain(text: str, game: Game) -> None:
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        try:
            if line and not _plain_line(line, number, game):
                game.problems.append(f"line {number}: not read: {line!r}")
        except (PositionError, KeyError, IndexError, ValueError) as err:
            game.problems.append(f"line {number}: cannot be read: {line!r} ({err})")


def _plain_line(line: str, number: int, game: Game) -> bool:
    """Take in a line; whether it says anything that a case needs."""
    word, _, rest = line.partition(" ")
    words = rest.split()
    match word:
        case "euchre" | "score" | "players" | "points" | "final" | "table" | "kitty" | "games":
            return True
        case "rules":
            _rules(words, game)
        case "deal":
            said = dict(zip(words[1::2], words[2::2], strict=False))
            game.deals.append(Told(line=number, dealer=said["dealer"]))
            game.deals[-1].upcard = _card(said["up"]) if "up" in said else ""
        case "hand":
            game.deals[-1].hands[words[0]] = [_card(text) for text in words[1:]]
        case "calls":
            _plain_calls(rest, game.deals[-1])
        case "discard":
            game.deals[-1].discard = _card(words[0])
        case "alone":
            game.deals[-1].alone += words
        case "trick":
            game.deals[-1].tricks.append(_plain_trick(words))
        case _:
            return False
    return True


def _plain_calls(text: str, told: Told) -> None:
    said = re.sub(r"\b(?:north|east|south|west): ?", "", text)
    for part in said.split(","):
        rest = CALL.sub("", part).strip()
        discard = re.fullmatch(r"discard (\S+)", rest)
        if discard:
            told.discard = _card(discard[1])
        elif rest:
            raise PositionError(f"not a call: {rest!r}")
        told.calls += CALL.findall(part)


def _plain_trick(words: list[str]) -> list[str]:
    cards = []
    for text in words:
        seat, colon, card = text.rpartition(":")
        if colon and not card:
            continue
        cards.append(f"{seat}:{_card(card)}" if seat else _card(card))
    return cards


def _rules(words: list[str], game: Game) -> None:
    game.ruleset = words[0]
    pairs: Mapping[str, str] = dict(_pair(text) for text in words[1:])
    game.knobs.update(pairs)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise PositionError(f"not KNOB=VALUE: {text!r}")
    return name, value
