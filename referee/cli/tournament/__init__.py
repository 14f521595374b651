"""`euchre-referee tournament`: from a file and some bots to standings that anybody can verify."""

from typing import Final

import click

from referee.cli.later import command_at

COMMANDS: Final = {
    "new": ("new", "new"),
    "plan": ("plan", "plan"),
    "run": ("run", "run"),
    "status": ("status", "status"),
    "standings": ("standings", "standings"),
    "act": ("act", "act"),
    "publish": ("publish", "publish"),
    "verify": ("verify", "verify"),
}
"""Every command: its module, and what it is called there."""


class Steps(click.Group):
    """The commands by name; each is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order of an event."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None where there is none."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        return command_at(f"tournament.{module}", name)


@click.group(cls=Steps)
def tournament() -> None:
    """Host a tournament: write its file, plan it, run it, publish and verify it.

    An event is known by its file, and lies in the directory beside it that has its name.
    """
