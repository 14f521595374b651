"""One deal as its seat follows it: what was promised, and whether it was kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from euchre_bot.canonical import Fields
from euchre_bot.dealing import (
    HIDDEN_MOVES,
    SEATS,
    SWAP_POSITIONS,
    UPCARD_POSITION,
    Hidden,
    drawn_dealer,
    positions,
)
from euchre_bot.errors import DealProofError
from euchre_bot.seal import (
    PACKS,
    SealedDeck,
    chain_descend,
    commit_set,
    hidden_moves,
    leaf,
    move_signed_bytes,
    reveal_signed_bytes,
    sealed_deck,
    seat_commit,
    tree_head,
)
from euchre_bot.signatures import SIGNATURE_BYTES, verifies

HASH: Final = 32


@dataclass(frozen=True, slots=True)
class Terms:
    """What match_open fixes for every deal."""

    match: bytes
    seat: int
    pack: str
    packets: str
    cut: str
    first_dealer: str
    chain: int
    rated: bool
    declined: frozenset[int]
    referee_key: bytes
    keys: tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A card with the salt that opens its leaf."""

    position: int
    card: str
    salt: bytes

    @classmethod
    def read(cls, fields: Fields) -> "Opened":
        """An opened card of an event."""
        return cls(fields.number("position"), fields.text("card"), fields.octets("salt", HASH))


@dataclass(frozen=True, slots=True)
class Link:
    """A value of the referee's hash chain that is already public, and its index."""

    index: int
    value: bytes


@dataclass(slots=True)
class Deal:
    """What is known of a deal so far; every step that breaks a promise is a DealProofError."""

    terms: Terms
    number: int
    link: Link
    dealer: int | None
    cutter: int | None
    mine: bytes | None = None
    commits: dict[int, bytes] = field(default_factory=dict)
    all_commits: tuple[bytes, ...] = ()
    r_commit: bytes = b""
    cset: bytes = b""
    cset_seq: int = 0
    head: bytes = b""
    seeds: tuple[bytes, ...] | None = None
    cut: int | None = None
    leaves: tuple[bytes, ...] = ()
    root: bytes = b""
    start: int | None = None
    opened: list[Opened] = field(default_factory=list)
    hand: tuple[str, ...] = ()
    hand_positions: tuple[int, ...] = ()
    hidden: dict[int, Hidden] = field(default_factory=dict)
    heads: dict[int, bytes] = field(default_factory=dict)
    sent: dict[int, str] = field(default_factory=dict)
    accepted: set[int] = field(default_factory=set)
    stood: set[int] = field(default_factory=set)
    awaited: str = ""
    revealed: bool = False
    blamed: bool = False
    voided: bool = False

    def take_commit(self, fields: Fields) -> None:
        """A seat's commitment."""
        seat = fields.seat("seat")
        commit = fields.octets("commit", HASH)
        if self.cset or seat in self.commits or seat in self.terms.declined:
            raise DealProofError(f"{fields.where}: {SEATS[seat]} cannot commit now")
        if seat == self.terms.seat and commit != self.mine:
            raise DealProofError(
                f"{fields.where}: the commitment of {SEATS[seat]} is not the one of our secret"
            )
        self.commits[seat] = commit

    def take_commit_set(self, fields: Fields, head: bytes) -> None:
        """The signed set of commitments: ours in place, four that differ, the chain continued."""
        commits = fields.octets_list("commits", 4, HASH)
        me = self.terms.seat
        if commits[me] != self.mine:
            raise DealProofError(f"{fields.where}: our own commitment is not in its place")
        if len(set(commits)) != len(commits):
            raise DealProofError(f"{fields.where}: two seats have the same commitment")
        for seat, commit in enumerate(commits):
            if commit != self._promised(seat):
                raise DealProofError(
                    f"{fields.where}: the commitment of {SEATS[seat]} is not the one it made"
                )
        r_commit = fields.octets("r_commit", HASH)
        if self._down(r_commit, self.number) != self.link.value:
            raise DealProofError(f"{fields.where}: r_commit does not continue the referee's chain")
        cset = commit_set(self.terms.match, self.number, self.terms.pack, r_commit, commits)
        if cset != fields.octets("cset", HASH):
            raise DealProofError(f"{fields.where}: cset is not the hash of the commit set")
        self.all_commits, self.r_commit, self.cset, self.head = commits, r_commit, cset, head
        self.cset_seq = fields.number("seq")

    def _promised(self, seat: int) -> bytes | None:
        if seat in self.terms.declined:
            return seat_commit(self.terms.match, self.number, seat, b"", None)
        return self.commits.get(seat)

    def _down(self, value: bytes, index: int) -> bytes:
        return chain_descend(self.terms.match, value, start=index, end=self.link.index)

    def take_reveal_set(self, fields: Fields) -> None:
        """The seeds, each one that was committed to."""
        if not self.cset:
            raise DealProofError(f"{fields.where} came before commit_set")
        seeds = fields.octets_list("seeds", 4, 0, HASH)
        cut = fields.number("cut") if "cut" in fields else None
        if (cut is None) != (self.cutter is None):
            raise DealProofError(f"{fields.where}: a cut goes with a cutter, and only with one")
        if cut is not None and cut >= len(PACKS[self.terms.pack]):
            raise DealProofError(f"{fields.where}: the cut {cut} is more than the pack holds")
        for seat, seed in enumerate(seeds):
            own_cut = cut if seat == self.cutter else None
            made = seat_commit(self.terms.match, self.number, seat, seed, own_cut)
            if bool(seed) == (seat in self.terms.declined) or made != self.all_commits[seat]:
                raise DealProofError(
                    f"{fields.where}: the seed of {SEATS[seat]} is not the one it committed to"
                )
        sigs = fields.octets_list("sigs", 4, 0, SIGNATURE_BYTES)
        for seat, sig in enumerate(sigs):
            what = f"{fields.where}: the reveal of {SEATS[seat]}"
            self._check_seat_signature(what, seat, sig, self.reveal_message(seat))
        self.seeds, self.cut = seeds, cut

    def reveal_message(self, seat: int) -> bytes:
        """What a seat signs of its reveal."""
        return reveal_signed_bytes(
            self.terms.match,
            self.number,
            seat,
            cset=self.cset,
            commit=self.all_commits[seat],
            head=self.head,
        )

    def _check_seat_signature(self, what: str, seat: int, sig: bytes, message: bytes) -> None:
        key = self.terms.keys[seat]
        if key is None and sig:
            raise DealProofError(f"{what} is signed, and its seat has no key")
        if key is not None and not verifies(key, sig, message):
            raise DealProofError(f"{what} is not signed by its seat")

    def take_deck_root(self, fields: Fields) -> None:
        """The leaves of the deck and their root."""
        if self.seeds is None:
            raise DealProofError(f"{fields.where} came before reveal_set")
        leaves = fields.octets_list("leaves", len(PACKS[self.terms.pack]), HASH)
        if tree_head(leaves) != fields.octets("root", HASH):
            raise DealProofError(f"{fields.where}: the root is not that of the leaves")
        self.leaves, self.root = leaves, fields.octets("root", HASH)

    def _check_opened(self, where: str, card: Opened) -> None:
        if card.position >= len(self.leaves):
            raise DealProofError(f"{where}: position {card.position} has no leaf yet")
        if card.card not in PACKS[self.terms.pack]:
            raise DealProofError(f"{where}: {card.card!r} is not a card of the pack")
        made = leaf(self.terms.match, self.number, card.position, card.card, card.salt)
        if made != self.leaves[card.position]:
            raise DealProofError(
                f"{where}: {card.card} at position {card.position} is not the sealed card"
            )

    def take_dealer_draw(self, fields: Fields) -> int:
        """The dealer draw's cards, and the dealer it gives."""
        self.start = fields.seat("start")
        for item in fields.children("turned"):
            card = Opened.read(item)
            self._check_opened(item.where, card)
            self.opened.append(card)
        self.dealer = fields.seat("dealer")
        return self.dealer

    def take_turn_up(self, fields: Fields) -> None:
        """The upcard."""
        card = Opened.read(fields)
        if card.position != UPCARD_POSITION:
            raise DealProofError(f"{fields.where}: the upcard lies at {UPCARD_POSITION}")
        self._check_opened(fields.where, card)
        self.opened.append(card)

    def take_private_deal(self, root: bytes, cards: Sequence[Opened]) -> None:
        """Cards of ours: the five at our places in the deal, then what a move has given us.

        A swap gives the first three of the kitty; a lone player is given one card by the partner.
        """
        me, where = self.terms.seat, f"the private deal of deal {self.number}"
        if not self.root or root != self.root:
            raise DealProofError(f"{where}: its root is not that of the deck")
        if self.dealer is None:
            raise DealProofError(f"{where}: the dealer draw deals no hands")
        held = tuple(card.position for card in cards)
        if held not in self._due(self.dealer, held):
            raise DealProofError(f"{where}: positions {list(held)} are not those of {SEATS[me]}")
        for card in cards:
            self._check_opened(where, card)
        for card in cards:
            if card.position not in self.hand_positions:
                self.hand += (card.card,)
                self.hand_positions += (card.position,)
        self.awaited = ""

    def _due(self, dealer: int, held: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """The positions that may come to us now; what we hold may come again."""
        if self.hand and set(held) <= set(self.hand_positions):
            return (held,)
        if not self.hand:
            return (positions(self.terms.packets, dealer, self.terms.seat),)
        if self.awaited == "swap":
            return (SWAP_POSITIONS,)
        gift = self.awaited == "give" and len(held) == 1 and held[0] not in self.hand_positions
        return (held,) if gift else ()

    def check_view(self, hand: Sequence[str]) -> None:
        """The cards that a view shows as ours, against those that were sealed for us."""
        where = f"deal {self.number}"
        if not self.hand and hand:
            raise DealProofError(f"{where}: we are asked to act but were shown no sealed cards")
        upcards = [card.card for card in self.opened if card.position == UPCARD_POSITION]
        ours = {*self.hand, *(upcards if self.dealer == self.terms.seat else ())}
        for card in hand:
            if card not in ours:
                raise DealProofError(f"{where}: {card!r} in our view was not dealt to us")

    def position_of(self, card: str) -> int | None:
        """Where a card of ours lay in the deal; the upcard counts as ours."""
        places = dict(zip(self.hand, self.hand_positions, strict=True))
        places.update({card.card: card.position for card in self.opened})
        return places.get(card)

    def take_action(self, fields: Fields, seq: int, before: bytes) -> None:
        """An action: ours is what we sent, a signing seat's is signed, unless it was played for it.

        One that hides a card is kept until its opening. `before` is the head that it follows.
        """
        seat, word = fields.seat("seat"), fields.text("action")
        commit = fields.octets("commit", HASH) if "commit" in fields else None
        first = word.split(" ")[0]
        if (first in HIDDEN_MOVES) != (commit is not None) or (commit and first != word):
            raise DealProofError(
                f"{fields.where}: {word!r} does not hide what it should,"
                " or hides what it should not"
            )
        move = word if commit is None else f"{word} {commit.hex()}"
        sig = fields.octets("seat_sig", SIGNATURE_BYTES) if "seat_sig" in fields else b""
        if "fallback" in fields and seat == self.terms.seat and seq in self.accepted:
            raise DealProofError(
                f"{fields.where}: our move was accepted, and {move!r} stands as played for us"
            )
        if seat == self.terms.seat and "fallback" not in fields:
            self.stood.add(seq)
        if sig or "fallback" not in fields:
            message = move_signed_bytes(self.terms.match, self.number, seq, before, move)
            what = f"{fields.where}: the move of {SEATS[seat]}"
            self._check_seat_signature(what, seat, sig, message)
            sent = self.sent.get(seq)
            if seat == self.terms.seat and sent not in (None, move):
                raise DealProofError(f"{fields.where}: {move!r} is not the move we made, {sent!r}")
        if commit is None:
            return
        to_us = {"swap": self.terms.seat, "give": self.terms.seat ^ 2}
        if to_us.get(word) == seat:
            self.awaited = word
        self.hidden[seq] = Hidden(seat, word, commit)

    def check_stood(self, seq: int) -> None:
        """A move of ours that was accepted for an event stands there."""
        if seq in self.accepted and seq not in self.stood:
            raise DealProofError(
                f"event {seq}: our move was accepted, and this is not the move we made"
            )

    def take_close(self, fields: Fields) -> Link:
        """The close: the whole deck derived again, and every hidden card opened."""
        r = fields.octets("r", HASH)
        if self._down(r, self.number + 1) != self.link.value:
            raise DealProofError(f"{fields.where}: r does not continue the referee's chain")
        self._check_outcome(fields)
        if self.seeds is not None and self.leaves:
            self._check_deck(fields, self.seeds, r)
        elif "deck" in fields:
            raise DealProofError(f"{fields.where}: a deck is named though none was sealed")
        self._check_openings(fields)
        self._check_attempts(fields)
        return Link(self.number + 1, r)

    def _check_outcome(self, fields: Fields) -> None:
        """A deal is cut short by a fault or a void alone; nobody withholds what was not due."""
        outcome = fields.text("outcome")
        cut_short = outcome in {"fault", "void"}
        if not self.leaves and not cut_short:
            raise DealProofError(
                f"{fields.where}: only a fault or a void closes a deal before its deck,"
                f" and it is closed {outcome!r}"
            )
        if not cut_short and (outcome == "draw") != (self.number == 0):
            raise DealProofError(
                f"{fields.where}: the draw for the deal, and no other deal, is closed as draw"
            )
        self.voided = outcome == "void" and bool(self.cset)
        for fault in fields.children("faults") if "faults" in fields else ():
            seat = fault.seat("seat")
            if fault.text("why") != "WITHHELD":
                continue
            committed = not self.cset and seat in self.commits
            if seat in self.terms.declined or self.leaves or committed:
                raise DealProofError(
                    f"{fault.where}: {SEATS[seat]} is said to have withheld,"
                    " and nothing of it was due"
                )
            self.blamed |= seat == self.terms.seat
        self.check_blame()

    def check_blame(self) -> None:
        """We are not said to have withheld a reveal that the referee has accepted."""
        if self.blamed and self.revealed:
            raise DealProofError(
                f"deal {self.number}: we are said to have withheld, and our reveal was accepted"
                " (its receipt is kept: the proof)"
            )

    def _check_deck(self, fields: Fields, seeds: tuple[bytes, ...], r: bytes) -> None:
        deck = sealed_deck(
            match=self.terms.match,
            deal=self.number,
            pack=self.terms.pack,
            r=r,
            cset=self.cset,
            seeds=seeds,
            cut=self.cut,
        )
        if deck.leaves != self.leaves:
            place = next(
                p
                for p, (ours, said) in enumerate(zip(deck.leaves, self.leaves, strict=True))
                if ours != said
            )
            raise DealProofError(
                f"{fields.where}: the leaf at position {place} is not that of the seeds' deck"
            )
        if fields.text("deck").split(" ") != list(deck.cards):
            raise DealProofError(f"{fields.where}: the deck is not the one that the seeds give")
        if self.start is not None:
            self._check_draw(fields, deck)

    def _check_draw(self, fields: Fields, deck: SealedDeck) -> None:
        if self.start != deck.first_seat:
            raise DealProofError(f"{fields.where}: the dealer draw began at the wrong seat")
        if self.dealer != drawn_dealer(deck.cards, self.terms.first_dealer, deck.first_seat):
            raise DealProofError(f"{fields.where}: the dealer draw named the wrong dealer")

    def _check_attempts(self, fields: Fields) -> None:
        """An attempt counts against a signing seat only under its signature, and once."""
        seen: set[tuple[int, int, str]] = set()
        for tried in fields.children("attempts") if "attempts" in fields else ():
            seat, after = tried.seat("seat"), tried.number("after")
            sig = tried.octets("seat_sig", SIGNATURE_BYTES) if "seat_sig" in tried else b""
            before, message = self.heads.get(after), b""
            if before is not None:
                place = (self.terms.match, self.number, after + 1)
                message = move_signed_bytes(*place, before, tried.text("action"))
            what = f"{tried.where}: the attempt of {SEATS[seat]}"
            attempt = after, seat, tried.text("action")
            if sig and attempt in seen:
                raise DealProofError(f"{what} is listed twice, and was signed once")
            seen.add(attempt)
            self._check_seat_signature(what, seat, sig, message)

    def _check_openings(self, fields: Fields) -> None:
        left = dict(self.hidden)
        for opening in fields.children("openings") if "openings" in fields else ():
            seq = opening.number("seq")
            if seq not in left:
                raise DealProofError(f"{opening.where}: event {seq} hides nothing")
            hid = left.pop(seq)
            places = opening.numbers("positions")
            blinds = opening.octets_list("blinds", len(places), HASH)
            sound = hid.may_open(places, len(PACKS[self.terms.pack]))
            match, number = self.terms.match, self.number
            if not sound or hidden_moves(match, number, hid.seat, places, blinds) != hid.commit:
                raise DealProofError(f"{opening.where}: it does not open what event {seq} hid")
        if left:
            raise DealProofError(f"{fields.where}: event {min(left)} was never opened")
