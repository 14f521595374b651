"""A tournament file is read whole, or refused with its line and what to do."""

import os
from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from referee.arena.tournament.marked import DEEPEST, LARGEST, SheetError
from referee.arena.tournament.sheet import FORMATS
from referee.arena.tournament.sheetread import parse_sheet, read_sheet
from referee.arena.tournament.sheetwrite import Draft, write_sheet

FOUR = "entries: [{name: a, bot: random}, {name: b, bot: sensible}, {name: c, bot: random},"
WHOLE = (
    "name: Winter\n"
    "format: {kind: swiss, rounds: 3}\n"
    f"{FOUR} {{name: d, bot: random}}]\n"
    "rules: {preset: quick, knobs: {all_pass: throw_in}}\n"
    "boards: 8\n"
)


def said_of(text: str) -> str:
    with pytest.raises(SheetError) as caught:
        parse_sheet("cup.yaml", text.encode())
    return str(caught.value)


def test_a_file_is_read_with_its_defaults() -> None:
    sheet = parse_sheet("cup.yaml", WHOLE.encode())
    assert sheet.names == ("a", "b", "c", "d")
    assert sheet.rules.target == 5
    assert sheet.knobs == {"all_pass": "throw_in"}
    assert (sheet.boards, sheet.chunk, sheet.dealers, sheet.workers) == (8, 4, "balanced", None)
    assert sheet.match_points.win == Fraction(2)


def test_every_part_of_a_file_is_read() -> None:
    sheet = parse_sheet(
        "cup.yaml",
        (
            f"{WHOLE}dealers: rotating\nchunk: 2\npolicy: {{move_ms: 300, deal_ms: 9000}}\n"
            "byes: full\nforbidden: [[a, b]]\ntie_breaks: [wins, lots]\n"
            "match_points: {win: 3}\nwithdrawals: [{name: a, before: 2}]\n"
            "substitutes: [{name: e, bot: random, for: b, since: 3}]\n"
            "seed: 9\nworkers: 1\nsandbox: off\nattempts: 2\n"
        ).encode(),
    )
    assert (sheet.policy.move_ms, sheet.deal_ms, sheet.sandbox) == (300, 9_000, "off")
    assert sheet.forbidden == (("a", "b"),)
    assert sheet.bot("e") == "random"
    assert sheet.substitutes[0].instead_of == "b"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "cup.yaml: it is empty"),
        ("- a", "cup.yaml:1: the file is a list, and a map is meant"),
        (f"{WHOLE}borads: 4\n", "cup.yaml:6: no such key: 'borads' in the file (did you mean 'boa"),
        (f"{WHOLE}boards: 4\n", "cup.yaml:6: the key 'boards' stands here again, after line 5"),
        (f"{WHOLE}seed: &x 1\n", "cup.yaml:6: anchors and aliases are not read"),
        (f"{WHOLE}seed: !!int 1\n", "cup.yaml:6: tags are not read"),
        (f"{WHOLE}---\na: 1\n", "cup.yaml:6: a second document"),
        (f"{WHOLE}seed: [1\n", "cup.yaml:7: not YAML"),
        (f"seed: {'[' * (DEEPEST + 1)}", "nested deeper than"),
        (f"{WHOLE}seed: 1e3\n", "seed is text '1e3', and a whole number is meant"),
        (f"{WHOLE}seed: 99999999999999999999\n", "cup.yaml:6: seed is 99999999999999999999: use"),
        (f"{WHOLE}mode: board\n", "cup.yaml:6: mode is 'board' (did you mean 'boards'?"),
        (f"{WHOLE}chunk: 3\n", "cup.yaml:6: 8 boards are no whole number of chunks of 3 (use one"),
        (WHOLE.replace("boards: 8", "boards: 6"), "cup.yaml:5: 6 boards do not give every seat"),
        (WHOLE.replace("rounds: 3", "rounds: 4"), "cup.yaml:2: 4 rounds among 4 entries"),
        (WHOLE.replace("rounds: 3", "times: 3"), "cup.yaml:2: swiss has no option 'times'"),
        (WHOLE.replace("kind: swiss", "kind: swish"), "cup.yaml:2: kind is 'swish' (did you mean"),
        (WHOLE.replace("name: d", "name: A"), "cup.yaml:3: two entries are called 'A', here and"),
        (WHOLE.replace("name: d", "name: ../d"), "cup.yaml:3: not a name for an entry: '../d'"),
        (WHOLE.replace("name: d", "name: d e"), "cup.yaml:3: not a name for an entry: 'd e'"),
        (WHOLE.replace("{name: d, bot: random}", "random, random"), "two entries are called 'rand"),
        (WHOLE.replace("sensible", "clever"), "cup.yaml:3: not a bot: 'clever'"),
        (WHOLE.replace("sensible", "dial"), "cup.yaml:3: 'dial' dials in, and would see both"),
        (WHOLE.replace("quick", "quik"), "cup.yaml:4: no such rule set: 'quik' (did you mean"),
        (WHOLE.replace("all_pass", "allpass"), "cup.yaml:4: no such key: 'allpass' in knobs"),
        (WHOLE.replace("throw_in", "thrown"), "cup.yaml:4: knob 'all_pass' has no value 'thrown'"),
        (f"{WHOLE}policy: {{move_ms: 1}}\n", "cup.yaml:6: policy move_ms is 1: use a number from"),
        (f"{WHOLE}policy: {{moves_ms: 1}}\n", "cup.yaml:6: no such key: 'moves_ms' in policy"),
        (f"{WHOLE}forbidden: [[a, z]]\n", "cup.yaml:6: forbidden is 'z' (there are: a, b, c, d)"),
        (f"{WHOLE}tie_breaks: [wins, wins]\n", "cup.yaml:6: the tie-break 'wins' stands there"),
        (f"{WHOLE}match_points: {{win: 0}}\n", "cup.yaml:6: a win has to pay more than a draw"),
        (f"{WHOLE}withdrawals: [{{name: a}}]\n", "cup.yaml:6: a withdrawal has no 'before'"),
        (f"{WHOLE}stop: {{h0: 0, h1: 1}}\n", "cup.yaml:6: 4 entries: only a duel"),
        (WHOLE.replace(", {name: d, bot: random}", ""), "cup.yaml:3: 3 entries are an odd field"),
        (WHOLE.replace("boards: 8\n", ""), "cup.yaml:1: the file has no 'boards'"),
    ],
)
def test_what_cannot_be_played_is_said_with_its_line(text: str, told: str) -> None:
    assert told in said_of(text)


def test_a_file_of_other_bytes_is_refused() -> None:
    for content, told in (
        (b"name: \xff", "cup.yaml:1: not UTF-8"),
        (b"name: \x00", "not YAML"),
        (b"#" * (LARGEST + 1), "more than the"),
    ):
        with pytest.raises(SheetError, match=told):
            parse_sheet("cup.yaml", content)


@pytest.mark.parametrize("kind", list(FORMATS))
def test_what_is_written_for_people_reads_back(kind: str) -> None:
    entries = [(f"p{n}", "random") for n in range(8)]
    draft = Draft(name="no: 1 #", format=kind, entries=entries, knobs={"target": "7"}, boards=4)
    text = write_sheet(draft)
    sheet = parse_sheet("cup.yaml", text.encode())
    assert (sheet.name, sheet.format.kind, sheet.rules.target) == ("no: 1 #", kind, 7)
    assert yaml.safe_load(text)["name"] == "no: 1 #"


def test_only_a_file_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(SheetError, match="it is a pipe or a device, not a file"):
            read_sheet(path)
    with pytest.raises(SheetError, match="Is a directory"):
        read_sheet(tmp_path)


def test_a_file_of_any_size_is_read_up_to_the_limit(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    with large.open("wb") as stream:
        stream.truncate(LARGEST + 1)
    with pytest.raises(SheetError, match="more than the 1,048,576 bytes that are read"):
        read_sheet(large)
