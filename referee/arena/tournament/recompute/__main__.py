"""`python -m recompute FOLDER`: which figures of the pages are not what the records give."""

import sys
from collections.abc import Iterator
from pathlib import Path

from .event import Event, read_event
from .expected import expected
from .fields import WrongFileError, load
from .pages import Page, read_page
from .plots import picture_problems
from .standings import Table

WRONG = 1
UNREADABLE = 2
USAGE = "usage: python -m recompute FOLDER (the folder that holds index.html)"


def main(arguments: list[str]) -> int:
    """0 where every figure is right, 1 where one is not, 2 where the folder cannot be read."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write(f"{USAGE}\n")
        return UNREADABLE
    try:
        found = list(problems(Path(arguments[0])))
    except (WrongFileError, ValueError, IndexError, KeyError) as err:
        sys.stderr.write(f"the event cannot be read: {err}\n")
        return UNREADABLE
    for problem in found:
        sys.stdout.write(f"{problem}\n")
    return WRONG if found else 0


def problems(folder: Path) -> Iterator[str]:
    """Every figure that is wrong, or that nothing vouches for, and what it is held against."""
    event = read_event(folder)
    standings = Table(event)
    standings.rank()
    figures = expected(event, standings)
    counted = 0
    names = page_names(event)
    for name, title in names.items():
        page = read_page(load(folder / name))
        counted += len(page.figures)
        if page.title != title:
            yield f"{name}: the title is {page.title!r}, not {title!r}"
        yield from _figures(name, page, figures)
        yield from _plots(folder, name, page)
        for plot, svg in page.plots.items():
            for problem in picture_problems(plot, svg, event, standings):
                yield f"{name}: the picture {plot!r}: {problem}"
    every = {str(path.relative_to(folder)) for path in folder.rglob("*.html")}
    for extra in sorted(every - set(names)):
        yield f"{extra}: no encounter of the event has this page"
    sys.stderr.write(f"{counted} figures on {len(names)} pages\n")


def page_names(event: Event) -> dict[str, str]:
    """Every page that there must be, and its title."""
    names = {"index.html": event.name}
    for meeting in event.meetings():
        title = f"Round {meeting.round}, encounter {meeting.encounter}: {event.name}"
        names[f"encounters/{meeting.round}-{meeting.encounter}.html"] = title
    return names


def _figures(name: str, page: Page, figures: dict[str, str]) -> Iterator[str]:
    for key, shown in page.figures:
        if key not in figures:
            yield f"{name}: {key} shows {shown!r}, and the event has no such figure"
        elif shown != figures[key]:
            yield f"{name}: {key} shows {shown!r}, and the records give {figures[key]!r}"
    for stray in page.strays:
        yield f"{name}: nothing says what this figure is: {stray[:60]!r}"


def _plots(folder: Path, name: str, page: Page) -> Iterator[str]:
    for plot, svg in page.plots.items():
        if load(folder / "plots" / f"{plot}.svg").decode("utf-8", "replace") != svg:
            yield f"{name}: the picture {plot!r} is not that of plots/{plot}.svg"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
