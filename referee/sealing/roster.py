"""A roster: which keys a name has had, each new one signed by the one before it.

JSON Lines, one key a line: `{"from":MS,"key":KEY,"name":NAME,"sig":SIG}` in canonical form. MS is
decimal text, KEY the public form of the key, SIG hex: empty on the first key of a name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Final

from referee.errors import RefereeError
from referee.sealing.canonical import LARGEST, dump, parse
from referee.sealing.errors import KeyFormError, UnreadableError
from referee.sealing.fields import Fields
from referee.sealing.keys import SIGNATURE_SIZE, SigningKey, VerifyKey, parse_key
from referee.sealing.messages import roster_bytes

_TIME: Final = re.compile(r"0|[1-9][0-9]{0,15}")


class RosterError(RefereeError, ValueError):
    """A roster in which a key does not stand as it must."""

    exit_code: ClassVar[int] = 4


class Roster:
    """The keys of every name, in the order in which they came."""

    __slots__ = ("_keys",)

    def __init__(self) -> None:
        self._keys: dict[str, list[tuple[int, VerifyKey]]] = {}

    @classmethod
    def read(cls, lines: Iterable[bytes]) -> "Roster":
        """The roster in lines without line feeds; RosterError names the first wrong line."""
        roster = cls()
        for number, line in enumerate(lines, start=1):
            try:
                roster.add(parse(line))
            except (UnreadableError, KeyFormError, RosterError) as err:
                raise RosterError(f"line {number} of the roster: {err}") from err
        if not roster._keys:
            raise RosterError("the roster lists no key (write one with roster add)")
        return roster

    def entries(self) -> Iterator[tuple[int, VerifyKey, bool]]:
        """Since when a key is in use, the key, and whether no other has succeeded it."""
        for keys in self._keys.values():
            for since, key in keys:
                yield since, key, key is keys[-1][1]

    def add(self, entry: Mapping[str, object]) -> None:
        """Take in the fields of one line."""
        fields = Fields(dict(entry), "the entry")
        name, since = fields.text("name"), _time(fields)
        key = parse_key(fields.text("key"))
        sig = fields.take("sig")
        given = b"" if sig == "" else fields.bytes_of("sig", sig, SIGNATURE_SIZE)
        fields.end()
        if key.name != name:
            raise RosterError(f"the key is of {key.name!r}, and the name is {name!r}")
        keys = self._keys.setdefault(name, [])
        if keys:
            self._check_succession(keys, key, since, given)
        elif given:
            raise RosterError(f"the first key of {name!r} is signed, and no key stands before it")
        keys.append((since, key))

    @staticmethod
    def _check_succession(
        keys: list[tuple[int, VerifyKey]], key: VerifyKey, since: int, sig: bytes
    ) -> None:
        before, old = keys[-1]
        if since <= before:
            raise RosterError(f"the new key of {key.name!r} does not begin after the one before it")
        if key in (known for _, known in keys):
            raise RosterError(f"{key.name!r} has had this key before")
        if not old.accepts(sig, roster_bytes(key.name, old.raw, key.raw, since)):
            raise RosterError(f"the new key of {key.name!r} is not signed by the one before it")

    def refusal(self, text: str, at_ms: int) -> str | None:
        """Why a key does not stand for its name at a time, or None where it does.

        A text that is no key at all is left to the check of its form.
        """
        try:
            key = parse_key(text)
        except KeyFormError:
            return None
        keys = self._keys.get(key.name, [])
        for index, (since, known) in enumerate(keys):
            if known != key:
                continue
            if at_ms < since:
                return f"the key {key.text!r} was not in use yet: the roster has it from {since}"
            if index + 1 < len(keys) and at_ms >= keys[index + 1][0]:
                return f"the key {key.text!r} had been succeeded by {keys[index + 1][1].text!r}"
            return None
        return f"the roster does not list the key {key.text!r}"


def _time(fields: Fields) -> int:
    text = fields.text("from")
    if not _TIME.fullmatch(text) or int(text) > LARGEST:
        raise UnreadableError(f"not a time in milliseconds, as decimal text: {text!r}")
    return int(text)


def roster_line(key: VerifyKey, since_ms: int, old: SigningKey | None = None) -> bytes:
    """The line that adds a key to a roster, signed by the key before it where there is one."""
    sig = b""
    if old is not None:
        sig = old.sign(roster_bytes(key.name, old.public.raw, key.raw, since_ms))
    return dump({"from": str(since_ms), "key": key.text, "name": key.name, "sig": sig.hex()})
