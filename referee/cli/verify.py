"""`euchre-referee verify`: is this file's match what the seal and the rules make of it."""

import gc
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from referee.arena.account import score_words, verified_words
from referee.cli.evidence import read_receipts, read_roster
from referee.cli.files import EXISTING, EXISTING_OR_STDIN
from referee.cli.keytype import KeyType
from referee.journal.boardverify import FileSet, sets_of, verify_set
from referee.journal.verify import Asked, Report, failure_place, verify_file
from referee.sealing import SEATS, VerifyKey, parse_key
from referee.sealing.parts import Pair
from referee.sealing.receipts import Receipts
from referee.sealing.roster import Roster

LONG_FILE = 1 << 22
SEALED = (
    "sealed and checkable: the referee sees the hands, so the seal makes it unable to choose the"
    " cards or change the record, not unable to whisper"
)
_PARTIES = {
    "referee": "the referee signed what fails: the file is evidence against it",
    "file": "the file is not as the referee wrote it: ask for another copy",
    "key": "the key is not the one that signed: ask the referee for its key",
    "nobody": "this speaks against nobody: get the whole file",
}
_HEADS = {"deal-proof": "deal verified", "board": "board verified", "table": "table verified"}
STDIN: Final = Path("/dev/stdin")


@dataclass(frozen=True, slots=True)
class _Order:
    """What the files are held against, as words that another process can read again."""

    key: str | None
    strict: bool
    roster: Path | None
    receipts: Path | None

    def check(self) -> "_Checks":
        """The words read; an error names what is wrong with the key's, roster's or folder's."""
        return _Checks(
            pinned=None if self.key is None else parse_key(self.key),
            strict=self.strict,
            roster=None if self.roster is None else read_roster(self.roster),
            receipts=None if self.receipts is None else read_receipts(self.receipts),
        )


@dataclass(frozen=True, slots=True)
class _Checks:
    """What the files are held against."""

    pinned: VerifyKey | None
    strict: bool
    roster: Roster | None
    receipts: Receipts | None

    def reports(
        self, files: FileSet, progress: Callable[[int], None] | None = None
    ) -> Iterator[tuple[Path, Report]]:
        """The report on each file of a set."""
        if files.alone is None:
            asked = Asked(self.pinned, self.strict, self.roster, self.receipts)
            yield from verify_set(files, asked, progress)
            return
        yield (
            files.alone,
            verify_file(
                files.alone,
                pinned=self.pinned,
                strict=self.strict,
                roster=self.roster,
                receipts=self.receipts,
                progress=progress,
            ),
        )


@click.command()
@click.argument("files", nargs=-1, required=True, type=EXISTING_OR_STDIN)
@click.option("--referee-key", "key", type=KeyType(), help="The referee's key: name+id+base64.")
@click.option("--roster", type=EXISTING, help="The keys of an event; an unlisted one is exit 4.")
@click.option(
    "--receipts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of what seats kept: receipts, wrong cards (*.jsonl); held against the files.",
)
@click.option("--strict", is_flag=True, help="Exit 7 unless key and all seats are beyond doubt.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
@click.pass_context
def verify(
    ctx: click.Context, files: tuple[Path, ...], key: VerifyKey | None, roster: Path | None,
    receipts: Path | None, *, strict: bool, as_json: bool,
) -> None:  # fmt: skip
    """Verify transcripts, sealed boards and deal proofs offline: seal, signatures, rules, scores.

    `-` is standard input. A board is verified with the files of all its tables: name them together,
    in any order.

    Exit: 0 verified, 1 rules or score, 3 seal, 4 signature or key, 5 incomplete, 6 unreadable,
    7 not strict enough, 70 our own error; of several files, the first that is not 0.
    """
    quiet_collector()
    order = _Order(None if key is None else key.text, strict, roster, receipts)
    code = 0
    named = [STDIN if path == Path("-") else path for path in files]
    for path, report in _reports(named, order):
        code = code or report.exit
        if as_json:
            click.echo(json.dumps({"file": str(path), **report.as_map()}))
        else:
            click.echo("\n".join(summary(str(path), report)))
    ctx.exit(code)


def _reports(files: Sequence[Path], order: _Order) -> Iterator[tuple[Path, Report]]:
    """A report a file, a board's files one after the other; several sets side by side."""
    checks = order.check()
    total = sum(path.stat().st_size for path in files if path.is_file())
    sets = sets_of(files)
    if len(sets) == 1:
        with bar(hidden=total < LONG_FILE) as shown:
            task = shown.add_task("verifying", total=total)
            yield from checks.reports(sets[0], lambda read: shown.advance(task, read))
        return
    if total < LONG_FILE:  # another process takes longer to start than these to verify
        for each in sets:
            yield from checks.reports(each)
        return
    workers = min(len(sets), cpu_count() or 1)
    with (
        bar() as shown,
        ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(order,)
        ) as pool,
    ):
        task = shown.add_task("verifying", total=total)
        for found in pool.map(_in_worker, sets, chunksize=max(1, min(32, len(sets) // workers))):
            shown.advance(task, sum(path.stat().st_size for path, _ in found))
            yield from found


_CHECKS: Final[list[_Checks]] = []


def _begin(order: _Order) -> None:
    """In a process of its own: read once what all its files are held against."""
    _CHECKS.append(order.check())
    quiet_collector()


def quiet_collector() -> None:
    """Let the collector of cycles rest: what is loaded stays, and a deal leaves no cycles."""
    gc.freeze()
    gc.set_threshold(100_000)


def _in_worker(files: FileSet) -> list[tuple[Path, Report]]:
    return list(_CHECKS[0].reports(files))


def bar(*, hidden: bool = False) -> Progress:
    """A progress bar on stderr, where that is a terminal."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=hidden or not console.is_terminal,
    )


def summary(name: str, report: Report) -> list[str]:
    """The report in plain sentences."""
    verdict = report.verdict
    failure = verdict.failure
    if failure is not None and not verdict.stands:
        lines = [f"{name}: NOT verified (exit {failure.exit}): {failure.message}"]
        place = failure_place(failure)
        if place:
            lines.append(f"  {place}")
        if failure.party is not None:
            lines.append(f"  {_PARTIES[failure.party]}")
        return lines
    head = _HEADS.get(verdict.kind, "verified")
    if failure is not None:
        head = f"not strict enough (exit {failure.exit}): {failure.message}"
    return [f"{name}: {head}", *_details(report)]


def _details(report: Report) -> list[str]:
    verdict, totals = report.verdict, report.verdict.totals
    seat, host, declined = verdict.seeds
    lines = [f"  {'board' if verdict.kind == 'board' else 'match'} {verdict.match}"]
    if verdict.board is not None:
        lines.append(f"  table {verdict.table} of board {verdict.board}")
    if totals.outcome is not None and totals.score is not None:
        told = score_words(totals.winner, Pair(*totals.score), games=report.games)
        lines.append(f"  {totals.outcome}: {told}")
    voided_matches = int(totals.voided > 0 and totals.outcome == "void")
    voided = f"{totals.voided} deals, {voided_matches} matches"
    lines += [
        f"  verified: {verified_words(totals)}; voided after commit set: {voided}",
        f"  seeds: {seat} by bots, {host} by the host, {declined} declined",
        "  rated" if verdict.rated else "  not rated: its results prove nothing",
    ]
    lines += [
        f"  deal {fault.deal}: {SEATS[fault.seat]} at fault, {fault.why}, "
        + ("for attempts that it signed" if fault.signed else "on the referee's word")
        for fault in totals.faults
    ]
    lines += [f"  not covered: {what}" for what in report.not_covered]
    if verdict.receipts is not None:
        lines.append(f"  receipts: {verdict.receipts} items agree with the file")
    if verdict.listed:
        lines.append("  the roster lists every key")
    if verdict.pinned:
        lines.append("  the key is the pinned one")
    else:
        lines.append(f"  the key is not pinned; to pin it: --referee-key '{verdict.key}'")
    lines.append(f"  {SEALED}")
    return lines
