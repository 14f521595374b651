"""The numbers that the pictures hold, beside what they must be."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, fromstring

from .event import Event
from .fields import WrongFileError, fraction
from .standings import Line, Table, interval

CLOSE = 1e-6


def picture_problems(name: str, svg: str, event: Event, table: Table) -> Iterator[str]:
    """What a picture holds that the records do not give."""
    try:
        root = fromstring(svg)  # noqa: S314 -- the file of a publisher that one has
    except ParseError as err:
        yield f"it cannot be read: {err}"
        return
    kind, _, number = name.partition("-")
    if kind == "standings":
        yield from _standings(root, event, table)
    elif kind == "boards" and number.isdigit() and 0 < int(number) <= len(event.names):
        own = event.names[int(number) - 1]
        line = next((line for line in table.lines if line.name == own), None)
        if line is None:
            yield "it is of nobody in the standings"
        else:
            yield from _boards(root, event, line)
    else:
        yield "it is no picture of the event"


def _standings(root: Element, event: Event, table: Table) -> Iterator[str]:
    lines = {line.name: line for line in table.lines}
    drawn = [part for part in root.iter() if "data-entry" in part.attrib]
    for part in drawn:
        name = part.attrib["data-entry"]
        if name not in lines:
            yield f"{name!r} is in no standings"
            continue
        bounds = interval(event, lines[name])
        if bounds is None:
            yield f"{name!r} has no interval to draw"
            continue
        due = {"mean": float(lines[name].mean()), "low": bounds[0], "high": bounds[1]}
        for word, value in due.items():
            yield from _compare(f"{word} of {name!r}", part.attrib.get(f"data-{word}"), value)
        yield from _compare(
            f"boards of {name!r}", part.attrib.get("data-boards"), lines[name].boards()
        )


def _boards(root: Element, event: Event, line: Line) -> Iterator[str]:
    due = " ".join(str(x) for x in line.in_order(event))
    for part in root.iter():
        if "data-scores" in part.attrib and part.attrib["data-scores"] != due:
            yield "its scores are not those of the boards"
        if "data-mean" in part.attrib:
            yield from _compare("its mean", part.attrib["data-mean"], float(line.mean()))


def _compare(what: str, shown: str | None, due: float) -> Iterator[str]:
    text = shown or ""
    try:
        value = float(fraction(text) if "/" in text else text)
    except (WrongFileError, ValueError):
        yield f"{what} is {shown!r}"
        return
    if not abs(value - due) <= CLOSE:  # what is no number is not close either
        yield f"{what} is {shown}, and the records give {due}"
