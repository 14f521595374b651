"""The rules agree with OpenSpiel's Euchre, an engine by other people.

OpenSpiel plays `standard` with the dealer stuck or not. What it does otherwise the differential
steers around without skipping a deal: it deals one card at a time and the first to the dealer,
so it is given the same hands in that order; it forbids burying the upcard, so the dealer buries
another card; it asks for alone after the discard, so the answer given with the call is kept until
then. Its lone defender goes alone against two makers as well, which is `defend_alone: any` here,
and is paid four for a euchre of two makers too, which the comparison grants.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import pytest

from referee.rules import (
    Card,
    Hand,
    Outcome,
    Phase,
    RuleSet,
    action_text,
    card_text,
    cards_of,
    deal_from_deck,
    outcome_of,
    pack_cards,
    parse_action,
    parse_card,
    preset,
)

if TYPE_CHECKING:
    import pyspiel
else:
    pyspiel = pytest.importorskip("pyspiel", reason="open-spiel has no wheel for this Python")

PASS, FIRST_SUIT, ALONE, WITH_PARTNER = 24, 25, 29, 30


def their_card(card: Card) -> int:
    """OpenSpiel numbers the cards by rank first."""
    return card % 6 * 4 + card // 6


def their_action(text: str, hand: Hand) -> int:
    """OpenSpiel's number for an action; alone is dropped here and said later."""
    word, *rest = text.split()
    match word:
        case "pass":
            return PASS
        case "alone":
            return ALONE
        case "decline":
            return WITH_PARTNER
        case "order":
            return FIRST_SUIT + hand.upcard // 6
        case "name":
            return FIRST_SUIT + "CDHS".index(rest[0])
        case _:
            return their_card(parse_card(rest[0]))


@dataclass
class Tally:
    """What was compared."""

    deals: int = 0
    plies: int = 0
    throw_ins: int = 0
    stuck: int = 0
    loners: int = 0
    lone_defenders: int = 0
    disagreements: list[str] = field(default_factory=list)


def rules_of(*, stick: bool, lone_defender: bool) -> RuleSet:
    knobs = {"all_pass": "stick" if stick else "throw_in"}
    if lone_defender:
        knobs["defend_alone"] = "any"
    return RuleSet.from_map({**preset("standard").to_map(), **knobs})


class Differential:
    """One deal in both engines, compared before every action."""

    def __init__(self, rules: RuleSet, game: pyspiel.Game, chance: Random) -> None:
        deck = list(pack_cards(rules.pack))
        chance.shuffle(deck)
        dealer = chance.randrange(4)
        self.chance = chance
        self.eager = chance.random()
        self.hand = Hand(rules, deal_from_deck(deck, rules, dealer))
        self.theirs = game.new_initial_state()
        self.theirs.apply_action(dealer)
        hands = [list(cards_of(cards)) for cards in self.hand.hands]
        for number in range(20):
            self.theirs.apply_action(their_card(hands[(dealer + number) % 4].pop()))
        self.theirs.apply_action(their_card(self.hand.upcard))
        self.is_alone = False
        self.plies = 0

    def our_choices(self) -> list[str]:
        """Our legal actions, without the one that OpenSpiel forbids."""
        texts = [action_text(code) for code in self.hand.legal()]
        if self.hand.phase is Phase.DISCARD:
            upcard = f"discard {card_text(self.hand.upcard)}"
            assert upcard in texts
            texts.remove(upcard)
        return texts

    def compare(self, choices: list[str]) -> Iterator[str]:
        """The disagreements before an action."""
        if self.theirs.is_terminal() or self.theirs.current_player() != self.hand.turn:
            yield f"turn: {self.hand.turn}, theirs {self.theirs}"
            return
        ours = {their_action(text, self.hand) for text in choices}
        if ours != set(self.theirs.legal_actions()):
            yield f"legal: {choices}, theirs {self.theirs.legal_actions()}"

    def step(self, choices: list[str]) -> None:
        """Take one action by chance in both engines."""
        passing = "pass" in choices and self.chance.random() < self.eager
        text = "pass" if passing else self.chance.choice(choices)
        code = parse_action(text)
        assert code is not None
        self.is_alone |= text.endswith(" alone")
        self.theirs.apply_action(their_action(text, self.hand))
        self.hand.advance(code)
        self.plies += 1
        asked = not self.theirs.is_terminal() and ALONE in self.theirs.legal_actions()
        if asked and self.theirs.current_player() == self.hand.maker:
            self.theirs.apply_action(ALONE if self.is_alone else WITH_PARTNER)

    def compare_end(self) -> Iterator[str]:
        """The disagreements about the result."""
        if not self.theirs.is_terminal():
            yield "end: theirs goes on"
            return
        ns, ew = self.their_reading_of(outcome_of(self.hand))
        if self.theirs.returns() != [ns - ew, ew - ns, ns - ew, ew - ns]:
            yield f"points: {ns}-{ew}, theirs {self.theirs.returns()}"
        tricks = self.hand.past_tricks
        theirs = [trick.winner() for trick in self.theirs.tricks()][: len(tricks)]
        if theirs != [trick.winner for trick in tricks]:
            yield f"winners: {tricks}, theirs {theirs}"

    def their_reading_of(self, outcome: Outcome) -> tuple[int, int]:
        """The points, with four for a lone defender whoever was euchred."""
        lone_defender = self.hand.alone.bit_count() > self.is_alone
        if outcome.word != "euchred" or not lone_defender:
            return outcome.points
        price = self.hand.rules.points_lone_defender
        return (price, 0) if outcome.points[0] else (0, price)

    def disagreements(self) -> Iterator[str]:
        """All disagreements of the deal."""
        while self.hand.turn >= 0:
            choices = self.our_choices()
            found = list(self.compare(choices))
            yield from found
            if found:
                return
            self.step(choices)
        yield from self.compare_end()


def run(deals: int, *, stick: bool, lone_defender: bool) -> Tally:
    rules = rules_of(stick=stick, lone_defender=lone_defender)
    options = {"stick_the_dealer": stick, "allow_lone_defender": lone_defender}
    game = pyspiel.load_game("euchre", options)
    chance = Random(f"openspiel {stick}")  # noqa: S311 -- a test repeats itself
    tally = Tally()
    for _ in range(deals):
        pair = Differential(rules, game, chance)
        tally.disagreements += pair.disagreements()
        tally.deals += 1
        tally.plies += pair.plies
        tally.loners += pair.is_alone
        tally.lone_defenders += pair.hand.alone.bit_count() > pair.is_alone
        tally.throw_ins += pair.hand.trump < 0
        tally.stuck += pair.hand.maker == pair.hand.dealer and pair.hand.discarded is None
    return tally


@pytest.mark.parametrize("stick", [True, False])
@pytest.mark.parametrize("lone_defender", [False, True])
@pytest.mark.parametrize("deals", [2_000, pytest.param(20_000, marks=pytest.mark.heavy)])
def test_openspiel_agrees_on_turns_legal_actions_winners_and_points(
    deals: int, *, stick: bool, lone_defender: bool
) -> None:
    tally = run(deals, stick=stick, lone_defender=lone_defender)
    assert tally.disagreements == []
    assert tally.deals == deals
    assert tally.plies > 10 * deals
    assert tally.loners > deals // 10
    assert tally.stuck > deals // 50
    assert (tally.lone_defenders > deals // 10) is lone_defender
    assert (tally.throw_ins > 0) is not stick
