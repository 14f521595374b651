"""Boards in a host: what each seat is told, what waits, and what is never told."""

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable, Sequence

import pytest

from referee.errors import InternalError
from referee.host.boards import BoardHost, OpenBoard
from referee.host.items import Answer, AskItem, CardsItem, EventItem, Item, Misused
from referee.host.match import Match
from referee.host.matches import OtherKeyError
from referee.journal.store import StoreError
from referee.rules import Packets, largest_points, positions, preset
from referee.sealing.board import board_deck
from referee.sealing.events import ActionTaken
from referee.sealing.keys import SigningKey
from referee.sealing.messages import private_deal_bytes
from referee.sealing.parts import Pair
from tests.host.support import FakeClock, MemoryStore, in_loop, settle
from tests.journal.board_support import BOARD, KEY, asked


class Told:
    """Everything that one seat of a table is told, and its answers: the first legal action."""

    def __init__(self, match: Match, seat: int) -> None:
        self.items: list[Item] = []
        self.answers: list[Answer] = []
        self._match = match
        self._seat = seat
        self._asked = 0
        match.attach(seat, self._hear, 0)

    def _hear(self, items: Sequence[Item]) -> None:
        self.items += items

    def answer(self) -> bool:
        """Answer the question that was asked last, once."""
        asks = [item for item in self.items if isinstance(item, AskItem)]
        if len(asks) == self._asked:
            return False
        self._asked = len(asks)
        view = asks[-1].ask.view
        assert view is not None
        request = bytes((self._seat, self._asked)) * 8
        seq = view.state_version + 1
        self._match.act(self._seat, request, seq, view.legal[0], reply=self.answers.append)
        return True


async def play(match: Match) -> list[Told]:
    """Play a table until nobody is asked any more."""
    seats = [Told(match, seat) for seat in range(4)]
    while not match.durable.waits_for_board:
        assert sum(seat.answer() for seat in seats)
        await settle()
    return seats


def chances() -> Callable[[int], bytes]:
    """Bytes that all differ and can be looked for."""
    number = 0

    def draw(size: int) -> bytes:
        nonlocal number
        number += 1
        drawn = hashlib.sha256(b"%d" % number).digest()[:size]
        DRAWN.append(drawn)
        return drawn

    return draw


DRAWN: list[bytes] = []


async def opened(store: MemoryStore) -> OpenBoard:
    """The board of the support module, open."""
    DRAWN.clear()
    host = BoardHost(store=store, key=KEY, clock=FakeClock(), chance=chances())
    (board,) = await host.open([asked()])
    return board


@in_loop
async def test_a_seat_is_dealt_its_own_five_cards_signed_under_the_board() -> None:
    board = await opened(MemoryStore())
    deck = board_deck(BOARD, "E24", board.sealed.key)
    for table in range(2):
        match = board.take_up(table)
        for seat, told in enumerate(await play(match)):
            (dealt,) = [item for item in told.items if isinstance(item, CardsItem)]
            places = positions(Packets.THREE_TWO, 1, seat)
            assert [card.position for card in dealt.cards] == sorted(places)
            assert [card.card for card in dealt.cards] == [deck.cards[p] for p in sorted(places)]
            signed = private_deal_bytes(BOARD, 1, seat, deck.root, dealt.cards)
            assert KEY.public.accepts(dealt.sig, signed)


@in_loop
async def test_nothing_of_a_board_is_told_at_a_table_but_what_happened_there() -> None:
    board = await opened(MemoryStore())
    deck = board_deck(BOARD, "E24", board.sealed.key)
    secrets = [board.sealed.created.secret, board.sealed.key, *DRAWN[:8]]
    for table in range(2):
        match = board.take_up(table)
        for seat, told in enumerate(await play(match)):
            own = set(positions(Packets.THREE_TWO, 1, seat)) | {20}
            hidden = [deck.salts[p].hex().encode() for p in range(24) if p not in own]
            text = repr(told.items).encode()
            lines = b"".join(i.raw for i in told.items if isinstance(i, EventItem))
            for found in (text, lines):
                assert not any(salt in found for salt in hidden)
                assert not any(secret.hex().encode() in found for secret in secrets)
                assert not any(repr(secret)[2:-1].encode() in found for secret in secrets)
            seen = {card for p, card in enumerate(deck.cards) if p in own}
            played = {e.action[5:] for e in heard(told) if e.action.startswith("play ")}
            for item in told.items:
                if isinstance(item, AskItem) and item.ask.view is not None:
                    assert set(item.ask.view.hand) <= seen | {item.ask.view.upcard}
            assert not (set(deck.cards) - seen - played) & cards_in(lines)


def heard(told: Told) -> list[ActionTaken]:
    return [
        item.event
        for item in told.items
        if isinstance(item, EventItem) and isinstance(item.event, ActionTaken)
    ]


def cards_in(lines: bytes) -> set[str]:
    """The cards that actions and upcards name."""
    named = re.findall(rb'"(?:action":"[a-z]+ |card":")([7-9TJQKA][CDHS])', lines)
    return {card.decode() for card in named}


@in_loop
async def test_the_deck_of_a_board_is_durable_before_a_card_is_shown() -> None:
    store = MemoryStore(holding=True)
    opening = asyncio.ensure_future(opened(store))
    await settle()
    assert not opening.done()
    (rows, _, _), *_ = store.held
    assert [row.kind for row in rows if row.match == BOARD][-1] == "deck_root"
    store.release()
    await opening


@in_loop
async def test_a_table_takes_nothing_more_once_it_waits_for_its_board() -> None:
    board = await opened(MemoryStore())
    match = board.take_up(0)
    seats = await play(match)
    rows = match.course.ledger.mark.rows
    match.act(0, b"x" * 16, match.durable.version + 1, "pass", reply=seats[0].answers.append)
    match.forfeit(1, "DISCONNECT", b"y" * 16, reply=seats[1].answers.append)
    match.abort(reply=seats[2].answers.append)
    await settle()
    for seat in range(3):
        last = seats[seat].answers[-1]
        assert isinstance(last, Misused)
        assert last.wrong == "NOT_NOW"
    assert match.course.ledger.mark.rows == rows
    assert not match.over.is_set()


@in_loop
async def test_a_board_is_not_closed_while_a_table_is_played() -> None:
    board = await opened(MemoryStore())
    await play(board.take_up(0))
    with pytest.raises(InternalError, match="still played"):
        await board.close()


@in_loop
async def test_whoever_leaves_a_table_pays_and_the_board_has_its_score() -> None:
    board = await opened(MemoryStore())
    await play(board.take_up(0))
    match = board.take_up(1)
    match.forfeit(2, "DISCONNECT")
    await settle()
    assert match.durable.waits_for_board
    closed = await board.close()
    assert [deal.outcome for deal in closed.deals] == ["played", "fault"]
    assert closed.deals[1].points == Pair(0, largest_points(preset("standard")))


@in_loop
async def test_a_board_is_recovered_under_its_own_key_alone() -> None:
    store = MemoryStore()
    await opened(store)
    other = SigningKey.from_bytes("referee", bytes(32))
    host = BoardHost(store=store, key=other, clock=FakeClock(), chance=chances())
    with pytest.raises(OtherKeyError, match="give that key's file"):
        await host.recover()


@in_loop
async def test_a_board_whose_close_is_lost_is_open_still_and_closed_void_later() -> None:
    store = MemoryStore()
    board = await opened(store)
    await play(board.take_up(0))
    await play(board.take_up(1))
    store.broken = True
    with pytest.raises(StoreError):
        await board.close()
    store.broken = False
    store.lost.clear()
    host = BoardHost(store=store, key=KEY, clock=FakeClock(), chance=chances())
    (closed,) = await host.recover()
    assert closed.void
    assert store.open_matches() == []


@in_loop
async def test_a_journal_that_failed_for_a_while_under_a_table_voids_its_board() -> None:
    store = MemoryStore()
    board = await opened(store)
    await play(board.take_up(0))
    match = board.take_up(1)
    seats = [Told(match, seat) for seat in range(4)]
    store.broken = True
    assert sum(seat.answer() for seat in seats) == 1
    await settle()
    store.broken = False
    match.forfeit(0, "DISCONNECT")
    await settle()
    match.forfeit(0, "DISCONNECT")
    await settle()
    closed = await board.close()
    assert (closed.void, closed.close.reason) == (True, "INFRA")


@in_loop
async def test_an_id_is_never_used_for_two_boards() -> None:
    store = MemoryStore()
    board = await opened(store)
    await board.close(void=True)
    with pytest.raises(StoreError):
        await opened(store)


@in_loop
async def test_no_secret_of_a_board_reaches_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    board = await opened(MemoryStore())
    await play(board.take_up(0))
    await board.close(void=True)
    deck = board_deck(BOARD, "E24", board.sealed.key)
    for secret in (board.sealed.created.secret, board.sealed.key, *deck.salts, *DRAWN[:8]):
        assert secret.hex() not in caplog.text
    assert repr(board.sealed).count(board.sealed.key.hex()) == 0
