"""`import`: drafts of cases out of a record of real play."""

import sys
from pathlib import Path

import click

from conformance.cli.options import topic_option
from conformance.corpus import load
from conformance.errors import UsageError
from conformance.generate.draft import file_head
from conformance.importing import cases_from, read_game
from conformance.jsontypes import Record
from conformance.readable import bytes_of
from conformance.targets import open_target


@click.command("import")
@click.argument("file", metavar="FILE|-")
@click.option("--ruleset", help="The rule set, where the record names none; standard if absent.")
@topic_option("import")
@click.option("-o", "out", type=click.Path(path_type=Path, dir_okay=False), help="Write here.")
@click.pass_context
def import_record(
    ctx: click.Context, *, file: str, ruleset: str | None, topic: str, out: Path | None
) -> None:
    """Make drafts of cases out of a record in EGN, PTN or plain text; - reads standard input.

    The answers are those on which the oracle and the referee agree. What cannot be read is said
    line by line, and the rest is still made use of.

    Exit: 0 everything became cases, 1 something did not, 2 usage.
    """
    try:
        data = sys.stdin.buffer.read() if file == "-" else bytes_of(Path(file))
        game = read_game(data.decode("utf-8"))
    except UnicodeDecodeError as err:
        raise UsageError(f"{file}: byte {err.start} is not UTF-8") from err
    corpus = load()
    target = open_target("referee:", corpus.rulesets)

    def referee(request: Record) -> Record | None:
        return next(iter(target.ask([{"id": 1, **request}]))).answer

    problems = list(game.problems)
    drafts: list[str] = []
    name = ruleset or game.ruleset or "standard"
    for text, problem in cases_from(game, corpus.rulesets, referee, name=name, topic=topic):
        drafts += [text] if text else []
        problems += [problem] if problem else []
    for problem in problems:
        click.echo(f"{file}: {problem}", err=True)
    if not drafts:
        raise UsageError(f"no case could be made of {file!r} (give EGN, PTN or plain text)")
    whole = file_head(topic) + "".join(drafts)
    if out is None:
        click.echo(whole, nl=False)
    else:
        try:
            out.write_text(whole, encoding="utf-8")
        except OSError as err:
            raise UsageError(f"cannot write {str(out)!r}: {err.strerror}") from err
        click.echo(f"{len(drafts)} drafts in {out}")
    ctx.exit(1 if problems else 0)
