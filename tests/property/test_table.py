"""Properties of a match as a value, over random courses under every named rule set."""

from dataclasses import replace
from random import Random

import pytest

from referee.host.summary import KINDS, summary_of, summary_of_rows
from referee.journal.audit import audit_match
from referee.rules import PRESETS, Hand, card_text, cards_of
from referee.sealing.deck import SealedDeck
from referee.table.commands import TakeAction
from referee.table.decide import Decision, decide
from referee.table.evolve import dealt
from referee.table.state import MatchState
from referee.table.view import asks, private_cards, view
from tests.table.support import BLIND, MATCH, NOW_MS, Table, any_command, created, sealed

LEVELS = (
    ("checks", "checks", "checks", "checks"),
    ("checks", "seeds", "checks", "plays"),
    ("plays", "plays", "plays", "plays"),
)


def course(rules: str, seed: int, trouble: float) -> Table:
    """One match in which things go wrong at random."""
    chance = Random(seed)  # noqa: S311 -- a test repeats itself
    limits = {
        "games": chance.choice([1, 2]) if PRESETS[rules].deals is None else 1,
        "illegal_limit": chance.choice([1, 3, 50]),
        "timeout_limit": chance.choice([1, 5, 50]),
        "withheld_limit": chance.choice([1, 2, 9]),
    }
    named = PRESETS[rules].to_map()["first_dealer"] == "agreed" and chance.random() < 0.5
    short = limits["games"] == 1 and chance.random() < 0.3
    made = created(
        rules,
        knobs={"deals": "3"} if short else None,
        limits=limits,
        rated=chance.random() < 0.8,
        first_dealer=chance.randrange(4) if named else None,
        chain=chance.choice([3, 256]),
    )
    table = Table(made).sit(*chance.choice(LEVELS))
    while not table.state.over:
        found = table.ask(any_command(table, chance, trouble=trouble))
        if isinstance(found, Decision):
            table.events.extend(found.events)
            table.state = found.state
    return table


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_the_journal_folds_to_the_state_and_passes_verifier_and_audit(
    rules: str, seed: int
) -> None:
    table = course(rules, seed, trouble=(0.0, 0.02, 0.2)[seed % 3])
    assert table.folded() == table.state
    report = table.report
    assert report.exit == 0, report.verdict.failure
    audited = audit_match(MATCH, table.rows, still_open=False)
    assert audited.sound, audited.fault
    needed = [row for row in table.rows if row.kind in KINDS]
    assert summary_of_rows(needed) == summary_of(table.state)


@pytest.mark.parametrize("rules", PRESETS)
def test_cards_are_conserved_from_the_turn_up_to_the_last_trick(rules: str) -> None:
    table = sealed(rules)
    number = table.deal.number
    pack = sorted(table.deal.deck.cards if table.deal.deck is not None else ())
    while (deal := table.state.deal) is not None and deal.number == number:
        hand = deal.hand
        assert hand is not None
        held = [card_text(card) for cards in hand.hands for card in cards_of(cards)]
        laid = [card_text(card) for card in hand.plays]
        assert len(set(held + laid)) == len(held + laid)
        assert set(held + laid) <= set(pack)
        buried = 1 if hand.discarded is not None else 0
        taken = 1 if hand.upcard_state.value == "taken" else 0
        assert len(held) + len(laid) == 20 - buried + taken
        table.act(table.choose.choice(table.legal))


def seen_by(table: Table, seat: int) -> set[str]:
    """The cards a seat may know: its own, the upcard, and those that were laid."""
    deal = table.deal
    assert deal.hand is not None
    own = {opening.card for opening in private_cards(table.state, seat)}
    laid = {card_text(card) for card in deal.hand.plays}
    return own | laid | {card_text(deal.hand.upcard)}


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_a_view_holds_no_card_that_its_seat_has_not_seen(rules: str, seed: int) -> None:
    table = sealed(rules)
    table.choose = Random(seed)  # noqa: S311 -- a test repeats itself
    number = table.deal.number
    while (deal := table.state.deal) is not None and deal.number == number:
        for seat in range(4):
            shown = view(table.state, seat)
            assert shown is not None
            said = {word for text in shown.legal for word in text.split()[1:] if len(word) == 2}
            cards = {shown.upcard, *shown.hand, *(card for _, card in shown.trick), *said}
            assert cards <= seen_by(table, seat)
            assert shown.legal == () or shown.turn == seat
        table.act(table.choose.choice(table.legal))


def swapped(state: MatchState, first: int, second: int) -> MatchState:
    """The world in which two cards that lie face down have changed places; the seal is the same."""
    deal = state.deal
    assert deal is not None
    deck = deal.deck
    assert deck is not None
    cards = list(deck.cards)
    cards[first], cards[second] = cards[second], cards[first]
    other = SealedDeck(tuple(cards), deck.salts, deck.leaves, deck.root, deck.key)
    world = replace(state, deal=replace(deal, deck=other))
    return replace(state, deal=replace(deal, deck=other, hand=Hand(world.rules, dealt(world))))


def same_move(table: Table, other: MatchState, chance: Random) -> tuple[TakeAction, TakeAction]:
    """A move that looks the same in both worlds; the discard goes by its place in the deal."""
    mine, theirs = table.deal.deck, other.deal.deck if other.deal is not None else None
    hand = other.deal.hand if other.deal is not None else None
    assert mine is not None
    assert theirs is not None
    assert hand is not None
    for text in chance.sample(table.legal, len(table.legal)):
        twin = text
        if text.startswith("discard "):
            place = mine.cards.index(text.split()[1])
            twin = f"discard {theirs.cards[place]}"
        given = [
            TakeAction(seat=table.turn, action=word, blind=BLIND, used_ms=0)
            for word in (text, twin)
        ]
        found = decide(other, given[1], now_ms=NOW_MS)
        if isinstance(found, Decision) and found.violation is None:
            return given[0], given[1]
    raise LookupError("the worlds part here: no move looks the same in both")


def compare_two_worlds(rules: str, seed: int) -> int:
    """Play both worlds by the same moves as long as they look alike; how many steps that was."""
    chance = Random(seed)  # noqa: S311 -- a test repeats itself
    table = sealed(rules)
    seat = chance.randrange(4)
    own = {opening.position for opening in private_cards(table.state, seat)}
    size = len(table.deal.deck.cards) if table.deal.deck is not None else 0
    hidden = [place for place in range(size) if place not in own and place != 20]
    other = swapped(table.state, *chance.sample(hidden, 2))
    number, steps = table.deal.number, 0
    while (deal := table.state.deal) is not None and deal.number == number:
        assert view(table.state, seat) == view(other, seat)
        assert private_cards(table.state, seat) == private_cards(other, seat)
        mine = [ask for ask in asks(table.state) if ask.seat == seat]
        assert mine == [ask for ask in asks(other) if ask.seat == seat]
        try:
            move, twin = same_move(table, other, chance)
        except LookupError:
            break
        events = table.give(move).events
        there = decide(other, twin, now_ms=NOW_MS)
        assert isinstance(there, Decision)
        if table.state.deal is not None and table.state.deal.number == number:
            assert [e for e in events if e.kind == "action"] == [
                e for e in there.events if e.kind == "action"
            ]
        other, steps = there.state, steps + 1
    return steps


@pytest.mark.parametrize("rules", PRESETS)
def test_two_worlds_that_differ_in_hidden_cards_look_the_same_to_a_seat(rules: str) -> None:
    steps = [compare_two_worlds(rules, seed) for seed in range(20)]
    assert max(steps) > 10


def test_a_swap_in_the_seats_own_cards_is_seen_by_it() -> None:
    table = sealed()
    own = [opening.position for opening in private_cards(table.state, 0)]
    kitty = len(table.deal.deck.cards) - 1 if table.deal.deck is not None else 0
    other = swapped(table.state, own[0], kitty)
    assert view(table.state, 0) != view(other, 0)
