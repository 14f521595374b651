"""Seats that sign: what counts only under their signature, and what receipts name."""

from functools import partial
from io import BytesIO

import pytest

from referee.host.items import Answer, Ruling
from referee.journal.audit import audit_match
from referee.journal.verify import verify_stream
from referee.sealing.closing import DealClose
from referee.sealing.events import ActionTaken, CommitSet, SeatCommit
from referee.sealing.keys import SigningKey
from referee.sealing.messages import move_bytes, reveal_bytes
from referee.sealing.parts import SeatInfo
from referee.table.commands import GiveSeed
from referee.table.decide import signed_text
from tests.host.support import House, in_loop, info, ruled, settle, wrong

KEYS = tuple(SigningKey.from_bytes(f"bot{seat}", bytes([seat + 50]) * 32) for seat in range(4))


class SigningHouse(House):
    """A house whose four seats sign."""

    async def sit(self, *seats: int) -> "SigningHouse":
        for seat in seats or range(4):
            said = SeatInfo(
                name=f"bot{seat}", level="signs", seed_by="seat", key=KEYS[seat].public.text
            )
            ruled(await self.hear(partial(self.match.sit, seat, said)))
            self.match.attach(seat, self.ears[seat], 0)
        return self

    @property
    def head(self) -> bytes:
        return self.match.log[-1].head

    async def reveal(
        self, seat: int, rid: bytes = b"", *, seed: bytes = b"", head: bytes | None = None
    ) -> Answer:
        del rid, seed  # each reveal is new, and honest
        return await self.reveal_signed(seat, KEYS[seat], head=head)

    async def reveal_signed(
        self, seat: int, key: SigningKey | None, *, head: bytes | None = None
    ) -> Answer:
        seed, cut = self.seed(seat)
        deal, shown = self.deal, self.match.commit_head if head is None else head
        commit = deal.commits[seat]
        assert commit is not None
        message = reveal_bytes(
            self.match.id, deal.number, seat, cset=deal.cset, commit=commit, head=shown
        )
        sig = b"" if key is None else key.sign(message)
        command = GiveSeed(seat=seat, deal=deal.number, seed=seed, cut=cut, cset=deal.cset, sig=sig)
        rid = self.rid()
        return await self.hear(lambda reply: self.match.reveal(command, rid, shown, reply))

    async def move(
        self,
        text: str,
        *,
        seat: int | None = None,
        key: SigningKey | None = None,
        signed: str | None = None,
        blind: bytes = bytes(range(32)),
        before: bytes | None = None,
    ) -> Answer:
        """A move under the seat's key, or another; `signed` is another text than the one sent."""
        who = self.turn if seat is None else seat
        state, seq = self.match.state, self.match.state.version + 1
        said = signed_text(state, who, text, blind) if signed is None else signed
        head = self.head if before is None else before
        message = move_bytes(self.match.id, self.deal.number, seq, head, said)
        sig, rid = (key or KEYS[who]).sign(message), self.rid()
        return await self.hear(
            lambda reply: self.match.act(who, rid, seq, text, blind=blind, sig=sig, reply=reply)
        )


async def signing(rules: str = "quick", **limits: int) -> SigningHouse:
    house = SigningHouse()
    await house.create(rules, **limits)
    await house.sit()
    await house.seal()
    return house


def actions(house: House) -> list[ActionTaken]:
    return [e.event for e in house.ears[0].events if isinstance(e.event, ActionTaken)]


async def play_out(house: SigningHouse) -> None:
    while not house.match.state.over:
        assert ruled(await house.move(house.legal[-1])).accepted
        await settle()
        if house.match.state.deal is not None:
            await house.seal()


@in_loop
async def test_a_match_of_four_signing_seats_verifies_and_every_move_is_signed() -> None:
    house = await signing()
    await play_out(house)
    lines = b"".join(item.line for item in house.match.log)
    report = verify_stream(BytesIO(lines))
    assert report.exit == 0, report.verdict.failure
    assert all(action.seat_sig is not None for action in actions(house))
    assert any(action.action == "discard" for action in actions(house))
    rows = list(house.store.rows(house.match.id))
    assert audit_match(house.match.id, rows, still_open=False).fault == ""


@in_loop
async def test_a_move_without_its_signature_changes_nothing_and_does_not_count() -> None:
    house = await signing()
    version = house.match.state.version
    assert wrong(await house.act("pass")) == "UNSIGNED"
    assert wrong(await house.move("pass", key=KEYS[house.turn ^ 1])) == "UNSIGNED"
    assert wrong(await house.move("pass", signed="order")) == "UNSIGNED"
    assert wrong(await house.move("pass", before=bytes(32))) == "UNSIGNED"
    assert wrong(await house.act("play 9\x01")) == "MALFORMED"
    assert house.match.state.version == version
    assert house.match.state.attempts == (0, 0, 0, 0)
    assert ruled(await house.move("pass")).accepted


@in_loop
async def test_an_illegal_attempt_counts_with_its_signature_which_the_record_keeps() -> None:
    house = await signing(illegal_limit=2)
    seat = house.turn
    assert not ruled(await house.move("play 2S")).accepted
    assert house.match.state.attempts[seat] == 1
    again = ruled(await house.move("play 2S"))  # one signature, so one attempt
    assert (again.accepted, again.attempts) == (False, 1)
    assert not ruled(await house.move("play BB")).accepted
    await settle()
    close = next(e.event for e in house.ears[0].events if isinstance(e.event, DealClose)
                 and e.event.deal > 0)  # fmt: skip
    assert [a.seat_sig is not None for a in close.attempts] == [True, True]
    assert house.match.state.closed is not None
    assert house.match.state.closed.by == seat


@in_loop
async def test_a_hidden_move_is_signed_as_its_commitment_under_a_blind_of_its_seat() -> None:
    house = await signing()
    await house.move("order")
    action = house.legal[0]
    assert wrong(await house.move(action, blind=b"", signed=action)) == "UNSIGNED"
    assert wrong(await house.move(action, signed=action)) == "UNSIGNED"
    assert ruled(await house.move(action)).blinds == ()


@in_loop
async def test_a_reveal_without_its_signature_changes_nothing() -> None:
    house = SigningHouse()
    await house.create("quick")
    await house.sit()
    for seat in range(4):
        await house.commit(seat)
    assert wrong(await house.reveal_signed(0, None)) == "UNSIGNED"
    assert wrong(await house.reveal_signed(0, KEYS[1])) == "UNSIGNED"
    assert house.deal.seeds[0] is None
    assert ruled(await house.reveal_signed(0, KEYS[0])).accepted


@in_loop
async def test_the_signature_of_a_seat_without_a_key_is_left_out() -> None:
    house = await House().create("quick")
    for seat in range(4):
        ruled(await house.hear(partial(house.match.sit, seat, info(seat))))
        house.match.attach(seat, house.ears[seat], 0)
    await house.seal()
    rid, seq = house.rid(), house.match.state.version + 1
    await house.hear(
        lambda reply: house.match.act(house.turn, rid, seq, "pass", sig=bytes(64), reply=reply)
    )
    assert [action.seat_sig for action in actions(house)] == [None]


@in_loop
async def test_a_receipt_names_the_event_of_a_commitment_and_an_action() -> None:
    house = await House().create("quick")
    await house.sit()
    for seat in range(4):
        await house.commit(seat)
    log = house.match.log
    placed = {e.event.seat: e for e in log if isinstance(e.event, SeatCommit)}
    again = ruled(await house.commit(2))
    item = house.match.receipt(again)
    assert item is not None
    assert (item.deal, item.seq, item.head) == (0, placed[2].seq, placed[2].head)
    cset = next(e for e in log if isinstance(e.event, CommitSet))
    shown = [ruled(await house.reveal(seat)) for seat in range(4)]
    named = [house.match.receipt(ruling) for ruling in shown]
    assert {(i.deal, i.seq, i.head) for i in named if i} == {(0, cset.seq, cset.head)}
    await house.seal()
    acted = ruled(await house.act(house.legal[0]))
    item = house.match.receipt(acted)
    last = next(e for e in reversed(house.match.log) if isinstance(e.event, ActionTaken))
    assert item is not None
    assert (item.deal, item.seq, item.head) == (1, last.seq, last.head)


@in_loop
async def test_nothing_is_acknowledged_of_what_was_refused_or_of_a_hello() -> None:
    house = await House().create("quick")
    answer = await house.hear(partial(house.match.sit, 0, info(0)))
    assert house.match.receipt(ruled(answer)) is None
    for seat in range(1, 4):
        await house.hear(partial(house.match.sit, seat, info(seat)))
    house.match.attach(0, house.ears[0], 0)
    await house.seal()
    refused = ruled(await house.act("play 2S"))
    assert not refused.accepted
    assert house.match.receipt(refused) is None


@in_loop
@pytest.mark.parametrize("again", ["commit", "reveal", "act"])
async def test_a_stored_answer_has_the_receipt_that_it_had(again: str) -> None:
    house = await House().create("quick")
    await house.sit()
    answers: dict[str, tuple[int, bytes, Ruling]] = {}
    for seat in range(4):
        rid = house.rid()
        answers["commit"] = (seat, rid, ruled(await house.commit(seat, rid)))
    for seat in range(4):
        rid = house.rid()
        answers["reveal"] = (seat, rid, ruled(await house.reveal(seat, rid)))
    await house.seal()
    seat, rid = house.turn, house.rid()
    answers["act"] = (seat, rid, ruled(await house.act("pass", rid=rid)))
    seat, rid, before = answers[again]
    receipt = house.match.receipt(before)
    restarted = await house.restart()
    stored: list[Answer] = []
    assert restarted.match.course.ledger.known(seat, rid, stored.append)
    assert receipt is not None
    assert restarted.match.receipt(ruled(stored[0])) == receipt
