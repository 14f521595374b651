"""All matches of one referee: made, found by token, resumed from the journal."""

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.errors import InternalError, RefereeError
from referee.host.answers import reply_to
from referee.host.clock import Clock
from referee.host.items import Answer, Misused
from referee.host.match import Chance, Match
from referee.host.summary import KINDS, Summary, summary_of, summary_of_rows
from referee.journal.codec import event_of
from referee.journal.store import Row, Store, StoreError
from referee.meter import UNMETERED, Meter
from referee.rules import PRESETS, RuleSet, preset
from referee.rules.knobs import FirstDealer
from referee.sealing.chain import USUAL_LENGTH
from referee.sealing.keys import SigningKey
from referee.sealing.parts import Policy
from referee.table.events import MatchCreated

log = logging.getLogger(__name__)

ID_SIZE: Final = 16
WATCHING: Final = 4
"""The place of the watching token, behind the four seats'."""
MOST_OPEN: Final = 4_096


class TooManyMatchesError(RefereeError):
    """The referee has as many open matches as it takes."""


class OtherKeyError(RefereeError):
    """An open match is recorded under another key than the referee now has."""


class UnknownMatchError(RefereeError):
    """There is no such match, or it is not the asker's to see."""

    def __init__(self, match: str) -> None:
        super().__init__(f"no such match: {match!r} (use the id that CreateMatch returned)")


@dataclass(frozen=True, slots=True)
class Tickets:
    """The tokens of a match: the four seats', and the one for watching."""

    match: bytes
    seats: tuple[str, str, str, str]
    watching: str


@dataclass(frozen=True, slots=True)
class Pass:
    """What a token lets its holder do: play a seat, or watch where `seat` is None."""

    match: bytes
    seat: int | None


@dataclass(frozen=True, slots=True)
class Census:
    """Matches that are played, those that wait for their seats, and seats that a stream holds."""

    open: int
    waiting: int
    seats: int


class Referee:
    """The host's whole state. All methods are called on the event loop's thread."""

    def __init__(
        self,
        *,
        store: Store,
        key: SigningKey,
        clock: Clock,
        chance: Chance,
        meter: Meter = UNMETERED,
    ) -> None:
        self.key = key
        self._meter = meter
        self._store = store
        self._clock = clock
        self._chance = chance
        self._secret = hashlib.sha256(b"euchre-referee/tokens\0" + key.pem()).digest()
        self._matches: dict[bytes, Match] = {}
        self._passes: dict[bytes, Pass] = {}
        self._making: dict[bytes, asyncio.Task[None]] = {}
        self.draining = False

    # Making matches.

    async def create(
        self,
        *,
        rule_set: str = "",
        knobs: Mapping[str, str] | None = None,
        policy: Policy,
        first_dealer: int | None = None,
        request_id: bytes = b"",
        seed: bytes = b"",
    ) -> Tickets:
        """Make a match, or find the one that the same request_id made.

        A `seed` fixes the match id and the referee's chain, so that the match can be repeated; it
        can then be foreseen too, and is for unrated matches only.
        Raises RuleSetError, PolicyError, TooManyMatchesError, StoreError.
        """
        rules = self._rules(rule_set, knobs or {}, policy, first_dealer)
        if seed and policy.rated:
            raise RefereeError("a match from a seed can be foreseen (make it unrated)")
        request_id = request_id or self._chance(ID_SIZE)
        match_id = self._mac(b"match", request_id)[:ID_SIZE]
        secret = self._chance(32)
        if seed:
            match_id = hashlib.sha256(b"euchre-referee/match\0" + seed).digest()[:ID_SIZE]
            secret = hashlib.sha256(b"euchre-referee/chain\0" + seed).digest()
        tickets = self._tickets(match_id, request_id)
        digests = tuple(_digest(token) for token in (*tickets.seats, tickets.watching))
        making = self._making.get(match_id)
        if making is None and (known := self.find(match_id)) is not None:
            if known.state.created.tokens != digests:
                raise RefereeError("the journal has the match of this seed (use another seed)")
            made = known.state.created
            asked = (rules.to_map(), policy, first_dealer)
            if (dict(made.rules), made.policy, made.first_dealer) != asked:
                raise RefereeError(
                    f"request_id {request_id.hex()} made a match with other settings"
                    " (draw a new one for another match)"
                )
            return tickets
        if making is None:
            created = MatchCreated(
                match=match_id,
                rule_set=_name_of(rules),
                rules=rules.to_map(),
                policy=policy,
                first_dealer=first_dealer,
                chain=USUAL_LENGTH,
                secret=secret,
                referee_key=self.key.public.text,
                tokens=digests,
                created_at=self._clock.wall_ms(),
            )
            making = self._making[match_id] = asyncio.create_task(self._make(created))
        await asyncio.shield(making)
        return tickets

    async def _make(self, created: MatchCreated) -> None:
        """Record a match, whoever waits for it or does not; nothing is left where that fails."""
        try:
            if len(self._matches) >= MOST_OPEN:
                self.forget_finished()
            if len(self._matches) >= MOST_OPEN:
                raise TooManyMatchesError(f"{MOST_OPEN} matches are open (try again later)")
            try:
                await self._take(created).create()
            except StoreError:
                del self._matches[created.match]
                for digest in created.tokens:
                    del self._passes[digest]
                self._store.heal(created.match)
                raise
            log.info("match_created match=%s rules=%s", created.match.hex(), created.rule_set)
        finally:
            del self._making[created.match]

    def _rules(
        self, rule_set: str, knobs: Mapping[str, str], policy: Policy, first_dealer: int | None
    ) -> RuleSet:
        base = preset(rule_set or "standard")
        rules = RuleSet.from_map({**base.to_map(), **knobs})
        if first_dealer is not None and rules.first_dealer is not FirstDealer.AGREED:
            raise RefereeError(
                f"the first dealer cannot be named where first_dealer is {rules.first_dealer}"
                " (leave it out, or set the knob to agreed)"
            )
        if rules.deals is not None and policy.games != 1:
            raise RefereeError("a fixed number of deals is one game: set games to 1")
        return rules

    def _tickets(self, match_id: bytes, request_id: bytes) -> Tickets:
        north, east, south, west, watching = (
            self._mac(match_id, bytes((place,)), request_id).hex() for place in range(5)
        )
        return Tickets(match_id, (north, east, south, west), watching)

    def _mac(self, *parts: bytes) -> bytes:
        return hmac.digest(self._secret, b"\0".join(parts), "sha256")

    def _take(self, created: MatchCreated) -> Match:
        match = self._matches[created.match] = self._new(created)
        self._admit(created)
        return match

    def _new(self, created: MatchCreated) -> Match:
        return Match(
            created,
            store=self._store,
            key=self.key,
            clock=self._clock,
            chance=self._chance,
            meter=self._meter,
        )

    def _admit(self, created: MatchCreated) -> None:
        for place, digest in enumerate(created.tokens):
            seat = None if place == WATCHING else place
            self._passes[digest] = Pass(created.match, seat)

    # Finding matches.

    def resume(self) -> int:
        """Take up every open match where it was; the number of them."""
        open_matches = set(self._store.open_matches())
        for match_id in self._store.matches():
            still_open = match_id in open_matches
            rows = tuple(self._store.rows(match_id, () if still_open else (MatchCreated.kind,)))
            created = _created(match_id, rows)
            if still_open:
                self._check_key(created)
                self._take(created).resume(rows)
                self._meter.count("resumed")
                log.info("match_resumed match=%s", match_id.hex())
            else:
                self._admit(created)
        return len(open_matches)

    def _check_key(self, created: MatchCreated) -> None:
        """A record goes on under the key that it began with, or not at all."""
        if created.referee_key != self.key.public.text:
            raise OtherKeyError(
                f"match {created.match.hex()} is open and recorded under the key"
                f" {created.referee_key!r}, not {self.key.public.text!r} (give that key's file)"
            )

    def pass_of(self, token: str) -> Pass | None:
        """What a token is good for; None where it is none of ours."""
        return self._passes.get(_digest(token))

    def find(self, match_id: bytes) -> Match | None:
        """A match, also one that is over; None where there is none."""
        match = self._matches.get(match_id)
        if match is not None:
            return match
        rows = tuple(self._store.rows(match_id))
        if not rows:
            return None
        created = _created(match_id, rows)
        match = self._new(created)
        match.resume(rows)
        return match

    def match(self, match_id: str) -> Match:
        """A match by its hex id; UnknownMatchError where there is none."""
        try:
            found = self.find(bytes.fromhex(match_id))
        except ValueError:
            found = None
        if found is None:
            raise UnknownMatchError(match_id)
        return found

    def census(self) -> Census:
        """How many there are just now."""
        here = [match for match in self._matches.values() if not match.durable.over]
        playing = sum(match.durable.opened for match in here)
        return Census(playing, len(here) - playing, sum(match.connected for match in here))

    def ids(self) -> list[bytes]:
        """Every match, newest first."""
        return self._store.matches(newest_first=True)

    def open_ids(self) -> list[bytes]:
        """Every match that is not over, oldest first."""
        return self._store.open_matches()

    def summary(self, match_id: bytes) -> Summary:
        """A match in a few words, without playing it again; UnknownMatchError where none is."""
        match = self._matches.get(match_id)
        if match is not None:
            return summary_of(match.durable)
        rows = tuple(self._store.rows(match_id, KINDS))
        if not rows:
            raise UnknownMatchError(match_id.hex())
        return summary_of_rows(rows)

    def lines(self, match_id: bytes, from_seq: int) -> list[bytes]:
        """The transcript's lines so far, from a position on."""
        match = self._matches.get(match_id)
        if match is not None:
            return [item.line for item in match.log[from_seq:]]
        rows = self._store.rows(match_id)
        return [row.line for row in rows if row.seq is not None and row.seq >= from_seq]

    # Going down.

    def forget_finished(self) -> None:
        """Let go of matches that are over; their record stays in the journal."""
        for match_id in [m for m, match in self._matches.items() if match.over.is_set()]:
            del self._matches[match_id]

    def drain(self, text: str) -> None:
        """Take nothing more, tell everybody, stop the clocks."""
        log.info("draining open=%s", len(self._matches))
        self.draining = True
        for match in self._matches.values():
            match.drain(text)

    def close(self) -> None:
        """Finish what is being recorded, and let go of the journal."""
        for match in self._matches.values():
            match.close()
        self._store.close()


async def void_open(
    referee: Referee, shown: Callable[[list[bytes]], Iterable[bytes]]
) -> list[bytes]:
    """Close every open match void, each durable before the next; their ids."""
    ids = referee.open_ids()
    for match_id in shown(ids):
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        referee.match(match_id.hex()).abort(void=True, reply=reply_to(answer))
        if isinstance(given := await answer, Misused):
            raise StoreError(f"match {match_id.hex()} cannot be closed: {given.text}")
    return ids


def _created(match_id: bytes, rows: Sequence[Row]) -> MatchCreated:
    created = event_of(rows[0]) if rows else None
    if not isinstance(created, MatchCreated):
        raise InternalError(f"match {match_id.hex()} has no beginning (restore a backup)")
    return created


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _name_of(rules: RuleSet) -> str:
    return next((name for name, known in PRESETS.items() if known == rules), "custom")
