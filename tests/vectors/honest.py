"""Files that verify, one deal each, and what the other vectors are made of."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from referee.sealing import (
    ActionTaken,
    DealOpen,
    Fault,
    Pair,
)
from referee.sealing.proof import prove_deal
from tests.journal.support import Match
from tests.sealing.support import (
    KEY,
    STANDARD,
    Played,
    Script,
    on,
    secret,
)

SHORT = {**STANDARD, "deals": "1", "all_pass": "throw_in", "first_dealer": "agreed"}


@dataclass(frozen=True)
class Case:
    """One file and the verdict on it."""

    id: str
    comment: str
    flags: tuple[str, ...]
    text: bytes
    exit: int = 0
    party: str | None = None
    pinned: str | None = None
    strict: bool = False
    receipts: tuple[tuple[bytes, ...], ...] = ()
    roster: tuple[bytes, ...] = ()


def short_match(
    rules: dict[str, str] | None = None, *, dealer: int | None = 2, seed: int = 3, **options: object
) -> Script:
    """A match of one deal, played at random and within the rules."""
    script = Script(rules=rules or SHORT, **options)  # type: ignore[arg-type]  # by name
    play_out(Match(script, Random(seed)), dealer)  # noqa: S311 -- a test repeats itself
    return script


def play_out(match: Match, dealer: int | None) -> None:
    """A match of one deal, from its opening to its close."""
    match.begin(dealer)
    match.play(1)
    assert match.game is not None
    ns, ew = match.game.score
    winner = None if ns == ew else int(ew > ns)
    match.script.close_match(score=Pair(ns, ew), deals=1, winner=winner)


HONEST = short_match()


def lines(script: Script = HONEST) -> list[bytes]:
    return list(script.lines)


def find(kind: str, script: Script = HONEST) -> int:
    """The number of the first line of a kind."""
    needle = f'"kind":"{kind}"'.encode()
    return next(i for i, line in enumerate(script.lines) if needle in line)


def edited(kind: str, old: bytes, new: bytes) -> bytes:
    """The honest file with one change in the first line of a kind, not signed again."""
    changed = lines()
    number = find(kind)
    assert old in changed[number], (kind, old)
    changed[number] = changed[number].replace(old, new, 1)
    return b"".join(changed)


def flip(raw: bytes) -> bytes:
    return bytes((raw[0] ^ 1,)) + raw[1:]


def valid_cases() -> Iterator[Case]:
    yield Case("honest", "one deal, nothing unusual", ("valid",), HONEST.text)
    slow = on(ActionTaken, 1, lambda e: replace(e, used_ms=2**53 - 1))
    yield Case("largest-number", "2**53 - 1", ("form",), short_match(change=slow).text)
    draw = {**SHORT, "first_dealer": "draw_low"}
    yield Case("draw", "deal 0 first: the lowest card deals", ("draw",),
               short_match(draw, dealer=None).text)  # fmt: skip
    tied = next(
        script
        for n in range(64)
        if (script := short_match(draw, dealer=None, match=secret("ties", n)[:16]))
        and script.lines[find("dealer_draw", script)].count(b'"position"') > 4
    )
    yield Case("draw-ties", "tied seats draw again", ("draw",), tied.text)
    over = {**draw, "pack": "E25"}
    passed = next(
        script
        for n in range(64)
        if (script := short_match(over, dealer=None, match=secret("2S", n)[:16]))
        and b'"2S"' in script.lines[find("dealer_draw", script)]
    )
    yield Case("draw-passed-over", "2S is turned, listed and passed over", ("draw",), passed.text)
    cut = {**SHORT, "cut": "dealers_right"}
    yield Case("cut", "the dealer's right cuts", ("cut",), short_match(cut).text)
    yield Case("cut-declined", "the cutter has declined, so nothing is cut", ("cut", "declined"),
               short_match(cut, levels=("seeds", "plays", "seeds", "seeds")).text)  # fmt: skip
    yield Case("odd-tree", "25 cards", ("pack",), short_match({**SHORT, "pack": "E25"}).text)
    yield Case("host-seeds", "two seats whose seeds the host draws", ("seeds",), short_match(
        seed_by=("seat", "host", "seat", "host")).text)  # fmt: skip
    yield Case("signing", "every seat signs its reveal and its moves", ("signs",),
               short_match(levels=("signs",) * 4).text)  # fmt: skip
    yield Case("pinned", "the pinned key is the file's", ("key",), HONEST.text,
               pinned=KEY.public.text)  # fmt: skip
    yield Case("proof", "the proof of deal 1", ("proof",),
               prove_deal(HONEST.text.splitlines(), 1))  # fmt: skip
    yield from short_of_play()


def short_of_play() -> Iterator[Case]:
    """Deals that close before their end, and what their faults pay."""
    endless = {**SHORT, "deals": "none"}
    fault = Played(
        (), outcome="fault", faults=(Fault(0, "WITHHELD"),), points=Pair(0, 4), score=Pair(0, 4)
    )
    script = Script(rules=endless)
    script.open_match()
    script.add(DealOpen(deal=1, dealer=2))
    script.close_deal(1, fault, None, ())
    script.close_match("aborted", score=Pair(0, 0), deals=1)
    yield Case("withheld-commit", "no commit set: a seat did not commit", ("fault",), script.text)
    for name, done, end, counted in (
        ("withheld-reveal", fault, "aborted", 1),
        ("void", Played((), outcome="void"), "void", 0),
    ):
        script = Script(rules=endless)
        script.open_match()
        script.commit(1, 2)
        script.close_deal(1, done, None, ())
        script.close_match(end, score=Pair(0, 0), deals=counted)
        comment = f"a deal closes as {done.outcome} after its commit set"
        yield Case(name, comment, ("fault",), script.text)
