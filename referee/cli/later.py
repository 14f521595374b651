"""Commands that are imported when they are asked for: a start costs the imports of one of them."""

from importlib import import_module

import click


def command_at(module: str, name: str) -> click.Command:
    """The command of a name in a module of `referee.cli`."""
    command: object = getattr(import_module(f"referee.cli.{module}"), name)
    if not isinstance(command, click.Command):
        raise TypeError(f"{module}.{name} is no command")
    return command
