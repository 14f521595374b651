"""No seat is told anything by the referee of what it cannot know, be it by a length or a moment."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import pytest
from google.protobuf.message import Message

from referee.pb.euchre.referee.v1 import events_pb2
from referee.sealing.deck import SealedDeck, Sealer
from tests.property.worlds import (
    WATCHER,
    Course,
    Played,
    World,
    drawn_course,
    other_world,
    stub_sealer,
    true_sealer,
)

OPAQUE: Final = frozenset(
    ("commit", "commits", "cset", "head", "leaves", "prev", "receipt", "root", "salt", "sig")
)
"""The fields that look like chance to whoever cannot open them."""

VIEWERS: Final = range(WATCHER + 1)


def bytes_of(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def veiled(message: Message) -> Message:
    """The message with zeros for everything opaque; no length changes."""
    found = type(message)()
    found.CopyFrom(message)
    _veil(found)
    return found


def _veil(message: Message) -> None:
    if isinstance(message, events_pb2.Event):
        message.event = json.dumps(_veiled_json(json.loads(message.event))).encode()
    for field, value in message.ListFields():
        several = [value] if not field.is_repeated else value
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for part in several:
                _veil(part)
        elif field.name in OPAQUE and field.is_repeated:
            value[:] = [bytes(len(part)) for part in value]
        elif field.name in OPAQUE:
            setattr(message, field.name, bytes(len(value)))


Json = dict[str, "Json"] | list["Json"] | str | int | bool | None


def _veiled_json(value: Json, name: str = "") -> Json:
    match value:
        case dict():
            return {key: _veiled_json(part, key) for key, part in value.items()}
        case list():
            return [_veiled_json(part, name) for part in value]
        case str() if name in OPAQUE:
            return "0" * len(value)
        case _:
            return value


async def told(course: Course, world: World, sealer: Sealer) -> list[list[Message]]:
    """What the four seats and the watcher are sent."""
    played = await Played(course, world, sealer).play()
    return [witness.sent for witness in played.witnesses]


async def compare(
    seed: int, sealer_of: Callable[[tuple[str, ...]], Sealer], *, opaque: bool
) -> int:
    """Hold one course against another world for those who look on; how many worlds differed.

    Under a stub seal all five do; under the true one each in turn.
    """
    chance = Random(seed)  # noqa: S311 -- a test repeats itself
    course = drawn_course(chance)
    first = await told(course, course.world, sealer_of(course.world.deck))
    differing = 0
    for viewer in (seed % len(VIEWERS),) if opaque else VIEWERS:
        world = other_world(course, viewer, chance)
        differing += world.deck != course.world.deck
        second = await told(course, world, sealer_of(world.deck))
        ours, theirs = first[viewer], second[viewer]
        assert list(map(len, map(bytes_of, ours))) == list(map(len, map(bytes_of, theirs))), seed
        if opaque:
            ours, theirs = list(map(veiled, ours)), list(map(veiled, theirs))
        assert list(map(bytes_of, ours)) == list(map(bytes_of, theirs)), seed
    return differing


def run(deals: range, sealer_of: Callable[[tuple[str, ...]], Sealer], *, opaque: bool) -> None:
    async def main() -> int:
        return sum([await compare(seed, sealer_of, opaque=opaque) for seed in deals])

    pairs = len(deals) * (1 if opaque else len(VIEWERS))
    assert asyncio.run(main()) > 0.9 * pairs


FEW: Final = range(166, 226)
"""A stretch with a blind call, swaps and gifts in it."""
ALL: Final = [
    FEW,
    *(
        pytest.param(range(start, start + 500), marks=pytest.mark.heavy)
        for start in range(0, 5_000, 500)
    ),
]


@pytest.mark.parametrize("deals", ALL, ids=lambda deals: f"{deals.start}-{deals.stop - 1}")
def test_worlds_that_a_seat_cannot_tell_apart_are_told_in_the_same_bytes_under_a_stub_seal(
    deals: range,
) -> None:
    run(deals, stub_sealer, opaque=False)


@pytest.mark.parametrize("deals", ALL, ids=lambda deals: f"{deals.start}-{deals.stop - 1}")
def test_worlds_that_a_seat_cannot_tell_apart_differ_only_in_what_is_opaque_under_the_seal(
    deals: range,
) -> None:
    run(deals, true_sealer, opaque=True)


# -- a referee that tells, and is found out


def telling_sealer(deck: tuple[str, ...], *, by: str) -> Sealer:
    """A seal that tells of hidden cards: by the length of a leaf, or by a salt made of another."""
    honest = stub_sealer(deck)

    def seal(
        match: bytes,
        deal: int,
        pack: str,
        *,
        r: bytes,
        cset: bytes,
        seeds: Sequence[bytes],
        cut: int | None,
    ) -> SealedDeck:
        made = honest(match, deal, pack, r=r, cset=cset, seeds=seeds, cut=cut)
        if by == "length":
            leaves = tuple(bytes(32 + card.startswith("J")) for card in deck)
            return replace(made, leaves=leaves)
        neighbors = (*deck[1:], deck[0])
        return replace(made, salts=tuple(card.encode("ascii") * 16 for card in neighbors))

    return seal


@pytest.mark.parametrize(("by", "opaque"), [("length", True), ("length", False), ("salt", False)])
def test_a_seal_that_tells_of_hidden_cards_is_found_out(by: str, *, opaque: bool) -> None:
    with pytest.raises(AssertionError):
        run(range(20), partial(telling_sealer, by=by), opaque=opaque)
