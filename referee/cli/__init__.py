"""The command line: one module a verb."""

import click


@click.group()
@click.version_option(package_name="euchre-referee")
def main() -> None:
    """Referee sealed Euchre matches between bots, and verify them."""
