"""The arithmetic of the seal, against vectors that another implementation made."""

import json
from pathlib import Path
from typing import TypedDict

import pytest

from euchre_bot import seal
from euchre_bot.canonical import dump
from euchre_bot.dealing import drawn_dealer, positions
from euchre_bot.errors import DealProofError
from euchre_bot.signatures import key_id, verifies


class Draw(TypedDict):
    start_seat: int
    dealer: int


class Vector(TypedDict, total=False):
    id: str
    pack: str
    deal: int
    cutter: int | None
    cut: int | None
    seeds: list[str]
    r: str
    referee_commitment: str
    seat_commits: list[str]
    commit_set: str
    deck_key: str
    deck: str
    first_salt: str
    leaves: list[str]
    root: str
    dealer_draw: Draw


class Line(TypedDict):
    line: str
    head: str


class Transcript(TypedDict):
    referee_public_key: str
    lines: list[Line]


class Vectors(TypedDict):
    match: str
    chain: dict[str, int | str]
    deals: list[Vector]
    messages: dict[str, dict[str, str]]
    transcript: Transcript


VECTORS: Vectors = json.loads(
    (Path(__file__).parents[3] / "tests" / "vectors" / "sealed-v1.json").read_text()
)
MATCH = bytes.fromhex(VECTORS["match"])
PUBLIC = bytes.fromhex(VECTORS["transcript"]["referee_public_key"])
ids = [vector["id"] for vector in VECTORS["deals"]]
each_deal = pytest.mark.parametrize("vector", VECTORS["deals"], ids=ids)


def octets(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


@each_deal
def test_seat_commitments_are_those_of_the_vectors(vector: Vector) -> None:
    made = [
        seal.seat_commit(
            MATCH, vector["deal"], seat, seed, vector["cut"] if seat == vector["cutter"] else None
        ).hex()
        for seat, seed in enumerate(octets(vector["seeds"]))
    ]
    assert made == vector["seat_commits"]


@each_deal
def test_commit_set_is_that_of_the_vectors(vector: Vector) -> None:
    made = seal.commit_set(
        MATCH,
        vector["deal"],
        vector["pack"],
        bytes.fromhex(vector["referee_commitment"]),
        octets(vector["seat_commits"]),
    )
    assert made.hex() == vector["commit_set"]


@each_deal
def test_deck_is_that_of_the_vectors(vector: Vector) -> None:
    deck = seal.sealed_deck(
        match=MATCH,
        deal=vector["deal"],
        pack=vector["pack"],
        r=bytes.fromhex(vector["r"]),
        cset=bytes.fromhex(vector["commit_set"]),
        seeds=octets(vector["seeds"]),
        cut=vector["cut"],
    )
    assert " ".join(deck.cards) == vector["deck"]
    assert deck.salts[0].hex() == vector["first_salt"]
    assert [leaf.hex() for leaf in deck.leaves] == vector["leaves"]
    assert deck.root.hex() == vector["root"]


@each_deal
def test_secret_of_a_deal_hashes_to_its_commitment(vector: Vector) -> None:
    made = seal.chain_step(MATCH, vector["deal"] + 1, bytes.fromhex(vector["r"]))
    assert made.hex() == vector["referee_commitment"]


def test_chain_descends_from_its_last_value_to_its_first() -> None:
    chain = VECTORS["chain"]
    length = int(chain["length"])
    last = bytes.fromhex(str(chain["last"]))
    assert seal.chain_descend(MATCH, last, start=length, end=0).hex() == chain["first"]
    assert seal.chain_descend(MATCH, last, start=length, end=1).hex() == chain["second"]


def test_dealer_draw_is_that_of_the_vectors() -> None:
    vector = VECTORS["deals"][0]
    key = bytes.fromhex(vector["deck_key"])
    start = seal.first_seat(key)
    assert start == vector["dealer_draw"]["start_seat"]
    dealer = drawn_dealer(vector["deck"].split(), "black_jack", start)
    assert dealer == vector["dealer_draw"]["dealer"]


def test_seat_seed_is_that_of_the_vectors() -> None:
    message = VECTORS["messages"]["seat_seed"]
    made = seal.seat_seed(bytes.fromhex(message["secret"]), MATCH, int(message["deal"]))
    assert made.hex() == message["seed"]


def test_hidden_move_is_that_of_the_vectors() -> None:
    message = VECTORS["messages"]["hidden_move"]
    seat, place = int(message["seat"]), int(message["position"])
    blind = bytes.fromhex(message["blind"])
    assert seal.hidden_move(MATCH, 1, seat, place, blind).hex() == message["commit"]
    assert seal.hidden_moves(MATCH, 1, seat, [place], [blind]).hex() == message["commit"]


def test_key_id_is_that_of_the_vectors() -> None:
    message = VECTORS["messages"]["key_id"]
    assert key_id(message["name"], PUBLIC) == message["id"]


def test_rule_set_id_is_that_of_the_vectors() -> None:
    message = VECTORS["messages"]["rule_set"]
    assert dump({"target": "10", "pack": "E24"}) == message["text"].encode()
    assert seal.tagged_hash("rule-set", message["text"].encode()).hex() == message["id"]


def test_private_deal_of_the_vectors_is_signed() -> None:
    plain = VECTORS["deals"][1]
    deck = seal.sealed_deck(
        match=MATCH,
        deal=1,
        pack="E24",
        r=bytes.fromhex(plain["r"]),
        cset=bytes.fromhex(plain["commit_set"]),
        seeds=octets(plain["seeds"]),
        cut=None,
    )
    places = positions("3-2", dealer=3, seat=0)
    cards = [(place, deck.cards[place], deck.salts[place]) for place in places]
    signed = seal.private_deal_bytes(MATCH, 1, 0, deck.root, cards)
    assert verifies(PUBLIC, bytes.fromhex(VECTORS["messages"]["private_deal"]["sig"]), signed)


def test_event_heads_and_signatures_are_those_of_the_vectors() -> None:
    head = bytes(32)
    for line in VECTORS["transcript"]["lines"]:
        event, sig = line["line"].removeprefix('{"event":').removesuffix('"}').split(',"sig":"')
        head = seal.event_head(head, event.encode())
        assert head.hex() == line["head"]
        assert verifies(PUBLIC, bytes.fromhex(sig), seal.referee_signed_bytes(head))


@pytest.mark.parametrize("bound", range(1, 257))
def test_below_is_even_over_all_accepted_bytes(bound: int) -> None:
    counts = [0] * bound
    accepted = 256 - 256 % bound
    for value in range(accepted):
        counts[seal.below(iter([value]), bound)] += 1
    assert set(counts) == {accepted // bound}


def test_below_passes_over_a_byte_that_would_bias_it() -> None:
    assert seal.below(iter([255, 250, 7]), 10) == 7


@pytest.mark.parametrize("packets", ["3-2", "2-3", "3-2-3-2", "2-3-2-3", "single"])
@pytest.mark.parametrize("dealer", range(4))
def test_four_seats_share_the_first_twenty_positions(packets: str, dealer: int) -> None:
    dealt = [place for seat in range(4) for place in positions(packets, dealer, seat)]
    assert sorted(dealt) == list(range(20))


@pytest.mark.parametrize(
    ("deck", "method", "start", "dealer"),
    [
        ("9C JD QC JS AC", "black_jack", 2, 1),
        ("9C JD QC JS AC", "any_jack", 2, 3),
        ("9C AD KC JS", "draw_low", 0, 1),
        ("9C AD KC JS", "draw_high", 3, 1),
        ("9C 9D KC JS TC 9H", "draw_low", 0, 1),
        ("9C 2S AD KC JS", "draw_low", 0, 1),
        ("9C 9D KC JS", "draw_low", 0, 0),
        ("9C 9D KC JS", "agreed", 3, 3),
    ],
)
def test_dealer_draw_goes_by_the_method(deck: str, method: str, start: int, dealer: int) -> None:
    assert drawn_dealer(deck.split(), method, start) == dealer


@pytest.mark.parametrize("number", [2**32, 2**53 - 1, 2**64 - 1])
def test_number_that_the_seal_cannot_hold_is_a_fault_of_the_referee(number: int) -> None:
    assert seal.u32(2**32 - 1) == b"\xff" * 4
    with pytest.raises(DealProofError, match=f"{number} is more than the seal can hold"):
        seal.u32(number)
