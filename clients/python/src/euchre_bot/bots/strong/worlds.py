"""Worlds: the cards that a seat cannot see, dealt as they may lie."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from euchre_bot.bots.strong.cards import REGIONS, TRUMP, layout
from euchre_bot.bots.strong.memory import Memory, Shown
from euchre_bot.dealing import SEATS
from euchre_bot.views import View

_TRIES: Final = 12
_LIKELY_TRIES: Final = 5
Likely = Callable[[Sequence[int]], bool]


def anything(hands: Sequence[int]) -> bool:
    """Every world is as likely as another."""
    del hands
    return True


@dataclass(frozen=True, slots=True)
class Unknown:
    """What is not known, in the bits of one layout: who holds how many of which cards."""

    pool: tuple[int, ...]
    needs: tuple[tuple[int, int], ...]
    allowed: tuple[int, int, int, int]
    held: tuple[int, int, int, int]

    @classmethod
    def of(cls, view: View, memory: Memory, shown: Shown, trump: str) -> "Unknown":
        """What a seat does not know; its own hand and the dealer's upcard are held."""
        bits = layout(trump)
        me = SEATS.index(view["seat"])
        out = {SEATS.index(seat) for seat in view["out"]}
        held = [0, 0, 0, 0]
        counts = [view["counts"][seat] for seat in SEATS]
        for card in view["hand"]:
            held[me] |= bits[card]
        taken = memory.dealers_card(view, shown)
        dealer = SEATS.index(view["dealer"])
        if taken is not None and dealer not in out and counts[dealer]:
            held[dealer] |= bits[taken]
            counts[dealer] -= 1
        allowed = [-1, -1, -1, -1]
        for seat, suit in shown.voids:
            allowed[SEATS.index(seat)] &= ~_region(suit, trump)
        needs = [(seat, counts[seat]) for seat in range(4) if seat != me and seat not in out]
        pool = tuple(bits[card] for card in memory.unseen(shown))
        needs.sort(key=lambda need: _room(pool, allowed[need[0]]) - need[1])
        n, e, s, w = allowed
        a, b, c, d = held
        return cls(pool, tuple(needs), (n, e, s, w), (a, b, c, d))

    def world(self, rng: Random, likely: Likely = anything) -> list[int]:
        """Four hands that may be; unlikely ones are dealt again a few times."""
        for _ in range(_LIKELY_TRIES):
            hands = self._dealt(rng)
            if likely(hands):
                break
        return hands

    def _dealt(self, rng: Random) -> list[int]:
        for _ in range(_TRIES):
            hands = self._try(rng, self.allowed)
            if hands is not None:
                return hands
        hands = self._try(rng, (-1, -1, -1, -1))
        return list(self.held) if hands is None else hands

    def _try(self, rng: Random, allowed: Sequence[int]) -> list[int] | None:
        rest = rng.sample(self.pool, len(self.pool))
        hands = list(self.held)
        for seat, count in self.needs:
            may, left, hand = allowed[seat], count, 0
            kept = []
            for card in rest:
                if left and card & may:
                    hand |= card
                    left -= 1
                else:
                    kept.append(card)
            if left:
                return None
            hands[seat] |= hand
            rest = kept
        return hands


def _region(suit: str, trump: str) -> int:
    return REGIONS[TRUMP if suit == trump else "CDHS".index(suit)]


def _room(pool: Sequence[int], allowed: int) -> int:
    return sum(1 for card in pool if card & allowed)


def turned(hands: Sequence[int], into: Mapping[int, int]) -> list[int]:
    """Hands of one layout in the bits of another."""
    result = []
    for hand in hands:
        total, rest = 0, hand
        while rest:
            card = rest & -rest
            total |= into[card]
            rest ^= card
        result.append(total)
    return result
