"""Seats of every level in a sealed match, each a client of its own: what the record says of it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from referee.sealing import MatchOpen, SigningKey, VerifyKey, parse_key
from referee.sealing.messages import ReceiptItem, receipt_bytes
from referee.sealing.transcript import read_line, split_line

ROOT: Final = Path(__file__).parents[2]
NODE_CLIENT: Final = ROOT / "clients" / "node"
CLI: Final = (sys.executable, "-m", "referee")
PYTHON_BOT: Final = f"{sys.executable} -m euchre_bot.bots.sensible --receipts receipts"


def run(folder: Path, *command: str) -> Mapping[str, object]:
    """A command that ends well and prints one JSON object."""
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found: Mapping[str, object] = json.loads(done.stdout)
    return found


def seat_key(folder: Path, name: str) -> SigningKey:
    """A key that keygen has made."""
    made = subprocess.run(
        (*CLI, "keygen", f"{name}.pem", "--name", name),
        cwd=folder,
        capture_output=True,
        check=True,
    )
    key = SigningKey.from_pem(name, (folder / f"{name}.pem").read_bytes())
    assert made.stdout.decode().strip() == key.public.text
    return key


def match(folder: Path, north_south: str, east_west: str, *more: str) -> Path:
    """The transcript of a short match."""
    run(
        folder,
        *(*CLI, "match", "--rules", "quick", "--knob", "target=3", "--json", *more),
        *("--north-south", north_south, "--east-west", east_west),
        *("--key", "referee.pem", "--transcript", "match.jsonl"),
    )
    return folder / "match.jsonl"


def opened(transcript: Path) -> MatchOpen:
    event = read_line(*split_line(transcript.read_bytes().splitlines()[0])).event
    assert isinstance(event, MatchOpen)
    return event


def referee_key(folder: Path) -> VerifyKey:
    return SigningKey.from_pem("referee", (folder / "referee.pem").read_bytes()).public


def verified(folder: Path, transcript: Path, *more: str) -> Mapping[str, object]:
    """What the verifier says of a transcript that it accepts."""
    key = referee_key(folder).text
    return run(folder, *CLI, "verify", str(transcript), "--json", "--referee-key", key, *more)


def check_receipts(folder: Path, transcript: Path, seat: str) -> int:
    """The receipts of a seat, each signed by the referee and true of the record; their number."""
    heads = [bytes(32)]
    lines = [json.loads(line)["event"] for line in transcript.read_bytes().splitlines()]
    heads = [bytes.fromhex(event["prev"]) for event in lines[1:]]
    key, match_id = referee_key(folder), lines[0]["match"]
    rows = (folder / "receipts" / f"{match_id}-{seat}.jsonl").read_text().splitlines()
    for row in map(json.loads, rows):
        items = [
            ReceiptItem(bytes.fromhex(i["match"]), i["deal"], i["seq"], bytes.fromhex(i["head"]))
            for i in row["items"]
        ]
        assert key.accepts(bytes.fromhex(row["sig"]), receipt_bytes(items))
        assert all(heads[item.seq] == item.head for item in items)
    return len(rows)


def test_a_match_between_signing_seats_is_strictly_verified(tmp_path: Path) -> None:
    keys = {name: seat_key(tmp_path, name) for name in ("anna", "bert")}
    anna, bert = (f"dial:{PYTHON_BOT} --name {name} --seat-key {name}.pem" for name in keys)
    transcript = match(tmp_path, anna, bert)
    report = verified(tmp_path, transcript, "--strict")
    assert (report["rated"], report["faults"]) == (True, [])
    said = [seat.key for seat in opened(transcript).seats]
    assert said == [keys["anna"].public.text, keys["bert"].public.text] * 2
    assert [parse_key(key).raw for key in said if key] == [
        keys["anna"].public.raw, keys["bert"].public.raw,
    ] * 2  # fmt: skip
    text = transcript.read_text()
    assert text.count('"kind":"action"') == text.count('"seat_sig":"') > 0
    for seat in ("north", "east", "south", "west"):
        assert check_receipts(tmp_path, transcript, seat) > 0


@pytest.mark.parametrize(
    ("level", "seed_by"), [("plays", "host"), ("seeds", "seat"), ("checks", "seat")]
)
def test_each_level_is_entered_as_it_was_said(level: str, seed_by: str, tmp_path: Path) -> None:
    bot = f"dial:{PYTHON_BOT} --level {level}"
    transcript = match(tmp_path, bot, "random")
    north = opened(transcript).seats[0]
    assert (north.level, north.seed_by, north.key) == (level, seed_by, None)
    assert verified(tmp_path, transcript)["rated"] is (level != "plays")
    receipts = tmp_path / "receipts" / f"{opened(transcript).match.hex()}-north.jsonl"
    assert bool(receipts.read_bytes()) is (level != "plays")


@pytest.mark.skipif(
    shutil.which("node") is None or not (NODE_CLIENT / "node_modules").is_dir(),
    reason="node is missing, or `make -C clients/node setup` has not run",
)
def test_signing_seats_of_two_languages_keep_receipts_that_verify(tmp_path: Path) -> None:
    for name in ("anna", "bert"):
        seat_key(tmp_path, name)
    node = f"node {NODE_CLIENT / 'bots' / 'sensible.mjs'} --receipts receipts"
    transcript = match(
        tmp_path,
        f"dial:{node} --name anna --seat-key anna.pem",
        f"dial:{PYTHON_BOT} --name bert --seat-key bert.pem",
    )
    report = verified(tmp_path, transcript, "--strict", "--receipts", "receipts")
    assert (report["rated"], report["faults"]) == (True, [])
    for seat in ("north", "east", "south", "west"):
        assert check_receipts(tmp_path, transcript, seat) > 0


HOUSES: Final = (
    ("pack=E28", "first_dealer=draw_low"),
    ("pack=E32", "first_dealer=draw_high"),
    ("pack=E33J", "first_dealer=any_jack"),
    ("pack=E25", "packets=single"),
    ("pack=E25J", "best_bower_turned=dealer_names_blind"),
    ("partners_best=one_card", "cut=dealers_left"),
    ("ace_no_face=redeal", "farmers_hand=redeal"),
)


@pytest.mark.parametrize(
    "knobs",
    [
        ("going_under=swap_three", "cut=dealers_right"),
        *(pytest.param(knobs, marks=pytest.mark.heavy) for knobs in HOUSES),
    ],
    ids=" ".join,
)
def test_signing_seats_play_under_any_pack_and_house_rule(
    knobs: tuple[str, ...], tmp_path: Path
) -> None:
    seat_key(tmp_path, "anna")
    options = [part for knob in knobs for part in ("--knob", knob)]
    anna = f"dial:{PYTHON_BOT} --name anna --seat-key anna.pem"
    transcript = match(tmp_path, anna, "sensible", *options)
    assert verified(tmp_path, transcript)["faults"] == []


def test_a_seat_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    seat_key(tmp_path, "anna")
    (tmp_path / "anna.pem").chmod(0o644)
    command = (*PYTHON_BOT.split(), "--seat-key", "anna.pem")
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**os.environ, "EUCHRE_TOKEN": "token"},
    )
    assert done.returncode == 2
    assert b"chmod 600" in done.stderr
