"""The command line of the suite, one module a verb."""

import errno
import sys
import traceback
from typing import Final

import click

from conformance.cli.adapter import print_adapter
from conformance.cli.baseline import baseline
from conformance.cli.bless import bless
from conformance.cli.book import write_book, write_positions, write_rulebook
from conformance.cli.compile import compile_corpus
from conformance.cli.completion import completion
from conformance.cli.copy import copy_corpus
from conformance.cli.divide import divide_case
from conformance.cli.fingerprint import fingerprint
from conformance.cli.freeze import freeze_corpus
from conformance.cli.fuzz import fuzz, shrink
from conformance.cli.importing import import_record
from conformance.cli.lint import lint_corpus
from conformance.cli.listing import list_cases, show_case
from conformance.cli.prove import prove
from conformance.cli.report import diff_logs, report
from conformance.cli.run import run_targets
from conformance.cli.serve import serve
from conformance.cli.smoke import smoke
from conformance.corpus import VERSION
from conformance.errors import OUR_ERROR, SuiteError

INTERRUPTED: Final = 130
OUR_FAULT: Final = 5
CUT_OFF: Final = 6
UNUSABLE: Final = 2
NAMES: Final = (errno.ENAMETOOLONG, errno.ELOOP)
"""What the system says of a name that no file can have."""
PRINTING: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
"""What the system says where nothing more can be written."""


class Group(click.Group):
    """A group whose errors are one line and a documented exit code."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; --help and --version print here, perhaps to a full disk."""
        try:
            return super().parse_args(ctx, args)
        except BrokenPipeError:
            raise
        except OSError as err:
            _tell(err)
            ctx.exit(OUR_FAULT)

    def invoke(self, ctx: click.Context) -> object:
        """Run the verb; what goes wrong by somebody's fault is said in one line."""
        try:
            return super().invoke(ctx)
        except SuiteError as err:
            click.echo(f"euchre-conformance: {err}", err=True)
            ctx.exit(err.exit_code)
        except KeyboardInterrupt:
            click.echo("euchre-conformance: interrupted", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            sys.stderr.close()
            ctx.exit(CUT_OFF)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as err:
            path = ctx.command_path if err.ctx is None else err.ctx.command_path
            message = " ".join(err.format_message().split()).rstrip(".")
            click.echo(f"{path}: {message[:1].lower()}{message[1:]} (see {path} --help)", err=True)
            ctx.exit(err.exit_code)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except OSError as err:
            _tell(err)
            ctx.exit(UNUSABLE if err.filename is not None and err.errno in NAMES else OUR_FAULT)
        except Exception as err:  # noqa: BLE001 -- exit 1 would say that a target is wrong
            _report(err)
            ctx.exit(OUR_FAULT)


def _tell(err: OSError) -> None:
    """Say what the system refused: a name, the place that is printed to, or something of ours."""
    if err.filename is not None and err.errno in NAMES:
        text = f"cannot use the name {str(err.filename)!r}: {err.strerror} (name another)"
    elif err.filename is None and err.errno in PRINTING:
        text = f"cannot write to the standard output: {err.strerror}"
    else:
        _report(err)
        return
    click.echo(f"euchre-conformance: {text}", err=True)


def _report(err: Exception) -> None:
    """Say that an error is ours, and where it arose."""
    place = traceback.extract_tb(err.__traceback__)[-1]
    click.echo(
        f"euchre-conformance: {OUR_ERROR}: {err!r} at {place.filename}:{place.lineno} (report it)",
        err=True,
    )


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    package_name="euchre-referee", message=f"%(prog)s %(version)s, corpus {VERSION}"
)
def main() -> None:
    """Check any Euchre implementation against the corpus."""


VERBS: Final = (
    run_targets,
    smoke,
    serve,
    report,
    diff_logs,
    baseline,
    list_cases,
    show_case,
    print_adapter,
    lint_corpus,
    freeze_corpus,
    compile_corpus,
    copy_corpus,
    import_record,
    bless,
    divide_case,
    prove,
    write_rulebook,
    write_book,
    write_positions,
    fuzz,
    shrink,
    fingerprint,
    completion,
)
for verb in VERBS:
    main.add_command(verb)
