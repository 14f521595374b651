"""Ed25519 keys and signatures: the referee's, in the form that players pin, and a seat's own."""

import base64
import binascii
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from euchre_bot.errors import UsageError
from euchre_bot.files import read_file
from euchre_bot.seal import tagged_hash

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
_P: Final = 2**255 - 19
_L: Final = 2**252 + 27742317777372353535851937790883648493
_Y_MASK: Final = 2**255 - 1
_ORDER_EIGHT: Final = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
# The y of the eight points of small order: under such a key one signature fits any message.
_SMALL_ORDER_Y: Final = frozenset({0, 1, _P - 1, _ORDER_EIGHT, _P - _ORDER_EIGHT})
_NAME: Final = re.compile(r"[!#-*,-\[\]-~]{1,32}")


def _y(point: bytes) -> int:
    return int.from_bytes(point, "little") & _Y_MASK


def usable_key(public: bytes) -> bool:
    """Whether bytes are a public key that can be trusted to mean one signer."""
    if len(public) != KEY_BYTES:
        return False
    y = _y(public)
    return y < _P and y not in _SMALL_ORDER_Y


def verifies(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature is this key's over the message; malleable forms are refused."""
    if len(signature) != SIGNATURE_BYTES or not usable_key(public):
        return False
    if _y(signature[:32]) >= _P or int.from_bytes(signature[32:], "little") >= _L:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(name: str, public: bytes) -> str:
    """The short id of a named key, in hex."""
    return tagged_hash("key-id", name.encode("ascii"), public)[:4].hex()


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key with the name that its holder gave it."""

    name: str
    public: bytes

    @classmethod
    def parse(cls, text: str) -> Self:
        """The key in the form `name+id+base64`; anything else is a UsageError."""
        form = "write name+id+base64, as the referee prints it"
        parts = text.split("+", 2)
        if len(parts) != 3 or not _NAME.fullmatch(parts[0]):  # noqa: PLR2004 - the three of the form
            raise UsageError(f"not a referee key: {text!r} ({form})")
        name, short, encoded = parts
        try:
            public = base64.b64decode(encoded.encode("ascii"), validate=True)
        except (binascii.Error, ValueError) as err:
            raise UsageError(f"not a referee key: {text!r} has no base64 ({form})") from err
        if not usable_key(public) or base64.b64encode(public).decode() != encoded:
            raise UsageError(f"not a referee key: {text!r} holds no Ed25519 key ({form})")
        if key_id(name, public) != short:
            raise UsageError(
                f"the referee key {text!r} has the id {short!r} of another key"
                f" (copy it again; its own id is {key_id(name, public)})"
            )
        return cls(name, public)

    def text(self) -> str:
        """The key as it is written on a command line."""
        encoded = base64.b64encode(self.public).decode()
        return f"{self.name}+{key_id(self.name, self.public)}+{encoded}"


class SeatKey:
    """A seat's private key; nothing but its public half is ever shown."""

    __slots__ = ("_key", "public")

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw()

    @classmethod
    def load(cls, path: Path) -> Self:
        """The key in a PKCS8 PEM file, as `euchre-referee keygen` writes it."""
        pem = read_file(path, "the key", private=True)
        try:
            key = load_pem_private_key(pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise UsageError(
                f"{str(path)!r} holds no Ed25519 key in PKCS8 PEM form"
                " (make one with euchre-referee keygen)"
            )
        return cls(key)

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the signature."""
        return self._key.sign(message)
