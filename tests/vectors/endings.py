"""How deals and matches may end: what a referee could use to be rid of a deck or of a result."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.sealing import (
    Attempt,
    DealClose,
    DealOpen,
    Event,
    Fault,
    MatchClose,
    Pair,
    SeatCommit,
    TurnUp,
    move_bytes,
)
from referee.sealing.closing import ZERO
from tests.sealing.support import SEAT_KEYS, Played, Script, on, secret
from tests.vectors.further import both
from tests.vectors.honest import SHORT, Case, short_match

ENDLESS = {**SHORT, "deals": "none"}
MOST = Pair(0, 4)
"""What a deal pays east and west at most."""
NORTH = 0
DEALER = 2


def broken_off(
    stage: str,
    outcome: str,
    *faults: Fault,
    points: Pair = ZERO,
    attempts: tuple[Attempt, ...] = (),
    levels: tuple[str, ...] = ("checks",) * 4,
) -> Script:
    """A match whose deal 1 is closed before its end: once it is open, sealed or turned up."""
    script = Script(rules=ENDLESS, levels=levels)
    script.open_match()
    deck = None
    if stage == "open":
        script.add(DealOpen(deal=1, dealer=DEALER))
    elif stage == "committed":
        script.commit(1, DEALER)
    else:
        deck = script.seal(1, DEALER)
        script.add(TurnUp(deal=1, turned=script.turned(deck, 20)))
    close = Played(
        (), outcome=outcome, faults=faults, points=points, score=points, attempts=attempts
    )
    script.close_deal(1, close, deck, ())
    return script


def forfeited(script: Script) -> bytes:
    """The file of a match that north forfeits after its first deal."""
    script.close_match("forfeit", score=ZERO, deals=1, by=NORTH, winner=1)
    return script.text


def goes_on(script: Script, score: Pair = ZERO) -> bytes:
    """The file of a match that goes on with deal 2, and is aborted in it."""
    script.add(DealOpen(deal=2, dealer=(DEALER + 1) % 4))
    script.close_deal(2, Played((), outcome="void", score=score), None, ())
    script.close_match("aborted", score=ZERO, deals=1)
    return script.text


def refused(count: int) -> tuple[Attempt, ...]:
    """So many attempts of north to act out of turn, after the upcard."""
    return (Attempt(after=9, seat=NORTH, action="pass", reason="NOT_YOUR_TURN"),) * count


def signed_away() -> bytes:
    """A file in which north forfeits by attempts, each of which it has signed."""
    script = Script(rules=ENDLESS, levels=("signs",) * 4)
    script.open_match()
    deck = script.seal(1, DEALER)
    after = script.add(TurnUp(deal=1, turned=script.turned(deck, 20)))
    before = script.writer.head
    attempts = tuple(
        Attempt(
            after=after,
            seat=NORTH,
            action=action,
            reason="NOT_YOUR_TURN",
            seat_sig=SEAT_KEYS[NORTH].sign(move_bytes(script.match, 1, after + 1, before, action)),
        )
        for action in ("pass", "order", "play 9C")
    )
    close = Played((), outcome="fault", faults=(Fault(NORTH, "ILLEGAL"),), attempts=attempts)
    script.close_deal(1, close, deck, ())
    return forfeited(script)


def given_up_cases() -> Iterator[Case]:
    """Deals that faults break off: a seat that withholds plays on, every other fault is the end."""
    gone, illegal, late = (Fault(NORTH, why) for why in ("DISCONNECT", "ILLEGAL", "WITHHELD"))
    yield Case("forfeit-gone", "a seat that is gone forfeits", ("fault",),
               forfeited(broken_off("turned", "fault", gone)))  # fmt: skip
    yield Case("forfeit-illegal", "the third refused attempt forfeits", ("fault", "attempt"),
               forfeited(broken_off("turned", "fault", illegal, attempts=refused(3))))  # fmt: skip
    yield Case("forfeit-signed", "three refused attempts, each signed by its seat", ("fault",
               "signs", "attempt"), signed_away())  # fmt: skip
    for stage, comment in (
        ("open", "before its commit set"),
        ("committed", "after its commit set"),
        ("turned", "with its deck known"),
    ):
        text = goes_on(broken_off(stage, "fault", gone))
        yield Case(f"fault-thrown-away-{stage}", f"a deal is closed for a fault {comment}, and "
                   "the match goes on", ("signed", "fault"), text, 3, "referee")  # fmt: skip
    text = goes_on(broken_off("turned", "fault"))
    yield Case("fault-of-nobody", "a deal is closed as a fault, of nobody", ("signed", "fault"),
               text, 3, "referee")  # fmt: skip
    script = broken_off("turned", "fault", gone)
    script.close_match("aborted", score=ZERO, deals=1)
    yield Case("fault-aborted", "a deal is closed for a fault, and nobody forfeits",
               ("signed", "fault"), script.text, 3, "referee")  # fmt: skip
    yield Case("withheld-deck", "a seat is to have withheld its seed, and the deck stands",
               ("signed", "fault"), goes_on(broken_off("turned", "fault", late, points=MOST), MOST),
               3, "referee")  # fmt: skip
    for stage in ("open", "committed"):
        script = broken_off(
            stage, "fault", late, points=MOST, levels=("plays", "seeds", "seeds", "seeds")
        )
        yield Case(f"withheld-declined-{stage}", "a seat that declined is to have withheld",
                   ("signed", "fault"), goes_on(script, MOST), 3, "referee")  # fmt: skip
    script = Script(rules=ENDLESS)
    script.open_match()
    script.add(DealOpen(deal=1, dealer=DEALER))
    script.add(SeatCommit(deal=1, seat=NORTH, commit=secret("commit")))
    close = Played((), outcome="fault", faults=(late,), points=MOST, score=MOST)
    script.close_deal(1, close, None, ())
    yield Case("withheld-standing", "a seat is to have withheld the commitment that stands",
               ("signed", "fault"), goes_on(script, MOST), 3, "referee")  # fmt: skip
    yield from draw_cases()


def draw_cases() -> Iterator[Case]:
    """The draw for the deal that comes to nothing: there is no dealer, and no match."""
    drawn = {**ENDLESS, "first_dealer": "black_jack"}
    for name, outcome, end, by, code in (
        ("forfeit", "fault", "forfeit", NORTH, 0),
        ("chosen", "void", "", None, 3),
        ("chosen-fault", "fault", "", None, 3),
    ):
        script = Script(rules=drawn)
        script.open_match()
        script.add(DealOpen(deal=0))
        faults = (Fault(NORTH, "WITHHELD"),) if outcome == "fault" else ()
        script.close_deal(0, Played((), outcome=outcome, faults=faults), None, ())
        if end:
            script.close_match(end, score=ZERO, deals=0, by=by, winner=1)
        else:
            script.add(DealOpen(deal=1, dealer=DEALER))
            script.close_deal(1, Played((), outcome="void"), None, ())
            script.close_match("aborted", score=ZERO, deals=0)
        comment = (
            "a seed is withheld from the draw: its seat forfeits"
            if end
            else "no dealer is drawn, and a seat deals"
        )
        party = "referee" if code else None
        yield Case(f"draw-{name}", comment, ("fault", "draw"), script.text, code, party)


def denied_cases() -> Iterator[Case]:
    """Results that are taken away, and charges that nothing bears out: the rules tell."""

    def last(**fields: object) -> Callable[[Event], Event]:
        return on(MatchClose, None, lambda e: replace(e, **fields))  # type: ignore[arg-type]  # by name

    def charged(outcome: str, *faults: Fault) -> Callable[[Event], Event]:
        def edit(e: DealClose) -> Event:
            e = replace(e, outcome=outcome, faults=faults)
            return e if outcome == "played" else replace(e, points=ZERO, score=ZERO)

        return on(DealClose, 1, edit)

    flags = ("signed", "rules")
    gone, illegal, slow = (Fault(NORTH, why) for why in ("DISCONNECT", "ILLEGAL", "TIMEOUT"))
    forfeit = last(outcome="forfeit", by=NORTH, winner=1)
    for end in ("aborted", "void"):
        text = short_match(change=last(outcome=end, winner=None)).text
        yield Case(f"won-{end}", f"a match that was played to its end is closed {end}", flags,
                   text, 1, "referee")  # fmt: skip
    for name, comment, changes in (
        ("won-forfeit", "a match that was won is forfeited by a fault in its last deal",
         (charged("played", gone), forfeit)),
        ("played-charged", "a deal that was played to its end lists a fault of no fallback",
         (charged("played", slow),)),
        ("played-fault", "a deal that was played to its end is closed as a fault",
         (charged("fault", gone), forfeit)),
    ):  # fmt: skip
        yield Case(name, comment, flags, short_match(change=both(*changes)).text, 1,
                   "referee")  # fmt: skip
    for name, comment, fault, count in (
        ("charged-illegal", "a forfeit for two attempts, where three do", illegal, 2),
        ("charged-timeout", "a forfeit for lateness, and nothing was played for the seat", slow, 0),
    ):
        script = broken_off("turned", "fault", fault, attempts=refused(count))
        yield Case(name, comment, (*flags, "fault"), forfeited(script), 1, "referee")
    script = broken_off("turned", "fault", illegal, attempts=refused(3))
    script.close_match("forfeit", score=ZERO, deals=1, by=NORTH + 1, winner=0)
    yield Case("forfeit-by-another", "another seat forfeits than the one at fault",
               (*flags, "fault"), script.text, 1, "referee")  # fmt: skip


def ending_cases() -> Iterator[Case]:
    yield from given_up_cases()
    yield from denied_cases()
