"""Ed25519 keys and signatures in the one form that is accepted (RFC 8032).

The usual libraries accept the identity as a key, under which any message verifies, and encodings
that are not reduced. Both are refused here before the library sees them.
"""

import binascii
from base64 import b64decode, b64encode
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from referee.sealing.errors import KeyFormError, UnsoundKeyError
from referee.sealing.messages import key_id

KEY_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64
LONGEST_NAME: Final = 64

_P: Final = 2**255 - 19
_L: Final = 2**252 + 27742317777372353535851937790883648493
_SIGN_BIT: Final = 1 << 255
# The y of the points of order 1, 2, 4 and 8; the sign of x is left aside, so all eight are met.
_SMALL_ORDER_Y: Final = frozenset(
    {
        0,
        1,
        _P - 1,
        int.from_bytes(
            bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
            "little",
        ),
        int.from_bytes(
            bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
            "little",
        ),
    }
)


def _y(encoded: bytes) -> int:
    return int.from_bytes(encoded, "little") & ~_SIGN_BIT


def name_fault(name: str) -> str | None:
    """Why a text cannot name a key, or None where it can."""
    if not 1 <= len(name) <= LONGEST_NAME:
        return f"it has {len(name)} characters, and 1 to {LONGEST_NAME} are allowed"
    if not all("!" <= ch <= "~" and ch not in '+"\\' for ch in name):
        return "only printable ASCII without space, plus sign, quote and backslash is allowed"
    return None


class VerifyKey:
    """A public key with its name; equal where name and bytes are."""

    __slots__ = ("_key", "name", "raw")

    def __init__(self, name: str, raw: bytes) -> None:
        fault = name_fault(name)
        if fault:
            raise KeyFormError(f"not a name for a key: {name!r} ({fault})")
        if len(raw) != KEY_SIZE:
            raise KeyFormError(f"a public key has {KEY_SIZE} bytes, not {len(raw)}: {raw.hex()!r}")
        if _y(raw) >= _P:
            raise UnsoundKeyError(f"a public key that is not reduced: {raw.hex()!r} (refuse it)")
        if _y(raw) in _SMALL_ORDER_Y:
            raise UnsoundKeyError(f"a public key of small order: {raw.hex()!r} (refuse it)")
        self.name = name
        self.raw = raw
        try:
            self._key = Ed25519PublicKey.from_public_bytes(raw)
        except (ValueError, UnsupportedAlgorithm) as err:
            raise KeyFormError(f"not a public key: {raw.hex()!r}") from err

    @property
    def id(self) -> str:
        """Eight hex digits of the name and the key."""
        return key_id(self.name, self.raw)

    @property
    def text(self) -> str:
        """The public form: `name+id+base64`."""
        return f"{self.name}+{self.id}+{b64encode(self.raw).decode('ascii')}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VerifyKey) and (self.name, self.raw) == (other.name, other.raw)

    def __hash__(self) -> int:
        return hash((self.name, self.raw))

    def __repr__(self) -> str:
        return f"VerifyKey({self.text!r})"

    def accepts(self, signature: bytes, message: bytes) -> bool:
        """Whether a signature of a message is this key's, in reduced form."""
        if len(signature) != SIGNATURE_SIZE or _y(signature[:32]) >= _P:
            return False
        if int.from_bytes(signature[32:], "little") >= _L:
            return False
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


class UnsoundKey:
    """The place of a key that may not be used: it accepts nothing."""

    __slots__ = ()

    @staticmethod
    def accepts(_signature: bytes, _message: bytes) -> bool:
        """No signature counts."""
        return False


class SigningKey:
    """A private key with its name. Its repr shows the public half alone."""

    __slots__ = ("_key", "public")

    def __init__(self, name: str, key: Ed25519PrivateKey) -> None:
        self._key = key
        raw = key.public_key().public_bytes(
            serialization.Encoding.Raw, serialization.PublicFormat.Raw
        )
        self.public = VerifyKey(name, raw)

    @classmethod
    def from_bytes(cls, name: str, private: bytes) -> "SigningKey":
        """The key of 32 private bytes, which the caller draws."""
        if len(private) != KEY_SIZE:
            raise KeyFormError(f"a private key has {KEY_SIZE} bytes, not {len(private)}")
        return cls(name, Ed25519PrivateKey.from_private_bytes(private))

    @classmethod
    def from_pem(cls, name: str, pem: bytes) -> "SigningKey":
        """The key of a PKCS8 PEM file's bytes, unencrypted."""
        try:
            key = serialization.load_pem_private_key(pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as err:
            raise KeyFormError(
                "not an unencrypted private key in PKCS8 PEM form (make one with keygen)"
            ) from err
        if not isinstance(key, Ed25519PrivateKey):
            raise KeyFormError("not an Ed25519 key (make one with keygen)")
        return cls(name, key)

    @property
    def name(self) -> str:
        """The name that stands before the plus sign of the public form."""
        return self.public.name

    def pem(self) -> bytes:
        """The private key as PKCS8 PEM: write it with mode 0600, and nowhere else."""
        return self._key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the signature."""
        return self._key.sign(message)

    def __repr__(self) -> str:
        return f"SigningKey(public={self.public.text!r})"


def parse_key(text: str) -> VerifyKey:
    """The key of a public form `name+id+base64`, whose id must be its own."""
    name, plus, rest = text.partition("+")
    claimed, plus2, encoded = rest.partition("+")
    if not (plus and plus2):
        raise KeyFormError(f"not a public key: {text!r} (write it as name+id+base64)")
    try:
        raw = b64decode(encoded.encode("ascii"), validate=True)
    except (binascii.Error, ValueError) as err:
        raise KeyFormError(f"not base64 with padding in the public key {text!r}") from err
    key = VerifyKey(name, raw)
    if b64encode(raw).decode("ascii") != encoded:
        raise KeyFormError(f"not the one base64 form of the public key {text!r}")
    if claimed != key.id:
        raise KeyFormError(f"the id of the public key {text!r} is {key.id!r}, not {claimed!r}")
    return key
