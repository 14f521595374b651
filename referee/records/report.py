"""What the judge found: the play trick by trick, every irregularity, and the score."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.records.model import Problem
from referee.rules import SIDES, SUIT_LETTERS, Card, Penalty, Seat, Side, card_text
from referee.rules.irregularities import NO_PENALTY
from referee.rules.play import TRICKS

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"
CLEAN: Final = 0
FOUND: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Irregularity:
    """Something that the rules do not allow: where, what, what follows, and what it costs."""

    rule: str
    what: str
    trick: int | None = None
    seat: Seat | None = None
    card: Card | None = None
    remedy: str = ""
    penalty: Penalty = NO_PENALTY

    @property
    def place(self) -> int:
        """Its trick; 0 before the play, and one more than the last for what the claims cost."""
        if self.trick is not None:
            return self.trick
        return TRICKS + 1 if self.rule.startswith("renege.") else 0

    def as_map(self) -> dict[str, Json]:
        """The irregularity for programs; what has no meaning is absent."""
        found: dict[str, Json] = {"rule": self.rule, "what": self.what}
        if self.trick is not None:
            found["trick"] = self.trick
        if self.seat is not None:
            found["seat"] = self.seat.word
        if self.card is not None:
            found["card"] = card_text(self.card)
        if self.remedy:
            found["remedy"] = self.remedy
        if self.penalty.side is not None:
            found["penalty"] = {"side": self.penalty.side.value, "points": self.penalty.points}
        return found


@dataclass(frozen=True, slots=True)
class JudgedTrick:
    """One trick: the cards in the order they fell, each with its seat, and who won it."""

    number: int
    plays: tuple[tuple[Seat | None, str], ...]
    winner: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDeal:
    """One deal as it is judged; tricks and points by side, NS first.

    `points` are those of the play, `score` stands after the deal with its penalties.
    """

    number: int
    dealer: Seat | None
    upcard: Card | None
    trump: str | None
    maker: Seat | None
    alone: tuple[Seat, ...]
    calls: tuple[str, ...]
    discard: Card | None
    tricks: tuple[JudgedTrick, ...]
    irregularities: tuple[Irregularity, ...]
    open: tuple[str, ...]
    problems: tuple[Problem, ...]
    outcome: str
    word: str
    tricks_won: tuple[int, int]
    points: tuple[int, int]
    penalties: tuple[Penalty, ...]
    score: tuple[int, int]
    next_dealer: Seat | None

    def as_map(self) -> dict[str, Json]:
        """The deal for programs; what has no meaning is absent."""
        found: dict[str, Json] = {"deal": self.number}
        if self.dealer is not None:
            found["dealer"] = self.dealer.word
        if self.upcard is not None:
            found["upcard"] = card_text(self.upcard)
        if self.trump is not None:
            found["trump"] = self.trump
        if self.maker is not None:
            found["maker"] = self.maker.word
        if self.discard is not None:
            found["discard"] = card_text(self.discard)
        tricks: list[Json] = []
        for trick in self.tricks:
            told: dict[str, Json] = {
                "trick": trick.number,
                "plays": [
                    card if seat is None else f"{seat.word} {card}" for seat, card in trick.plays
                ],
            }
            if trick.winner is not None:
                told["winner"] = trick.winner.word
            tricks.append(told)
        found |= {
            "alone": [seat.word for seat in self.alone],
            "calls": list(self.calls),
            "play": tricks,
            "irregularities": [item.as_map() for item in self.irregularities],
            "open": list(self.open),
            "problems": [{"at": item.at, "message": item.message} for item in self.problems],
            "outcome": self.outcome,
            "tricks": sides(self.tricks_won),
            "points": sides(self.points),
            "penalties": [
                {"side": _side(item.side), "points": item.points} for item in self.penalties
            ],
            "score": sides(self.score),
        }
        if self.next_dealer is not None:
            found["next_dealer"] = self.next_dealer.word
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The judge's answer about one record."""

    format: str
    version: str
    rules: str
    knobs: Mapping[str, str]
    table_rules: Mapping[str, str]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    deals: tuple[JudgedDeal, ...]
    score: tuple[int, int]
    winner: Side | None

    @property
    def exit(self) -> int:
        """0 where nothing is wrong, 1 where something is."""
        wrong = self.problems or any(deal.irregularities or deal.problems for deal in self.deals)
        return FOUND if wrong else CLEAN

    def as_map(self) -> dict[str, Json]:
        """The judgement for programs; what has no meaning is absent."""
        found: dict[str, Json] = {
            "exit": self.exit,
            "format": self.format,
            "version": self.version,
            "rules": self.rules,
            "knobs": dict(self.knobs),
            "table_rules": dict(self.table_rules),
            "notes": list(self.notes),
            "problems": [{"at": item.at, "message": item.message} for item in self.problems],
            "deals": [deal.as_map() for deal in self.deals],
            "score": sides(self.score),
        }
        if self.winner is not None:
            found["winner"] = self.winner.value
        return found

    def lines(self) -> list[str]:
        """The judgement in plain sentences."""
        version = f" {self.version}" if self.version else ""
        lines = [f"{self.format}{version}, judged by {self.rules}"]
        lines += [f"note: {note}" for note in self.notes]
        lines += [f"cannot be: {item.at}: {item.message}" for item in self.problems]
        for deal in self.deals:
            lines += ["", *_deal_lines(deal)]
        won = "" if self.winner is None else f", {_WHO[self.winner]} won"
        lines += ["", f"score {self.score[0]}-{self.score[1]}{won}"]
        count = sum(len(deal.irregularities) for deal in self.deals)
        wrong = len(self.problems) + sum(len(deal.problems) for deal in self.deals)
        found = _count(count, "irregularity", "irregularities")
        lines.append(f"{found}, {_count(wrong, 'thing', 'things')} that cannot be")
        return lines


_WHO: Final = {Side.NS: "north and south", Side.EW: "east and west"}


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _side(side: Side | None) -> str:
    return "none" if side is None else side.value


def sides(pair: tuple[int, int]) -> dict[str, Json]:
    """A pair by side."""
    return {side.value: value for side, value in zip(SIDES, pair, strict=True)}


def trump_letter(trump: int) -> str | None:
    """Trump as a letter, `N` for no trump; nothing before it is made."""
    return f"{SUIT_LETTERS}N"[trump] if trump >= 0 else None


def _deal_lines(deal: JudgedDeal) -> list[str]:
    turned = "" if deal.upcard is None else f", {card_text(deal.upcard)} turned up"
    who = "who deals is not known" if deal.dealer is None else f"{deal.dealer.word} deals"
    lines = [f"deal {deal.number}, {who}{turned}"]
    lines += [f"  {call}" for call in deal.calls]
    if deal.trump is not None:
        made = "" if deal.maker is None else f", made by {deal.maker.word}"
        lone = "".join(f", {seat.word} alone" for seat in deal.alone)
        lines.append(f"  trump {deal.trump}{made}{lone}")
    if deal.discard is not None and deal.dealer is not None:
        lines.append(f"  {deal.dealer.word} buries {card_text(deal.discard)}")
    told: dict[int, list[str]] = {}
    for item in deal.irregularities:
        told.setdefault(item.place, []).extend(_told(item))
    lines += told.pop(0, [])
    for trick in deal.tricks:
        plays = " ".join(
            card if seat is None else f"{seat.word}:{card}" for seat, card in trick.plays
        )
        won = "nobody can say who won" if trick.winner is None else f"{trick.winner.word} wins"
        lines.append(f"  trick {trick.number}  {plays}  {won}")
        lines += told.pop(trick.number, [])
    for after in told.values():
        lines += after
    lines += [f"  open: {text}" for text in deal.open]
    lines += [f"  cannot be: {item.at}: {item.message}" for item in deal.problems]
    ns, ew = deal.tricks_won
    lines.append(
        f"  {deal.word}: tricks {ns}-{ew}, points {deal.points[0]}-{deal.points[1]},"
        f" score {deal.score[0]}-{deal.score[1]}"
    )
    return lines


def _told(item: Irregularity) -> list[str]:
    lines = [f"    {item.what} ({item.rule})"]
    if item.remedy:
        lines.append(f"      {item.remedy}")
    if item.penalty.side is not None:
        lines.append(f"      {_WHO[item.penalty.side]} pay {item.penalty.points}")
    return lines
