"""Secrets, state files, keys and flags: what is kept, and what is refused."""

import base64
import json
import os
from pathlib import Path

import pytest

from euchre_bot.canonical import Fields
from euchre_bot.errors import DealProofError, UsageError
from euchre_bot.files import StateFile, load_secret
from euchre_bot.options import Options, argument_parser
from euchre_bot.signatures import PublicKey, key_id, usable_key, verifies

MATCH = bytes(16)
R0 = b"0" * 32


def test_secret_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "secret"
    assert load_secret(path) == load_secret(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(load_secret(path)) == 32
    assert [item.name for item in path.parent.iterdir()] == ["secret"]


def test_secret_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    load_secret(path)
    path.chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        load_secret(path)


def test_damaged_secret_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(mode=0o600)
    path.write_text("abc\n")
    with pytest.raises(UsageError, match="64 hex digits"):
        load_secret(path)


def test_state_is_private_and_known_to_the_next_process(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    first = StateFile(path, "north")
    assert first.promise(MATCH, R0, 3, 7) == 7
    first.answer(MATCH, 3, b"c" * 32)
    first.close()
    assert path.stat().st_mode & 0o777 == 0o600
    second = StateFile(path, "north")
    assert second.promise(MATCH, R0, 3, 8) == 7
    with pytest.raises(DealProofError, match="second commit set"):
        second.answer(MATCH, 3, b"d" * 32)
    second.close()


def test_two_processes_that_share_a_state_see_each_other(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    one, two = StateFile(path, "north"), StateFile(path, "north")
    one.answer(MATCH, 1, b"c" * 32)
    with pytest.raises(DealProofError, match="second commit set"):
        two.answer(MATCH, 1, b"d" * 32)
    two.answer(MATCH, 2, b"d" * 32)
    with pytest.raises(DealProofError, match="second commit set"):
        one.answer(MATCH, 2, b"e" * 32)
    one.close()
    two.close()


def test_promise_under_another_chain_is_refused(tmp_path: Path) -> None:
    state = StateFile(tmp_path / "state.jsonl", "north")
    state.promise(MATCH, R0, 1, None)
    with pytest.raises(DealProofError, match="another r0"):
        state.promise(MATCH, b"1" * 32, 2, None)
    state.close()


def test_state_of_one_seat_is_refused_to_another_in_the_same_match(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    north, east = StateFile(path, "north"), StateFile(path, "east")
    north.promise(MATCH, R0, 1, None)
    with pytest.raises(UsageError, match=r"that of north in this match.*its own files"):
        east.check_match(MATCH, R0)
    east.check_match(b"another match id", R0)
    north.close()
    east.close()


def test_torn_last_line_counts_for_nothing_and_is_left_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    state = StateFile(path, "north")
    state.promise(MATCH, R0, 1, 4)
    state.close()
    with path.open("ab") as file:
        file.write(b'{"match":"00')
    state = StateFile(path, "north")
    state.promise(MATCH, R0, 2, 5)
    state.close()
    first, torn, second = path.read_text().splitlines()
    assert [json.loads(line)["deal"] for line in (first, second)] == [1, 2]
    assert torn == '{"match":"00'
    state = StateFile(path, "north")
    assert [state.promised_cut(MATCH, deal) for deal in (1, 2)] == [4, 5]
    state.close()


def test_of_two_promises_for_one_deal_the_first_in_the_file_stands(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    state = StateFile(path, "north")
    rows = [{"match": MATCH.hex(), "r0": R0.hex(), "deal": 1, "cut": cut} for cut in (4, 9)]
    with path.open("a") as file:  # as a process does that cannot lock it
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
    assert state.promise(MATCH, R0, 1, 7) == 4
    state.close()


def test_foreign_line_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    path.touch(mode=0o600)
    path.write_text("hello\n")
    with pytest.raises(UsageError, match=r"state\.jsonl.*not ours.*hello"):
        StateFile(path, "north")


# -- keys

SOUND = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]


@pytest.mark.parametrize("key", SMALL_ORDER)
def test_key_of_small_order_is_refused(key: str) -> None:
    assert not usable_key(bytes.fromhex(key))


@pytest.mark.parametrize("last", [0xED, 0xEE, 0xFF])
def test_key_whose_y_is_not_reduced_is_refused(last: int) -> None:
    assert not usable_key(bytes([last]) + b"\xff" * 30 + b"\x7f")


def test_signature_with_an_s_that_is_not_reduced_is_refused() -> None:
    # RFC 8032, section 7.1, test 1: the empty message.
    sig = bytes.fromhex(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
        "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )
    order = 2**252 + 27742317777372353535851937790883648493
    larger = (int.from_bytes(sig[32:], "little") + order).to_bytes(32, "little")
    assert verifies(SOUND, sig, b"")
    assert not verifies(SOUND, sig[:32] + larger, b"")
    assert not verifies(SOUND, sig[:63], b"")
    assert not verifies(SOUND, sig, b"x")


def test_key_text_comes_back_as_it_was_written() -> None:
    text = PublicKey("table-one", SOUND).text()
    assert PublicKey.parse(text) == PublicKey("table-one", SOUND)


ENCODED = base64.b64encode(SOUND).decode()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "write name"),
        ("referee", "write name"),
        (f"ref+12345678+{ENCODED}", "of another key"),
        (f"ref+{key_id('ref', SOUND)}+{ENCODED[:-1]}", "no base64"),
        ("ref+12345678+AAAA", "no Ed25519 key"),
        (f"re\u00e9+12345678+{ENCODED}", "write name"),
    ],
)
def test_key_text_that_is_not_one_is_explained(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        PublicKey.parse(text)


# -- events


@pytest.mark.parametrize(
    "event",
    [
        b"",
        b"[]",
        b'{"a": 1}',
        b'{"b":1,"a":1}',
        b'{"a":1,"a":1}',
        b'{"a":1.0}',
        b'{"a":01}',
        b'{"a":-1}',
        b'{"a":null}',
        b'{"a":NaN}',
        b'{"a":9007199254740992}',
        b'{"A":1}',
        b'{"a":"\\u0041"}',
        b'{"a":"\\""}',
        b'{"a":"\xc3\xa9"}',
        b'\xef\xbb\xbf{"a":1}',
        b'{"a":1}\n',
        b'{"a":' + b"[" * 7 + b"]" * 7 + b"}",
        b"[" * 100_000,
    ],
)
def test_event_that_is_not_canonical_is_refused(event: bytes) -> None:
    with pytest.raises(DealProofError, match="event 0"):
        Fields.parse("event 0", event)


# -- flags


def read(folder: Path, *flags: str) -> Options:
    files = ["--secret-file", str(folder / "secret"), "--state-file", str(folder / "state")]
    return Options.read(argument_parser("bot", "A bot.").parse_args([*files, *flags]))


def test_token_is_the_one_line_of_its_file(tmp_path: Path) -> None:
    written = "abc-123"
    (tmp_path / "token").write_text(f"{written}\n")
    assert read(tmp_path, "--token-file", str(tmp_path / "token")).token == written


def test_token_may_stand_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = "abc-456"
    monkeypatch.setenv("EUCHRE_TOKEN", written)
    assert read(tmp_path).token == written


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ((), "no token: give --token-file FILE, or set EUCHRE_TOKEN"),
        (("--referee", "euchre"), "'euchre' names no port"),
        (("--referee", "example.org", "--ca", "/nowhere/ca"), "'example.org' names no port"),
        (("--referee", "::1"), "'::1' names no port"),
        (("--token-file", "/nowhere/token"), "cannot read the token '/nowhere/token'"),
        (("--token-file", "/dev/null"), "'/dev/null' is no regular file"),
        (("--token-file", "/dev/zero"), "'/dev/zero' is no regular file"),
        (("--referee", "example.org:443"), "only over TLS"),
        (("--referee", "example.org:443", "--ca", "/nowhere/ca"), "no token"),
    ],
)
def test_flag_that_cannot_be_used_is_explained(
    flags: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EUCHRE_TOKEN", raising=False)
    with pytest.raises(UsageError, match=words):
        read(tmp_path, *flags)


@pytest.mark.parametrize("name", ["", "a+b", "a b", 'say "hi"', "x" * 33, "caf\u00e9"])
def test_name_that_the_table_cannot_carry_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EUCHRE_TOKEN", "abc-456")
    with pytest.raises(UsageError, match="not a name for a bot"):
        read(tmp_path, "--name", name)


def test_folder_of_a_new_file_is_flushed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        flushed.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    load_secret(tmp_path / "one" / "secret")
    StateFile(tmp_path / "two" / "state.jsonl", "north").close()
    assert {(tmp_path / name).stat().st_ino for name in ("one", "two")} <= set(flushed)
