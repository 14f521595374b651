"""A journal restored from a backup: no open match is played on, and what is closed stays."""

import getpass
import json
import shutil
import subprocess
import sys
from pathlib import Path

from referee.journal.audit import audit
from referee.journal.sqlite import SqliteReader
from referee.journal.verify import verify_file
from referee.sealing.closing import MatchClose
from referee.sealing.transcript import read_line, split_line
from tests.e2e.test_kills import House, end, house

CLI = (sys.executable, "-m", "referee")


def restore(folder: Path, *more: str) -> subprocess.CompletedProcess[bytes]:
    command = (*CLI, "restore", "backup.db", "--db", "new.db", "--key", "key.pem", *more)
    return subprocess.run(command, cwd=folder, capture_output=True, check=False)


def backed_up(opened: House) -> None:
    """A copy of the journal in mid-deal, as a disk's snapshot gives it."""
    for _ in range(3):
        assert opened.asked()
        opened.release()
    assert opened.asked()
    end(opened.referee)
    for name in ("journal.db", "journal.db-wal"):
        if (opened.folder / name).exists():
            shutil.copy(opened.folder / name, opened.folder / name.replace("journal", "backup"))


def test_an_open_match_of_a_backup_is_closed_void_and_verifies(tmp_path: Path) -> None:
    with house(tmp_path, "quick") as opened:
        backed_up(opened)
        done = restore(tmp_path, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["voided"] == [opened.made.match]
        reader = SqliteReader(tmp_path / "new.db")
        (found,) = audit(reader)
        assert (found.sound, found.state) == (True, "void"), found.fault
        deeds = [(deed.who, deed.what, deed.match, deed.detail) for deed in reader.deeds()]
        match = bytes.fromhex(opened.made.match)
        assert deeds[-1] == (getpass.getuser(), "void", match, '{"from":"restore"}')
        rows = reader.rows(match)
        text = b"".join(row.line for row in rows if row.seq is not None)
        reader.close()
        transcript = tmp_path / "void.jsonl"
        transcript.write_bytes(text)
        assert verify_file(transcript).exit == 0
        last = read_line(*split_line(transcript.read_bytes().splitlines()[-1])).event
        assert isinstance(last, MatchClose)
        assert last.outcome == "void"
        assert not list(tmp_path.glob("new.db.part*"))


def test_a_journal_is_never_restored_over_another(tmp_path: Path) -> None:
    with house(tmp_path, "quick") as opened:
        backed_up(opened)
        (tmp_path / "new.db").write_bytes(b"here")
        done = restore(tmp_path)
        assert done.returncode == 2
        assert b"is there already" in done.stderr
        assert (tmp_path / "new.db").read_bytes() == b"here"


def test_a_journal_is_never_restored_beside_the_log_of_another(tmp_path: Path) -> None:
    with house(tmp_path, "quick") as opened:
        backed_up(opened)
        (tmp_path / "new.db-wal").write_bytes(b"what a killed referee wrote last")
        done = restore(tmp_path)
        assert done.returncode == 2
        assert b"belongs to a journal that was moved away" in done.stderr
        assert not (tmp_path / "new.db").exists()


def test_a_match_is_not_closed_under_another_key(tmp_path: Path) -> None:
    with house(tmp_path, "quick") as opened:
        backed_up(opened)
        (tmp_path / "key.pem").unlink()
        done = restore(tmp_path)
        assert done.returncode == 2
        assert b"is missing" in done.stderr
        made = subprocess.run((*CLI, "keygen", "key.pem"), cwd=tmp_path, check=False)
        assert made.returncode == 0
        done = restore(tmp_path)
        assert done.returncode == 2
        assert b"recorded under the key" in done.stderr
        assert not list(tmp_path.glob("new.db*"))


def test_what_is_no_journal_is_not_restored(tmp_path: Path) -> None:
    (tmp_path / "backup.db").write_text("no journal")
    subprocess.run((*CLI, "keygen", "key.pem"), cwd=tmp_path, check=True, capture_output=True)
    done = restore(tmp_path)
    assert done.returncode == 6
    assert b"backup.db" in done.stderr
    assert not list(tmp_path.glob("new.db*"))
