"""A tournament file, written for people: every key with a word on what it does."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.arena.tournament.sheet import FORMATS, OPTIONS

SAFE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./ ")
WORDS: Final = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a new tournament file says."""

    name: str
    format: str
    entries: Sequence[tuple[str, str]]
    options: Mapping[str, int] = field(default_factory=dict)
    preset: str = "standard"
    knobs: Mapping[str, str] = field(default_factory=dict)
    boards: int = 16
    chunk: int = 4
    byes: str = ""
    seed: int = 0
    move_ms: int = 5_000
    mode: str = "boards"
    forbidden: Sequence[tuple[str, str]] = ()
    stop: tuple[float, float] | None = None


def scalar(text: str) -> str:
    """A text as YAML reads it back.

    >>> scalar("Winter Cup"), scalar("1e3"), scalar("cmd:./bot -x"), scalar("no")
    ('Winter Cup', '"1e3"', '"cmd:./bot -x"', '"no"')
    """
    plain = (
        set(text) <= SAFE and text[:1].isalpha() and text == text.strip() and "  " not in text
    ) and text.lower() not in WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


def write_sheet(draft: Draft) -> str:
    """The file's text."""
    lines = [
        "# A tournament of Euchre. Check it, and see how long it takes:",
        "#   euchre-referee tournament plan FILE",
        "# Play it; the same command goes on with it after a stop:",
        "#   euchre-referee tournament run FILE",
        "",
        f"name: {scalar(draft.name)}",
        "",
        *_format_lines(draft),
        "",
        "# Who takes part, in the order of seeding. A bot is one of",
        "#   random, sensible, strong    the built-in ones",
        "#   py:MODULE:CLASS             a class with choose(view, legal), a process a seat",
        "#   cmd:COMMAND                 a program that speaks JSON lines on stdio",
        "entries:",
    ]
    for name, bot in draft.entries:
        lines += [f"  - name: {scalar(name)}", f"    bot: {scalar(bot)}"]
    lines += ["", *_rules_lines(draft), ""]
    lines += [
        "# Sealed boards a meeting: each is played at two tables with the sides exchanged",
        "# (at six by single players). With `dealers: balanced` every seat deals as often.",
        f"boards: {draft.boards}",
        "dealers: balanced",
        "# Boards of one meeting that are sealed together, and played by one worker.",
        f"chunk: {draft.chunk}",
        "",
        "# What sitting a round out is worth: none, zero, half or full.",
        f"byes: {draft.byes or 'none'}",
        "",
        "# Limits in milliseconds; what a bot may do wrong before it loses the board.",
        "policy:",
        f"  move_ms: {draft.move_ms}",
        "  start_ms: 20000",
        "",
        "# Draws lots where nothing else decides; never a deck.",
        f"seed: {draft.seed}",
        "",
        *_chosen_lines(draft),
        *_OTHERS,
    ]
    return "\n".join(lines) + "\n"


def _format_lines(draft: Draft) -> list[str]:
    lines = [f"# {kind}: {told}" for kind, told in FORMATS.items()]
    if not draft.options:
        named = ", ".join(OPTIONS[draft.format])
        hint = f"  # or a map of kind and {named}" if named else ""
        return [*lines, f"format: {draft.format}{hint}"]
    return [
        *lines,
        "format:",
        f"  kind: {draft.format}",
        *(f"  {name}: {value}" for name, value in draft.options.items()),
    ]


def _chosen_lines(draft: Draft) -> list[str]:
    """What few events need, where this one does."""
    lines: list[str] = []
    if draft.mode != "boards":
        lines += ["# Boards go on as games to the target of the rules, at each table."]
        lines += [f"mode: {draft.mode}", ""]
    if draft.forbidden:
        lines += ["# Pairs that never meet.", "forbidden:"]
        lines += [f"  - [{scalar(one)}, {scalar(other)}]" for one, other in draft.forbidden] + [""]
    if draft.stop is not None:
        h0, h1 = draft.stop
        lines += ["# Ends the duel as soon as it is decided (SPRT), in points per deal."]
        lines += [f"stop: {{h0: {h0:g}, h1: {h1:g}}}", ""]
    return lines


def _rules_lines(draft: Draft) -> list[str]:
    head = "# The rules of the table: a rule set by name, and knobs that differ from it."
    if not draft.knobs:
        return [head, f"rules: {scalar(draft.preset)}"]
    knobs = [f"    {name}: {scalar(value)}" for name, value in draft.knobs.items()]
    return [head, "rules:", f"  preset: {scalar(draft.preset)}", "  knobs:", *knobs]


_OTHERS: Final = (
    "# More that a file may say:",
    "#   forbidden: [[A, B]]                  pairs that never meet (swiss)",
    "#   tie_breaks: [buchholz, score, lots]  in this order",
    "#   match_points: {win: 2, draw: 1, loss: 0}",
    "#   withdrawals: [{name: A, before: 3}]",
    "#   substitutes: [{name: C, bot: random, for: B, since: 3}]",
    "#   stop: {h0: 0, h1: 0.2}               ends a duel as soon as it is decided (SPRT)",
    "#   mode: games                          boards go on as games to the target, at each table",
    "#   attempts: 5                          fresh boards for one that a failure here made void",
    "#   policy: {deal_ms: 20000}             all of a seat's thinking in a deal, besides move_ms",
    "#   workers: 2                           processes that play; one a core by default",
    "#   sandbox: auto                        on: refuse to run where bots cannot be confined",
)
