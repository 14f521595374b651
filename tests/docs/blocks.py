"""The fenced blocks of a page, and what is done with each.

The first word after the fence names the language, and a block without one is a fault.
`sh` is run. What follows it may say `needs=PROGRAM` (skipped, and said, where that is missing) or
`elsewhere` (`.ci/run` or the Makefile runs it).
Any other language is shown only; a second word there is the file that the text tells the reader to
save it as.
A line of `sh` that ends in `# exit N` must exit with N, and one that ends in `&` stays up.
"""

import re
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(.*)$")
EXIT = re.compile(r"#.*\bexit (\d+)\s*$")
STAYS_UP = re.compile(r"(^|[^&])&\s*(#.*)?$")


class PageError(Exception):
    """A page that the run cannot read: the place and what to write instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block."""

    page: str
    line: int
    language: str
    words: tuple[str, ...]
    text: str

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{self.page}:{self.line}"

    @property
    def needs(self) -> tuple[str, ...]:
        """The programs without which it is skipped."""
        return tuple(word.removeprefix("needs=") for word in self.words if "=" in word)

    @property
    def runs(self) -> bool:
        """Whether it is run here."""
        return self.language == "sh" and "elsewhere" not in self.words

    @property
    def saved_as(self) -> str | None:
        """The file that the reader is told to save it as."""
        return self.words[0] if self.language != "sh" and self.words else None


def blocks(page: str, text: str) -> list[Block]:
    """Every fenced block of a page, in order."""
    found: list[Block] = []
    opened: tuple[int, list[str]] | None = None
    body: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        fence = FENCE.match(line)
        if fence is None:
            body.append(line)
        elif opened is None:
            opened = (number, fence[1].split())
            body = []
        else:
            found.append(_block(page, *opened, "\n".join(body) + "\n"))
            opened = None
    if opened is not None:
        raise PageError(f"{page}:{opened[0]}: the block is never closed")
    return found


def _block(page: str, line: int, words: list[str], text: str) -> Block:
    place = f"{page}:{line}"
    if not words:
        raise PageError(f"{place}: the block names no language (sh is run, text is shown only)")
    block = Block(page=page, line=line, language=words[0], words=tuple(words[1:]), text=text)
    if block.language == "sh":
        for word in block.words:
            if word != "elsewhere" and not word.startswith("needs="):
                raise PageError(f"{place}: {word!r} after sh (write needs=PROGRAM or elsewhere)")
    return block


def pages(root: Path, names: list[str]) -> list[Block]:
    """The blocks of several pages."""
    return [
        block for name in names for block in blocks(name, (root / name).read_text(encoding="utf-8"))
    ]


def commands(text: str) -> list[str]:
    """The commands of a block; a line that ends in a backslash goes on."""
    found: list[str] = []
    whole = True
    for line in text.splitlines():
        if whole:
            found.append(line)
        else:
            found[-1] += "\n" + line
        whole = not line.endswith("\\")
    return [command for command in found if command.strip()]


def script(text: str) -> str:
    """A block as bash under `set -e`, with the exits it speaks of checked."""
    lines: list[str] = []
    for command in commands(text):
        wanted = EXIT.search(command)
        if wanted is not None:
            lines += ["code=0", f"{command[: wanted.start()].rstrip()} || code=$?"]
            lines += [f'[ "$code" = {wanted[1]} ] || {{ echo "exit $code"; false; }}']
        elif STAYS_UP.search(command):
            lines += ["before=$(heard)", command, 'until_heard "$before"']
        else:
            lines.append(command)
    return "\n".join(lines) + "\n"
