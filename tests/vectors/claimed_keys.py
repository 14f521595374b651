"""Claims about keys, signatures, signed messages and rosters."""

from base64 import b64encode
from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from conformance.jsontypes import Json
from conformance.oracle import seal
from tests.vectors.claimed_decks import Sealed
from tests.vectors.claims import MATCH, OTHER_MATCH, Claim, Truth, drawn, flipped, hexes

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
ORDER_8 = (
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
)
SIGN = 1 << 255


class Signer:
    """A key pair with a name."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self._key = Ed25519PrivateKey.from_private_bytes(bytes((number,)) * 32)
        self.raw = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.text = printed(name, self.raw)

    def sign(self, message: bytes) -> str:
        return self._key.sign(message).hex()


def printed(name: str, raw: bytes) -> str:
    """The form name+id+base64."""
    return f"{name}+{seal.key_id(name, raw)}+{b64encode(raw).decode()}"


REFEREE = Signer("referee", 0x51)
SEAT = Signer("east", 0x52)


def small_order() -> Iterator[tuple[str, str, bytes]]:
    """The eight points of small order, and encodings that are not reduced."""
    for name, comment, number in (
        ("identity", "the identity: every message verifies", 1),
        ("order-2", "a point of order 2", P - 1),
        ("order-4", "a point of order 4", 0),
        ("order-4-negative", "the other point of order 4", SIGN),
        ("order-8", "a point of order 8", int.from_bytes(bytes.fromhex(ORDER_8[0]), "little")),
        ("order-8-negative", "a point of order 8 with the sign set",
         int.from_bytes(bytes.fromhex(ORDER_8[0]), "little") | SIGN),
        ("order-8-other", "another point of order 8",
         int.from_bytes(bytes.fromhex(ORDER_8[1]), "little")),
        ("order-8-other-negative", "the fourth point of order 8",
         int.from_bytes(bytes.fromhex(ORDER_8[1]), "little") | SIGN),
        ("identity-signed", "the identity with the sign set", 1 | SIGN),
        ("p", "y = p, the point of order 4 not reduced", P),
        ("p-plus-1", "y = p + 1, the identity not reduced", P + 1),
        ("p-plus-18", "y = p + 18, the largest encoding", P + 18),
        ("p-plus-3-signed", "y = p + 3 with the sign set", (P + 3) | SIGN),
    ):  # fmt: skip
        yield name, comment, number.to_bytes(32, "little")


def key_claims() -> Iterator[Claim]:
    """`key`: the printed form of a key that may be used."""
    yield Claim("key", "a key in its form", ("key",), "key", {"key": REFEREE.text})
    raw, text = REFEREE.raw, REFEREE.text
    for name, comment, raw_key in small_order():
        yield wrong_key(name, comment, printed("referee", raw_key))
    for name, comment, key in (
        ("id", "the id of another key", text.replace(seal.key_id("referee", raw), "00000000")),
        ("name", "the id was made for another name", text.replace("referee", "umpire")),
        ("unpadded", "base64 without its padding", text.rstrip("=")),
        (
            "url",
            "base64 in the alphabet of addresses",
            printed("referee", b"\xfb" * 32).replace("+", "-").replace("-", "+", 2),
        ),
        ("short", "31 bytes", printed("referee", raw[:31])),
        ("long", "33 bytes", printed("referee", raw + b"\0")),
        ("hex", "hex in place of base64", f"referee+{seal.key_id('referee', raw)}+{raw.hex()}"),
        ("no-name", "an empty name", printed("", raw)),
        ("space", "a name with a space", printed("the referee", raw)),
        ("two-parts", "no id", f"referee+{b64encode(raw).decode()}"),
    ):
        yield wrong_key(name, comment, key)


def wrong_key(name: str, comment: str, key: str) -> Claim:
    return Claim(f"key-{name}", comment, ("key",), "key", {"key": key}, 4, "key")


def signature_claims() -> Iterator[Claim]:
    """`signature`: a signature of a message under a key, all in reduced form."""
    message = seal.tagged("sig/referee", drawn("head"))
    sig = REFEREE.sign(message)
    true = Truth("signature", "signature", {
        "key": REFEREE.text, "message": message.hex(), "sig": sig,
    }, party="file", exit=4)  # fmt: skip
    yield true.valid("sig", "the referee signs a head")
    r, s = bytes.fromhex(sig)[:32], int.from_bytes(bytes.fromhex(sig)[32:], "little")
    for name, comment, made in (
        ("s-plus-l", "S + L", r + (s + L).to_bytes(32, "little")),
        ("s-is-l", "S = L", r + L.to_bytes(32, "little")),
        ("s-high", "S with all bits set", r + b"\xff" * 32),
        ("r-p", "R with y = p", P.to_bytes(32, "little") + s.to_bytes(32, "little")),
        ("r-p-plus-1", "R with y = p + 1", (P + 1).to_bytes(32, "little") + bytes(32)),
        ("r-bit", "one bit of R is changed", bytes((r[0] ^ 1, *r[1:])) + s.to_bytes(32, "little")),
        ("s-plus-1", "S + 1", r + ((s + 1) % L).to_bytes(32, "little")),
        ("zero", "64 zero bytes", bytes(64)),
        ("short", "63 bytes", bytes.fromhex(sig)[:63]),
        ("long", "65 bytes", bytes.fromhex(sig) + b"\0"),
        ("none", "no signature", b""),
    ):
        yield true.invalid(f"sig-{name}", comment, sig=made.hex())
    yield true.invalid("sig-message", "another message", message=drawn("x").hex())
    yield true.invalid("sig-key", "the key of another", key=SEAT.text)
    untagged = REFEREE.sign(drawn("head"))
    yield true.invalid("sig-untagged", "the bare head is signed", "encoding", sig=untagged)
    as_seat = REFEREE.sign(seal.tagged("sig/seat/move", drawn("head")))
    yield true.invalid("sig-tag", "signed under another tag", "encoding", sig=as_seat)
    identity = b"\x01" + bytes(31)
    forged = Truth("signature", "signature", {
        "key": printed("referee", identity), "message": message.hex(),
        "sig": (identity + bytes(32)).hex(),
    }, party="key", exit=4)  # fmt: skip
    yield forged.invalid("sig-identity", "the identity signs anything in the usual libraries",
                         "key")  # fmt: skip


def message_claims() -> Iterator[Claim]:
    """`reveal`, `move`, `private_deal`, `receipt`: who signed what."""
    yield from reveal_and_move()
    yield from private_deal()
    items: list[Json] = [
        {"match": MATCH.hex(), "deal": 5, "seq": 7 + i, "head": drawn("head", i).hex()}
        for i in range(2)
    ]
    parts = [
        part for i in range(2)
        for part in (MATCH, seal.u32(5), seal.u32(7 + i), drawn("head", i))
    ]  # fmt: skip
    sig = REFEREE.sign(seal.tagged("receipt", seal.u32(2), *parts))
    true = Truth("receipt", "receipt", {"key": REFEREE.text, "items": items, "sig": sig},
                 party="file", exit=4)  # fmt: skip
    yield true.valid("receipt", "two accepted items in one receipt")
    yield true.valid("receipt-one", "one item", items=items[:1], sig=REFEREE.sign(
        seal.tagged("receipt", seal.u32(1), *parts[:4])))  # fmt: skip
    yield true.invalid("receipt-item-missing", "one item is left out", items=items[:1])
    yield true.invalid("receipt-order", "the items have changed places", items=items[::-1])
    other: Json = {"match": MATCH.hex(), "deal": 5, "seq": 7, "head": drawn("x").hex()}
    yield true.invalid("receipt-head", "another head", items=[other, items[1]])
    yield true.invalid("receipt-match", "another match", "replay", items=[
        {"match": OTHER_MATCH.hex(), "deal": 5, "seq": 7, "head": drawn("head", 0).hex()},
        items[1]])  # fmt: skip
    yield true.invalid("receipt-seat", "signed by a seat", sig=SEAT.sign(
        seal.tagged("receipt", seal.u32(2), *parts)))  # fmt: skip
    yield true.invalid("receipt-uncounted", "the count is left out", "encoding", sig=REFEREE.sign(
        seal.tagged("receipt", *parts)))  # fmt: skip


def reveal_and_move() -> Iterator[Claim]:
    cset, commit, head = drawn("cset"), drawn("commit"), drawn("head")
    where = (MATCH, seal.u32(5), seal.u32(1))
    true = Truth("reveal", "reveal", {
        "key": SEAT.text, "match": MATCH.hex(), "deal": 5, "seat": 1, "cset": cset.hex(),
        "commit": commit.hex(), "head": head.hex(),
        "sig": SEAT.sign(seal.tagged("sig/seat/reveal", *where, cset, commit, head)),
    }, party="seat", exit=4)  # fmt: skip
    yield true.valid("reveal", "a seat signs its reveal")
    yield true.invalid("reveal-cset", "a reveal for another commit set", cset=drawn("x").hex())
    yield true.invalid("reveal-commit", "a reveal of another commitment", commit=drawn("x").hex())
    yield true.invalid("reveal-head", "after another head", head=drawn("x").hex())
    yield true.invalid("reveal-deal", "a reveal of another deal", "replay", deal=6)
    yield true.invalid("reveal-match", "a reveal of another match", "replay",
                       match=OTHER_MATCH.hex())  # fmt: skip
    yield true.invalid("reveal-seat", "the reveal of another seat", seat=2)
    yield true.invalid("reveal-key", "signed by another", key=REFEREE.text)

    def signed(move: str) -> str:
        return SEAT.sign(seal.tagged(
            "sig/seat/move", MATCH, seal.u32(5), seal.u32(17), head, move.encode()))  # fmt: skip

    move = Truth("move", "move", {
        "key": SEAT.text, "match": MATCH.hex(), "deal": 5, "seq": 17, "prev": head.hex(),
        "move": "play JD", "sig": signed("play JD"),
    }, party="seat", exit=4)  # fmt: skip
    yield move.valid("move", "a seat signs a move")
    hidden = f"discard {drawn('commit').hex()}"
    yield move.valid("move-hidden", "a hidden move is signed by its commitment", "hidden",
                     move=hidden, sig=signed(hidden))  # fmt: skip
    yield move.invalid("move-other", "another move", move="play JH")
    yield move.invalid("move-seq", "the move of another event", "replay", seq=18)
    yield move.invalid("move-prev", "after another event", "replay", prev=drawn("x").hex())
    yield move.invalid("move-deal", "a move of another deal", "replay", deal=6)
    yield move.invalid("move-match", "a move of another match", "replay", match=OTHER_MATCH.hex())
    yield move.invalid("move-card", "a discard signed by its card", "hidden", move=hidden,
                       sig=signed("discard 9C"))  # fmt: skip


def private_deal() -> Iterator[Claim]:
    deal = Sealed()
    root = seal.tree_head(deal.leaves)
    places = [0, 1, 2, 12, 13]

    def signed(cards: list[tuple[int, str, bytes]], signer: Signer = REFEREE) -> dict[str, Json]:
        parts = [
            part for place, card, salt in cards
            for part in (seal.u32(place), card.encode(), salt)
        ]  # fmt: skip
        listed: list[Json] = [
            {"position": place, "card": card, "salt": salt.hex()} for place, card, salt in cards
        ]
        message = seal.tagged("private-deal", MATCH, seal.u32(5), seal.u32(1), root, *parts)
        return {"cards": listed, "sig": signer.sign(message)}

    def card_at(*wanted: int) -> list[tuple[int, str, bytes]]:
        return [(place, deal.deck[place], deal.salts[place]) for place in wanted]

    honest = signed(card_at(*places))
    true = Truth("private_deal", "private-deal", {
        "key": REFEREE.text, "match": MATCH.hex(), "deal": 5, "seat": 1, "root": root.hex(),
        "leaves": hexes(deal.leaves), "positions": list(places), **honest,
    })  # fmt: skip
    yield true.valid("private-deal", "five cards, each under its leaf")
    swap = signed(card_at(21, 22, 23))
    yield true.valid("private-deal-swap", "three cards of a swap", positions=[21, 22, 23], **swap)
    other = card_at(*places)
    other[2] = (2, deal.deck[3], deal.salts[2])
    yield true.invalid("private-deal-card", "another card, well signed", **signed(other))
    salted = card_at(*places)
    salted[4] = (13, deal.deck[13], deal.salts[12])
    yield true.invalid("private-deal-salt", "another salt, well signed", **signed(salted))
    yield true.invalid("private-deal-positions", "the cards of another seat, well signed",
                       **signed(card_at(3, 4, 5, 14, 15)))  # fmt: skip
    yield true.invalid("private-deal-four", "four cards, well signed",
                       **signed(card_at(*places[:4])))  # fmt: skip
    yield true.invalid("private-deal-twice", "one card twice, well signed",
                       **signed(card_at(0, 1, 2, 12, 12)))  # fmt: skip
    falling = signed(card_at(13, 12, 2, 1, 0))
    yield true.invalid("private-deal-order", "the positions do not rise, well signed", **falling)
    yield true.invalid("private-deal-leaf", "leaves that are not under the root",
                       leaves=hexes([drawn("x"), *deal.leaves[1:]]))  # fmt: skip
    unsigned = Truth("private_deal", "private-deal", true.input, party="file", exit=4)
    yield unsigned.invalid("private-deal-unsigned", "no signature", sig="")
    yield unsigned.invalid("private-deal-by-seat", "signed by a seat",
                           **signed(card_at(*places), SEAT))  # fmt: skip
    yield unsigned.invalid("private-deal-seat", "made for another seat", seat=2)
    yield unsigned.invalid("private-deal-deal", "made for another deal", "replay", deal=6)
    yield unsigned.invalid("private-deal-bit", "one bit of the signature",
                           sig=flipped(str(honest["sig"])))  # fmt: skip


FIRST, SECOND, THIRD = (Signer("umpire", 0x60 + i) for i in range(3))


def entry(key: Signer, since: int, before: Signer | None, **other: str) -> dict[str, Json]:
    """A line of a roster, signed by the key before it."""
    sig = ""
    if before is not None:
        sig = before.sign(seal.tagged(
            "roster", key.name.encode(), before.raw, key.raw, str(since).encode()))  # fmt: skip
    return {"from": str(since), "key": key.text, "name": key.name, "sig": sig, **other}


def roster_claims() -> Iterator[Claim]:
    """`roster`: every new key of a name is signed by the one before it."""
    start, succeeds, third = (
        entry(FIRST, 1000, None), entry(SECOND, 2000, FIRST), entry(THIRD, 3000, SECOND),
    )  # fmt: skip
    true = Truth("roster", "roster", {"entries": [start, succeeds, third]},
                 party="key", exit=4)  # fmt: skip
    yield true.valid("roster", "three keys, each signed by the one before")
    seat = entry(SEAT, 500, None)
    yield true.valid("roster-names", "two names side by side", entries=[start, seat, succeeds])
    yield true.invalid("roster-unsigned", "a new key without a signature", entries=[
        start, entry(SECOND, 2000, None)])  # fmt: skip
    yield true.invalid("roster-by-itself", "a new key that signed itself", entries=[
        start, entry(SECOND, 2000, SECOND)])  # fmt: skip
    yield true.invalid("roster-by-first", "the third key is signed by the first", entries=[
        start, succeeds, entry(THIRD, 3000, FIRST)])  # fmt: skip
    yield true.invalid("roster-from", "another time than the signed one", entries=[
        start, {**succeeds, "from": "1500"}])  # fmt: skip
    yield true.invalid("roster-back", "a key that begins before the one before it", entries=[
        start, entry(SECOND, 900, FIRST)])  # fmt: skip
    yield true.invalid("roster-first-signed", "the first key of a name is signed", entries=[
        entry(FIRST, 1000, SECOND)])  # fmt: skip
    yield true.invalid("roster-name", "the key is of another name", entries=[
        {**start, "name": "judge"}])  # fmt: skip
    yield true.invalid("roster-key-again", "the same key again", entries=[
        start, entry(FIRST, 2000, FIRST)])  # fmt: skip
    identity = printed("umpire", b"\x01" + bytes(31))
    yield true.invalid("roster-small-order", "a key of small order", entries=[
        {**start, "key": identity}])  # fmt: skip
    for name, comment, since in (
        ("leading-zero", "a leading zero in the time", "01000"),
        ("sign", "a sign in the time", "+1000"),
        ("fraction", "a fraction in the time", "1000.0"),
    ):
        yield true.invalid(f"roster-{name}", comment, entries=[{**start, "from": since}])
