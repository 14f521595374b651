"""Cards and the table, drawn for a terminal or told in plain lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

from rich.console import Console
from rich.text import Text

_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_WORDS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "N": "no trump"}
_RED: Final = "DH"
_BRIGHT: Final = {True: "bold red on white", False: "bold black on white"}
_INNER: Final = 5
_EDGES: Final = "┌─────┐", "└─────┘"


@dataclass(frozen=True, slots=True)
class Shown:
    """A card to draw: its text, what stands below it, and whether it is bright."""

    card: str
    below: str = ""
    bright: bool = True


class _Console(Console):
    """A console that goes quiet where nobody reads it any more."""

    gone: bool = False

    def on_broken_pipe(self) -> None:
        """Say no more, instead of ending the process from within a match."""
        self.gone = self.quiet = True


class Felt:
    """Where a person sees the match: boxes and colors in a terminal, plain lines elsewhere."""

    def __init__(self, stream: TextIO, *, drawn: bool) -> None:
        self._encoding = stream.encoding or "ascii"
        self.console = _Console(file=stream, highlight=False, soft_wrap=True)
        self.drawn = drawn and self._can("┌♥")
        self._suited = self._can("♣♦♥♠")

    def _can(self, text: str) -> bool:
        try:
            text.encode(self._encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    @property
    def unread(self) -> bool:
        """Whether whoever read this has closed it."""
        return self.console.gone

    def say(self, text: Text | str = "", style: str = "") -> None:
        """One line."""
        self.console.print(Text(text) if isinstance(text, str) else text, style=style or None)

    def prompt(self, text: str) -> None:
        """The line on which the person types."""
        self.console.print(Text(text), style="bold", end="")
        self.console.file.flush()

    def card(self, card: str) -> str:
        """A card as a player writes it: `J♦`, `10♥`; the joker is a word."""
        if card == "BB":
            return "joker"
        rank = "10" if card[0] == "T" else card[0]
        return rank + (_SUITS[card[1]] if self._suited else card[1])

    def suit(self, letter: str) -> str:
        """A suit in words, with its sign where the terminal has it."""
        sign = _SUITS.get(letter, "") if self._suited else ""
        return f"{_WORDS.get(letter, letter)} {sign}".strip()

    def action(self, action: str) -> str:
        """An action in a player's words."""
        verb, _space, rest = action.partition(" ")
        match verb:
            case "name":
                suit, _space, alone = rest.partition(" ")
                return f"name {self.suit(suit)} {alone}".strip()
            case "play" | "discard" | "give" | "swap":
                return f"{verb} {' '.join(self.card(card) for card in rest.split())}".strip()
            case _:
                return action

    def row(self, cards: Sequence[Shown]) -> None:
        """Cards side by side: drawn, or in one line with what belongs to each."""
        if not cards:
            return
        if not self.drawn:
            self.say("  " + "  ".join(self._plain(shown) for shown in cards))
            return
        top, bottom = _EDGES
        self._across((Text(top, _face(shown)) for shown in cards), cards)
        self._across((Text(self._inside(shown), _face(shown)) for shown in cards), cards)
        self._across((Text(bottom, _face(shown)) for shown in cards), cards)
        below = (Text(shown.below.center(_width(shown))) for shown in cards)
        self._across(below, cards, style="bold")

    def _inside(self, shown: Shown) -> str:
        return f"│{self.card(shown.card).center(_INNER)}│"

    def _across(self, pieces: Iterable[Text], cards: Sequence[Shown], style: str = "") -> None:
        line = Text(" ")
        for piece, shown in zip(pieces, cards, strict=True):
            room = _width(shown) - piece.cell_len
            line.append(" " * (room // 2 + 1))
            line.append_text(piece)
            line.append(" " * (room - room // 2))
        self.say(line, style)

    def _plain(self, shown: Shown) -> str:
        if not shown.bright:
            return f"({self.card(shown.card)})"
        return f"{shown.below} {self.card(shown.card)}".strip()


def _face(shown: Shown) -> str:
    return _BRIGHT[shown.card[1] in _RED] if shown.bright else "dim"


def _width(shown: Shown) -> int:
    return max(len(_EDGES[0]), len(shown.below))
