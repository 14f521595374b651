"""PTN, read: tag pairs in square brackets, a deal a group, rows of calls and of plays.

`[Dealer "S"]`, `[Deal "S:Q.AQ.Q.J ..."]` (spades.hearts.diamonds.clubs of each seat clockwise from
the one named, `-` for a hand that is not known), `[Undealt "..."]`, `[Upcard "HT"]`,
`[Contract "♠ alone"]`, `[Auction "W"]`, `[CardsAdded "HT"]`, `[CardsRemoved "C9"]`, `[Play "W"]`.
Rows have one column a seat, the first for the seat that the tag names; `-` stands for no word and
for a seat that sits out. `[Rules "..."]` is ours: a preset, then knobs as `knob=value`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from referee.records.dealer import without_dealer
from referee.records.model import Hand, Laid, Problem, Record, RecordedDeal, Said
from referee.rules import (
    SEATS,
    SUIT_LETTERS,
    Card,
    InvalidCardError,
    Seat,
    Suit,
    parse_card,
    suit_of,
)

SUIT_ORDER: Final = "SHDC"
SEAT_LETTERS: Final = "NESW"
_SYMBOLS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_TAG: Final = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]')
_TAGS: Final = re.compile(rf"(?:{_TAG.pattern}\s*)+")
_IGNORED: Final = frozenset(
    {"Site", "Round", "Scoring", "Result", "Score", "Generator", "GameOptionsJson"}
)
_IN_DEAL: Final = frozenset(
    {"Board", "Dealer", "Deal", "Undealt", "Upcard", "Contract", "Auction", "CardsAdded",
     "CardsRemoved", "Play", "Declarer"}
)  # fmt: skip
_FOUR: Final = 4
_UNMAPPED: Final = "GameOptionsJson is not mapped: its options are those of one program"


@dataclass(slots=True)
class _Tag:
    name: str
    value: str
    line: int
    rows: list[list[str]] = field(default_factory=list)


def read_ptn(text: str) -> Record:
    """The record in a text of tag pairs; what is wrong with it is noted and the rest is read."""
    problems: list[Problem] = []
    record = Record(format="ptn", version="", house_said=False, ordered=False)
    groups: list[list[_Tag]] = []
    players: dict[str, str] = {}
    notes: list[str] = []
    for tag in _tags(text, problems):
        if tag.name == "Rules":
            record = _rules(record, tag, problems)
        elif tag.name in {"North", "East", "South", "West"}:
            players[tag.name.lower()] = tag.value
        elif tag.name == "InitialScore":
            record = replace(record, score=_score(tag, problems))
        elif tag.name in {"Event", "Date"}:
            groups.append([])
        elif tag.name in _IGNORED:
            notes += [_UNMAPPED] if tag.name == "GameOptionsJson" else []
        else:
            if not groups or _opens(tag, groups[-1]):
                groups.append([])
            groups[-1].append(tag)
    deals = [_Deal(tags, n).read() for n, tags in enumerate((g for g in groups if g), 1)]
    names = tuple(players.get(seat.word, "") for seat in SEATS) if players else ()
    return replace(
        record,
        players=names,
        notes=tuple(dict.fromkeys(notes)),
        deals=tuple(deals),
        problems=tuple(problems),
    )


def _opens(tag: _Tag, group: Sequence[_Tag]) -> bool:
    """Whether a tag begins the next deal: its name stands in this one already."""
    return any(tag.name == other.name for other in group)


def _tags(text: str, problems: list[Problem]) -> list[_Tag]:
    tags: list[_Tag] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        if _TAGS.fullmatch(line):
            for found in _TAG.finditer(line):
                value = re.sub(r"\\(.)", r"\1", found[2])
                tags.append(_Tag(found[1], value, number))
        elif line.startswith("[") or not tags:
            message = f'not a tag pair: {line[:40]!r} (write [Name "value"])'
            problems.append(Problem(f"line {number}", message))
        else:
            tags[-1].rows.append(re.sub(r"\s+alone\b", "Alone", line).split())
    return tags


def _rules(record: Record, tag: _Tag, problems: list[Problem]) -> Record:
    words = tag.value.split()
    named = [word for word in words if "=" not in word]
    knobs = dict(word.split("=", 1) for word in words if "=" in word)
    if len(named) > 1:
        problems.append(Problem(f"line {tag.line}", f"two rule sets are named: {tag.value!r}"))
    return replace(record, rules=named[0] if named else None, knobs=knobs)


def _score(tag: _Tag, problems: list[Problem]) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", tag.value)
    if found is None:
        problems.append(Problem(f"line {tag.line}", f"not a score: {tag.value!r} (write 9-8)"))
        return (0, 0)
    return int(found[1]), int(found[2])


class _Deal:
    """One group of tags on its way to a deal."""

    def __init__(self, tags: Sequence[_Tag], number: int) -> None:
        self._tags = {tag.name: tag for tag in tags}
        self._number = number
        self.problems: list[Problem] = []

    def read(self) -> RecordedDeal:
        """The deal that the tags tell."""
        first, hands = self._hands()
        dealer = self._seat("Dealer") if "Dealer" in self._tags else first
        added = self._cards("CardsAdded")
        removed = self._cards("CardsRemoved")
        undealt = self._undealt()
        upcard = next(iter(self._cards("Upcard") or added), None)
        trump, alone = self._contract()
        deal = RecordedDeal(
            number=self._board(),
            dealer=SEATS[0] if dealer is None else dealer,
            upcard=upcard,
            hands=hands,
            kitty=tuple(card for card in undealt if card != upcard) or None,
            said=self._said(upcard),
            discard=removed[0] if removed else None,
            tricks=self._plays(),
            trump=trump,
            maker=self._seat("Declarer") if "Declarer" in self._tags else None,
        )
        if alone and deal.maker is not None:
            deal = replace(deal, alone=(deal.maker,), said=_said_alone(deal.said, deal.maker))
        for name, tag in self._tags.items():
            if name not in _IN_DEAL:
                self._wrong(tag, f"the tag {name[:40]!r} is not known")
        deal = replace(deal, problems=tuple(self.problems))
        return deal if dealer is not None else without_dealer(deal, f"deal {self._number}")

    def _board(self) -> int:
        tag = self._tags.get("Board")
        if tag is None:
            return self._number
        if tag.value.isascii() and tag.value.isdigit() and len(tag.value) < _FOUR:
            return int(tag.value)
        self._wrong(tag, f"not the number of a deal: {tag.value[:20]!r}")
        return self._number

    def _wrong(self, tag: _Tag | None, message: str) -> None:
        at = f"deal {self._number}" if tag is None else f"line {tag.line}"
        self.problems.append(Problem(at, message))

    def _seat(self, name: str) -> Seat | None:
        tag = self._tags[name]
        place = SEAT_LETTERS.find(tag.value[:1].upper()) if len(tag.value) == 1 else -1
        if place < 0:
            self._wrong(tag, f"not a seat: {tag.value[:20]!r} (write one of N E S W)")
            return None
        return SEATS[place]

    def _hands(
        self,
    ) -> tuple[Seat | None, tuple[Hand | None, Hand | None, Hand | None, Hand | None]]:
        tag = self._tags.get("Deal")
        if tag is None:
            return None, (None, None, None, None)
        prefix, _, rest = tag.value.rpartition(":")
        place = SEAT_LETTERS.find(prefix.upper()) if len(prefix) == 1 else -1
        if place < 0:
            self._wrong(tag, f"not a seat: {prefix[:20]!r} (write one of N E S W and a colon)")
            return None, (None, None, None, None)
        hands: list[Hand | None] = [None] * _FOUR
        words = rest.split()
        if len(words) != _FOUR:
            self._wrong(tag, f"{len(words)} hands, and there are 4 seats")
        for n, word in enumerate(words[:_FOUR]):
            hands[(place + n) % _FOUR] = None if word == "-" else self._hand(word, tag)
        north, east, south, west = hands
        return SEATS[place], (north, east, south, west)

    def _hand(self, word: str, tag: _Tag) -> Hand:
        cards: list[Card | None] = []
        suits = word.split(".")
        for n, ranks in enumerate(suits):
            if n < _FOUR:
                cards += [self._card(SUIT_ORDER[n] + rank, tag) for rank in ranks]
            else:
                cards += [parse_card("BB") for _ in ranks]
        return tuple(cards)

    def _card(self, text: str, tag: _Tag) -> Card | None:
        """A card written suit first, as `HT`; nothing for `??`."""
        if text in {"??", "X", "0U"}:
            return None
        plain = _SYMBOLS.get(text[:1], text[:1]).upper() + text[1:].upper()
        try:
            return parse_card("BB" if plain in {"BB", "JJ", "B"} else plain[1:] + plain[:1])
        except InvalidCardError:
            hint = "suit then rank, as HJ or DT"
            self._wrong(tag, f"not a card: {text[:20]!r} (write {hint})")
            return None

    def _cards(self, name: str) -> list[Card]:
        tag = self._tags.get(name)
        if tag is None:
            return []
        words = tag.value.rpartition(":")[2].split()
        cards = [self._card(word, tag) for word in words if word != "-"]
        return [card for card in cards if card is not None]

    def _undealt(self) -> list[Card]:
        tag = self._tags.get("Undealt")
        if tag is None:
            return []
        if "." not in tag.value:
            return self._cards("Undealt")
        return [card for card in self._hand(tag.value, tag) if card is not None]

    def _contract(self) -> tuple[Suit | None, bool]:
        tag = self._tags.get("Contract")
        if tag is None or not tag.value.strip():
            return None, False
        words = tag.value.split()
        return self._suit(words[0].removesuffix("Alone"), tag), "alone" in tag.value.lower()

    def _suit(self, word: str, tag: _Tag) -> Suit | None:
        if word.upper() in {"NT", "N"}:
            return _FOUR
        letter = _SYMBOLS.get(word, word).upper()
        if len(letter) == 1 and letter in SUIT_LETTERS:
            return SUIT_LETTERS.index(letter)
        self._wrong(tag, f"not a trump: {word[:20]!r} (write one of ♠ ♥ ♦ ♣ NT)")
        return None

    def _rows(self, name: str) -> list[tuple[Seat, str]]:
        tag = self._tags.get(name)
        if tag is None:
            return []
        first = self._seat(name) or SEATS[0]
        words: list[tuple[Seat, str]] = []
        for row in tag.rows:
            if len(row) > _FOUR:
                self._wrong(tag, f"a row of {len(row)} columns, and there are 4 seats: {row}")
            words += [(SEATS[(first + n) % _FOUR], word) for n, word in enumerate(row[:_FOUR])]
        return words

    def _said(self, upcard: Card | None) -> tuple[Said, ...]:
        said: list[Said] = []
        tag = self._tags.get("Auction")
        for seat, word in self._rows("Auction"):
            if word == "-" or tag is None:
                continue
            alone = " alone" if word.endswith("Alone") else ""
            name = word.removesuffix("Alone")
            if name.lower() in {"pass", "order"}:
                said.append(Said(name.lower() + alone, seat))
            elif not name:
                said.append(Said("alone", seat))
            elif (suit := self._suit(name, tag)) is not None:
                first_round = sum(entry.words == "pass" for entry in said) < _FOUR
                turned = first_round and upcard is not None and suit_of(upcard, None) == suit
                said.append(Said(("order" if turned else f"name {'CDHSN'[suit]}") + alone, seat))
        return tuple(said)

    def _plays(self) -> tuple[tuple[Laid, ...], ...]:
        """The tricks: the first begins with the seat named, the others where the judge finds it."""
        tag = self._tags.get("Play")
        if tag is None:
            return ()
        first = self._seat("Play") or SEATS[0]
        tricks: list[tuple[Laid, ...]] = []
        for row in tag.rows:
            if len(row) > _FOUR:
                self._wrong(tag, f"a row of {len(row)} columns, and there are 4 seats: {row}")
            tricks.append(
                tuple(
                    Laid(self._card(word, tag), SEATS[(first + n) % _FOUR], word)
                    for n, word in enumerate(row[:_FOUR])
                    if word != "-"
                )
            )
        return tuple(tricks)


def _said_alone(said: tuple[Said, ...], maker: Seat) -> tuple[Said, ...]:
    """The calls where the contract alone says that the maker goes alone."""
    if any(entry.seat == maker and entry.words.endswith("alone") for entry in said):
        return said
    return tuple(
        replace(entry, words=f"{entry.words} alone")
        if entry.seat == maker and entry.words.startswith(("order", "name "))
        else entry
        for entry in said
    )
