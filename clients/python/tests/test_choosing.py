"""A bot whose own function fails: one line, which says where, and the seat stays ours."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_referee import FakeReferee, listening, options

from euchre_bot import BotError, play
from euchre_bot.choosing import chosen
from euchre_bot.companion import BotFailedError, UnansweredError
from euchre_bot.views import Choose

LEGAL = ("pass", "order")


def bot_of(folder: Path, body: str) -> Choose:
    """A bot in a file of its own, as an author writes it."""
    path = folder / "my_bot.py"
    path.write_text(f"import json\n\n\ndef choose(view, legal):\n    {body}\n", "utf-8")
    names: dict[str, Choose] = {}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), names)  # noqa: S102 -- it is ours
    return names["choose"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 1 / 0", "ZeroDivisionError: division by zero in choose at my_bot.py:5 ("),
        ("raise ValueError('two\\nlines')", "ValueError: two lines in choose at my_bot.py:5 ("),
        ("return json.loads('{')", "in choose at my_bot.py:5 ("),
        ("return choose(view, legal)", "RecursionError: maximum recursion depth exceeded"),
        ("return None", "it answered None, which is no text ("),
        ("return legal", "it answered ('pass', 'order'), which is no text ("),
        ("return '\\ud800'", r"it answered '\ud800', which is no text ("),
    ],
)
def test_failure_is_one_line_that_names_the_line_of_the_bot(
    body: str, said: str, tmp_path: Path
) -> None:
    bot = bot_of(tmp_path, body)
    with listening(FakeReferee()) as port, pytest.raises(BotFailedError) as caught:
        play(bot, options(tmp_path, port))
    line = str(caught.value)
    assert line.startswith("the bot failed: ")
    assert said in line
    assert "the seat stays ours" in line
    assert "\n" not in line


def raising(err: Exception) -> Choose:
    def choose(*_given: object) -> str:
        raise err

    return choose


@pytest.mark.parametrize("kind", [BotError, UnansweredError])
def test_what_a_program_between_says_goes_on_as_it_is(kind: Callable[[str], Exception]) -> None:
    err = kind("as it is")
    with pytest.raises(type(err)) as caught:
        chosen(raising(err), json.loads("{}"), LEGAL)
    assert caught.value is err
