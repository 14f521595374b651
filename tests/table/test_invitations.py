"""Seats that are joined with an invitation: taken up once, before the match opens."""

from dataclasses import replace

from referee.journal.codec import event_of, private_bytes
from referee.journal.store import Row
from referee.table.commands import Abort, JoinSeat, SitDown
from referee.table.events import MatchCreated, PrivateEvent, SeatJoined
from referee.table.evolve import begin
from tests.table.support import MATCH, Table, created, info

TOKEN, OTHER = b"t" * 32, b"o" * 32


def inviting(*seats: int) -> MatchCreated:
    return replace(created(), invited=seats, public=True, by="ada")


def kept(event: PrivateEvent) -> object:
    return event_of(Row(MATCH, 0, None, event.kind, private_bytes(event)))


def test_an_invitation_is_taken_up_once_and_its_repeat_changes_nothing() -> None:
    table = Table(inviting(1))
    joined = table.give(JoinSeat(seat=1, token=TOKEN))
    assert joined.events == (SeatJoined(seat=1, token=TOKEN),)
    assert table.state.joined == (None, TOKEN, None, None)
    assert table.give(JoinSeat(seat=1, token=TOKEN)).events == ()
    assert table.misuse(JoinSeat(seat=1, token=OTHER)) == "CONFLICT"


def test_a_seat_without_an_invitation_is_not_joined() -> None:
    assert Table(inviting(1)).misuse(JoinSeat(seat=0, token=TOKEN)) == "NOT_NOW"
    assert Table(created()).misuse(JoinSeat(seat=1, token=TOKEN)) == "NOT_NOW"


def test_no_invitation_outlives_the_opening_or_the_end_of_its_match() -> None:
    opened = Table(inviting(1)).sit()
    assert opened.misuse(JoinSeat(seat=1, token=TOKEN)) == "NOT_NOW"
    ended = Table(inviting(1))
    ended.give(Abort(void=False))
    assert ended.misuse(JoinSeat(seat=1, token=TOKEN)) == "CLOSED"


def test_who_joined_has_not_sat_down_and_sits_down_as_anybody() -> None:
    table = Table(inviting(1))
    table.give(JoinSeat(seat=1, token=TOKEN))
    assert table.state.seats == (None, None, None, None)
    table.give(SitDown(seat=1, info=info(1)))
    assert table.state.seats[1] == info(1)


def test_the_journal_keeps_who_asked_and_who_is_invited() -> None:
    asked = inviting(1, 3)
    assert kept(asked) == asked
    assert kept(SeatJoined(seat=3, token=TOKEN)) == SeatJoined(seat=3, token=TOKEN)
    assert begin(asked).joined == (None, None, None, None)


def test_a_match_without_invitations_is_written_as_it_always_was() -> None:
    fields = created().fields()
    assert not {"by", "invited", "public"} & set(fields)
    assert kept(created()) == created()
