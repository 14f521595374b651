"""What is known of the hands: dealt, played, buried, and what each seat can and cannot hold."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from referee.records.model import Problem, RecordedDeal
from referee.rules import (
    SEATS,
    SUIT_LETTERS,
    Card,
    Cards,
    Deal,
    Holding,
    RuleSet,
    card_text,
    hand_of,
    pack_cards,
    suit_of,
)
from referee.rules.cards import BEST_BOWERS
from referee.rules.deal import HAND_SIZE

_KITTY: Final = "the kitty"
Played = tuple[tuple[Card, ...], ...]
"""The cards that each seat played, in order."""


class Known:
    """The cards of one recorded deal, each in the one place where it can be."""

    def __init__(self, rules: RuleSet, deal: RecordedDeal) -> None:
        self.rules = rules
        self.deal = deal
        self.problems: list[Problem] = []
        self._pack = pack_cards(rules.pack)
        self._place: dict[Card, str] = {}
        self.disputed: set[Card] = set()
        """Cards that the record puts in two places, so that it proves neither."""
        if deal.upcard is not None:
            self._put(deal.upcard, "the upcard")
        self.dealt = [self._cards(seat.word, deal.hands[seat]) for seat in SEATS]
        self.kitty = self._cards(_KITTY, deal.kitty)
        for cards in (*self.dealt, self.kitty):
            cards[:] = [card for card in cards if card not in self.disputed]

    def _cards(self, where: str, cards: Sequence[Card | None] | None) -> list[Card]:
        return [card for card in cards or () if card is not None and self._put(card, where)]

    def _put(self, card: Card, where: str) -> bool:
        """Put a card in its place; what cannot be there is a problem."""
        at = f"deal {self.deal.number}"
        if card not in self._pack:
            pack = self.rules.pack
            message = f"{card_text(card)} of {where} is not in the pack {pack} (pack.24)"
            self.problems.append(Problem(at, message))
            return False
        if card in self._place:
            message = f"{card_text(card)} is in {self._place[card]} and in {where}"
            self.problems.append(Problem(at, message))
            self.disputed.add(card)
            return False
        self._place[card] = where
        return True

    def is_full(self, seat: int) -> bool:
        """Whether all five cards that a seat was dealt are known."""
        return len(self.dealt[seat]) == HAND_SIZE

    def counts(self) -> Iterable[tuple[int, int]]:
        """The seats whose hand was written down with another number of cards than five."""
        for seat in SEATS:
            hand = self.deal.hands[seat]
            if hand and None not in hand and len(hand) != HAND_SIZE:
                yield seat, len(hand)

    def learn(self, played: Played, buried: Card | None, *, may_take: bool) -> None:
        """Add to the hands what the play shows; `may_take`: the dealer has or may have the upcard.

        Where that card is not known, nothing tells it from those that the dealer was dealt.
        """
        for seat in SEATS:
            shown = list(played[seat])
            if seat == self.deal.dealer and may_take:
                if self.deal.upcard is None:
                    continue
                shown += [] if buried is None else [buried]
                shown = [card for card in shown if card != self.deal.upcard]
            for card in shown:
                free = card not in self._place and card in self._pack
                if free and len(self.dealt[seat]) < HAND_SIZE:
                    self._put(card, seat.word)
                    self.dealt[seat].append(card)

    def completed(self) -> Deal:
        """A whole deal that agrees with all that is known; what is not known is filled in.

        No card of the turned suit is filled in while there are others, so that a hand shows no
        trump that it is not known to hold.
        """
        upcard = self._any_upcard()
        suit = suit_of(upcard, None)
        rest = [card for card in self._pack if card not in self._place and card != upcard]
        rest.sort(key=lambda card: suit_of(card, suit) == suit, reverse=True)
        hands: list[Cards] = []
        for seat in SEATS:
            mine = self.dealt[seat][:HAND_SIZE]
            mine += [rest.pop() for _ in range(HAND_SIZE - len(mine)) if rest]
            hands.append(hand_of(mine))
        n, e, s, w = hands
        return Deal(self.deal.dealer, (n, e, s, w), upcard, (*self.kitty, *rest))

    def _any_upcard(self) -> Card:
        """The upcard, or where it is not known one that what was said does not speak against."""
        deal = self.deal
        if deal.upcard is not None:
            return deal.upcard
        seen = {laid.card for trick in deal.tricks for laid in trick} | {deal.discard}
        plain = [card for card in self._pack if not BEST_BOWERS >> card & 1]
        free = [card for card in plain if card not in self._place and card not in seen] or plain
        words = [said.words for said in deal.said]
        named = [word.split(" ")[1] for word in words if word.startswith("name ")]
        turned_down = bool(named) and not any(word.startswith("order") for word in words)
        away = {SUIT_LETTERS.find(letter) for letter in named} if turned_down else set[int]()
        wanted = None if turned_down else deal.trump
        fitting = [c for c in free if suit_of(c, None) not in away]
        return next((c for c in fitting if wanted in {None, suit_of(c, None)}), free[0])

    def owners(self, moved: Collection[int], *, may_take: bool) -> dict[Card, int]:
        """The seat that alone can play each card, as far as the hands are known."""
        found = {card: int(s) for s in SEATS if s not in moved for card in self.dealt[s]}
        upcard, dealer = self.deal.upcard, self.deal.dealer
        if may_take and upcard is not None and dealer not in moved:
            found[upcard] = int(dealer)
        return {card: seat for card, seat in found.items() if card not in self.disputed}

    def holdings(
        self, played: Played, buried: Card | None, *, took: bool, moved: frozenset[int]
    ) -> tuple[Holding, ...]:
        """What each seat is known to hold as the play begins; of `moved` by the play."""
        upcard, dealer = self.deal.upcard, self.deal.dealer
        known: list[Cards] = []
        spares = [0, 0, 0, 0]
        for seat in SEATS:
            cards = 0 if seat in moved else hand_of(self.dealt[seat])
            if seat == dealer and took and seat not in moved:
                cards |= 0 if upcard is None else 1 << upcard
                if buried is None:
                    spares[seat] = 1
                else:
                    cards &= ~(1 << buried)
            known.append(cards)
        shown = [hand_of(cards) for cards in played]
        away = hand_of(self.kitty) if not moved else 0
        away |= 0 if buried is None else 1 << buried
        away |= 0 if upcard is None or took else 1 << upcard
        away &= ~hand_of(self.disputed)
        return tuple(
            Holding(
                known[seat],
                spares[seat],
                away | _union(shown[s] | known[s] for s in SEATS if s != seat),
            )
            for seat in SEATS
        )

    def discard(self, buried: Card | None, played: Played, *, took: bool) -> Card | None:
        """What the dealer put away, as written down or as the one card of six never played."""
        upcard, dealer = self.deal.upcard, self.deal.dealer
        if not took or buried is not None or upcard is None or not self.is_full(dealer):
            return buried if took else None
        left = {*self.dealt[dealer], upcard} - set(played[dealer])
        return left.pop() if len(left) == 1 else None

    @property
    def places(self) -> Collection[Card]:
        """The cards whose place was written down."""
        return self._place.keys()

    def place_of(self, card: Card) -> str | None:
        """Where a card was dealt, as far as it was written down."""
        return self._place.get(card)


def _union(sets: Iterable[Cards]) -> Cards:
    union = 0
    for cards in sets:
        union |= cards
    return union
