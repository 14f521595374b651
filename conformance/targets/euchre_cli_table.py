"""A table of euchre-cli, a game for the terminal from PyPI, with its screen and keyboard replaced.

Everything between the two is its own: four of its human players sit at its table, its loop deals,
asks, judges plays, counts tricks and scores.
What it prints is read, what a request says is typed, and the cards of the request stand in for its
shuffle.
A card, a suit or a yes is typed as the number or letter that is printed beside it, which is
notation; what it does not offer cannot be said.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Final, Protocol

from conformance.errors import PositionError, TargetStartError
from conformance.jsontypes import Json, Record, map_of, text_of, texts_of

SEATS: Final = ("north", "east", "south", "west")
RANKS: Final = {"Nine": "9", "Ten": "T", "Jack": "J", "Queen": "Q", "King": "K", "Ace": "A"}
INSTALL: Final = "python -m pip install euchre-cli==0.7.0"
PHASES: Final = {
    "Would you like to pick up": "round_one",
    "Would you like the dealer to pick up": "round_one",
    "Which card would you like to discard": "discard",
    "Would you like to call a trump suit": "round_two",
    "Which card would you like to play": "play",
}
"""Its questions, and the protocol's word for the moment each is asked."""


class Team(Protocol):
    """One of its teams."""

    game_score: int


class Player(Protocol):
    """One of its players."""

    name: str
    is_dealer: bool
    hand: Sequence[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A deal, and what is said in it."""

    dealer: str
    hands: Mapping[str, Sequence[str]]
    upcard: str
    actions: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What it asks, whom, and what can be typed for each answer."""

    seat: str
    phase: str
    keys: Mapping[str, str]


@dataclass(slots=True, kw_only=True)
class Played:
    """What became of the scripts: how far it came, and what it counted."""

    question: Question | None = None
    refused: int | None = None
    winners: list[str] = field(default_factory=list)
    thrown_in: bool = False
    scores: list[dict[str, int]] = field(default_factory=list)
    dealer: str | None = None


class _StopError(Exception):
    """Nothing more is to be typed."""


def script_of(value: Record, actions: Sequence[str]) -> Script:
    """A deal of the protocol, to be dealt at the table."""
    dealer = text_of(value.get("dealer"), "deal.dealer")
    if dealer not in SEATS:
        raise PositionError(f"deal.dealer is not a seat: {dealer!r}")
    given = map_of(value.get("hands"), "deal.hands")
    hands = {seat: texts_of(given.get(seat), f"deal.hands.{seat}") for seat in SEATS}
    for seat, hand in hands.items():
        if len(hand) != 5:  # noqa: PLR2004 -- five cards a hand
            raise PositionError(f"{seat} holds {len(hand)} cards, not 5")
    upcard = text_of(value.get("upcard"), "deal.upcard")
    return Script(dealer=dealer, hands=hands, upcard=upcard, actions=actions)


def left_of(seat: str) -> str:
    """The next seat clockwise."""
    if seat not in SEATS:
        raise PositionError(f"dealer is not a seat: {seat!r}")
    return SEATS[(SEATS.index(seat) + 1) % 4]


def code_of(shown: str) -> str:
    """The card that it shows in words.

    >>> code_of("Nine of Hearts")
    '9H'
    """
    rank, _, suit = shown.partition(" of ")
    return RANKS[rank] + suit[0]


def _quiet(*_: object, **__: object) -> None:
    """A screen that nobody looks at."""


def _typing(text: str) -> Callable[[str], str]:
    """A keyboard that types one answer to everything."""
    return lambda _: text


class EuchreCli:
    """The package, imported, and its pieces as they are used."""

    def __init__(self) -> None:
        try:
            self.version: str = import_module("euchre").__version__
            self.play: ModuleType = import_module("euchre.command.play")
            self.human: ModuleType = import_module("euchre.abstract.human")
            self.input: ModuleType = import_module("euchre.util.input_util")
            import_module("loguru").logger.disable("euchre")
        except ImportError as err:
            raise TargetStartError(
                f"euchre-cli: cannot be loaded: {err}: install it: {INSTALL}"
            ) from err
        self.create_deck: Callable[[], list[object]] = self.play.create_deck

    def connect(self, show: Callable[..., None], type_: Callable[[str], str]) -> None:
        """Replace its screen and its keyboard."""
        for module in (self.play, self.human, self.input):
            vars(module)["output"] = show
        vars(self.input)["input"] = type_

    def deck(self, codes: Sequence[str]) -> list[object]:
        """Its own pack, these cards first and in this order."""
        pack = {code_of(str(card)): card for card in self.create_deck()}
        first = []
        for code in codes:
            if code not in pack:
                raise PositionError(f"euchre-cli's pack has no card {code!r}, or not another one")
            first.append(pack.pop(code))
        return first + list(pack.values())

    def dealt(self, cards: Sequence[str], dealer: str) -> dict[str, Json]:
        """The hands, the upcard and the kitty that its dealing makes of a deck."""
        players, _ = self.table(left_of(dealer))
        deck = self.whole(cards)
        self.play.deal_hand(players, deck)
        hands: dict[str, Json] = {
            player.name: [code_of(str(card)) for card in player.hand] for player in players
        }
        upcard, *kitty = (code_of(str(card)) for card in deck)
        return {"hands": hands, "upcard": upcard, "kitty": kitty}

    def drawn(self, cards: Sequence[str], start: str) -> tuple[str, int]:
        """Who deals first, and how many cards were turned for it."""
        if start not in SEATS:
            raise PositionError(f"start is not a seat: {start!r}")
        players, _ = self.table(start)
        deck = self.whole(cards)
        self.connect(_quiet, _typing(""))
        self.play.set_dealer(players, deck)
        return players[-1].name, len(cards) - len(deck)

    def whole(self, cards: Sequence[str]) -> list[object]:
        """Its own pack in this order, all of it."""
        deck = self.deck(cards)
        if len(deck) != len(cards):
            raise PositionError(f"the deck has {len(cards)} cards, euchre-cli's has {len(deck)}")
        return deck

    def table(self, first: str) -> tuple[list[Player], dict[str, Team]]:
        """Four of its human players from one seat on, and their teams."""
        start = SEATS.index(first)
        teams = {side: self.human.Team(side) for side in ("ns", "ew")}
        players: list[Player] = []
        for seat in SEATS[start:] + SEATS[:start]:
            self.connect(_quiet, _typing(seat))
            player = self.human.Human(teams["ns" if SEATS.index(seat) % 2 == 0 else "ew"])
            player.name = seat
            players.append(player)
        return players, teams


class Table:
    """One sitting: deals from scripts, until nothing more is to be said."""

    def __init__(
        self, engine: EuchreCli, scripts: Sequence[Script], score: Mapping[str, int]
    ) -> None:
        self.engine = engine
        self.waiting = list(scripts)
        self.said: list[str] = []
        self.at = 0
        self.screen: list[str] = []
        self.played = Played()
        self.dealt = False
        self.players, self.teams = engine.table(left_of(scripts[0].dealer))
        self.players[-1].is_dealer = True
        for side, team in self.teams.items():
            team.game_score = score[side]

    def run(self) -> Played:
        """Let its game loop run as far as the scripts go."""
        self.engine.connect(self._show, self._type)
        vars(self.engine.play)["create_deck"] = self._create_deck
        try:
            self.engine.play.game(self.players, list(self.teams.values()))
            self._close()
            if self.waiting:
                raise PositionError("a deal comes after the end of the game")
        except _StopError:
            pass
        finally:  # whoever opens another table in this process finds its own pack there
            vars(self.engine.play)["create_deck"] = self.engine.create_deck
        return self.played

    def _show(self, message: str = "", *_: float, **__: float) -> None:
        self.screen.append(message)
        if message.startswith("Trick winner: "):
            self.played.winners.append(message.removeprefix("Trick winner: ").split(",")[0])

    def _type(self, prompt: str) -> str:
        question = self._question(prompt)
        if any("Invalid play" in line for line in self.screen):
            self._stop(question, refused=self.at - 1)
        if self.at == len(self.said):
            self._stop(question)
        text = self.said[self.at]
        if text not in question.keys:
            self._stop(question, refused=self.at)
        self.at += 1
        self.screen.clear()
        return question.keys[text]

    def _stop(self, question: Question, *, refused: int | None = None) -> None:
        self.played.question = question
        self.played.refused = refused
        raise _StopError

    def _question(self, prompt: str) -> Question:
        phase = next(word for start, word in PHASES.items() if prompt.startswith(start))
        asked = next(line for line in reversed(self.screen) if line.endswith("this is your hand:"))
        options = [line.strip().split(" - ", 1) for line in self.screen if " - " in line]
        keys = {"order": "y", "pass": "n"}
        if phase == "round_two":
            keys = {"pass" if o == "Pass" else f"name {o[0]}": key for key, o in options}
        elif phase != "round_one":
            keys = {f"{phase} {code_of(shown)}": key for key, shown in options}
        return Question(seat=asked.split(",")[0], phase=phase, keys=keys)

    def _create_deck(self) -> list[object]:
        """The next deal, in place of a shuffle; the dealer is the last in its order of play."""
        dealer = self.players[-1].name
        if self.dealt:
            self._close()
        if not self.waiting:
            self.played.dealer = dealer
            raise _StopError
        script = self.waiting.pop(0)
        if script.dealer != dealer:
            raise PositionError(f"euchre-cli lets {dealer} deal, not {script.dealer}")
        self.said, self.at, self.dealt = list(script.actions), 0, True
        self.played.winners = []
        self.screen.clear()
        cards = [card for player in self.players for card in script.hands[player.name]]
        return self.engine.deck([*cards, script.upcard])

    def _close(self) -> None:
        """A deal is over: take down what it counted."""
        self.played.thrown_in = any(line.startswith("Everyone has passed") for line in self.screen)
        self.played.scores.append({side: team.game_score for side, team in self.teams.items()})
        if self.at < len(self.said):
            self.played.refused = self.at
            raise _StopError
