"""Cards that come to a seat alone: the five dealt, the kitty's three, the partner's one."""

import pytest

from referee.host.items import Ruling
from referee.journal.audit import audit_match
from referee.sealing.closing import DealClose
from referee.sealing.leaves import leaf
from referee.sealing.messages import private_deal_bytes
from referee.sealing.packs import SWAP_POSITIONS
from referee.table.policy import policy
from tests.host.support import KEY, REQUEST, House, in_loop, ruled, settle

SWAPS = {"going_under": "swap_three"}
GIFTS = {"partners_best": "one_card"}
BLIND = {"pack": "E25J", "best_bower_turned": "dealer_names_blind"}


async def house_of(knobs: dict[str, str]) -> House:
    house = House()
    house.tickets = await house.referee.create(
        rule_set="standard", knobs=knobs, policy=policy({}), request_id=REQUEST
    )
    await house.sit()
    return await house.seal()


def plays_out(legal: list[str]) -> str:
    passes = [text for text in legal if text == "pass"]
    return (passes or legal)[0]


async def until(house: House, *starts: str) -> str:
    """Play on, passing where that is legal, until an action of one of the words is legal."""
    for _ in range(3_000):
        found = [text for text in house.legal if text.split(" ")[0] in starts]
        if found:
            return found[0]
        await house.act(plays_out(house.legal))
        await settle()
        await house.seal()
    raise AssertionError


async def until_blind(house: House) -> None:
    while not (house.deal.hand and house.deal.hand.names_blind):
        await house.act(plays_out(house.legal))
        await settle()
        await house.seal()


def places_told(house: House, seat: int, deal: int) -> list[tuple[int, ...]]:
    cards = house.ears[seat].cards
    return [tuple(card.position for card in item.cards) for item in cards if item.deal == deal]


def check_cards(house: House, seat: int) -> None:
    """Every message is signed by the referee, and every card is the sealed one."""
    deck = house.deal.deck
    assert deck is not None
    for item in house.ears[seat].cards:
        if item.deal != house.deal.number:
            continue
        signed = private_deal_bytes(house.match.id, item.deal, seat, deck.root, item.cards)
        assert KEY.public.accepts(item.sig, signed)
        for card in item.cards:
            hashed = leaf(house.match.id, item.deal, card.position, card.card, card.salt)
            assert hashed == deck.leaves[card.position]


@in_loop
async def test_a_swap_brings_its_seat_the_kittys_three_cards_and_nobody_else() -> None:
    house = await house_of(SWAPS)
    action = await until(house, "swap")
    seat, number = house.turn, house.deal.number
    ruling = ruled(await house.act(action))
    assert [len(blind) for blind in ruling.blinds] == [32, 32, 32]
    assert list(ruling.positions) == sorted(ruling.positions)
    assert places_told(house, seat, number)[1:] == [SWAP_POSITIONS]
    assert all(len(places_told(house, other, number)) == 1 for other in range(4) if other != seat)
    check_cards(house, seat)


@in_loop
async def test_a_swap_is_public_only_as_a_commitment_until_the_close() -> None:
    house = await house_of(SWAPS)
    action = await until(house, "swap")
    await house.act(action, blind=bytes(range(96)))
    line = next(e for e in reversed(house.ears[0].events) if e.event.kind == "action").raw
    assert b'"action":"swap"' in line
    assert not any(card.encode() in line for card in action.split(" ")[1:])


@in_loop
@pytest.mark.parametrize("size", [31, 32, 64, 97])
async def test_a_blind_of_another_size_than_the_swaps_is_malformed(size: int) -> None:
    house = await house_of(SWAPS)
    answer = await house.act(await until(house, "swap"), blind=bytes(size))
    assert not isinstance(answer, Ruling)
    assert answer.wrong == "MALFORMED"


@in_loop
async def test_a_gift_brings_the_loner_alone_one_card() -> None:
    house = await house_of(GIFTS)
    await house.act("order alone")
    await house.act(house.legal[0])
    action = await until(house, "give")
    giver, number = house.turn, house.deal.number
    assert ruled(await house.act(action)).accepted
    told = places_told(house, giver ^ 2, number)
    assert [len(places) for places in told] == [5, 1]
    deck = house.deal.deck
    assert deck is not None
    assert deck.cards[told[1][0]] == action.split(" ")[1]
    assert all(len(places_told(house, s, number)) == 1 for s in range(4) if s != giver ^ 2)
    check_cards(house, giver ^ 2)


@in_loop
async def test_a_dealer_who_names_blind_is_dealt_its_cards_after_the_call() -> None:
    house = await house_of(BLIND)
    await until_blind(house)
    dealer, number = house.turn, house.deal.number
    seen = house.match.view(dealer)
    assert seen is not None
    assert (seen.hand, seen.phase, seen.counts) == ((), "dealer_names", (5, 5, 5, 5))
    assert places_told(house, dealer, number) == []
    assert all(len(places_told(house, s, number)) == 1 for s in range(4) if s != dealer)
    await house.act("name H")
    assert [len(places) for places in places_told(house, dealer, number)] == [5]
    after = house.match.view(dealer)
    assert after is not None
    assert len(after.hand) == 6
    check_cards(house, dealer)


@in_loop
@pytest.mark.parametrize(("knobs", "word"), [(SWAPS, "swap"), (GIFTS, "give"), (BLIND, "name")])
async def test_private_cards_come_again_after_a_restart(knobs: dict[str, str], word: str) -> None:
    house = await house_of(knobs)
    if word == "give":
        await house.act("order alone")
        await house.act(house.legal[0])
    if word == "name":
        await until_blind(house)
        action = "name H"
    else:
        action = await until(house, word)
    await house.act(action)
    again = await house.restart()
    for seat in range(4):
        told = [item for item in again.match.items(seat, 0) if item in house.ears[seat].cards]
        assert told == house.ears[seat].cards


@in_loop
@pytest.mark.parametrize(
    "knobs", [SWAPS, GIFTS, BLIND, {"farmers_hand": "redeal", "ace_no_face": "redeal"}]
)
async def test_a_match_under_a_house_rule_passes_its_audit(knobs: dict[str, str]) -> None:
    house = await house_of({**knobs, "target": "6"})
    words = {"redeal", "swap", "give", "order"}
    while not house.match.state.over:
        wanted = [text for text in house.legal if text.split(" ")[0] in words]
        await house.act(wanted[-1] if wanted else plays_out(house.legal))
        await settle()
        if house.match.state.deal is not None:
            await house.seal()
    rows = list(house.store.rows(house.match.id))
    assert audit_match(house.match.id, rows, still_open=False).fault == ""
    outcomes = {e.event.outcome for e in house.ears[0].events if isinstance(e.event, DealClose)}
    assert "played" in outcomes
    assert ("redeal" in outcomes) == ("ace_no_face" in knobs)


@in_loop
@pytest.mark.parametrize("knobs", [SWAPS, GIFTS, BLIND, {**SWAPS, **GIFTS, **BLIND}])
async def test_a_view_holds_only_cards_that_came_to_its_seat_and_were_sealed(
    knobs: dict[str, str],
) -> None:
    house = await house_of({**knobs, "target": "8"})
    words = {"swap", "give", "order", "name"}
    while not house.match.state.over:
        number = house.deal.number
        for seat in range(4):
            seen = house.match.view(seat)
            assert seen is not None
            told = {
                card.card
                for item in house.ears[seat].cards
                if item.deal == number
                for card in item.cards
            }
            taken = {seen.upcard} if seen.dealer == seat else set()
            assert set(seen.hand) <= told | taken
        wanted = [text for text in house.legal if text.split(" ")[0] in words]
        await house.act(wanted[-1] if wanted else plays_out(house.legal))
        await settle()
        if house.match.state.deal is not None:
            await house.seal()
