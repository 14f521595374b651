"""What is drawn from the server's secret: match ids, tokens and invitation codes.

Each can be drawn again from what a client has, so that a retried call gets what the first one got,
and none needs to be kept.
"""

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Final

from referee.sealing.keys import SigningKey

ID_SIZE: Final = 16
CODE_SYMBOLS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O and U, which would be misheard or misread."""
CODE_LENGTH: Final = 12
"""Sixty bits; whoever guesses is slowed down besides."""
GROUP: Final = 4
_HEARD: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": "", " ": ""})


@dataclass(frozen=True, slots=True)
class Tickets:
    """The tokens of a match: the four seats', and the one for watching.

    `codes` are the invitations to the seats that are open to others, and good until `until_ms`;
    nobody holds the tokens of those seats.
    """

    match: bytes
    seats: tuple[str, str, str, str] = field(repr=False)
    watching: str = field(repr=False)
    codes: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    until_ms: int = 0


class Mint:
    """The server's secret, and all that it makes."""

    def __init__(self, key: SigningKey) -> None:
        self._secret = hashlib.sha256(b"euchre-referee/tokens\0" + key.pem()).digest()

    def match_id(self, request_id: bytes) -> bytes:
        """The id of the match that a request makes."""
        return self._mac(b"match", request_id)[:ID_SIZE]

    def tickets(self, match: bytes, request_id: bytes) -> Tickets:
        """The tokens of the match that a request makes."""
        north, east, south, west, watching = (
            self._mac(match, bytes((place,)), request_id).hex() for place in range(5)
        )
        return Tickets(match, (north, east, south, west), watching)

    def joined(self, match: bytes, seat: int, request_id: bytes) -> str:
        """The token that whoever takes up an invitation with this request gets."""
        return self._mac(b"join", match, bytes((seat,)), request_id).hex()

    def code(self, match: bytes, seat: int) -> str:
        """The invitation to a seat, as `7KQM-2D9X-RT4W`."""
        drawn = int.from_bytes(self._mac(b"invitation", match, bytes((seat,)))[:8]) >> 4
        text = "".join(CODE_SYMBOLS[drawn >> 5 * n & 31] for n in reversed(range(CODE_LENGTH)))
        return "-".join(text[at : at + GROUP] for at in range(0, CODE_LENGTH, GROUP))

    def _mac(self, *parts: bytes) -> bytes:
        return hmac.digest(self._secret, b"\0".join(parts), "sha256")


def heard_code(text: str) -> str:
    """A code as it was heard or typed, in its one form; empty where it cannot be one.

    >>> heard_code("7kqm 2d9x rtow")
    '7KQM2D9XRT0W'
    """
    heard = text.upper().translate(_HEARD)
    good = len(heard) == CODE_LENGTH and all(symbol in CODE_SYMBOLS for symbol in heard)
    return heard if good else ""
