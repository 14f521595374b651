"""The shared claims about the seal's bytes, as far as the client judges such things."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from euchre_bot import UsageError, seal
from euchre_bot.signatures import PublicKey, verifies

Given = Mapping[str, object]


def raw(given: Given, name: str) -> bytes:
    return bytes.fromhex(str(given[name]))


def number(given: Given, name: str) -> int:
    value = given[name]
    assert isinstance(value, int)
    return value


def key(given: Given) -> bytes | None:
    try:
        return PublicKey.parse(str(given["key"])).public
    except UsageError:
        return None


def signed(given: Given, message: bytes) -> bool:
    public = key(given)
    return public is not None and verifies(public, raw(given, "sig"), message)


def link(given: Given) -> bool:
    made = seal.chain_step(raw(given, "match"), number(given, "k"), raw(given, "link"))
    return made == raw(given, "below")


def seed(given: Given) -> bool:
    made = seal.seat_seed(raw(given, "secret"), raw(given, "match"), number(given, "deal"))
    return made == raw(given, "seed")


def reveal(given: Given) -> bool:
    message = seal.reveal_signed_bytes(
        raw(given, "match"), number(given, "deal"), number(given, "seat"),
        cset=raw(given, "cset"), commit=raw(given, "commit"), head=raw(given, "head"),
    )  # fmt: skip
    return signed(given, message)


def move(given: Given) -> bool:
    message = seal.move_signed_bytes(
        raw(given, "match"), number(given, "deal"), number(given, "seq"), raw(given, "prev"),
        str(given["move"]),
    )  # fmt: skip
    return signed(given, message)


JUDGES: Mapping[str, Callable[[Given], bool]] = {
    "link": link,
    "seed": seed,
    "start": lambda given: seal.first_seat(raw(given, "key")) == number(given, "seat"),
    "event": lambda given: (
        seal.event_head(raw(given, "prev"), str(given["event"]).encode()) == raw(given, "head")
    ),
    "key": lambda given: key(given) is not None,
    "signature": lambda given: signed(given, raw(given, "message")),
    "reveal": reveal,
    "move": move,
}
FILE = Path(__file__).parents[3] / "tests" / "vectors" / "derivation-v1.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text())["cases"] if case["op"] in JUDGES}


@pytest.mark.parametrize("name", CASES)
def test_a_claim_is_judged_as_it_states(name: str) -> None:
    case = CASES[name]
    assert JUDGES[case["op"]](case["input"]) == (case["result"] == "valid")


def test_every_op_that_is_judged_has_a_claim() -> None:
    assert {case["op"] for case in CASES.values()} == set(JUDGES)
