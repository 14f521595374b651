"""The two signed logs of an event: what was announced, and what the director did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

from referee.arena.tournament.announcing import read_announced
from referee.arena.tournament.chunks import Announced
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.signedlog import LogError, LogLine, read_log
from referee.arena.tournament.verify.report import FILE, REFEREE, RULES, SEAL, SIGNATURE, Finding
from referee.errors import InternalError
from referee.sealing.keys import VerifyKey


def read_signed(
    name: str, file: str, content: bytes, key: VerifyKey
) -> tuple[tuple[LogLine, ...], Finding | None]:
    """The lines of a log, and what is wrong with it: a broken chain or a wrong signature."""
    try:
        return tuple(read_log(name, BytesIO(content), key)), None
    except LogError as err:
        unsigned = "not signed" in str(err)
        finding = Finding(SIGNATURE if unsigned else SEAL, FILE, file, str(err))
        return (), finding


def announcements(lines: Sequence[LogLine], sheet: Sheet, referee_key: str) -> Iterator[Finding]:
    """What is wrong with what was announced: another file, tries left out, an id twice."""
    file = "announced.jsonl"
    first = lines[0].event if lines else {}
    if first.get("kind") != "event":
        yield Finding(SEAL, FILE, file, "it does not begin with the event")
        return
    if first.get("sheet") != sheet.hash:
        message = "event.yaml is not the tournament file that was announced"
        yield Finding(SEAL, FILE, "event.yaml", message)
    if first.get("referee_key") != referee_key:
        yield Finding(SIGNATURE, REFEREE, file, "it names another key than event.json")
    seen: dict[str, str] = {}
    newest: dict[tuple[int, int, int], int] = {}
    for line in lines[1:]:
        each = read_try(line)
        if each is None:
            yield Finding(SEAL, REFEREE, file, f"a line that announces no board: {line.line!r:.80}")
            continue
        key = each.key
        place = key.round, key.encounter, key.board
        where = f"board {key.board} of round {key.round}, encounter {key.encounter}"
        if key.attempt != newest.get(place, 0) + 1:
            message = f"{where}: attempt {key.attempt} follows {newest.get(place, 0)}"
            yield Finding(RULES, REFEREE, file, message)
        newest[place] = key.attempt
        for name in (each.id, *each.matches):
            if name in seen:
                message = f"{where} has the id {name} of {seen[name]}"
                yield Finding(SEAL, REFEREE, file, message)
            seen[name] = where


def read_try(line: LogLine) -> Announced | None:
    """The try at a board that a line announces; None where it is none."""
    try:
        return read_announced(line)
    except InternalError:
        return None


@dataclass(frozen=True, slots=True)
class Said:
    """What an announcement says beside the ids: when, in milliseconds since 1970, and who meets."""

    at_ms: int = 0
    entries: tuple[str, ...] = ()


def said_of(lines: Sequence[LogLine]) -> dict[str, Said]:
    """What was said of each board when it was announced, by its id."""
    found: dict[str, Said] = {}
    for line in lines:
        at, entries = line.event.get("at"), line.event.get("entries")
        if line.event.get("kind") == "board" and isinstance(at, int) and isinstance(entries, list):
            found[str(line.event.get("id"))] = Said(at, tuple(str(name) for name in entries))
    return found
