"""What happens at the table, told to the person in one seat of it."""

from collections.abc import Mapping
from typing import Final

from referee.arena.account import counts_games
from referee.arena.players import JSON
from referee.cli.chair.felt import Felt
from referee.rules import RuleSet, Suit, parse_card, parse_trump, positions, strength, suit_of
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.events import ActionTaken, DealerDrawn, DealOpen, DeckRoot, MatchOpen, TurnUp
from referee.sealing.packs import SEATS, UPCARD_POSITION
from referee.sealing.parts import Pair
from referee.table.events import PublicEvent

_FALLBACKS: Final = {
    "TIMEOUT": "the time was up, so the referee chose",
    "DISCONNECT": "the connection was lost, so the referee chose",
    "CRASH": "the bot failed, so the referee chose",
}
_OUTCOMES: Final = {
    "thrown_in": "everybody passed: the cards are thrown in",
    "redeal": "the hand is dealt again",
    "void": "the deal is void",
    "fault": "the deal ends with a fault",
}
_WIDEST: Final = len("your partner south")


class Tale:
    """Tells the events of a match as they come."""

    def __init__(self, felt: Felt, seat: int, rules: RuleSet) -> None:
        self._felt = felt
        self._seat = seat
        self._rules = rules
        self._dealer: int | None = None
        self._upcard = ""
        self._trump: Suit | None = None
        self._out: set[int] = set()
        self._table: list[tuple[int, str]] = []
        self._tricks = [0, 0]
        self._last: Pair | None = None
        self.names: tuple[str, ...] = SEATS

    def who(self, seat: int) -> str:
        """A seat as the person would call it."""
        if seat == self._seat:
            return "you"
        return f"your partner {SEATS[seat]}" if seat == self._seat ^ 2 else SEATS[seat]

    def pair(self, pair: Pair) -> str:
        """A count for each side, ours first."""
        us, them = (pair.ew, pair.ns) if self._seat & 1 else (pair.ns, pair.ew)
        return f"us {us}, them {them}"

    def sides(self, view: Mapping[str, JSON], key: str) -> str:
        """A count for each side out of a view, ours first."""
        found = view.get(key)
        counts = found if isinstance(found, Mapping) else {}
        ns, ew = counts.get("ns"), counts.get("ew")
        return self.pair(Pair(ns if isinstance(ns, int) else 0, ew if isinstance(ew, int) else 0))

    def hear(self, event: PublicEvent) -> None:
        """Tell what an event means, where it means something to a player."""
        match event:
            case MatchOpen():
                self.names = tuple(seat.name for seat in event.seats)
                told = ", ".join(
                    f"{self.who(seat)}: {name}" for seat, name in enumerate(self.names)
                )
                self._felt.say(f"At the table are {told}.")
            case DealerDrawn():
                cards = " ".join(self._felt.card(turned.card) for turned in event.turned)
                deals = "deal first" if event.dealer == self._seat else "deals first"
                self._say(f"dealer draw: {cards}; {self.who(event.dealer)} {deals}")
            case DealOpen() if event.dealer is not None:
                self._begin(event.deal, event.dealer)
            case DeckRoot():
                self._say(f"the deck is sealed as {event.root.hex()[:16]}")
            case TurnUp():
                self._turn_up(event.turned.card)
            case ActionTaken():
                self._action(event)
            case DealClose() if event.outcome != "draw":
                self._close(event)
            case MatchClose():
                self._end(event)
            case _:
                pass

    def _say(self, text: str) -> None:
        self._felt.say(f"  {text}")

    def _begin(self, deal: int, dealer: int) -> None:
        self._dealer, self._upcard, self._trump = dealer, "", None
        self._out, self._table, self._tricks = set(), [], [0, 0]
        self._felt.say()
        self._felt.say(f"Deal {deal}, dealer {self.who(dealer)}", "bold")

    def _turn_up(self, card: str) -> None:
        self._upcard = card
        self._say(f"the upcard is {self._felt.card(card)}")
        if self._rules.trump_making.value == "turned_suit":
            self._trump = suit_of(parse_card(card), None)

    def _action(self, event: ActionTaken) -> None:
        verb, _space, rest = event.action.partition(" ")
        late = "" if event.fallback is None else f" ({_FALLBACKS[event.fallback]})"
        self._say(f"{self.who(event.seat)}: {self._felt.action(event.action)}{late}")
        if verb == "order":
            self._trump = suit_of(parse_card(self._upcard), None)
        elif verb == "name":
            self._trump = parse_trump(rest[:1])
        elif verb == "play":
            self._laid(event.seat, rest)
        if "alone" in event.action.split(" "):
            self._out.add(event.seat ^ 2)

    def _laid(self, seat: int, card: str) -> None:
        self._table.append((seat, card))
        if self._trump is None or len(self._table) < len(SEATS) - len(self._out):
            return
        trump, led = self._trump, suit_of(parse_card(self._table[0][1]), self._trump)
        winner, _card = max(
            self._table, key=lambda played: strength(parse_card(played[1]), trump, led)
        )
        self._tricks[winner & 1] += 1
        self._table = []
        takes = "take" if winner == self._seat else "takes"
        tricks = self.pair(Pair(self._tricks[0], self._tricks[1]))
        self._felt.say(f"  = {self.who(winner)} {takes} the trick ({tricks})", "bold")

    def _close(self, event: DealClose) -> None:
        told = _OUTCOMES.get(event.outcome, event.outcome.replace("_", " "))
        if event.outcome == "played":
            told = f"tricks: {self.pair(event.tricks)}; points: {self.pair(event.points)}"
        self._felt.say(f"Deal {event.deal} is over. {told[:1].upper()}{told[1:]}.", "bold")
        for seat, cards in self._dealt(event.deck or ""):
            self._say(f"{seat:<{_WIDEST}}  {cards}")
        for attempt in event.attempts:
            action = self._felt.action(attempt.action)
            self._say(f"refused: {self.who(attempt.seat)}, {action} ({attempt.reason})")
        for fault in event.faults:
            self._say(f"fault: {self.who(fault.seat)}, {fault.why}")
        self._last = event.score
        self._felt.say(f"Score: {self.pair(event.score)}.", "bold")

    def _dealt(self, deck: str) -> list[tuple[str, str]]:
        """Who was dealt what, now that the deck is open."""
        cards = [self._felt.card(card) for card in deck.split()]
        if self._dealer is None or len(cards) <= UPCARD_POSITION:
            return []
        told = []
        for seat in range(len(SEATS)):
            places = positions(self._rules.packets, self._dealer, seat)
            told.append((self.who(seat), " ".join(cards[place] for place in places)))
        return [*told, ("kitty", " ".join(cards[UPCARD_POSITION + 1 :]))]

    def _end(self, event: MatchClose) -> None:
        self._felt.say()
        by = "" if event.by is None else f" by {self.who(event.by)}"
        won = "nobody won"
        if event.winner is not None:
            won = "you and your partner won" if event.winner == self._seat & 1 else "they won"
        games = counts_games(self._rules.to_map())
        score = f"{'Games' if games else 'Points'}: {self.pair(event.score)}"
        if games and self._last is not None:
            score += f"; points of the last game: {self.pair(self._last)}"
        self._felt.say(f"The match is over, {event.outcome}{by}: {won}. {score}.", "bold")
