"""`adapter`: print a whole small program that speaks the protocol, to copy and change."""

import os
from pathlib import Path
from typing import Final

import click

from conformance.corpus import HOME
from conformance.errors import UsageError

FOLDER: Final = HOME / "targets" / "adapters"
FILES: Final = {
    "python": "python/adapter.py",
    "node": "node/adapter.mjs",
    "go": "go/adapter.go",
    "bash": "bash/adapter.sh",
    "rust": "rust/adapter.rs",
    "cpp": "cpp/adapter.cpp",
    "java": "java/Adapter.java",
}
RUN: Final = {
    "python": 'euchre-conformance run -t "cmd:python3 {file}"',
    "node": 'euchre-conformance run -t "cmd:node {file}"',
    "go": "go build -o my-adapter {file} && euchre-conformance run -t cmd:./my-adapter",
    "bash": 'euchre-conformance run -t "cmd:bash {file}"',
    "rust": (
        "rustc -O --edition 2021 -o my-adapter {file} && euchre-conformance run -t cmd:./my-adapter"
    ),
    "cpp": (
        "c++ -O1 -std=c++20 -o my-adapter {file} && euchre-conformance run -t cmd:./my-adapter"
    ),
    "java": 'euchre-conformance run -t "cmd:java {file}"',
}


@click.command("adapter")
@click.option(
    "--lang", "language", type=click.Choice(list(FILES)), required=True, help="In which language."
)
@click.option(
    "-o", "out", type=click.Path(path_type=Path), help="Write it to this new file, made executable."
)
def print_adapter(language: str, out: Path | None) -> None:
    """Print a small Euchre engine that answers the suite: copy it, and put your own in its place.

    It is one file that needs nothing but the language (bash: and jq), claims what it does, and
    passes all of that.
    """
    source = (FOLDER / FILES[language]).read_bytes()
    if out is None:
        click.echo(source, nl=False)
        return
    try:
        with out.open("xb") as new:
            new.write(source)
            os.fchmod(new.fileno(), 0o755)
    except FileExistsError as err:
        raise UsageError(f"cannot write {str(out)!r}: it is there already (name another)") from err
    except OSError as err:
        raise UsageError(f"cannot write {str(out)!r}: {err.strerror} (name another)") from err
    click.echo(f"{out}: try it with {RUN[language].format(file=out)}")
