"""Secrets at rest: private rows without what has become public, and whole again when they are read.

Once its deal is closed a seed stands in reveal_set, and a blind in deal_close: the private row
keeps neither. Once its match is closed, the end of the referee's chain gives way to the last link
that was published, and what no deal has used is gone for good.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from referee.errors import InternalError
from referee.journal.codec import event_of, private_bytes
from referee.journal.store import Row
from referee.sealing.canonical import parse
from referee.sealing.chain import hash_down
from referee.sealing.closing import DealClose
from referee.sealing.errors import DealProofError
from referee.sealing.events import RevealSet
from referee.sealing.fields import Fields
from referee.table.events import CardHidden, MatchCreated, SeedShown

SECRETS: Final = (SeedShown.kind, CardHidden.kind)
"""The kinds of private rows that hold the secrets of a deal."""
KINDS: Final = (*SECRETS, RevealSet.kind, DealClose.kind)
"""The kinds of rows that say what of a deal can be emptied."""
_SECRET_FIELDS: Final = re.compile(rb',"(?:seed|sig)":"[0-9a-f]*"|"blinds":\[[^]]*\],')


def emptied(rows: Iterable[Row]) -> Iterator[Row]:
    """Private rows of deals that are closed, as they are kept from now on.

    The rows are those of the `KINDS` up to a deal_close, in order. Without a reveal_set the seeds
    of a deal were never published, and they stay.
    """
    seeds: list[Row] = []
    for row in rows:
        if row.kind == RevealSet.kind:
            yield from map(_without_secrets, seeds)
        if row.kind in {RevealSet.kind, DealClose.kind}:
            seeds.clear()
        elif row.kind in SECRETS and not is_emptied(row):
            if row.kind == SeedShown.kind:
                seeds.append(row)
            else:
                yield _without_secrets(row)


def _without_secrets(row: Row) -> Row:
    """The row without its secrets; its bytes are canonical, so they are found without a parser.

    >>> body = b'{"cut":3,"deal":1,"kind":"seed","seat":"east","seed":"5f","sig":"a0"}'
    >>> _without_secrets(Row(bytes(16), 5, None, "seed", body)).body
    b'{"cut":3,"deal":1,"kind":"seed","seat":"east"}'
    """
    return replace(row, body=_SECRET_FIELDS.sub(b"", row.body))


def is_emptied(row: Row) -> bool:
    """Whether a private row is without its secrets."""
    return row.kind in SECRETS and _SECRET_FIELDS.search(row.body) is None


def spent(created: Row, last_close: Row | None) -> Row:
    """The first row of a match that is closed, with the last link that was published.

    Where no deal was closed no link was, and the lowest one is kept, which is of no use.
    """
    event = event_of(created)
    if not isinstance(event, MatchCreated) or event.links is not None or event.place is not None:
        return created  # a table of a board has no secret that the board's close has not told
    close = None if last_close is None else event_of(last_close)
    if isinstance(close, DealClose) and close.r is not None:
        left = replace(event, links=close.deal + 1, secret=close.r)
    else:
        lowest = hash_down(event.match, event.chain, event.secret, to=1)
        left = replace(event, links=1, secret=lowest)
    return replace(created, body=private_bytes(left))


def whole(rows: Sequence[Row]) -> Iterator[Row]:
    """All rows of a match as they were appended: what was emptied is taken from the public ones.

    Where those are damaged a row stays empty, and whoever reads its event is told.
    """
    close: Row | None = None
    reveals: Row | None = None
    seq = -1
    found: dict[int, Row] = {}
    for row in reversed(rows):
        if row.seq is not None:
            seq = row.seq
        if row.kind == DealClose.kind:
            close, reveals = row, None
        elif row.kind == RevealSet.kind:
            reveals = row
        elif row.kind in SECRETS and is_emptied(row):
            with suppress(InternalError, DealProofError):
                found[row.n] = (
                    _seed(row, reveals) if row.kind == SeedShown.kind else _card(row, close, seq)
                )
    return (found.get(row.n, row) for row in rows)


def _seed(row: Row, reveals: Row | None) -> Row:
    shown = None if reveals is None else event_of(reveals)
    if not isinstance(shown, RevealSet):
        return row
    fields = Fields(parse(row.body), row.kind)
    seat = fields.seat("seat")
    event = SeedShown(
        deal=shown.deal,
        seat=seat,
        seed=shown.seeds[seat],
        cut=fields.number("cut") if fields.has("cut") else None,
        sig=shown.sigs[seat],
    )
    return replace(row, body=private_bytes(event))


def _card(row: Row, close: Row | None, seq: int) -> Row:
    opened = None if close is None else event_of(close)
    if not isinstance(opened, DealClose):
        return row
    fields = Fields(parse(row.body), row.kind)
    for opening in opened.openings:
        if opening.seq == seq:
            event = CardHidden(
                deal=opened.deal,
                seat=fields.seat("seat"),
                positions=opening.positions,
                blinds=opening.blinds,
                drawn=fields.flag("drawn"),
            )
            return replace(row, body=private_bytes(event))
    return row
