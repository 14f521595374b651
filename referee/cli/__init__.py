"""The command line: one module a verb, which is imported when it is asked for."""

from typing import Final

import click

from referee.cli.errors import OneLineGroup
from referee.cli.later import command_at

COMMANDS: Final = {
    "abort": ("matches", "abort"),
    "audit": ("audit", "audit"),
    "backup": ("backup", "backup"),
    "check-bot": ("check_bot", "check_bot"),
    "check-vectors": ("check_vectors", "check_vectors"),
    "completion": ("completion", "completion"),
    "create": ("create", "create"),
    "db": ("db", "db"),
    "export": ("export", "export"),
    "join": ("join", "join"),
    "judge": ("judge", "judge_record"),
    "keygen": ("keygen", "keygen"),
    "legal": ("legal", "legal"),
    "lobby": ("join", "lobby"),
    "match": ("match", "match"),
    "matches": ("matches", "matches"),
    "new-bot": ("new_bot", "new_bot"),
    "prove-deal": ("prove_deal", "prove_deal"),
    "restore": ("restore", "restore"),
    "roster": ("roster", "roster"),
    "rules": ("rules", "rules"),
    "selfcheck": ("selfcheck", "selfcheck"),
    "serve": ("serve", "serve"),
    "show": ("show", "show"),
    "sit": ("sit", "sit"),
    "status": ("status", "status"),
    "tournament": ("tournament", "tournament"),
    "trail": ("trail", "trail"),
    "transcript": ("audit", "transcript"),
    "verify": ("verify", "verify"),
}
"""Every command: its module, and what it is called there."""


class Verbs(OneLineGroup):
    """The commands by name; a start costs the imports of one of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in order."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None where there is none."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        return command_at(*COMMANDS[cmd_name])


@click.group(cls=Verbs)
@click.version_option(package_name="euchre-referee")
def main() -> None:
    """Referee sealed Euchre matches between bots, and verify them."""
