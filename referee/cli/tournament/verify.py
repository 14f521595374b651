"""`euchre-referee tournament verify`: is a published event what its records and the rules make."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from referee.arena.tournament.verify import EventReport, verify_event
from referee.arena.tournament.verify.report import PARTIES
from referee.cli.keytype import KeyType
from referee.cli.verify import SEALED, bar, quiet_collector
from referee.sealing.keys import VerifyKey

_SHOWN: Final = 20


@click.command()
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--referee-key", "key", type=KeyType(), help="The referee's key: name+id+base64.")
@click.option(
    "--earlier",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="A copy got before: a folder, or announced.jsonl alone; what it has must stand unchanged."
    "  [repeatable]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def verify(
    ctx: click.Context,
    out: Path,
    key: VerifyKey | None,
    earlier: tuple[Path, ...],
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Verify a published event offline: records, announcements, pairings, scores, every page.

    OUT is the folder that `publish` wrote; nothing else is needed. What a publisher who holds the
    key has left out with every trace, only an --earlier copy shows.

    Exit: 0 verified, 1 rules, score or a file that does not follow, 3 seal, 4 signature or key,
    5 incomplete, 6 unreadable, 70 our own error; the first that is not 0.
    """
    quiet_collector()
    with bar() as shown:
        task = shown.add_task("reading", total=None)
        report = verify_event(
            out,
            pinned=key,
            earlier=earlier,
            progress=lambda what, done, whole: shown.update(
                task, description=what, completed=done, total=whole
            ),
        )
    if as_json:
        click.echo(json.dumps({"event": str(out), **report.as_map()}))
    else:
        click.echo("\n".join(_lines(str(out), report, earlier)))
    ctx.exit(report.exit)


def _lines(name: str, report: EventReport, earlier: Sequence[Path]) -> Iterator[str]:
    """The report in plain sentences."""
    if report.findings:
        yield f"{name}: NOT verified (exit {report.exit})"
        for finding in report.findings[:_SHOWN]:
            yield f"  {finding.file}: {finding.message}"
        if len(report.findings) > _SHOWN:
            yield f"  and {len(report.findings) - _SHOWN} more"
        if any(finding.file.startswith("recompute/") for finding in report.findings):
            yield "  another version of this program may have published it: verify it with that one"
        for party in dict.fromkeys(finding.party for finding in report.findings):
            if party in PARTIES:
                yield f"  {PARTIES[party]}"
        return
    told = report.figures
    left = "never opened" if report.finished else "announced and open"
    state = "finished" if report.finished else "not finished: open boards prove nothing yet"
    yield f"{name}: verified"
    yield f"  {report.name}, {state}"
    yield (
        f"  boards verified: {told['boards']} at {told['tables']} tables; void: {told['void']};"
        f" {left}: {told['open']}"
    )
    if told["lost"]:
        yield f"  void without a record, its journal lost, as the director says: {told['lost']}"
    yield (
        f"  rounds paired again: {told['rounds']}; entries: {told['entries']};"
        f" actions of the director: {told['actions']}"
    )
    yield "  scores, standings, pictures and pages are those that the records give"
    for path in earlier:
        yield f"  all that {path} has stands unchanged"
    if report.pinned:
        yield "  the key is the pinned one"
    else:
        yield f"  the key is not pinned; to pin it: --referee-key '{report.key}'"
    yield f"  {SEALED}"
