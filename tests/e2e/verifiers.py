"""What the verifiers in Python and in JavaScript say of the same files."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import pytest

from referee.cli.evidence import read_receipts, read_roster
from referee.errors import RefereeError
from referee.journal.verify import verify_stream

ROOT: Final = Path(__file__).parents[2]
VERIFIER: Final = ROOT / "clients" / "node" / "verifier" / "euchre-verify.mjs"
ASK_NODE: Final = """
const { verify, readReceipts } = await import(process.argv[2]);
let text = "";
for await (const piece of process.stdin) text += piece;
const bytes = (file) => Uint8Array.from(file, (letter) => letter.charCodeAt(0));
const judged = async ({ file, kept, roster }) => {
  const { exit, party, event, deal, receipts } = await verify(bytes(file), {
    receipts: kept === null ? null : readReceipts(bytes(kept), "kept.jsonl"),
    roster: roster === null ? null : bytes(roster),
  });
  return [exit, party, event, deal, exit === 0 ? receipts : null];
};
const said = [];
for (const one of JSON.parse(text)) {
  said.push(await judged(one).catch((error) => {
    if (error.exit === undefined) throw error;
    return [error.exit, null, null, null, null];
  }));
}
process.stdout.write(JSON.stringify(said));
"""

Said: TypeAlias = list[int | str | None]
"""Exit, party, event, deal, and of what verifies how many items of receipts agree."""


@dataclass(frozen=True, slots=True)
class Files:
    """A transcript or a deal proof, and what it is held against."""

    file: bytes
    kept: bytes | None = None
    roster: bytes | None = None


def python_says(files: Files) -> Said:
    """The Python verifier's word."""
    try:
        with TemporaryDirectory() as folder:
            return _python_says(files, Path(folder))
    except RefereeError as err:
        return [err.exit_code, None, None, None, None]


def _python_says(files: Files, folder: Path) -> Said:
    kept = roster = None
    if files.kept is not None:
        (folder / "kept.jsonl").write_bytes(files.kept)
        kept = read_receipts(folder)
    if files.roster is not None:
        (folder / "roster").write_bytes(files.roster)
        roster = read_roster(folder / "roster")
    verdict = verify_stream(BytesIO(files.file), receipts=kept, roster=roster).verdict
    failure = verdict.failure
    if failure is None:
        return [0, None, None, None, verdict.receipts]
    return [failure.exit, failure.party, failure.seq, failure.deal, None]


def javascript_says(many: Sequence[Files]) -> list[Said]:
    """The JavaScript verifier's word on each; one process judges them all."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is missing: the JavaScript verifier is not asked")
    rows = [{"file": _text(f.file), "kept": _text(f.kept), "roster": _text(f.roster)} for f in many]
    done = subprocess.run(
        (node, "--input-type=module", "-e", ASK_NODE, "ask", str(VERIFIER)),
        input=json.dumps(rows).encode(),
        capture_output=True,
        check=True,
    )
    said: list[Said] = json.loads(done.stdout)
    return said


def _text(raw: bytes | None) -> str | None:
    return None if raw is None else raw.decode("latin-1")
