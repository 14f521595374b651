"""Decks from a file, played without a seal: for debugging a bot on cards that one knows.

What is written is a plain log, whose first line says so: no verifier takes it for a proof.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.arena.bots import BotSpec, CommandSpec, PythonSpec
from referee.arena.players import JSON, BotFailure, Player, within
from referee.errors import RefereeError
from referee.rules import (
    SEATS,
    Card,
    Game,
    Hand,
    InvalidCardError,
    RuleSet,
    Violation,
    action_text,
    card_text,
    cards_text,
    check_deck,
    deal_from_deck,
    fallback_action,
    outcome_of,
    parse_cards,
    ruling,
)
from referee.table.view import hand_view
from referee.table.wire import view_map

FORMAT: Final = "euchre-plain-log/1"
MATCH: Final = "unsealed"


class DeckFileError(RefereeError, ValueError):
    """A file of decks that cannot be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainPlan:
    """What to play: decks in deal order, the first dealer, a bot a side, limits."""

    rules: RuleSet
    decks: tuple[tuple[Card, ...], ...]
    dealer: int
    specs: tuple[BotSpec, BotSpec]
    move_ms: int
    start_ms: int
    illegal_limit: int


def read_decks(path: Path, rules: RuleSet) -> tuple[tuple[Card, ...], ...]:
    """The decks of a file: one a line in deal order; empty lines and `#` comments are skipped.

    Raises DeckFileError with the line's number.
    """
    try:
        lines = path.read_text(encoding="ascii").split("\n")
    except OSError as err:
        raise DeckFileError(f"cannot read {str(path)!r}: {err.strerror}") from err
    except UnicodeDecodeError as err:
        number = bytes(err.object[: err.start]).count(b"\n") + 1
        raise DeckFileError(
            f"{path}, line {number}: not ASCII (write cards as JH or TD, one deck a line)"
        ) from err
    decks: list[tuple[Card, ...]] = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            deck = tuple(parse_cards(text))
            check_deck(deck, rules)
        except (InvalidCardError, RefereeError) as err:
            raise DeckFileError(f"{path}, line {number}: {err}") from err
        decks.append(deck)
    if not decks:
        raise DeckFileError(f"{str(path)!r} holds no deck (write one a line, in deal order)")
    return tuple(decks)


class PlainTable:
    """Four players at one table without a seal."""

    def __init__(self, plan: PlainPlan) -> None:
        self.log: list[dict[str, JSON]] = []
        self.failures: dict[str, str] = {}
        self._plan = plan
        self._players: list[Player] = []
        self._attempts = [0, 0, 0, 0]

    async def play(self) -> None:
        """Play the decks, or the game to its end; `log` grows by a line a deal.

        Raises BotFailure where a bot does not start.
        """
        plan = self._plan
        rules = plan.rules.to_map()
        for seat in SEATS:
            spec = plan.specs[seat & 1]
            if not isinstance(spec, PythonSpec | CommandSpec):
                raise DeckFileError(f"{spec.text!r} cannot play unsealed decks (use py: or cmd:)")
            self._players.append(spec.player())
        self.log.append({"format": FORMAT, "sealed": False, "rules": rules})
        try:
            for seat, player in zip(SEATS, self._players, strict=True):
                starting = player.start(match=MATCH, seat=seat.word, rules=rules)
                await within(plan.start_ms / 1_000, starting, "start")
            await self._deals()
        finally:
            await asyncio.gather(*(player.close() for player in self._players))

    async def _deals(self) -> None:
        game = Game(rules=self._plan.rules, dealer=SEATS[self._plan.dealer])
        for number, deck in enumerate(self._plan.decks, start=1):
            if game.is_over:
                break
            dealt = deal_from_deck(deck, self._plan.rules, game.dealer)
            hand = Hand(self._plan.rules, dealt, game.score)
            line: dict[str, JSON] = {
                "deal": number,
                "dealer": game.dealer.word,
                "deck": cards_text(deck),
                "upcard": card_text(hand.upcard),
            }
            actions, refused = await self._hand(hand, number, game.score)
            line |= {"actions": actions, "refused": refused}
            if hand.seat_on_turn is not None:
                self.log.append({**line, "outcome": "fault"})
                return
            result = outcome_of(hand)
            game = game.after(result)
            line |= {
                "outcome": result.outcome.value,
                "tricks": _pair(result.tricks),
                "points": _pair(result.points),
                "score": _pair(game.score),
            }
            self.log.append(line)
        for player in self._players:
            await player.end({"ns": game.score[0], "ew": game.score[1]})

    async def _hand(
        self, hand: Hand, number: int, score: tuple[int, int]
    ) -> tuple[list[str], list[JSON]]:
        """One deal's actions, and the attempts that were refused; it stops at a side's forfeit."""
        actions: list[str] = []
        refused: list[JSON] = []
        while (turn := hand.seat_on_turn) is not None:
            text = await self._choice(hand, turn, number, score, len(actions))
            verdict = ruling(hand, turn, text)
            if isinstance(verdict, Violation):
                refused.append({"seat": turn.word, "action": text, "reason": verdict.reason.value})
                self._attempts[turn] += 1
                if self._attempts[turn] >= self._plan.illegal_limit:
                    break
                await self._players[turn].refused(verdict.reason.value, verdict.sentence)
            else:
                hand.advance(verdict)
                actions.append(action_text(verdict))
        return actions, refused

    async def _choice(
        self, hand: Hand, turn: int, number: int, score: tuple[int, int], version: int
    ) -> str:
        """What the player wants, or the fallback action where it fails to say."""
        view = hand_view(hand, SEATS[turn], deal=number, score=score, version=version)
        choosing = self._players[turn].choose(view_map(view), view.legal)
        try:
            return await within(self._plan.move_ms / 1_000, choosing, "choose")
        except BotFailure as failure:
            self.failures.setdefault(SEATS[turn].word, f"{failure.kind}: {failure.text}")
            return action_text(fallback_action(hand))


def _pair(pair: Sequence[int]) -> Mapping[str, JSON]:
    return {"ns": pair[0], "ew": pair[1]}


def log_bytes(log: Sequence[Mapping[str, JSON]]) -> bytes:
    """The log as a file: one JSON object a line."""
    return b"".join(json.dumps(line).replace('": ', '":').encode("ascii") + b"\n" for line in log)
