"""Each client that is stopped by a signal: no crash, and a word to whoever pressed Ctrl-C."""

import signal
from pathlib import Path
from typing import Final

from tests.clients.house import Bot, until
from tests.clients.known import Client

NOBODY: Final = "127.0.0.1:1"
OF_INTERRUPT: Final = 128 + signal.SIGINT


def test_ctrl_c_is_told_that_the_seat_stays_ours(client: Client, tmp_path: Path) -> None:
    words = (client.bot("random"), "--referee", NOBODY)
    bot = Bot.start(tmp_path, "said", *words, token="t" * 43)
    until(lambda: "trying again" in bot.said, "that it looks for its referee")
    bot.process.send_signal(signal.SIGINT)
    code, said = bot.ends()
    assert code == OF_INTERRUPT, (code, said)
    assert "the seat stays ours" in said
