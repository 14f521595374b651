"""Euchre Game Notation, read: JSON with the calls and the cards in the order they fell.

Versions 1.0 and 1.1 wrote names with underscores, suits as symbols and ten as 10; those of 1.2 and
later do not. Leads, winners and scores are worked out; hands and the discard are often unknown.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from referee.records.dealer import without_dealer
from referee.records.jsonfields import Json, Reader
from referee.records.model import (
    NO_TRUMP,
    UNHEARD,
    Hand,
    Laid,
    Problem,
    Record,
    RecordedDeal,
    Said,
)
from referee.rules import SEATS, Card, Seat, Suit, card_text, parse_card, suit_of
from referee.rules import InvalidCardError as _InvalidCardError

FILE_TYPE: Final = "Euchre Game Notation"
VERSIONS: Final = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6")
_SUITS: Final = "cdhs"
_SYMBOLS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
_NO_CARD: Final = re.compile(r"[78N9TJQKAX][xtngXTNG]|X[shdcSHDC]?")
_OLD_NAMES: Final = {
    "match_id": "gameId",
    "matchId": "gameId",
    "initial_score": "initialScore",
    "rule_set": "ruleset",
    "deal_number": "dealNumber",
    "initial_state": "initialState",
    "up_card": "upCard",
    "player_cards": "playerCards",
    "is_alone": "isAlone",
    "alone_defender": "aloneDefender",
    "card_exchanges": "cardExchanges",
    "phase_number": "phaseNumber",
    "initial_lead": "initialLead",
}
_BESIDE: Final = "phaseNumber callAnnotations playAnnotations alternativeLines"
_FLAGS: Final[Mapping[str, tuple[str, str, str]]] = {
    "std": ("all_pass", "stick", "throw_in"),
    "canadian": ("partner_order", "must_be_alone", "with_partner"),
    "defend_alone": ("defend_alone", "vs_loner", "never"),
    "partners_best": ("partners_best", "one_card", "none"),
    "go_under": ("going_under", "swap_three", "none"),
    "allow_no_trump": ("no_trump", "round_two", "never"),
}
"""The true-or-false keys of EGN: our knob, its value where true, its value where false."""
_NUMBERS: Final = {
    "winning_score": "target",
    "num_deals": "deals",
    "loner_march_score": "points_lone_march",
    "loner_euchred_score": "points_lone_euchred",
}
_UNMAPPED: Final = {
    "farmers": "EGN does not say which hands qualify, nor whether they are dealt again or swapped",
    "fast_break": "no knob lets a deal of two tricks and three pay nothing",
    "four_trick_tokens": "no knob counts tokens for four tricks",
}
_PACKS: Final = {(9, False): "E24", (8, False): "E28", (7, False): "E32", (9, True): "E25J",
                 (7, True): "E33J"}  # fmt: skip
_FOUR: Final = 4


def read_egn(value: Mapping[str, Json]) -> Record:
    """The record in an EGN object; what is wrong with it is noted and the rest is read."""
    problems: list[Problem] = []
    top = Reader(_modern(value), "egn", problems)
    top.raw("fileType")
    version = _version(top)
    if not any(version == known or version.startswith(f"{known}.") for known in VERSIONS):
        problems.append(
            Problem(
                "egn.version",
                f"unknown version {version[:20]!r} (the versions known are"
                f" {' '.join(VERSIONS)}); it is read as version {VERSIONS[-1]}",
            )
        )
    metadata = top.part("metadata")
    notes: list[str] = []
    knobs = _knobs(metadata.part("ruleset"), notes)
    players = tuple(_player(item) for item in metadata.items("players"))
    deals = tuple(_deal(item, n) for n, item in enumerate(top.items("deals")))
    final = _score(metadata, "finalScore")
    return Record(
        format="egn",
        version=version,
        rules="standard",
        knobs=knobs,
        notes=tuple(notes),
        players=players[:_FOUR],
        score=_score(metadata, "initialScore") or (0, 0),
        final_score=final,
        house_said=False,
        deals=deals,
        problems=tuple(problems),
    )


def _version(top: Reader) -> str:
    """The version, also where it is written as a number."""
    value = top.raw("version")
    if isinstance(value, int | float) and not isinstance(value, bool):
        top.wrong("version", value, f'a text (write "{value}")')
        return str(value)
    return top.text("version") or ""


def _modern(value: Json) -> Json:
    """The value with the names of versions 1.0 and 1.1 written as later ones write them."""
    if isinstance(value, Mapping):
        return {_OLD_NAMES.get(name, name): _modern(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_modern(item) for item in value]
    return value


def _player(item: Json) -> str:
    if isinstance(item, Mapping):
        item = item.get("name")
    return item if isinstance(item, str) else ""


def _score(fields: Reader, name: str) -> tuple[int, int] | None:
    items = fields.items(name)
    numbers = [item for item in items if isinstance(item, int) and not isinstance(item, bool)]
    if not items:
        return None
    if len(items) != 2 or len(numbers) != 2:  # noqa: PLR2004 -- two sides
        fields.wrong(name, list(items), "two whole numbers")
        return None
    return numbers[0], numbers[1]


def _knobs(rules: Reader, notes: list[str]) -> dict[str, str]:
    """Every key of the rule set as our knobs; what has none is noted."""
    knobs: dict[str, str] = {}
    for key, (knob, yes, no) in _FLAGS.items():
        flag = rules.flag(key)
        if flag is not None:
            knobs[knob] = yes if flag else no
    for key, knob in _NUMBERS.items():
        number = rules.number(key)
        if number:
            knobs[knob] = str(number)
    if rules.text("loner_lead") == "LEFT_OF_LONER":
        knobs["loner_lead"] = "loners_left"
    _pack(rules, knobs, notes)
    for key, why in _UNMAPPED.items():
        if rules.flag(key):
            notes.append(f"ruleset.{key} is not mapped: {why}")
    players = rules.number("num_players")
    if players not in {None, _FOUR}:
        notes.append(f"ruleset.num_players is not mapped: {players} players are not four")
    rules.end()
    return knobs


def _pack(rules: Reader, knobs: dict[str, str], notes: list[str]) -> None:
    rank, joker = rules.number("min_rank"), rules.flag("joker")
    if rank is None and joker is None:
        return
    pack = _PACKS.get((9 if rank is None else rank, bool(joker)))
    if pack is None:
        notes.append(
            f"ruleset.min_rank {rank} is not mapped: no pack begins there"
            f" {'with' if joker else 'without'} a joker"
        )
    else:
        knobs["pack"] = pack


def _deal(item: Json, index: int) -> RecordedDeal:
    problems: list[Problem] = []
    at = f"egn.deals[{index}]"
    if isinstance(item, str):
        message = "a deal packed into a string cannot be read (expand the file first)"
        return RecordedDeal(number=index, dealer=SEATS[0], problems=(Problem(at, message),))
    fields = Reader(item, at, problems)
    number = fields.number("dealNumber")
    state = fields.part("initialState")
    dealer = _seat(state, "dealer")
    deal = RecordedDeal(
        number=index if number is None else number,
        dealer=SEATS[0] if dealer is None else dealer,
    )
    upcard = state.text("upCard")
    kitty = state.texts("kitty")
    hands = [_texts(state, f"playerCards[{n}]", hand) for n, hand in
             enumerate(state.items("playerCards"))]  # fmt: skip
    state.end(_BESIDE)
    phases = {phase.text("type"): phase for phase in fields.parts("phases")}
    calling, play = phases.get("EUCHRE_BIDDING"), phases.get("TRICK_PLAY")
    for kind, phase in phases.items():
        if phase not in {calling, play}:
            phase.wrong("type", kind, "EUCHRE_BIDDING or TRICK_PLAY")
    turned = None if upcard is None else _card(upcard, None, f"{at}.upCard", problems)
    calls = [] if calling is None else calling.texts("calls")
    trump = _trump(calls, turned)
    deal = replace(
        deal,
        upcard=turned,
        hands=_hands(hands, trump, at, problems),
        kitty=_kitty(kitty, trump, at, problems),
        tricks=() if play is None else _tricks(play, trump),
        first_lead=None if play is None else _seat(play, "initialLead"),
    )
    if calling is not None:
        deal = _called(deal, calling, calls, trump)
    fields.end(_BESIDE)
    deal = replace(deal, problems=tuple(problems))
    return deal if dealer is not None else without_dealer(deal, f"{state.at}.dealer")


def _seat(fields: Reader, name: str) -> Seat | None:
    number = fields.number(name, most=9)
    if number is None:
        return None
    if number < _FOUR:
        return SEATS[number]
    fields.wrong(name, number, "one of the four seats 0 to 3")
    return None


def _texts(fields: Reader, name: str, item: Json) -> list[str]:
    if isinstance(item, list) and all(isinstance(text, str) for text in item):
        return [str(text) for text in item]
    fields.wrong(name, item, "a list of cards")
    return []


def _trump(calls: list[str], upcard: Card | None) -> Suit | None:
    """Trump as the calls make it, so that the letters of the bowers can be read."""
    for call in calls:
        if call == "Order":
            return None if upcard is None else suit_of(upcard, None)
        if call in _SUITS:
            return _SUITS.index(call)
        if call == "n":
            return NO_TRUMP
    return None


def _card(text: str, trump: Suit | None, at: str, problems: list[Problem]) -> Card | None:
    """A card of EGN; nothing for one that is unknown, and a problem for one that is none."""
    if text == "B":
        return parse_card("BB")
    if text in {"R", "L"} and trump is not None and trump < _FOUR:
        suit = trump if text == "R" else 3 - trump
        return parse_card("J" + "CDHS"[suit])
    if _NO_CARD.fullmatch(text):
        return None
    plain = text
    for symbol, letter in _SYMBOLS.items():
        plain = plain.replace(symbol, letter)
    plain = plain.removesuffix("\ufe0f").replace("10", "T").replace("N", "9")
    try:
        return parse_card(plain[:1] + plain[1:].upper())
    except _InvalidCardError:
        hint = "rank then suit, as Jh or Td; R L B for the bowers; X for an unknown one"
        problems.append(Problem(at, f"not a card: {text[:20]!r} (write {hint})"))
        return None


def _hands(
    hands: list[list[str]], trump: Suit | None, at: str, problems: list[Problem]
) -> tuple[Hand | None, Hand | None, Hand | None, Hand | None]:
    if len(hands) > _FOUR:
        problems.append(Problem(f"{at}.playerCards", f"{len(hands)} hands, and there are 4 seats"))
    read: list[Hand | None] = []
    for seat in range(_FOUR):
        texts = hands[seat] if seat < len(hands) else []
        place = f"{at}.playerCards[{seat}]"
        cards = tuple(_card(text, trump, f"{place}[{n}]", problems) for n, text in enumerate(texts))
        read.append(cards or None)
    n, e, s, w = read
    return n, e, s, w


def _kitty(
    texts: list[str], trump: Suit | None, at: str, problems: list[Problem]
) -> tuple[Card, ...] | None:
    cards = [_card(text, trump, f"{at}.kitty[{n}]", problems) for n, text in enumerate(texts)]
    return tuple(card for card in cards if card is not None) or None


def _tricks(play: Reader, trump: Suit | None) -> tuple[tuple[Laid, ...], ...]:
    tricks: list[tuple[Laid, ...]] = []
    for n, trick in enumerate(play.items("tricks")):
        texts = _texts(play, f"tricks[{n}]", trick)
        at = f"{play.at}.tricks[{n}]"
        tricks.append(
            tuple(
                Laid(_card(text, trump, f"{at}[{i}]", play.problems), None, text)
                for i, text in enumerate(texts)
            )
        )
    play.flag("isAlone")
    play.raw("initialLead")
    play.end(_BESIDE)
    return tuple(tricks)


def _called(
    deal: RecordedDeal, calling: Reader, calls: list[str], trump: Suit | None
) -> RecordedDeal:
    alone = bool(calling.flag("isAlone"))
    defender = calling.raw("aloneDefender")
    said: list[Said] = []
    for n, call in enumerate(calls):
        words = _words(call)
        if words is None:
            message = f"not a call: {call[:20]!r} (write Pass, Order or one of s h d c n)"
            calling.problems.append(Problem(f"{calling.at}.calls[{n}]", message))
        lone = alone and words not in {None, UNHEARD, "pass"}
        said.append(Said(f"{words} alone" if lone else words or UNHEARD))
    if isinstance(defender, int) and not isinstance(defender, bool) and 0 <= defender < _FOUR:
        said.append(Said("alone", SEATS[defender]))
    discard = calling.text("discard")
    given = _exchanges(calling, trump)
    calling.end(_BESIDE)
    return replace(
        deal,
        said=(*said, *given),
        discard=None
        if discard is None
        else _card(discard, trump, f"{calling.at}.discard", calling.problems),
    )


def _words(call: str) -> str | None:
    """Our words for a call of EGN; nothing for one that is none."""
    if call == "x":
        return UNHEARD
    if call in {"Pass", "Order"}:
        return call.lower()
    return f"name {call.upper()}" if len(call) == 1 and call in "shdcn" else None


def _exchanges(calling: Reader, trump: Suit | None) -> list[Said]:
    """A partner's best card, where EGN names it; other exchanges do not say what was laid away."""
    said: list[Said] = []
    for part in calling.parts("cardExchanges"):
        sender, receiver = _seat(part, "sender"), _seat(part, "receiver")
        cards = [_card(t, trump, part.at, part.problems) for t in part.texts("cards")]
        known = [card for card in cards if card is not None]
        if sender is not None and receiver is sender.partner and len(known) == 1:
            said.append(Said(f"give {card_text(known[0])}", sender))
        else:
            message = "this exchange does not say which cards were laid away: it is not judged"
            part.problems.append(Problem(part.at, message))
    return said
