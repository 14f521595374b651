"""What was got of an event earlier, held against what is published of it now.

Nothing in a published event shows what its publisher has left out of it together with every trace:
a signed log can be written anew by whoever holds the key. A copy that somebody took before does.
"""

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

from referee.arena.tournament.signedlog import ACTIONS, ANNOUNCED, LogError, read_log
from referee.arena.tournament.verify.reading import SiteFiles, UnreadableEventError, read_file
from referee.arena.tournament.verify.report import (
    FILE,
    INCOMPLETE,
    PUBLISHER,
    REFEREE,
    SEAL,
    SIGNATURE,
    UNREADABLE,
    Finding,
)
from referee.sealing.keys import VerifyKey

LOGS: Final = {"announced.jsonl": ANNOUNCED, "actions.jsonl": ACTIONS}
RECORDS: Final = "records/"


def earlier_files(path: Path, key: VerifyKey) -> Mapping[str, bytes]:
    """The files of an earlier copy: a folder, or one of the two signed logs under any name.

    Errors: UnreadableEventError where it cannot be read or is neither.
    """
    if not path.is_dir():
        content = read_file(path, str(path))
        for file, name in LOGS.items():
            if content and _fault(name, content, key) is None:
                return {file: content}
        raise UnreadableEventError(_unsigned(str(path), key))
    records = sorted(each.name for each in (path / RECORDS).glob("*.jsonl"))
    names = [*(name for name in LOGS if (path / name).exists()), *(RECORDS + n for n in records)]
    if not names:
        message = "it has neither a log nor records (name the folder they are in)"
        raise UnreadableEventError(Finding(UNREADABLE, FILE, str(path), message))
    return SiteFiles(path, names)


def changed_since(
    path: Path, earlier: Mapping[str, bytes], files: Mapping[str, bytes], key: VerifyKey
) -> Iterator[Finding]:
    """What of an earlier copy is gone, or is said otherwise now."""
    for file, name in LOGS.items():
        if file in earlier:
            before = earlier[file]
            before = before[: before.rfind(b"\n") + 1]  # got while a line was being written
            if _fault(name, before, key) is not None:
                yield _unsigned(str(path / file), key)
            elif (message := _gone(path, before, files.get(file, b""))) is not None:
                yield Finding(SEAL, REFEREE, file, message)
    for file in earlier:
        if not file.startswith(RECORDS):
            continue
        if file not in files:
            message = f"the file is missing, and {str(path)!r} has it (it was published before)"
            yield Finding(INCOMPLETE, PUBLISHER, file, message)
        elif earlier[file] != files[file]:
            message = f"it is not as it was published before (see {str(path)!r})"
            yield Finding(SEAL, PUBLISHER, file, message)


def _gone(path: Path, before: bytes, now: bytes) -> str | None:
    """How a log no longer begins as it did, in words."""
    if now.startswith(before):
        return None
    old, new = before.splitlines(), now.splitlines()
    for number, (one, other) in enumerate(zip(old, new, strict=False), start=1):
        if one != other:
            return (
                f"line {number} is another than in {str(path)!r}, and both are signed"
                " (two logs of one event)"
            )
    return f"it ends after line {len(new)}, and {str(path)!r} has {len(old)} lines, signed"


def _fault(name: str, content: bytes, key: VerifyKey) -> LogError | None:
    whole = content[: content.rfind(b"\n") + 1]
    try:
        read_log(name, BytesIO(whole), key)
    except LogError as err:
        return err
    return None if whole or not content else LogError("it has no whole line")


def _unsigned(file: str, key: VerifyKey) -> Finding:
    message = f"it is no log that {key.text} signed (give a copy of announced.jsonl, or the folder)"
    return Finding(SIGNATURE, FILE, file, message)
