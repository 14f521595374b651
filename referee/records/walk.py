"""The play of a recorded deal, trick by trick: who played what, and who won."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from referee.records.model import Laid, Problem
from referee.records.report import Irregularity, JudgedTrick
from referee.records.seating import is_proved_against, leader_shown, seats_of_short
from referee.rules import SEATS, Card, Hand, Seat, card_text, hand_of, pack_cards
from referee.rules.cards import cards_of
from referee.rules.play import TRICKS
from referee.rules.ranking import STRENGTH
from referee.rules.seats import NEXT

_OUT: Final = "sits out, since the partner plays alone"


class _Counts(Enum):
    """Whether a card on the table counts, only holds its seat's place, or is as if never laid."""

    YES = "yes"
    PLACE = "place"
    NO = "no"


@dataclass(slots=True)
class Walked:
    """A trick as it counts: a card that is not known stands as `None`.

    `blank` are the seats whose card cannot be, so that it wins nothing. `gap` says that a card is
    missing somewhere inside, `loose` that nobody knows who plays to it, `led` that the first card
    is known to be the one that was led, `by_lead` that the next lead tells the winner.
    """

    number: int
    plays: list[tuple[int, Card | None]] = field(default_factory=list)
    blank: set[int] = field(default_factory=set)
    told: list[tuple[Seat | None, str]] = field(default_factory=list)
    winner: int | None = None
    whole: bool = False
    gap: bool = False
    led: bool = True
    by_lead: bool = False
    loose: bool = False

    def judged(self) -> JudgedTrick:
        """The trick for the report."""
        winner = None if self.winner is None else SEATS[self.winner]
        return JudgedTrick(self.number, tuple(self.told), winner)


class Walk:
    """The tricks of one deal after its calls.

    `owners` are the seats that alone can play a card; `called` says whether the calls tell who
    plays, and so who leads and how many cards a trick has; `first` is who is said to lead first.
    """

    def __init__(
        self,
        hand: Hand,
        tricks: Sequence[Sequence[Laid]],
        owners: Mapping[Card, int],
        *,
        ordered: bool,
        called: bool = True,
        first: Seat | None = None,
    ) -> None:
        self.tricks: list[Walked] = []
        self.problems: list[Problem] = []
        self.irregularities: list[Irregularity] = []
        self.open: list[str] = []
        self._hand = hand
        self._owners = owners
        self._ordered = ordered
        self._called = called
        self._next = NEXT[hand.out]
        self._size = 4 - hand.out.bit_count()
        self._seen: dict[Card, int] = {}
        self._pack = hand_of(pack_cards(hand.rules.pack))
        leader: int | None = hand.first if called and hand.first >= 0 else first
        if leader is not None and first not in {None, leader} and first is not None:
            message = f"{first.word} is said to lead first, and {SEATS[leader].word} is to lead"
            self.problems.append(Problem("first lead", message))
        for number, laid in enumerate(tricks, 1):
            if number > TRICKS:
                told = " ".join(p.text for p in laid)
                what = f"trick {number} ({told}) is a trick too many"
                self._wrong("trick.count", what, number, remedy="it is not counted")
                continue
            if not ordered and leader is None and number == 1 and laid:
                leader = laid[0].seat
            trick = self._walk(number, laid, leader)
            self._win_by_lead(trick)
            self.tricks.append(trick)
            leader = trick.winner
            if called and len(laid) < self._size and number < len(tricks):
                what = f"trick {number} has {len(laid)} cards of {self._size}"
                self._wrong("alone.trick-size" if hand.out else "trick.count", what, number)
        for trick in self.tricks:
            if trick.by_lead and trick.winner is not None:
                who = SEATS[trick.winner].word
                what = f"{who} is taken to have won it, and leads to the next"
                self.open.append(f"trick {trick.number}: {what}")
            elif len(trick.told) >= self._size and trick.winner is None and hand.trump >= 0:
                self.open.append(f"trick {trick.number}: who won it is not known")

    @property
    def won(self) -> tuple[int, int]:
        """The tricks of each side, NS first."""
        sides = [trick.winner & 1 for trick in self.tricks if trick.winner is not None]
        return sides.count(0), sides.count(1)

    @property
    def finished(self) -> bool:
        """Whether all five tricks were played and won by somebody who is known."""
        won = [trick for trick in self.tricks if trick.winner is not None]
        return len(won) == TRICKS

    def played(self) -> tuple[tuple[Card, ...], ...]:
        """The cards each seat played, in order."""
        return tuple(
            tuple(
                card
                for trick in self.tricks
                for who, card in trick.plays
                if who == seat and card is not None
            )
            for seat in SEATS
        )

    def seated(self) -> tuple[tuple[Laid, ...], ...] | None:
        """The tricks with the seat of every card; nothing where one is not known."""
        tricks: list[tuple[Laid, ...]] = []
        for trick in self.tricks:
            if len(trick.told) != len(trick.plays):
                return None
            plays = zip(trick.told, trick.plays, strict=True)
            tricks.append(tuple(Laid(card, seat, text) for (seat, text), (_, card) in plays))
        return tuple(tricks)

    def laid(self) -> tuple[list[tuple[tuple[int, Card], ...]], set[int]]:
        """The tricks as the renege law wants them, and those whose lead is not known."""
        tricks, unled = [], set[int]()
        for number, trick in enumerate(self.tricks):
            tricks.append(tuple((seat, card) for seat, card in trick.plays if card is not None))
            if not trick.plays or trick.plays[0][1] is None or not trick.led:
                unled.add(number)
        return tricks, unled

    def unknown(self) -> list[tuple[int, int]]:
        """The trick, from 0, and the seat of every play whose card is not known."""
        return [
            (trick.number - 1, int(seat))
            for trick in self.tricks
            for seat in SEATS
            if seat in self._next
            and not any(who == seat and card is not None for who, card in trick.plays)
        ]

    def _wrong(
        self,
        rule: str,
        what: str,
        trick: int,
        *,
        seat: int | None = None,
        card: Card | None = None,
        remedy: str = "",
    ) -> None:
        who = None if seat is None else SEATS[seat]
        self.irregularities.append(
            Irregularity(rule=rule, what=what, trick=trick, seat=who, card=card, remedy=remedy)
        )

    def _turned(self, laid: Sequence[Laid], leader: int | None) -> list[Laid]:
        """The cards of a row with fixed columns in the order they must have fallen."""
        first = leader
        if first is None:
            return list(laid)
        return sorted(laid, key=lambda p: 0 if p.seat is None else (p.seat - first) & 3)

    def _walk(self, number: int, laid: Sequence[Laid], leader: int | None) -> Walked:
        trick = Walked(number, led=self._ordered or leader is not None)
        laid, leader = self._seated(trick, laid, leader)
        due = leader
        for play in laid:
            seat = due if play.seat is None else int(play.seat)
            text = play.text if play.card is None else card_text(play.card)
            trick.told.append((None if seat is None else SEATS[seat], text))
            if seat is None:
                continue
            if len(trick.plays) == self._size and seat not in {who for who, _ in trick.plays}:
                self._out(number, seat, text)
                continue
            counts = self._counts(trick, seat, play.card, text)
            if counts is _Counts.NO:
                continue
            if due is not None and seat != due and not trick.gap:
                what = f"{SEATS[seat].word} plays {text} while it is the turn of {SEATS[due].word}"
                if not trick.plays:
                    what = f"{SEATS[seat].word} leads {text} while {SEATS[due].word} is to lead"
                remedy = "the trick stands where all have followed"
                self._wrong(
                    "play.out-of-turn", what, number, seat=seat, card=play.card, remedy=remedy
                )
            trick.plays.append((seat, play.card if counts is _Counts.YES else None))
            if counts is _Counts.PLACE:
                trick.blank.add(seat)
            due = None if trick.loose else self._next[seat]
        trick.whole = len(trick.plays) == self._size
        trick.winner = self._winner(trick)
        return trick

    def _seated(
        self, trick: Walked, laid: Sequence[Laid], leader: int | None
    ) -> tuple[Sequence[Laid], int | None]:
        """The cards with the seats that the hands prove, and who is to lead as far as is known."""
        if not self._ordered:
            return self._turned(laid, leader), leader
        owners, following = self._owners, self._next
        if any(play.seat is not None for play in laid[1:]):
            return laid, leader
        if not self._called and len(laid) < len(SEATS):
            trick.loose = trick.gap = True
            trick.led = laid[0].seat is not None or laid[0].card in owners if laid else False
            return [self._owned(play) for play in laid], None
        bare = [replace(play, seat=None) for play in laid]
        shown = leader_shown(bare[: self._size], owners, following)
        if len(laid) < self._size:
            seats = seats_of_short(bare, owners, following)
            if seats is not None:
                trick.gap, trick.led = True, seats[0] == leader
                return [replace(p, seat=s) for p, s in zip(bare, seats, strict=True)], leader
        said = leader if not laid or laid[0].seat is None else int(laid[0].seat)
        if said is None:
            return laid, shown
        if shown in {None, said} or not is_proved_against(bare, owners, said):
            return laid, leader
        assert shown is not None  # noqa: S101 -- the test above says so
        if laid[0].seat is not None:
            message = (
                f"{SEATS[said].word} is said to lead {laid[0].text}, which is in the hand of"
                f" {SEATS[shown].word}: the cards are taken as the hands hold them"
            )
            self.problems.append(Problem(f"trick {trick.number}", message))
        return [replace(bare[0], seat=SEATS[shown]), *bare[1:]], leader

    def _owned(self, play: Laid) -> Laid:
        owner = None if play.card is None else self._owners.get(play.card)
        return play if owner is None or play.seat is not None else replace(play, seat=SEATS[owner])

    def _win_by_lead(self, trick: Walked) -> None:
        """Let who leads next have won the trick before, where its cards do not tell."""
        before = self.tricks[-1] if self.tricks else None
        if before is None or before.winner is not None or not (trick.plays and trick.led):
            return
        seat = trick.plays[0][0]
        if seat in {who for who, _ in before.plays} or not before.whole:
            before.winner = seat
            before.by_lead = True

    def _out(self, number: int, seat: int, text: str) -> None:
        what = f"{SEATS[seat].word} plays {text} and {_OUT}"
        self._wrong("action.sitting-out", what, number, seat=seat, remedy="the card does not count")

    def _counts(self, trick: Walked, seat: int, card: Card | None, text: str) -> _Counts:
        """Whether a card counts; one that cannot be is named."""
        who, number = SEATS[seat].word, trick.number
        gone = "the card does not count"
        if self._hand.out >> seat & 1:
            self._out(number, seat, text)
        elif any(seat == other for other, _ in trick.plays):
            what = f"{who} plays {text}, a second card to one trick"
            self._wrong("trick.count", what, number, seat=seat, card=card, remedy=gone)
        elif card is not None and not self._pack >> card & 1:
            pack = self._hand.rules.pack
            what = f"{who} plays {text}, which is not in the pack {pack}"
            self._wrong("pack.24", what, number, seat=seat, card=card, remedy=gone)
            return _Counts.PLACE
        elif card is not None and card in self._seen:
            what = f"{who} plays {text}, which was played to trick {self._seen[card]}"
            self._wrong("play.card-held", what, number, seat=seat, card=card, remedy=gone)
            return _Counts.PLACE
        else:
            if card is not None:
                self._seen[card] = number
            return _Counts.YES
        return _Counts.NO

    def _winner(self, trick: Walked) -> int | None:
        """Who wins a whole trick; nobody where a card that is not known might win it.

        Rule: trick.winner
        """
        trump = self._hand.trump
        if not trick.whole or trump < 0 or not trick.plays or not trick.led:
            return None
        lead = trick.plays[0][1]
        if lead is None:
            return None
        row = STRENGTH[trump][lead]
        best = max(
            (play for play in trick.plays if play[1] is not None), key=lambda p: row[p[1] or 0]
        )
        if any(card is None and seat not in trick.blank for seat, card in trick.plays):
            unseen = [c for c in cards_of(self._pack) if c not in self._seen]
            top = max((row[c] for c in unseen), default=0)
            if best[1] is None or top > row[best[1]]:
                return None
        return best[0]
