"""The transcripts that cases of the chapter seal ask about: one on the shelf, with edits."""

from pathlib import Path

from conformance.jsontypes import Record
from conformance.tree import Node, near

SHELF = Path(__file__).parent / "transcripts"
EDITS = ("change", "drop", "repeat", "keep", "cut", "add")


def transcript_from(node: Node) -> Record:
    """The text that a case asks about.

    `transcript` names a file of the shelf. Then, in this order: `change` replaces a text in the
    line of an event, `drop` leaves a line out, `repeat` writes one twice, `keep` stops after so
    many lines, `add` writes a text behind them, `cut` takes so many bytes off the end.
    """
    fields = node.fields("verify", required=("transcript",), optional=EDITS)
    lines = shelved(fields["transcript"]).splitlines(keepends=True)
    if "change" in fields:
        for sub in fields["change"].sequence("change"):
            _change(sub, lines)
    if "drop" in fields:
        del lines[_line(fields["drop"], lines)]
    if "repeat" in fields:
        at = _line(fields["repeat"], lines)
        lines.insert(at, lines[at])
    if "keep" in fields:
        del lines[_line(fields["keep"], lines) :]
    text = "".join(lines)
    if "add" in fields:
        text += fields["add"].text("add")
    if "cut" in fields:
        text = text[: -fields["cut"].count("cut")]
    return {"text": text}


def shelved(node: Node) -> str:
    """A transcript of the shelf."""
    name = node.text("transcript")
    known = sorted(path.stem for path in SHELF.glob("*.jsonl"))
    if name not in known:
        raise node.error(f"no transcript {name!r}{near(name, known)}")
    return (SHELF / f"{name}.jsonl").read_text(encoding="latin-1")


def _line(node: Node, lines: list[str]) -> int:
    number = node.count("a line")
    if number >= len(lines):
        raise node.error(f"the transcript has {len(lines)} lines: line {number} is not there")
    return number


def _change(node: Node, lines: list[str]) -> None:
    fields = node.fields("a change", required=("event", "old", "new"))
    at, old = _line(fields["event"], lines), fields["old"].text("old")
    if old not in lines[at]:
        raise node.error(f"{old!r} does not stand in the line of event {at}")
    lines[at] = lines[at].replace(old, fields["new"].text("new"), 1)
