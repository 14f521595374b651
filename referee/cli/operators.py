"""Operators on the command line: tokens come from a file or the environment, never as words."""

import os
import stat
from pathlib import Path
from typing import Final

from referee.cli.files import FileError, read_bytes
from referee.service.operators import UNNAMED, Operators, OperatorsError, token_lines

VARIABLE: Final = "EUCHRE_OPERATOR_TOKEN"
OTHERS: Final = 0o077


def operators_of(file: Path | None) -> Operators:
    """All operators of a server: those of the file, and the one of the environment."""
    pairs = [] if file is None else token_lines(_text(file), repr(str(file)))
    where = VARIABLE if file is None else repr(str(file))
    if token := os.environ.get(VARIABLE, ""):
        pairs.append((UNNAMED, token))
    return Operators.of(pairs, where)


def operator_token(file: Path | None) -> str:
    """The token that an operator's own command sends; empty where there is none."""
    if file is None:
        return os.environ.get(VARIABLE, "")
    pairs = token_lines(_text(file), repr(str(file)))
    if len(pairs) > 1:
        raise OperatorsError(
            f"{str(file)!r} holds the tokens of {len(pairs)} operators (give a file with yours)"
        )
    return pairs[0][1]


def _text(file: Path) -> str:
    """The text of a file that nobody else can read."""
    content = read_bytes(file)
    mode = file.stat().st_mode
    if stat.S_ISREG(mode) and mode & OTHERS:
        raise FileError(f"{str(file)!r} can be read by others (chmod 600 it, and draw new tokens)")
    return content.decode("utf-8", "replace")
