"""HTML made of elements: a text is escaped unless an element made it.

Every number on a page stands in an element that says which number it is (`data-is`), so that a
program that knows nothing of this one can recompute it and hold the page against it.
"""

from collections.abc import Iterable
from html import escape
from typing import Final

EMPTY: Final = frozenset({"br", "link", "meta"})


class Markup(str):
    """A piece of HTML that is safe to put into a page."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str) -> Markup:
    """An element. `class_` is written `class`, and `data_is` `data-is`.

    >>> element("b", "a < b", class_="x")
    '<b class="x">a &lt; b</b>'
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
    )
    if tag in EMPTY:
        return Markup(f"<{tag}{named}>")
    return Markup(f"<{tag}{named}>{joined(children)}</{tag}>")


def joined(children: Iterable[str], between: str = "") -> Markup:
    """Pieces one after another, those that are no markup escaped."""
    return Markup(between.join(_safe(child) for child in children))


def told(key: str, text: str, tag: str = "span", class_: str = "") -> Markup:
    """A figure, or a text taken from the event, under the name by which it can be looked up."""
    if class_:
        return element(tag, text, class_=class_, data_is=key)
    return element(tag, text, data_is=key)


def table(head: Iterable[str], rows: Iterable[Iterable[str]], caption: str = "") -> Markup:
    """A table in a box of its own, that scrolls where the page is narrow; cells are elements."""
    parts = [element("caption", caption)] if caption else []
    parts.append(element("thead", element("tr", *head)))
    parts.append(element("tbody", joined((element("tr", *row) for row in rows), "\n")))
    return element("div", element("table", *parts), class_="scroll", tabindex="0")


def heading(text: str, *, number: bool = False) -> Markup:
    """The heading of a column."""
    if number:
        return element("th", text, scope="col", class_="number")
    return element("th", text, scope="col")


def _safe(child: str) -> str:
    return child if isinstance(child, Markup) else escape(child)
