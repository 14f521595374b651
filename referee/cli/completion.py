"""`euchre-referee completion`: what a shell needs to complete our commands."""

from typing import Final

import click
from click.shell_completion import get_completion_class

BRIDGE: Final = "euchre-bridge"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL; put it into the shell's start-up file with eval.

    It completes euchre-bridge too.
    """
    root = ctx.find_root()
    program = root.info_name or "euchre-referee"
    found = get_completion_class(shell)
    if found is None:
        raise click.BadParameter(f"no completion for {shell!r}")
    for name in (program, BRIDGE):
        variable = f"_{name}_COMPLETE".replace("-", "_").upper()
        click.echo(found(root.command, {}, name, variable).source())
