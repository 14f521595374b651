"""One referee: what may be asked of all its matches together."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from referee.errors import RefereeError
from referee.host.answers import answer_of
from referee.host.asked import name_of, rules_of
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
from referee.host.making import Making
from referee.host.match import Match
from referee.host.matches import BoardOpenError, Matches
from referee.host.mint import ID_SIZE, Mint, Tickets
from referee.host.passes import Pass, Passes, digest
from referee.host.summary import KINDS, Summary, summary_of, summary_of_rows
from referee.host.trail import Operator, Trail
from referee.journal.boards import board_of_table
from referee.journal.store import Store, StoreError
from referee.meter import UNMETERED, Meter
from referee.sealing.chain import USUAL_LENGTH
from referee.sealing.deck import Sealer, sealed_deck
from referee.sealing.keys import SigningKey
from referee.sealing.parts import Policy
from referee.table.events import MatchCreated


class UnknownMatchError(RefereeError):
    """There is no such match, or it is not the asker's to see."""

    def __init__(self, match: str) -> None:
        super().__init__(f"no such match: {match!r} (use the id that CreateMatch returned)")


class Referee:
    """The host's whole state. All methods are called on the event loop's thread.

    `matches` are those that are here and those of the journal, `making` is how new ones come to
    be, and `trail` what operators did.
    """

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
        self._store = store
        self._clock = clock
        self._chance = chance
        self._sealer = sealer
        self._mint = Mint(key)
        self._passes = Passes(clock)
        self._lobby = Lobby(self._mint, clock)
        self.matches = Matches(
            store=store,
            key=key.public,
            clock=clock,
            passes=self._passes,
            lobby=self._lobby,
            meter=meter,
            match_of=self._match_of,
        )
        self.trail = Trail(store, clock, meter)
        self.making = Making(self.matches, self.trail)

    def _match_of(self, created: MatchCreated) -> Match:
        course = Course(
            created,
            store=self._store,
            key=self.key,
            clock=self._clock,
            chance=self._chance,
            meter=self._meter,
            ended=partial(self.matches.ended, created),
            sealer=self._sealer,
        )
        return Match(course)

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
        made = await self.making.made(asked, operator)
        return replace(tickets, codes=self._lobby.codes(made), until_ms=invited_until(made))

    # Finding matches.

    def pass_of(self, token: str) -> Pass | None:
        """What a token is good for; None where it is none of ours."""
        return self._passes.find(token)

    def match(self, match_id: str) -> Match:
        """A match by its hex id; UnknownMatchError where there is none."""
        try:
            found = self.matches.find(bytes.fromhex(match_id))
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

    def ids(self) -> list[bytes]:
        """Every match, newest first."""
        return self._store.matches(newest_first=True)

    def open_ids(self) -> list[bytes]:
        """Every match that is not over, oldest first."""
        return self._store.open_matches()

    def summary(self, match_id: bytes) -> Summary:
        """A match in a few words, without playing it again.

        Raises UnknownMatchError where there is none, BoardOpenError for a table of an open board.
        """
        match = self.matches.here(match_id)
        if match is not None:
            return summary_of(match.durable)
        rows = tuple(self._store.rows(match_id, KINDS))
        if not rows:
            raise UnknownMatchError(match_id.hex())
        if board_of_table(rows) is not None and self._store.closed_ms(match_id) is None:
            raise BoardOpenError(match_id)
        return summary_of_rows(rows)

    def lines(self, match_id: bytes, from_seq: int) -> list[bytes]:
        """The transcript's lines so far, from a position on."""
        match = self.matches.here(match_id)
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
            await self.trail.note(operator, "void" if void else "abort", match.id)
        given = await answer_of(lambda reply: match.abort(void=void, reply=reply))
        return given if isinstance(given, Misused) else summary_of(match.durable)

    async def join(self, code: str, request_id: bytes) -> tuple[Match, int, str]:
        """Take up an invitation: the match, the seat and its token; the same request repeats it.

        Raises UnknownInvitationError, InvitationTakenError.
        """
        found = self._lobby.find(code)
        match = self.matches.here(found.match)
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
            match = self.matches.here(match_id)
            found = None if match is None else self._lobby.open_seats(match.durable)
            if found is not None and found.codes:
                yield found

    def close(self) -> None:
        """Finish what is being recorded, and let go of the journal."""
        self.matches.close()
        self._store.close()
