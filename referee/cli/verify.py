"""`euchre-referee verify`: is this file's match what the seal and the rules make of it."""

import gc
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from referee.cli.files import EXISTING
from referee.journal.verify import Report, failure_place, verify_file
from referee.sealing import SEATS, KeyFormError, VerifyKey, parse_key

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
_WON = {0: "north and south won", 1: "east and west won", None: "nobody won"}


class KeyType(click.ParamType[VerifyKey]):
    """A referee's public key in its printed form."""

    name = "key"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> VerifyKey:
        """Parse the form name+id+base64, or fail as a usage error."""
        try:
            return parse_key(str(value))
        except KeyFormError as err:
            self.fail(str(err), param, ctx)


@click.command()
@click.argument("files", nargs=-1, required=True, type=EXISTING)
@click.option("--referee-key", "key", type=KeyType(), help="The referee's key: name+id+base64.")
@click.option("--strict", is_flag=True, help="Exit 7 unless key and all seats are beyond doubt.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
@click.pass_context
def verify(
    ctx: click.Context, files: tuple[Path, ...], key: VerifyKey | None, *, strict: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Verify transcripts and deal proofs offline: seal, signatures, rules and scores.

    Exit: 0 verified, 1 rules or score, 3 seal, 4 signature or key, 5 incomplete, 6 unreadable,
    7 not strict enough, 70 our own error; of several files, the first that is not 0.
    """
    gc.freeze()  # what is loaded so far stays: the collector need not look at it with every deal
    code = 0
    for path, report in _reports(files, key, strict=strict):
        code = code or report.exit
        if as_json:
            click.echo(json.dumps({"file": str(path), **report.as_map()}))
        else:
            click.echo("\n".join(summary(str(path), report)))
    ctx.exit(code)


def _reports(
    files: Sequence[Path], key: VerifyKey | None, *, strict: bool
) -> Iterator[tuple[Path, Report]]:
    """A report a file, in the order given; several files are verified side by side."""
    if len(files) == 1:
        yield files[0], _with_bar(files[0], key, strict=strict)
        return
    text = None if key is None else key.text
    workers = min(len(files), cpu_count() or 1)
    jobs = [(path, text, strict) for path in files]
    with (
        _bar() as bar,
        ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool,
    ):
        task = bar.add_task("verifying", total=len(files))
        for path, report in zip(files, pool.map(_in_worker, jobs), strict=True):
            bar.advance(task)
            yield path, report


def _in_worker(job: tuple[Path, str | None, bool]) -> Report:
    gc.freeze()
    path, text, strict = job
    return verify_file(path, pinned=None if text is None else parse_key(text), strict=strict)


def _with_bar(path: Path, key: VerifyKey | None, *, strict: bool) -> Report:
    size = path.stat().st_size if path.is_file() else 0
    if size < LONG_FILE:
        return verify_file(path, pinned=key, strict=strict)
    with _bar() as bar:
        task = bar.add_task("verifying", total=size)
        return verify_file(
            path, pinned=key, strict=strict, progress=lambda read: bar.advance(task, read)
        )


def _bar() -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
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
    head = "deal verified" if verdict.kind == "deal-proof" else "verified"
    if failure is not None:
        head = f"not strict enough (exit {failure.exit}): {failure.message}"
    return [f"{name}: {head}", *_details(report)]


def _details(report: Report) -> list[str]:
    verdict, totals = report.verdict, report.verdict.totals
    seat, host, declined = verdict.seeds
    lines = [f"  match {verdict.match}"]
    if totals.outcome is not None and totals.score is not None:
        ns, ew = totals.score
        lines.append(f"  {totals.outcome}, {ns}-{ew}: {_WON[totals.winner]}")
    voided_matches = int(totals.voided > 0 and totals.outcome == "void")
    voided = f"{totals.voided} deals, {voided_matches} matches"
    lines += [
        f"  deals verified: {totals.verified} of {totals.deals}; voided after commit set: {voided}",
        f"  seeds: {seat} by bots, {host} by the host, {declined} declined",
        "  rated" if verdict.rated else "  not rated: its results prove nothing",
    ]
    lines += [
        f"  deal {fault.deal}: {SEATS[fault.seat]} at fault, {fault.why}, on the referee's word"
        for fault in totals.faults
    ]
    lines += [f"  not covered: {what}" for what in report.not_covered]
    if verdict.pinned:
        lines.append("  the key is the pinned one")
    else:
        lines.append(f"  the key is not pinned; to pin it: --referee-key '{verdict.key}'")
    lines.append(f"  {SEALED}")
    return lines
