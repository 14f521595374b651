"""`euchre-referee judge`: what happened in a record of real play, and what the law makes of it."""

import json
import sys
from pathlib import Path

import click

from referee.cli.files import EXISTING_OR_STDIN, read_bytes
from referee.cli.pairs import map_of
from referee.records import Problem, TimedClaim, judge, parse_claim, read_record

STDIN = Path("-")


class ClaimType(click.ParamType[TimedClaim]):
    """A renege that is claimed, in words."""

    name = "claim"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> TimedClaim:
        """Parse who claims, against whom and which trick, or fail as a usage error."""
        problems: list[Problem] = []
        claim = parse_claim(str(value), "claim", problems)
        if claim is None or problems:
            self.fail("; ".join(problem.message for problem in problems), param, ctx)
        return claim


def record_bytes(file: Path) -> bytes:
    """The bytes of a record, from standard input where the file is `-`."""
    return sys.stdin.buffer.read() if file == STDIN else read_bytes(file)


@click.command("judge")
@click.argument("file", type=EXISTING_OR_STDIN)
@click.option("--rules", "name", help="Judge by this rule set, whatever the record states.")
@click.option("--knob", "knobs", multiple=True, metavar="K=V", help="Set a knob of the rule set.")
@click.option("--table-rule", "table", multiple=True, metavar="K=V", help="Set a table rule.")
@click.option(
    "--claim", "claims", multiple=True, type=ClaimType(), metavar='"WHO WHOM TRICK"',
    help="A renege claimed in the last deal, as in: east south 3.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
@click.pass_context
def judge_record(
    ctx: click.Context,
    *,
    file: Path,
    name: str | None,
    knobs: tuple[str, ...],
    table: tuple[str, ...],
    claims: tuple[TimedClaim, ...],
    as_json: bool,
) -> None:
    """Judge the record FILE trick by trick: EGN, PTN, euchre-record JSON, text or a transcript.

    Every irregularity is named with its rule and its penalty. What a record does not say is worked
    out where it can be proved, and called open where it cannot.

    Exit: 0 nothing is wrong, 1 irregularities or things that cannot be, 2 usage, 6 unreadable.
    """
    judgement = judge(
        read_record(record_bytes(file)),
        rules=name,
        knobs=map_of(knobs),
        table_rules=map_of(table, "--table-rule"),
        claims=claims,
    )
    if as_json:
        click.echo(json.dumps(judgement.as_map(), indent=2))
    else:
        click.echo("\n".join(judgement.lines()))
    ctx.exit(judgement.exit)
