"""A deal or a game of Euchre as a turn-based environment of PettingZoo."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from referee.errors import RefereeError
from referee.rl.encoding import ACTIONS, SIZE, Numbers, Observation, encode, highest, mask
from referee.rules import (
    SEATS,
    Game,
    Hand,
    IllegalActionError,
    Outcome,
    RuleSet,
    Seat,
    action_text,
    apply,
    card_text,
    deal_from_deck,
    draw_dealer,
    largest_points,
    outcome_of,
    pack_cards,
    parse_cards,
    parse_seat,
    preset,
    ruling,
)
from referee.table.view import View, hand_view

SEAT_OF: Final = {seat.word: seat for seat in SEATS}
_AWAY: Final = ("discard", "swap", "give")
_MOST_DEALS: Final = 200


class OptionError(RefereeError, ValueError):
    """An option that the environment does not have."""


class Episode(StrEnum):
    """What is played from one reset to the next."""

    DEAL = "deal"
    GAME = "game"


class EuchreEnv(AECEnv[str, Observation, int]):
    """The bare environment: four seats, one of which is on turn.

    Rewards: after each deal every seat gets the points of its side less those of the other, so
    they add up to zero. A deal that is redealt is dealt anew within the episode; one that is
    thrown in pays nothing and ends an episode of one deal. A game that is not over after
    `most_deals` is truncated. An action that is not legal raises `IllegalActionError` with the
    ruling, and changes nothing.
    """

    metadata: ClassVar[dict[str, object]] = {
        "name": "euchre_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *,
        rules: str | RuleSet = "standard",
        episode: str = "deal",
        most_deals: int = _MOST_DEALS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules: Final = preset(rules) if isinstance(rules, str) else rules
        self.episode: Final = _episode(episode)
        if most_deals < 1:
            raise OptionError(f"most_deals is {most_deals} (give 1 or more)")
        if render_mode not in (None, "ansi"):
            raise OptionError(f"no such render mode: {render_mode!r} (the one there is: 'ansi')")
        self.most_deals: Final = most_deals
        self.render_mode = render_mode
        self.possible_agents = [seat.word for seat in SEATS]
        self.observation_spaces = {agent: self._seen() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(len(ACTIONS)) for agent in SEAT_OF}
        self._chance = seeding.np_random(None)[0]

    def _seen(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(
                    low=np.zeros(SIZE, dtype=np.int32), high=highest(self.rules), dtype=np.int32
                ),
                "action_mask": spaces.Box(low=0, high=1, shape=(len(ACTIONS),), dtype=np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """The shape of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of `ACTIONS`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, str] | None = None) -> None:
        """Begin an episode; with the same seed and the same actions it is the same again.

        Options: `dealer`, the seat that deals first, and `deck`, the order of the first deal's
        pack as a line of cards. What is not given is drawn, and
        an option of another environment is passed over, as PettingZoo asks.
        """
        if seed is not None:
            self._chance = seeding.np_random(seed)[0]
        given = options or {}
        dealer = parse_seat(given["dealer"]) if "dealer" in given else self._drawn_dealer()
        deck = parse_cards(given["deck"]) if "deck" in given else self._shuffled()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in self.agents}
        self._game = Game(rules=self.rules, dealer=dealer)
        self._begin(deck)

    def _shuffled(self) -> tuple[int, ...]:
        pack = pack_cards(self.rules.pack)
        return tuple(pack[place] for place in self._chance.permutation(len(pack)))

    def _drawn_dealer(self) -> Seat:
        start = int(self._chance.integers(4))
        return draw_dealer(self._shuffled(), self.rules.first_dealer, start).dealer

    def _begin(self, deck: tuple[int, ...]) -> None:
        deal = deal_from_deck(deck, self.rules, self._game.dealer)
        self._hand = Hand(self.rules, deal, self._game.score)
        self._away: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
        self._turn()

    def _turn(self) -> None:
        seat = self._hand.seat_on_turn
        if seat is not None:
            self.agent_selection = seat.word

    def _view(self, agent: str) -> View:
        return hand_view(
            self._hand,
            SEAT_OF[agent],
            deal=self._game.deals + 1,
            score=self._game.score,
            version=0,
        )

    def observe(self, agent: str) -> Observation:
        """What a seat sees now, and what it may do."""
        view = self._view(agent)
        return {"observation": self._numbers(view), "action_mask": mask(view.legal)}

    def _numbers(self, view: View) -> Numbers:
        past = ((s, card_text(card)) for t in self._hand.past_tricks for s, card in t.plays)
        return encode(view, (*past, *view.trick), self._away[view.seat])

    def step(self, action: int | None) -> None:
        """Take the action of the agent on turn; None where it has finished."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        code = self._code(SEAT_OF[agent], action)
        apply(self._hand, code)
        word, *cards = action_text(code).split(" ")
        if word in _AWAY:
            self._away[SEAT_OF[agent]] += cards
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self._hand.seat_on_turn is None:
            self._end_deal(outcome_of(self._hand))
        self._turn()
        self._accumulate_rewards()

    def _code(self, seat: Seat, action: int | None) -> int:
        """The code of an action by its number, or the ruling on it."""
        if action is None or not 0 <= action < len(ACTIONS):
            raise OptionError(f"no such action: {action!r} (give 0 to {len(ACTIONS) - 1})")
        text = ACTIONS[action]
        found = ruling(self._hand, seat, text)
        if not isinstance(found, int):
            raise IllegalActionError(text, found)
        return found

    def _end_deal(self, outcome: Outcome) -> None:
        game = self._game = self._game.after(outcome)
        ns, ew = outcome.points
        self.rewards = {
            agent: ns - ew if seat & 1 == 0 else ew - ns for agent, seat in SEAT_OF.items()
        }
        is_over = game.is_over or (self.episode is Episode.DEAL and game.deals > 0)
        if is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif game.deals >= self.most_deals:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self._begin(self._shuffled())

    def render(self) -> str | None:
        """The table as the seat on turn sees it, as text; nothing without a render mode."""
        if self.render_mode is None:
            return None
        view = self._view(self.agent_selection)
        score, tricks = view.score, view.tricks
        lines = (
            f"{view.dealer.word} deals, {score.ns}-{score.ew}, tricks {tricks.ns}-{tricks.ew}",
            f"upcard {view.upcard} {view.upcard_state}, trump {view.trump or '-'}, {view.phase}",
            "table " + (" ".join(f"{seat.word} {card}" for seat, card in view.trick) or "-"),
            f"{view.seat.word} holds {' '.join(view.hand) or '-'}",
            "legal " + (", ".join(view.legal) or "-"),
        )
        return "\n".join(lines)

    def close(self) -> None:
        """Nothing is held open."""


def _episode(word: str) -> Episode:
    if word not in set(Episode):
        raise OptionError(f"no such episode: {word!r} (write deal or game)")
    return Episode(word)


def env(
    *,
    rules: str | RuleSet = "standard",
    episode: str = "deal",
    most_deals: int = _MOST_DEALS,
    render_mode: str | None = None,
) -> AECEnv[str, Observation, int]:
    """The environment in PettingZoo's usual wrappers.

    An action that is not legal ends the episode: whoever chose it is charged the largest price of
    a deal, the others get nothing.
    """
    bare = EuchreEnv(rules=rules, episode=episode, most_deals=most_deals, render_mode=render_mode)
    checked = wrappers.TerminateIllegalWrapper(bare, illegal_reward=-largest_points(bare.rules))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))
