"""A hundred thousand messages that nobody should send, to a real referee, and what came of them.

`python -m tests.adversaries.fuzz --messages 100000 --transcript-mb 10 --seed 1` fuzzes every
request of every service beside a match of honest seats, then files for the verifier.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress

from tests.adversaries.attack import fuzz_wire
from tests.adversaries.bent import fuzz_deals, fuzz_files, honest_files
from tests.adversaries.found import Found, Plan
from tests.adversaries.target import Target

MOST_GROWTH_MIB: Final = 64
WARM: Final = 0.3
SIGNS_OF_TROUBLE: Final = ("Traceback", " error ", "raised=")


def check_target(target: Target, found: Found) -> None:
    """It stopped by itself, said nothing of errors, and its memory was flat."""
    if target.exit:
        found.blame(f"the referee ended with {target.exit}")
    for line in target.log().splitlines():
        if any(sign in line for sign in SIGNS_OF_TROUBLE):
            found.blame(f"the log says: {line[:300]}")
    warm = [rss for done, rss in found.rss if done >= WARM * found.messages]
    if warm and warm[-1] - warm[0] > MOST_GROWTH_MIB:
        found.blame(f"memory grew from {warm[0]} to {warm[-1]} MiB")


async def _online(
    folder: Path, files: Sequence[bytes], plan: Plan, progress: Progress, found: Found
) -> None:
    wire = progress.add_task("messages", total=plan.messages)
    read = progress.add_task("bytes to the service", total=plan.transcript_bytes // 2)
    async with Target(folder) as target:
        sent = partial(progress.advance, wire)
        await fuzz_wire(target, files, plan, sent, found)
        await fuzz_deals(target, files, plan, partial(progress.advance, read), found)
    check_target(target, found)


def run(folder: Path, plan: Plan, *, quiet: bool = False) -> Found:
    """All of it; what was found."""
    found = Found()
    files = honest_files(folder)
    with Progress(console=Console(stderr=True), disable=quiet) as progress:
        asyncio.run(_online(folder, files, plan, progress, found))
        task = progress.add_task("bytes to the commands", total=plan.transcript_bytes // 2)
        fuzz_files(folder, files, plan, partial(progress.advance, task), found)
    return found


def main() -> None:
    """Fuzz, say what came of it, and exit 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--transcript-mb", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        plan = Plan(given.messages, int(given.transcript_mb * (1 << 20)), given.seed)
        found = run(Path(place), plan)
    say = Console().print
    for name, number in sorted(found.statuses.items()):
        say(f"{number:>8}  {name}")
    for name, number in sorted(found.exits.items()):
        say(f"{number:>8}  {name}")
    say(f"memory of the referee, MiB: {' '.join(str(rss) for _, rss in found.rss)}")
    say(
        f"{found.messages} messages, {sum(found.exits.values())} files, {found.honest_actions}"
        f" actions of honest seats beside them, seed {given.seed},"
        f" {time.monotonic() - began:.0f} s, {len(found.wrong)} things wrong"
    )
    for text in found.wrong:
        say(text, markup=False)
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main()
