"""A bot's Python class as a program of its own, which speaks JSON lines like any other.

    python -m referee.arena.apart py:MODULE:CLASS

Whatever the class does to its process (it ends it, it fills its memory, it never comes back) then
happens to this one, and is dealt with as with any bot by command. What the bot prints goes to
standard error, and its standard input is empty: the lines are ours.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import BinaryIO, Final

from referee.arena.classes import BotSpecError, find_class

NOT_FOUND: Final = 2
LONGEST_NAME: Final = 32
QUOTED: Final = 100
_STDIN, _STDOUT, _STDERR = range(3)


class Apart:
    """A bot's class that is told and asked in JSON objects."""

    def __init__(self, text: str) -> None:
        self._make = find_class(text)
        self._bot: object = None

    def answer(self, asked: Mapping[str, object]) -> Mapping[str, object] | None:
        """The answer to an object; None where none is wanted."""
        match asked.get("op"):
            case "hello":
                return self._hello(asked)
            case "choose":
                action = self._hook("choose", asked.get("view"), asked.get("legal"))
                # What is no string has no place in an answer; the referee is shown what it was.
                told = action if isinstance(action, str) else [repr(action)[:QUOTED]]
                return {"id": asked.get("id"), "action": told}
            case "refused":
                self._hook("refused", asked.get("reason"), asked.get("text"))
            case "event":
                self._hook("event", asked.get("event"))
            case "end":
                self._hook("end", asked.get("score"))
            case _:
                pass
        return None

    def _hello(self, asked: Mapping[str, object]) -> Mapping[str, object]:
        self._bot = self._make()
        self._hook("start", match=asked["match"], seat=asked["seat"], rules=asked["rules"])
        name = str(getattr(self._make, "__name__", "bot"))[:LONGEST_NAME]
        hears = callable(getattr(self._bot, "event", None))
        return {"name": name if name.isascii() else "bot", "ops": ["event"] if hears else []}

    def _hook(self, name: str, *args: object, **named: object) -> object:
        method = getattr(self._bot, name, None)
        return method(*args, **named) if callable(method) else None


def serve(bot: Apart, lines: Iterable[bytes], answers: BinaryIO) -> None:
    """Answer line after line until the end of the match."""
    for line in lines:
        asked = json.loads(line)
        answer = bot.answer(asked)
        if answer is not None:
            answers.write(json.dumps(answer).encode("ascii") + b"\n")
            answers.flush()
        if asked.get("op") == "end":
            return


def main(words: list[str]) -> int:
    """Play one seat with the class that is named; what it raises ends the process."""
    lines, answers = os.fdopen(os.dup(_STDIN), "rb"), os.fdopen(os.dup(_STDOUT), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDIN)
    os.close(nothing)
    os.dup2(_STDERR, _STDOUT)
    (text,) = words
    try:
        bot = Apart(text)
    except BotSpecError as err:
        sys.stderr.write(f"{err}\n")
        return NOT_FOUND
    with lines, answers:
        serve(bot, lines, answers)
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
