"""`euchre-referee trail`: what operators did, out of a journal."""

import json
from contextlib import closing
from pathlib import Path

import click

from referee.cli.times import clock_time
from referee.journal.sqlite import SqliteReader
from referee.journal.store import Deed


@click.command()
@click.argument("db", type=click.Path(path_type=Path))
@click.option("--who", help="Only what this operator did.")
@click.option("--match", "match_id", default="", help="Only what was done to this match.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a deed.")
def trail(
    db: Path,
    who: str | None,
    match_id: str,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """List what operators did to the matches of the journal DB: when, who, what, from where.

    Every deed was noted before it was done. A referee may be writing the journal.
    Exit codes: 0; 6 the file is no journal.
    """
    with closing(SqliteReader(db)) as reader:
        for deed in reader.deeds():
            name = "" if deed.match is None else deed.match.hex()
            if who in {None, deed.who} and name.startswith(match_id):
                click.echo(json.dumps(_as_map(deed, name)) if as_json else _line(deed, name))


def _as_map(deed: Deed, match_id: str) -> dict[str, object]:
    detail: object = json.loads(deed.detail)
    return {
        "at_ms": deed.at_ms,
        "who": deed.who,
        "what": deed.what,
        "match": match_id or None,
        "detail": detail,
    }


def _line(deed: Deed, match_id: str) -> str:
    detail = json.loads(deed.detail)
    words = " ".join(f"{name}={value}" for name, value in detail.items())
    return f"{clock_time(deed.at_ms)}  {deed.who}  {deed.what}  {match_id or '-'}  {words}".rstrip()
