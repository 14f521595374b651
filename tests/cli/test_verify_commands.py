"""The commands that read transcripts, keys and vectors, as a user runs them."""

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.cli.verify import LONG_FILE
from referee.sealing import (
    SEATS,
    ActionTaken,
    Event,
    ReceiptItem,
    SigningKey,
    event_hash,
    parse_key,
    split_line,
)
from tests.journal.support import Match, random_match
from tests.sealing.support import KEY, MATCH, OTHER_KEY, STANDARD, Script
from tests.vectors.witnesses import receipt

VECTORS = Path(__file__).parents[1] / "vectors" / "sealed-v1.json"
TEXT = random_match({**STANDARD, "target": "3"}).text


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_bytes(TEXT)
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_verify_prints_what_it_has_verified_and_the_line_to_pin(transcript: Path) -> None:
    result = run("verify", transcript)
    assert result.exit_code == 0
    assert "verified" in result.output
    assert "seeds: 4 by bots, 0 by the host" in result.output
    assert f"--referee-key '{KEY.public.text}'" in result.output
    assert "not unable to whisper" in result.output


def test_verify_says_how_many_games_were_won_and_counts_the_draw_as_no_deal(
    transcript: Path,
) -> None:
    said = run("verify", transcript).output
    assert re.search(r"finished: (ns|ew) wins 1-0 in games\n", said)
    counted = re.search(r"verified: (\d+) of (\d+) deals, and the dealer draw;", said)
    assert counted is not None
    closed = json.loads(TEXT.splitlines()[-1])["event"]
    assert {int(word) for word in counted.groups()} == {closed["deals"]}


def test_show_ends_with_the_result_in_games_and_the_points_of_the_last(transcript: Path) -> None:
    end = run("show", transcript).output.splitlines()[-1]
    assert re.fullmatch(
        r"Match finished: (ns|ew) wins 1-0 in games, the last one ns \d+ ew \d+, after \d+ deals",
        end,
    ), end


def test_verify_says_that_a_pinned_key_is_the_files(transcript: Path) -> None:
    result = run("verify", transcript, "--referee-key", KEY.public.text)
    assert result.exit_code == 0
    assert "the key is the pinned one" in result.output


def test_verify_with_another_key_speaks_against_the_key(transcript: Path) -> None:
    result = run("verify", transcript, "--referee-key", OTHER_KEY.public.text)
    assert result.exit_code == 4
    assert "party: key" in result.output


def test_verify_names_event_deal_and_party_of_a_changed_file(transcript: Path) -> None:
    transcript.write_bytes(TEXT.replace(b'"used_ms":12', b'"used_ms":13', 1))
    result = run("verify", transcript)
    assert result.exit_code == 3
    assert "NOT verified" in result.output
    assert "event " in result.output
    assert "deal 1, party: file" in result.output


def test_verify_says_that_an_end_is_missing(transcript: Path) -> None:
    transcript.write_bytes(TEXT[: len(TEXT) // 2])
    result = run("verify", transcript)
    assert result.exit_code == 5
    assert "party: nobody" in result.output


def test_verify_under_strict_says_what_is_weak(transcript: Path) -> None:
    result = run("verify", transcript, "--strict")
    assert result.exit_code == 7
    assert "not strict enough" in result.output


def test_verify_in_json_gives_one_object_a_file(transcript: Path) -> None:
    result = run("verify", transcript, "--json")
    report = json.loads(result.output)
    assert result.exit_code == report["exit"] == 0
    assert report["rules"] == "replayed"
    assert report["file"] == str(transcript)


def test_verify_of_several_files_exits_with_the_first_that_fails(
    transcript: Path, tmp_path: Path
) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(TEXT[:-1])
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'{"format":"euchre-plain-log/1"}\n')
    result = run("verify", transcript, torn, log, "--json")
    assert [json.loads(line)["exit"] for line in result.output.splitlines()] == [0, 5, 6]
    assert result.exit_code == 5


def test_verify_calls_an_unsealed_log_by_its_name(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'{"format":"euchre-plain-log/1","rules":{}}\n')
    result = run("verify", log)
    assert result.exit_code == 6
    assert "an unsealed log" in result.output


@pytest.mark.parametrize("command", ["verify", "show", "check-vectors"])
def test_a_file_that_is_not_there_is_a_usage_error(command: str, tmp_path: Path) -> None:
    result = run(command, tmp_path / "nowhere")
    assert result.exit_code == 2
    assert "does not exist" in result.output


def test_a_key_in_another_form_is_a_usage_error(transcript: Path) -> None:
    result = run("verify", transcript, "--referee-key", "abc")
    assert result.exit_code == 2
    assert "name+id+base64" in result.output


def test_a_proof_is_written_and_verified(transcript: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    assert run("prove-deal", transcript, 2, "-o", proof).exit_code == 0
    result = run("verify", proof)
    assert result.exit_code == 0
    assert "deal verified" in result.output
    assert "not covered: scores before the deal" in result.output


def test_a_proof_goes_to_stdout_unless_a_file_is_named(transcript: Path) -> None:
    result = run("prove-deal", transcript, 0)
    assert json.loads(result.output)["format"] == "euchre-deal-proof/1"


def test_a_proof_of_a_deal_that_is_not_there_is_one_line(transcript: Path) -> None:
    result = run("prove-deal", transcript, 999)
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert "no closed deal 999" in result.output


def test_a_proof_into_a_directory_that_is_not_there_is_one_line(transcript: Path) -> None:
    result = run("prove-deal", transcript, 1, "-o", transcript.parent / "no" / "proof.json")
    assert result.exit_code == 2
    assert "cannot write" in result.output


def test_show_tells_hands_calls_tricks_and_score(transcript: Path) -> None:
    result = run("show", transcript)
    assert result.exit_code == 0
    assert "Dealer draw from" in result.output
    assert "upcard" in result.output
    assert result.output.count("trick: ") >= 5
    assert "Match finished" in result.output


def test_show_of_one_deal_shows_that_deal_alone(transcript: Path) -> None:
    result = run("show", transcript, "--deal", 1)
    assert result.exit_code == 0
    assert result.output.startswith("Deal 1, dealer ")
    assert "Deal 2" not in result.output


def test_show_of_a_deal_that_is_not_there_is_one_line(transcript: Path) -> None:
    result = run("show", transcript, "--deal", 999)
    assert result.exit_code == 2
    assert "no closed deal 999" in result.output


def test_show_of_another_file_is_one_line(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"hello\n")
    result = run("show", other)
    assert result.exit_code == 6
    assert result.output.count("\n") == 1


def test_check_vectors_agrees_with_the_independent_file() -> None:
    result = run("check-vectors", VECTORS)
    assert result.exit_code == 0
    assert "7 checked, 0 differ" in result.output


def test_check_vectors_names_what_differs(tmp_path: Path) -> None:
    wrong = tmp_path / "vectors.json"
    wrong.write_bytes(VECTORS.read_bytes().replace(b'"rejected": 3', b'"rejected": 4'))
    result = run("check-vectors", wrong)
    assert result.exit_code == 3
    assert "deals[2].rejected: the file has 4, recomputed 3" in result.output


def test_check_vectors_of_another_file_is_one_line(transcript: Path) -> None:
    result = run("check-vectors", transcript)
    assert result.exit_code == 6
    assert result.output.count("\n") == 1


def test_keygen_writes_a_key_that_only_its_owner_reads(tmp_path: Path) -> None:
    path = tmp_path / "referee.pem"
    result = run("keygen", path, "--name", "club")
    assert result.exit_code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert SigningKey.from_pem("club", path.read_bytes()).public == parse_key(result.output.strip())


def test_keygen_does_not_overwrite_a_file(tmp_path: Path) -> None:
    path = tmp_path / "referee.pem"
    path.write_bytes(b"kept")
    result = run("keygen", path)
    assert result.exit_code == 2
    assert path.read_bytes() == b"kept"


def test_keygen_refuses_a_name_with_a_plus_sign(tmp_path: Path) -> None:
    result = run("keygen", tmp_path / "k.pem", "--name", "a+b")
    assert result.exit_code == 2
    assert not (tmp_path / "k.pem").exists()


def test_keygen_lists_the_key_and_its_successor_in_a_roster(tmp_path: Path) -> None:
    roster = tmp_path / "roster.jsonl"
    old = run("keygen", tmp_path / "1.pem", "--name", "club", "--roster", roster).output.strip()
    new = run(
        "keygen", tmp_path / "2.pem", "--name", "club", "--succeeds", tmp_path / "1.pem",
        "--roster", roster,
    ).output.strip()  # fmt: skip
    shown = run("roster", "show", roster, "--json").output.splitlines()
    assert [(row["key"], row["current"]) for row in map(json.loads, shown)] == [
        (old, False),
        (new, True),
    ]


def test_keygen_leaves_no_key_where_the_roster_refuses_it(tmp_path: Path) -> None:
    roster = tmp_path / "roster.jsonl"
    run("keygen", tmp_path / "1.pem", "--name", "club", "--roster", roster)
    before = roster.read_bytes()
    result = run("keygen", tmp_path / "2.pem", "--name", "club", "--roster", roster)
    assert result.exit_code == 4
    assert "is not signed by the one before it" in result.output
    assert not (tmp_path / "2.pem").exists()
    assert roster.read_bytes() == before


def test_keygen_prints_the_roster_line_where_no_roster_is_named(tmp_path: Path) -> None:
    run("keygen", tmp_path / "1.pem", "--name", "club")
    result = run("keygen", tmp_path / "2.pem", "--name", "club", "--succeeds", tmp_path / "1.pem")
    key, line = result.output.splitlines()
    assert json.loads(line)["key"] == key
    assert json.loads(line)["sig"]


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    path = tmp_path / "roster"
    result = run("roster", "add", path, KEY.public.text, "--from", 5)
    assert result.exit_code == 0
    return path


def test_verify_asks_a_roster_for_the_key(transcript: Path, roster: Path) -> None:
    result = run("verify", transcript, "--roster", roster)
    assert result.exit_code == 0
    assert "the roster lists every key" in result.output


def test_a_key_that_the_roster_does_not_list_is_exit_4(transcript: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    run("roster", "add", other, OTHER_KEY.public.text)
    result = run("verify", transcript, "--roster", other)
    assert result.exit_code == 4
    assert "the roster does not list the key" in result.output
    assert "party: key" in result.output


@pytest.mark.parametrize(
    "text", [b"", b"{}\n", b"rubbish\n", b"\xff\n", b'{"from":"1"}', b"[" * 5000 + b"\n"]
)
def test_a_roster_that_is_none_is_one_line(transcript: Path, tmp_path: Path, text: bytes) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(text)
    result = run("verify", transcript, "--roster", wrong)
    assert result.exit_code == 4
    assert result.output.count("\n") == 1
    assert "wrong" in result.output


@pytest.fixture
def receipts(tmp_path: Path) -> Path:
    folder = tmp_path / "receipts"
    folder.mkdir()
    lines: dict[str, list[bytes]] = {word: [] for word in SEATS}
    head = bytes(32)
    for seq, line in enumerate(TEXT.splitlines()):
        raw, _ = split_line(line)
        head = event_hash(head, raw)
        event = json.loads(raw)
        if event["kind"] in {"seat_commit", "action"}:
            item = ReceiptItem(MATCH, event["deal"], seq, head)
            lines[event["seat"]].append(receipt([item]))
    for seat, kept in lines.items():
        (folder / f"{seat}.jsonl").write_bytes(b"".join(line + b"\n" for line in kept))
    return folder


def test_verify_counts_the_receipts_that_agree(transcript: Path, receipts: Path) -> None:
    result = run("verify", transcript, "--receipts", receipts)
    assert result.exit_code == 0
    counted = sum(path.read_bytes().count(b"\n") for path in receipts.iterdir())
    assert f"receipts: {counted} items agree with the file" in result.output


def test_a_move_altered_after_its_receipt_speaks_against_the_referee(
    transcript: Path, receipts: Path
) -> None:
    def change(event: Event) -> Event:
        if isinstance(event, ActionTaken) and event.deal == 2:
            return replace(event, used_ms=event.used_ms + 1)
        return event

    script = Script(rules={**STANDARD, "target": "3"}, change=change)
    transcript.write_bytes(Match(script).to_the_end().text)
    result = run("verify", transcript, "--receipts", receipts, "--referee-key", KEY.public.text)
    assert result.exit_code == 3
    assert "deal 2, party: referee" in result.output
    assert "acknowledges another event" in result.output


@pytest.mark.parametrize(
    ("text", "words"),
    [(b"rubbish\n", "line 1: no receipt"), (b'{"items":[]}\n', "line 1: no receipt")],
)
def test_a_line_that_is_no_receipt_is_named(
    transcript: Path, tmp_path: Path, text: bytes, words: str
) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "north.jsonl").write_bytes(text)
    result = run("verify", transcript, "--receipts", tmp_path / "kept")
    assert result.exit_code == 6
    assert words in result.output


def test_a_receipt_that_a_crash_has_torn_is_left_out(transcript: Path, receipts: Path) -> None:
    with (receipts / "north.jsonl").open("ab") as stream:
        stream.write(b'{"items":[{"deal"')
    assert run("verify", transcript, "--receipts", receipts).exit_code == 0


def test_a_folder_without_receipts_is_wrong_usage(transcript: Path, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    result = run("verify", transcript, "--receipts", tmp_path / "none")
    assert result.exit_code == 2
    assert "no receipts in" in result.output


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (gzip.compress(TEXT), 6, "packed by gzip"),
        (b"", 5, "the file is empty"),
        (bytes(4096), 6, "not a transcript"),
        (TEXT.decode().encode("utf-16"), 6, "not a transcript"),
        (b'{"event":' + b"x" * (1 << 21), 6, "over"),
        (b'{"event":' + b"x" * 100, 5, "no line feed"),
    ],
)
def test_a_file_that_is_no_transcript_is_told_in_a_sentence(
    tmp_path: Path, content: bytes, code: int, words: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    result = run("verify", path)
    assert result.exit_code == code
    assert words in result.output
    assert "Traceback" not in result.output


def test_a_folder_in_place_of_a_file_is_a_usage_error(tmp_path: Path) -> None:
    result = run("verify", tmp_path)
    assert result.exit_code == 2
    assert "is a directory" in result.output


def test_long_files_are_verified_side_by_side_and_reported_in_order(
    transcript: Path, roster: Path
) -> None:
    torn, large = transcript.with_name("torn.jsonl"), transcript.with_name("large")
    torn.write_bytes(TEXT[:-1])
    large.write_bytes(bytes(LONG_FILE))
    result = run("verify", transcript, torn, large, transcript, "--roster", roster, "--json")
    assert [json.loads(line)["exit"] for line in result.output.splitlines()] == [0, 5, 6, 0]
    assert result.exit_code == 5
