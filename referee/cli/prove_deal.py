"""`euchre-referee prove-deal`: one deal of a transcript as a small file of its own."""

from pathlib import Path

import click

from referee.cli.files import EXISTING, read_lines, write_bytes
from referee.sealing.proof import prove_deal as proof_of


@click.command("prove-deal")
@click.argument("file", type=EXISTING)
@click.argument("deal", type=click.IntRange(0))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to; else stdout.")
def prove_deal(file: Path, deal: int, output: Path | None) -> None:
    """Write the proof of one DEAL of the transcript FILE; `verify` takes it as it takes a file."""
    proof = proof_of(read_lines(file), deal)
    if output is None:
        click.echo(proof, nl=False)
    else:
        write_bytes(output, proof, made_from=file)
