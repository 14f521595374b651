"""From the bytes of a tournament file to a `Sheet`, or to an error with the line and what to do."""

import errno
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

from referee.arena.bots import BotSpecError, DialSpec, parse_bot
from referee.arena.formats.tie_breaks import TIE_BREAKS
from referee.arena.tournament.fitness import check_field
from referee.arena.tournament.formatread import read_format
from referee.arena.tournament.marked import LARGEST, Fields, SheetError, Value, read_marked
from referee.arena.tournament.sheet import (
    BYES,
    DEALERS,
    MODES,
    SANDBOX,
    Entry,
    FormatSheet,
    MatchPoints,
    Sheet,
    Sprt,
    Substitute,
    Withdrawal,
    entry_fault,
)
from referee.errors import RefereeError
from referee.rules import RuleSet, preset
from referee.rules.knobs import KNOBS
from referee.sealing.parts import Policy
from referee.table.policy import DEFAULTS, LONGEST_MS, SHORTEST_MS, policy

KEYS: Final = (
    "name",
    "format",
    "entries",
    "rules",
    "boards",
    "dealers",
    "mode",
    "chunk",
    "policy",
    "byes",
    "forbidden",
    "tie_breaks",
    "match_points",
    "withdrawals",
    "substitutes",
    "stop",
    "seed",
    "workers",
    "sandbox",
    "attempts",
)
MOST_ENTRIES: Final = 1_000
MOST_BOARDS: Final = 100_000
LARGEST_CHUNK: Final = 64
DEFAULT_CHUNK: Final = 4
LARGEST_SEED: Final = 2**53 - 1
LARGEST_POINTS: Final = 1_000
MOST_ROUNDS: Final = 10_000
LONGEST_TITLE: Final = 100


def read_sheet(path: Path, *, begun: bool = False) -> Sheet:
    """The sheet in a file; SheetError with file and line where it cannot be played.

    See `parse_sheet` for `begun`.
    """
    try:
        _check_kind(path)
        with path.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as err:
        raise SheetError(
            f"cannot read {str(path)!r}: {err.strerror}"
            " (make one with euchre-referee tournament new FILE)"
        ) from err
    return parse_sheet(str(path), content, begun=begun)


def _check_kind(path: Path) -> None:
    """OSError where a pipe or a device stands, which may never come to an end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file")


def parse_sheet(file: str, content: bytes, *, begun: bool = False) -> Sheet:
    """The sheet in some bytes; `file` is what errors call them.

    Where the event has `begun`, its first round is not drawn once more to see whether it can be:
    for a large Swiss that takes minutes.
    """
    fields = read_marked(file, content).fields(KEYS)
    title = fields.need("name", "write what the event is called")
    form, options = read_format(fields)
    entries = _entries(fields, form)
    knobs_of, rules = _rules(fields)
    boards = fields.need("boards", "write how many an encounter has").number(1, MOST_BOARDS)
    limits, deal_ms = _policy(fields)
    mode = fields.word("mode", "boards", MODES)
    sheet = Sheet(
        name=_title(title),
        format=form,
        entries=entries,
        preset=knobs_of[0],
        knobs=dict(knobs_of[1]),
        rules=rules,
        boards=boards,
        dealers=fields.word("dealers", "balanced", DEALERS),
        mode=mode,
        chunk=_chunk(fields, boards, mode),
        policy=limits,
        deal_ms=deal_ms,
        bye=None if fields.found.get("byes") is None else fields.word("byes", "", BYES),
        forbidden=_forbidden(fields, entries),
        tie_breaks=_tie_breaks(fields),
        match_points=_match_points(fields),
        withdrawals=_withdrawals(fields, entries),
        substitutes=_substitutes(fields, entries),
        sprt=_sprt(fields),
        seed=fields.number("seed", 0, 0, LARGEST_SEED),
        workers=None if (w := fields.get("workers")) is None else w.number(1, 1_000),
        sandbox=fields.word("sandbox", "auto", SANDBOX),
        attempts=fields.number("attempts", 5, 1, 100),
        text=content,
    )
    check_field(sheet, fields, options, begun=begun)
    return sheet


def _chunk(fields: Fields, boards: int, mode: str) -> int:
    """As many as are asked for; else four, or fewer where they would not divide the boards."""
    if mode == "games":
        return fields.number("chunk", 1, 1, 1)  # a board's score comes from the board before it
    usual = next(n for n in range(DEFAULT_CHUNK, 0, -1) if boards % n == 0)
    return fields.number("chunk", usual, 1, LARGEST_CHUNK)


def _title(value: Value) -> str:
    title = value.scalar()
    if len(title) > LONGEST_TITLE or not title.isprintable() or not title.strip():
        value.refuse(f"the name has to be 1 to {LONGEST_TITLE} printable characters (shorten it)")
    return title


def _entries(fields: Fields, form: FormatSheet) -> tuple[Entry, ...]:
    value = fields.need("entries", "list who takes part, each with a name and a bot")
    read: list[Entry] = []
    lines: dict[str, int] = {}
    items = value.items()
    least = 4 if form.individual else 2
    if not least <= len(items) <= MOST_ENTRIES:
        value.refuse(
            f"{len(items)} entries, and an event of kind {form.kind} has {least} to {MOST_ENTRIES}"
            " (add or remove some)"
        )
    for item in items:
        entry = _entry(item)
        folded = entry.name.casefold()
        if folded in lines:
            item.refuse(
                f"two entries are called {entry.name!r}, here and in line {lines[folded]}"
                " (give each a name of its own; capitals do not tell names apart)"
            )
        lines[folded] = entry.line
        read.append(entry)
    return tuple(read)


def _entry(item: Value) -> Entry:
    named = Value(item.file, item.node, "an entry")
    if not item.is_map:
        bot = named.scalar()
        return Entry(_name(named, bot), _bot(named, bot), item.line)
    fields = named.fields(("name", "bot"))
    bot_value = fields.need("bot", "write random, sensible, strong, py:MODULE:CLASS or cmd:COMMAND")
    bot = _bot(bot_value, bot_value.scalar())
    name_value = fields.get("name") or bot_value
    return Entry(_name(name_value, name_value.scalar()), bot, item.line)


def _name(value: Value, name: str) -> str:
    fault = entry_fault(name)
    if fault is not None:
        value.refuse(f"not a name for an entry: {name!r} ({fault})")
    return name


def _bot(value: Value, text: str) -> str:
    try:
        spec = parse_bot(text, apart=True)
    except BotSpecError as err:
        value.refuse(str(err))
    if isinstance(spec, DialSpec):
        value.refuse(
            f"{text!r} dials in, and would see both tables of a board"
            " (use cmd: or py:, or play it with euchre-referee match)"
        )
    return text


def _rules(fields: Fields) -> tuple[tuple[str, dict[str, str]], RuleSet]:
    value = fields.get("rules")
    if value is None:
        return ("standard", {}), preset("standard")
    name, knobs = "standard", dict[str, str]()
    try:
        if not value.is_map:
            name = value.scalar()
            return (name, {}), preset(name)
        inner = value.fields(("preset", "knobs"))
        if (chosen := inner.get("preset")) is not None:
            value, name = chosen, chosen.scalar()
        base = preset(name).to_map()
        if (given := inner.get("knobs")) is not None:
            value = given
            for knob, setting in given.fields(tuple(KNOBS)):
                value = setting
                knobs[knob] = setting.scalar() if setting.kind != "nothing" else "none"
                RuleSet.from_map({knob: knobs[knob]})
            value = given
        return (name, knobs), RuleSet.from_map({**base, **knobs})
    except SheetError:
        raise
    except RefereeError as err:
        value.refuse(str(err))


def _policy(fields: Fields) -> tuple[Policy, int | None]:
    value = fields.get("policy")
    if value is None:
        return policy(), None
    names = (*(name for name in DEFAULTS if name != "games"), "deal_ms")
    given: dict[str, int] = {}
    deal_ms: int | None = None
    for name, number in value.fields(names):
        if name == "deal_ms":
            deal_ms = number.number(SHORTEST_MS, LONGEST_MS)
            continue
        given[name] = number.number(0, LONGEST_MS)
        try:
            policy({name: given[name]})
        except RefereeError as err:
            number.refuse(str(err))
    return policy(given), deal_ms


def _known(value: Value, entries: Sequence[Entry]) -> str:
    return value.word([entry.name for entry in entries])


def _forbidden(fields: Fields, entries: Sequence[Entry]) -> tuple[tuple[str, str], ...]:
    value = fields.get("forbidden")
    pairs: list[tuple[str, str]] = []
    for item in () if value is None else value.items():
        two = item.items()
        if len(two) != 2:  # noqa: PLR2004 -- a pair
            item.refuse(f"a forbidden pair has two names, not {len(two)} (write [A, B])")
        first, second = (_known(name, entries) for name in two)
        if first == second:
            item.refuse(f"{first!r} never meets itself (write two names)")
        pairs.append((first, second))
    return tuple(pairs)


def _tie_breaks(fields: Fields) -> tuple[str, ...]:
    value = fields.get("tie_breaks")
    words: list[str] = []
    for item in () if value is None else value.items():
        word = item.word(tuple(TIE_BREAKS))
        if word in words:
            item.refuse(f"the tie-break {word!r} stands there twice (remove one)")
        words.append(word)
    return tuple(words)


def _match_points(fields: Fields) -> MatchPoints:
    value = fields.get("match_points")
    if value is None:
        return MatchPoints()
    inner = value.fields(("win", "draw", "loss"))
    paid = {"win": Fraction(2), "draw": Fraction(1), "loss": Fraction(0)}
    for name, number in inner:
        paid[name] = Fraction(number.real(-LARGEST_POINTS, LARGEST_POINTS)).limit_denominator(1_000)
    if not paid["win"] > paid["draw"] >= paid["loss"]:
        value.refuse("a win has to pay more than a draw, and a draw not less than a loss")
    return MatchPoints(**paid)


def _withdrawals(fields: Fields, entries: Sequence[Entry]) -> tuple[Withdrawal, ...]:
    value = fields.get("withdrawals")
    read: list[Withdrawal] = []
    for item in () if value is None else value.items():
        inner = Value(item.file, item.node, "a withdrawal").fields(("name", "before"))
        name_value = inner.need("name", "write who withdraws")
        name = _known(name_value, entries)
        before = inner.need("before", "write the round from which it plays no more")
        if any(each.name == name for each in read):
            name_value.refuse(f"{name!r} withdraws twice (remove one)")
        read.append(Withdrawal(name, before.number(1, MOST_ROUNDS)))
    return tuple(read)


def _substitutes(fields: Fields, entries: Sequence[Entry]) -> tuple[Substitute, ...]:
    value = fields.get("substitutes")
    read: list[Substitute] = []
    for item in () if value is None else value.items():
        inner = Value(item.file, item.node, "a substitute").fields(("name", "bot", "for", "since"))
        name_value = inner.need("name", "write who comes in")
        name = _name(name_value, name_value.scalar())
        bot = inner.need("bot", "write the bot that plays on")
        since = inner.need("since", "write the round from which it plays").number(1, MOST_ROUNDS)
        taken = [*(each.name for each in entries), *(each.name for each in read)]
        if name.casefold() in {each.casefold() for each in taken}:
            name_value.refuse(f"another entry is called {name!r} (give it a name of its own)")
        instead_of = inner.need("for", "write in whose place it plays").word(taken)
        read.append(Substitute(name, _bot(bot, bot.scalar()), instead_of, since))
    return tuple(read)


def _sprt(fields: Fields) -> Sprt | None:
    value = fields.get("stop")
    if value is None:
        return None
    names = ("h0", "h1", "alpha", "beta")
    inner = value.fields(names)
    h0 = inner.need("h0", "write the mean to be refuted").real(-10, 10)
    h1_value = inner.need("h1", "write the mean to be shown")
    h1 = h1_value.real(-10, 10)
    if h1 <= h0:
        h1_value.refuse(f"h1 is {h1:g}, and h0 {h0:g}: h1 has to be larger (swap them)")
    risks = [
        0.05 if (risk := inner.get(name)) is None else risk.real(0.0001, 0.5)
        for name in ("alpha", "beta")
    ]
    return Sprt(h0, h1, *risks)
