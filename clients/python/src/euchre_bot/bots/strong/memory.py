"""What a seat has been shown of a deal, from its views and, where it hears them, from the events.

A view holds the trick on the table alone, so earlier ones are remembered here.
What was missed is not made up: a card that nobody was seen to play is merely one that may be held.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from euchre_bot.bots.sensible import suit_of
from euchre_bot.bots.strong.cards import pack_of, smallest_pack
from euchre_bot.dealing import SEATS
from euchre_bot.views import View

_PRICES: Final = {
    "points_made": 1,
    "points_march": 2,
    "points_lone_march": 4,
    "points_euchre": 2,
    "points_euchre_all_five": 2,
    "points_lone_euchred": 2,
}


@dataclass(slots=True)
class Shown:
    """One deal, as far as it was shown to one seat."""

    place: tuple[str, int]
    mine: set[str] = field(default_factory=set)
    plays: dict[str, str] = field(default_factory=dict)
    table: list[tuple[str, str]] = field(default_factory=list)
    voids: set[tuple[str, str]] = field(default_factory=set)
    trump: str | None = None
    upcard: str = ""
    out: set[str] = field(default_factory=set)

    def lay(self, seat: str, card: str, led: str) -> None:
        """Take note of a card on the table: who played it, and what that seat had none of."""
        self.plays[card] = seat
        suit = suit_of(led, self.trump)
        if suit_of(card, self.trump) != suit:
            self.voids.add((seat, suit))

    def act(self, seat: str, action: str) -> None:
        """Take note of an action that was told."""
        verb, _space, rest = action.partition(" ")
        if verb == "order":
            self.trump = suit_of(self.upcard, None) if self.upcard else None
        elif verb == "name":
            self.trump = rest[:1]
        if "alone" in action.split(" "):
            self.out.add(SEATS[(SEATS.index(seat) + 2) % 4])
        if verb == "play":
            if len(self.table) >= len(SEATS) - len(self.out):
                self.table.clear()
            self.table.append((seat, rest))
            self.lay(seat, rest, self.table[0][1])


class Memory:
    """The deal that is played, and the rules as far as they are known."""

    def __init__(self) -> None:
        self.rules: dict[str, str] = {}
        self._match = ""
        self._shown = Shown(("", -1))

    def learn(self, rules: Mapping[str, str]) -> None:
        """Take in the rules of the match."""
        self.rules = dict(rules)

    def price(self, name: str) -> int:
        """What a result is worth; as in the standard game, where the rules are not known."""
        return int(self.rules.get(name, _PRICES[name]))

    def hear(self, event: Mapping[str, object]) -> None:
        """Take note of a public event."""
        match event.get("kind"):
            case "match_open":
                rules, name = event.get("rules"), event.get("match")
                if isinstance(rules, Mapping):
                    self.learn({str(key): str(value) for key, value in rules.items()})
                self._match = name if isinstance(name, str) else ""
            case "deal_open":
                number = event.get("deal")
                if isinstance(number, int):
                    self._shown = Shown((self._match, number))
            case "turn_up":
                self._shown.upcard = str(event.get("card", ""))
                if self.rules.get("trump_making") == "turned_suit":
                    self._shown.trump = suit_of(self._shown.upcard, None)
            case "action":
                self._shown.act(str(event.get("seat")), str(event.get("action")))
            case _:
                pass

    def look(self, view: View) -> Shown:
        """Take note of a view; what was shown of its deal."""
        place = (view.get("match", self._match), view["deal"])
        if self._shown.place != place:
            self._shown = Shown(place)
        shown = self._shown
        shown.trump = view.get("trump")
        shown.upcard = view.get("upcard", "")
        shown.mine.update(view["hand"])
        shown.out = set(view["out"])
        trick = view["trick"]
        for played in trick:
            shown.lay(played["seat"], played["card"], trick[0]["card"])
        return shown

    def unseen(self, shown: Shown) -> list[str]:
        """The cards that others may hold, or that lie face down, without the dealer's upcard."""
        seen = {*shown.mine, *shown.plays}
        if shown.upcard:
            seen.add(shown.upcard)
        pack = pack_of(self.rules["pack"]) if "pack" in self.rules else smallest_pack(seen)
        return [card for card in pack if card not in seen]

    def dealers_card(self, view: View, shown: Shown) -> str | None:
        """The upcard, where another seat has taken it and has not been seen to play it."""
        taken = view.get("upcard_state") == "taken" and view["dealer"] != view["seat"]
        return shown.upcard if taken and shown.upcard not in shown.plays else None
