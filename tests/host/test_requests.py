"""What seats send: each request is answered once, and the same way after a restart."""

import pytest

from referee.host.items import Answer, Ruling
from referee.sealing.closing import DealClose
from tests.host.support import (
    House,
    in_loop,
    playing,
    ruled,
    settle,
    wrong,
)


@in_loop
async def test_the_same_request_gets_the_stored_ruling_and_is_played_once() -> None:
    house = await playing()
    rid, seat, seq = house.rid(), house.turn, house.match.state.version + 1
    first = await house.act("pass", seat, rid=rid, seq=seq)
    assert await house.act("pass", seat, rid=rid, seq=seq) == first
    assert await house.act("order", seat, rid=rid, seq=99) == first
    assert house.match.durable.version == seq


@in_loop
async def test_the_same_request_twice_in_a_row_is_played_once() -> None:
    house = await playing()
    house.store.holding = True
    rid, seat, seq = house.rid(), house.turn, house.match.state.version + 1
    answers: list[Answer] = []
    for _ in range(2):
        house.match.act(seat, rid, seq, "pass", reply=answers.append)
    house.store.release()
    await settle()
    assert answers[0] == answers[1]
    assert house.match.durable.version == seq


@in_loop
async def test_the_same_request_id_of_another_seat_is_another_request() -> None:
    house = await playing()
    rid = house.rid()
    await house.act("pass", rid=rid)
    assert ruled(await house.act("pass", rid=rid)).accepted
    assert [e.event.kind for e in house.match.log].count("action") == 2


@pytest.mark.parametrize("off", [-1, 1])
@in_loop
async def test_another_seq_is_stale_and_shows_the_current_view(off: int) -> None:
    house = await playing()
    answer = await house.act("pass", seq=house.match.state.version + 1 + off)
    assert wrong(answer) == "STALE"
    assert not isinstance(answer, Ruling)
    assert answer.view is not None
    assert answer.view.state_version == house.match.durable.version
    assert house.match.durable.attempts == (0, 0, 0, 0)


@in_loop
async def test_a_refusal_uses_up_its_request_id_but_not_the_seq() -> None:
    house = await playing()
    rid, seq = house.rid(), house.match.state.version + 1
    refused = ruled(await house.act("play JD", rid=rid, seq=seq))
    assert (refused.accepted, refused.reason, refused.attempts) == (False, "WRONG_PHASE", 1)
    assert await house.act("pass", rid=rid, seq=seq) == refused
    assert ruled(await house.act("pass", seq=seq)).seq == seq


@in_loop
async def test_a_refusal_tells_its_seat_alone_and_asks_it_again() -> None:
    house = await playing()
    seat = house.turn
    before = [len(ear.items) for ear in house.ears]
    refused = ruled(await house.act("play JD"))
    assert refused.legal == tuple(house.legal)
    assert refused.rule
    assert refused.text
    await settle()
    news = [len(ear.items) - count for ear, count in zip(house.ears, before, strict=True)]
    assert news == [1 if s == seat else 0 for s in range(4)]


@in_loop
async def test_the_third_attempt_forfeits_and_the_other_side_is_told() -> None:
    house = await playing(illegal_limit=3)
    seat = house.turn
    for _ in range(3):
        await house.act("play JD", seat)
    await settle()
    assert all(ear.faults == [(seat, "ILLEGAL")] for ear in house.ears)
    assert all(ear.kinds[-2:] == ["deal_close", "match_close"] for ear in house.ears)
    close = house.match.log[-2].event
    assert isinstance(close, DealClose)
    assert [(a.seat, a.action, a.reason) for a in close.attempts] == [
        (seat, "play JD", "WRONG_PHASE")
    ] * 3


@pytest.mark.parametrize("text", ["x" * 49, 'play "JD"', "play\\JD", "play J\n", "play J\u2665"])
@in_loop
async def test_what_cannot_be_an_action_is_malformed_and_counts(text: str) -> None:
    house = await playing()
    seat = house.turn
    assert wrong(await house.act(text)) == "MALFORMED"
    assert house.match.durable.attempts[seat] == 1


@pytest.mark.parametrize("text", ["", "x" * 48, "rubbish", "PLAY JD", "pass "])
@in_loop
async def test_text_that_is_no_action_is_refused_as_unknown_and_counts(text: str) -> None:
    house = await playing()
    seat = house.turn
    ruling = ruled(await house.act(text))
    assert (ruling.accepted, ruling.reason) == (False, "UNKNOWN_ACTION")
    assert house.match.durable.attempts[seat] == 1


@in_loop
async def test_a_blind_of_the_wrong_length_is_malformed() -> None:
    house = await playing()
    assert wrong(await house.act("pass", blind=b"short")) == "MALFORMED"


@in_loop
async def test_commits_and_reveals_that_repeat_get_their_answer_and_others_conflict() -> None:
    house = await (await House().create()).sit()
    rid = house.rid()
    first = await house.commit(0, rid)
    assert await house.commit(0, rid) == first
    assert ruled(await house.commit(0)).accepted
    assert wrong(await house.commit(0, commit=bytes(32))) == "CONFLICT"
    for seat in (1, 2, 3):
        await house.commit(seat)
    shown = house.rid()
    answer = await house.reveal(0, shown)
    assert await house.reveal(0, shown) == answer
    assert ruled(await house.reveal(0)).accepted
    assert wrong(await house.reveal(0, seed=bytes(32))) == "CONFLICT"


@in_loop
async def test_a_reveal_for_another_head_conflicts_and_costs_nothing() -> None:
    house = await (await House().create()).sit()
    for seat in range(4):
        await house.commit(seat)
    assert wrong(await house.reveal(0, head=bytes(32))) == "CONFLICT"
    assert ruled(await house.reveal(0)).accepted


@in_loop
async def test_a_wrong_reveal_is_ruled_withheld_and_everybody_is_told() -> None:
    house = await (await House().create()).sit()
    for seat in range(4):
        await house.commit(seat)
    ruling = ruled(await house.reveal(2, seed=bytes(32)))
    assert (ruling.accepted, ruling.reason) == (False, "WITHHELD")
    assert all(ear.faults == [(2, "WITHHELD")] for ear in house.ears)


@in_loop
async def test_a_blind_that_the_referee_drew_is_told_to_its_seat_alone() -> None:
    house = await playing()
    await house.act("order")
    ruling = ruled(await house.act(house.legal[0]))
    assert (len(ruling.positions), [len(blind) for blind in ruling.blinds]) == (1, [32])


@in_loop
async def test_a_seat_that_keeps_its_own_blind_is_told_none() -> None:
    house = await playing()
    await house.act("order")
    ruling = ruled(await house.act(house.legal[0], blind=b"b" * 32))
    assert (ruling.positions, ruling.blinds) == ((), ())


@in_loop
async def test_leaving_forfeits_for_the_side() -> None:
    house = await playing()
    rid = house.rid()
    first = await house.hear(lambda r: house.match.forfeit(1, "DISCONNECT", rid, r))
    assert ruled(first).accepted
    closed = house.match.durable.closed
    assert closed is not None
    assert (closed.outcome, closed.by, closed.winner) == ("forfeit", 1, 0)
    again = await house.hear(lambda r: house.match.forfeit(1, "DISCONNECT", rid, r))
    assert again == first


@pytest.mark.parametrize("blind", [b"", b"b" * 32])
@in_loop
async def test_every_answer_is_the_same_after_a_restart(blind: bytes) -> None:
    house = await (await House().create(illegal_limit=9)).sit()
    ids = [house.rid() for _ in range(9)]
    old = [await house.commit(0, ids[0])]
    for seat in (1, 2, 3):
        await house.commit(seat)
    old += [await house.reveal(0, ids[1])]
    for seat in (1, 2, 3):
        await house.reveal(seat)
    await house.seal()
    seat = house.turn
    old += [await house.act("play JD", seat, rid=ids[2])]
    old += [await house.act("x" * 60, seat, rid=ids[3])]
    old += [await house.act("order", seat, rid=ids[4])]
    dealer = house.turn
    old += [await house.act(house.legal[0], dealer, rid=ids[5], blind=blind)]
    again = await house.restart()
    new = [await again.commit(0, ids[0]), await again.reveal(0, ids[1])]
    new += [await again.act("?", seat, rid=rid) for rid in ids[2:5]]
    new += [await again.act("?", dealer, rid=ids[5])]
    assert new == old


@in_loop
async def test_the_answer_to_the_last_reveal_is_the_same_after_a_restart() -> None:
    house = await (await House().create()).sit()
    for seat in range(4):
        await house.commit(seat)
    for seat in range(3):
        await house.reveal(seat)
    rid = house.rid()
    first = await house.reveal(3, rid)
    again = await house.restart()
    assert await again.reveal(3, rid) == first


@in_loop
async def test_a_withheld_ruling_is_the_same_after_a_restart() -> None:
    house = await playing()
    while house.match.durable.deal is None or house.match.durable.deal.number == 1:
        await house.act(house.legal[0])
        await settle()
    for seat in range(4):
        await house.commit(seat)
    rid = house.rid()
    first = await house.reveal(2, rid, seed=bytes(32))
    again = await house.restart()
    assert await again.reveal(2, rid) == first
