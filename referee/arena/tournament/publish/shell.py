"""What stands around every page: no script, no asset that is not in the page itself."""

from importlib.resources import files
from typing import Final

from referee.arena.tournament.publish.markup import Markup, element, joined

_STYLE: Final = (files(__package__) / "page.css").read_text(encoding="utf-8").rstrip()
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(title: str, *body: str) -> bytes:
    """A whole page."""
    head = joined(
        (
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            element("meta", name="color-scheme", content="light dark"),
            element("title", title),
            element("link", rel="icon", href="data:,"),
            Markup(f"<style>\n{_STYLE}\n</style>"),
        ),
        "\n",
    )
    parts = joined(body, "\n")
    text = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n'
        f"<body>\n{parts}\n</body>\n</html>\n"
    )
    return text.encode()


def section(name: str, title: str, *body: str) -> Markup:
    """A part of a page under its heading, which a link can name."""
    return element("section", element("h2", title), "\n", joined(body, "\n"), id=name)


def link(href: str, text: str) -> Markup:
    """A link to another published file."""
    return element("a", text, href=href)
