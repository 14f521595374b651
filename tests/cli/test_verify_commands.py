"""The commands that read transcripts, keys and vectors, as a user runs them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.sealing import SigningKey, parse_key
from tests.journal.support import random_match
from tests.sealing.support import KEY, OTHER_KEY, STANDARD

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
