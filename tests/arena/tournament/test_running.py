"""Events run by the real command, with real workers: to the end, stopped, changed, broken."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from referee.arena.tournament.announcing import read_announced
from referee.arena.tournament.place import EventPlace
from referee.journal.sqlite import SqliteStore
from tests.arena.tournament.events import (
    action_kinds,
    announcements,
    command,
    environment,
    results,
    standing,
    tournament,
    written,
)

TWINS = (("ann", "sensible"), ("bob", "sensible"))
SLOW = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({"name": "slow"}), flush=True)
    if asked["op"] == "choose":
        time.sleep(0.05)
        print(json.dumps({"id": asked["id"], "action": asked["legal"][0]}), flush=True)
"""
BAD = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({"name": "bad"}), flush=True)
    if asked["op"] == "choose":
        if sys.argv[1] == "crash":
            sys.exit(3)
        time.sleep(1_000)
"""


def test_twins_score_nothing_on_every_board_and_all_was_announced(tmp_path: Path) -> None:
    written(tmp_path, TWINS, more="chunk: 2\n")
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert code == 0, said
    played = results(tmp_path)
    assert [each.scores for each in played] == [{"ann": 0, "bob": 0}] * 4
    assert {each.key.board for each in played} == {1, 2, 3, 4}
    assert sorted(each.dealer for each in played) == [0, 1, 2, 3]
    told = [each for line in announcements(tmp_path) if (each := read_announced(line))]
    assert {(each.id, each.matches) for each in told} == {
        (each.id, each.matches) for each in played
    }
    records = tmp_path / "cup" / "records"
    names = {f"{each.id}.{part}.jsonl" for each in played for part in ("board", "0", "1")}
    assert {path.name for path in records.iterdir()} == names
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert (code, len(results(tmp_path))) == (0, 4)
    code, said = tournament(tmp_path, "status", "cup.yaml")
    assert (code, "boards    4 of 4 done" in said) == (0, True)
    assert "director  the event is over" in said


def test_a_bot_that_never_starts_forfeits_and_stops_nobody_else(tmp_path: Path) -> None:
    entries = (("ann", "random"), ("bad", "cmd:./there-is-none"), ("cat", "random"))
    written(tmp_path, entries, more="byes: zero\n")
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert (code, "cup.yaml:5: the bot of 'bad' does not start" in said) == (4, True), said
    assert ("--forfeit" in said, (tmp_path / "cup").exists()) == (True, False)
    code, said = tournament(tmp_path, "run", "cup.yaml", "--forfeit")
    assert code == 0, said
    assert "bad forfeits what is not played of round" in said
    assert action_kinds(tmp_path) == ["forfeit", "forfeit"]
    assert {name for each in results(tmp_path) for name in each.scores} == {"ann", "cat"}
    assert standing(tmp_path)["bad"] == str(-4 * 4 * 2)


def test_bots_that_fail_lose_their_boards_and_the_event_goes_on(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD)
    entries = (("ann", "random"), ("crash", "cmd:python3 bad.py crash"),
               ("hang", "cmd:python3 bad.py hang"))  # fmt: skip
    form = "format: {kind: gauntlet, challengers: [ann]}\n"
    written(tmp_path, entries, more=f"{form}policy: {{move_ms: 250, timeout_limit: 1}}\n")
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert code == 0, said
    assert standing(tmp_path) == {"ann": "32", "crash": "-16", "hang": "-16"}
    whys = {(fault.entry, fault.why) for each in results(tmp_path) for fault in each.faults}
    assert {("crash", "CRASH"), ("hang", "TIMEOUT")} <= whys


def test_actions_change_what_counts_and_can_be_undone(tmp_path: Path) -> None:
    written(tmp_path, TWINS)
    assert tournament(tmp_path, "run", "cup.yaml")[0] == 0
    why = ("--reason", "a card was seen", "--who", "cat")

    def act(*words: str) -> tuple[int, str]:
        return tournament(tmp_path, "act", words[0], "cup.yaml", *why, *words[1:])

    assert act("adjust", "1.1.2", "ann", "3/2")[0] == 0
    assert standing(tmp_path) == {"ann": "3/2", "bob": "-3/2"}
    assert act("undo", "0")[0] == 0
    assert act("adjust", "1.1.2", "ann", "-2")[0] == 0
    assert standing(tmp_path) == {"ann": "-2", "bob": "2"}
    assert act("undo", "2")[0] == 0
    assert standing(tmp_path) == {"ann": "0", "bob": "0"}
    assert act("replay", "1.1.3")[0] == 0
    assert tournament(tmp_path, "run", "cup.yaml")[0] == 0
    again = [each for each in results(tmp_path) if each.key.board == 3]
    assert [each.key.attempt for each in again] == [1, 2]
    assert again[0].id != again[1].id
    for words, told in (
        (("undo", "0"), "is undone already"),
        (("undo", "9"), "there is no action 9"),
        (("adjust", "1.1.2", "eve", "1"), "does not play there"),
        (("adjust", "1.1.2", "ann", "5"), "pays at most 4 points"),
        (("adjust", "1.1.2", "ann", "much"), "not a score: 'much'"),
        (("adjust", "1.1.2", "ann", "-5"), "pays at most 4 points"),
        (("adjust", "1.1.2", "ann", "-much"), "no such option"),
        (("adjust", "1.1.2", "ann", "1e999999999"), "not a score: '1e999999999'"),
        (("adjust", "1.1.2", "ann", "1/0"), "not a score: '1/0'"),
        (("void", "1.1.5"), "there is no board 5"),
        (("void", "1.1"), "write ROUND.ENCOUNTER.BOARD"),
        (("withdraw", "ann", "--before", "1"), "round 1 has been drawn"),
        (("substitute", "ann", "--name", "dan", "--bot", "dial", "--since", "2"), "dials in"),
        (
            ("substitute", "ann", "--name", "BOB", "--bot", "random", "--since", "2"),
            "'bob' already",
        ),
        (
            ("substitute", "ann", "--name", "=SUM(1)", "--bot", "random", "--since", "2"),
            "an equals sign",
        ),
        (("void", "1.1.1", "--who", "a\x1b[31m"), "printable characters, in one line"),
    ):
        code, said = act(*words)
        assert (code, told in said) == (2, True), (words, said)
    code, said = tournament(tmp_path, "status", "cup.yaml")
    assert "cat: ann gets 3/2 on board 2 of round 1, encounter 1 (a card was seen)" in said
    assert "[undone]" in said


def test_what_cannot_be_run_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    path = written(tmp_path, TWINS)
    assert tournament(tmp_path, "status", "cup.yaml")[0] == 2
    assert tournament(tmp_path, "run", "cup.yaml")[0] == 0
    before = results(tmp_path)
    path.write_text(path.read_text() + "# a word more changes nothing\n")
    assert tournament(tmp_path, "run", "cup.yaml")[0] == 0
    path.write_text(path.read_text().replace("boards: 4", "boards: 8"))
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert (code, "was changed after the event began: boards: 4 became 8" in said) == (2, True)
    path.unlink()
    code, said = tournament(tmp_path, "standings", "cup.yaml")
    assert code == 0, said
    other = ("--key", str(tmp_path / "other.pem"), "--reason", "x")
    code, said = tournament(tmp_path, "act", "void", "cup.yaml", "1.1.1", *other)
    assert (code, "there is no key" in said) == (2, True)
    assert results(tmp_path) == before
    (tmp_path / "cup" / "announced.jsonl").write_bytes(b"lies\n")
    path.write_bytes((tmp_path / "cup" / "event.yaml").read_bytes())
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert (code, "is not what was announced" in said) == (2, True)
    (tmp_path / "file").write_text("")
    code, said = tournament(tmp_path, "run", "cup.yaml", "--dir", "file")
    assert (code, "is a file" in said) == (2, True)


def start(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command("run", "cup.yaml"),
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def opened(process: "subprocess.Popen[str]") -> None:
    """Wait until the first round is announced."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("round 1"):
            return
    raise AssertionError(process.wait())


@pytest.mark.heavy
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_event_goes_on_with_the_same_command(
    tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    written(tmp_path, (("ann", "cmd:python3 slow.py"), ("bob", "random")), more="chunk: 1\n")
    process = start(tmp_path)
    opened(process)
    second = tournament(tmp_path, "run", "cup.yaml")
    assert second[0] == 2
    assert f"is in use by process {process.pid}" in second[1]
    process.send_signal(number)
    said = process.communicate(timeout=60)[0]
    assert process.returncode == 130, said
    assert "stopped; to go on: euchre-referee tournament run cup.yaml" in said
    before = {each.key: each for each in results(tmp_path)}
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert code == 0, said
    after = {each.key: each for each in results(tmp_path)}
    assert {key: after[key] for key in before} == before
    counted = [each for each in after.values() if not each.void]
    assert sorted(each.key.board for each in counted) == [1, 2, 3, 4]
    assert len({each.id for each in after.values()}) == len(after)


@pytest.mark.heavy
def test_a_killed_director_leaves_nothing_running_and_nothing_lost(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    written(tmp_path, (("ann", "cmd:python3 slow.py"), ("bob", "random")), more="chunk: 1\n")
    process = start(tmp_path)
    opened(process)
    process.kill()
    process.communicate(timeout=60)
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert code == 0, said
    counted = [each for each in results(tmp_path) if not each.void]
    assert sorted(each.key.board for each in counted) == [1, 2, 3, 4]
    place = EventPlace(tmp_path / "cup")
    assert all(not _alive(int((place.work / f"{n}.lock").read_text())) for n in (1, 2))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_records_that_were_lost_are_written_again_from_the_journals(tmp_path: Path) -> None:
    written(tmp_path, TWINS)
    assert tournament(tmp_path, "run", "cup.yaml")[0] == 0
    records = tmp_path / "cup" / "records"
    there = {path.name: path.read_bytes() for path in records.iterdir()}
    for name in sorted(there)[:4]:
        (records / name).unlink()
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert code == 0, said
    assert {path.name: path.read_bytes() for path in records.iterdir()} == there


def test_boards_of_a_journal_that_was_lost_are_not_dealt_anew(tmp_path: Path) -> None:
    written(tmp_path, TWINS)
    assert tournament(tmp_path, "run", "cup.yaml")[0] == 0
    before = results(tmp_path)
    place = EventPlace(tmp_path / "cup")
    for slot in place.slots():
        place.journal(slot).unlink()
    (place.records / f"{before[0].id}.board.jsonl").unlink()
    code, said = tournament(tmp_path, "run", "cup.yaml", "--workers", "1")
    assert (code, "files of 1 boards are gone" in said) == (1, True), said
    logs = "".join(place.log(slot).read_text() for slot in (1, 2))
    assert "is gone, and boards that were played are in it" in logs
    assert results(tmp_path) == before


def test_an_older_copy_of_a_journal_is_refused(tmp_path: Path) -> None:
    written(tmp_path, TWINS)
    assert tournament(tmp_path, "run", "cup.yaml")[0] == 0
    before = results(tmp_path)
    place = EventPlace(tmp_path / "cup")
    for slot in place.slots():
        place.journal(slot).unlink()
        SqliteStore(place.journal(slot), None).close()
    (place.records / f"{before[0].id}.board.jsonl").unlink()
    code, said = tournament(tmp_path, "run", "cup.yaml", "--workers", "1")
    assert code == 1, said
    logs = "".join(place.log(slot).read_text() for slot in (1, 2))
    assert "is an older copy: board" in logs
    assert results(tmp_path) == before
