"""Two worlds that differ only in what one seat cannot know, and all that it is sent in each.

A course of one deal is drawn at random under a rule set drawn at random. For a seat that looks on
(or a watcher) cards that it has not seen are exchanged among the other hands and the kitty, as long
as every action of the course stays legal: then the seat has no way to tell the worlds apart but by
what the referee sends. The other seats also try, in each world by itself, what is refused.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from google.protobuf.message import Message

from referee.host.course import Course as MatchCourse
from referee.host.items import Answer, EventItem, Item, Reply, Ruling
from referee.host.match import Match
from referee.host.summary import summary_of
from referee.pb.euchre.referee.v1 import play_pb2
from referee.rules import (
    KNOBS,
    PRESETS,
    Hand,
    RuleSet,
    RuleSetError,
    Violation,
    action_text,
    card_text,
    deal_from_deck,
    dealer_names_blind,
    fallback_action,
    pack_cards,
    parse_action,
    parse_card,
    positions,
    ruling,
)
from referee.sealing.commit import seat_commit
from referee.sealing.deck import SealedDeck, Sealer, sealed_deck
from referee.sealing.encode import Mac
from referee.sealing.leaves import leaves as leaves_of
from referee.sealing.leaves import tree_head
from referee.sealing.packs import SWAP_POSITIONS
from referee.sealing.parts import HIDDEN_MOVES, SeatInfo
from referee.service import convert
from referee.service.matches import match_message
from referee.service.told import Answered, Entry, item_message, responses
from referee.table.commands import GiveSeed
from referee.table.events import MatchCreated
from referee.table.policy import policy
from tests.host.support import FakeClock, MemoryStore
from tests.table.support import KEY, MATCH, NOW_MS, seed_of

SEATS: Final = range(4)
WATCHER: Final = 4
LIMITS: Final = {"illegal_limit": 900, "timeout_limit": 900, "move_ms": 5_000}
WORDS: Final = (
    "pass", "order", "order alone", "name H", "name S alone", "alone", "decline", "redeal",
    "name N", "play", "swap 9C 9D TC", "rubbish",
)  # fmt: skip
DOUBLED: Final = 3
"""A knob in three is turned, where a rule set is drawn freely."""


@dataclass(frozen=True)
class Try:
    """Something that a seat sends and that does not count as its action."""

    seat: int
    text: str
    stale: bool = False


@dataclass(frozen=True)
class Step:
    """One action of the course: hidden moves are known by their positions in the deck.

    `wait` is how many milliseconds pass before it; a `fallback` comes when the time is over.
    """

    seat: int
    text: str
    hidden: frozenset[int]
    wait: int
    fallback: bool


@dataclass(frozen=True)
class World:
    """A deck, and what each seat tries before each step that is refused."""

    deck: tuple[str, ...]
    tries: tuple[tuple[Try, ...], ...]


@dataclass(frozen=True)
class Course:
    """One deal up to some moment: where it is played, and what is done."""

    rules: RuleSet
    dealer: int
    levels: tuple[str, ...]
    steps: tuple[Step, ...]
    world: World

    def hand(self, deck: Sequence[str]) -> Hand:
        return Hand(
            self.rules, deal_from_deck(list(map(parse_card, deck)), self.rules, self.dealer)
        )


def drawn_rules(chance: Random) -> RuleSet:
    """A named rule set, and in half of all cases with knobs turned at random."""
    base = PRESETS[chance.choice(list(PRESETS))].to_map()
    if chance.random() < 0.5:
        return RuleSet.from_map(base)
    while True:
        turned = {
            name: chance.choice(knob.words)
            for name, knob in KNOBS.items()
            if knob.words and name != "deals" and chance.randrange(DOUBLED) == 0
        }
        try:
            return RuleSet.from_map({**base, **turned})
        except RuleSetError:
            continue


def drawn_course(chance: Random) -> Course:
    """A deal played at random to some moment before its end."""
    rules = drawn_rules(chance)
    pack = list(map(card_text, pack_cards(rules.pack)))
    chance.shuffle(pack)
    turned = [card for card in pack if dealer_names_blind(rules, parse_card(card))]
    if turned and chance.random() < 0.5:  # seldom enough by itself
        place = pack.index(turned[0])
        pack[place], pack[20] = pack[20], pack[place]
    levels = tuple(chance.choice(("checks", "checks", "seeds", "plays")) for _ in SEATS)
    start = Course(rules, chance.randrange(4), levels, (), World(tuple(pack), ()))
    steps: list[Step] = []
    tries: list[tuple[Try, ...]] = []
    hand = start.hand(pack)
    while (seat := hand.seat_on_turn) is not None:
        tries.append(tuple(drawn_tries(hand, chance, SEATS)))
        fallback = chance.random() < 0.05
        legal = [action_text(code) for code in hand.legal()]
        text = action_text(fallback_action(hand)) if fallback else liked(legal, chance)
        wait = LIMITS["move_ms"] if fallback else chance.randrange(3) * 700
        steps.append(Step(seat, text, hidden_places(text, pack), wait, fallback))
        advance(hand, text)
    blind = start.hand(pack).names_blind and chance.random() < 0.5
    moment = 0 if blind else chance.randrange(len(steps))
    whole = replace(start, steps=tuple(steps[:moment]))
    return replace(whole, world=World(tuple(pack), tuple(tries[: moment + 1])))


def liked(legal: Sequence[str], chance: Random) -> str:
    """A legal action, seldom the one that ends the deal at once."""
    found = chance.choice(legal)
    return chance.choice(legal) if found == "redeal" else found


def advance(hand: Hand, text: str) -> None:
    code = parse_action(text)
    assert code is not None
    hand.advance(code)


def hidden_places(text: str, deck: Sequence[str]) -> frozenset[int]:
    word, *cards = text.split(" ")
    return frozenset(map(deck.index, cards)) if word in HIDDEN_MOVES else frozenset()


def drawn_tries(hand: Hand, chance: Random, seats: Sequence[int]) -> Iterator[Try]:
    """What seats send in vain: refused, malformed or stale."""
    for seat in seats:
        kind = chance.random()
        if kind < 0.04:
            yield Try(seat, "pass", stale=True)
        elif kind < 0.08:
            yield Try(seat, '"')
        elif kind < 0.25:
            text = chance.choice(WORDS)
            if text == "play":
                text = f"play {card_text(chance.choice(pack_cards(hand.rules.pack)))}"
            if isinstance(ruling(hand, seat, text), Violation):
                yield Try(seat, text)


# -- the other world


def known_places(course: Course, viewer: int) -> set[int]:
    """The positions of the deck whose cards the viewer may know at the end of the course."""
    deck = course.world.deck
    known = {20}
    played = [step.text.split(" ")[1] for step in course.steps if step.text.startswith("play ")]
    known |= set(map(deck.index, played))
    if viewer == WATCHER:
        return known
    hand = after(course, course.world)
    if not (viewer == course.dealer and hand.names_blind):
        known |= set(positions(course.rules.packets, course.dealer, viewer))
    for step in course.steps:
        word = step.text.split(" ")[0]
        if word == "swap" and step.seat == viewer:
            known |= set(SWAP_POSITIONS)
        if word == "give" and step.seat ^ 2 == viewer:
            known |= step.hidden
    return known


def text_in(hand: Hand, step: Step, deck: Sequence[str]) -> str | None:
    """The words of a step in a world; None where it could not be made there."""
    if hand.seat_on_turn != step.seat:
        return None
    legal = [action_text(code) for code in hand.legal()]
    if step.fallback:
        text = action_text(fallback_action(hand))
        same = hidden_places(text, deck) == step.hidden if step.hidden else text == step.text
        return text if same else None
    if step.hidden:
        word = step.text.split(" ")[0] + " "
        alike = (t for t in legal if t.startswith(word) and hidden_places(t, deck) == step.hidden)
        return next(alike, None)
    return step.text if step.text in legal else None


def after(course: Course, world: World) -> Hand:
    """The hand at the end of the course in a world."""
    hand = course.hand(world.deck)
    for step in course.steps:
        text = text_in(hand, step, world.deck)
        assert text is not None
        advance(hand, text)
    return hand


def possible(course: Course, deck: Sequence[str]) -> bool:
    """Whether every step of the course could be made in a world."""
    hand = course.hand(deck)
    for step in course.steps:
        text = text_in(hand, step, deck)
        if text is None:
            return False
        advance(hand, text)
    return True


def other_world(course: Course, viewer: int, chance: Random) -> World:
    """A world that the viewer cannot know from the first; the same one where there is no other."""
    known = known_places(course, viewer)
    free = [place for place in range(len(course.world.deck)) if place not in known]
    deck = list(course.world.deck)
    for _ in range(2 * len(free)):
        one, two = chance.choice(free), chance.choice(free)
        deck[one], deck[two] = deck[two], deck[one]
        if not possible(course, deck):
            deck[one], deck[two] = deck[two], deck[one]
    others = [seat for seat in SEATS if seat != viewer]
    hand = course.hand(deck)
    tries: list[tuple[Try, ...]] = []
    for number, said in enumerate(course.world.tries):
        own = tuple(t for t in said if t.seat == viewer)
        tries.append((*own, *drawn_tries(hand, chance, others)))
        if number < len(course.steps):
            text = text_in(hand, course.steps[number], deck)
            assert text is not None
            advance(hand, text)
    return World(tuple(deck), tuple(tries))


# -- sealers


def true_sealer(deck: tuple[str, ...]) -> Sealer:
    """Seals a given deck as the seal does."""

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
        made = sealed_deck(match, deal, pack, r=r, cset=cset, seeds=seeds, cut=cut)
        leaves = leaves_of(match, deal, deck, made.salts)
        return replace(made, cards=deck, leaves=leaves, root=tree_head(leaves))

    return seal


def stub_sealer(deck: tuple[str, ...]) -> Sealer:
    """A seal that hides nothing and depends on nothing: every salt and leaf is the same."""

    def seal(
        match: bytes,  # noqa: ARG001 -- the seal's arguments
        deal: int,  # noqa: ARG001 -- as above
        pack: str,  # noqa: ARG001 -- as above
        **_given: bytes | Sequence[bytes] | int | None,
    ) -> SealedDeck:
        same = tuple(bytes((place,)) * 32 for place in range(len(deck)))
        return SealedDeck(deck, same, same, bytes(32), Mac(bytes(32)))

    return seal


# -- playing a world, and what is told


@dataclass
class Witness:
    """All that one seat, or the watcher, is sent: whole messages, in order."""

    name: str
    seat: int
    sent: list[Message] = field(default_factory=list)

    def __call__(self, items: Sequence[Item]) -> None:
        if self.seat == WATCHER:
            events = [convert.event_message(item) for item in items if isinstance(item, EventItem)]
            if events:
                self.sent.append(play_pb2.WatchResponse(events=events))
            return
        value = convert.seat_value(self.seat)
        entries: list[Entry] = [(self.name, value, item) for item in items]
        self.hear(entries)

    def hear(self, entries: Sequence[Entry]) -> None:
        """Take the messages of a stream that hold what is sent to the seat."""
        self.sent += map(play_pb2.PlayResponse.FromString, responses(entries, KEY))


class Played:
    """A world played on a real host, to the end of its course."""

    def __init__(self, course: Course, world: World, sealer: Sealer) -> None:
        self.course = course
        self.world = world
        self.clock = FakeClock()
        on_the_host = MatchCourse(
            self._created(),
            store=MemoryStore(),
            key=KEY,
            clock=self.clock,
            chance=bytes,
            ended=lambda: None,
            sealer=sealer,
        )
        self.match = Match(on_the_host)
        self.witnesses = [Witness(self.match.id.hex(), seat) for seat in range(5)]
        self._asked = [0] * 4

    def _created(self) -> MatchCreated:
        return MatchCreated(
            match=MATCH,
            rule_set="custom",
            rules=self.course.rules.to_map(),
            policy=policy(LIMITS),
            first_dealer=self.course.dealer,
            chain=4,
            secret=bytes(32),
            referee_key=KEY.public.text,
            tokens=tuple(bytes([place]) * 32 for place in range(5)),
            created_at=NOW_MS,
        )

    async def play(self) -> "Played":
        await self.match.course.begin()
        self.match.watch(self.witnesses[WATCHER], 0)
        for seat, level in enumerate(self.course.levels):
            info = SeatInfo(name=f"bot{seat}", level=level, seed_by="seat")
            self.match.sit(seat, info, self._reply(seat))
            self.match.attach(seat, self.witnesses[seat], 0)
        await self._seal()
        hand = self.course.hand(self.world.deck)
        for number, said in enumerate(self.world.tries):
            for attempt in said:
                await self._try(attempt)
            if number < len(self.course.steps):
                await self._step(hand, self.course.steps[number])
        self._look()
        self.match.course.close()
        return self

    def _reply(self, seat: int) -> Reply:
        def put(answer: Answer) -> None:
            receipt = self.match.receipt(answer) if isinstance(answer, Ruling) else None
            witness = self.witnesses[seat]
            answered = Answered(witness.name, convert.seat_value(seat), answer, receipt)
            witness.hear([answered])

        return put

    async def _settled(self) -> None:
        """Everything is durable that was decided, and told."""
        while self.match.durable is not self.match.state:  # noqa: ASYNC110 -- a turn or two away
            await asyncio.sleep(0)

    def _request(self, seat: int) -> bytes:
        self._asked[seat] += 1
        return bytes((seat,)) + self._asked[seat].to_bytes(15, "big")

    async def _seal(self) -> None:
        await self._settled()
        givers = [seat for seat in SEATS if not self.match.state.declined(seat)]
        for seat in givers:
            seed, cut = seed_of(seat, 1), self._cut(seat)
            commit = seat_commit(MATCH, 1, seat, seed, cut)
            self.match.commit(seat, self._request(seat), 1, commit, self._reply(seat))
        await self._settled()
        for seat in givers:
            deal = self.match.state.deal
            assert deal is not None
            given = GiveSeed(
                seat=seat, deal=1, seed=seed_of(seat, 1), cut=self._cut(seat), cset=deal.cset
            )
            head = self.match.commit_head
            self.match.reveal(given, self._request(seat), head, self._reply(seat))
        await self._settled()

    def _cut(self, seat: int) -> int | None:
        deal = self.match.state.deal
        return 7 if deal is not None and deal.cutter == seat else None

    async def _try(self, attempt: Try) -> None:
        seq = self.match.state.version + (5 if attempt.stale else 1)
        rid, reply = self._request(attempt.seat), self._reply(attempt.seat)
        self.match.act(attempt.seat, rid, seq, attempt.text, reply=reply)
        await self._settled()

    async def _step(self, hand: Hand, step: Step) -> None:
        if step.wait:
            await self.clock.turn(step.wait)
        text = text_in(hand, step, self.world.deck)
        assert text is not None
        if not step.fallback:
            seq = self.match.state.version + 1
            rid, reply = self._request(step.seat), self._reply(step.seat)
            self.match.act(step.seat, rid, seq, text, reply=reply)
            await self._settled()
        advance(hand, text)
        assert self.match.durable.deal is not None
        assert self.match.durable.deal.hand is not None
        assert self.match.durable.deal.hand.seat_on_turn == hand.seat_on_turn
        for seat in SEATS:
            view = self.match.view(seat)
            assert view is not None
            self.witnesses[seat].sent.append(convert.view_message(view))

    def _look(self) -> None:
        """What can be asked for at the end: the match, and for a seat everything anew."""
        for witness in self.witnesses:
            witness.sent.append(match_message(summary_of(self.match.durable)))
            if witness.seat in SEATS:
                items = self.match.items(witness.seat, 0)
                told = [item_message(self.match, witness.seat, item) for item in items]
                witness.sent.append(play_pb2.GetViewResponse(items=told))
