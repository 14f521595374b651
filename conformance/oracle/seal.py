"""The seal's arithmetic a second time: plain, slow, written from the protocol's text alone.

Bytes in, bytes out. A transcript is judged with it by `sealed`, and the vectors of the derivation
are made with it, so that no verifier is asked what it should have said.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256

P = "euchre-sealed/v1/"
SUITS = "CDHS"
RANKS = {"E24": "9TJQKA", "E25": "9TJQKA", "E28": "89TJQKA", "E32": "789TJQKA",
         "E25J": "9TJQKA", "E33J": "789TJQKA"}  # fmt: skip
EXTRA = {"E25": ["2S"], "E25J": ["BB"], "E33J": ["BB"]}


def u32(n: int) -> bytes:
    """Four bytes, big endian."""
    return bytes([n >> 24 & 255, n >> 16 & 255, n >> 8 & 255, n & 255])


def lp(*parts: bytes) -> bytes:
    """The count, then each part behind its length."""
    whole = u32(len(parts))
    for part in parts:
        whole += u32(len(part)) + part
    return whole


def tagged(tag: str, *parts: bytes) -> bytes:
    """The parts behind the protocol's name and a tag."""
    return lp((P + tag).encode(), *parts)


def th(tag: str, *parts: bytes) -> bytes:
    """SHA-256 of the parts behind their tag."""
    return sha256(tagged(tag, *parts)).digest()


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.new(key, message, sha256).digest()


def pack(name: str) -> list[str]:
    """The cards of a pack in the order in which the seal numbers them."""
    return [rank + suit for suit in SUITS for rank in RANKS[name]] + EXTRA.get(name, [])


def link_below(match: bytes, k: int, link: bytes) -> bytes:
    """R_{k-1} of R_k."""
    return th("ref-chain", match, u32(k), link)


def cut_byte(cut: int | None) -> bytes:
    """A cut as one byte, no cut as none."""
    return b"" if cut is None else bytes([cut])


def seat_seed(secret: bytes, match: bytes, deal: int) -> bytes:
    """The seed that a client draws from its secret."""
    return mac(secret, tagged("seat-seed", match, u32(deal)))


def seat_commit(match: bytes, deal: int, seat: int, seed: bytes, cut: int | None) -> bytes:
    """C_i."""
    return th("seat-commit", match, u32(deal), u32(seat), seed, cut_byte(cut))


def commit_set(
    match: bytes, deal: int, name: str, r_commit: bytes, commits: Sequence[bytes]
) -> bytes:
    """The hash over all commitments."""
    return th("commit-set", match, u32(deal), name.encode(), r_commit, *commits)


def deck_key(cset: bytes, r: bytes, seeds: Sequence[bytes], cut: int | None) -> bytes:
    """The key from which a deck follows."""
    return mac(th("deck-salt", cset), lp(r, *seeds, cut_byte(cut), b""))


def stream(key: bytes, tag: str) -> Iterator[int]:
    """The bytes of a stream, one after the other, without end."""
    j = 0
    while True:
        yield from mac(key, tagged(tag, u32(j)))
        j += 1


def below(source: Iterator[int], m: int) -> int:
    """A number below m from the next byte that is not rejected."""
    while True:
        x = next(source)
        if x < 256 - 256 % m:
            return x % m


def first_seat(key: bytes) -> int:
    """Where the dealer draw starts."""
    return below(stream(key, "first-seat"), 4)


def deck_of(key: bytes, name: str, cut: int | None) -> list[str]:
    """The cards in deal order."""
    cards = pack(name)
    source = stream(key, "deck-stream")
    for i in range(len(cards) - 1, 0, -1):
        j = below(source, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return [cards[(p + (cut or 0)) % len(cards)] for p in range(len(cards))]


def salt_of(key: bytes, position: int) -> bytes:
    """The salt of a position."""
    return mac(key, tagged("leaf-salt", u32(position)))


def leaf(match: bytes, deal: int, position: int, card: str, salt: bytes) -> bytes:
    """The leaf of one card."""
    parts = tagged("leaf", match, u32(deal), u32(position), card.encode(), salt)
    return sha256(b"\x00" + parts).digest()


def tree_head(leaves: Sequence[bytes]) -> bytes:
    """RFC 6962: split at the largest power of two below the number of leaves."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    left, right = tree_head(leaves[:split]), tree_head(leaves[split:])
    return sha256(b"\x01" + left + right).digest()


def hidden_move(match: bytes, deal: int, seat: int, cards: Sequence[tuple[int, bytes]]) -> bytes:
    """The commitment of a discard, a gift or a swap."""
    parts = [part for position, blind in cards for part in (u32(position), blind)]
    return th("hidden-move", match, u32(deal), u32(seat), *parts)


def key_id(name: str, key: bytes) -> str:
    """The eight digits between the name and the key."""
    return th("key-id", name.encode(), key).hex()[:8]


def event_head(before: bytes, event: bytes) -> bytes:
    """h_n."""
    return th("event", before, event)
