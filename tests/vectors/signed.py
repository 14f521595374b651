"""Files that a dishonest referee has written and signed, each wrong in one place."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from referee.sealing import (
    ActionTaken,
    Attempt,
    CommitSet,
    DealClose,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    Event,
    HiddenOpening,
    MatchClose,
    MatchOpen,
    Pair,
    RevealSet,
    SealedDeck,
    SeatCommit,
    TurnUp,
)
from tests.journal.support import Match
from tests.sealing.support import (
    Move,
    Played,
    Script,
    on,
    secret,
)
from tests.vectors.honest import SHORT, Case, flip, short_match


def resigned_cases() -> Iterator[Case]:
    """What a dishonest referee signs: each speaks against it."""
    changes: list[tuple[str, str, str, Callable[[Event], Event]]] = [
        ("rule-set", "rule_set is not the hash of rules", "match_open",
         on(MatchOpen, None, lambda e: replace(e, rule_set=flip(e.rule_set)))),
        ("pack", "pack is not that of the rules", "match_open",
         on(MatchOpen, None, lambda e: replace(e, pack="E25"))),
        ("r0", "the chain does not lead to r0", "chain",
         on(MatchOpen, None, lambda e: replace(e, r0=flip(e.r0)))),
        ("gap", "the match begins with deal 2", "order",
         on(DealOpen, 1, lambda e: replace(e, deal=2))),
        ("beyond-chain", "a deal beyond the chain", "chain",
         on(MatchOpen, None, lambda e: replace(e, chain=1))),
        ("wrong-deal", "a commitment of another deal", "order",
         on(SeatCommit, 1, lambda e: replace(e, deal=2))),
        ("commits-twice", "one seat commits four times", "commit",
         on(SeatCommit, 1, lambda e: replace(e, seat=2))),
        ("commit-set-other", "the set holds another commitment", "commit",
         on(CommitSet, 1, lambda e: replace(e, commits=(bytes(32), *e.commits[1:])))),
        ("commits-swapped", "two commitments have changed seats", "commit",
         on(CommitSet, 1, lambda e: replace(
             e, commits=(e.commits[1], e.commits[0], *e.commits[2:])))),
        ("r-commit", "r_commit does not continue the chain", "chain",
         on(CommitSet, 1, lambda e: replace(e, r_commit=flip(e.r_commit)))),
        ("cset", "cset is not the hash of the set", "commit",
         on(CommitSet, 1, lambda e: replace(e, cset=flip(e.cset)))),
        ("reveal-other", "a seed that was not committed", "reveal",
         on(RevealSet, 1, lambda e: replace(e, seeds=(secret("x"), *e.seeds[1:])))),
        ("seed-short", "a seed of 31 bytes", "reveal",
         on(RevealSet, 1, lambda e: replace(e, seeds=(e.seeds[0][:31], *e.seeds[1:])))),
        ("seed-long", "a seed of 33 bytes", "reveal",
         on(RevealSet, 1, lambda e: replace(e, seeds=(e.seeds[0] + b"\0", *e.seeds[1:])))),
        ("seed-missing", "no seed of a seat that has not declined", "reveal",
         on(RevealSet, 1, lambda e: replace(e, seeds=(b"", *e.seeds[1:])))),
        ("seeds-swapped", "two seeds have changed seats", "reveal",
         on(RevealSet, 1, lambda e: replace(e, seeds=(e.seeds[1], e.seeds[0], *e.seeds[2:])))),
        ("cut-by-nobody", "a cut where nobody cuts", "cut",
         on(RevealSet, 1, lambda e: replace(e, cut=3))),
        ("reveal-signed-keyless", "a reveal signed without a key", "signs",
         on(RevealSet, 1, lambda e: replace(e, sigs=(bytes(64), *e.sigs[1:])))),
        ("root", "root is not the head over the leaves", "leaves",
         on(DeckRoot, 1, lambda e: replace(e, root=flip(e.root)))),
        ("leaf-missing", "23 leaves for 24 cards", "leaves",
         on(DeckRoot, 1, lambda e: replace(e, leaves=e.leaves[:-1]))),
        ("upcard-salt", "the upcard with another salt", "opening",
         on(TurnUp, 1, lambda e: replace(e, turned=replace(e.turned, salt=flip(e.turned.salt))))),
        ("upcard-position", "the upcard from position 21", "opening",
         on(TurnUp, 1, lambda e: replace(e, turned=replace(e.turned, position=21)))),
        ("upcard-other", "another card is turned", "opening",
         on(TurnUp, 1, lambda e: replace(
             e, turned=replace(e.turned, card="TC" if e.turned.card == "9C" else "9C")))),
        ("discard-open", "the card of a discard stands in the open", "hidden",
         on(ActionTaken, 1, lambda e: replace(e, action="discard 9C") if e.commit else e)),
        ("hidden-mismatch", "a hidden move opens to another position", "hidden",
         on(DealClose, 1, lambda e: replace(e, openings=tuple(
             HiddenOpening(o.seq, ((o.positions[0] + 1) % 24,), o.blinds) for o in e.openings)))),
        ("hidden-unopened", "a hidden move is not opened", "hidden",
         on(DealClose, 1, lambda e: replace(e, openings=()))),
        ("r", "r does not continue the chain", "chain",
         on(DealClose, 1, lambda e: replace(e, r=flip(e.r or b"")))),
        ("deck-other", "another deck in the close", "deck",
         on(DealClose, 1, lambda e: replace(e, deck=" ".join(reversed(e.deck.split())))
            if e.deck else e)),
        ("deck-double", "one card twice in the close", "deck",
         on(DealClose, 1, lambda e: replace(e, deck=e.deck[:2] + " " + e.deck[:2] + e.deck[5:])
            if e.deck else e)),
        ("outcome-draw", "a deal with cards is closed as a draw", "order",
         on(DealClose, 1, lambda e: replace(e, outcome="draw"))),
        ("level", "a level that is none", "schema",
         on(MatchOpen, None, lambda e: replace(
             e, seats=(replace(e.seats[0], level="watches"), *e.seats[1:])))),
        ("action-empty", "an action without a word", "schema",
         on(ActionTaken, 1, lambda e: replace(e, action="") if e.commit is None else e)),
        ("outcome-unknown", "an outcome that is none", "schema",
         on(MatchClose, None, lambda e: replace(e, outcome="won"))),
    ]  # fmt: skip
    for name, comment, flag, change in changes:
        script = short_match(change=change)
        yield Case(name, comment, ("signed", flag), script.text, 3, "referee")


def cut_and_sign_cases() -> Iterator[Case]:
    cut = {**SHORT, "cut": "dealers_right"}
    for name, comment, change in (
        ("cut-too-large", "a cut of 24 of 24 cards",
         on(RevealSet, 1, lambda e: replace(e, cut=24))),
        ("cut-other", "a cut that was not committed",
         on(RevealSet, 1, lambda e: replace(e, cut=2))),
        ("cut-by-another", "the dealer's left cuts where the right does",
         on(DealOpen, 1, lambda e: replace(e, cutter=3))),
    ):  # fmt: skip
        script = short_match(cut, change=change)
        yield Case(name, comment, ("signed", "cut"), script.text, 3, "referee")
    signs = ("signs",) * 4
    for name, comment, change in (
        ("reveal-by-another", "a reveal signed by another seat",
         on(RevealSet, 1, lambda e: replace(e, sigs=(e.sigs[1], *e.sigs[1:])))),
        ("move-unsigned", "a move of a signing seat without its signature",
         on(ActionTaken, 1, lambda e: replace(e, seat_sig=None))),
    ):  # fmt: skip
        script = short_match(levels=signs, change=change)
        yield Case(name, comment, ("signed", "signs"), script.text, 4, "referee")
    drawn = {**SHORT, "first_dealer": "black_jack"}
    for name, comment, edit in (
        ("draw-start", "the draw starts at another seat",
         on(DealerDrawn, 0, lambda e: replace(e, start=(e.start + 1) % 4))),
        ("draw-dealer", "the draw makes another seat the dealer",
         on(DealerDrawn, 0, lambda e: replace(e, dealer=(e.dealer + 1) % 4))),
        ("draw-card-missing", "a turned card is left out",
         on(DealerDrawn, 0, lambda e: replace(e, turned=e.turned[:-1]))),
    ):  # fmt: skip
        script = short_match(drawn, dealer=None, change=edit)
        yield Case(name, comment, ("signed", "draw"), script.text, 3, "referee")


def replayed_cases() -> Iterator[Case]:
    """What only the replay of the rules finds."""
    index = next(i for i, m in enumerate(moves()) if m.action.startswith("play "))
    card = next(c for c in deck_of_honest().cards[21:])
    for name, comment, edit in (
        ("card-not-held", "a card that nobody holds is played",
         lambda p: replace(p, moves=(*p.moves[:index],
             replace(p.moves[index], action=f"play {card}"), *p.moves[index + 1 :]))),
        ("out-of-turn", "two plays have changed places",
         lambda p: replace(p, moves=(*p.moves[:index], p.moves[index + 1], p.moves[index],
             *p.moves[index + 2 :]))),
        ("points", "the deal pays another number of points",
         lambda p: replace(p, points=Pair(p.points.ns + 1, p.points.ew + 1))),
        ("score", "the score is not the sum of the points",
         lambda p: replace(p, score=Pair(9, 9))),
        ("refused-legal", "a legal action is listed as refused",
         lambda p: replace(p, attempts=(Attempt(
             after=8, seat=p.moves[0].seat, action="pass", reason="NOT_YOUR_TURN"),))),
    ):  # fmt: skip
        script = Script(rules=SHORT)
        match = Match(script, Random(3))  # noqa: S311 -- a test repeats itself
        match.begin(2)
        match.play(1, bent(match, edit))
        script.close_match("aborted", score=Pair(0, 0), deals=1)
        yield Case(name, comment, ("signed", "rules"), script.text, 1, "referee")


def bent(match: Match, edit: Callable[[Played], Played]) -> Callable[[SealedDeck, int], Played]:
    def how(deck: SealedDeck, dealer: int) -> Played:
        return edit(match.random_play(deck, dealer))

    return how


def deck_of_honest() -> SealedDeck:
    script = Script(rules=SHORT)
    script.open_match()
    return script.seal(1, 2)


def moves() -> tuple[Move, ...]:
    """The moves of the honest file."""
    match = Match(Script(rules=SHORT), Random(3))  # noqa: S311 -- a test repeats itself
    match.begin(2)
    return match.random_play(match.script.seal(1, 2), 2).moves
