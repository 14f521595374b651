"""The journal of a run, replayed offline and held against every answer that seats were given."""

import multiprocessing
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from referee.host.audience import Audience
from referee.host.items import Answer, Misused, Ruling
from referee.host.record import Record
from referee.host.resume import fold
from referee.journal.audit import audit_match
from referee.journal.codec import event_of
from referee.journal.sqlite import SqliteReader
from referee.journal.store import Row
from referee.journal.verify import verify_stream
from referee.sealing.events import ActionTaken
from referee.sealing.keys import SigningKey, parse_key
from referee.table.events import MatchCreated
from referee.table.evolve import begin
from tests.adversaries.book import RULINGS

INCOMPLETE: Final = 5
MATCHES_A_JOB: Final = 16
JOBS: Final = 2
FINE: Final = frozenset({"open", "finished", "forfeit", "aborted"})
SPARE_KEY: Final = SigningKey.from_bytes("spare", bytes(32))
"""A fold signs the private cards anew; nobody looks at them here."""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that a seat was given."""

    seat: int
    request_id: bytes
    verdict: str
    reason: str
    rule: str
    number: int
    action: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one match, and everything that is wrong with it."""

    match: str
    state: str
    rulings: int
    wrong: tuple[str, ...]


def given(folder: Path) -> dict[str, list[Given]]:
    """Every answer of a run, by match."""
    found: dict[str, list[Given]] = defaultdict(list)
    with (folder / RULINGS).open(encoding="ascii") as lines:
        for line in lines:
            match, seat, rid, verdict, reason, rule, number, action = line.rstrip("\n").split("\t")
            found[match].append(
                Given(int(seat), bytes.fromhex(rid), verdict, reason, rule, int(number), action)
            )
    return found


def judge(folder: Path, journal: Path, progress: Callable[[int], None]) -> list[Judged]:
    """Every match of a journal, audited, verified and replayed."""
    answers = given(folder)
    with closing(SqliteReader(journal)) as reader:
        ids = reader.matches()
    parts = [ids[at : at + MATCHES_A_JOB] for at in range(0, len(ids), MATCHES_A_JOB)]
    found: list[Judged] = []
    with ProcessPoolExecutor(JOBS, mp_context=multiprocessing.get_context("spawn")) as pool:
        jobs = [
            pool.submit(_part, journal, part, {m.hex(): answers[m.hex()] for m in part})
            for part in parts
        ]
        for job in jobs:
            found += job.result()
            progress(len(found))
    return found


def _part(
    journal: Path, matches: Sequence[bytes], answers: Mapping[str, Sequence[Given]]
) -> list[Judged]:
    with closing(SqliteReader(journal)) as reader:
        still_open = set(reader.open_matches())
        return [
            judge_match(
                match,
                tuple(reader.rows(match)),
                answers[match.hex()],
                still_open=match in still_open,
            )
            for match in matches
        ]


def judge_match(
    match: bytes, rows: Sequence[Row], answers: Sequence[Given], *, still_open: bool
) -> Judged:
    """One match: the audit, the verifier, and each answer against the offline replay."""
    audited = audit_match(match, rows, still_open=still_open)
    wrong = [audited.fault] if audited.fault else []
    if audited.state not in FINE:
        wrong.append(f"it is {audited.state}")
    created = event_of(rows[0])
    if not isinstance(created, MatchCreated):
        return Judged(match.hex(), audited.state, 0, (*wrong, "it has no beginning"))
    text = b"".join(row.line for row in rows if row.seq is not None)
    report = verify_stream(BytesIO(text), pinned=parse_key(created.referee_key))
    if report.exit != (INCOMPLETE if still_open else 0):
        wrong.append(f"verify says {report.exit}: {report.verdict.failure}")
    record, audience = Record(match, SPARE_KEY), Audience(SPARE_KEY)
    _, replayed = fold(begin(created), rows, record, audience)
    public = {row.seq: row for row in rows if row.seq is not None}
    for one in answers:
        known = replayed.get((one.seat, one.request_id))
        if fault := differs(one, known, public):
            wrong.append(f"seat {one.seat}, {one.action} at {one.number}: {fault}")
    return Judged(match.hex(), audited.state, len(answers), tuple(wrong))


def differs(one: Given, known: Answer | None, public: Mapping[int, Row]) -> str:
    """How an answer that was given differs from the replay; nothing where it does not."""
    match known:
        case None if one.verdict in {"accepted", "refused"}:
            return f"{one.verdict}, and the journal has no such attempt"
        case None:
            return _rightly_late(one, public)
        case Misused():
            return "" if one.verdict == "INVALID_ARGUMENT" else "the journal has it as malformed"
        case Ruling():
            told = "accepted" if known.accepted else "refused"
            if (told, known.reason, known.rule) != (one.verdict, one.reason, one.rule):
                return f"{one.verdict} {one.reason}, and the replay says {told} {known.reason}"
            if known.seq is not None and known.seq != one.number:
                return f"it stands at {known.seq}"
            if known.seq is not None and not _stands(public[known.seq], one.action):
                return "another action stands there"
    return ""


def _stands(row: Row, action: str) -> bool:
    """Whether an event is this action; a hidden one shows its word alone."""
    event = event_of(row)
    if not isinstance(event, ActionTaken):
        return False
    return event.action == action or (event.action == "discard" and "discard" in action)


def _rightly_late(one: Given, public: Mapping[int, Row]) -> str:
    """An attempt that was turned away came after somebody else had had the last word."""
    if one.action in {"commit", "reveal"}:
        return ""
    row = public.get(one.number)
    if one.verdict != "ABORTED" and row is not None and row.kind == "match_close":
        return ""
    if row is None:
        return f"{one.verdict}, and nothing stands at {one.number}"
    event = event_of(row)
    if isinstance(event, ActionTaken) and event.fallback is None:
        return f"{one.verdict}, and an action that is no fallback stands there"
    return ""
