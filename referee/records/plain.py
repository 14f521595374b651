"""Plain text, as it is pasted or typed: one thing a line, its first word saying what.

    euchre record 1
    rules throw-in target=5
    table laydown=provable
    score 9-8
    deal 3 dealer north up TH
    hand east JD AD 9H KC TC
    kitty 9S TS JS
    calls pass pass pass order
    discard 9D
    trick east: JD AH KH JH
    correction by=south trick=2 card=JC
    claim east south 3

Calls are parted by commas or spaces; `order alone` and `name H alone` stay together.
A trick names who led, or leaves it out; a seat before a card (`south:JC`) says who laid it.
What follows a `#` is not read.
"""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

from referee.records.dealer import without_dealer
from referee.records.jsonfields import Json, Reader
from referee.records.model import UNHEARD, Laid, Problem, Record, RecordedDeal, Said, TimedClaim
from referee.records.words import (
    KINDS,
    card_of,
    cards_known,
    claim_of,
    happening_of,
    number_of,
    seat_of,
    suit_of_letter,
    words_of,
)
from referee.rules import SEATS, Seat

MAX_LINES: Final = 400
"""How many lines of one deal are read: hands, calls, five tricks, and whatever went wrong."""
_ONCE: Final = frozenset({"score", "final", "games", "players"})
_ONCE_A_DEAL: Final = frozenset({"hand", "kitty", "discard", "trump", "maker", "points"})
"""What is said once; of a hand, once a seat."""
HEADER: Final = "euchre record"
VERSIONS: Final = ("1",)
_CALLS: Final = re.compile(
    r"(?:(north|east|south|west):?\s+)?"
    r"(order alone|order|pass|name [CDHSN] alone|name [CDHSN]|\?|alone|decline|redeal"
    r"|discard \w\w|give \w\w|swap \w\w \w\w \w\w)(?:\s*,\s*|\s+|$)"
)
_DEAL: Final = re.compile(r"(?:[0-9]{1,4} )?dealer \w+(?: up \S+)?")
_BROKEN: Final = re.compile(
    r"(?:(north|east|south|west):?\s+)?(?:name\s+)?([^\s,]+)(?:\s+alone)?(?:\s*,\s*|\s+|$)"
)
_SCORE: Final = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
FIRST_WORDS: Final = frozenset(
    {"euchre", "rules", "table", "score", "final", "games", "players", "deal", "hand", "kitty",
     "calls", "discard", "trick", "claim", "trump", "maker", "alone", "points", *KINDS}
)  # fmt: skip


def read_plain(text: str) -> Record:
    """The record in a text; what is wrong with it is noted and the rest is read."""
    return _Plain().read(text)


class _Plain:
    """A text on its way to a record."""

    def __init__(self) -> None:
        self._record = Record(format="text", version=VERSIONS[-1])
        self._problems: list[Problem] = []
        self._deals: list[RecordedDeal] = []
        self._at = ""
        self._lines = 0
        self._first: dict[str, int] = {}

    def read(self, text: str) -> Record:
        """The record, line by line."""
        for number, raw in enumerate(text.splitlines(), 1):
            line = " ".join(raw.partition("#")[0].split())
            if line:
                self._at = f"line {number}"
                self._numbered(number, *line.partition(" ")[::2])
        deals = [
            deal if deal.has_dealer else without_dealer(deal, f"deal {deal.number}")
            for deal in self._deals
        ]
        return replace(self._record, deals=tuple(deals), problems=tuple(self._problems))

    def _numbered(self, number: int, word: str, rest: str) -> None:
        """Read a line, unless it says again what was said, or its deal has far too many."""
        if word == "deal":
            self._lines = 0
            self._first = {what: n for what, n in self._first.items() if what in _ONCE}
        self._lines += 1
        if self._deals and word != "deal" and self._lines > MAX_LINES:
            if self._lines == MAX_LINES + 1:
                self._wrong(f"a deal of more than {MAX_LINES} lines: the rest of it is not read")
            return
        what = f"hand {rest.partition(' ')[0]}" if word == "hand" else word
        once = word in _ONCE or word in _ONCE_A_DEAL
        if once and self._first.setdefault(what, number) != number:
            self._wrong(f"{what[:40]!r} stands twice, first in line {self._first[what]}: not read")
        elif word == "score" and self._deals:
            hint = "it stands before the first deal; write points for what a deal paid"
            self._wrong(f"'score' stands after a deal: not read ({hint})")
        else:
            self._line(word, rest)

    def _wrong(self, message: str) -> None:
        problem = Problem(self._at, message)
        if self._deals:
            deal = self._deals[-1]
            self._deals[-1] = replace(deal, problems=(*deal.problems, problem))
        else:
            self._problems.append(problem)

    def _noted(self, problems: list[Problem]) -> None:
        for problem in problems:
            self._wrong(problem.message)

    def _line(self, word: str, rest: str) -> None:
        match word:
            case "euchre":
                version = rest.removeprefix("record ").strip()
                if version not in VERSIONS:
                    known = " ".join(VERSIONS)
                    self._wrong(
                        f"unknown version {version[:20]!r} (the versions known are {known})"
                    )
            case "rules" | "table":
                self._rules(word, rest)
            case "score" | "final" | "points":
                self._score(word, rest)
            case "games":
                self._games(rest)
            case "players":
                names = tuple(name.strip() for name in rest.split(","))
                self._record = replace(self._record, players=names[: len(SEATS)])
            case "deal":
                self._deal(rest)
            case _ if word in FIRST_WORDS and self._deals:
                self._in_deal(word, rest)
            case _ if word in FIRST_WORDS:
                self._wrong(f"{word!r} stands before any deal (begin with: deal 1 dealer north)")
            case _:
                self._wrong(
                    f"no such line: {word[:40]!r} (lines begin {' '.join(sorted(FIRST_WORDS))})"
                )

    def _games(self, rest: str) -> None:
        games = number_of(rest)
        if games:
            self._record = replace(self._record, games=games)
        else:
            self._wrong(f"not a number of games: {rest[:20]!r} (write games 2)")

    def _rules(self, word: str, rest: str) -> None:
        words = rest.split()
        pairs = [w.split("=", 1) for w in words if "=" in w]
        named = [w for w in words if "=" not in w]
        before = self._record.table_rules if word == "table" else self._record.knobs
        both = dict(before)
        for name, value in pairs:
            if both.setdefault(name, value) != value:
                self._wrong(f"{name[:40]!r} was {both[name][:20]!r} before: that counts")
        if word == "table":
            self._record = replace(self._record, table_rules=both)
        else:
            self._record = replace(self._record, knobs=both)
            if named and self._record.rules in {None, named[0]}:
                self._record = replace(self._record, rules=named[0])
            elif named:
                self._wrong(f"the rules were {self._record.rules!r} before: those count")
        if len(named) > (word == "rules"):
            self._wrong(f"not a knob: {named[-1][:40]!r} (write knob=value)")

    def _score(self, word: str, rest: str) -> None:
        found = _SCORE.fullmatch(rest)
        if found is None:
            self._wrong(f"not a score: {rest[:20]!r} (write north and south's first, as 9-8)")
            return
        pair = (int(found[1]), int(found[2]))
        if word == "score":
            self._record = replace(self._record, score=pair)
        elif word == "final":
            self._record = replace(self._record, final_score=pair)
        elif self._deals:
            self._deals[-1] = replace(self._deals[-1], points=pair)
        else:
            self._wrong("'points' stands before any deal (write score, or begin a deal)")

    def _deal(self, rest: str) -> None:
        """Begin a deal; what is spoilt in its line costs nothing else of the line."""
        words = rest.split()
        said = dict(pairwise(words))
        number = number_of(words[0]) if words else None
        problems: list[Problem] = []
        seat = seat_of(said.get("dealer"), self._at, problems)
        upcard = said.get("up")
        deal = RecordedDeal(
            number=len(self._deals) + 1 if number is None else number,
            dealer=SEATS[0] if seat is None else seat,
            has_dealer=seat is not None,
            upcard=None if upcard is None else card_of(upcard, self._at, problems),
        )
        self._deals.append(deal)
        if not problems and not _DEAL.fullmatch(rest):
            self._wrong(f"not a deal: {rest[:60]!r} (write deal 1 dealer north up TH)")
        self._noted(problems)

    def _in_deal(self, word: str, rest: str) -> None:
        deal, problems = self._deals[-1], list[Problem]()
        match word:
            case "hand":
                deal = self._hand(deal, rest, problems)
            case "kitty":
                cards = cards_known(rest.split(), self._at, problems)
                deal = replace(deal, kitty=tuple(c for c in cards if c is not None) or None)
            case "calls":
                deal = replace(deal, said=(*deal.said, *self._calls(rest, problems)))
            case "discard":
                deal = replace(deal, discard=card_of(rest, self._at, problems))
            case "trick":
                deal = replace(deal, tricks=(*deal.tricks, self._trick(rest, problems)))
            case "trump":
                deal = replace(deal, trump=suit_of_letter(rest, self._at, problems))
            case "maker":
                deal = replace(deal, maker=seat_of(rest, self._at, problems))
            case "alone":
                seats = [seat_of(seat, self._at, problems) for seat in rest.split()]
                loners = [*deal.alone, *(s for s in seats if s is not None)]
                deal = replace(deal, alone=tuple(dict.fromkeys(loners)))
            case "claim":
                deal = self._claim(deal, rest, problems)
            case _:
                deal = self._happening(deal, word, rest, problems)
        self._deals[-1] = deal
        self._noted(problems)

    def _hand(self, deal: RecordedDeal, rest: str, problems: list[Problem]) -> RecordedDeal:
        word, _, cards = rest.partition(" ")
        seat = seat_of(word, self._at, problems)
        if seat is None:
            return deal
        hands = list(deal.hands)
        hands[seat] = cards_known(cards.split(), self._at, problems)
        n, e, s, w = hands
        return replace(deal, hands=(n, e, s, w))

    def _calls(self, rest: str, problems: list[Problem]) -> list[Said]:
        said: list[Said] = []
        place = 0
        while place < len(rest):
            found = _CALLS.match(rest, place)
            if found is None:
                message = (
                    f"not a call: {rest[place : place + 40]!r} (write pass, order, name H ...)"
                )
                problems.append(Problem(self._at, message))
                found = _BROKEN.match(rest, place)
            words = UNHEARD if found is None or found.re is _BROKEN else found[2]
            seat = seat_of(found[1], self._at, problems) if found is not None and found[1] else None
            said.append(Said(words_of(words), seat))
            place = len(rest) if found is None else found.end()
        return said

    def _trick(self, rest: str, problems: list[Problem]) -> tuple[Laid, ...]:
        head, colon, cards = rest.partition(": ")
        leader: Seat | None = None
        if colon:
            leader = seat_of(head, self._at, problems)
        else:
            cards = rest
        laid: list[Laid] = []
        for n, text in enumerate(cards.split()):
            word, mark, card = text.partition(":")
            if mark:
                seat = seat_of(word, self._at, problems)
                laid.append(Laid(card_of(card, self._at, problems), seat, card))
            else:
                seat = leader if n == 0 else None
                laid.append(Laid(card_of(text, self._at, problems), seat, text))
        return tuple(laid)

    def _claim(self, deal: RecordedDeal, rest: str, problems: list[Problem]) -> RecordedDeal:
        claim = parse_claim(rest, self._at, problems)
        return deal if claim is None else replace(deal, claims=(*deal.claims, claim))

    def _happening(
        self, deal: RecordedDeal, word: str, rest: str, problems: list[Problem]
    ) -> RecordedDeal:
        fields: dict[str, Json] = {"kind": word}
        for part in rest.split():
            name, _, value = part.partition("=")
            if name in {"claimed", "agreed"}:
                fields[name] = value in {"", "true"}
            else:
                number = number_of(value)
                fields[name] = value if number is None else number
        found = happening_of(Reader(fields, self._at, problems))
        return deal if found is None else replace(deal, happenings=(*deal.happenings, found))


def parse_claim(text: str, at: str, problems: list[Problem]) -> TimedClaim | None:
    """A claim in words: who claims, against whom, which trick, and `closed` where it was late.

    >>> parse_claim("east south 3", "here", []).trick
    3
    """
    words = text.split()
    trick = number_of(words[2]) if len(words) in {3, 4} else None
    if trick is None:
        hint = "who claims, against whom, which trick, as in: east south 3"
        problems.append(Problem(at, f"not a claim: {text[:60]!r} (write {hint})"))
        return None
    fields: dict[str, Json] = {"by": words[0], "against": words[1], "trick": trick}
    if words[3:]:
        fields["at"] = words[3]
    return claim_of(Reader(fields, at, problems))
