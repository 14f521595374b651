"""Errors at the terminal: one line that says what to do, and the error's exit code."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import click

from referee.errors import InternalError, RefereeError

OUR_FAULT = 70
INTERRUPTED = 130
READER_GONE = 141
"""As shells say it of a program that SIGINT or SIGPIPE ends."""


@contextmanager
def in_one_line(ctx: click.Context) -> Iterator[None]:
    """Whatever goes wrong inside becomes its line and its exit code."""
    try:
        yield
    except RefereeError as err:
        click.echo(f"{ctx.info_name}: {err}", err=True)
        ctx.exit(err.exit_code)
    except InternalError as err:
        click.echo(f"{ctx.info_name}: an error of this program: {err}", err=True)
        ctx.exit(OUR_FAULT)
    except (click.exceptions.Exit, click.exceptions.NoArgsIsHelpError, click.Abort):
        raise
    except KeyboardInterrupt:
        click.echo(f"{ctx.info_name}: interrupted", err=True)
        ctx.exit(INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        ctx.exit(READER_GONE)
    except OSError as err:
        where = "" if err.filename is None else f"{os.fsdecode(err.filename)!r}: "
        click.echo(
            f"{ctx.info_name}: {where}{err.strerror or err} (make room or change the path)",
            err=True,
        )
        ctx.exit(RefereeError.exit_code)
    except click.UsageError as err:
        path = ctx.command_path if err.ctx is None else err.ctx.command_path
        message = err.format_message().rstrip(".")
        click.echo(f"{path}: {message[:1].lower()}{message[1:]} (see {path} --help)", err=True)
        ctx.exit(err.exit_code)
    except click.ClickException:
        raise
    except Exception as err:  # noqa: BLE001 -- exit 1 would say that a file breaks the rules
        place = traceback.extract_tb(err.__traceback__)[-1]
        where = f"{place.filename}:{place.lineno}"
        click.echo(
            f"{ctx.info_name}: an error of this program: {err!r} at {where} (report it)",
            err=True,
        )
        ctx.exit(OUR_FAULT)


class OneLineGroup(click.Group):
    """A group of commands whose errors are one line, never a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        with in_one_line(ctx):
            return super().invoke(ctx)


class OneLineCommand(click.Command):
    """The same for a command that stands alone, and reads its own options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options."""
        with in_one_line(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        with in_one_line(ctx):
            return super().invoke(ctx)
