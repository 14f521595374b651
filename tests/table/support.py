"""A table without a host: commands in, events kept, and the transcript that they make."""

from dataclasses import dataclass, field
from io import BytesIO
from random import Random

from referee.host.record import Record
from referee.journal.store import Row
from referee.journal.verify import Report, verify_stream
from referee.rules import PRESETS, action_text, fallback_action
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.commit import seat_commit
from referee.sealing.keys import SigningKey
from referee.sealing.packs import PACKS
from referee.sealing.parts import SeatInfo
from referee.table.commands import (
    Abort,
    Command,
    Forfeit,
    GiveCommit,
    GiveSeed,
    Malformed,
    SeedsMissing,
    SitDown,
    TakeAction,
)
from referee.table.decide import Decision, Misuse, decide
from referee.table.events import Event, MatchCreated
from referee.table.evolve import begin, evolve
from referee.table.policy import policy
from referee.table.state import DealState, MatchState

MATCH = bytes(range(16))
KEY = SigningKey.from_bytes("referee", bytes(range(32)))
BLIND = bytes(range(96))
NOW_MS = 1_700_000_000_000


def created(
    rules: str = "standard",
    *,
    knobs: dict[str, str] | None = None,
    limits: dict[str, int] | None = None,
    rated: bool = True,
    first_dealer: int | None = None,
    chain: int = 256,
    match: bytes = MATCH,
) -> MatchCreated:
    return MatchCreated(
        match=match,
        rule_set=rules,
        rules={**PRESETS[rules].to_map(), **(knobs or {})},
        policy=policy(limits, rated=rated),
        first_dealer=first_dealer,
        chain=chain,
        secret=bytes(32),
        referee_key=KEY.public.text,
        tokens=tuple(bytes([place]) * 32 for place in range(5)),
        created_at=NOW_MS,
    )


def info(seat: int, level: str = "checks") -> SeatInfo:
    return SeatInfo(name=f"bot{seat}", level=level, seed_by="seat")


def seed_of(seat: int, deal: int) -> bytes:
    return bytes([seat + 1, deal % 251]) * 16


@dataclass
class Table:
    """One match and everything that happened in it."""

    created: MatchCreated
    choose: Random = field(default_factory=lambda: Random(5))  # noqa: S311 -- a test repeats itself
    events: list[Event] = field(default_factory=list)
    state: MatchState = field(init=False)

    def __post_init__(self) -> None:
        self.state = begin(self.created)

    def ask(self, command: Command) -> Decision | Misuse:
        return decide(self.state, command, now_ms=NOW_MS)

    def give(self, command: Command) -> Decision:
        decision = self.ask(command)
        assert isinstance(decision, Decision), decision
        self.events.extend(decision.events)
        self.state = decision.state
        return decision

    def misuse(self, command: Command) -> str:
        found = self.ask(command)
        assert isinstance(found, Misuse), found
        return found.kind

    @property
    def deal(self) -> DealState:
        assert self.state.deal is not None
        return self.state.deal

    @property
    def turn(self) -> int:
        assert self.deal.hand is not None
        assert self.deal.hand.seat_on_turn is not None
        return self.deal.hand.seat_on_turn

    @property
    def legal(self) -> list[str]:
        assert self.deal.hand is not None
        return [action_text(code) for code in self.deal.hand.legal()]

    @property
    def closes(self) -> list[DealClose]:
        return [event for event in self.events if isinstance(event, DealClose)]

    @property
    def end(self) -> MatchClose:
        assert self.state.closed is not None
        return self.state.closed

    def sit(self, *levels: str) -> "Table":
        for seat in range(4):
            level = levels[seat] if levels else "checks"
            self.give(SitDown(seat=seat, info=info(seat, level)))
        return self

    def cut(self, seat: int, deal: int) -> int | None:
        size = len(PACKS[self.state.rules.pack.value])
        return deal % size if seat == self.deal.cutter else None

    def commit_of(self, seat: int) -> GiveCommit:
        number = self.deal.number
        commit = seat_commit(
            self.state.match, number, seat, seed_of(seat, number), self.cut(seat, number)
        )
        return GiveCommit(seat=seat, deal=number, commit=commit)

    def seed_for(self, seat: int) -> GiveSeed:
        deal = self.deal
        return GiveSeed(
            seat=seat,
            deal=deal.number,
            seed=seed_of(seat, deal.number),
            cut=self.cut(seat, deal.number),
            cset=deal.cset,
        )

    @property
    def giving(self) -> list[int]:
        return [seat for seat in range(4) if not self.state.declined(seat)]

    def commit(self, *seats: int) -> "Table":
        for seat in seats or self.giving:
            self.give(self.commit_of(seat))
        return self

    def reveal(self, *seats: int) -> "Table":
        for seat in seats or self.giving:
            self.give(self.seed_for(seat))
        return self

    def seal(self) -> "Table":
        """Commit and reveal, the dealer draw too where it stands first."""
        number = self.deal.number
        if number == 0:
            self.commit().reveal()
        return self.commit().reveal()

    def act(self, text: str, *, seat: int | None = None, used_ms: int = 0) -> Decision:
        who = self.turn if seat is None else seat
        return self.give(TakeAction(seat=who, action=text, blind=BLIND, used_ms=used_ms))

    def fall_back(self, seat: int | None = None) -> Decision:
        who = self.turn if seat is None else seat
        return self.give(
            TakeAction(seat=who, action="", blind=BLIND, used_ms=9, fallback="TIMEOUT")
        )

    def play_deal(self) -> "Table":
        """Play the deal on the table to its end with legal actions."""
        number = self.deal.number
        while (deal := self.state.deal) is not None and deal.number == number:
            self.act(self.choose.choice(self.legal))
        return self

    def to_the_end(self) -> "Table":
        while not self.state.over:
            if self.deal.hand is None:
                self.commit().reveal()
            else:
                self.play_deal()
        return self

    @property
    def rows(self) -> tuple[Row, ...]:
        return Record(self.created.match, KEY).rows([self.created, *self.events])[0]

    @property
    def transcript(self) -> bytes:
        return b"".join(row.line for row in self.rows if row.seq is not None)

    @property
    def report(self) -> Report:
        return verify_stream(BytesIO(self.transcript), pinned=KEY.public)

    def folded(self) -> MatchState:
        state = begin(self.created)
        for event in self.events:
            state = evolve(state, event)
        return state


def sealed(rules: str = "standard", *, first_dealer: int | None = None, **limits: int) -> Table:
    """A table at which the first hand has just been turned up."""
    made = created(rules, limits=limits, first_dealer=first_dealer)
    return Table(made).sit().seal()


def wrong_word(chance: Random) -> Command:
    """An attempt by any seat that may be legal, illegal or rubbish."""
    seat = chance.randrange(4)
    if chance.random() < 0.3:
        return Malformed(seat=seat)
    words = ["pass", "order", "name H", "play JD", "discard 9C", "alone", "decline", "rubbish"]
    return TakeAction(seat=seat, action=chance.choice(words), blind=BLIND, used_ms=1)


def any_command(table: Table, chance: Random, *, trouble: float) -> Command:
    """What somebody does next; with the chance `trouble` it is not what was asked."""
    deal = table.deal
    wild = chance.random()
    if wild < trouble / 10:
        ends: list[Command] = [Abort(void=True), Abort(void=False)]
        return chance.choice([*ends, Forfeit(seat=chance.randrange(4), why="DISCONNECT")])
    troubled = wild < trouble
    if deal.hand is not None:
        if troubled:
            return wrong_word(chance)
        fallback = chance.random() < trouble / 4
        words = table.legal
        text = action_text(fallback_action(deal.hand)) if fallback else chance.choice(words)
        return TakeAction(
            seat=table.turn,
            action=text,
            blind=BLIND,
            used_ms=chance.randrange(9_000),
            fallback="TIMEOUT" if fallback else None,
        )
    given = deal.seeds if deal.cset else deal.commits
    seat = chance.choice([s for s in table.giving if given[s] is None])
    if troubled and chance.random() < 0.5:
        return SeedsMissing()
    if not deal.cset:
        return table.commit_of(seat)
    good = table.seed_for(seat)
    if troubled:
        return GiveSeed(seat=seat, deal=deal.number, seed=bytes(32), cut=good.cut, cset=good.cset)
    return good
