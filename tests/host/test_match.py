"""Attempts and their answers, what is told and to whom, and what a failing journal does."""

import asyncio
import re
from collections.abc import Sequence

import pytest

from referee.errors import RefereeError
from referee.host.items import Answer, EventItem, Item, Ruling
from referee.host.making import MOST_OPEN, TooManyMatchesError
from referee.journal.audit import audit_match
from referee.journal.store import StoreError
from referee.rules import PRESETS, positions
from referee.sealing.closing import DealClose
from referee.sealing.deck import SealedDeck
from referee.table.policy import policy
from referee.table.state import DealState
from tests.host.support import (
    REQUEST,
    Ear,
    House,
    in_loop,
    info,
    playing,
    ruled,
    settle,
    wrong,
)

CARD = re.compile(r"\b[789TJQKA][CDHS]\b|\bBB\b|\b2S\b")


# -- seats


@in_loop
async def test_the_same_hello_takes_the_same_seat_again() -> None:
    house = await House().create()
    await house.sit(0)
    assert ruled(await house.hear(lambda r: house.match.sit(0, info(0), r))).accepted


@in_loop
async def test_another_level_than_in_the_first_hello_conflicts() -> None:
    house = await House().create()
    await house.sit(0)
    answer = await house.hear(lambda r: house.match.sit(0, info(0, "seeds"), r))
    assert wrong(answer) == "CONFLICT"


@in_loop
async def test_a_second_hello_is_answered_when_the_first_is_durable() -> None:
    house = await House().create()
    house.store.holding = True
    answers: list[Answer] = []
    for _ in range(2):
        house.match.sit(0, info(0), answers.append)
    await settle()
    assert answers == []
    house.store.release()
    await settle()
    assert [ruled(answer).accepted for answer in answers] == [True, True]


@in_loop
async def test_a_hello_again_is_not_answered_with_what_another_seat_is_just_told() -> None:
    house = await playing()
    turn = house.turn
    other = (turn + 1) % 4
    house.store.holding = True
    refused: list[Answer] = []
    house.match.act(turn, house.rid(), house.match.state.version + 1, "sit", reply=refused.append)
    taken = house.match.state.seats[other]
    assert taken is not None
    again: list[Answer] = []
    house.match.sit(other, taken, again.append)
    house.store.release()
    await settle()
    assert [ruled(answer).accepted for answer in refused] == [False]
    assert [(ruled(answer).seat, ruled(answer).accepted) for answer in again] == [(other, True)]


# -- request ids and seqs


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


# -- stored answers over a restart


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


# -- what is told


def same(old: Ear, new: Ear) -> None:
    assert [item.raw for item in new.events] == [item.raw for item in old.events]
    assert new.cards == old.cards


@in_loop
async def test_every_resume_position_replays_the_rest_once_and_in_order() -> None:
    house = await playing()
    for _ in range(3):
        await house.act("pass")
    await settle()
    whole = house.ears[1]
    for place in range(len(house.match.log) + 1):
        ear = Ear()
        house.match.attach(1, ear, place)
        assert [item.seq for item in ear.events] == list(range(place, len(house.match.log)))
        expected = [c for c in whole.cards if c.after + 1 >= place]
        assert ear.cards == expected


@in_loop
async def test_a_stream_over_a_restart_hears_what_one_without_hears() -> None:
    house = await playing()
    await house.act("pass")
    await settle()
    again = await house.restart()
    for seat in range(4):
        again.match.attach(seat, again.ears[seat], 0)
        same(house.ears[seat], again.ears[seat])
        assert again.ears[seat].asks[-1:] == house.ears[seat].asks[-1:] or seat != again.turn


@in_loop
async def test_a_stream_that_ended_in_the_middle_goes_on_where_it_was() -> None:
    house = await playing()
    seat = (house.turn + 1) % 4
    ear = house.ears[seat]
    house.match.detach(seat, ear)
    await house.act("pass")
    await settle()
    house.match.attach(seat, ear, len(ear.events))
    assert [item.seq for item in ear.events] == list(range(len(house.match.log)))
    assert ear.asks[-1].after == house.match.durable.version


def text_of(item: Item) -> str:
    """Everything that an item says."""
    return item.raw.decode() if isinstance(item, EventItem) else repr(item)


def since_the_last_close(items: Sequence[Item]) -> list[Item]:
    closes = [
        n for n, i in enumerate(items) if isinstance(i, EventItem) and "close" in i.event.kind
    ]
    return list(items[closes[-1] + 1 :]) if closes else []


def check_what_seats_were_told(house: House, deal: DealState, deck: SealedDeck) -> None:
    """No stream has told of a card, or a salt, that its seat has not seen."""
    public = [i for i in since_the_last_close(house.match.log) if isinstance(i, EventItem)]
    opening = {"action", "turn_up"}
    shown = " ".join(text_of(item) for item in public if item.event.kind in opening)
    opened = set(CARD.findall(shown))
    assert deal.dealer is not None
    for seat, ear in enumerate(house.ears):
        places = positions(house.match.state.rules.packets, deal.dealer, seat)
        seen = opened | {deck.cards[place] for place in places}
        said = " ".join(text_of(item) for item in since_the_last_close(ear.items))
        assert set(CARD.findall(said)) <= seen
        pairs = zip(deck.cards, deck.salts, strict=True)
        hidden = [salt for card, salt in pairs if card not in seen]
        hidden += [house.match.state.created.secret, b"b" * 32]
        assert not any(salt.hex() in said or repr(salt) in said for salt in hidden)


@pytest.mark.parametrize("rules", PRESETS)
@in_loop
async def test_no_stream_holds_an_unopened_card_salt_blind_or_secret(rules: str) -> None:
    house = await playing(rules)
    number = house.deal.number
    while (deal := house.match.durable.deal) is not None and deal.number == number:
        assert deal.deck is not None
        check_what_seats_were_told(house, deal, deal.deck)
        await house.act(house.legal[-1], blind=b"b" * 32)
        await settle()


@in_loop
async def test_seeds_are_told_to_nobody_before_all_are_shown() -> None:
    house = await (await House().create()).sit()
    for seat in range(4):
        await house.commit(seat)
    for seat in range(3):
        await house.reveal(seat)
    await settle()
    seeds = [house.seed(seat)[0] for seat in range(4)]
    for ear in house.ears:
        said = " ".join(text_of(item) for item in ear.items)
        assert not any(seed.hex() in said or repr(seed) in said for seed in seeds)


@in_loop
async def test_watchers_hear_public_events_and_faults_and_nothing_private() -> None:
    house = await (await House().create(move_ms=1_000)).sit()
    ear = Ear()
    house.match.watch(ear, 0)
    await house.seal()
    await house.clock.turn(1_000)
    assert ear.kinds == [item.event.kind for item in house.match.log]
    assert (ear.cards, ear.asks, len(ear.faults)) == ([], [], 1)


# -- nothing is told before it is durable


@in_loop
async def test_nothing_is_told_before_it_is_durable() -> None:
    house = await playing()
    before = [len(ear.items) for ear in house.ears]
    house.store.holding = True
    answers: list[Answer] = []
    seat, seq = house.turn, house.match.state.version + 1
    house.match.act(seat, house.rid(), seq, "pass", reply=answers.append)
    await settle()
    assert (answers, [len(ear.items) for ear in house.ears]) == ([], before)
    view = house.match.view(seat)
    assert view is not None
    assert view.state_version == seq - 1
    house.store.release()
    await settle()
    assert ruled(answers[0]).accepted
    assert all(ear.kinds[-1] == "action" for ear in house.ears)


@in_loop
async def test_what_could_not_be_recorded_did_not_happen_and_can_be_sent_again() -> None:
    house = await playing()
    before, seat, rid = len(house.match.log), house.turn, house.rid()
    house.store.broken = True
    assert wrong(await house.act("pass", rid=rid)) == "NOT_RECORDED"
    house.store.broken = False
    await settle()
    assert (len(house.match.log), house.turn) == (before, seat)
    assert ruled(await house.act("pass", rid=rid)).accepted
    rows = house.store.kept[house.match.id]
    assert audit_match(house.match.id, rows, still_open=True).fault == ""


@in_loop
async def test_what_follows_what_was_lost_is_lost_with_it() -> None:
    house = await playing()
    house.store.holding = True
    answers: list[Answer] = []
    for _ in range(3):
        seq = house.match.state.version + 1
        house.match.act(house.turn, house.rid(), seq, "pass", reply=answers.append)
    house.store.broken = True
    house.store.release()
    await settle()
    house.store.broken = False
    assert [wrong(answer) for answer in answers] == ["NOT_RECORDED"] * 3
    assert ruled(await house.act("pass")).accepted


@in_loop
async def test_a_listener_that_has_gone_does_not_keep_others_from_being_told() -> None:
    house = await House().create()
    await house.sit(0, 1, 2)
    waiting = house.hear(lambda reply: house.match.sit(3, info(3), reply))
    task = asyncio.create_task(waiting)
    house.store.holding = True
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    house.store.release()
    await settle()
    assert house.ears[0].kinds == ["match_open", "deal_open"]


# -- matches


@in_loop
async def test_the_same_request_makes_the_same_match_with_the_same_tokens() -> None:
    house = await House().create()
    tickets = await house.referee.create(policy=policy(), request_id=REQUEST)
    assert tickets == house.tickets
    assert len(house.store.matches()) == 1


@in_loop
async def test_a_match_that_cannot_be_recorded_is_not_made_and_can_be_asked_for_again() -> None:
    house = House()
    house.store.broken = True
    with pytest.raises(StoreError):
        await house.create()
    house.store.broken = False
    await house.create()
    assert [house.referee.pass_of(token) is not None for token in house.tickets.seats] == [True] * 4


@in_loop
async def test_a_creator_that_has_gone_leaves_a_match_with_its_clock_running() -> None:
    house = House()
    house.store.holding = True
    task = asyncio.create_task(house.create(start_ms=1_000))
    await settle()
    task.cancel()
    await settle()
    house.store.holding = False
    house.store.release()
    await settle()
    house.tickets = await house.referee.create(
        policy=policy({"start_ms": 1_000}), request_id=REQUEST
    )
    await house.clock.turn(1_000)
    assert house.match.durable.dropped == "START_FAIL"


@in_loop
async def test_a_match_from_a_seed_is_unrated_and_played_once_a_journal() -> None:
    house = House()
    with pytest.raises(RefereeError, match="unrated"):
        await house.referee.create(policy=policy(), seed=b"x")
    await house.referee.create(policy=policy(rated=False), seed=b"x")
    with pytest.raises(RefereeError, match="another seed"):
        await house.referee.create(policy=policy(rated=False), seed=b"x")


@in_loop
async def test_tokens_are_kept_as_hashes_and_known_again_after_a_restart() -> None:
    house = await House().create()
    again = await house.restart()
    for seat, token in enumerate(house.tickets.seats):
        found = again.referee.pass_of(token)
        assert found is not None
        assert (found.match, found.seat) == (house.tickets.match, seat)
    written = b"".join(row.body for row in house.store.kept[house.tickets.match])
    assert not any(t.encode() in written for t in (*house.tickets.seats, house.tickets.watching))


@in_loop
async def test_finished_matches_do_not_count_against_the_number_of_open_ones() -> None:
    house = await House().create()
    house.referee.matches.open_of[""] = MOST_OPEN
    with pytest.raises(TooManyMatchesError):
        await house.referee.create(policy=policy(), request_id=b"n" * 16)
    house.match.abort()
    await settle()
    tickets = await house.referee.create(policy=policy(), request_id=b"n" * 16)
    assert house.referee.ids()[0] == tickets.match
