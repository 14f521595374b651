"""The whole verification of files: the seal, then the rules replayed over it.

A file is a transcript or the proof of one deal; it is read in pieces, so that its length does not
matter. What is wrong comes back as a report; no bytes make this raise.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from referee.errors import RefereeError
from referee.journal.refuted import Finding
from referee.journal.replay import Replay
from referee.sealing import SEATS, SIDES, MatchClose, MatchOpen, UnreadableError, VerifyKey
from referee.sealing.board import BoardRecord
from referee.sealing.boardwalk import BoardWalk
from referee.sealing.proof import PROOF_START, proof_lines
from referee.sealing.receipts import Receipts
from referee.sealing.roster import Roster
from referee.sealing.transcript import BOARD_OPENS, LONGEST_LINE
from referee.sealing.verdict import Failure, Stage, Verdict
from referee.sealing.verify import LINE_START, PLAIN_START, SealVerifier
from referee.sealing.walk import Walk

CHUNK: Final = 1 << 20
BOARD_START: Final = b'{"event":{"board":"'
LONGEST_PROOF: Final = 1 << 24
PACKED: Final = {
    b"\x1f\x8b": "it is packed by gzip",
    b"BZh": "it is packed by bzip2",
    b"\xfd7zXZ": "it is packed by xz",
    b"\x28\xb5\x2f\xfd": "it is packed by zstd",
    b"PK\x03\x04": "it is a zip archive",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a file is held against, besides itself."""

    pinned: VerifyKey | None
    strict: bool
    roster: Roster | None
    receipts: Receipts | None


JsonText = bool | int | str | None | list["JsonText"] | dict[str, "JsonText"]


class MissingFileError(RefereeError):
    """A file that cannot be opened or read."""


@dataclass(frozen=True, slots=True)
class Report:
    """The answer about one file; `games` where its score is one of games, not of points."""

    verdict: Verdict
    replayed: bool
    games: bool = True

    @property
    def exit(self) -> int:
        """The exit code for this file."""
        return self.verdict.exit

    @property
    def not_covered(self) -> tuple[str, ...]:
        """What a proof of one deal cannot show."""
        if self.verdict.kind == "deal-proof":
            return ("scores before the deal", "everything outside the deal")
        return ()

    def as_map(self) -> dict[str, JsonText]:
        """The report for programs: the same names as in the other verifiers."""
        verdict, failure, totals = self.verdict, self.verdict.failure, self.verdict.totals
        seat, host, declined = verdict.seeds
        place: dict[str, JsonText] = {}
        if verdict.board is not None:
            place = {"board": verdict.board, "table": verdict.table}
        return {
            **place,
            "exit": verdict.exit,
            "party": None if failure is None else failure.party,
            "event": None if failure is None else failure.seq,
            "deal": None if failure is None else failure.deal,
            "message": _message(verdict),
            "kind": verdict.kind,
            "match": verdict.match,
            "rules": "replayed" if self.replayed else "not replayed",
            "signatures": "checked",
            "not_covered": list(self.not_covered),
            "key": None if verdict.key is None else {"pinned": verdict.pinned, "line": verdict.key},
            "roster": verdict.listed,
            "receipts": verdict.receipts,
            "rated": verdict.rated,
            "seeds": {"seat": seat, "host": host, "declined": declined},
            "deals": totals.deals,
            "verified": totals.verified,
            "voided": totals.voided,
            "voided_matches": int(totals.voided > 0 and totals.outcome == "void"),
            "played": totals.played,
            "faults": [
                {
                    "deal": fault.deal,
                    "seat": SEATS[fault.seat],
                    "why": fault.why,
                    "signed": fault.signed,
                }
                for fault in totals.faults
            ],
            "outcome": totals.outcome,
            "score": None if totals.score is None else dict(zip(SIDES, totals.score, strict=True)),
            "winner": None if totals.winner is None else SIDES[totals.winner],
        }


def _message(verdict: Verdict) -> str:
    if verdict.failure is not None:
        return verdict.failure.message
    return "deal verified" if verdict.kind == "deal-proof" else "verified"


class Verification:
    """One file's verification in progress: lines in, a report out."""

    __slots__ = ("_proof", "_replay", "_seal")

    def __init__(
        self, asked: Asked, *, proof: bool = False, walk: Walk | BoardWalk | None = None
    ) -> None:
        self._seal = SealVerifier(
            pinned=asked.pinned,
            strict=asked.strict,
            proof=proof,
            roster=asked.roster,
            receipts=asked.receipts,
            walk=walk,
        )
        self._proof = proof
        self._replay: Replay | None = None

    @property
    def seal(self) -> SealVerifier:
        """The seal's own verifier, for what concerns the file as a whole."""
        return self._seal

    def feed(self, line: bytes) -> None:
        """Take in one line without its line feed."""
        passed = self._seal.feed(line)
        if passed is None or not self._seal.still(Stage.RULES):
            return
        found: Finding | None = None
        if isinstance(passed, MatchOpen):
            self._replay = Replay(passed, proof=self._proof)
            found = self._replay.begin()
        elif self._replay is not None:
            if isinstance(passed, MatchClose):
                found = self._replay.close(passed, self._seal.last_seq)
            else:
                found = self._replay.deal(passed)
        if found is not None:
            self._seal.fail(found.stage, found.message, seq=found.seq, deal=found.deal)

    def finish(self) -> Report:
        """The report on everything taken in."""
        replay = self._replay
        games = replay is None or replay.counts_games
        return Report(self._seal.finish(), replayed=replay is not None, games=games)


def verify_stream(
    stream: IO[bytes],
    *,
    pinned: VerifyKey | None = None,
    strict: bool = False,
    roster: Roster | None = None,
    receipts: Receipts | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """The report on one file's bytes; `progress` is told how many bytes each piece had."""
    asked = Asked(pinned, strict, roster, receipts)
    first = stream.read(CHUNK)
    if progress:
        progress(len(first))
    if first.startswith(PLAIN_START):
        verification = Verification(asked)
        verification.seal.unreadable(
            "an unsealed log: it was written for debugging and has no seal to verify"
        )
        return verification.finish()
    if first.startswith(PROOF_START):
        return _verify_proof(first + stream.read(LONGEST_PROOF), asked)
    walk = BoardWalk() if BOARD_OPENS.match(first) else None
    verification = Verification(asked, walk=walk)
    if first and not (first.startswith(LINE_START) or LINE_START.startswith(first)):
        packed = next((name for magic, name in PACKED.items() if first.startswith(magic)), None)
        what = f"it begins {first[:24]!r}" if packed is None else f"{packed}; unpack it first"
        verification.seal.unreadable(f"not a transcript: {what}")
        return verification.finish()
    feed_all(verification, first, stream, progress)
    if walk is not None and walk.record is not None:
        verification.seal.fail(Stage.END, missing_tables(walk.record, ()))
    return verification.finish()


def missing_tables(board: BoardRecord, given: Collection[int]) -> str:
    """What is said of a board some of whose tables' files are not there; empty where all are."""
    missing = [str(table) for table in range(board.open.tables) if table not in given]
    if not missing:
        return ""
    which = f"table {missing[0]}" if len(missing) == 1 else f"tables {', '.join(missing)}"
    return (
        f"the file of {which} of this board is missing: it has {board.open.tables} (name them all)"
    )


def feed_all(
    verification: Verification,
    first: bytes,
    stream: IO[bytes],
    progress: Callable[[int], None] | None = None,
) -> None:
    """Feed the lines of a stream whose first piece has been read."""
    for lines in _pieces(first, stream, verification, progress):
        for line in lines:
            verification.feed(line)
        if verification.seal.broken:
            break


def _pieces(
    piece: bytes,
    stream: IO[bytes],
    verification: Verification,
    progress: Callable[[int], None] | None,
) -> Iterator[list[bytes]]:
    """The lines of each piece of a stream without line feeds; a torn last one is told."""
    rest = b""
    while piece:
        *lines, rest = (rest + piece).split(b"\n")
        yield lines
        if len(rest) > LONGEST_LINE:
            yield [rest]
            return
        piece = stream.read(CHUNK)
        if piece and progress:
            progress(len(piece))
    if rest:
        verification.seal.cut_short()


def _verify_proof(text: bytes, asked: Asked) -> Report:
    verification = Verification(asked, proof=True)
    try:
        match, lines = proof_lines(text)
    except UnreadableError as err:
        verification.seal.unreadable(str(err))
        return verification.finish()
    for line in lines:
        verification.feed(line)
    verification.seal.claims_match(match)
    return verification.finish()


def verify_file(
    path: Path,
    *,
    pinned: VerifyKey | None = None,
    strict: bool = False,
    roster: Roster | None = None,
    receipts: Receipts | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """The report on a file; MissingFileError where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return verify_stream(
                stream,
                pinned=pinned,
                strict=strict,
                roster=roster,
                receipts=receipts,
                progress=progress,
            )
    except OSError as err:
        raise MissingFileError(f"cannot read {str(path)!r}: {err.strerror}") from err


def failure_place(failure: Failure) -> str:
    """Where a failure lies, for people: its event, its deal and its party."""
    words = []
    if failure.seq is not None:
        words.append(f"event {failure.seq}")
    if failure.deal is not None:
        words.append(f"deal {failure.deal}")
    if failure.party is not None:
        words.append(f"party: {failure.party}")
    return ", ".join(words)
