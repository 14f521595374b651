"""The state of one match: what the journal's events come to."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Self

from referee.rules import Game, Hand, RuleSet
from referee.sealing.chain import Chain
from referee.sealing.closing import ZERO, Attempt, Fault, HiddenOpening, MatchClose
from referee.sealing.deck import SealedDeck, Sealer, sealed_deck
from referee.sealing.parts import Pair, SeatInfo
from referee.table.events import BoardOver, CardHidden, MatchCreated, SeedShown

NOBODY: Final = (None, None, None, None)


class _Copied:
    """A value that is followed by another which differs in little: most of play is that.

    Without slots its fields are one dict, which is copied at once; `dataclasses.replace` would
    hand every field to a constructor, and is for whatever happens less often than once an action.
    """

    def _with(self, **changes: object) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__, **changes)
        return twin


@dataclass(frozen=True, kw_only=True)
class DealState(_Copied):
    """One deal, from deal_open to deal_close.

    `commit_seqs` and `cset_seq` are the numbers of the events that hold commits and commit set.
    `deck` stands from the last reveal on, `hand` from the turn-up on. `hidden` is the buried card
    of the discard that is just being recorded.
    """

    number: int
    dealer: int | None
    cutter: int | None
    commits: tuple[bytes | None, ...] = NOBODY
    commit_seqs: tuple[int | None, ...] = NOBODY
    cset: bytes = b""
    cset_seq: int = 0
    seeds: tuple[SeedShown | None, ...] = NOBODY
    revealed: bool = False
    deck: SealedDeck | None = None
    fixed: bool = False
    drawn: int | None = None
    hand: Hand | None = None
    hidden: CardHidden | None = None
    openings: tuple[HiddenOpening, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    faults: tuple[Fault, ...] = ()

    def at(self, hand: Hand) -> Self:
        """The deal with its play at another place."""
        return self._with(hand=hand)


@dataclass(frozen=True, slots=True)
class Ending:
    """How the match is going to end, as soon as the open deal is closed."""

    outcome: str
    by: int | None = None


@dataclass(frozen=True)
class Links:
    """Where a match's chain hangs. Its thousand hashes are made once, and go with the match."""

    match: bytes
    secret: bytes
    length: int

    @cached_property
    def chain(self) -> Chain:
        """The chain of the match."""
        return Chain(self.match, self.secret, self.length)


@dataclass(frozen=True, kw_only=True)
class MatchState(_Copied):
    """One match.

    `version` is the seq of the last public event, -1 before the first. `game` is the running one,
    absent until the first dealer is known; `games` are those won, `counted` the deals of all that
    count. `withheld` counts a side's withheld seeds, `attempts` and `timeouts` a seat's. `banks`
    are milliseconds. `joined` are the SHA-256 of the tokens that invitations have given.
    `board_over` is there once the board of a table is closed.
    """

    created: MatchCreated
    rules: RuleSet
    links: Links = field(compare=False)
    joined: tuple[bytes | None, ...] = NOBODY
    seats: tuple[SeatInfo | None, ...] = NOBODY
    opened: bool = False
    rated: bool = True
    version: int = -1
    game: Game | None = None
    games: Pair = ZERO
    finished_games: int = 0
    counted: int = 0
    last_deal: int = -1
    deal: DealState | None = None
    attempts: tuple[int, ...] = (0, 0, 0, 0)
    timeouts: tuple[int, ...] = (0, 0, 0, 0)
    withheld: Pair = ZERO
    banks: tuple[int, ...] = (0, 0, 0, 0)
    ending: Ending | None = None
    closed: MatchClose | None = None
    dropped: str = ""
    board_over: BoardOver | None = None
    sealer: Sealer = sealed_deck

    def after(self, deal: DealState | None) -> Self:
        """The state with one more public event, and the deal as it left it."""
        return self._with(version=self.version + 1, deal=deal)

    @property
    def over(self) -> bool:
        """Whether nothing more can happen."""
        return self.closed is not None or bool(self.dropped)

    @property
    def match(self) -> bytes:
        """The match id."""
        return self.created.match

    @property
    def sealed_id(self) -> bytes:
        """The id that the deck is sealed under: the board's at a table of one."""
        place = self.created.place
        return self.created.match if place is None else place.board

    @property
    def waits_for_board(self) -> bool:
        """Whether all is done at a table of a board but its close."""
        if self.created.place is None or self.board_over is not None or self.deal is None:
            return False
        hand = self.deal.hand
        return self.ending is not None or (hand is not None and hand.seat_on_turn is None)

    @property
    def score(self) -> Pair:
        """The running game's score."""
        return ZERO if self.game is None else Pair(*self.game.score)

    @property
    def seated(self) -> tuple[SeatInfo, ...]:
        """The entries of the seats that are taken."""
        return tuple(entry for entry in self.seats if entry is not None)

    def declined(self, seat: int) -> bool:
        """Whether the seat gives no seed."""
        entry = self.seats[seat]
        return entry is not None and entry.declined
