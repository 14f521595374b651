"""The parts of a drawing that is as wide as its page: elements, an axis, text that is not cut.

Places across are percentages and places down are pixels, so a drawing fits 390 pixels and 1,280
with letters of one size. Colors are those of the page around it (currentColor), so it is light on
dark and dark on light. Nothing is fetched from anywhere.
"""

import re
from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from textwrap import wrap
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

LEFT: Final = 7.0
RIGHT: Final = 93.0
LINE: Final = 16
_NAME_WIDTH: Final = 24
_TICKS: Final = 5
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def drawing(ident: str, title: str, description: str, height: int) -> Element:
    """An empty drawing with its title and its description for those who do not see it."""
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": "100%",
            "height": str(height),
            "role": "img",
            "aria-labelledby": f"{ident}-title {ident}-desc",
            "font-family": "system-ui, sans-serif",
            "font-size": "12",
            "fill": "currentColor",
        },
    )
    put(root, "title", clean(title), id=f"{ident}-title")
    put(root, "desc", clean(description), id=f"{ident}-desc")
    return root


def put(parent: Element, tag: str, text: str = "", **attributes: str | float) -> Element:
    """A new element in another; an underscore in an attribute's name stands for a hyphen."""
    named = {name.replace("_", "-"): said(value) for name, value in attributes.items()}
    element = SubElement(parent, tag, named)
    if text:
        element.text = clean(text)
    return element


def said(value: str | float) -> str:
    """An attribute's value: whole numbers without a point."""
    return clean(value) if isinstance(value, str) else f"{value:.10g}"


def clean(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def text_of(root: Element) -> str:
    """The drawing as text, to stand in a page or alone."""
    return tostring(root, encoding="unicode")


def name_lines(name: str) -> list[str]:
    """A name in lines that fit the narrowest page."""
    return wrap(clean(name), _NAME_WIDTH, break_on_hyphens=False) or [" "]


class Axis:
    """Values from `low` to `high` on a line from `start` to `end`."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        low, high = min(values), max(values)
        if high - low < 1e-9:  # noqa: PLR2004 -- all values are one: give it room on both sides
            low, high = low - 0.5, high + 0.5
        self._step = _nice((high - low) / _TICKS)
        self.low = floor(low / self._step) * self._step
        self.high = ceil(high / self._step) * self._step
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """The place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """The places of round values, and how they read."""
        places = max(0, -floor(log10(self._step) + 1e-9))
        for number in range(round((self.high - self.low) / self._step) + 1):
            value = self.low + number * self._step
            # A hair under 0 must not read as a negative nothing.
            shown = f"{abs(value):.{places}f}"
            sign = "\N{MINUS SIGN}" if value < 0 and shown.strip("0.") else ""
            yield self.at(value), sign + shown


def percent(value: float) -> str:
    """A place across."""
    return f"{value:.3f}%"


def _nice(step: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is not under the step."""
    power: float = 10.0 ** floor(log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * 0.999)
