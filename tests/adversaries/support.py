"""Cheating referees: real ones, with real clients over loopback, whose record or cards lie."""

import asyncio
import json
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Final

from referee.arena.bots import BotSpec, parse_bot
from referee.arena.match import Arena, Plan
from referee.cli.evidence import read_receipts
from referee.host.audience import Audience
from referee.host.clock import LoopClock
from referee.host.items import CardsItem, EventItem
from referee.host.match import Match
from referee.host.record import Record
from referee.host.referee import Referee
from referee.journal.store import Row
from referee.journal.verify import Report, verify_stream
from referee.sealing import SEATS, SigningKey
from referee.sealing.deck import Sealer, sealed_deck
from referee.sealing.messages import Opening, private_deal_bytes
from referee.table.events import Event, MatchCreated, PublicEvent
from referee.table.policy import policy
from referee.table.state import MatchState
from tests.host.support import KEY, MemoryStore

SOUTH: Final = 2
Lie = Callable[[PublicEvent], PublicEvent]
Deal = Callable[[MatchState, int, tuple[Opening, ...]], tuple[Opening, ...]]
NODE: Final = Path(__file__).parents[2] / "clients" / "node"
HAVE_NODE: Final = shutil.which("node") is not None and (NODE / "node_modules").is_dir()
RULES_EXIT: Final = 1
LIMITS: Final = {
    "grace_ms": 250,
    "commit_ms": 20_000,
    "reveal_ms": 20_000,
    "move_ms": 20_000,
    "start_ms": 60_000,
}


class LyingRecord(Record):
    """A record that writes other events than happened; `drop` says which it leaves out."""

    def __init__(
        self, match: bytes, key: SigningKey, lie: Lie, drop: Callable[[Event], bool]
    ) -> None:
        super().__init__(match, key)
        self._lie = lie
        self._drop = drop

    def rows(
        self, events: Sequence[Event], request_id: bytes = b""
    ) -> tuple[tuple[Row, ...], tuple[EventItem, ...]]:
        return super().rows([event for event in events if not self._drop(event)], request_id)

    def told(self, event: PublicEvent) -> EventItem:
        return super().told(self._lie(event))


class LyingAudience(Audience):
    """An audience in which seats are dealt other cards than the sealed ones, under a signature."""

    def __init__(self, key: SigningKey, cheat: "Cheat") -> None:
        super().__init__(key)
        self._cheat = cheat

    def note(self, item: EventItem, state: MatchState) -> None:
        before = [len(chair.cards) for chair in self.chairs]
        super().note(item, state)
        for seat, chair in enumerate(self.chairs):
            for at in range(before[seat], len(chair.cards)):
                chair.cards[at] = self._changed(state, seat, chair.cards[at])

    def _changed(self, state: MatchState, seat: int, told: CardsItem) -> CardsItem:
        cards = self._cheat.deal(state, seat, told.cards)
        root = self._cheat.root or told.root
        signed = private_deal_bytes(state.match, told.deal, seat, root, cards)
        return CardsItem(told.after, told.deal, root, cards, self._key.sign(signed))


def as_it_is(event: PublicEvent) -> PublicEvent:
    return event


def nothing(_event: Event) -> bool:
    return False


def as_sealed(_state: MatchState, _seat: int, cards: tuple[Opening, ...]) -> tuple[Opening, ...]:
    return cards


@dataclass(frozen=True, kw_only=True)
class Cheat:
    """What a referee lies about; without anything, an honest one."""

    lie: Lie = as_it_is
    drop: Callable[[Event], bool] = nothing
    deal: Deal = as_sealed
    root: bytes | None = None
    sealer: Sealer = sealed_deck


class CheatingReferee(Referee):
    """A whole referee that cheats in one way in every match."""

    def __init__(self, cheat: Cheat, chance: Callable[[int], bytes] = secrets.token_bytes) -> None:
        super().__init__(
            store=MemoryStore(), key=KEY, clock=LoopClock(), chance=chance, sealer=cheat.sealer
        )
        self._cheat = cheat

    def _match_of(self, created: MatchCreated) -> Match:
        match = super()._match_of(created)
        cheat = self._cheat
        match.course.ledger._record = LyingRecord(created.match, self.key, cheat.lie, cheat.drop)
        match.course.audience = LyingAudience(self.key, cheat)
        return match


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides(Plan):
    """A plan in which south is another bot than north."""

    south: BotSpec

    def spec(self, seat: int) -> BotSpec:
        return self.south if seat == SOUTH else Plan.spec(self, seat)


@dataclass(frozen=True)
class Left:
    """How a client ended: its exit status, and the last thing that it said."""

    exit: int
    said: str


@dataclass
class Outcome:
    """What came of a match: how the clients ended, and the record that was published."""

    folder: Path
    transcript: bytes
    left: Mapping[str, Left] = field(default_factory=dict)

    def report(self, *, receipts: bool = False) -> Report:
        """What the verifier says of the record, with the key pinned."""
        kept = read_receipts(self.folder / "receipts") if receipts else None
        return verify_stream(BytesIO(self.transcript), pinned=KEY.public, receipts=kept)

    def found(self, *, receipts: bool = False) -> tuple[int, str | None]:
        """The exit code, and the party at whose door it lies.

        Where node is there, the JavaScript verifier says the same of whatever is not the rules.
        """
        report = self.report(receipts=receipts)
        failure = report.verdict.failure
        said = (report.exit, None if failure is None else failure.party)
        if HAVE_NODE and report.exit != RULES_EXIT:
            flags = ("--receipts", f"{self.folder}/receipts") if receipts else ()
            assert self._javascript_says(*flags) == said
        return said

    def _javascript_says(self, *flags: str) -> tuple[int, str | None]:
        path = self.folder / "published.jsonl"
        path.write_bytes(self.transcript)
        script = str(NODE / "verifier" / "euchre-verify.mjs")
        command = ("node", script, str(path), "--json", "--referee-key", KEY.public.text, *flags)
        done = subprocess.run(command, capture_output=True, check=False)
        found = json.loads(done.stdout)
        return done.returncode, found["party"]

    @property
    def faults(self) -> list[tuple[str, str]]:
        """Which seats the record charges, and with what."""
        return [(SEATS[f.seat], f.why) for f in self.report().verdict.totals.faults]


def python_bot(folder: Path, *flags: str) -> str:
    """A Python client that dials in, with its receipts in the folder."""
    words = (sys.executable, "-m", "euchre_bot.bots.sensible", "--receipts", f"{folder}/receipts")
    return f"dial:{' '.join((*words, *flags))}"


def node_bot(folder: Path, *flags: str) -> str:
    """A Node client that dials in, with its receipts in the folder; a Python one without node."""
    if not HAVE_NODE:
        return python_bot(folder, *flags)
    words = ("node", str(NODE / "bots" / "sensible.mjs"), "--receipts", f"{folder}/receipts")
    return f"dial:{' '.join((*words, *flags))}"


def seat_key(folder: Path, name: str) -> Path:
    """A seat's private key in a file."""
    path = folder / f"{name}.pem"
    path.write_bytes(SigningKey.from_bytes(name, secrets.token_bytes(32)).pem())
    path.chmod(0o600)
    return path


def played(
    folder: Path,
    cheat: Cheat,
    *,
    north: str,
    south: str,
    knobs: Mapping[str, str] | None = None,
) -> Outcome:
    """A match under a referee that cheats, to whatever end it comes."""
    referee = CheatingReferee(cheat)
    plan = Sides(
        rule_set="quick",
        knobs={"target": "3", **(knobs or {})},
        policy=policy(LIMITS),
        north_south=parse_bot(north),
        south=parse_bot(south),
        east_west=parse_bot("sensible"),
    )
    arena = Arena(referee, plan, chance=secrets.token_bytes, directory=folder)
    over = asyncio.run(arena.play(_unheard, _unheard))
    left = {
        SEATS[dialed.seat]: Left(dialed.process.returncode or 0, dialed.tail())
        for dialed in arena._dialed
        if dialed.process is not None
    }
    referee.close()
    return Outcome(folder, over.transcript, left)


def _unheard(_said: object) -> None:
    pass
