"""A log as a badge: an SVG of our own, or the JSON that a shields endpoint reads."""

from html import escape
from pathlib import Path

from conformance.report.lines import line
from conformance.report.log import Log
from conformance.report.totals import exit_of, totals_of

LABEL = "euchre conformance"
COLORS = {0: ("brightgreen", "#1a7f37"), 3: ("orange", "#9a6700"), 1: ("red", "#cf222e")}
UNKNOWN = ("lightgrey", "#57606a")
WIDTHS = {**dict.fromkeys("fijlt:./,' ", 4.0), **dict.fromkeys("mwMW%", 10.0)}
LETTER = 6.8
PADDING = 12.0


def badge(log: Log, path: Path) -> str:
    """The badge in the form that the name of its file asks for."""
    message, code = message_of(log)
    if path.suffix == ".json":
        color = COLORS.get(code, UNKNOWN)[0]
        return line({"schemaVersion": 1, "label": LABEL, "message": message, "color": color}) + "\n"
    return _svg(message, COLORS.get(code, UNKNOWN)[1])


def message_of(log: Log) -> tuple[str, int]:
    """What the badge says, and the exit code that colors it."""
    totals = totals_of(log)
    code = exit_of(totals)
    if code not in COLORS:
        return "incomplete", code
    passed = sum(total.passed for total in totals)
    executed = sum(total.executed for total in totals)
    return f"{passed} of {executed} pass", code


def _width(text: str) -> int:
    return round(sum(WIDTHS.get(letter, LETTER) for letter in text) + PADDING)


def _svg(message: str, color: str) -> str:
    left, right = _width(LABEL), _width(message)
    words = escape(message)
    title = escape(f"{LABEL}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{title}"><title>{title}</title>'
        f'<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#24292f"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{color}"/></g>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" '
        f'text-anchor="middle"><text x="{left / 2}" y="14">{LABEL}</text>'
        f'<text x="{left + right / 2}" y="14">{words}</text></g></svg>\n'
    )
