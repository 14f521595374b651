"""One deal in OpenSpiel's Euchre, spoken to in the words of the protocol.

What is only notation is translated: a card is rank times four plus suit; the deal goes in as
OpenSpiel's chance outcomes, a card at a time and the first to the dealer; `order` is the number of
the turned suit; `alone` with the call is kept until OpenSpiel asks its maker, which is the next
question that this player or the dealer's discard leaves open.
What is a rule is OpenSpiel's own: who is on turn, what is legal, who wins, what it is worth.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, Protocol

from conformance.errors import PositionError, TargetStartError
from conformance.jsontypes import Json, Record, int_of, map_of, text_of, texts_of

SEATS: Final = ("north", "east", "south", "west")
RANKS: Final = "9TJQKA"
SUITS: Final = "CDHS"
CARDS: Final = 24
HAND_SIZE: Final = 5
PASS, FIRST_SUIT, ALONE, WITH_PARTNER = 24, 25, 29, 30
TURNED_DOWN: Final = len(SEATS)
INSTALL: Final = 'python -m pip install "euchre-referee[openspiel]"'


class Enumerated(Protocol):
    """A value of one of OpenSpiel's enumerations."""

    @property
    def name(self) -> str:
        """Its name."""


class SpielTrick(Protocol):
    """A trick of OpenSpiel's."""

    def leader(self) -> int:
        """Who led it."""

    def winner(self) -> int:
        """Who takes it so far."""

    def cards(self) -> Sequence[int]:
        """The cards, in the order they were played."""


class State(Protocol):
    """What this module asks a state of OpenSpiel's Euchre."""

    def clone(self) -> "State": ...  # noqa: D102 -- the names are OpenSpiel's, and described there
    def apply_action(self, action: int, /) -> None: ...  # noqa: D102
    def legal_actions(self, player: int = ..., /) -> Sequence[int]: ...  # noqa: D102
    def current_player(self) -> int: ...  # noqa: D102
    def current_phase(self) -> Enumerated: ...  # noqa: D102
    def is_terminal(self) -> bool: ...  # noqa: D102
    def returns(self) -> Sequence[float]: ...  # noqa: D102
    def tricks(self) -> Sequence[SpielTrick]: ...  # noqa: D102
    def num_passes(self) -> int: ...  # noqa: D102
    def num_cards_played(self) -> int: ...  # noqa: D102
    def upcard(self) -> int: ...  # noqa: D102
    def declarer(self) -> int: ...  # noqa: D102
    def trump_suit(self) -> int: ...  # noqa: D102
    def active_players(self) -> Sequence[bool]: ...  # noqa: D102
    def card_holder(self) -> Sequence[int | None]: ...  # noqa: D102
    def information_state_tensor(self, player: int, /) -> Sequence[float]: ...  # noqa: D102


class SpielGame(Protocol):
    """The game that makes states."""

    def new_initial_state(self) -> State:
        """A state before the deal."""


class Spiel(Protocol):
    """The module `pyspiel`, as far as it is used."""

    __version__: str

    def load_game(self, name: str, parameters: Mapping[str, bool], /) -> SpielGame:
        """A game by its name."""


def loaded() -> Spiel:
    """OpenSpiel, imported only when it is asked for."""
    try:
        module: Spiel = import_module("pyspiel")
    except ImportError as err:
        message = f"openspiel: cannot be loaded: {err}: install it: {INSTALL}"
        raise TargetStartError(message) from err
    return module


def number_of(card: str) -> int:
    """OpenSpiel's number of a card."""
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:  # noqa: PLR2004
        raise PositionError(f"OpenSpiel's pack has no card {card!r}")
    return RANKS.index(card[0]) * len(SUITS) + SUITS.index(card[1])


def card_of(number: int) -> str:
    """The card of one of OpenSpiel's numbers."""
    rank, suit = divmod(number, len(SUITS))
    return RANKS[rank] + SUITS[suit]


def seat_number(value: Json, what: str) -> int:
    """The seat that a word names."""
    word = text_of(value, what)
    if word not in SEATS:
        raise PositionError(f"{what} is not a seat: {word!r}")
    return SEATS.index(word)


class Deal:
    """A deal in OpenSpiel, and what was said to it."""

    def __init__(self, state: State, *, with_call: bool) -> None:
        self.state = state
        self.with_call = with_call
        self.alone_said = False

    def copy(self) -> "Deal":
        """The same position, to be played on from separately."""
        twin = Deal(self.state.clone(), with_call=self.with_call)
        twin.alone_said = self.alone_said
        return twin

    @property
    def turn(self) -> int | None:
        """Who is on turn; nobody once the deal is over."""
        return None if self.state.is_terminal() else self.state.current_player()

    @property
    def phase(self) -> str:
        """OpenSpiel's phase, in the protocol's word."""
        match self.state.current_phase().name:
            case "BIDDING":
                return "round_one" if self.state.num_passes() < TURNED_DOWN else "round_two"
            case "DISCARD":
                return "discard"
            case "GO_ALONE":
                return "alone"
            case "PLAY":
                return "play"
            case _:
                return "over"

    def forms(self, seat: int) -> dict[str, int]:
        """What OpenSpiel lets a seat do, in words, and its number for each."""
        found: dict[str, int] = {}
        if self.turn is None:
            return found
        phase = self.phase
        for number in self.state.legal_actions(seat):
            for text in self._texts(number, phase):
                found[text] = number
        return found

    def _texts(self, number: int, phase: str) -> Sequence[str]:
        match phase:
            case "round_one" | "round_two" if number != PASS:
                suit = SUITS[number - FIRST_SUIT]
                call = "order" if phase == "round_one" else f"name {suit}"
                return (call, f"{call} alone") if self.with_call else (call,)
            case "discard" | "play":
                return (f"{phase} {card_of(number)}",)
            case _:
                return ({PASS: "pass", ALONE: "alone", WITH_PARTNER: "decline"}[number],)

    def do(self, text: str) -> bool:
        """Say an action for the seat on turn; false, and nothing happens, if OpenSpiel says no."""
        turn = self.turn
        number = None if turn is None else self.forms(turn).get(text)
        if number is None:
            return False
        self.say(text, number)
        return True

    def say(self, text: str, number: int) -> None:
        """Say one of the forms; a maker who is asked for alone has said so with the call or not."""
        if FIRST_SUIT <= number < ALONE:
            self.alone_said = text.endswith(" alone")
        self.state.apply_action(number)
        if not self.with_call or self.state.current_player() != self.state.declarer():
            return
        if ALONE in self.state.legal_actions():
            self.state.apply_action(ALONE if self.alone_said else WITH_PARTNER)

    def laid(self) -> list[SpielTrick]:
        """The tricks that were begun."""
        playing = sum(self.state.active_players())
        begun = -(-self.state.num_cards_played() // playing)
        return list(self.state.tricks())[:begun]

    def whole(self) -> list[SpielTrick]:
        """The tricks that were played to their end."""
        return self.laid()[: self.state.num_cards_played() // sum(self.state.active_players())]

    def tricks(self) -> dict[str, Json]:
        """The tricks of each side."""
        won = [trick.winner() % 2 for trick in self.whole()]
        return {"ns": won.count(0), "ew": won.count(1)}

    def points(self) -> dict[str, int]:
        """OpenSpiel's returns, of which one side's are the other's with a minus."""
        paid = int(self.state.returns()[0])
        return {"ns": max(paid, 0), "ew": max(-paid, 0)}


class Dealer:
    """Deals the deals of requests in OpenSpiel."""

    def __init__(self, spiel: Spiel) -> None:
        self.spiel = spiel
        self.games: dict[tuple[bool, bool], SpielGame] = {}

    def deal(self, request: Record) -> Deal:
        """The position of a request."""
        rules = map_of(request.get("rules"), "rules")
        stick = rules.get("all_pass") == "stick"
        lone_defender = rules.get("defend_alone") != "never"
        state = self._game(stick=stick, lone_defender=lone_defender).new_initial_state()
        _deal_out(state, map_of(request.get("deal"), "deal"))
        deal = Deal(state, with_call=rules.get("alone_when") == "with_call")
        for place, text in enumerate(texts_of(request.get("actions", []), "actions"), start=1):
            if not deal.do(text):
                legal = [] if deal.turn is None else sorted(deal.forms(deal.turn))
                raise PositionError(
                    f"action {place}: OpenSpiel does not allow {text!r} (legal here: "
                    f"{', '.join(legal) or 'nothing'})"
                )
        return deal

    def _game(self, *, stick: bool, lone_defender: bool) -> SpielGame:
        key = (stick, lone_defender)
        if key not in self.games:
            options = {"stick_the_dealer": stick, "allow_lone_defender": lone_defender}
            self.games[key] = self.spiel.load_game("euchre", options)
        return self.games[key]


def _deal_out(state: State, deal: Record) -> None:
    """Say the deal as chance outcomes: the dealer, twenty cards in turn, the upcard."""
    dealer = seat_number(deal.get("dealer"), "deal.dealer")
    given = map_of(deal.get("hands"), "deal.hands")
    hands = [texts_of(given.get(seat), f"deal.hands.{seat}") for seat in SEATS]
    for seat, hand in zip(SEATS, hands, strict=True):
        if len(hand) != HAND_SIZE:
            raise PositionError(f"{seat} holds {len(hand)} cards, not {HAND_SIZE}")
    state.apply_action(dealer)
    cards = [hands[(dealer + n) % 4][n // 4] for n in range(len(SEATS) * HAND_SIZE)]
    for card in [*cards, text_of(deal.get("upcard"), "deal.upcard")]:
        number = number_of(card)
        if number not in state.legal_actions():
            raise PositionError(f"the card {card!r} stands twice in the deal")
        state.apply_action(number)


def score_of(request: Record) -> dict[str, int]:
    """The score before the deal."""
    score = map_of(request.get("score", {"ns": 0, "ew": 0}), "score")
    return {which: int_of(score.get(which), f"score.{which}") for which in ("ns", "ew")}
