"""The command line: one module a verb."""

import click

from referee.cli.audit import audit, transcript
from referee.cli.backup import backup
from referee.cli.check_vectors import check_vectors
from referee.cli.completion import completion
from referee.cli.create import create
from referee.cli.db import db
from referee.cli.errors import OneLineGroup
from referee.cli.export import export
from referee.cli.join import join, lobby
from referee.cli.judge import judge_record
from referee.cli.keygen import keygen
from referee.cli.legal import legal
from referee.cli.match import match
from referee.cli.matches import abort, matches
from referee.cli.prove_deal import prove_deal
from referee.cli.restore import restore
from referee.cli.roster import roster
from referee.cli.rules import rules
from referee.cli.selfcheck import selfcheck
from referee.cli.serve import serve
from referee.cli.show import show
from referee.cli.status import status
from referee.cli.trail import trail
from referee.cli.verify import verify


@click.group(cls=OneLineGroup)
@click.version_option(package_name="euchre-referee")
def main() -> None:
    """Referee sealed Euchre matches between bots, and verify them."""


main.add_command(abort)
main.add_command(audit)
main.add_command(backup)
main.add_command(check_vectors)
main.add_command(completion)
main.add_command(create)
main.add_command(db)
main.add_command(export)
main.add_command(join)
main.add_command(judge_record)
main.add_command(keygen)
main.add_command(legal)
main.add_command(lobby)
main.add_command(match)
main.add_command(matches)
main.add_command(prove_deal)
main.add_command(restore)
main.add_command(roster)
main.add_command(rules)
main.add_command(selfcheck)
main.add_command(serve)
main.add_command(show)
main.add_command(status)
main.add_command(trail)
main.add_command(transcript)
main.add_command(verify)
