"""Refused actions that the record holds against seats, with and without keys."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from referee.sealing import ActionTaken, Attempt, DealClose, Event, MatchOpen, RevealSet
from referee.sealing.messages import move_bytes
from tests.journal.support import Match
from tests.sealing.support import SEAT_KEYS, Script
from tests.vectors.files import named_key
from tests.vectors.honest import SHORT, Case, find, play_out
from tests.vectors.witnesses import heads

NORTH = 0
SIGNING = ("signs",) * 4
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
FIELD_PRIME = 2**255 - 19
IDENTITY = b"\x01" + bytes(31)
BY_NOBODY = IDENTITY + bytes(32)
"""Under the identity as the key this signs every message, where a verifier lets it."""


def tried(
    make: Callable[[Script], Attempt],
    levels: tuple[str, ...] = SIGNING,
    *,
    times: int = 1,
    change: Callable[[Event], Event] = lambda event: event,
) -> bytes:
    """A file of one deal in which an attempt is held against a seat."""
    script = Script(rules=SHORT, levels=levels)

    def close(event: Event) -> Event:
        if isinstance(event, DealClose):
            return replace(event, attempts=(make(script),) * times)
        return change(event)

    script.change = close
    play_out(Match(script, Random(3)), 2)  # noqa: S311 -- a test repeats itself
    return script.text


def attempt(script: Script, sig: bytes | None, *, after: int | None = None) -> Attempt:
    """North passes out of turn, once the upcard is turned."""
    place = find("turn_up", script) if after is None else after
    return Attempt(after=place, seat=NORTH, action="pass", reason="NOT_YOUR_TURN", seat_sig=sig)


def signed(
    script: Script, *, by: int = NORTH, deal: int = 1, later: int = 0, over: int = 0,
    match: bytes | None = None, move: str = "pass",
) -> bytes:  # fmt: skip
    """A signature of the attempt, or of one that differs in something."""
    after = find("turn_up", script)
    before = heads(script)[after + over]
    place = (script.match if match is None else match, deal, after + 1 + later)
    return SEAT_KEYS[by].sign(move_bytes(*place, before, move))


def higher_s(sig: bytes) -> bytes:
    return sig[:32] + (int.from_bytes(sig[32:], "little") + GROUP_ORDER).to_bytes(32, "little")


def attempt_cases() -> Iterator[Case]:
    """An attempt counts against a signing seat under its signature alone."""
    flags = ("signed", "signs", "attempt")
    yield Case("attempt-signed", "a seat has signed its attempt", flags,
               tried(lambda script: attempt(script, signed(script))))  # fmt: skip
    yield Case("attempt-twice", "an attempt that a seat signed is listed twice", flags,
               tried(lambda script: attempt(script, signed(script)), times=2),
               3, "referee")  # fmt: skip
    wrong: list[tuple[str, str, Callable[[Script], bytes | None]]] = [
        ("unsigned", "an attempt of a signing seat without its signature", lambda _: None),
        ("by-another", "an attempt signed by another seat", lambda s: signed(s, by=1)),
        ("other-event", "an attempt signed over the head after another event",
         lambda s: signed(s, over=1)),
        ("other-position", "an attempt signed for the next event's number",
         lambda s: signed(s, later=1)),
        ("other-deal", "an attempt signed in another deal", lambda s: signed(s, deal=2)),
        ("other-match", "an attempt signed in another match", lambda s: signed(s, match=bytes(16))),
        ("other-action", "another action was signed", lambda s: signed(s, move="order")),
        ("s-plus-l", "the group order is added to S", lambda s: higher_s(signed(s))),
        ("r-not-reduced", "R is not reduced",
         lambda s: FIELD_PRIME.to_bytes(32, "little") + signed(s)[32:]),
        ("by-nobody", "R is the identity, and S is 0", lambda _: BY_NOBODY),
    ]  # fmt: skip
    for name, comment, sign in wrong:
        text = tried(lambda script, sign=sign: attempt(script, sign(script)))  # type: ignore[misc]  # bound now
        yield Case(f"attempt-{name}", comment, flags, text, 4, "referee")
    yield Case("attempt-before-play", "an attempt after an event before the play", flags,
               tried(lambda s: attempt(s, signed(s), after=find("deck_root", s))),
               4, "referee")  # fmt: skip
    yield Case("attempt-small-order", "all that the seat signs is under a key of small order",
               (*flags, "key"), tried(lambda s: attempt(s, BY_NOBODY), change=with_small_key),
               4, "referee")  # fmt: skip
    yield from keyless_cases()


def keyless_cases() -> Iterator[Case]:
    """Seats without a key sign nothing."""
    levels = ("checks", "signs", "signs", "signs")
    flags = ("signed", "attempt")
    yield Case("attempt-keyless", "an attempt of a seat without a key", flags,
               tried(lambda script: attempt(script, None), levels))  # fmt: skip
    yield Case("attempt-keyless-twice", "a seat without a key has tried the same twice", flags,
               tried(lambda script: attempt(script, None), levels, times=2))  # fmt: skip
    yield Case("attempt-keyless-signed", "a signed attempt of a seat without a key", flags,
               tried(lambda script: attempt(script, signed(script)), levels),
               3, "referee")  # fmt: skip


def with_small_key(event: Event) -> Event:
    """North's key is the identity, and its signatures are those that hold under it."""
    match event:
        case MatchOpen():
            north = replace(event.seats[NORTH], key=named_key("north", IDENTITY))
            return replace(event, seats=(north, *event.seats[1:]))
        case RevealSet():
            return replace(event, sigs=(BY_NOBODY, *event.sigs[1:]))
        case ActionTaken(seat=seat) if seat == NORTH:
            return replace(event, seat_sig=BY_NOBODY)
        case _:
            return event
