"""Operators: who they are, by the SHA-256 of their tokens."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Self

from referee.errors import RefereeError

NOBODY_IN_PARTICULAR: Final = "loopback"
"""Who asks where no operator is named: anybody on this machine."""
UNNAMED: Final = "operator"
SHORTEST_TOKEN: Final = 16
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TOKEN: Final = re.compile(r"[!-~]+")


class OperatorsError(RefereeError):
    """What names the operators cannot be used; the message never holds a token."""


def token_lines(text: str, where: str) -> list[tuple[str, str]]:
    """The names and tokens of a file of lines `NAME TOKEN`, or of one token alone."""
    found: list[tuple[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        name, token = (UNNAMED, *words)[-2:]
        good = _NAME.fullmatch(name) and _TOKEN.fullmatch(token)
        if len(words) > len((name, token)) or not good:
            raise OperatorsError(
                f"{where}: line {number} is not NAME TOKEN, a name of letters, digits, . _ - and a"
                " token of printable ASCII (correct the line)"
            )
        found.append((name, token))
    if not found:
        raise OperatorsError(f"{where} holds no token (write lines of NAME TOKEN)")
    return found


@dataclass(frozen=True, slots=True)
class Operators:
    """The operators of a server; where there is none, everybody on loopback is one."""

    known: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]], where: str) -> Self:
        """Operators by name and token; one may have several, of which one is on its way out."""
        known: list[tuple[str, bytes]] = []
        for name, token in pairs:
            if len(token) < SHORTEST_TOKEN:
                raise OperatorsError(
                    f"{where}: the token of {name} has {len(token)} characters, which can be"
                    f" guessed (draw at least {SHORTEST_TOKEN}, as openssl rand -hex 32 does)"
                )
            known.append((name, _digest(token)))
        if len({kept for _, kept in known}) < len(known):
            raise OperatorsError(f"{where}: a token stands there twice (draw one each)")
        return cls(tuple(known))

    def __bool__(self) -> bool:
        return bool(self.known)

    def name_of(self, token: str) -> str | None:
        """Whose token it is; the time it takes does not depend on how much of it is right."""
        given, name = _digest(token), None
        for known, kept in self.known:
            if hmac.compare_digest(given, kept):
                name = known
        return name


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
