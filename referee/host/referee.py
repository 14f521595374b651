"""All matches of one referee: made, found by token, resumed from the journal."""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from referee.errors import InternalError, RefereeError
from referee.host.answers import answer_of
from referee.host.appends import kept
from referee.host.asked import check_same, created_of, joined_of, name_of, rules_of
from referee.host.clock import Chance, Clock
from referee.host.course import Course
from referee.host.items import Misused
from referee.host.lobby import (
    InvitationTakenError,
    Lobby,
    OpenSeats,
    UnknownInvitationError,
    invited_until,
)
from referee.host.match import Match
from referee.host.mint import ID_SIZE, Mint, Tickets
from referee.host.passes import READING_MS, Pass, Passes, digest, late_ms
from referee.host.summary import KINDS, Summary, summary_of, summary_of_rows
from referee.journal.store import Deed, Row, Store, StoreError
from referee.meter import UNMETERED, Meter
from referee.sealing.canonical import dump
from referee.sealing.chain import USUAL_LENGTH
from referee.sealing.deck import Sealer, sealed_deck
from referee.sealing.keys import SigningKey
from referee.sealing.parts import Policy
from referee.table.events import MatchCreated

log = logging.getLogger(__name__)

MOST_OPEN: Final = 4_096
AGAIN_MS: Final = 1_000
"""After that a journal that could not be read is read again."""
STOPPING: Final = "the referee is stopping"


class TooManyMatchesError(RefereeError):
    """The referee, or one operator, has as many open matches as may be; `quota` says which."""

    def __init__(self, most: int, *, quota: str = "", who: str = "") -> None:
        whose = f" of operator {who}" if quota else ""
        super().__init__(f"{most} matches{whose} are open (try again later)")
        self.most = most
        self.quota = quota
        self.who = who


@dataclass(frozen=True, slots=True)
class Operator:
    """Who asks for what only operators may do: a name, and the place that the call came from.

    `certificate` is the name in the client's certificate, where it gave one.
    """

    name: str
    place: str
    certificate: str = ""


class OtherKeyError(RefereeError):
    """An open match is recorded under another key than the referee now has."""


class UnknownMatchError(RefereeError):
    """There is no such match, or it is not the asker's to see."""

    def __init__(self, match: str) -> None:
        super().__init__(f"no such match: {match!r} (use the id that CreateMatch returned)")


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
        sealer: Sealer = sealed_deck,
    ) -> None:
        self.key = key
        self._meter = meter
        self.most_of_one = MOST_OPEN
        self._store = store
        self._clock = clock
        self._chance = chance
        self._sealer = sealer
        self._mint = Mint(key)
        self._matches: dict[bytes, Match] = {}
        self._asleep: dict[bytes, MatchCreated] = {}
        self._passes = Passes(clock)
        self._lobby = Lobby(self._mint, clock)
        self._open_of: Counter[str] = Counter()
        self._making: dict[bytes, tuple[MatchCreated, asyncio.Task[None]]] = {}
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
        invited: Sequence[int] = (),
        public: bool = False,
        operator: Operator | None = None,
    ) -> Tickets:
        """Make a match, or find the one that the same request_id made.

        A `seed` fixes the match id and the referee's chain, so that the match can be repeated; it
        can then be foreseen too, and is for unrated matches only. The `invited` seats are open to
        whoever has their code; a `public` match shows the codes in the lobby.
        Raises RuleSetError, PolicyError, TooManyMatchesError, StoreError.
        """
        rules = rules_of(rule_set, knobs or {}, policy, first_dealer)
        if seed and policy.rated:
            raise RefereeError("a match from a seed can be foreseen (make it unrated)")
        if public and not invited:
            raise RefereeError("a match in the lobby needs a seat that is open to others")
        request_id = request_id or self._chance(ID_SIZE)
        match_id = self._mint.match_id(request_id)
        secret = self._chance(32)
        if seed:
            match_id = hashlib.sha256(b"euchre-referee/match\0" + seed).digest()[:ID_SIZE]
            secret = hashlib.sha256(b"euchre-referee/chain\0" + seed).digest()
        tickets = self._mint.tickets(match_id, request_id)
        asked = MatchCreated(
            match=match_id,
            rule_set=name_of(rules),
            rules=rules.to_map(),
            policy=policy,
            first_dealer=first_dealer,
            chain=USUAL_LENGTH,
            secret=secret,
            referee_key=self.key.public.text,
            tokens=tuple(digest(token) for token in (*tickets.seats, tickets.watching)),
            created_at=self._clock.wall_ms(),
            by="" if operator is None else operator.name,
            invited=tuple(sorted(set(invited))),
            public=public,
        )
        made = await self._made(asked, operator)
        return replace(tickets, codes=self._lobby.codes(made), until_ms=invited_until(made))

    async def _made(self, asked: MatchCreated, operator: Operator | None) -> MatchCreated:
        """The match, once it is recorded, by this request or by the same one before it."""
        making = self._making.get(asked.match)
        if making is None and (known := self.find(asked.match)) is not None:
            check_same(known.state.created, asked)
            return known.state.created
        if making is None:
            making = asked, asyncio.create_task(self._make(asked, operator))
            self._making[asked.match] = making
        check_same(making[0], asked)
        await asyncio.shield(making[1])
        return making[0]

    async def _make(self, created: MatchCreated, operator: Operator | None) -> None:
        """Record a match, whoever waits for it or does not; nothing is left where that fails."""
        try:
            self._check_room(created.by)
            self._open_of[created.by] += 1
            try:
                if operator is not None:
                    await self._note(operator, "create", created.match)
                await self._take(created).course.begin()
            except StoreError:
                self._open_of[created.by] -= 1
                self._matches.pop(created.match, None)
                self._passes.drop(created.match)
                self._lobby.close(created)
                self._store.heal(created.match)
                self._doubt(created)
                raise
            log.info("match_created match=%s rules=%s", created.match.hex(), created.rule_set)
        finally:
            del self._making[created.match]

    def _doubt(self, created: MatchCreated) -> None:
        """A match that could not be recorded may stand all the same: it is then one that waits."""
        with suppress(StoreError):
            if any(True for _ in self._store.rows(created.match)):
                self._let_in(created)

    def _let_in(self, created: MatchCreated, rows: Sequence[Row] = ()) -> None:
        """Let in who may come to an open match of the journal, which nobody has asked for yet."""
        self._passes.admit(created, joined_of(rows))
        self._lobby.open(created)
        self._open_of[created.by] += 1
        self._asleep[created.match] = created

    def _check_room(self, by: str) -> None:
        if self._open_of.total() >= MOST_OPEN:
            raise TooManyMatchesError(MOST_OPEN)
        if self._open_of[by] >= self.most_of_one:
            raise TooManyMatchesError(self.most_of_one, quota="matches_per_operator", who=by)

    async def _note(self, operator: Operator, what: str, match: bytes) -> None:
        """Note in the trail what an operator is about to do; it is not done where that fails."""
        where = {"from": operator.place, "certificate": operator.certificate}
        detail = dump({name: text for name, text in where.items() if text}).decode("ascii")
        deed = Deed(
            at_ms=self._clock.wall_ms(), who=operator.name, what=what, match=match, detail=detail
        )
        await kept(self._store.note(deed), self._meter)

    def _take(self, created: MatchCreated) -> Match:
        match = self._match_of(created)
        self._matches[created.match] = match
        self._passes.admit(created)
        self._lobby.open(created)
        return match

    def _match_of(self, created: MatchCreated) -> Match:
        course = Course(
            created,
            store=self._store,
            key=self.key,
            clock=self._clock,
            chance=self._chance,
            meter=self._meter,
            ended=partial(self._ended, created),
            sealer=self._sealer,
        )
        return Match(course)

    def _ended(self, created: MatchCreated) -> None:
        """A match is over: its tokens end, and in a while it is let go of."""
        self._open_of[created.by] -= 1
        self._passes.end(created.match, self._clock.wall_ms())
        self._lobby.close(created)
        self._clock.call_later(late_ms(created), partial(self._let_go, created.match))

    def _let_go(self, match_id: bytes) -> None:
        self._matches.pop(match_id, None)

    # Finding matches.

    def resume(self) -> int:
        """Take up every open match where it was; the number of them."""
        number = self.let_in()
        for match_id in tuple(self._asleep):
            self._wake(match_id)
        return number

    def let_in(self) -> int:
        """Let in who may come to any match; open ones are taken up when somebody asks for them.

        The number of open matches.
        """
        since = self._clock.wall_ms() - READING_MS + 1
        closed = self._store.closed(since_ms=since)
        begun = groupby(self._store.beginnings(since_ms=since), key=attrgetter("match"))
        for match_id, found in begun:
            rows = tuple(found)
            created = created_of(match_id, rows)
            if match_id in closed:
                self._passes.admit(created, joined_of(rows))
            else:
                self._check_key(created)
                self._let_in(created, rows)
        for match_id, closed_ms in sorted(closed.items(), key=itemgetter(1)):
            self._passes.end(match_id, closed_ms)
        return len(self._asleep)

    async def take_up(self) -> None:
        """Take up what nobody has asked for yet, with room for others between two matches."""
        while self._asleep:
            for match_id in tuple(self._asleep):
                try:
                    self._here(match_id)
                except (InternalError, StoreError) as err:
                    log.error("not_resumed match=%s error=%s", match_id.hex(), err)  # noqa: TRY400 -- it says all
                await asyncio.sleep(0)
            if self._asleep:  # the journal could not be read just now
                again = asyncio.Event()
                self._clock.call_later(AGAIN_MS, again.set)
                await again.wait()

    def _wake(self, match_id: bytes) -> Match:
        """Take up an open match where it was.

        It stays asleep where the journal cannot be read, and does not where it makes no sense.
        """
        rows = tuple(self._store.rows(match_id))
        match = self._match_of(self._asleep.pop(match_id))
        match.course.resume(rows)
        self._taken_up(match)
        return match

    def _taken_up(self, match: Match) -> None:
        """A match of the journal goes on here, unless we are on the way down."""
        self._matches[match.id] = match
        if self.draining:
            match.course.drain(STOPPING)
        self._meter.count("resumed")
        log.info("match_resumed match=%s", match.id.hex())

    def _here(self, match_id: bytes) -> Match | None:
        """A match that is not over, or has not been let go of."""
        return self._wake(match_id) if match_id in self._asleep else self._matches.get(match_id)

    def _check_key(self, created: MatchCreated) -> None:
        """A record goes on under the key that it began with, or not at all."""
        if created.referee_key != self.key.public.text:
            raise OtherKeyError(
                f"match {created.match.hex()} is open and recorded under the key"
                f" {created.referee_key!r}, not {self.key.public.text!r} (give that key's file)"
            )

    def pass_of(self, token: str) -> Pass | None:
        """What a token is good for; None where it is none of ours."""
        return self._passes.find(token)

    def find(self, match_id: bytes) -> Match | None:
        """A match, also one that is over; None where there is none."""
        match = self._here(match_id)
        if match is not None:
            return match
        rows = tuple(self._store.rows(match_id))
        if not rows:
            return None
        created = created_of(match_id, rows)
        match = self._match_of(created)
        match.course.resume(rows)
        if not match.durable.over:  # it stands, though nobody could tell when it was made
            self._let_in(created, rows)
            del self._asleep[match_id]
            self._taken_up(match)
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

    @property
    def trouble(self) -> str:
        """Why the journal did not keep what it was given last; empty where it did."""
        return self._store.trouble

    async def can_append(self) -> bool:
        """Whether the journal takes an append that holds nothing."""
        try:
            await asyncio.wrap_future(self._store.append((), at_ms=self._clock.wall_ms()))
        except StoreError:
            return False
        return True

    def census(self) -> Census:
        """How many there are just now."""
        matches = tuple(self._matches.values())  # another thread may ask
        here = [match for match in matches if not match.durable.over]
        playing = sum(match.durable.opened for match in here)
        waiting = len(here) - playing + len(self._asleep)
        return Census(playing, waiting, sum(match.connected for match in here))

    def ids(self) -> list[bytes]:
        """Every match, newest first."""
        return self._store.matches(newest_first=True)

    def open_ids(self) -> list[bytes]:
        """Every match that is not over, oldest first."""
        return self._store.open_matches()

    def summary(self, match_id: bytes) -> Summary:
        """A match in a few words, without playing it again; UnknownMatchError where none is."""
        match = self._here(match_id)
        if match is not None:
            return summary_of(match.durable)
        rows = tuple(self._store.rows(match_id, KINDS))
        if not rows:
            raise UnknownMatchError(match_id.hex())
        return summary_of_rows(rows)

    def lines(self, match_id: bytes, from_seq: int) -> list[bytes]:
        """The transcript's lines so far, from a position on."""
        match = self._here(match_id)
        if match is not None:
            return [item.line for item in match.log[from_seq:]]
        rows = self._store.rows(match_id)
        return [row.line for row in rows if row.seq is not None and row.seq >= from_seq]

    # Ending, and joining.

    async def abort(
        self, match_id: str, operator: Operator, *, void: bool = False
    ) -> Summary | Misused:
        """End a match: nobody wins, or it counts for nothing. What stands in its way is told."""
        match = self.match(match_id)
        if not match.state.over:
            await self._note(operator, "void" if void else "abort", match.id)
        given = await answer_of(lambda reply: match.abort(void=void, reply=reply))
        return given if isinstance(given, Misused) else summary_of(match.durable)

    async def join(self, code: str, request_id: bytes) -> tuple[Match, int, str]:
        """Take up an invitation: the match, the seat and its token; the same request repeats it.

        Raises UnknownInvitationError, InvitationTakenError.
        """
        found = self._lobby.find(code)
        match = self._here(found.match)
        if match is None or match.state.opened or match.state.over:
            raise UnknownInvitationError
        token = self._mint.joined(found.match, found.seat, request_id)
        given = await answer_of(partial(match.join, found.seat, digest(token)))
        if isinstance(given, Misused):
            if given.wrong == "CONFLICT":
                raise InvitationTakenError
            raise (
                UnknownInvitationError if given.wrong != "NOT_RECORDED" else StoreError(given.text)
            )
        self._passes.give(found.match, found.seat, digest(token))
        return match, found.seat, token

    async def open_seats(self) -> AsyncIterator[OpenSeats]:
        """The matches of the lobby that still have an open seat, newest first.

        Tables that are played have their turn between two of them: anybody may ask.
        """
        for match_id in self._lobby.public():
            await asyncio.sleep(0)
            match = self._here(match_id)
            found = None if match is None else self._lobby.open_seats(match.durable)
            if found is not None and found.codes:
                yield found

    def deeds(self, first: int, last: int) -> list[Deed]:
        """What operators did, in order: the deeds of these numbers, from 1 on."""
        return list(self._store.deeds(first, last))

    def deed_count(self) -> int:
        """How many deeds of operators were noted."""
        return self._store.deed_count()

    def forget_finished(self) -> None:
        """Let go of matches that are over; their record stays in the journal."""
        for match_id in [m for m, match in self._matches.items() if match.over.is_set()]:
            del self._matches[match_id]

    # Going down.

    def drain(self, text: str = STOPPING) -> None:
        """Take nothing more, tell everybody, stop the clocks."""
        census = self.census()
        log.info("draining open=%s waiting=%s", census.open, census.waiting)
        self.draining = True
        for match in self._matches.values():
            match.course.drain(text)

    def close(self) -> None:
        """Finish what is being recorded, and let go of the journal."""
        for match in self._matches.values():
            match.course.close()
        self._store.close()
