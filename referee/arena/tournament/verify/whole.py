"""A whole event: its logs, its records, its pairings, and every file made again from them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from referee.arena.tournament.chunks import Announced
from referee.arena.tournament.publish.compile import document_of
from referee.arena.tournament.publish.document import Document, as_map
from referee.arena.tournament.publish.facts import Facts
from referee.arena.tournament.publish.pictures import pictures
from referee.arena.tournament.publish.site import Sources, site
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.sheetread import parse_sheet
from referee.arena.tournament.signedlog import ACTIONS, ANNOUNCED, LogLine
from referee.arena.tournament.verify.boards import (
    BoardRead,
    Due,
    file_names,
    read_board,
    repeated,
    running_games,
)
from referee.arena.tournament.verify.deeds import impossible, unreadable
from referee.arena.tournament.verify.earlier import changed_since, earlier_files
from referee.arena.tournament.verify.logs import Said, announcements, read_signed, read_try, said_of
from referee.arena.tournament.verify.pairing import pairings
from referee.arena.tournament.verify.reading import (
    Told,
    UnreadableEventError,
    Within,
    need,
    read_told,
    site_files,
)
from referee.arena.tournament.verify.report import (
    FILE,
    INCOMPLETE,
    KEY,
    PUBLISHER,
    RULES,
    SIGNATURE,
    UNREADABLE,
    EventReport,
    Finding,
)
from referee.arena.tournament.verify.seals import check_board
from referee.arena.tournament.verify.tries import undue
from referee.errors import RefereeError
from referee.sealing.errors import KeyFormError
from referee.sealing.keys import VerifyKey, parse_key

Progress = Callable[[str, int, int], None]
"""Hears of each step: what it is, how much of it is done, and of how much."""
MOST_FINDINGS = 100


def verify_event(
    folder: Path,
    *,
    pinned: VerifyKey | None = None,
    earlier: Sequence[Path] = (),
    progress: Progress = lambda *_: None,
) -> EventReport:
    """The report on a published event, held against `earlier` copies; no bytes make this raise."""
    try:
        return _Verification(site_files(folder), pinned, tuple(earlier), progress).run()
    except UnreadableEventError as err:
        return EventReport(findings=(err.finding,))


@dataclass
class _Verification:
    """An event's verification as far as it has come."""

    files: Mapping[str, bytes]
    pinned: VerifyKey | None
    earlier: Sequence[Path]
    progress: Progress
    findings: list[Finding] = field(default_factory=list)
    boards: dict[str, BoardRead] = field(default_factory=dict)

    def run(self) -> EventReport:
        """The report."""
        told = read_told(need(self.files, "event.json"))
        sheet = self._sheet()
        key = self._key(told)
        announced = self._log(ANNOUNCED, "announced.jsonl", key)
        actions = self._log(ACTIONS, "actions.jsonl", key)
        self._held_to_earlier(key)
        figures: dict[str, int] = {}
        if not self.findings:
            self.findings += announcements(announced, sheet, told.referee_key)
            self.findings += unreadable(actions)
        if not self.findings:
            facts = self._facts(told, sheet, announced, actions)
            figures = self._figures(facts)
            if not self.findings:
                self.findings += undue(facts)
                self.findings += impossible(facts)
            if not self.findings:
                self.findings += running_games(facts, self.boards)
                self.findings += pairings(facts)
            if not self.findings:
                self._made_again(facts, told)
        return EventReport(
            name=told.name,
            key=told.referee_key,
            pinned=self.pinned is not None and not self.findings,
            finished=told.finished,
            findings=tuple(self.findings[:MOST_FINDINGS]),
            figures=figures,
        )

    def _sheet(self) -> Sheet:
        content = need(self.files, "event.yaml")
        try:
            return parse_sheet("event.yaml", content)
        except RefereeError as err:
            raise UnreadableEventError(Finding(UNREADABLE, FILE, "event.yaml", str(err))) from err

    def _key(self, told: Told) -> VerifyKey:
        """The key that everything is held against: the pinned one, else that of `event.json`."""
        try:
            key = parse_key(told.referee_key)
        except KeyFormError as err:
            raise UnreadableEventError(Finding(UNREADABLE, FILE, "event.json", str(err))) from err
        if self.pinned is not None and self.pinned.raw != key.raw:
            message = f"the key is {key.text!r}, not the pinned {self.pinned.text!r}"
            self.findings.append(Finding(SIGNATURE, KEY, "event.json", message))
        return key

    def _held_to_earlier(self, key: VerifyKey) -> None:
        for path in self.earlier:
            before = earlier_files(path, key)
            self.findings += changed_since(path, before, self.files, key)

    def _log(self, name: str, file: str, key: VerifyKey) -> tuple[LogLine, ...]:
        lines, finding = read_signed(name, file, need(self.files, file), key)
        if finding is not None:
            self.findings.append(finding)
        return lines

    def _facts(
        self,
        told: Told,
        sheet: Sheet,
        announced: tuple[LogLine, ...],
        actions: tuple[LogLine, ...],
    ) -> Facts:
        """The facts as the records have them; every record is verified on the way."""
        tries = [each for each in map(read_try, announced) if each is not None]
        due = Due(sheet, told.referee_key, [each.plan for each in told.rounds])
        said = said_of(announced)
        results = []
        for number, each in enumerate(tries, start=1):
            self.progress("records", number, len(tries))
            names = file_names(each)
            if names[0] not in self.files and each.id not in told.boards:
                self._unopened(names)
                continue
            board = self._record(names)
            if board is None:
                continue
            self.boards[names[0]] = board
            for code, party, message in due.differences(each, said.get(each.id, Said()), board):
                self.findings.append(Finding(code, party, names[0], message))
            results.append(board.played(each.key))
        self.findings += repeated(self.boards)
        self._strangers(tries)
        return Facts(
            sheet=sheet,
            referee_key=told.referee_key,
            announced=announced,
            actions=actions,
            rounds=told.rounds,
            results=tuple(results),
            noisy=told.noisy,
            noise=told.noise,
        )

    def _unopened(self, names: tuple[str, ...]) -> None:
        """A board without a file of its own is open, and then no table of it is told."""
        for name in names[1:]:
            if name in self.files:
                message = "it is a table of a board whose own file is missing"
                self.findings.append(Finding(INCOMPLETE, PUBLISHER, name, message))

    def _record(self, names: tuple[str, ...]) -> BoardRead | None:
        missing = next((name for name in names if name not in self.files), None)
        if missing is not None:
            message = "the file is missing (get the whole folder)"
            self.findings.append(Finding(INCOMPLETE, FILE, missing, message))
            return None
        own, *tables = (self.files[name] for name in names)
        finding = check_board(names, own, tables, self.pinned)
        if finding is not None:
            self.findings.append(finding)
            return None
        return read_board(own, tables)

    def _strangers(self, tries: list[Announced]) -> None:
        """Records that nobody announced."""
        known = {name for each in tries for name in file_names(each)}
        for name in self.files:
            if name.startswith("records/") and name not in known:
                message = "nobody announced it"
                self.findings.append(Finding(RULES, PUBLISHER, name, message))

    def _figures(self, facts: Facts) -> dict[str, int]:
        played = [board for board in facts.results if not board.void]
        lost = {action.key for action in facts.taken if action.kind == "lost"}
        return {
            "announced": len(facts.tries),
            "boards": len(played),
            "void": len(facts.results) - len(played),
            "lost": len(lost),
            "open": len(facts.tries) - len(facts.results) - len(lost),
            "tables": sum(len(board.matches) for board in played),
            "entries": len(facts.sheet.entries),
            "rounds": len(facts.rounds),
            "actions": len(facts.actions),
        }

    def _made_again(self, facts: Facts, told: Told) -> None:
        """Hold every published file against the one that the facts give."""
        document = document_of(facts)
        for message in document_differences(document, self.files["event.json"]):
            self.findings.append(Finding(RULES, PUBLISHER, "event.json", message))
        if told.finished and not document.finished:
            message = "it says that the event is finished, and boards or rounds are missing"
            self.findings.insert(0, Finding(INCOMPLETE, PUBLISHER, "event.json", message))
        sources = Sources(
            sheet=self.files["event.yaml"],
            announced=self.files["announced.jsonl"],
            actions=self.files["actions.jsonl"],
            records=Within(self.files, "records"),
        )
        made: set[str] = set()
        pages = sum(len(each.meetings) for each in document.rounds)
        drawn = [0]

        def tell(_: str) -> None:
            drawn[0] += 1
            self.progress("pages", drawn[0], pages)

        for name, content in site(document, sources, pictures(document), tell):
            made.add(name)
            if name not in self.files:
                message = "the file is missing (get the whole folder)"
                self.findings.append(Finding(INCOMPLETE, PUBLISHER, name, message))
            elif self.files[name] != content and name != "event.json":
                message = _first_difference(self.files[name], content)
                self.findings.append(Finding(RULES, PUBLISHER, name, message))
        for name in self.files:
            if name not in made and not name.startswith("records/"):
                message = "it is no file of the event (remove it)"
                self.findings.append(Finding(RULES, PUBLISHER, name, message))


def document_differences(document: Document, content: bytes) -> Iterator[str]:
    """Where `event.json` says something else than the facts give."""
    told: object = json.loads(content)
    due: object = json.loads(json.dumps(as_map(document)))
    yield from _differences("", told, due)
    if told == due and content != _bytes(document):
        yield "it is not written in its one spelling"


def _bytes(document: Document) -> bytes:
    text = json.dumps(as_map(document), indent=1, sort_keys=True, ensure_ascii=True)
    return f"{text}\n".encode("ascii")


def _differences(at: str, told: object, due: object) -> Iterator[str]:
    if isinstance(told, dict) and isinstance(due, dict):
        for name in sorted(set(told) | set(due)):
            yield from _differences(f"{at}.{name}".lstrip("."), told.get(name), due.get(name))
    elif isinstance(told, list) and isinstance(due, list) and len(told) == len(due):
        for n, pair in enumerate(zip(told, due, strict=True)):
            yield from _differences(f"{at}[{n}]", *pair)
    elif told != due:
        yield f"{at} is {_short(told)}, and the records give {_short(due)}"


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


MOST_SHOWN = 80


def _first_difference(told: bytes, due: bytes) -> str:
    """The first line of a file that is not as it is made again."""
    lines = zip(BytesIO(told), BytesIO(due), strict=False)
    for number, (one, other) in enumerate(lines, start=1):
        if one != other:
            at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            begin = max(0, at - 20)
            return (
                f"line {number} has {_text(one[begin:])!r}, and the records give"
                f" {_text(other[begin:])!r}"
            )
    ends = told.count(b"\n"), due.count(b"\n")
    return f"it has {ends[0]} line ends, and the records give {ends[1]}"


def _text(line: bytes) -> str:
    return line[:60].decode("utf-8", "replace")
