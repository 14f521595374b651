"""`euchre-bridge`: programs that behave and misbehave, at referees that do and do not."""

import hashlib
import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fake_referee import MATCH, PUBLIC, TOKEN, FakeReferee, Row, listening

from euchre_bot.options import argument_parser
from euchre_bot.pb.euchre.referee.v1 import play_pb2
from euchre_bot.signatures import PublicKey
from referee.cli.bridge import bridge
from tests.arena.ending import ended

PATIENCE_S = 60
PYTHON = shlex.quote(sys.executable)
BRIDGE = (sys.executable, "-m", "referee.cli.bridge")
CLI = (sys.executable, "-m", "referee")
BOT = """
import collections, hashlib, json, os, subprocess, sys, time
from pathlib import Path
HOME = Path(sys.argv[0]).parent
def say(**answer): print(json.dumps(answer), flush=True)
def act(): say(id=asked["id"], action=asked["legal"][0])
def note(text):
    with open(HOME / "notes", "a") as notes: print(text, file=notes)
def tagged(tag, *parts):
    packed = b"".join(len(part).to_bytes(4, "big") + part for part in (tag, *parts))
    return hashlib.sha256((1 + len(parts)).to_bytes(4, "big") + packed)
def seed(deal): return hashlib.sha256(f"{deal}/{hello['seat']}".encode()).digest()
def commit():
    number = (asked["deal"].to_bytes(4, "big"), SEATS.index(hello["seat"]).to_bytes(4, "big"))
    cut = bytes([3]) if asked["cutter"] else b""
    commit = tagged(b"euchre-sealed/v1/seat-commit", bytes.fromhex(hello["match"]), *number,
                    seed(asked["deal"]), cut).hexdigest()
    cuts[asked["deal"]] = {"cut": 3} if asked["cutter"] else {}
    say(id=asked["id"], commit=commit)
SEATS, cuts, moves = ("north", "east", "south", "west"), collections.defaultdict(dict), 0
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        hello = asked
        note("hello")
        HELLO
    if asked["op"] == "commit":
        commit()
    if asked["op"] == "reveal":
        REVEAL
    if asked["op"] == "refused":
        note(asked["reason"])
    if asked["op"] == "event":
        note(asked["event"]["kind"])
    if asked["op"] == "end":
        note("end")
        END
    if asked["op"] == "choose":
        moves += 1
        CHOOSE
"""
GREET = 'say(name="tester", ops=[])'
OWN_SEEDS = 'say(name="tester", ops=["commit", "reveal"])'
SHOW = 'say(id=asked["id"], seed=seed(asked["deal"]).hex(), **cuts[asked["deal"]])'
CHILD = "note(subprocess.Popen(['sleep', '600']).pid)"


def program(
    folder: Path,
    *,
    choose: str = "act()",
    hello: str = GREET,
    reveal: str = SHOW,
    end: str = "break",
) -> str:
    """The command of a bot that does these things."""
    text = BOT.replace("CHOOSE", choose).replace("HELLO", hello)
    (folder / "bot.py").write_text(text.replace("REVEAL", reveal).replace("END", end))
    return f"{PYTHON} {shlex.quote(str(folder / 'bot.py'))}"


def notes(folder: Path) -> list[str]:
    """What the bot wrote down."""
    return (folder / "notes").read_text().splitlines()


def start(folder: Path, port: int, command: str, *more: str) -> "subprocess.Popen[str]":
    """The bridge at a referee of the tests."""
    (folder / "token").write_text(TOKEN)
    flags = ("--referee", f"127.0.0.1:{port}", "--token-file", str(folder / "token"))
    files = ("--secret-file", str(folder / "secret"), "--state-file", str(folder / "state"))
    key = () if "--key" in more else ("--key", PublicKey("test", PUBLIC).text())
    return subprocess.Popen(
        (*BRIDGE, command, "--name", "tester", *flags, *files, *key, *more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def bridged(folder: Path, referee: FakeReferee, command: str, *more: str) -> tuple[int, str]:
    """The bridge's exit code at a referee of the tests, and what it said."""
    with listening(referee) as port, start(folder, port, command, *more) as process:
        try:
            said, _ = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
        return process.returncode, said


def match(
    folder: Path, command: str, *more: str, flags: Sequence[str] = ()
) -> Mapping[str, object]:
    """A short real match, in which the program plays north and south."""
    bot = f"dial:{shlex.join((*BRIDGE, command, *flags))}"
    words = ("--north-south", bot, "--east-west", "sensible", "--json")
    done = subprocess.run(
        (*CLI, "match", *words, "--transcript", "t.jsonl", "--key", "key.pem", *more),
        cwd=folder,
        check=False,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    told: Mapping[str, object] = json.loads(done.stdout)
    return told


def events(folder: Path, kind: str) -> list[Row]:
    """The events of a kind in the match's record."""
    lines = (json.loads(line)["event"] for line in (folder / "t.jsonl").read_text().splitlines())
    return [event for event in lines if event["kind"] == kind]


def test_program_plays_a_sealed_match_with_seeds_and_signatures_of_its_seats(
    tmp_path: Path,
) -> None:
    keygen = (*CLI, "keygen", str(tmp_path / "seat.pem"), "--name", "tester")
    subprocess.run(keygen, check=True, capture_output=True)
    flags = ("--seat-key", str(tmp_path / "seat.pem"))
    told = match(tmp_path, program(tmp_path), "--deals", "1", flags=flags)
    assert (told["outcome"], told["seeds"]) == ("finished", {"seat": 2, "host": 2})
    seats = events(tmp_path, "match_open")[0]["seats"]
    assert isinstance(seats, list)
    assert [seat["level"] for seat in seats if isinstance(seat, dict)] == [
        *("signs", "seeds", "signs", "seeds")
    ]
    verify = (*CLI, "verify", str(tmp_path / "t.jsonl"))
    assert subprocess.run(verify, check=False, capture_output=True).returncode == 0
    assert notes(tmp_path) == ["hello", "hello", "end", "end"]


def test_program_that_draws_its_own_seeds_commits_to_them_and_cuts(tmp_path: Path) -> None:
    command = program(tmp_path, hello=OWN_SEEDS)
    assert match(tmp_path, command, "--deals", "4", "--knob", "cut=dealers_right")["failures"] == {}
    shown = events(tmp_path, "reveal_set")
    assert len(shown) == 5
    for event in shown:
        seed = hashlib.sha256(f"{event['deal']}/north".encode()).hexdigest()
        assert isinstance(event["seeds"], list)
        assert event["seeds"][0] == seed
    assert 3 in [event.get("cut") for event in shown]


def test_seed_that_was_not_committed_to_is_not_shown(tmp_path: Path) -> None:
    command = program(tmp_path, hello=OWN_SEEDS, reveal='say(id=asked["id"], seed="ab" * 32)')
    referee = FakeReferee()
    code, said = bridged(tmp_path, referee, command)
    assert code == 1
    assert "deal 1: the bot reveals a seed or a cut that it did not commit to" in said
    assert [given.WhichOneof("input") for given in referee.inputs] == ["commit"]


def test_program_hears_events_where_it_asks_for_them(tmp_path: Path) -> None:
    command = program(tmp_path, hello='say(name="tester", ops=["event"])')
    code, said = bridged(tmp_path, FakeReferee(), command)
    assert (code, notes(tmp_path)[1]) == (0, "match_open")
    assert notes(tmp_path)[-2:] == ["match_close", "end"]
    told = "finished: ns wins 1-0 in games, the last one ns 4 ew 2, after 2 deals"
    assert f"match {MATCH.hex()}: {told}" in said


@pytest.mark.parametrize("answer", ["print('no JSON', flush=True)", "say(id=[], action='pass')",
                                    "print('x' * 70_000, flush=True)"])  # fmt: skip
def test_answers_that_are_none_count_as_attempts_and_are_told_the_program(
    tmp_path: Path, answer: str
) -> None:
    told = match(tmp_path, program(tmp_path, choose=answer), "--deals", "1")
    assert told["outcome"] == "forfeit"
    assert notes(tmp_path).count("MALFORMED") >= 2
    attempts = events(tmp_path, "deal_close")[-1]["attempts"]
    assert json.dumps(attempts).count('"action": "?"') == 3


def test_illegal_answer_is_explained_before_the_next_question(tmp_path: Path) -> None:
    wrong = 'say(id=asked["id"], action="dance" if moves == 1 else asked["legal"][0])'
    told = match(tmp_path, program(tmp_path, choose=wrong), "--deals", "1")
    assert told["outcome"] == "finished"
    assert "UNKNOWN_ACTION" in notes(tmp_path)


def test_late_answer_costs_that_decision_alone(tmp_path: Path) -> None:
    late = """if moves == 1:
            first = asked["id"]  # answered once the next question is here
        else:
            if moves == 2:
                say(id=first, action="late")
            act()"""
    told = match(tmp_path, program(tmp_path, choose=late), "--deals", "1", "--move-ms", "2000")
    assert told["outcome"] == "finished"
    assert [event["fallback"] for event in events(tmp_path, "action") if "fallback" in event] == [
        "TIMEOUT",
        "TIMEOUT",
    ]


def test_program_that_dies_ends_its_match_with_its_last_words(tmp_path: Path) -> None:
    command = program(tmp_path, choose="sys.exit('out of luck')")
    code, said = bridged(tmp_path, FakeReferee(), command)
    assert code == 1
    assert "exited with status 1 before it answered choose; its last words: 'out of luck'" in said
    assert all(line.startswith("euchre-bridge: ") for line in said.splitlines()), said
    assert "Traceback" not in said


def test_program_that_never_says_hello_is_given_up_after_the_time_to_sit_down(
    tmp_path: Path,
) -> None:
    referee = FakeReferee(policy={"start_ms": 300})
    code, said = bridged(tmp_path, referee, program(tmp_path, hello="pass"))
    assert (code, referee.inputs) == (1, [])
    assert "the bot did not say hello within 0.3 s" in said


def test_program_that_cannot_be_started_takes_no_seat(tmp_path: Path) -> None:
    referee = FakeReferee()
    code, said = bridged(tmp_path, referee, str(tmp_path / "nothing"))
    assert (code, len(said.splitlines()), referee.hellos) == (2, 1, [])
    assert "No such file or directory (check the command and its path)" in said


def test_broken_connection_is_mended_under_one_process_of_the_program(tmp_path: Path) -> None:
    referee = FakeReferee(drop_ruling_of={"act", "reveal"})
    code, _ = bridged(tmp_path, referee, program(tmp_path))
    assert (code, len(referee.hellos)) == (0, 3)
    assert notes(tmp_path) == ["hello", "end"]


def test_card_that_was_not_sealed_ends_the_match_and_the_program(tmp_path: Path) -> None:
    def lie(row: Row) -> None:
        row["card"] = "9C" if row["card"] != "9C" else "TC"

    command = program(tmp_path, hello=f"{CHILD}; {GREET}")
    code, said = bridged(tmp_path, FakeReferee(lies={"turn_up": lie}), command)
    assert code == 3
    assert "position 20 is not the sealed card" in said
    assert ended(int(notes(tmp_path)[1]))


def test_referee_with_another_key_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.from_private_bytes(b"k" * 32).public_key().public_bytes_raw()
    other = PublicKey("other", key)
    code, said = bridged(tmp_path, FakeReferee(), program(tmp_path), "--key", other.text())
    assert code == 2
    assert "the referee's key is not the pinned one" in said
    assert not (tmp_path / "notes").exists()


def test_program_that_stays_after_the_end_is_killed_with_what_it_started(tmp_path: Path) -> None:
    command = program(tmp_path, hello=f"{CHILD}; {GREET}", end="time.sleep(600)")
    code, _ = bridged(tmp_path, FakeReferee(), command)
    assert (code, notes(tmp_path)[2]) == (0, "end")
    assert ended(int(notes(tmp_path)[1]))


def test_signal_to_the_bridge_ends_the_program_too(tmp_path: Path) -> None:
    hello = f"{CHILD}; say(name='another', ops=[])"
    command = program(tmp_path, hello=hello, choose="time.sleep(600)")
    with listening(FakeReferee()) as port, start(tmp_path, port, command) as process:
        assert process.stdout is not None
        while "the bot calls itself" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 143
    assert ended(int(notes(tmp_path)[1]))


def test_restarted_bridge_keeps_to_the_commitment_of_the_program(tmp_path: Path) -> None:
    taken = play_pb2.PlayItem(superseded=play_pb2.Superseded())
    referee = FakeReferee(dealers=[0, 1], leave_at="reveal", farewell=taken)
    command = program(tmp_path, hello=OWN_SEEDS)
    assert bridged(tmp_path, referee, command)[0] == 4
    assert bridged(tmp_path, referee, command)[0] == 0


def test_flags_are_those_of_a_bot_in_python() -> None:
    ours = {flag for option in bridge.params for flag in option.opts if flag.startswith("--")}
    theirs = {flag for flag in argument_parser("x", "")._option_string_actions if flag[:2] == "--"}
    assert ours - {"--version"} == theirs - {"--help"}
