"""A table driven by random commands, honest and not, and the transcript that comes of it."""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from referee.rules import action_text
from referee.sealing import PROTOCOL, SeatInfo, Writer, line_bytes, seat_commit
from referee.sealing.closing import EVENT_CLASSES
from referee.sealing.packs import PACKS
from referee.sealing.parts import Policy
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
from referee.table.events import MatchCreated
from referee.table.evolve import begin
from referee.table.follow import missing_seats
from referee.table.state import MatchState
from tests.sealing.support import KEY, MATCH, POLICY, STANDARD, secret

BLIND: Final = b"\x55" * 96
RUBBISH: Final = ("play", "play 9C", "order", "alone", "pass", "name H", "discard JS", "?", "swap")


def created(rules: dict[str, str], policy: Policy, first_dealer: int | None) -> MatchCreated:
    return MatchCreated(
        match=MATCH,
        rule_set="test",
        rules=rules,
        policy=policy,
        first_dealer=first_dealer,
        chain=64,
        secret=secret("end of the chain"),
        referee_key=KEY.public.text,
        tokens=(),
        created_at=0,
    )


@dataclass
class Driver:
    """One match, its commands drawn at random; `mischief` is how often a seat misbehaves."""

    choose: Random
    rules: dict[str, str] = field(default_factory=lambda: dict(STANDARD))
    policy: Policy = POLICY
    levels: tuple[str, ...] = ("checks",) * 4
    first_dealer: int | None = None
    mischief: float = 0.0

    def __post_init__(self) -> None:
        self.state: MatchState = begin(created(self.rules, self.policy, self.first_dealer))
        self.writer = Writer(KEY)
        self.lines: list[bytes] = []

    @property
    def text(self) -> bytes:
        return b"".join(self.lines)

    def tell(self, command: Command) -> Decision | Misuse:
        """Give the table a command, and write down what it records."""
        said = decide(self.state, command, now_ms=1_700_000_000_000)
        if isinstance(said, Decision):
            self.state = said.state
            for event in said.events:
                if isinstance(event, EVENT_CLASSES):
                    self.lines.append(line_bytes(*self.writer.append(event)))
        return said

    def sit_down(self) -> None:
        for seat, level in enumerate(self.levels):
            by = "host" if level == "plays" else "seat"
            info = SeatInfo(name=f"{PROTOCOL[:6]}-{seat}", level=level, seed_by=by)
            self.tell(SitDown(seat=seat, info=info))

    def play(self) -> "Driver":
        """From the first Hello to the end of the match."""
        self.sit_down()
        for _ in range(20_000):
            if self.state.over:
                return self
            self.tell(self.command())
        raise AssertionError

    def command(self) -> Command:
        deal = self.state.deal
        assert deal is not None
        astray = self.choose.random() < self.mischief
        if astray and self.choose.random() < 0.1:
            options: list[Command] = [
                Abort(void=True),
                Abort(void=False),
                Forfeit(seat=self.choose.randrange(4), why="DISCONNECT"),
            ]
            return self.choose.choice(options)
        if not deal.revealed:
            return self.seed_command(astray=astray)
        return self.action(astray=astray)

    def seed_of(self, deal: int, seat: int) -> tuple[bytes, int | None]:
        state = self.state.deal
        assert state is not None
        cut = deal % len(PACKS[self.rules["pack"]]) if state.cutter == seat else None
        return secret("seed", deal, seat), cut

    def seed_command(self, *, astray: bool) -> Command:
        deal = self.state.deal
        assert deal is not None
        seat = self.choose.choice(missing_seats(self.state))
        seed, cut = self.seed_of(deal.number, seat)
        if not deal.cset:
            commit = seat_commit(MATCH, deal.number, seat, seed, cut)
            if astray:
                others = [commit for commit in deal.commits if commit is not None]
                options: list[Command] = [
                    SeedsMissing(),
                    GiveCommit(seat=seat, deal=deal.number, commit=secret("unknown")),
                    GiveCommit(seat=seat, deal=deal.number, commit=(others or [commit])[0]),
                ]
                return self.choose.choice(options)
            return GiveCommit(seat=seat, deal=deal.number, commit=commit)
        honest = GiveSeed(seat=seat, deal=deal.number, seed=seed, cut=cut, cset=deal.cset)
        if not astray:
            return honest
        options = [
            SeedsMissing(),
            replace(honest, seed=seed[:31]),
            replace(honest, seed=secret("other")),
            replace(honest, cut=None if cut is not None else 5),
            replace(honest, cut=200),
            replace(honest, cset=secret("other")),
        ]
        return self.choose.choice(options)

    def action(self, *, astray: bool) -> Command:
        deal = self.state.deal
        assert deal is not None
        assert deal.hand is not None
        hand = deal.hand
        turn = hand.turn
        text = action_text(self.choose.choice(hand.legal()))
        honest = TakeAction(seat=turn, action=text, blind=BLIND, used_ms=7)
        if not astray:
            return honest
        seat = self.choose.randrange(4)
        options: list[Command] = [
            replace(honest, fallback="TIMEOUT"),
            replace(honest, fallback="CRASH"),
            replace(honest, seat=seat),
            replace(honest, seat=seat, action=self.choose.choice(RUBBISH)),
            Malformed(seat=seat),
        ]
        return self.choose.choice(options)
