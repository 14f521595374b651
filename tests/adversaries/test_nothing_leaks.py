"""Whole matches, every message and every line of the log: nothing unopened is in them."""

import asyncio
import json
import logging
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import pytest
from google.protobuf.message import Message

from referee.pb.euchre.referee.v1 import match_pb2, play_pb2
from referee.sealing.closing import DealClose
from referee.sealing.deck import sealed_deck
from referee.sealing.events import CommitSet, RevealSet
from referee.table.evolve import chain_of
from tests.service.support import PATIENCE_S, Made, Served, Stream, bearer, on_loop, serving

CARD: Final = re.compile(r"(?<![0-9A-Za-z])(?:[789TJQKA][CDHS]|2S|BB)(?![0-9A-Za-z])")
HEX: Final = re.compile(r"[0-9a-f]{32,}")
PATIENT: Final = {"move_ms": 60_000, "commit_ms": 60_000, "reveal_ms": 60_000}
HOUSES: Final[Sequence[Mapping[str, str]]] = (
    {"cut": "dealers_right"},
    {"going_under": "swap_three"},
    {"partners_best": "one_card"},
    {"pack": "E25J", "best_bower_turned": "dealer_names_blind"},
)


class Player(Stream):
    """One seat that takes any legal action, hidden moves and refused ones among them."""

    async def answer(self, item: play_pb2.PlayItem) -> None:
        if not item.HasField("ask") or item.ask.what != "act":
            await super().answer(item)
            return
        seq, legal = item.ask.view.state_version + 1, list(item.ask.view.legal)
        words = [text for text in legal if text.split(" ")[0] in {"swap", "give", "order"}]
        chosen = (words or legal)[seq % len(words or legal)]
        if seq == 40:  # once a refusal: its text is for the seat alone
            await self.say(self.made.act(item.seat - 1, "play 9", seq))
        await self.say(self.made.act(item.seat - 1, chosen, seq))


@dataclass
class Secrets:
    """All that was hidden in a deal, read from the host once it is over."""

    r: bytes
    seeds: tuple[bytes, ...]
    salts: tuple[bytes, ...]
    blinds: frozenset[bytes]


def secrets_of(made: Made) -> dict[int, Secrets]:
    """What each deal hid."""
    match, found = made.match, {}
    reveals = {e.event.deal: e.event for e in match.log if isinstance(e.event, RevealSet)}
    csets = {e.event.deal: e.event.cset for e in match.log if isinstance(e.event, CommitSet)}
    for close in (e.event for e in match.log if isinstance(e.event, DealClose)):
        shown = reveals.get(close.deal)
        assert shown is not None
        deck = sealed_deck(
            match.id,
            close.deal,
            match.state.rules.pack.value,
            r=close.r or b"",
            cset=csets[close.deal],
            seeds=shown.seeds,
            cut=shown.cut,
        )
        blinds = frozenset(blind for opening in close.openings for blind in opening.blinds)
        found[close.deal] = Secrets(close.r or b"", shown.seeds, deck.salts, blinds)
    return found


@dataclass
class Knows:
    """What a seat, or a watcher, may have seen of the open deal."""

    cards: set[str] = field(default_factory=set)
    salts: set[bytes] = field(default_factory=set)
    blinds: set[bytes] = field(default_factory=set)
    seeds: bool = False


def texts(value: object) -> Iterator[str]:
    """Every text in a message, in the bytes of its events too; hex is no text."""
    if isinstance(value, Message):
        for name, held in value.ListFields():
            if name.name == "event" and isinstance(held, bytes):
                yield from texts(json.loads(held))
            else:
                yield from texts(held)
    elif isinstance(value, Mapping):
        for held in value.values():
            yield from texts(held)
    elif isinstance(value, str):
        if not HEX.fullmatch(value):
            yield value
    elif isinstance(value, Iterable) and not isinstance(value, bytes):
        for held in value:
            yield from texts(held)


def holds(wire: bytes, secret: bytes) -> bool:
    return secret in wire or secret.hex().encode() in wire


def scan(
    items: Sequence[play_pb2.PlayItem], seat: int | None, hidden: Mapping[int, Secrets]
) -> int:
    """Look through what one listener was told, in order; the number of messages."""
    number, knows = -1, Knows()
    for item in items:
        event = item.event
        if event.HasField("deal_open"):
            number, knows = event.deal_open.deal, Knows()
        if event.HasField("deal_close"):
            number, knows = number + 1, Knows()
            continue
        learn(item, knows)
        check(item, seat, hidden, number, knows)
    return len(items)


def learn(item: play_pb2.PlayItem, knows: Knows) -> None:
    """What a message may tell, because it opens it to this listener or to all."""
    event, kind = item.event, item.event.WhichOneof("kind")
    blind = item.ruling.blind
    knows.cards |= {card.card for card in item.private_deal.cards}
    knows.salts |= {card.salt for card in item.private_deal.cards}
    knows.blinds |= {blind[at : at + 32] for at in range(0, len(blind), 32)}
    if kind == "reveal_set":
        knows.seeds = True
    if kind == "turn_up":
        knows.cards.add(event.turn_up.card.card)
        knows.salts.add(event.turn_up.card.salt)
    if kind == "dealer_draw":
        knows.cards |= {card.card for card in event.dealer_draw.turned}
        knows.salts |= {card.salt for card in event.dealer_draw.turned}
    if kind == "action":
        knows.cards |= set(CARD.findall(event.action.action))


def check(
    item: play_pb2.PlayItem,
    seat: int | None,
    hidden: Mapping[int, Secrets],
    number: int,
    knows: Knows,
) -> None:
    """Nothing hidden in this deal or a later one is in the message."""
    wire = item.SerializeToString()
    for deal, kept in hidden.items():
        if deal < number:
            continue
        assert not holds(wire, kept.r)
        if deal > number or not knows.seeds:
            others = [s for n, s in enumerate(kept.seeds) if n != seat]
            assert not any(holds(wire, seed) for seed in others)
        assert not any(holds(wire, salt) for salt in set(kept.salts) - knows.salts)
        assert not any(holds(wire, blind) for blind in kept.blinds - knows.blinds)
    told = {card for text in texts(item) for card in CARD.findall(text)}
    assert told <= knows.cards, (told - knows.cards, item)


async def create(served: Served, knobs: Mapping[str, str]) -> Made:
    """A short match under some house rules."""
    request = match_pb2.CreateMatchRequest(
        request_id=secrets.token_bytes(16), rule_set="quick", rules={"target": "6", **knobs}
    )
    for name, value in PATIENT.items():
        setattr(request.policy, name, value)
    answer = await served.matches.CreateMatch(request, timeout=PATIENCE_S)
    return Made(served, answer.match.match, tuple(answer.seat_tokens), answer.watch_token)


async def watched(made: Made) -> list[play_pb2.PlayItem]:
    """Every event that a watcher is told."""
    call = made.served.plays.Watch(
        play_pb2.WatchRequest(match=made.id), metadata=bearer(made.watching), timeout=PATIENCE_S
    )
    return [play_pb2.PlayItem(event=event) async for part in call for event in part.events]


@on_loop
@pytest.mark.parametrize("knobs", HOUSES, ids=" ".join)
async def test_no_message_and_no_line_of_the_log_holds_what_is_not_opened(
    knobs: Mapping[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving() as served:
        made = await create(served, knobs)
        players = [Player(made, (seat,)) for seat in range(4)]
        for player in players:
            await player.hello()
        watching = asyncio.create_task(watched(made))
        await asyncio.gather(*(player.play_on() for player in players))
        heard = await watching
        hidden = secrets_of(made)
        assert len(hidden) > 1
        for seat, player in enumerate(players):
            assert {item.seat for item in player.items if item.match} == {seat + 1}
            assert scan(player.items, seat, hidden) > 20
        assert scan(heard, None, hidden) > 20
        kept = [chain_of(made.match.state).secret(deal) for deal in hidden]
        kept += [made.match.state.created.secret, *(t.encode() for t in made.seats)]
        for secret in hidden.values():
            kept += [*secret.seeds, *secret.blinds, *secret.salts]
        log = "\n".join(f"{r.getMessage()} {r.__dict__}" for r in caplog.records).encode()
        assert b"match_created" in log
        assert not any(holds(log, secret) or repr(secret).encode() in log for secret in kept)


def test_the_scan_finds_a_card_and_a_salt_that_are_not_opened() -> None:
    salt = bytes(range(32))
    hidden = {1: Secrets(b"r" * 32, (), (salt,), frozenset())}
    opened = play_pb2.PlayItem()
    opened.event.deal_open.deal = 1
    opened.event.event = b'{"kind":"deal_open"}'
    leaking = play_pb2.PlayItem()
    leaking.ruling.text = "east holds the 9C"
    with pytest.raises(AssertionError, match="9C"):
        scan([opened, leaking], 0, hidden)
    leaking.ruling.text = f"salt {salt.hex()}"
    with pytest.raises(AssertionError):
        scan([opened, leaking], 0, hidden)
