"""What a user sees of an error, expected or not."""

import click
from click.testing import CliRunner

from referee.cli.errors import OneLineGroup
from referee.errors import InternalError, RefereeError


@click.group(cls=OneLineGroup)
def program() -> None:
    """A program whose commands fail."""


@program.command()
def expected() -> None:
    raise RefereeError("no such thing: 'x' (name another)")


@program.command()
def impossible() -> None:
    raise InternalError("a row that nobody wrote")


@program.command()
def broken() -> None:
    raise KeyError("never thought of")


@program.command()
@click.pass_context
def leaves(ctx: click.Context) -> None:
    ctx.exit(5)


def said(command: str) -> tuple[int, str]:
    result = CliRunner().invoke(program, [command])
    return result.exit_code, result.output


def test_an_expected_error_is_one_line_and_its_exit_code() -> None:
    code, output = said("expected")
    assert code == 2
    assert output.endswith(": no such thing: 'x' (name another)\n")
    assert output.count("\n") == 1


def test_an_impossible_state_is_our_error() -> None:
    code, output = said("impossible")
    assert code == 70
    assert output.endswith(": an error of this program: a row that nobody wrote\n")


def test_an_error_that_nobody_thought_of_is_ours_too() -> None:
    code, output = said("broken")
    assert code == 70
    assert "KeyError('never thought of') at " in output
    assert output.count("\n") == 1


def test_a_command_exits_as_it_says() -> None:
    assert said("leaves") == (5, "")
