"""What a bot's processes may use of the machine, and the command that holds them to it."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MIB: Final = 1 << 20
CPU_GRACE_S: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one bot may use; a bot is a process and all that it starts.

    The kernel holds each process to `address_mb` (MiB that it may map: engines of JavaScript and
    Java map far more than they use), `files` open at once, `file_mb` a file written and `cpu_s`
    seconds of processor; `threads` is for all of a bot, and the kernel counts them only in a
    sandbox and not for root. The arena looks twice a second for `memory_mb` that all of a bot holds
    together and for `processes`, and ends the bot that has more.
    """

    memory_mb: int = 1_024
    processes: int = 32
    address_mb: int = 65_536
    files: int = 256
    file_mb: int = 64
    cpu_s: int = 3_600
    threads: int = 512


USUAL: Final = Limits()
"""The limits of bots of whom nothing else is said."""


def limiter() -> str | None:
    """The program that sets limits and becomes the bot; None where it is not installed."""
    return shutil.which("prlimit")


def limited(
    command: Sequence[str], limits: Limits, *, prlimit: str, alone: bool
) -> tuple[str, ...]:
    """The command that sets the limits on itself and then becomes the bot's.

    `alone` says that the bot's user has no processes but the bot's, as in a sandbox: elsewhere a
    limit of the threads would count everybody's.

    >>> limited(["bot"], Limits(), prlimit="prlimit", alone=False)[-3:]
    ('--cpu=3600:3605', '--', 'bot')
    """
    threads = (f"--nproc={limits.threads}",) if alone else ()
    return (
        prlimit,
        *threads,
        f"--as={limits.address_mb * MIB}",
        f"--nofile={limits.files}",
        f"--fsize={limits.file_mb * MIB}",
        "--core=0",
        f"--cpu={limits.cpu_s}:{limits.cpu_s + CPU_GRACE_S}",
        "--",
        *command,
    )
