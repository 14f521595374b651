"""Makes `board-v1.json`: what follows from the secrets of sealed boards, to the byte.

Written from the page of the seal alone, with hashlib and hmac, and plainly rather than fast: it
shares nothing with the package, so that the two can be held against each other.

    python -m tests.vectors.boards
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("board-v1.json")
FORMAT: Final = "euchre-board-vectors/1"
NOTE: Final = "All secrets here are test values: patterns, or hashes of a word."
PREFIX: Final = b"euchre-sealed/v1/"
RANKS: Final = {"E24": "9TJQKA", "E28": "89TJQKA", "E32": "789TJQKA"}
LAST: Final = {"E25": ("E24", "2S"), "E25J": ("E24", "BB"), "E33J": ("E32", "BB")}


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def lp(*parts: bytes) -> bytes:
    return u32(len(parts)) + b"".join(u32(len(part)) + part for part in parts)


def tagged_hash(tag: str, *parts: bytes) -> bytes:
    return hashlib.sha256(lp(PREFIX + tag.encode(), *parts)).digest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def cards_of(pack: str) -> list[str]:
    base, last = LAST.get(pack, (pack, ""))
    cards = [rank + suit for suit in "CDHS" for rank in RANKS[base]]
    return [*cards, last] if last else cards


def stream(key: bytes) -> Iterator[int]:
    number = 0
    while True:
        yield from mac(key, lp(PREFIX + b"deck-stream", u32(number)))
        number += 1


def shuffled(key: bytes, pack: str) -> list[str]:
    cards = cards_of(pack)
    source = stream(key)
    order = list(range(len(cards)))
    for i in range(len(cards) - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        byte = next(source)
        while byte >= limit:
            byte = next(source)
        j = byte % (i + 1)
        order[i], order[j] = order[j], order[i]
    return [cards[place] for place in order]


def tree(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + tree(leaves[:split]) + tree(leaves[split:])).digest()


def word(*parts: object) -> bytes:
    return hashlib.sha256(" ".join(map(str, parts)).encode()).digest()


def board(name: str, pack: str, tables: int, declined: tuple[int, ...] = ()) -> dict[str, object]:
    """One board: its secrets, and everything that follows from them."""
    identity = word("board", name)[:16]
    r = word("r", name)
    seeds = [b"" if j in declined else word("seed", name, j) for j in range(4 * tables)]
    r1 = tagged_hash("ref-chain", identity, u32(2), r)
    commits = [
        tagged_hash("seat-commit", identity, u32(1), u32(j), seed, b"")
        for j, seed in enumerate(seeds)
    ]
    cset = tagged_hash("commit-set", identity, u32(1), pack.encode(), r1, *commits)
    key = mac(tagged_hash("deck-salt", cset), lp(r, *seeds, b"", b""))
    deck = shuffled(key, pack)
    salts = [mac(key, lp(PREFIX + b"leaf-salt", u32(p))) for p in range(len(deck))]
    leaves = [
        hashlib.sha256(
            b"\x00" + lp(PREFIX + b"leaf", identity, u32(1), u32(p), card.encode(), salt)
        ).digest()
        for p, (card, salt) in enumerate(zip(deck, salts, strict=True))
    ]
    head = word("head", name)
    last = len(seeds) - 1
    reveal = lp(PREFIX + b"sig/seat/reveal", identity, u32(1), u32(last), cset, commits[last], head)
    opened = [part for p in range(5) for part in (u32(p), deck[p].encode(), salts[p])]
    dealt = lp(PREFIX + b"private-deal", identity, u32(1), u32(2), tree(leaves), *opened)
    return {
        "id": name,
        "board": identity.hex(),
        "pack": pack,
        "tables": tables,
        "r": r.hex(),
        "seeds": [seed.hex() for seed in seeds],
        "r1": r1.hex(),
        "commits": [commit.hex() for commit in commits],
        "cset": cset.hex(),
        "deck_key": key.hex(),
        "deck": " ".join(deck),
        "salts": [salt.hex() for salt in salts],
        "leaves": [leaf.hex() for leaf in leaves],
        "root": tree(leaves).hex(),
        "head": head.hex(),
        "last_reveal_signed": reveal.hex(),
        "first_five_to_south_signed": dealt.hex(),
    }


def document() -> str:
    """The file's text."""
    boards = [
        board("two tables", "E24", 2),
        board("six tables", "E24", 6),
        board("one table", "E25", 1),
        board("a large pack", "E33J", 2),
        board("eight ranks", "E32", 2),
        board("seats that have declined", "E28", 2, (0, 5)),
        board("many tables", "E25J", 16),
    ]
    value = {"format": FORMAT, "note": NOTE, "boards": boards}
    return json.dumps(value, indent=1) + "\n"


def main() -> None:
    """Write the file."""
    FILE.write_text(document(), encoding="ascii")


if __name__ == "__main__":
    main()
