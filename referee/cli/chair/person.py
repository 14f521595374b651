"""The player whose choices a person types."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn

from referee.arena.players import JSON, BotFailure, BotHello, FailureKind, Reveal
from referee.cli.chair.felt import Felt, Shown
from referee.cli.chair.lines import Lines
from referee.cli.chair.tale import Tale
from referee.cli.chair.words import read_action
from referee.rules import NO_TRUMP, RULE_OF, Suit, parse_card, parse_trump, strength, suit_of
from referee.sealing.packs import SEATS

Clock = Callable[[], float]
_RULES: Final = {reason.value: rule for reason, rule in RULE_OF.items()}
_WARNINGS_S: Final = (60.0, 30.0, 10.0)
_PHASES: Final = {
    "house": "a house rule lets you have the hand dealt again, or swap cards",
    "round_one": "the first round of calling: make the upcard's suit trump?",
    "round_two": "the second round of calling: name another suit?",
    "dealer_names": "you are to name trump",
    "discard": "you took the upcard: which card do you put away?",
    "partners_best": "which card do you give the loner?",
    "alone": "do you play alone?",
    "play": "your play",
}
_HELP: Final = (
    "Type the number of an action, the action (play JD, name H alone, pass), or a card (JD, 10h).",
    "A card is its rank, 9 T J Q K A, and its suit, C D H S. `look` shows the table again.",
    "An action that the rules do not allow is refused, and you are told why; `quit` leaves.",
)


class Person:
    """A person in a seat: a player of the arena that asks on a terminal or a pipe."""

    def __init__(
        self,
        felt: Felt,
        lines: Lines,
        tale: Tale | None,
        *,
        name: str,
        clock: Clock,
        leave: Callable[[], None],
        warning: str,
    ) -> None:
        self.limit_ms = 0
        self.attempts = 0
        self.tale = tale
        self._felt = felt
        self._lines = lines
        self._name = name
        self._clock = clock
        self._leave = leave
        self._warning = warning
        self._asked = (-1, -1)
        self._deadline = 0.0
        self._leaving = False
        self._asking = False
        self._question: asyncio.Task[None] | None = None
        lines.news = self._overhear

    async def start(self, *, match: str, seat: str, rules: Mapping[str, str]) -> BotHello:
        """Take the seat."""
        del match, rules
        self._felt.say(f"You sit {seat}. Type ? for help, quit to leave.")
        return BotHello(self._name, frozenset())

    async def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The action that is typed: any that is one, legal or not."""
        if self._question is not None and not self._question.done():
            await self._question
        self._asking = True
        try:
            return await self._choose(view, legal)
        finally:
            self._asking = False

    async def _choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        self.begin(view)
        legal = numbered(view, legal)
        self._look(view, legal)
        self._lines.forget()
        while True:
            typed = await self._line()
            if self._felt.unread:
                typed = None
            if typed is None or await self._leaves(typed):
                await self._gone(ended=typed is None)
            elif typed.strip().lower() in {"?", "h", "help"}:
                for line in _HELP:
                    self._felt.say(f"  {line}")
            elif typed.strip().lower() in {"", "l", "look"}:
                self._look(view, legal)
            else:
                action = read_action(typed, phase=_text(view, "phase"), legal=legal)
                if action is None:
                    self._felt.say(f"  {typed.strip()[:48]!r} is no action (type ? for help)")
                elif action in legal or await self._dares():
                    return action

    async def refused(self, reason: str, text: str) -> None:
        """Tell the ruling, its rule, and where that can be read."""
        self._felt.say(f"  Refused ({reason}): {text}.", "bold")
        if reason in _RULES:
            rule = _RULES[reason]
            self._felt.say(f"  That is rule {rule}: euchre-referee rules show {rule}")

    async def commit(self, deal: int, *, cutter: bool) -> str:
        """Never asked: the seeds of a person are the host's."""
        self._seedless(deal, cutter)

    async def reveal(
        self, deal: int, *, commits: Sequence[str], r_commit: str, cset: str
    ) -> Reveal:
        """Never asked: the seeds of a person are the host's."""
        self._seedless(deal, commits, r_commit, cset)

    def _seedless(self, *asked: object) -> NoReturn:
        raise BotFailure(FailureKind.MALFORMED, f"a person has no seeds (asked: {asked!r:.120})")

    async def event(self, event: Mapping[str, JSON]) -> None:
        """Nothing: the tale hears the events themselves."""

    async def end(self, score: Mapping[str, int]) -> None:
        """Nothing: the tale has told the score."""

    async def close(self) -> None:
        """Nothing is left running."""

    def interrupt(self) -> None:
        """Ctrl-C: ask whether to leave; a second one leaves at once."""
        if self._leaving:
            self._leave()
            return
        self._leaving = True
        self._felt.say()
        if self._asking:
            self._lines.push("quit")
        else:
            self._question = asyncio.get_running_loop().create_task(self._between())

    def _overhear(self) -> None:
        """`quit` leaves also while nothing is asked, as where no referee answers."""
        if not (self._asking or self._leaving) and self._lines.take(_quits):
            self._leaving = True
            self._question = asyncio.get_running_loop().create_task(self._between())

    async def _between(self) -> None:
        """Ask whether to leave while nothing else is asked."""
        if await self._leaves("quit"):
            self._leave()

    @property
    def _known(self) -> Tale:
        """The tale, which begins before anything is asked."""
        if self.tale is None:
            raise BotFailure(FailureKind.START_FAIL, "nothing is asked before a seat is taken")
        return self.tale

    def begin(self, view: Mapping[str, JSON]) -> None:
        """Start the clock of a new question; a refusal does not start it again."""
        asked = (_number(view, "deal"), _number(view, "state_version"))
        if asked != self._asked:
            self._asked = asked
            self._deadline = self._clock() + self.limit_ms / 1_000

    @property
    def left_s(self) -> float:
        """What is left of the time for this question."""
        return max(0.0, self._deadline - self._clock())

    async def _line(self) -> str | None:
        """The next line; what is left of the time is told while it is waited for."""
        self._felt.prompt(f"[{time_text(self.left_s)} left] > ")
        coming = asyncio.ensure_future(self._lines.next())
        try:
            for warning in _WARNINGS_S:
                if self.left_s > warning:
                    await asyncio.wait({coming}, timeout=self.left_s - warning)
                    if not coming.done():
                        self._felt.say()
                        self._felt.prompt(f"[{time_text(self.left_s)} left] > ")
            return await coming
        finally:
            coming.cancel()

    async def _leaves(self, typed: str) -> bool:
        """Whether the person wants to leave, and says so twice."""
        if not _quits(typed):
            return False
        self._leaving = True
        self._felt.say(f"  {self._warning}")
        self._felt.prompt("  Leave the match? (y/n) > ")
        said = await self._lines.next()
        self._leaving = False
        return said is None or said.strip().lower() in {"y", "yes"}

    async def _dares(self) -> bool:
        """Whether to send what will be refused, where refusals are counted."""
        if not self.attempts:
            return True
        self._felt.say(f"  This will be refused, and {self.attempts} refusals forfeit the match.")
        self._felt.prompt("  Send it nevertheless? (y/n) > ")
        said = await self._lines.next()
        return said is not None and said.strip().lower() in {"y", "yes"}

    async def _gone(self, *, ended: bool) -> NoReturn:
        """Leave, and answer nothing more."""
        self._felt.say(
            "  There is no more input: you leave the match." if ended else "  You leave."
        )
        self._leave()
        await asyncio.Event().wait()
        raise AssertionError("whoever leaves is not asked any more")

    def _look(self, view: Mapping[str, JSON], legal: Sequence[str]) -> None:
        """Show what the seat sees, and what it may do."""
        felt = self._felt
        felt.say()
        felt.say("  ".join(self._heads(view)), "bold")
        trick = [
            Shown(_text(played, "card"), self._known.who(SEATS.index(_text(played, "seat"))))
            for played in _things(view, "trick")
        ]
        if trick:
            felt.say("  on the table, led first:")
            felt.row(trick)
        cards = {action.split()[1]: n for n, action in enumerate(legal, 1) if _is_card(action)}
        hand = [
            Shown(card, str(cards.get(card, "")), bright=card in cards or not cards)
            for card in sorted_hand(_words(view, "hand"), _text(view, "trump"))
        ]
        felt.say("  your hand:" if hand else "  you have not seen your cards")
        felt.row(hand)
        felt.say(f"  {_PHASES.get(_text(view, 'phase'), 'what do you do?')}")
        if _text(view, "phase") == "play":
            return
        told = "  ".join(f"{n} {felt.action(action)}" for n, action in enumerate(legal, 1))
        felt.say(f"  {told}", "bold")

    def _heads(self, view: Mapping[str, JSON]) -> list[str]:
        heads = [f"Score: {self._known.sides(view, 'score')}."]
        trump, maker = _text(view, "trump"), _text(view, "maker")
        if trump:
            made = f", made by {self._known.who(SEATS.index(maker))}" if maker else ""
            heads.append(f"Trump: {self._felt.suit(trump)}{made}.")
            heads.append(f"Tricks: {self._known.sides(view, 'tricks')}.")
        elif _text(view, "upcard"):
            state = _text(view, "upcard_state").replace("_", " ")
            heads.append(f"Upcard: {self._felt.card(_text(view, 'upcard'))}, {state}.")
        alone = ", ".join(self._known.who(SEATS.index(seat)) for seat in _words(view, "alone"))
        return [*heads, f"Alone: {alone}."] if alone else heads


def _quits(typed: str) -> bool:
    return typed.strip().lower() in {"q", "quit", "exit"}


def sorted_hand(cards: Sequence[str], trump: str) -> list[str]:
    """A hand as a player holds it: trumps first, then suit by suit, high cards first."""
    made = parse_trump(trump) if trump else None

    def place(text: str) -> tuple[bool, Suit, int]:
        card = parse_card(text)
        suit = suit_of(card, made)
        return suit != made, suit, -strength(card, NO_TRUMP if made is None else made, suit)

    return sorted(cards, key=place)


def numbered(view: Mapping[str, JSON], legal: Sequence[str]) -> list[str]:
    """The legal actions in the order of their numbers: cards as they stand in the hand."""
    hand = sorted_hand(_words(view, "hand"), _text(view, "trump"))
    return sorted(legal, key=lambda a: hand.index(a.split(" ")[1]) if _is_card(a) else 0)


def time_text(seconds: float) -> str:
    """A time as a clock shows it."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def _is_card(action: str) -> bool:
    return action.startswith(("play ", "discard ", "give "))


def _text(view: Mapping[str, JSON], key: str) -> str:
    found = view.get(key)
    return found if isinstance(found, str) else ""


def _number(view: Mapping[str, JSON], key: str) -> int:
    found = view.get(key)
    return found if isinstance(found, int) else -1


def _listed(view: Mapping[str, JSON], key: str) -> Sequence[JSON]:
    found = view.get(key)
    return found if isinstance(found, Sequence) and not isinstance(found, str) else ()


def _words(view: Mapping[str, JSON], key: str) -> list[str]:
    return [word for word in _listed(view, key) if isinstance(word, str)]


def _things(view: Mapping[str, JSON], key: str) -> list[Mapping[str, JSON]]:
    return [thing for thing in _listed(view, key) if isinstance(thing, Mapping)]
