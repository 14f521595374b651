"""Each client told wrong things on its command line, or by its files: one line, and exit 2."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from referee.sealing import SigningKey
from tests.clients.house import Bot
from tests.clients.known import Client
from tests.service.certificates import Authority

NOBODY: Final = "127.0.0.1:1"
FLAGS: Final = (
    *("--referee", "--token-file", "--invitation", "--name", "--level", "--seat-key"),
    *("--secret-file", "--state-file", "--receipts", "--key", "--referee-key", "--ca", "--cert"),
    *("--cert-key", "--insecure"),
)
FILE_FLAGS: Final = (
    *("--token-file", "--seat-key", "--secret-file", "--state-file", "--receipts"),
    *("--ca", "--cert", "--cert-key"),
)
ENDLESS: Final = 100 << 20
WEAK_KEY: Final = "referee+5fd93f2a+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
"""The identity of the group, under which anything is signed; its id is right."""


@dataclass(frozen=True)
class Wrong:
    """A command line that cannot be right; `named` is what the answer has to speak of."""

    name: str
    named: str
    words: Callable[[Path], tuple[str, ...]]


def plain(*words: str) -> Callable[[Path], tuple[str, ...]]:
    return lambda _folder: words


def file(flag: str, text: str, *more: str, mode: int = 0o600) -> Callable[[Path], tuple[str, ...]]:
    """A flag that names a file with some text in it."""

    def words(folder: Path) -> tuple[str, ...]:
        path = folder / "given"
        path.write_text(text, "latin-1")
        path.chmod(mode)
        return (flag, str(path), *more)

    return words


def folder_for(flag: str, *more: str) -> Callable[[Path], tuple[str, ...]]:
    """A flag that names a folder where a file should be."""

    def words(folder: Path) -> tuple[str, ...]:
        (folder / "given").mkdir()
        return (flag, str(folder / "given"), *more)

    return words


def long_file(flag: str, size: int) -> Callable[[Path], tuple[str, ...]]:
    """A flag that names a file that is longer than what belongs there; it takes no room on disk."""

    def words(folder: Path) -> tuple[str, ...]:
        path = folder / "given"
        path.touch(mode=0o600)
        os.truncate(path, size)
        return (flag, str(path))

    return words


def pipe_for(flag: str) -> Callable[[Path], tuple[str, ...]]:
    """A flag that names a pipe that nobody writes to."""

    def words(folder: Path) -> tuple[str, ...]:
        os.mkfifo(folder / "given", 0o600)
        return (flag, str(folder / "given"))

    return words


def tls(flag: str) -> Callable[[Path], tuple[str, ...]]:
    """The three flags of TLS with sound files, of which one is empty."""

    def words(folder: Path) -> tuple[str, ...]:
        authority = Authority(folder)
        pair = authority.sign("bot")
        given = {"--ca": authority.file, "--cert": pair.cert, "--cert-key": pair.key}
        given[flag].write_bytes(b"")
        return tuple(word for name, path in given.items() for word in (name, str(path)))

    return words


def pem(*, ours: bool) -> str:
    if ours:
        return SigningKey.from_bytes("anna", bytes(range(32))).pem().decode()
    other = ec.generate_private_key(ec.SECP256R1())
    form = serialization.PrivateFormat.PKCS8
    return other.private_bytes(
        serialization.Encoding.PEM, form, serialization.NoEncryption()
    ).decode()


PROMISE: Final = '{"deal":1,"match":"aa","r0":"bb","seat":"north"}\n'
WRONG: Final = (
    Wrong("an unknown flag", "nonsense", plain("--nonsense")),
    Wrong("a flag without its value", "name", plain("--name")),
    Wrong("a word that is no flag", "hello", plain("hello")),
    Wrong("an unknown level", "flies", plain("--level", "flies")),
    Wrong("signing without a key", "seat-key", plain("--level", "signs")),
    Wrong(
        "a key without signing", "seat-key", file("--seat-key", pem(ours=True), "--level", "checks")
    ),
    Wrong("an address without a port", "nowhere", plain("--referee", "nowhere")),
    Wrong("a port that is none", "127.0.0.1:99999", plain("--referee", "127.0.0.1:99999")),
    Wrong("a socket without a path", "unix:", plain("--referee", "unix:")),
    Wrong("a key that is empty", "key", plain("--key=")),
    Wrong("a level that is empty", "level", plain("--level=")),
    Wrong("a state without a name", "state|cannot|use", plain("--state-file=")),
    Wrong("another machine in plain text", "ca|TLS", plain("--referee", "192.0.2.1:8377")),
    Wrong("a name of two words", "two words", plain("--name", "two words")),
    Wrong("a name that is too long", "name", plain("--name", "n" * 33)),
    Wrong("no public key", "key", plain("--key", "nonsense")),
    Wrong("a public key of another id", "key", plain("--key", f"a{WEAK_KEY}")),
    Wrong("a weak public key", "key", plain("--key", WEAK_KEY)),
    Wrong("a token file that is not there", "absent", plain("--token-file", "absent")),
    Wrong("an empty token file", "token", file("--token-file", "\n")),
    Wrong("a token file of two words", "token", file("--token-file", "two words\n")),
    Wrong("a folder for the token", "given", folder_for("--token-file")),
    Wrong("a secret that is none", "given", file("--secret-file", "hello\n")),
    Wrong(
        "a secret that others can read",
        "chmod|others",
        file("--secret-file", "ab" * 32 + "\n", mode=0o644),
    ),
    Wrong("a folder for the secret", "given", folder_for("--secret-file")),
    Wrong("a state that is none", "given", file("--state-file", f"{PROMISE}hello\n")),
    Wrong("a state of another shape", "given", file("--state-file", '{"deal":1}\n')),
    Wrong(
        "a state that others can read", "chmod|others", file("--state-file", PROMISE, mode=0o640)
    ),
    Wrong("a folder for the state", "given", folder_for("--state-file")),
    Wrong("no private key", "given", file("--seat-key", "hello\n")),
    Wrong("a private key of another kind", "given", file("--seat-key", pem(ours=False))),
    Wrong(
        "a private key that others can read",
        "chmod|others",
        file("--seat-key", pem(ours=True), mode=0o644),
    ),
    Wrong("a seat key that is not there", "absent", plain("--seat-key", "absent")),
    Wrong("an authority that is not there", "absent", plain("--ca", "absent")),
    Wrong("a token without an end", "/dev/zero. is no regular", plain("--token-file", "/dev/zero")),
    Wrong("a pipe for the token", "given. is no regular", pipe_for("--token-file")),
    Wrong("no byte for the token", "token", file("--token-file", "")),
    Wrong("a long token", "given. is longer than 4096", long_file("--token-file", ENDLESS)),
    Wrong("a secret without an end", "no regular|others", plain("--secret-file", "/dev/zero")),
    Wrong("a pipe for the secret", "given. is no regular", pipe_for("--secret-file")),
    Wrong("no byte for the secret", "given", file("--secret-file", "")),
    Wrong("a long secret", "given. is longer than 4096", long_file("--secret-file", 4097)),
    Wrong("a pipe for the state", "given. is no regular", pipe_for("--state-file")),
    Wrong("a seat key without an end", "no regular|others", plain("--seat-key", "/dev/zero")),
    Wrong("a pipe for the seat key", "given. is no regular", pipe_for("--seat-key")),
    Wrong("no byte for the seat key", "given", file("--seat-key", "")),
    Wrong("a long seat key", "given. is longer than 1048576", long_file("--seat-key", ENDLESS)),
    Wrong("an authority without an end", "/dev/zero. is no regular", plain("--ca", "/dev/zero")),
    Wrong("a folder for the authority", "given. is no regular", folder_for("--ca")),
    Wrong("a long authority", "given. is longer than 1048576", long_file("--ca", ENDLESS)),
    Wrong("no byte for the authority", "certificate", tls("--ca")),
    Wrong("no byte for the certificate", "certificate", tls("--cert")),
    Wrong("no byte for the certificate's key", "key", tls("--cert-key")),
    Wrong("a certificate without its key", "cert-key", file("--cert", "x")),
    Wrong("a code without a file for the token", "token-file", plain("--invitation", "AAAA-BBBB")),
)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name.replace(" ", "-"))
def test_what_is_wrong_is_said_in_a_line_and_exit_two(
    client: Client, wrong: Wrong, tmp_path: Path
) -> None:
    words = wrong.words(tmp_path)
    place = () if "--referee" in words else ("--referee", NOBODY)
    needs_token = not {"--token-file", "--invitation"} & set(words)
    token = "t" * 43 if needs_token else ""
    bot = Bot.start(tmp_path, "said", client.bot("random"), *place, *words, token=token)
    code, said = bot.ends()
    assert code == 2, said
    assert re.search(wrong.named, said), said
    assert "t" * 43 not in said


def test_a_flag_of_a_file_with_nothing_in_it_is_said_in_the_same_words(
    client: Client, tmp_path: Path
) -> None:
    place = ("--referee", NOBODY)
    given = [(flag, (f"{flag}=",)) for flag in FILE_FLAGS] + [("--receipts", ("--receipts", ""))]
    bots = [
        (flag, Bot.start(tmp_path, str(log), client.bot("random"), *place, *words, token="t" * 43))
        for log, (flag, words) in enumerate(given)
    ]
    ended = [(flag, *bot.ends()) for flag, bot in bots]
    for flag, code, said in ended:
        assert code == 2, f"{flag}: {said}"
        assert re.fullmatch(rf".+: {flag} is empty \(.+\)\n", said), said


def test_without_a_token_the_ways_to_give_one_are_said(client: Client, tmp_path: Path) -> None:
    code, said = Bot.start(tmp_path, "said", client.bot("sensible"), "--referee", NOBODY).ends()
    assert code == 2, said
    assert "--token-file" in said
    assert "EUCHRE_TOKEN" in said


def test_help_names_every_flag_of_the_clients(client: Client, tmp_path: Path) -> None:
    seed = ("--seed",) if client.seeded else ()
    for kind, more in (("random", seed), ("sensible", ())):
        code, said = Bot.start(tmp_path, "said", client.bot(kind), "--help").ends()
        assert code == 0, said
        for flag in (*FLAGS, *more):
            assert re.search(rf"{flag}\b", said), f"{kind} --help: no {flag}"
