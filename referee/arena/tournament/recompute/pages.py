"""A page read for its figures: what each element says it is, and what it says."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = frozenset({"meta", "link", "br"})
UNREAD = frozenset({"style", "svg"})
PLOT = re.compile(r'<figure class="plot" data-plot="([a-z0-9-]+)">(.*?)</figure>', re.DOTALL)


@dataclass
class Page:
    """What stands on a page: figures under their names, and digits that have none."""

    title: str = ""
    figures: list[tuple[str, str]] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    plots: dict[str, str] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._open: list[tuple[str, str | None]] = []
        self._texts: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in EMPTY:
            return
        key = dict(attrs).get("data-is")
        self._open.append((tag, key))
        if key is not None:
            self._texts.append([])

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            opened, key = self._open.pop()
            if key is not None:
                self.page.figures.append((key, "".join(self._texts.pop())))
            if opened == tag:
                return

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._open]
        if UNREAD.intersection(tags):
            return
        if tags and tags[-1] == "title":
            self.page.title += data
        elif self._texts:
            self._texts[-1].append(data)
        elif any(ch.isdigit() for ch in data):
            self.page.strays.append(data.strip())


def read_page(content: bytes) -> Page:
    """The figures of a page."""
    text = content.decode("utf-8", errors="replace")
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.page.plots = dict(PLOT.findall(text))
    return reader.page
