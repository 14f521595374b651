"""Seats that are open to whoever has a code: where strangers' bots meet."""

from dataclasses import dataclass, field

from referee.errors import RefereeError
from referee.host.clock import Clock
from referee.host.mint import Mint, heard_code
from referee.host.passes import digest
from referee.table.events import MatchCreated
from referee.table.state import MatchState


class UnknownInvitationError(RefereeError):
    """There is no such invitation, or not any more."""

    def __init__(self) -> None:
        super().__init__("no such invitation, or it has ended (ask who invited you for a new one)")


class InvitationTakenError(RefereeError):
    """Somebody else has taken up the invitation."""

    def __init__(self) -> None:
        super().__init__("the invitation has been taken up (ask who invited you for another)")


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat that is open until some time, in milliseconds since 1970."""

    match: bytes
    seat: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class OpenSeats:
    """The seats of one match that are still open, with their codes, and until when."""

    created: MatchCreated
    codes: tuple[tuple[int, str], ...] = field(repr=False)
    until_ms: int


class Lobby:
    """The invitations of all matches that wait; of their codes only digests are kept."""

    def __init__(self, mint: Mint, clock: Clock) -> None:
        self._mint = mint
        self._clock = clock
        self._invitations: dict[bytes, Invitation] = {}
        self._public: dict[bytes, None] = {}

    def codes(self, created: MatchCreated) -> tuple[tuple[int, str], ...]:
        """The codes of a match by seat."""
        return tuple((seat, self._mint.code(created.match, seat)) for seat in created.invited)

    def open(self, created: MatchCreated) -> None:
        """Take in the invitations of a match."""
        until_ms = invited_until(created)
        for seat, code in self.codes(created):
            kept = digest(heard_code(code))
            self._invitations[kept] = Invitation(created.match, seat, until_ms)
        if created.public and created.invited:
            self._public[created.match] = None

    def close(self, created: MatchCreated) -> None:
        """Forget the invitations of a match."""
        for _, code in self.codes(created):
            self._invitations.pop(digest(heard_code(code)), None)
        self._public.pop(created.match, None)

    def find(self, code: str) -> Invitation:
        """What a code invites to; UnknownInvitationError where nothing, or its time is over."""
        found = self._invitations.get(digest(heard_code(code)))
        if found is None or found.until_ms <= self._clock.wall_ms():
            raise UnknownInvitationError
        return found

    def public(self) -> list[bytes]:
        """The matches that stand in the lobby, newest first."""
        return list(self._public)[::-1]

    def open_seats(self, state: MatchState) -> OpenSeats:
        """The seats of a match that can still be joined."""
        created, until_ms = state.created, invited_until(state.created)
        waits = not (state.opened or state.over) and self._clock.wall_ms() < until_ms
        codes = self.codes(created) if waits else ()
        still = tuple((seat, code) for seat, code in codes if state.joined[seat] is None)
        return OpenSeats(created, still, until_ms)


def invited_until(created: MatchCreated) -> int:
    """When invitations end: with the time to sit down."""
    return created.created_at + created.policy.start_ms
