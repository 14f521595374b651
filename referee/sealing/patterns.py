"""The commonest events as one pattern each of canonical bytes, read and written at one go.

All but a few lines of a match are of these kinds. What fits its pattern is read to the same result
as by `canonical.parse` and `closing.read_event`, and written to the same bytes as by
`canonical.dump`; what does not is left to them, who know every event and say what is wrong with
one.
"""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from referee.sealing.boardevents import BoardEvent
from referee.sealing.closing import Event
from referee.sealing.encode import HASH_SIZE
from referee.sealing.events import (
    CARDS,
    ActionTaken,
    CommitSet,
    DealOpen,
    DeckRoot,
    RevealSet,
    SeatCommit,
    Turned,
    TurnUp,
)
from referee.sealing.keys import SIGNATURE_SIZE
from referee.sealing.packs import LARGEST_PACK, SEAT_NUMBERS, SEATS
from referee.sealing.parts import FALLBACKS

Common: TypeAlias = ActionTaken | SeatCommit | DealOpen | CommitSet | RevealSet | DeckRoot | TurnUp
Taken: TypeAlias = tuple[Common, int, str]
"""An event with its seq and its prev."""


_Reader: TypeAlias = Callable[[re.Match[str]], Common]


def _hex(size: int) -> str:
    return f"[0-9a-f]{{{2 * size}}}"


def _number(digits: int) -> str:
    return f"(0|[1-9][0-9]{{0,{digits - 1}}})"


def _word(*words: str) -> str:
    return f'"({"|".join(words)})"'


def _list(item: str, least: int, most: int) -> str:
    return rf'\["({item}(?:","{item}){{{least - 1},{most - 1}}})"\]'


_DEAL: Final = _number(6)
_COUNT: Final = _number(15)
_HASH: Final = f'"({_hex(HASH_SIZE)})"'
_SEAT: Final = _word(*SEATS)
_PLACE: Final = "([0-9]|[12][0-9]|3[0-2])"


def _pattern(event: type[Common], **fields: str) -> re.Pattern[str]:
    """The canonical text of a kind, each field a group; one whose name ends in `_` may be missing.

    The last of all fields is always there, and is the one without a comma.
    """
    fields |= {"kind": f'"{event.kind}"', "prev": _HASH, "seq": _COUNT}
    text = "".join(_field(name, fields[name]) for name in sorted(fields))
    return re.compile(rf"\{{{text.removesuffix(',')}\}}")


def _field(name: str, value: str) -> str:
    word = name.removesuffix("_")
    text = f'"{word}":{value.replace("(", f"(?P<{word}>", 1)},'
    return text if name == word else f"(?:{text})?"


def _list_of(text: str) -> tuple[bytes, ...]:
    return tuple(map(bytes.fromhex, text.split('","')))


def _action(found: re.Match[str]) -> ActionTaken:
    deal, seat, action, used_ms = found.group("deal", "seat", "action", "used_ms")
    commit, seat_sig, fallback = found.group("commit", "seat_sig", "fallback")
    return ActionTaken(
        deal=int(deal),
        seat=SEAT_NUMBERS[seat],
        action=action,
        used_ms=int(used_ms),
        commit=None if commit is None else bytes.fromhex(commit),
        seat_sig=None if seat_sig is None else bytes.fromhex(seat_sig),
        fallback=fallback,
    )


def _seat_commit(found: re.Match[str]) -> SeatCommit:
    deal, seat, commit = found.group("deal", "seat", "commit")
    return SeatCommit(deal=int(deal), seat=SEAT_NUMBERS[seat], commit=bytes.fromhex(commit))


def _deal_open(found: re.Match[str]) -> DealOpen:
    deal, dealer, cutter = found.group("deal", "dealer", "cutter")
    return DealOpen(
        deal=int(deal),
        dealer=None if dealer is None else SEAT_NUMBERS[dealer],
        cutter=None if cutter is None else SEAT_NUMBERS[cutter],
    )


def _commit_set(found: re.Match[str]) -> CommitSet:
    deal, r_commit, commits, cset = found.group("deal", "r_commit", "commits", "cset")
    return CommitSet(
        deal=int(deal),
        r_commit=bytes.fromhex(r_commit),
        commits=_list_of(commits),
        cset=bytes.fromhex(cset),
    )


def _reveal_set(found: re.Match[str]) -> RevealSet:
    deal, seeds, sigs, cut = found.group("deal", "seeds", "sigs", "cut")
    return RevealSet(
        deal=int(deal),
        seeds=_list_of(seeds),
        sigs=_list_of(sigs),
        cut=None if cut is None else int(cut),
    )


def _deck_root(found: re.Match[str]) -> DeckRoot:
    deal, leaves, root = found.group("deal", "leaves", "root")
    return DeckRoot(deal=int(deal), leaves=_list_of(leaves), root=bytes.fromhex(root))


def _turn_up(found: re.Match[str]) -> TurnUp:
    deal, position, card, salt = found.group("deal", "position", "card", "salt")
    turned = Turned(position=int(position), card=card, salt=bytes.fromhex(salt))
    return TurnUp(deal=int(deal), turned=turned)


_SEEDS: Final = _list(f"(?:{_hex(HASH_SIZE)})?", 4, 4)
_SIGS: Final = _list(f"(?:{_hex(SIGNATURE_SIZE)})?", 4, 4)
_SIG: Final = f'"({_hex(SIGNATURE_SIZE)})"'
_SEAT_SIG: Final = f'"({_hex(SIGNATURE_SIZE)})"'
_COMMITS: Final = _list(_hex(HASH_SIZE), 4, 4)
_LEAVES: Final = _list(_hex(HASH_SIZE), 1, LARGEST_PACK)
_PATTERNS: Final[dict[bytes, tuple[re.Pattern[str], _Reader]]] = {
    b"action": (
        _pattern(
            ActionTaken,
            action=r'"([ !#-\[\]-~]{1,48})"',
            commit_=_HASH,
            deal=_DEAL,
            fallback_=_word(*FALLBACKS),
            seat=_SEAT,
            seat_sig_=_SEAT_SIG,
            used_ms=_COUNT,
        ),
        _action,
    ),
    b"seat_commit": (_pattern(SeatCommit, commit=_HASH, deal=_DEAL, seat=_SEAT), _seat_commit),
    b"deal_open": (_pattern(DealOpen, cutter_=_SEAT, deal=_DEAL, dealer_=_SEAT), _deal_open),
    b"commit_set": (
        _pattern(CommitSet, commits=_COMMITS, cset=_HASH, deal=_DEAL, r_commit=_HASH),
        _commit_set,
    ),
    b"reveal_set": (
        _pattern(RevealSet, cut_=_number(2), deal=_DEAL, seeds=_SEEDS, sigs=_SIGS),
        _reveal_set,
    ),
    b"deck_root": (_pattern(DeckRoot, deal=_DEAL, leaves=_LEAVES, root=_HASH), _deck_root),
    b"turn_up": (
        _pattern(TurnUp, card=_word(*CARDS), deal=_DEAL, position=_PLACE, salt=_HASH),
        _turn_up,
    ),
}
_KIND: Final = b'"kind":"'
_ACTION: Final = re.compile(r"[ !#-\[\]-~]{1,48}")
_LARGEST_COUNT: Final = 10**15


def read_at_one_go(raw: bytes) -> Taken | None:
    """The event in canonical bytes where they fit its pattern; None for others to look at."""
    start = raw.find(_KIND) + len(_KIND)
    known = _PATTERNS.get(raw[start : raw.find(b'"', start)])
    if known is None:
        return None
    pattern, event_in = known
    found = pattern.fullmatch(raw.decode("latin-1"))
    if found is None:
        return None
    seq, prev = found.group("seq", "prev")
    return event_in(found), int(seq), prev


def write_at_one_go(event: Event | BoardEvent, seq: int, prev: bytes) -> bytes | None:
    """The canonical bytes of an action in the open; None of anything else, for others to write."""
    if type(event) is not ActionTaken or event.commit or event.seat_sig or event.fallback:
        return None
    if not _ACTION.fullmatch(event.action) or not 0 <= event.used_ms < _LARGEST_COUNT:
        return None
    text = (
        f'{{"action":"{event.action}","deal":{event.deal},"kind":"action","prev":"{prev.hex()}",'
        f'"seat":"{SEATS[event.seat]}","seq":{seq},"used_ms":{event.used_ms}}}'
    )
    return text.encode("ascii")
