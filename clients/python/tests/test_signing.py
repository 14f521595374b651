"""A seat that signs, the receipts it insists on, and the files it keeps for itself."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from fake_referee import MATCH, FakeReferee, Row, listening, options

from euchre_bot import DealProofError, Result, UsageError, argument_parser, play, seal
from euchre_bot.options import Options
from euchre_bot.pb.euchre.referee.v1 import play_pb2
from euchre_bot.play import Pace
from euchre_bot.signatures import PublicKey, SeatKey, verifies

QUICK = Pace(first=0.001, most=0.001, total=5.0)
PRIVATE = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
KEY = SeatKey(PRIVATE)
ENTRY = PublicKey("tester", KEY.public).text()
IDENTITY = "tester+" + seal.tagged_hash("key-id", b"tester", b"\1" + bytes(31))[:4].hex()


def key_file(folder: Path) -> Path:
    path = folder / "seat.pem"
    path.write_bytes(PRIVATE.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return path


def signer(referee: FakeReferee) -> FakeReferee:
    referee.entry.update(level="signs", key=ENTRY)
    return referee


def played(referee: FakeReferee, folder: Path, *, key: SeatKey | None = KEY) -> Result:
    with listening(referee) as port:
        said = options(folder, port)
        if key is not None:
            said = replace(said, level="signs", seat_key=key)
        return play(lambda _view, legal: legal[-1], said, QUICK)


def fails(referee: FakeReferee, folder: Path, *, key: SeatKey | None = None) -> str:
    with pytest.raises(DealProofError) as caught:
        played(referee, folder, key=key)
    return str(caught.value)


def sign_own_moves(referee: FakeReferee) -> None:
    """Have the record hold what the seat has signed, as an honest referee's does."""

    def action(row: Row) -> None:
        row["seat_sig"] = referee.inputs[-1].act.seat_sig.hex()

    def reveal_set(row: Row) -> None:
        row["sigs"] = [referee.inputs[-1].reveal.sig.hex(), "", "", ""]

    referee.lies.update(action=action, reveal_set=reveal_set)


def test_signing_seat_gives_its_key_and_signs_its_reveals_and_moves(tmp_path: Path) -> None:
    referee = signer(FakeReferee(dealers=[0]))
    sign_own_moves(referee)
    assert played(referee, tmp_path).outcome == "finished"
    assert (referee.hellos[0].level, referee.hellos[0].key) == (play_pb2.LEVEL_SIGNS, KEY.public)
    shown = next(said.reveal for said in referee.inputs if said.HasField("reveal"))
    assert referee.deal is not None
    message = seal.reveal_signed_bytes(
        MATCH, 1, 0, cset=shown.cset, commit=referee.deal.mine, head=shown.head
    )
    assert verifies(KEY.public, shown.sig, message)
    act = next(said.act for said in referee.inputs if said.HasField("act"))
    before = referee.heads[act.seq - 1]
    assert verifies(
        KEY.public, act.seat_sig, seal.move_signed_bytes(MATCH, 1, act.seq, before, act.action)
    )


def test_move_without_our_signature_ends_the_match(tmp_path: Path) -> None:
    referee = signer(FakeReferee(dealers=[0]))
    sign_own_moves(referee)
    del referee.lies["action"]
    assert "the move of north is not signed" in fails(referee, tmp_path, key=KEY)


def test_reveal_without_our_signature_ends_the_match(tmp_path: Path) -> None:
    assert "the reveal of north is not signed" in fails(
        signer(FakeReferee(dealers=[0])), tmp_path, key=KEY
    )


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"level": "checks"}, "our seat is not entered as we said"),
        ({"key": PublicKey("tester", SeatKey(Ed25519PrivateKey.generate()).public).text()}, "not"),
        ({"key": f"{IDENTITY}+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}, "not a sound one"),
        ({"key": "nonsense"}, "not a sound one"),
    ],
    ids=["level", "another", "identity", "nonsense"],
)
def test_entry_with_another_key_than_ours_ends_the_match(
    entry: dict[str, str], why: str, tmp_path: Path
) -> None:
    referee = signer(FakeReferee(dealers=[0]))
    referee.entry.update(entry)
    assert why in fails(referee, tmp_path, key=KEY)


def change_head(receipt: play_pb2.Receipt) -> None:
    receipt.items[0].head = bytes(32)


def change_sig(receipt: play_pb2.Receipt) -> None:
    receipt.sig = bytes(64)


@pytest.mark.parametrize("lie", [change_head, change_sig])
def test_receipt_that_the_referee_has_not_signed_ends_the_match(
    lie: Callable[[play_pb2.Receipt], None], tmp_path: Path
) -> None:
    referee = FakeReferee(lie_in_receipt=lie)
    assert "a receipt has a signature that is not the referee's" in fails(referee, tmp_path)


def test_acceptance_without_a_receipt_ends_the_match(tmp_path: Path) -> None:
    referee = FakeReferee(unsigned=frozenset({"receipt"}))
    assert "accepted our commitment without a receipt" in fails(referee, tmp_path)


class Forked(FakeReferee):
    """A referee that gives receipts for another record than it shows."""

    def append(self, kind: str, row: Row) -> None:
        super().append(kind, row)
        if kind == "seat_commit":
            self.heads[self.seq - 1] = b"h" * 32


def test_receipt_for_another_record_ends_the_match_and_is_kept(tmp_path: Path) -> None:
    referee = Forked()
    assert "is not the one that the referee gave us a receipt for" in fails(referee, tmp_path)
    (kept,) = (tmp_path / "receipts").glob("*-north.jsonl")
    assert json.loads(kept.read_text())["items"][0]["head"] == (b"h" * 32).hex()


def test_receipts_are_kept_for_everything_that_was_accepted(tmp_path: Path) -> None:
    referee = FakeReferee()
    played(referee, tmp_path, key=None)
    (kept,) = (tmp_path / "receipts").glob("*.jsonl")
    rows = [json.loads(line) for line in kept.read_text().splitlines()]
    assert len(rows) == len(referee.inputs)
    assert all(
        bytes.fromhex(item["head"]) == referee.heads[item["seq"]]
        for row in rows
        for item in row["items"]
    )


@pytest.mark.parametrize("seat_key", [True, False])
def test_level_signs_goes_with_a_key_and_only_with_one(
    seat_key: bool,  # noqa: FBT001 -- pytest's
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EUCHRE_TOKEN", "token")
    flags = ["--level", "checks" if seat_key else "signs"]
    flags += ["--seat-key", str(key_file(tmp_path))] if seat_key else []
    with pytest.raises(UsageError, match="do not go together"):
        Options.read(argument_parser("tester", "").parse_args(flags))


def test_key_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "seat.pem"
    path.write_text("no key")
    path.chmod(0o600)
    with pytest.raises(UsageError, match=r"seat\.pem.*holds no Ed25519 key"):
        SeatKey.load(path)


def test_two_seats_of_one_bot_have_files_of_their_own(tmp_path: Path) -> None:
    said = replace(options(tmp_path, 1), secret_file=None, state_file=None)
    north, east = said.files("aa", "north"), said.files("aa", "east")
    assert not set(north) & set(east)
