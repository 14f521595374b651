"""What a referee's process and its files keep from others on the same machine."""

import asyncio
import stat
from pathlib import Path

from tests.adversaries.kills import Referee


async def looked_at(folder: Path) -> tuple[str, dict[str, int]]:
    """The limits of a running referee, and the modes of its files."""
    referee = Referee(folder)
    await referee.start()
    try:
        await referee.address()
        return limits_of(referee.process.pid), modes_of(folder)
    finally:
        await referee.kill()


def limits_of(pid: int) -> str:
    return Path(f"/proc/{pid}/limits").read_text("ascii")


def modes_of(folder: Path) -> dict[str, int]:
    files = folder.glob("journal.db*")
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}


def test_a_referee_leaves_no_core_dump_and_its_files_are_its_owners_alone(tmp_path: Path) -> None:
    limits, modes = asyncio.run(looked_at(tmp_path))
    (core,) = (line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert core.split()[-3:-1] == ["0", "0"]
    assert {"journal.db", "journal.db-wal", "journal.db.lock"} <= set(modes)
    assert set(modes.values()) == {0o600}
