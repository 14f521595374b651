"""What seats and watchers are told: in order, nothing hidden, and nothing before it is durable."""

import asyncio
import re
from collections.abc import Sequence

import pytest

from referee.host.items import Answer, EventItem, Item
from referee.journal.audit import audit_match
from referee.rules import PRESETS, positions
from referee.sealing.deck import SealedDeck
from referee.table.state import DealState
from tests.host.support import (
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
