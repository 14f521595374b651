"""A small writer of whole transcripts, honest unless told otherwise.

It stands in for the table and the journal, so that the verifier can be shown what no honest referee
would write: every event goes through `change` before it is signed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TypeVar

from referee.sealing import (
    ActionTaken,
    Chain,
    CommitSet,
    DealClose,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    Event,
    HiddenOpening,
    MatchClose,
    MatchOpen,
    Pair,
    Policy,
    RevealSet,
    SealedDeck,
    SeatCommit,
    SeatInfo,
    SigningKey,
    Turned,
    TurnUp,
    VerifyKey,
    Writer,
    commit_set,
    dealer_draw,
    hidden_move,
    line_bytes,
    move_bytes,
    reveal_bytes,
    rule_set_hash,
    sealed_deck,
    seat_commit,
)
from referee.sealing.closing import ZERO, Attempt, Fault
from referee.sealing.packs import PACKS
from referee.sealing.proof import proof_lines
from referee.sealing.verdict import Verdict
from referee.sealing.verify import SealVerifier

KEY = SigningKey.from_bytes("test-referee", b"\x11" * 32)
OTHER_KEY = SigningKey.from_bytes("other-referee", b"\x22" * 32)
SEAT_KEYS = tuple(SigningKey.from_bytes(f"seat-{i}", bytes((0x30 + i,)) * 32) for i in range(4))
MATCH = bytes(range(0xA0, 0xB0))
STANDARD = {
    "pack": "E24", "target": "10", "deals": "none", "first_dealer": "black_jack",
    "packets": "3-2", "cut": "none", "trump_making": "two_rounds", "all_pass": "stick",
    "throw_in_dealer": "left", "order_needs_trump": "never",
    "order_needs_trump_scope": "ordering_seats", "partner_order": "with_partner",
    "upcard": "dealer_takes", "bury_upcard": "allowed", "sitting_out_dealer": "exchange",
    "alone_who": "maker", "alone_when": "with_call", "defend_alone": "never",
    "defend_alone_poll": "dealers_left", "loner_lead": "dealers_left",
    "both_alone_lead": "dealers_left", "points_made": "1", "points_march": "2",
    "points_lone_march": "4", "points_euchre": "2", "points_euchre_all_five": "2",
    "points_lone_euchred": "2", "points_lone_defender": "4", "best_bower_turned": "spades",
    "no_trump": "never", "farmers_hand": "none", "going_under": "none", "ace_no_face": "none",
    "no_ace_no_face_no_trump": "none", "loner_limit": "none", "partners_best": "none",
    "enforcement": "refuse", "renege_points": "2", "renege_vs_lone_maker": "4",
    "renege_by_lone_side": "2", "renege_false_claim": "0",
}  # fmt: skip
POLICY = Policy(
    rated=True, games=1, illegal_limit=3, timeout_limit=5, withheld_limit=2, move_ms=5000,
    bank_ms=0, increment_ms=0, start_ms=20000, commit_ms=5000, reveal_ms=5000, grace_ms=30000,
)  # fmt: skip
BLIND = b"\x77" * 32
ONE_NIL = Pair(1, 0)


def unchanged(event: Event) -> Event:
    """The event of an honest referee."""
    return event


E = TypeVar("E", bound=Event)


def on(kind: type[E], deal: int | None, edit: Callable[[E], Event]) -> Callable[[Event], Event]:
    """A referee that changes the events of one kind (of one deal) before it signs them."""

    def change(event: Event) -> Event:
        if isinstance(event, kind) and deal in {None, getattr(event, "deal", None)}:
            return edit(event)
        return event

    return change


def secret(*words: object) -> bytes:
    """32 bytes that a test can make again."""
    return sha256(repr(words).encode()).digest()


@dataclass(frozen=True)
class Move:
    """An action of a script; a discard gives the position it buries."""

    seat: int
    action: str
    position: int | None = None
    fallback: str | None = None


@dataclass(frozen=True)
class Played:
    """How a deal went: its moves and what its close says."""

    moves: tuple[Move, ...]
    outcome: str = "played"
    maker: int | None = None
    alone: tuple[int, ...] = ()
    tricks: Pair = ZERO
    points: Pair = ZERO
    score: Pair = ZERO
    faults: tuple[Fault, ...] = ()
    attempts: tuple[Attempt, ...] = ()


def plain_play(deck: SealedDeck, dealer: int) -> Played:
    """Moves that the seal does not look into: ordered up, a hidden discard, one card."""
    left = (dealer + 1) % 4
    moves = (Move(left, "order"), Move(dealer, "discard", 20), Move(left, f"play {deck.cards[0]}"))
    return Played(moves, maker=left, tricks=Pair(3, 2), points=Pair(1, 0), score=Pair(1, 0))


@dataclass(frozen=True)
class Committed:
    """A deal whose commit_set stands."""

    deal: int
    seeds: tuple[bytes, ...]
    commits: tuple[bytes, ...]
    cset: bytes
    cut: int | None


@dataclass
class Script:
    """A match being written."""

    rules: dict[str, str] = field(default_factory=lambda: dict(STANDARD))
    levels: tuple[str, ...] = ("checks",) * 4
    seed_by: tuple[str, ...] = ("seat",) * 4
    policy: Policy = POLICY
    length: int = 64
    change: Callable[[Event], Event] = unchanged
    key: SigningKey = KEY
    match: bytes = MATCH
    lines: list[bytes] = field(default_factory=list)
    turned_dealer: int = 0
    cut_at: int | None = None

    def __post_init__(self) -> None:
        self.chain = Chain(self.match, secret("chain", self.match), self.length)
        self.writer = Writer(self.key)
        self.pack = self.rules["pack"]

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        return tuple(
            SeatInfo(
                name=f"bot-{i}",
                level=level,
                seed_by=by,
                key=SEAT_KEYS[i].public.text if level == "signs" else None,
            )
            for i, (level, by) in enumerate(zip(self.levels, self.seed_by, strict=True))
        )

    def add(self, event: Event) -> int:
        """Write the next event; its number."""
        seq = self.writer.seq
        raw, sig = self.writer.append(self.change(event))
        self.lines.append(line_bytes(raw, sig))
        return seq

    def open_match(self) -> None:
        self.add(
            MatchOpen(
                match=self.match,
                rule_set=rule_set_hash(self.rules),
                rules=self.rules,
                pack=self.pack,
                seats=self.seats,
                referee_key=self.key.public.text,
                chain=self.length,
                r0=self.chain.first,
                policy=self.policy,
                opened_at=1_700_000_000_000,
            )
        )

    def cutter(self, dealer: int | None) -> int | None:
        step = {"dealers_right": 3, "dealers_left": 1}.get(self.rules["cut"])
        if step is None or dealer is None:
            return None
        seat = (dealer + step) % 4
        return None if self.levels[seat] == "plays" else seat

    def seal(self, deal: int, dealer: int | None) -> SealedDeck:
        """All events of a deal up to its deck_root."""
        return self.reveal(self.commit(deal, dealer))

    def commit(self, deal: int, dealer: int | None) -> "Committed":
        """The events of a deal up to its commit_set."""
        cutter = self.cutter(dealer)
        at = deal % len(PACKS[self.pack]) if self.cut_at is None else self.cut_at
        cut = None if cutter is None else at
        self.add(DealOpen(deal=deal, dealer=dealer, cutter=cutter))
        declined = [level == "plays" for level in self.levels]
        seeds = tuple(b"" if declined[i] else secret("seed", deal, i) for i in range(4))
        cuts = [cut if i == cutter else None for i in range(4)]
        commits = tuple(seat_commit(self.match, deal, i, seeds[i], cuts[i]) for i in range(4))
        for i in (2, 0, 3, 1):
            if not declined[i]:
                self.add(SeatCommit(deal=deal, seat=i, commit=commits[i]))
        below = self.chain.commitment(deal)
        cset = commit_set(self.match, deal, self.pack, below, commits)
        self.add(CommitSet(deal=deal, r_commit=below, commits=commits, cset=cset))
        return Committed(deal, seeds, commits, cset, cut)

    def reveal(self, done: "Committed") -> SealedDeck:
        """The reveals and the deck_root that follow a commit_set."""
        deal, head = done.deal, self.writer.head
        sigs = tuple(
            SEAT_KEYS[i].sign(
                reveal_bytes(self.match, deal, i, cset=done.cset, commit=commit, head=head)
            )
            if self.levels[i] == "signs"
            else b""
            for i, commit in enumerate(done.commits)
        )
        self.add(RevealSet(deal=deal, seeds=done.seeds, sigs=sigs, cut=done.cut))
        r = self.chain.secret(deal)
        deck = sealed_deck(
            self.match, deal, self.pack, r=r, cset=done.cset, seeds=done.seeds, cut=done.cut
        )
        self.add(DeckRoot(deal=deal, leaves=deck.leaves, root=deck.root))
        return deck

    def turned(self, deck: SealedDeck, position: int) -> Turned:
        return Turned(position=position, card=deck.cards[position], salt=deck.salts[position])

    def draw(self) -> None:
        """Deal 0, whole."""
        deck = self.seal(0, None)
        found = dealer_draw(deck.cards, self.rules["first_dealer"], deck.first_seat)
        self.turned_dealer = found.dealer
        self.add(
            DealerDrawn(
                deal=0,
                start=deck.first_seat,
                turned=tuple(self.turned(deck, p) for p in found.turned),
                dealer=found.dealer,
            )
        )
        self.close_deal(0, Played((), outcome="draw"), deck, ())

    def play(
        self, deal: int, dealer: int, how: Callable[[SealedDeck, int], Played] = plain_play
    ) -> Played:
        """A deal from its opening to its close."""
        deck = self.seal(deal, dealer)
        self.add(TurnUp(deal=deal, turned=self.turned(deck, 20)))
        played = how(deck, dealer)
        openings = [self.act(deal, move) for move in played.moves]
        self.close_deal(deal, played, deck, [o for o in openings if o is not None])
        return played

    def act(self, deal: int, move: Move) -> HiddenOpening | None:
        commit = None
        if move.position is not None:
            commit = hidden_move(self.match, deal, move.seat, [(move.position, BLIND)])
        action = ActionTaken(
            deal=deal,
            seat=move.seat,
            action=move.action,
            used_ms=12,
            commit=commit,
            fallback=move.fallback,
        )
        if self.levels[move.seat] == "signs" and move.fallback is None:
            signed = move_bytes(self.match, deal, self.writer.seq, self.writer.head, action.move)
            action = replace(action, seat_sig=SEAT_KEYS[move.seat].sign(signed))
        seq = self.add(action)
        return None if move.position is None else HiddenOpening(seq, (move.position,), (BLIND,))

    def close_deal(
        self,
        deal: int,
        played: Played,
        deck: SealedDeck | None,
        openings: Iterable[HiddenOpening],
    ) -> None:
        self.add(
            DealClose(
                deal=deal,
                outcome=played.outcome,
                r=self.chain.secret(deal),
                maker=played.maker,
                alone=played.alone,
                tricks=played.tricks,
                points=played.points,
                score=played.score,
                faults=played.faults,
                deck=None if deck is None else deck.text,
                openings=tuple(openings),
                attempts=played.attempts,
            )
        )

    def close_match(
        self,
        outcome: str = "finished",
        *,
        score: Pair = ONE_NIL,
        deals: int = 3,
        winner: int | None = None,
        by: int | None = None,
    ) -> None:
        self.add(MatchClose(outcome=outcome, score=score, deals=deals, winner=winner, by=by))

    @property
    def text(self) -> bytes:
        return b"".join(self.lines)


def sealed_match(deals: int = 3, **options: object) -> Script:
    """A whole match for the seal's eyes; `options` are those of Script."""
    script = Script(**options)  # type: ignore[arg-type]  # forwarded by name
    script.open_match()
    script.draw()
    for deal in range(1, deals + 1):
        script.play(deal, (script.turned_dealer + deal - 1) % 4)
    script.close_match(winner=0)
    return script


def verdict_of(text: bytes, *, pinned: VerifyKey | None = None, strict: bool = False) -> Verdict:
    """What the seal verifier says of a transcript's bytes."""
    verifier = SealVerifier(pinned=pinned, strict=strict)
    lines = text.split(b"\n")
    for line in lines[:-1]:
        verifier.feed(line)
    if lines[-1]:
        verifier.cut_short()
    return verifier.finish()


def proof_verdict(text: bytes) -> Verdict:
    """What the seal verifier says of a deal proof's bytes."""
    verifier = SealVerifier(proof=True)
    for line in proof_lines(text)[1]:
        verifier.feed(line)
    return verifier.finish()
