"""Where log lines go: stderr, one event a line, as text or as JSON.

Code logs an event's name and its values, as in `log.info("match_opened match=%s", match)`; the same
call becomes either form. Of an exception only its type and where it was raised are told: what it
says may be somebody's secret.
"""

import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final, Literal

LogFormat = Literal["text", "json"]
FORMATS: Final[tuple[LogFormat, ...]] = ("text", "json")
LEVELS: Final = ("debug", "info", "warning", "error")

_EVENT: Final = re.compile(r"([a-z_]+)((?: [a-z_]+=%[sd])*)")
_NAME: Final = re.compile(r" ([a-z_]+)=")
_PLAIN: Final = re.compile(r"[^\s\"=\\]+")
OURS: Final = "referee"


def fields_of(record: logging.LogRecord) -> dict[str, str | int | float | bool]:
    """An event's name and its values; what another library says is an event named `said`."""
    found = _EVENT.fullmatch(record.msg) if isinstance(record.msg, str) else None
    args = record.args if isinstance(record.args, tuple) else ()
    fields: dict[str, str | int | float | bool] = {}
    if found is None or len(names := _NAME.findall(found[2])) != len(args):
        fields["event"] = "said"
        fields["by"] = record.name
        if record.name.partition(".")[0] == OURS:
            fields["text"] = record.getMessage()
    else:
        fields["event"] = found[1]
        for name, value in zip(names, args, strict=True):
            fields[name] = value if isinstance(value, int | float) else str(value)
    if record.exc_info is not None and record.exc_info[1] is not None:
        fields["raised"] = _place(record.exc_info[1])
    return fields


def _place(err: BaseException) -> str:
    """The type of an exception and the lines that led to it, the innermost first."""
    frames = reversed(traceback.extract_tb(err.__traceback__))
    lines = (f"{frame.name} {frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames)
    return " < ".join((type(err).__name__, *lines))


def _when(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TextLines(logging.Formatter):
    """Time, level, event, and key=value; a value with spaces is in quotes."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        fields = fields_of(record)
        words = [_when(record), record.levelname.lower(), str(fields.pop("event"))]
        for name, value in fields.items():
            text = str(value)
            words.append(f"{name}={text if _PLAIN.fullmatch(text) else json.dumps(text)}")
        return " ".join(words)


class JsonLines(logging.Formatter):
    """One JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        head = {"time": _when(record), "level": record.levelname.lower(), "logger": record.name}
        return json.dumps({**head, **fields_of(record)})


def log_to_stderr(*, level: str = "warning", form: LogFormat = "text") -> None:
    """Send log lines to stderr, from a level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("asyncio").setLevel(max(logging.WARNING, logging.getLogger().level))


@contextmanager
def errors_alone() -> Iterator[None]:
    """Keep out what a server of our own says of its coming and going: the person started none."""
    ours = logging.getLogger(OURS)
    before = ours.level
    ours.setLevel(logging.ERROR)
    try:
        yield
    finally:
        ours.setLevel(before)
