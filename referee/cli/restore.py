"""`euchre-referee restore`: a journal from a backup, in which nothing is played on."""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from referee.cli.files import FileError, move
from referee.cli.journals import check_no_log, open_journal, user
from referee.host.boards import BoardHost
from referee.host.clock import LoopClock
from referee.host.home import KeyFileError, load_key, state_dir
from referee.host.referee import Referee
from referee.host.trail import Operator
from referee.host.voiding import void_open
from referee.journal.backup import copy_journal
from referee.sealing.keys import SigningKey


@click.command()
@click.argument("backup", type=click.Path(path_type=Path))
@click.option(
    "--db", type=click.Path(path_type=Path), required=True, help="The new journal, not there yet."
)
@click.option("--key", type=click.Path(path_type=Path), help="The referee's private key (PEM).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def restore(
    backup: Path,
    db: Path,
    key: Path | None,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Make a journal of BACKUP in which every open match, and every open board, is closed void.

    What was played after the backup is lost, and its decks have been seen: no deal number is ever
    played twice. A seat that holds a receipt from after the backup can show it, and rightly so.

    \b
    Exit codes: 0 restored; 2 the key is missing or not the matches'; 6 the file is no journal.
    """  # noqa: D301 -- \b is click's
    path = key or state_dir() / "referee.pem"
    if not path.exists():
        raise KeyFileError(f"the key file {str(path)!r} is missing: give the matches' own (--key)")
    signing = load_key(path, secrets.token_bytes)
    if db.exists():
        raise FileError(
            f"{str(db)!r} is there already: a journal is never restored over another"
            " (move it away, or name another file)"
        )
    check_no_log(db)
    part = db.with_name(f"{db.name}.part")
    check_no_log(part)
    copy_journal(backup, part)
    try:
        closed = asyncio.run(_void(part, signing))
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        part.with_name(f"{part.name}.lock").unlink(missing_ok=True)
    move(part, db)
    if as_json:
        shown = {"journal": str(db), "voided": [match.hex() for match in closed]}
        click.echo(json.dumps(shown))
        return
    for match in closed:
        click.echo(f"void {match.hex()}")
    click.echo(f"restored {db}: {len(closed)} open matches and boards closed void")


async def _void(journal: Path, key: SigningKey) -> list[bytes]:
    store = open_journal(journal)
    try:
        boards = BoardHost(store=store, key=key, clock=LoopClock(), chance=secrets.token_bytes)
        voided = [closed.created.board for closed in await boards.void_open()]
        referee = Referee(store=store, key=key, clock=LoopClock(), chance=secrets.token_bytes)
        referee.matches.let_in()
        return voided + await void_open(referee, Operator(user(), "restore"), _bar())
    finally:
        store.close()


def _bar() -> Callable[[list[bytes]], Iterable[bytes]]:
    console = Console(stderr=True)
    shown = console.is_terminal
    return lambda ids: track(ids, "closing", console=console, transient=True, disable=not shown)
