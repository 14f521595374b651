"""One clerk, `python -m referee.service.clerk`: questions on standard input, answers on output.

A question is its name and its bytes, an answer its kind and its bytes, each behind its size.
"""

import os
import signal
import sys
import traceback
from collections.abc import Mapping
from typing import BinaryIO, Final

from referee.errors import RefereeError
from referee.service import adjudication, deals
from referee.service.clerks import ANSWERED, FAILED, REFUSED, SIZE, Task
from referee.service.status import explained

TASKS: Final[Mapping[str, Task]] = {**adjudication.TASKS, **deals.TASKS}
PATIENCE: Final = 10
"""What it is nicer by than the tables."""


def answer(name: str, data: bytes) -> tuple[bytes, bytes]:
    """The kind of an answer, and its bytes."""
    try:
        return ANSWERED, TASKS[name](data)
    except RefereeError as err:
        return REFUSED, explained(err).status.SerializeToString()
    except Exception:  # noqa: BLE001 -- it is told to the server, which has the log
        return FAILED, traceback.format_exc().encode()


def serve(asked: BinaryIO, told: BinaryIO) -> None:
    """Answer until no more is asked."""
    while size := asked.read(SIZE):
        name = asked.read(int.from_bytes(size, "big")).decode("ascii")
        data = asked.read(int.from_bytes(asked.read(SIZE), "big"))
        kind, said = answer(name, data)
        told.write(kind + len(said).to_bytes(SIZE, "big") + said)
        told.flush()


def main() -> None:
    """Answer on the pipes that the server made; what is printed goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when it is over
    os.nice(PATIENCE)
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, told)


if __name__ == "__main__":
    main()
