"""Our own record: JSON of the format `euchre-record/1`, which the schema beside this describes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from referee.records.dealer import without_dealer
from referee.records.jsonfields import Json, Reader
from referee.records.model import Hand, Laid, Problem, Record, RecordedDeal
from referee.records.words import (
    card_of,
    cards_known,
    claim_of,
    happening_of,
    laid_of,
    said_of,
    seat_of,
    suit_of_letter,
)
from referee.rules import SEATS, SIDES, Card

FORMAT: Final = "euchre-record"
VERSIONS: Final = ("1",)


def read_ours(value: Mapping[str, Json]) -> Record:
    """The record in a JSON object; what is wrong with it is noted and the rest is read."""
    problems: list[Problem] = []
    top = Reader(value, "record", problems)
    version = (top.text("format") or "").removeprefix(f"{FORMAT}/")
    if version not in VERSIONS:
        problems.append(
            Problem(
                "record.format",
                f"unknown version {version[:20]!r} (the versions known are"
                f" {' '.join(VERSIONS)}); it is read as version {VERSIONS[-1]}",
            )
        )
    rules = top.raw("rules")
    names = top.part("players")
    record = Record(
        format=FORMAT,
        version=version,
        rules=rules if isinstance(rules, str) else None,
        knobs={} if isinstance(rules, str) else texts_of(top.part("rules")),
        table_rules=texts_of(top.part("table_rules")),
        players=tuple(names.text(seat.word) or "" for seat in SEATS) if names.fields else (),
        games=top.number("games") or 1,
        score=_pair(top.part("score")) or (0, 0),
        final_score=_pair(top.part("final_score")),
        deals=tuple(_deal(item, n) for n, item in enumerate(top.parts("deals"), 1)),
        problems=tuple(problems),
    )
    top.end("note title")
    return record_with(record, problems)


def record_with(record: Record, problems: list[Problem]) -> Record:
    """The record with everything that was noted outside its deals."""
    own = tuple(p for p in problems if not any(p in deal.problems for deal in record.deals))
    return replace(record, problems=own)


def texts_of(fields: Reader) -> dict[str, str]:
    """A map of texts, as of knobs; numbers count as their text."""
    texts: dict[str, str] = {}
    for name in fields.fields:
        value = fields.raw(name)
        if isinstance(value, bool) or not isinstance(value, str | int):
            fields.wrong(name, value, "a text")
        else:
            texts[name] = str(value)
    return texts


def _pair(fields: Reader) -> tuple[int, int] | None:
    if not fields.fields:
        return None
    ns, ew = (fields.number(side.value) for side in SIDES)
    fields.end()
    return (ns or 0, ew or 0)


def _deal(fields: Reader, number: int) -> RecordedDeal:
    outer = fields.problems
    problems: list[Problem] = []
    fields.problems = problems
    at = fields.at
    dealer = seat_of(fields.text("dealer"), f"{at}.dealer", problems)
    tricks = _tricks(fields)
    upcard = fields.text("upcard")
    discard = fields.text("discard")
    kitty = cards_known(fields.texts("kitty"), f"{at}.kitty", problems)
    deal = RecordedDeal(
        number=fields.number("deal") or number,
        dealer=SEATS[0] if dealer is None else dealer,
        upcard=None if upcard is None else card_of(upcard, f"{at}.upcard", problems),
        hands=_hands(fields.part("hands")),
        kitty=_all_known(kitty),
        said=tuple(said_of(text) for text in _lines(fields, "calls")),
        discard=None if discard is None else card_of(discard, f"{at}.discard", problems),
        tricks=tricks,
        trump=suit_of_letter(fields.text("trump"), f"{at}.trump", problems),
        maker=seat_of(fields.text("maker"), f"{at}.maker", problems),
        alone=tuple(
            seat
            for word in fields.texts("alone")
            if (seat := seat_of(word, f"{at}.alone", problems)) is not None
        ),
        happenings=tuple(
            found for item in fields.parts("irregularities") if (found := happening_of(item))
        ),
        claims=tuple(claim for item in fields.parts("claims") if (claim := claim_of(item))),
        points=_pair(fields.part("points")),
        problems=(),
    )
    fields.end("note")
    outer += problems
    deal = with_problems(deal, problems)
    if dealer is None:
        deal = without_dealer(deal, f"{at}.dealer")
        outer.append(deal.problems[-1])
    return deal


def with_problems(deal: RecordedDeal, problems: list[Problem]) -> RecordedDeal:
    """The deal with everything that was noted while it was read."""
    return replace(deal, problems=tuple(problems))


def _all_known(cards: tuple[Card | None, ...]) -> tuple[Card, ...] | None:
    known = tuple(card for card in cards if card is not None)
    return known or None


def _hands(fields: Reader) -> tuple[Hand | None, Hand | None, Hand | None, Hand | None]:
    n, e, s, w = (
        cards_known(fields.texts(seat.word), f"{fields.at}.{seat.word}", fields.problems)
        if seat.word in fields
        else None
        for seat in SEATS
    )
    fields.end()
    return n, e, s, w


def _lines(fields: Reader, name: str) -> list[str]:
    lines: list[str] = []
    for n, item in enumerate(fields.items(name)):
        if isinstance(item, str):
            lines.append(item)
        else:
            fields.wrong(f"{name}[{n}]", item, "a text")
    return lines


def _tricks(fields: Reader) -> tuple[tuple[Laid, ...], ...]:
    tricks = []
    for n, trick in enumerate(fields.items("tricks")):
        inner = Reader({"plays": trick}, f"{fields.at}.tricks[{n}]", fields.problems)
        texts = trick.split() if isinstance(trick, str) else _lines(inner, "plays")
        tricks.append(
            tuple(
                laid_of(text, f"{inner.at}[{i}]", fields.problems) for i, text in enumerate(texts)
            )
        )
    return tuple(tricks)
