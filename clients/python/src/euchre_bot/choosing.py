"""The bot's own word, and the one line that is said where its function fails."""

import sysconfig
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from euchre_bot.companion import BotFailedError, UnansweredError
from euchre_bot.errors import BotError
from euchre_bot.views import Choose, View

_LONGEST_QUOTE: Final = 80
_LIBRARIES: Final = tuple(
    sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
_STAYS: Final = "(the seat stays ours: mend it, and start again with the same files to go on)"


def chosen(choose: Choose, view: View, legal: Sequence[str]) -> str:
    """The bot's word; where its function fails, the match ends, and we say where it did."""
    try:
        action: object = choose(view, legal)
    except (BotError, UnansweredError):
        raise
    except Exception as err:
        what = " ".join(traceback.format_exception_only(err)[-1].split())
        raise BotFailedError(f"the bot failed: {what}{_place(err)} {_STAYS}") from err
    if not isinstance(action, str) or not _can_be_sent(action):
        quoted = f"{action!r:.{_LONGEST_QUOTE}}"
        raise BotFailedError(f"the bot failed: it answered {quoted}, which is no text {_STAYS}")
    return action


def _can_be_sent(action: str) -> bool:
    try:
        action.encode()
    except UnicodeEncodeError:
        return False
    return True


def _place(err: Exception) -> str:
    """The line in which the bot failed: the innermost one that is of no library."""
    frames = traceback.extract_tb(err.__traceback__)[1:]
    own = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)]
    if not own:
        return ""
    return f" in {own[-1].name} at {Path(own[-1].filename).name}:{own[-1].lineno}"
