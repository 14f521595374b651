"""The pages in a browser, opened from the disk, at the widths of a phone and of a screen."""

from pathlib import Path

import pytest

from tests.arena.tournament.publish.browser import CHROMIUM, browser

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(CHROMIUM is None, reason="the pages were not opened: no Chromium is here"),
]
WIDTHS = (390, 1280)


def test_the_pages_fit_ask_for_nothing_and_have_no_complaint(site: Path) -> None:
    with browser() as chromium:
        for path in sorted(site.rglob("*.html")):
            for width in WIDTHS:
                for dark in (False, True):
                    seen = chromium.open(path, width, dark=dark)
                    assert (path.name, seen.shown) == (path.name, width)
                    assert (path.name, seen.width) == (path.name, width)
                    assert seen.requests == (path.resolve().as_uri(),)
                    assert (path.name, seen.complaints) == (path.name, ())


def test_every_board_opened_still_fits(site: Path) -> None:
    with browser() as chromium:
        for width in WIDTHS:
            chromium.open(site / "encounters" / "1-1.html", width)
            chromium.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert chromium.evaluate("document.documentElement.scrollWidth") == width


def test_the_browser_sees_a_page_that_does_not_fit_or_asks_for_more(tmp_path: Path) -> None:
    page = tmp_path / "wide.html"
    page.write_text(
        '<!DOCTYPE html><meta name="viewport" content="width=device-width">'
        '<div style="width:2000px">wide</div><img src="missing.png">'
        "<script>console.error('no')</script>",
        encoding="utf-8",
    )
    with browser() as chromium:
        seen = chromium.open(page, WIDTHS[0])
    assert seen.width > WIDTHS[0]
    assert len(seen.requests) == 2
    assert seen.complaints
