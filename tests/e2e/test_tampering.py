"""A real match's transcript, tampered with: both verifiers say what, where and at whose door."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from referee.sealing import SigningKey
from referee.sealing.transcript import ZERO_HEAD, event_hash, line_bytes, sign_event, split_line

ROOT: Final = Path(__file__).parents[2]
VERIFIER: Final = ROOT / "clients" / "node" / "verifier" / "euchre-verify.mjs"
CLI: Final = (sys.executable, "-m", "referee")
KEY: Final = SigningKey.from_bytes("referee", b"\7" * 32)
OTHER: Final = SigningKey.from_bytes("referee", b"\10" * 32)

Lines = list[bytes]


class Found(NamedTuple):
    """What a verifier says of a file."""

    exit: int
    party: str | None
    event: int | None
    deal: int | None


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """The lines of a match that was really played, without their line feeds."""
    directory = tmp_path_factory.mktemp("match")
    (directory / "key.pem").write_bytes(KEY.pem())
    (directory / "key.pem").chmod(0o600)
    command = (*CLI, "match", "--rules", "quick", "--north-south", "sensible")
    subprocess.run(
        (*command, "--east-west", "random", "--key", "key.pem", "--transcript", "match.jsonl"),
        cwd=directory,
        check=True,
        capture_output=True,
    )
    return (directory / "match.jsonl").read_bytes().splitlines()


def python_says(path: Path, key: SigningKey) -> Found:
    """The Python verifier's word, with the key pinned."""
    return _said((*CLI, "verify", str(path), "--json", "--referee-key", key.public.text))


def javascript_says(path: Path, key: SigningKey) -> Found:
    """The JavaScript verifier's word, with the key pinned."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is missing: the JavaScript verifier is not asked")
    return _said((node, str(VERIFIER), str(path), "--json", "--referee-key", key.public.text))


def _said(command: Sequence[str]) -> Found:
    done = subprocess.run(command, capture_output=True, check=False)
    report = json.loads(done.stdout)
    found = report["files"][0] if "files" in report else report
    assert found["exit"] == done.returncode, done.stderr
    return Found(found["exit"], found["party"], found["event"], found["deal"])


VERIFIERS: Final = {"python": python_says, "javascript": javascript_says}
Says = Callable[[Path, SigningKey], Found]


@pytest.fixture(params=VERIFIERS)
def says(request: pytest.FixtureRequest) -> Says:
    return VERIFIERS[request.param]


def write(path: Path, lines: Lines) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def first_play(lines: Lines) -> int:
    return next(n for n, line in enumerate(lines) if b'"action":"play ' in line)


def resigned(lines: Lines, key: SigningKey = KEY) -> Lines:
    """The same events, chained and signed anew by the holder of a key."""
    head, out = ZERO_HEAD, []
    for line in lines:
        raw, sig = split_line(line)
        fields = json.loads(raw)
        fields["prev"] = head.hex()
        raw = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode("ascii")
        head = event_hash(head, raw)
        out.append(line_bytes(raw, sign_event(key, head) if sig else b"").rstrip(b"\n"))
    return out


def test_the_match_itself_is_verified(lines: Lines, tmp_path: Path, says: Says) -> None:
    assert says(write(tmp_path / "t.jsonl", lines), KEY) == Found(0, None, None, None)


def test_a_flipped_card_breaks_the_chain_of_the_file(
    lines: Lines, tmp_path: Path, says: Says
) -> None:
    at = first_play(lines)
    card = json.loads(lines[at])["event"]["action"][-2:]
    other = "9C" if card != "9C" else "9D"
    changed = [*lines]
    changed[at] = lines[at].replace(f"play {card}".encode(), f"play {other}".encode())
    found = says(write(tmp_path / "t.jsonl", changed), KEY)
    assert (found.exit, found.party, found.event) == (3, "file", at + 1)


def test_a_deleted_play_breaks_the_chain_of_the_file(
    lines: Lines, tmp_path: Path, says: Says
) -> None:
    at = first_play(lines)
    found = says(write(tmp_path / "t.jsonl", lines[:at] + lines[at + 1 :]), KEY)
    assert (found.exit, found.party, found.event) == (3, "file", at + 1)


def test_two_swapped_events_break_the_chain_of_the_file(
    lines: Lines, tmp_path: Path, says: Says
) -> None:
    at = first_play(lines)
    swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
    found = says(write(tmp_path / "t.jsonl", swapped), KEY)
    assert (found.exit, found.party, found.event) == (3, "file", at + 1)


def test_a_missing_end_is_nobodys_fault(lines: Lines, tmp_path: Path, says: Says) -> None:
    found = says(write(tmp_path / "t.jsonl", lines[:-1]), KEY)
    assert (found.exit, found.party) == (5, "nobody")


def test_a_file_cut_inside_a_line_is_nobodys_fault(
    lines: Lines, tmp_path: Path, says: Says
) -> None:
    path = write(tmp_path / "t.jsonl", lines)
    path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2])
    found = says(path, KEY)
    assert (found.exit, found.party) == (5, "nobody")


def test_another_pinned_key_is_the_keys_fault(lines: Lines, tmp_path: Path, says: Says) -> None:
    found = says(write(tmp_path / "t.jsonl", lines), OTHER)
    assert (found.exit, found.party) == (4, "key")


def test_a_commitment_changed_and_signed_again_is_the_referees_fault(
    lines: Lines, tmp_path: Path, says: Says
) -> None:
    at = next(n for n, line in enumerate(lines) if b'"kind":"commit_set"' in line)
    fields = json.loads(lines[at])["event"]
    changed = lines[at].replace(fields["cset"].encode(), (b"00" * 32))
    found = says(
        write(tmp_path / "t.jsonl", resigned([*lines[:at], changed, *lines[at + 1 :]])), KEY
    )
    assert (found.exit, found.party, found.event) == (3, "referee", at)


def test_a_score_changed_and_signed_again_is_the_referees_fault(
    lines: Lines, tmp_path: Path
) -> None:
    at = next(n for n, line in enumerate(lines) if b'"outcome":"played"' in line)
    fields = json.loads(lines[at])["event"]
    score = json.dumps(fields["score"], sort_keys=True, separators=(",", ":")).encode()
    changed = lines[at].replace(b'"score":' + score, b'"score":{"ew":4,"ns":4}')
    found = python_says(
        write(tmp_path / "t.jsonl", resigned([*lines[:at], changed, *lines[at + 1 :]])), KEY
    )
    assert found == Found(1, "referee", at, fields["deal"])
