"""Whole matches that keep the rules: random legal play, sealed and written by the script."""

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from random import Random

from referee.journal.verify import Report, verify_stream
from referee.rules import (
    Game,
    Hand,
    Outcome,
    Result,
    RuleSet,
    Seat,
    Violation,
    action_text,
    deal_from_deck,
    outcome_of,
    parse_cards,
    ruling,
)
from referee.sealing import PACKS, SealedDeck, VerifyKey
from referee.sealing.parts import Pair
from tests.sealing.support import MATCH, Move, Played, Script


@dataclass
class Match:
    """A match played at random and written as a transcript."""

    script: Script
    choose: Random = field(default_factory=lambda: Random(7))  # noqa: S311 -- a test repeats itself
    game: Game | None = None
    games: list[int] = field(default_factory=lambda: [0, 0])
    deals: int = 0

    @property
    def rules(self) -> RuleSet:
        return RuleSet.from_map(self.script.rules)

    def hand_of(self, deck: SealedDeck, dealer: int) -> Hand:
        return Hand(self.rules, deal_from_deck(parse_cards(deck.text), self.rules, dealer))

    def random_play(self, deck: SealedDeck, dealer: int) -> Played:
        hand = self.hand_of(deck, dealer)
        moves: list[Move] = []
        while hand.turn >= 0:
            code = self.choose.choice(hand.legal())
            moves.append(move_of(hand, code, deck))
            hand.advance(code)
        outcome = outcome_of(hand)
        assert self.game is not None
        return played(moves, hand, outcome, self.game.after(outcome).score)

    def refused(self, hand: Hand, seat: int, text: str) -> str | None:
        """The reason to refuse an action, or None."""
        found = ruling(hand, seat, text)
        return found.reason.value if isinstance(found, Violation) else None

    def code_of(self, hand: Hand, move: Move, deck: SealedDeck) -> int:
        """The code of a legal move."""
        hidden = "" if move.position is None else f" {deck.cards[move.position]}"
        found = ruling(hand, move.seat, move.action + hidden)
        assert isinstance(found, int)
        return found

    def play(self, deal: int, how: Callable[[SealedDeck, int], Played] | None = None) -> None:
        assert self.game is not None
        done = self.script.play(deal, self.game.dealer, how or self.random_play)
        points = (done.points.ns, done.points.ew)
        self.game = self.game.after(Outcome(outcome=Result(done.outcome), points=points))
        self.deals = self.game.deals

    def begin(self, dealer: int | None = None) -> int:
        """Open the match and find the dealer; the number of the first deal to play."""
        self.script.open_match()
        if dealer is None:
            self.script.draw()
            dealer = self.script.turned_dealer
        self.game = Game(rules=self.rules, dealer=Seat(dealer))
        return 1

    def to_the_end(self) -> "Match":
        """One whole game."""
        deal = self.begin()
        assert self.game is not None
        while not self.game.is_over:
            self.play(deal)
            deal += 1
        winner = self.game.winner
        assert winner is not None
        side = 0 if winner.value == "ns" else 1
        self.games[side] += 1
        score = self.games if self.rules.deals is None else self.game.score
        self.script.close_match(score=Pair(*score), deals=self.deals, winner=side)
        return self

    @property
    def text(self) -> bytes:
        return self.script.text


def move_of(hand: Hand, code: int, deck: SealedDeck) -> Move:
    text = action_text(code)
    if text.startswith("discard "):
        return Move(hand.turn, "discard", deck.cards.index(text.removeprefix("discard ")))
    return Move(hand.turn, text)


def played(moves: list[Move], hand: Hand, outcome: Outcome, score: tuple[int, int]) -> Played:
    return Played(
        tuple(moves),
        outcome=outcome.outcome.value,
        maker=outcome.maker,
        alone=tuple(outcome.alone),
        tricks=Pair(*hand.tricks_won),
        points=Pair(*outcome.points),
        score=Pair(*score),
    )


def report_of(text: bytes, *, pinned: VerifyKey | None = None, strict: bool = False) -> Report:
    return verify_stream(BytesIO(text), pinned=pinned, strict=strict)


def failed(report: Report) -> tuple[int, str | None, int | None]:
    """Exit code, party and deal."""
    failure = report.verdict.failure
    if failure is None:
        return 0, None, None
    return failure.exit, failure.party, failure.deal


def words(report: Report) -> str:
    """What is said of the failure."""
    failure = report.verdict.failure
    return "" if failure is None else failure.message


def random_match(
    rules: dict[str, str] | None = None, *, seed: int = 7, match: bytes = MATCH
) -> Match:
    """One game of random legal play, from match_open to match_close."""
    script = Script(match=match) if rules is None else Script(rules=rules, match=match)
    assert script.pack in PACKS
    return Match(script, Random(seed)).to_the_end()  # noqa: S311 -- a test repeats itself
