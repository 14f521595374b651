"""Where reports go: `kind=PATH` words, checked before anything is run."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from conformance.errors import SuiteFaultError, UsageError
from conformance.report.annotations import annotations
from conformance.report.badge import badge
from conformance.report.junit import junit
from conformance.report.log import Log
from conformance.report.markdown import markdown
from conformance.report.page import page

Render = Callable[[Log, Path], str]
EVENTS: Final = "jsonl"
FORMS: Final = (
    "jsonl=FILE, junit=FILE, md=FILE, badge=FILE.svg, badge=FILE.json, github=FILE or html=FOLDER"
)
PAGE: Final = "index.html"


@dataclass(frozen=True, slots=True)
class Output:
    """One report that is wanted."""

    kind: str
    path: Path

    @property
    def file(self) -> Path:
        """The file that is written."""
        return self.path / PAGE if self.kind == "html" else self.path


def renderers() -> Mapping[str, Render]:
    """What makes the text of each kind of report but the event log."""
    return {
        "junit": lambda log, _path: junit(log),
        "md": lambda log, _path: markdown(log),
        "badge": badge,
        "github": lambda log, _path: annotations(log),
        "html": lambda log, _path: page(log),
    }


KINDS: Final = (EVENTS, *renderers())


def outputs_from(words: Iterable[str]) -> list[Output]:
    """The reports that the words ask for, each to a place that can be written."""
    found: list[Output] = []
    for word in words:
        for part in re.split(r",(?=[a-z]+=)", word):
            output = _output(part)
            if output.file in {other.file for other in found}:
                raise UsageError(f"two reports would be written to {str(output.path)!r}")
            if output.kind == EVENTS and EVENTS in {other.kind for other in found}:
                raise UsageError(f"one event log is enough: leave out {part!r}")
            found.append(output)
    return found


def _output(word: str) -> Output:
    kind, equals, name = word.partition("=")
    if kind not in KINDS or not equals or not name:
        raise UsageError(f"cannot write the report {word!r} (write -o {FORMS})")
    path = Path(name)
    if kind == "badge" and path.suffix not in (".svg", ".json"):
        raise UsageError(f"cannot write the badge {name!r}: name a file that ends in .svg or .json")
    try:
        why = _hindrance(path, folder=kind == "html")
    except OSError as err:  # a name that no file can have
        why = err.strerror
    if why is not None:
        other = "folder" if kind == "html" else "file"
        raise UsageError(f"cannot write {name!r}: {why} (name another {other})")
    return Output(kind, path)


def _hindrance(path: Path, *, folder: bool) -> str | None:
    """Why a path cannot be written, or None where it can."""
    if path.is_dir() != folder and path.exists():
        return "it is a file" if folder else "it is a folder"
    if not path.parent.is_dir():
        return f"there is no folder {str(path.parent)!r}"
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return "permission denied"
    return None


def write_reports(log: Log, outputs: Sequence[Output]) -> None:
    """Write every report that is made of a whole log."""
    for output in outputs:
        if output.kind != EVENTS:
            text = renderers()[output.kind](log, output.path)
            try:
                output.file.parent.mkdir(exist_ok=True)
                _replace(output.file, text)
            except OSError as err:
                raise SuiteFaultError(f"cannot write {str(output.file)!r}: {err.strerror}") from err


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all; a pipe or a device is written as it is."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
