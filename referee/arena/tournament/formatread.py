"""The format of a tournament file and its options."""

from typing import Final

from referee.arena.tournament.marked import Fields, meant
from referee.arena.tournament.sheet import FORMATS, OPTIONS, PLAYERS, FormatSheet

MOST_ROUNDS: Final = 1_000
MOST_REPLAYS: Final = 100
TEAMS: Final = 2


def read_format(fields: Fields) -> tuple[FormatSheet, Fields]:
    """The format, and its fields for what can only be checked later."""
    value = fields.need("format", f"write one of {', '.join(FORMATS)}")
    if not value.is_map:
        kind = value.word(list(FORMATS))
        return FormatSheet(kind=kind), Fields(value, {})
    every = tuple(dict.fromkeys(name for names in OPTIONS.values() for name in names))
    inner = value.fields(("kind", *every))
    kind = inner.need("kind", f"write one of {', '.join(FORMATS)}").word(list(FORMATS))
    for name, option in inner:
        if name not in {"kind", *OPTIONS[kind]}:
            option.refuse(f"{kind} has no option {name!r} ({meant(name, OPTIONS[kind])})")
    form = FormatSheet(
        kind=kind,
        rounds=None if (rounds := inner.get("rounds")) is None else rounds.number(1, MOST_ROUNDS),
        times=inner.number("times", 1, 1, MOST_ROUNDS),
        challengers=_challengers(inner),
        third_place=False if (third := inner.get("third_place")) is None else third.flag(),
        reset=True if (reset := inner.get("reset")) is None else reset.flag(),
        replays=inner.number("replays", 0, 0, MOST_REPLAYS),
        size=_size(inner),
        movement=_movement(inner),
    )
    return form, inner


def _challengers(inner: Fields) -> tuple[str, ...]:
    value = inner.get("challengers")
    if value is None:
        return ()
    names = [item.scalar() for item in value.items()]
    if len(set(names)) != len(names):
        value.refuse("a challenger stands there twice (remove one)")
    return tuple(names)


def _movement(inner: Fields) -> tuple[tuple[str, str], ...]:
    """From `table.rank` to `table.place`, as a map of texts."""
    value = inner.get("movement")
    if value is None:
        return ()
    return tuple((source, target.scalar()) for source, target in value.fields())


def _size(inner: Fields) -> int:
    value = inner.get("size")
    if value is None:
        return TEAMS
    size = value.number(TEAMS, PLAYERS)
    if size not in {TEAMS, PLAYERS}:
        value.refuse(f"size is {size}: use 2 (teams) or 4 (players)")
    return size
