"""The command line of the suite."""

import click


@click.group()
@click.version_option(package_name="euchre-referee")
def main() -> None:
    """Check any Euchre implementation against the corpus."""
