"""The rules engine beside OpenSpiel's Euchre: random deals and checked replay.

Both are driven from Python, one decision at a time, under `standard`: deal from a shuffled pack,
then call, bury and play to the end.
In *random deals* each lists its legal actions and takes one by chance; nobody checks the deal.
In *checked replay* each replays deals that it recorded and looks at everything before it makes it.
OpenSpiel does so by `a in state.legal_actions()`, also for the dealer and the cards dealt, which
are actions there; ours checks the whole pack at once, then each action by `apply`.
*Decisions only* is the same replay with OpenSpiel's deal unchecked.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import pyspiel

from benchmarks.harness import Goal, interleave, ratio, report
from referee.rules import Hand, RuleSet, apply, deal_from_deck, preset

DEALS = 1_000
ROUNDS = 15
CARDS = 24

Recording = tuple[list[int], int, list[int]]
"""The order of the pack, the dealer, and the actions."""


@dataclass(frozen=True)
class Ours:
    """The rules of this project."""

    rules: RuleSet
    recordings: list[Recording]

    def random_deals(self) -> int:
        """Play deals by chance."""
        chance = random.Random(1)
        pack = list(range(CARDS))
        for number in range(DEALS):
            chance.shuffle(pack)
            self.play(pack, number & 3, chance.random)
        return DEALS

    def play(self, deck: list[int], dealer: int, chance: Callable[[], float]) -> list[int]:
        """Play one deal by chance."""
        hand = Hand(self.rules, deal_from_deck(deck, self.rules, dealer))
        taken = []
        while hand.turn >= 0:
            legal = hand.legal()
            action = legal[int(chance() * len(legal))]
            taken.append(action)
            hand.advance(action)
        return taken

    def replay(self) -> int:
        """Replay the recorded deals, looking at every action."""
        for deck, dealer, actions in self.recordings:
            hand = Hand(self.rules, deal_from_deck(deck, self.rules, dealer))
            for action in actions:
                apply(hand, action)
        return len(self.recordings)


@dataclass(frozen=True)
class OpenSpiel:
    """Euchre as OpenSpiel has it."""

    game: pyspiel.Game
    recordings: list[Recording]

    def random_deals(self) -> int:
        """Play deals by chance."""
        chance = random.Random(1)
        pack = list(range(CARDS))
        for number in range(DEALS):
            chance.shuffle(pack)
            self.play(pack, number & 3, chance.random)
        return DEALS

    def deal(self, deck: list[int], dealer: int) -> pyspiel.State:
        """A state after the deal."""
        state = self.game.new_initial_state()
        state.apply_action(dealer)
        for card in deck[:21]:
            state.apply_action(card)
        return state

    def play(self, deck: list[int], dealer: int, chance: Callable[[], float]) -> list[int]:
        """Play one deal by chance."""
        state = self.deal(deck, dealer)
        taken = []
        while not state.is_terminal():
            legal = state.legal_actions()
            action = legal[int(chance() * len(legal))]
            taken.append(action)
            state.apply_action(action)
        return taken

    def replay(self) -> int:
        """Replay the recorded deals, looking at every action, those of the deal too."""
        for deck, dealer, actions in self.recordings:
            state = self.game.new_initial_state()
            for action in (dealer, *deck[:21], *actions):
                if action not in state.legal_actions():
                    raise SystemExit("a recorded action is refused")
                state.apply_action(action)
        return len(self.recordings)

    def replay_decisions(self) -> int:
        """Replay the recorded deals, looking at the players' actions only."""
        for deck, dealer, actions in self.recordings:
            state = self.deal(deck, dealer)
            for action in actions:
                if action not in state.legal_actions():
                    raise SystemExit("a recorded action is refused")
                state.apply_action(action)
        return len(self.recordings)


def decks() -> list[tuple[list[int], int]]:
    """Shuffled packs with a dealer each."""
    chance = random.Random(2)
    return [(chance.sample(range(CARDS), CARDS), number & 3) for number in range(DEALS)]


def main() -> None:
    """Measure, print and write `out/engine.json`."""
    ours = Ours(preset("standard"), [])
    theirs = OpenSpiel(pyspiel.load_game("euchre"), [])
    chance = random.Random(3)
    for deck, dealer in decks():
        ours.recordings.append((deck, dealer, ours.play(deck, dealer, chance.random)))
        theirs.recordings.append((deck, dealer, theirs.play(deck, dealer, chance.random)))
    deals = interleave({"ours": ours.random_deals, "theirs": theirs.random_deals}, rounds=ROUNDS)
    replays = interleave(
        {"ours": ours.replay, "theirs": theirs.replay, "decisions": theirs.replay_decisions},
        rounds=ROUNDS,
    )
    report(
        "engine",
        {
            "python": sys.version.split()[0],
            "random deals a second, ours": median(deals["ours"]),
            "random deals a second, OpenSpiel": median(deals["theirs"]),
            "random deals ÷ OpenSpiel": Goal(ratio(deals, "ours", "theirs"), least=0.9),
            "checked replays a second, ours": median(replays["ours"]),
            "checked replays a second, OpenSpiel": median(replays["theirs"]),
            "checked replay ÷ OpenSpiel": Goal(ratio(replays, "ours", "theirs"), least=2),
            "decisions only ÷ OpenSpiel": ratio(replays, "ours", "decisions"),
        },
    )


if __name__ == "__main__":
    main()
