"""`euchre-referee new-bot`: a whole small project, to be played with at once and then changed."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from referee.cli.carried import SAMPLES, carried_for
from referee.cli.files import FileError

PACKAGE: Final = Path(__file__).parents[1]
TEMPLATES: Final = PACKAGE / "data" / "bots"
EXECUTABLE: Final = 0o755
LONGEST_NAME: Final = 32


@dataclass(frozen=True, slots=True)
class Language:
    """What stands in a project's README."""

    title: str
    file: str
    needs: str


LANGUAGES: Final = {
    "python": Language("Python", "bot.py", "Python 3.11 with venv, make, bash"),
    "node": Language("JavaScript", "bot.mjs", "Node 20 with npm, make"),
    "go": Language("Go", "bot.go", "Go 1.24, make"),
    "rust": Language("Rust", "bot.rs", "Rust 1.89, a C compiler, make"),
    "java": Language("Java", "MyBot.java", "a JDK of 17 or newer, Maven 3.8, make"),
    "cpp": Language(
        "C++", "bot.cpp", "a compiler of C++20, CMake 3.22, gRPC, make (it says what more)"
    ),
    "shell": Language("shell", "random.sh", "bash, jq"),
    "perl": Language("Perl", "bot.pl", "Perl 5.14"),
    "ruby": Language("Ruby", "bot.rb", "Ruby 2.7"),
    "lua": Language("Lua", "bot.lua", "Lua 5.3 or newer, as lua5.4"),
}
CARRIED: Final = (
    "`euchre/` holds the client's sources and the protocol, as they came with `euchre-referee`;"
    " nothing else of it is needed, and `make` builds them.\n"
    "The client does what the seal asks of a seat, checks the referee, and comes back when the"
    " connection breaks."
)
BRIDGED: Final = (
    "The bot speaks JSON lines on standard input and output: a question a line in, an answer a"
    " line out.\n"
    "`play` starts it behind `euchre-bridge`, which does what the seal asks of a seat, checks the"
    " referee, and comes back when the connection breaks."
)


@click.command("new-bot")
@click.option("--lang", type=click.Choice(list(LANGUAGES)), required=True, help="In which one.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new_bot(lang: str, folder: Path) -> None:
    """Write a bot that plays into DIR, a new folder or an empty one.

    It is one file with a function that chooses, and all that it takes to build and play it; the
    commands to run next are printed at the end.
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "_", folder.resolve().name)[:LONGEST_NAME] or "my-bot"
    files = _bridged(lang, name) if lang in SAMPLES else _built(lang, name)
    files[Path("README.md")] = _page(lang, name)
    make_empty(folder)
    for path, content in files.items():
        _write(folder / path, content)
    language = LANGUAGES[lang]
    click.echo(
        f"{folder}: a bot in {language.title}; choose in {language.file} is all that decides"
    )
    click.echo(f"it needs {language.needs}; next:")
    for command in next_commands(lang, folder):
        click.echo(f"  {command}")


def next_commands(lang: str, folder: Path) -> list[str]:
    """How the bot of a folder is built and played."""
    here = folder == Path()
    program = "./play" if here else str(folder / "play")
    bot = _quoted(f"dial:{shlex.quote(program)}")
    play = f"euchre-referee match --north-south {bot} --east-west sensible"
    if lang in SAMPLES:
        return [play]
    return ["make" if here else f"make -C {shlex.quote(str(folder))}", play]


def _quoted(text: str) -> str:
    """A word for the shell, where it can be as a person would write it."""
    if "'" in text and not re.search(r'["$`\\!]', text):
        return f'"{text}"'
    return shlex.quote(text)


def _root() -> Path:
    """Where the clients' sources lie: in the installed package, or at the top of a checkout."""
    installed = PACKAGE / "data" / "carried"
    return installed if installed.is_dir() else PACKAGE.parent


def _bridged(lang: str, name: str) -> dict[Path, bytes]:
    """A program that speaks JSON lines, and what starts it behind the bridge."""
    file = LANGUAGES[lang].file
    program = (_root() / "clients" / lang / file).read_bytes()
    play = (TEMPLATES / "play-bridged").read_bytes().replace(b"@FILE@", file.encode())
    return {
        Path(file): program.replace(f"{lang}-bot".encode(), name.encode()),
        Path("play"): _filled(play, name),
    }


def _built(lang: str, name: str) -> dict[Path, bytes]:
    """A project around a client's sources."""
    root, template = _root(), TEMPLATES / lang
    own = (path.relative_to(template) for path in template.rglob("*") if path.is_file())
    files = {path: _filled((template / path).read_bytes(), name) for path in sorted(own)}
    return files | {Path("euchre") / p: (root / p).read_bytes() for p in carried_for(root, lang)}


def _page(lang: str, name: str) -> bytes:
    language = LANGUAGES[lang]
    page = _filled((TEMPLATES / "README.md").read_bytes(), name).decode()
    for word, text in (
        ("@LANGUAGE@", language.title),
        ("@FILE@", language.file),
        ("@NEEDS@", language.needs),
        ("@COMMANDS@", "\n".join(next_commands(lang, Path()))),
        ("@INSIDE@", BRIDGED if lang in SAMPLES else CARRIED),
    ):
        page = page.replace(word, text)
    return page.encode()


def _filled(content: bytes, name: str) -> bytes:
    return content.replace(b"@NAME@", name.encode())


def make_empty(folder: Path) -> None:
    """Make a folder, or find it empty."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = any(folder.iterdir())
    except OSError as err:
        raise FileError(f"cannot make {str(folder)!r}: {err.strerror} (name another)") from err
    if taken:
        raise FileError(f"{str(folder)!r} is not empty (name a new folder)")


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if content.startswith(b"#!"):
            path.chmod(EXECUTABLE)
    except OSError as err:
        raise FileError(f"cannot write {str(path)!r}: {err.strerror}") from err
