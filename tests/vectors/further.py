"""More of what the design lists: every pack and cut, copies and replays, gaps, buried cards."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from referee.sealing import (
    ActionTaken,
    CommitSet,
    DealClose,
    DealOpen,
    Event,
    MatchClose,
    MatchOpen,
    Pair,
    RevealSet,
    SealedDeck,
    SeatCommit,
    SeatInfo,
    commit_set,
    move_bytes,
    reveal_bytes,
)
from tests.journal.support import Match
from tests.sealing.support import KEY, MATCH, SEAT_KEYS, Played, Script, on, secret
from tests.vectors.files import named_key
from tests.vectors.honest import SHORT, Case, short_match
from tests.vectors.signed import bent

SIGNS = ("signs",) * 4
CUT = {**SHORT, "cut": "dealers_right"}


def pack_cases() -> Iterator[Case]:
    for pack in ("E28", "E32", "E25J", "E33J"):
        rules = {**SHORT, "pack": pack}
        yield Case(f"pack-{pack.lower()}", f"the pack {pack}", ("pack",), short_match(rules).text)
    for cut in (0, 23):
        text = short_match(CUT, cut_at=cut).text
        yield Case(f"cut-{cut}", f"a cut at {cut} of 24", ("cut",), text)
    none = short_match(levels=("plays",) * 4)
    yield Case("all-declined", "every seat has declined", ("declined",), none.text)
    for method in ("black_jack", "any_jack", "draw_high"):
        text = short_match({**SHORT, "first_dealer": method}, dealer=None).text
        name = f"draw-{method.replace('_', '-')}"
        yield Case(name, f"the first dealer by {method}", ("draw",), text)


def both(*changes: Callable[[Event], Event]) -> Callable[[Event], Event]:
    """One change after the other."""

    def change(event: Event) -> Event:
        for each in changes:
            event = each(event)
        return event

    return change


def copied(event: CommitSet) -> CommitSet:
    """The set in which west has the commitment of south, well hashed."""
    commits = (*event.commits[:3], event.commits[2])
    cset = commit_set(MATCH, event.deal, "E24", event.r_commit, commits)
    return replace(event, commits=commits, cset=cset)


def copy_cases() -> Iterator[Case]:
    """Commitments and reveals that are not the seat's own, or of another time."""
    south: list[bytes] = []

    def copying(event: SeatCommit) -> SeatCommit:
        if event.seat == 2:
            south.append(event.commit)
        return replace(event, commit=south[-1]) if event.seat == 3 else event

    change = both(on(SeatCommit, 1, copying), on(CommitSet, 1, copied))
    yield Case("commit-copied", "west repeats the commitment of south", ("signed", "copied"),
               short_match(change=change).text, 3, "referee")  # fmt: skip
    other = Script(rules=SHORT, match=bytes(16))
    other.open_match()
    stolen = other.commit(1, 2).commits[0]

    def replayed(event: CommitSet) -> CommitSet:
        commits = (stolen, *event.commits[1:])
        cset = commit_set(MATCH, event.deal, "E24", event.r_commit, commits)
        return replace(event, commits=commits, cset=cset)

    change = both(
        on(SeatCommit, 1, lambda e: replace(e, commit=stolen) if e.seat == 0 else e),
        on(CommitSet, 1, replayed),
    )
    yield Case("commit-replayed", "north's commitment is that of another match",
               ("signed", "replay"), short_match(change=change).text, 3, "referee")  # fmt: skip

    def elsewhere_signed(event: RevealSet) -> RevealSet:
        message = reveal_bytes(MATCH, 1, 0, cset=secret("cset"), commit=secret("c"), head=bytes(32))
        return replace(event, sigs=(SEAT_KEYS[0].sign(message), *event.sigs[1:]))

    change = on(RevealSet, 1, elsewhere_signed)
    yield Case("reveal-other-cset", "a reveal signed for another commit set", ("signed", "signs"),
               short_match(levels=SIGNS, change=change).text, 4, "referee")  # fmt: skip

    def stale(event: ActionTaken) -> ActionTaken:
        message = move_bytes(MATCH, 1, 0, bytes(32), event.move)
        return replace(event, seat_sig=SEAT_KEYS[event.seat].sign(message))

    change = on(ActionTaken, 1, stale)
    yield Case("move-replayed", "a move signed after another event", ("signed", "signs", "replay"),
               short_match(levels=SIGNS, change=change).text, 4, "referee")  # fmt: skip

    def by_referee(event: ActionTaken) -> ActionTaken:
        return replace(event, seat_sig=KEY.sign(b"forged"))

    comment = "a move of a signing seat, signed by the referee"
    yield Case("move-forged", comment, ("signed", "signs"),
               short_match(levels=SIGNS, change=on(ActionTaken, 1, by_referee)).text,
               4, "referee")  # fmt: skip
    keyless = on(ActionTaken, 1, by_referee)
    yield Case("move-signed-keyless", "a move is signed, and its seat has no key",
               ("signed", "signs"), short_match(change=keyless).text, 3, "referee")  # fmt: skip


def seat_cases() -> Iterator[Case]:
    """Seats in match_open that cannot be."""

    def seats(edit: Callable[[SeatInfo], SeatInfo]) -> Callable[[Event], Event]:
        return on(MatchOpen, None, lambda e: replace(e, seats=(edit(e.seats[0]), *e.seats[1:])))

    identity = named_key("seat-0", b"\x01" + bytes(31))
    unreduced = named_key("seat-0", (2**255 - 18).to_bytes(32, "little"))
    for name, comment, code, change in (
        ("missing", "a signing seat without a key", 3, seats(lambda s: replace(s, key=None))),
        ("level", "a key of a seat that does not sign", 3,
         seats(lambda s: replace(s, level="checks"))),
        ("form", "a seat's key in another form", 3, seats(lambda s: replace(s, key="seat-0"))),
        ("identity", "the identity as a seat's key", 4, seats(lambda s: replace(s, key=identity))),
        ("not-reduced", "a seat's key with y = p + 1", 4,
         seats(lambda s: replace(s, key=unreduced))),
    ):  # fmt: skip
        yield Case(f"seat-key-{name}", comment, ("signed", "key"),
                   short_match(levels=SIGNS, change=change).text, code, "referee")  # fmt: skip
    board = on(MatchOpen, None, lambda e: replace(e, board=bytes(16), table=0, root=bytes(32)))
    yield Case("board", "a table of a board, without its board", ("signed", "match_open"),
               short_match(change=board).text, 5, "nobody")  # fmt: skip


def order_cases() -> Iterator[Case]:
    """Deals that are left out, dealt again, or go on after their end."""
    endless = {**SHORT, "deals": "none"}

    def two(numbers: tuple[int, int], first: Played, end: str = "aborted") -> Script:
        script = Script(rules=endless)
        script.open_match()
        for number in numbers:
            script.commit(number, 2 if number == numbers[0] else 3)
            script.close_deal(number, first, None, ())
        script.close_match(end, score=Pair(0, 0), deals=0)
        return script

    void = Played((), outcome="void")
    for name, comment, script in (
        ("skipped", "deal 3 follows deal 1", two((1, 3), void)),
        ("again", "deal 1 is dealt again", two((1, 1), void)),
        ("after-void", "a deal follows one that was voided after its commit set",
         two((1, 2), void)),
    ):  # fmt: skip
        yield Case(f"deal-{name}", comment, ("signed", "order"), script.text, 3, "referee")
    finished = Script(rules=endless)
    finished.open_match()
    finished.commit(1, 2)
    finished.close_deal(1, void, None, ())
    finished.close_match("finished", score=Pair(0, 0), deals=0)
    yield Case("void-finished", "a match closes finished after a deal voided after its commit set",
               ("signed", "order"), finished.text, 3, "referee")  # fmt: skip
    unclosed = Script(rules=endless)
    unclosed.open_match()
    unclosed.commit(1, 2)
    unclosed.close_match("aborted", score=Pair(0, 0), deals=0)
    yield Case("deal-unclosed", "the match closes inside a deal", ("signed", "order"),
               unclosed.text, 3, "referee")  # fmt: skip
    early = Script(rules=endless)
    early.open_match()
    early.add(DealOpen(deal=1, dealer=2))
    early.close_deal(1, Played((), outcome="played"), None, ())
    early.close_match("aborted", score=Pair(0, 0), deals=1)
    yield Case("played-unsealed", "a deal is closed as played and was never sealed",
               ("signed", "order"), early.text, 3, "referee")  # fmt: skip
    after = short_match(seed=3)
    after.add(DealOpen(deal=2, dealer=3))
    yield Case("after-the-end", "an event follows match_close", ("signed", "order"), after.text,
               3, "file")  # fmt: skip


def ordered_up() -> tuple[int, SealedDeck]:
    """A seed under which the random play has a hidden discard, and the deck it plays on."""
    decks: list[SealedDeck] = []
    for seed in range(40):
        match = Match(Script(rules=SHORT), Random(seed))  # noqa: S311 -- a test repeats itself
        match.begin(2)
        decks.append(match.script.seal(1, 2))
        moves = match.random_play(decks[-1], 2).moves
        if any(move.position is not None for move in moves):
            return seed, decks[-1]
    raise AssertionError


def buried_cases() -> Iterator[Case]:
    """What the rules say of cards that are not in the hand any more, and of a changed end."""

    def buried(done: Played, deck: SealedDeck) -> Played:
        at = next((i for i, m in enumerate(done.moves) if m.position is not None), None)
        assert at is not None
        place = done.moves[at].position
        assert place is not None
        seat, card = done.moves[at].seat, deck.cards[place]
        later = next(i for i, m in enumerate(done.moves) if i > at and m.seat == seat)
        moves = list(done.moves)
        moves[later] = replace(moves[later], action=f"play {card}")
        return replace(done, moves=tuple(moves))

    seed, deck = ordered_up()
    made = Script(rules=SHORT)
    again = Match(made, Random(seed))  # noqa: S311 -- a test repeats itself
    again.begin(2)
    again.play(1, bent(again, lambda done: buried(done, deck)))
    made.close_match("aborted", score=Pair(0, 0), deals=1)
    yield Case("buried-played", "a card that was buried is played", ("signed", "rules"), made.text,
               1, "referee")  # fmt: skip
    for name, comment, change in (
        ("maker", "another seat is said to be the maker",
         on(DealClose, 1, lambda e: replace(e, maker=((e.maker or 0) + 1) % 4))),
        ("tricks", "the tricks of the sides are exchanged",
         on(DealClose, 1, lambda e: replace(e, tricks=Pair(e.tricks.ew, e.tricks.ns)))),
        ("winner", "the other side is said to have won",
         on(MatchClose, None, lambda e: replace(e, winner=1 - (e.winner or 0)))),
        ("deals", "the match counts one deal more",
         on(MatchClose, None, lambda e: replace(e, deals=e.deals + 1))),
        ("fallback", "an action is said to be a fallback, and no fault is listed",
         on(ActionTaken, 1, lambda e: replace(e, fallback="TIMEOUT"))),
    ):  # fmt: skip
        yield Case(f"replay-{name}", comment, ("signed", "rules"), short_match(change=change).text,
                   1, "referee")  # fmt: skip


def further_cases() -> Iterator[Case]:
    yield from pack_cases()
    yield from copy_cases()
    yield from seat_cases()
    yield from order_cases()
    yield from buried_cases()
