"""The flags of a bot, and what they come to."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, Self

from euchre_bot.errors import UsageError
from euchre_bot.files import LONGEST_LINE, default_directory, read_file
from euchre_bot.signatures import PublicKey, SeatKey
from euchre_bot.voice import say

_NAME: Final = re.compile(r"[!#-*,-\[\]-~]{1,32}")
LEVELS: Final = ("plays", "seeds", "checks", "signs")
_LOCAL: Final = re.compile(r"unix:.*|(?:localhost|127(?:\.\d+){3}|\[::1\]):\d+")

_LAST_PORT: Final = 0xFFFF
_PORT: Final = re.compile(r"unix:.+|(?:\w+:(?://[^/]*/)?)?(?:\[[^\[\]\s]+\]|[^:\[\]\s]+):\d{1,5}")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line, as everything else is said."""

    def error(self, message: str) -> NoReturn:
        """Say it, and end with exit status 2."""
        say(message if message.endswith(")") else f"{message} (--help lists the flags)")
        sys.exit(UsageError.exit_code)


class _File(argparse.Action):
    """Takes the name of a file, which `--state-file "$STATE"` is not where there is no STATE."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Put it among the flags."""
        if not isinstance(values, str) or not values:
            parser.error(empty(option_string or self.dest))
        setattr(namespace, self.dest, Path(values))


def empty(flag: str) -> str:
    """What is said of a flag with nothing in it."""
    return f"{flag} is empty (give it a value, or leave it out)"


def argument_parser(name: str, description: str) -> argparse.ArgumentParser:
    """A parser with the flags that every bot has; add your own to it."""
    folder = default_directory()
    parser = _Parser(description=description)
    add = parser.add_argument
    add("--referee", metavar="HOST:PORT", default="127.0.0.1:8377", help="where the referee is")
    add("--token-file", action=_File, help="file with the seat's token (or set EUCHRE_TOKEN)")
    add("--invitation", metavar="CODE", help="take the seat of CODE; its token goes to the file")
    add("--name", default=name, help=f"the bot's name at the table (default: {name})")
    add("--level", choices=LEVELS, help="what we do for the seal (default: checks)")
    add("--seat-key", action=_File, help="the seat's private key (PEM): sign every reveal and move")
    seeds = f"32 bytes of our seeds (default: a seat's in {folder})"
    add("--secret-file", action=_File, help=seeds)
    add("--state-file", action=_File, help="what we committed to (default: as for the secret)")
    add("--receipts", action=_File, help="folder of the referee's receipts (default: by the state)")
    add("--key", "--referee-key", help="the referee's public key to insist on: name+id+base64")
    add("--ca", action=_File, help="PEM file of the authority behind the referee's TLS certificate")
    add("--cert", action=_File, help="our own certificate (PEM), where the referee asks for one")
    add("--cert-key", action=_File, help="its private key (PEM)")
    add("--insecure", action="store_true", help="send the token in the clear to another machine")
    return parser


@dataclass(frozen=True, slots=True)
class Options:
    """Where to play, as whom, and with which files."""

    referee: str
    token: str
    name: str
    secret_file: Path | None = None
    state_file: Path | None = None
    receipts: Path | None = None
    level: str = "checks"
    seat_key: SeatKey | None = None
    key: PublicKey | None = None
    ca: bytes | None = None
    identity: tuple[bytes, bytes] | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                f"not a name for a bot: {self.name!r}"
                ' (1 to 32 printable ASCII characters without space, ", \\ and +)'
            )

    @classmethod
    def read(cls, flags: argparse.Namespace) -> Self:
        """The options that parsed flags come to; files are read here."""
        check_place(flags)
        level = flags.level or ("signs" if flags.seat_key else "checks")
        if (level == "signs") != (flags.seat_key is not None):
            raise UsageError(
                f"level {level} and --seat-key do not go together: give the key to sign with"
                " --level signs, or neither"
            )
        return cls(
            referee=flags.referee,
            token=_token(flags.token_file),
            name=flags.name,
            secret_file=flags.secret_file,
            state_file=flags.state_file,
            receipts=flags.receipts,
            level=level,
            seat_key=None if flags.seat_key is None else SeatKey.load(flags.seat_key),
            key=None if flags.key is None else PublicKey.parse(flags.key),
            ca=None if flags.ca is None else authority(flags.ca),
            identity=identity_of(flags.ca, flags.cert, flags.cert_key),
        )

    def files(self, match: str, seat: str) -> tuple[Path, Path, Path]:
        """Secret, state and receipts of a seat; no two seats share them unless they are named."""
        stem = re.sub(r"[^A-Za-z0-9_-]", "_", self.name)
        home = default_directory()
        state = self.state_file or home / f"{stem}-{seat}.state.jsonl"
        folder = self.receipts or state.parent / "receipts"
        secret = self.secret_file or home / f"{stem}-{seat}.secret"
        return secret, state, folder / f"{match}-{seat}.jsonl"


def check_place(flags: argparse.Namespace) -> None:
    """An address has a port, and a token goes to another machine over TLS unless we are told."""
    port = flags.referee.rpartition(":")[2]
    is_path = flags.referee.startswith("unix:")
    if not _PORT.fullmatch(flags.referee) or not (is_path or 0 < int(port) <= _LAST_PORT):
        raise UsageError(
            f"--referee {flags.referee!r} names no port (give HOST:PORT, as 127.0.0.1:8377 or"
            " [::1]:8377, or unix:PATH)"
        )
    if flags.ca is None and not flags.insecure and not _LOCAL.fullmatch(flags.referee):
        raise UsageError(
            f"{flags.referee!r} is not this machine: a token goes there only over TLS"
            " (give --ca FILE, or --insecure to send it in the clear)"
        )


def identity_of(ca: Path | None, cert: Path | None, key: Path | None) -> tuple[bytes, bytes] | None:
    """Our private key and certificate, for a referee that asks who dials in."""
    if cert is None and key is None:
        return None
    if cert is None or key is None or ca is None:
        raise UsageError("--cert, --cert-key and --ca go together: give all three, or --ca alone")
    return (
        _pem(key, "the certificate's key", "PRIVATE KEY"),
        _pem(cert, "the certificate", "CERTIFICATE"),
    )


def authority(path: Path) -> bytes:
    """The certificates of those who vouch for the referee's."""
    return _pem(path, "the authority", "CERTIFICATE")


def _pem(path: Path, what: str, kind: str) -> bytes:
    """A file in PEM form; whether its parts are sound is for TLS to say."""
    pem = read_file(path, what)
    if not re.search(rf"-----BEGIN [A-Z ]*{kind}-----".encode(), pem):
        raise UsageError(f"{what} {str(path)!r} holds no {kind.lower()} in PEM form (name another)")
    return pem


def _token(path: Path | None) -> str:
    if path is None:
        where, text = "EUCHRE_TOKEN", os.environ.get("EUCHRE_TOKEN", "")
        if not text:
            raise UsageError("no token: give --token-file FILE, or set EUCHRE_TOKEN")
    else:
        where = f"the token file {str(path)!r}"
        text = read_file(path, "the token", most=LONGEST_LINE).decode("ascii", "replace")
    token = text.strip()
    if not re.fullmatch(r"[!-~]+", token):
        raise UsageError(f"{where} holds no token: give --token-file FILE with the token alone")
    return token
