"""The order of a match's events, and the seal of each deal, checked one event at a time.

Order: match_open ( deal_open seat_commit* [ commit_set [ reveal_set deck_root ( dealer_draw |
turn_up action* ) ] ] deal_close )* match_close. Only a fault or a void closes before deck_root.
"""

from typing import ClassVar, Final

from referee.sealing.boardevents import BoardEvent
from referee.sealing.chain import hash_down
from referee.sealing.checks import (
    check_commits,
    check_deck,
    check_root,
    check_rules,
    out_of_order,
    seat_keys,
)
from referee.sealing.closing import DealClose, Event, MatchClose, read_event
from referee.sealing.commit import commit_set, seat_commit
from referee.sealing.dealclose import check_draw, check_openings, check_withheld, is_signed
from referee.sealing.deck import sealed_deck
from referee.sealing.events import (
    ActionTaken,
    CommitSet,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    MatchOpen,
    RevealSet,
    SeatCommit,
    Turned,
    TurnUp,
)
from referee.sealing.fields import Fields
from referee.sealing.leaves import leaf
from referee.sealing.messages import move_bytes, reveal_bytes
from referee.sealing.packs import PACKS, SEATS, UPCARD_POSITION
from referee.sealing.parts import HIDDEN_MOVES
from referee.sealing.record import DealRecord, Placed
from referee.sealing.verdict import CheckError, CountedFault, Totals, require

_CUTTER_STEP: Final = {"dealers_left": 1, "dealers_right": 3}
_CUT_SHORT: Final = frozenset({"fault", "void"})
_NO_DEALER: Final = ("void", "aborted", "forfeit")


class Walk:
    """One match as far as it has been read; every check raises CheckError where it fails.

    Signatures of seats that do not verify gather in `unsigned`: they are judged after the seal.
    `lone` says why a file that is a table's of a board says too little by itself.
    """

    __slots__ = ("_cards", "_declined", "_expected", "_keys", "_last", "_link", "_match_ends",
                 "_proof", "closed", "deal", "lone", "open", "totals", "unsigned")  # fmt: skip
    opening: ClassVar[str] = MatchOpen.kind
    what: ClassVar[str] = "match"

    def __init__(self, *, proof: bool = False) -> None:
        self._proof = proof
        self._expected: tuple[type[Event], ...] = (MatchOpen,)
        self._link: tuple[int, bytes] = (0, b"")
        self._last: int | None = None
        self._match_ends: tuple[str, ...] = ()
        self.open: MatchOpen | None = None
        self.deal: DealRecord | None = None
        self.closed = False
        self.lone = ""
        self.unsigned: list[str] = []
        self.totals = Totals()

    @property
    def complete(self) -> bool:
        """Whether everything that has to stand in the file stands there."""
        if self._proof:
            return self.totals.deals == 1 and self.deal is None
        return self.closed

    def read(self, kind: str, f: Fields) -> Event:
        """The event of a kind that a file of this sort may hold."""
        return read_event(kind, f)

    def step(
        self, event: Event | BoardEvent, seq: int, before: bytes, head: bytes
    ) -> "DealRecord | None":
        """Check an event; the record of a deal where the event closes it."""
        if self.lone:
            return None
        if not isinstance(event, self._expected):
            raise out_of_order(event, self._expected)
        if isinstance(event, MatchOpen):
            self._match_open(event)
        elif isinstance(event, MatchClose):
            self._match_close(event)
        elif isinstance(event, DealOpen):
            self._deal_open(event, seq)
        else:
            deal = self._in_deal()
            if event.deal != deal.number:
                raise CheckError(f"deal {event.deal} inside deal {deal.number}")
            return self._deal_event(event, deal, seq, before, head)
        return None

    def _deal_event(
        self, event: Event, deal: DealRecord, seq: int, before: bytes, head: bytes
    ) -> DealRecord | None:
        match event:
            case ActionTaken():
                deal.heads[seq] = head
                self._action(event, deal, seq, before)
            case SeatCommit():
                self._seat_commit(event, deal)
            case CommitSet():
                self._commit_set(event, deal, head)
            case RevealSet():
                self._reveal_set(event, deal)
            case DeckRoot():
                self._deck_root(event, deal, seq)
            case DealerDrawn():
                self._dealer_drawn(event, deal, seq)
            case TurnUp():
                deal.heads[seq] = head
                self._turn_up(event, deal, seq)
            case DealClose():
                self._deal_close(event, deal, seq, before)
                return deal
            case MatchOpen() | DealOpen() | MatchClose():
                raise CheckError(f"{event.kind} inside a deal")
        return None

    def _in_deal(self) -> DealRecord:
        if self.deal is None:
            raise CheckError("an event of a deal outside any deal")
        return self.deal

    @property
    def _match(self) -> MatchOpen:
        if self.open is None:
            raise CheckError("no match_open stands before this event")
        return self.open

    @property
    def _sealed(self) -> bytes:
        """The id that the leaves of the deck are bound to."""
        return self._match.match

    def _match_open(self, event: MatchOpen) -> None:
        check_rules(event)
        require(event.chain >= 1, "a chain has at least one link")
        self._check_place(event)
        self._keys = seat_keys(zip(SEATS, event.seats, strict=True), self.unsigned)
        self._declined = tuple(seat.declined for seat in event.seats)
        self._cards = PACKS[event.pack]
        self._link = (0, event.r0)
        self.open = event
        self._expected = (DealOpen,) if self._proof else (DealOpen, MatchClose)

    def _check_place(self, event: MatchOpen) -> None:
        """A match that stands alone; of a table of a board its file alone says too little."""
        if event.board is not None:
            self.lone = (
                f"table {event.table} of the sealed board {event.board.hex()}: it is verified"
                " together with its board's file and the board's other tables (name them all)"
            )
        elif (event.table, event.root, event.score) != (None, None, None):
            raise CheckError("table, root and score stand in match_open with their board, or not")

    def _deal_open(self, event: DealOpen, seq: int) -> None:
        number = event.deal
        if self._last is not None:
            require(number == self._last + 1, f"deal {number} follows deal {self._last}: a gap")
        elif not self._proof:
            agreed = self._match.rules.get("first_dealer") == "agreed"
            require(number == 0 or (agreed and number == 1), f"the match begins with deal {number}")
        require(number < self._match.chain, f"deal {number} is beyond the referee's chain")
        require((number == 0) == (event.dealer is None), "deal 0 has no dealer, every other has")
        require(event.cutter == self._cutter(event), "the cutter is not the rule set's")
        self._last = number
        self.deal = DealRecord(event, seq)
        self._expected = (SeatCommit, CommitSet, DealClose)

    def _cutter(self, event: DealOpen) -> int | None:
        step = _CUTTER_STEP.get(self._match.rules.get("cut", "none"))
        if step is None or event.dealer is None:
            return None
        seat = (event.dealer + step) % 4
        return None if self._declined[seat] else seat

    def _seat_commit(self, event: SeatCommit, deal: DealRecord) -> None:
        word = SEATS[event.seat]
        require(not self._declined[event.seat], f"{word} has declined and does not commit")
        require(event.seat not in deal.commits, f"{word} commits twice")
        deal.commits[event.seat] = event.commit

    def _commit_set(self, event: CommitSet, deal: DealRecord, head: bytes) -> None:
        match, number = self._match.match, deal.number
        self._continue_chain(number, event.r_commit, "r_commit")
        seats = zip(SEATS, self._declined, strict=True)
        check_commits(match, number, seats, deal.commits, event.commits)
        cset = commit_set(match, number, self._match.pack, event.r_commit, event.commits)
        require(event.cset == cset, "cset is not the hash of the commit set")
        deal.commit_set = event
        deal.head = head
        self._expected = (RevealSet, DealClose)

    def _continue_chain(self, k: int, link: bytes, name: str) -> None:
        last, value = self._link
        below = hash_down(self._match.match, k, link, to=last)
        require(below == value, f"{name} does not continue the referee's chain")
        self._link = (k, link)

    def _reveal_set(self, event: RevealSet, deal: DealRecord) -> None:
        match, number, cset = self._match.match, deal.number, deal.commit_set
        if cset is None:
            raise CheckError("reveals stand before their commit set")
        cutter = deal.open.cutter
        require((cutter is None) == (event.cut is None), "a cut stands where a cutter is")
        require((event.cut or 0) < len(self._cards), f"the pack cannot be cut at {event.cut}")
        for seat, word in enumerate(SEATS):
            seed, commit = event.seeds[seat], cset.commits[seat]
            require(bool(seed) != self._declined[seat], f"{word}: a seed, unless it has declined")
            cut = event.cut if seat == cutter else None
            require(
                seat_commit(match, number, seat, seed, cut) == commit,
                f"{word} reveals what its commitment does not hold",
            )
        for seat, word in enumerate(SEATS):
            if event.sigs[seat] or self._keys[seat] is not None:
                self._reveal_signature(seat, event.sigs[seat], cset, deal, f"the reveal of {word}")
        deal.reveals = event
        self._expected = (DeckRoot,)

    def _reveal_signature(
        self, seat: int, sig: bytes, cset: CommitSet, deal: DealRecord, what: str
    ) -> None:
        message = b""
        if self._keys[seat] is not None:
            message = reveal_bytes(
                self._match.match,
                deal.number,
                seat,
                cset=cset.cset,
                commit=cset.commits[seat],
                head=deal.head,
            )
        self._seat_signature(seat, sig, message, what)

    def _seat_signature(self, seat: int, sig: bytes, message: bytes, what: str) -> None:
        key = self._keys[seat]
        if key is None:
            require(not sig, f"{what} is signed, and its seat has no key")
        elif not key.accepts(sig, message):
            self.unsigned.append(f"{what} is not signed by it")

    def _deck_root(self, event: DeckRoot, deal: DealRecord, seq: int) -> None:
        check_root(event, self._cards)
        deal.root = event
        deal.root_seq = seq
        self._expected = (TurnUp,) if deal.number else (DealerDrawn,)

    def _opened(self, turned: Turned, deal: DealRecord) -> None:
        leaves = () if deal.root is None else deal.root.leaves
        place = turned.position
        require(turned.card in self._cards, f"not a card of the pack: {turned.card!r}")
        require(place < len(leaves), f"position {place} is beyond the pack")
        made = leaf(self._sealed, deal.number, place, turned.card, turned.salt)
        require(made == leaves[place], f"position {place} does not open to {turned.card}")

    def _dealer_drawn(self, event: DealerDrawn, deal: DealRecord, seq: int) -> None:
        for turned in event.turned:
            self._opened(turned, deal)
        deal.draw = event
        deal.draw_seq = seq
        self._expected = (DealClose,)

    def _turn_up(self, event: TurnUp, deal: DealRecord, seq: int) -> None:
        place = event.turned.position
        require(place == UPCARD_POSITION, f"the upcard lies at position {UPCARD_POSITION}")
        self._opened(event.turned, deal)
        deal.upcard = event.turned
        deal.upcard_seq = seq
        self._expected = (ActionTaken, DealClose)

    def _action(self, event: ActionTaken, deal: DealRecord, seq: int, before: bytes) -> None:
        first = event.action.partition(" ")[0]
        hidden = first in HIDDEN_MOVES
        if hidden != (event.commit is not None):
            raise CheckError("a commit goes with a hidden move, and only there")
        if hidden and event.action != first:
            raise CheckError("the card of a hidden move stands in the open")
        deal.actions.append(Placed(seq, event))
        key, sig = self._keys[event.seat], event.seat_sig
        if (key is None or event.fallback is not None) and sig is None:
            return
        message = b""
        if key is not None:
            message = move_bytes(self._match.match, deal.number, seq, before, event.move)
        self._seat_signature(event.seat, sig or b"", message, f"the move of {SEATS[event.seat]}")

    def _deal_close(self, event: DealClose, deal: DealRecord, seq: int, before: bytes) -> None:
        short = event.outcome in _CUT_SHORT
        require(
            deal.root is not None or short, "only a fault or a void closes a deal before its deck"
        )
        require(short or (event.outcome == "draw") == (deal.number == 0), "draw is for deal 0 only")
        self._check_secret(event, deal, before)
        check_openings(event, deal, self._match.match, self._cards)
        self._check_attempts(event, deal)
        check_withheld(event, deal, self._declined)
        deal.close = event
        deal.close_seq = seq
        self._count(event, deal)
        self.deal = None
        if self._proof:
            self._expected = ()
        else:
            self._expected = (MatchClose,) if self._match_ends else (DealOpen, MatchClose)

    def _check_secret(self, event: DealClose, deal: DealRecord, before: bytes) -> None:
        """The secret that a close publishes continues the chain, and gives the deck."""
        del before
        sealed = deal.root is not None
        require(sealed == (event.deck is not None), "deck stands where a deck_root stands")
        if event.r is None:
            raise CheckError("deal_close: field 'r' is missing")
        self._continue_chain(deal.number + 1, event.r, "r")
        if sealed:
            self._check_deck(event, event.r, deal)

    def _check_deck(self, event: DealClose, r: bytes, deal: DealRecord) -> None:
        if deal.root is None or deal.reveals is None or deal.commit_set is None:
            raise CheckError("a deck stands without its reveals")
        deck = sealed_deck(
            self._match.match,
            deal.number,
            self._match.pack,
            r=r,
            cset=deal.commit_set.cset,
            seeds=deal.reveals.seeds,
            cut=deal.reveals.cut,
        )
        check_deck(event.deck, deck, deal.root, deal.root_seq)
        deal.deck = deck
        if deal.draw is not None:
            method = self._match.rules.get("first_dealer", "")
            check_draw(deal.draw, deck, method, deal.draw_seq)

    def _check_attempts(self, event: DealClose, deal: DealRecord) -> None:
        """An attempt counts against a signing seat only under its signature, and once."""
        places = [tried.place for tried in event.attempts]
        for at, tried in enumerate(event.attempts):
            what = f"the attempt of {SEATS[tried.seat]} after event {tried.after}"
            again = self._keys[tried.seat] is not None and tried.place in places[:at]
            require(not again, f"{what} is listed twice, and was signed once")
            before, message = deal.heads.get(tried.after), b""
            if before is not None:
                place = (self._match.match, deal.number, tried.after + 1)
                message = move_bytes(*place, before, tried.action)
            self._seat_signature(tried.seat, tried.seat_sig or b"", message, what)

    def _count(self, event: DealClose, deal: DealRecord) -> None:
        totals = self.totals
        totals.deals += 1
        totals.verified += deal.deck is not None
        totals.draws += event.outcome == "draw"
        totals.played += event.outcome == "played"
        totals.faults += [
            CountedFault(event.deal, f.seat, f.why, signed=is_signed(f, event, self._keys))
            for f in event.faults
        ]
        voided = event.outcome == "void" and deal.commit_set is not None
        totals.voided += voided
        self._match_ends = self._ends_after(event, deal)

    def _ends_after(self, event: DealClose, deal: DealRecord) -> tuple[str, ...]:
        """How the match must close after a deal; nothing where it may go on.

        Else a deal whose deck does not please could be thrown away, and the next one dealt.
        """
        if event.outcome == "void" and deal.commit_set is not None and self._match.policy.rated:
            return ("void", "aborted")
        if event.outcome == "fault" and all(fault.why != "WITHHELD" for fault in event.faults):
            return ("forfeit",)
        return _NO_DEALER if deal.number == 0 and event.outcome != "draw" else ()

    def _match_close(self, event: MatchClose) -> None:
        ends = self._match_ends
        require(
            not ends or event.outcome in ends,
            f"after the deal before it the match closes {' or '.join(ends)}, not {event.outcome}",
        )
        totals = self.totals
        totals.outcome = event.outcome
        totals.score = (event.score.ns, event.score.ew)
        totals.winner = event.winner
        self.closed = True
        self._expected = ()
