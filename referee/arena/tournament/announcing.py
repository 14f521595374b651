"""Ids of boards and matches, published before a card of them is dealt.

`announced.jsonl` is a signed log (see `signedlog`). Its first line, of kind `event`, pins the file
of the tournament and the key; then comes a line of kind `board` for each try at a board. A line is
durable in the event's file and in `announced.jsonl` before its board can be claimed.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from referee.arena.tournament.bounded import read_bounded
from referee.arena.tournament.chunks import Announced
from referee.arena.tournament.eventdb import EventDb, EventError
from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.signedlog import ANNOUNCED, LogLine, next_line, read_log
from referee.errors import InternalError
from referee.host.clock import Chance
from referee.sealing.canonical import Json
from referee.sealing.keys import SigningKey

ID_SIZE: Final = 16
SEATS: Final = 4
LONGEST_LINE: Final = 1 << 20
"""Bytes that a published file may have beyond what is known: a line that a stop broke off."""


def read_announced(line: LogLine) -> Announced | None:
    """The try at a board that a line announces; None for the line of the event."""
    event = line.event
    if event.get("kind") != "board":
        return None
    matches = event.get("matches")
    if not isinstance(matches, Sequence):
        raise InternalError(f"an announcement without matches: {event!r}")
    numbers = [event.get(name) for name in ("round", "encounter", "board", "attempt", "dealer")]
    whole = [number for number in numbers if isinstance(number, int)]
    if len(whole) != len(numbers):
        raise InternalError(f"an announcement without numbers: {event!r}")
    *key, dealer = whole
    return Announced(
        BoardKey(*key), str(event.get("id")), tuple(str(match) for match in matches), dealer
    )


class Announcer:
    """Draws ids and publishes them."""

    def __init__(self, db: EventDb, path: Path, key: SigningKey, chance: Chance) -> None:
        self._db = db
        self._path = path
        self._key = key
        self._chance = chance
        lines = read_log(ANNOUNCED, db.announced(), key.public)
        self._last = lines[-1] if lines else None
        found = (read_announced(line) for line in lines)
        self.boards: dict[BoardKey, Announced] = {
            each.key: each for each in found if each is not None
        }
        self._catch_up(b"".join(line.line for line in lines))

    def newest(self) -> Mapping[tuple[int, int, int], int]:
        """The newest try at each board that was announced."""
        newest: dict[tuple[int, int, int], int] = {}
        for key in self.boards:
            place = key.round, key.encounter, key.board
            newest[place] = max(newest.get(place, 0), key.attempt)
        return newest

    def open_event(self, sheet_hash: str, rule_set: str, *, now_ms: int) -> None:
        """Publish the first line, unless it is there."""
        if self._last is None:
            fields: dict[str, Json] = {
                "kind": "event", "sheet": sheet_hash, "rule_set": rule_set,
                "referee_key": self._key.public.text, "at": now_ms,
            }  # fmt: skip
            self._publish([next_line(ANNOUNCED, None, fields, self._key)])

    def announce(
        self, keys: Sequence[BoardKey], entries: Mapping[BoardKey, tuple[str, ...]], tables: int,
        *, now_ms: int,
    ) -> None:  # fmt: skip
        """Draw the ids of tries at boards, and publish them, flushed.

        A clock that was set back does not make them older than those before.
        """
        at_ms = max(now_ms, self._db.announced_ms())
        lines: list[LogLine] = []
        made: list[Announced] = []
        last = self._last
        for key in keys:
            each = Announced(
                key,
                self._chance(ID_SIZE).hex(),
                tuple(self._chance(ID_SIZE).hex() for _ in range(tables)),
                (key.board - 1) % SEATS,
            )
            last = next_line(
                ANNOUNCED,
                last,
                {
                    "kind": "board", "round": key.round, "encounter": key.encounter,
                    "board": key.board, "attempt": key.attempt, "id": each.id,
                    "matches": list(each.matches), "dealer": each.dealer,
                    "entries": list(entries[key]), "at": at_ms,
                },
                self._key,
            )  # fmt: skip
            lines.append(last)
            made.append(each)
        self._publish(lines)
        self.boards.update({each.key: each for each in made})

    def _publish(self, lines: Sequence[LogLine]) -> None:
        if not lines:
            return
        self._db.add_announced([(_seq(line), line.line) for line in lines])
        self._last = lines[-1]
        _append(self._path, b"".join(line.line for line in lines))

    def _catch_up(self, known: bytes) -> None:
        """Write what a stop kept from the published file; never change what it holds."""
        try:
            there = read_bounded(self._path, len(known) + LONGEST_LINE)
        except FileNotFoundError:
            there = b""
        except OSError as err:
            raise EventError(
                f"cannot read {str(self._path)!r}: {err.strerror}"
                " (put the file back as it was, or remove it to have it written again)"
            ) from err
        whole = there[: there.rfind(b"\n") + 1]
        if whole and not known:
            raise EventError(
                f"another event lies in {str(self._path.parent)!r}: {self._path.name!r} has boards"
                " that its event.db does not know (put event.db back, or begin with another --dir)"
            )
        if not known.startswith(whole):
            raise EventError(
                f"{str(self._path)!r} is not what was announced in this event"
                " (put the file back as it was, or remove it to have it written again)"
            )
        if there != known:
            if there != whole:
                os.truncate(self._path, len(whole))
            _append(self._path, known[len(whole) :])


def _seq(line: LogLine) -> int:
    seq = line.event["seq"]
    if not isinstance(seq, int):
        raise InternalError(f"an announcement without a number: {line.event!r}")
    return seq


def _append(path: Path, content: bytes) -> None:
    with path.open("ab") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
