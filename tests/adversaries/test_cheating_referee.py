"""A referee that cheats in each way that the threat table names: it is caught, and by whom."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from referee.sealing.closing import Attempt, DealClose, MatchClose
from referee.sealing.commit import commit_set
from referee.sealing.deck import SealedDeck, sealed_deck
from referee.sealing.events import ActionTaken, CommitSet, DealerDrawn, DealOpen, DeckRoot
from referee.sealing.leaves import leaf, tree_head
from referee.sealing.messages import Opening
from referee.sealing.packs import SEATS
from referee.sealing.parts import Pair
from referee.table.events import Event, PublicEvent
from referee.table.state import MatchState
from tests.adversaries.support import (
    HAVE_NODE,
    Cheat,
    Outcome,
    node_bot,
    played,
    python_bot,
    seat_key,
)

NORTH = 0


def against_clients(folder: Path, cheat: Cheat, **knobs: str) -> Outcome:
    return played(folder, cheat, north=python_bot(folder), south=node_bot(folder), knobs=knobs)


def against_signers(folder: Path, cheat: Cheat) -> Outcome:
    key = ("--seat-key", str(seat_key(folder, "anna")))
    return played(folder, cheat, north=python_bot(folder, *key), south=node_bot(folder, *key))


def both_left(outcome: Outcome, python: str, node: str) -> None:
    """North's client, in Python, and south's, in JavaScript, both found it out, and said why."""
    assert {left.exit for left in outcome.left.values()} == {3}, outcome.left
    assert python in outcome.left["north"].said
    assert (node if HAVE_NODE else python) in outcome.left["south"].said


@pytest.mark.skipif(not HAVE_NODE, reason="node is missing: only Python clients are cheated")
def test_the_node_client_is_among_those_who_are_cheated() -> None:
    assert "sensible.mjs" in node_bot(Path())


def stacked(change: Callable[[list[str]], Sequence[str]], *, dealt: bool = True) -> Cheat:
    """Seal another deck than the seeds give, and deal it unless told not to."""

    def deck(
        match: bytes,
        deal: int,
        pack: str,
        *,
        r: bytes,
        cset: bytes,
        seeds: Sequence[bytes],
        cut: int | None,
    ) -> SealedDeck:
        true = sealed_deck(match, deal, pack, r=r, cset=cset, seeds=seeds, cut=cut)
        if deal == 0:
            return true
        cards = tuple(change(list(true.cards)))
        leaves = tuple(
            leaf(match, deal, place, card, salt)
            for place, (card, salt) in enumerate(zip(cards, true.salts, strict=True))
        )
        cards = cards if dealt else true.cards
        return replace(true, cards=cards, leaves=leaves, root=tree_head(leaves))

    return Cheat(sealer=deck)


def test_an_honest_referee_is_blamed_by_nobody_and_blames_nobody(tmp_path: Path) -> None:
    outcome = against_signers(tmp_path, Cheat())
    assert {left.exit for left in outcome.left.values()} == {0}, outcome.left
    assert outcome.found(receipts=True) == (0, None)
    assert outcome.faults == []


def test_other_cards_than_the_seeds_give_are_found_out_at_the_close(tmp_path: Path) -> None:
    cheat = stacked(lambda cards: [cards[20], *cards[1:20], cards[0], *cards[21:]])
    outcome = against_clients(tmp_path, cheat)
    both_left(outcome, "is not that of the seeds' deck", "is not the one derived")
    assert outcome.found() == (3, "referee")


def test_one_card_sealed_twice_is_found_out_at_the_close(tmp_path: Path) -> None:
    cheat = stacked(lambda cards: [*cards[:23], cards[0]], dealt=False)
    outcome = against_clients(tmp_path, cheat)
    both_left(outcome, "is not that of the seeds' deck", "is not the one derived")
    assert outcome.found() == (3, "referee")


def dealt_to(
    victim: int, change: Callable[[SealedDeck, tuple[Opening, ...]], tuple[Opening, ...]]
) -> Cheat:
    """Deal one seat other cards than the sealed ones."""

    def deal(state: MatchState, seat: int, cards: tuple[Opening, ...]) -> tuple[Opening, ...]:
        deck = state.deal.deck if state.deal is not None else None
        return cards if seat != victim or deck is None else change(deck, cards)

    return Cheat(deal=deal)


WRONG_CARD = ("is not the sealed card", "is not the one sealed at position")
WRONG_PLACE = ("are not those of", "do not lie where the packets put them")


@pytest.mark.parametrize("victim", ["north", "south"])
@pytest.mark.parametrize("wrong", [WRONG_CARD, WRONG_PLACE], ids=["card", "place"])
def test_cards_that_are_not_the_sealed_ones_are_found_out_by_their_seat_and_kept_as_the_proof(
    tmp_path: Path, victim: str, wrong: tuple[str, str]
) -> None:
    def change(deck: SealedDeck, cards: tuple[Opening, ...]) -> tuple[Opening, ...]:
        if wrong is WRONG_CARD:
            return (replace(cards[0], card=deck.cards[23]), *cards[1:])
        place = 20  # everybody's card, and its true leaf
        return (*cards[:4], Opening(place, deck.cards[place], deck.salts[place]))

    outcome = against_clients(tmp_path, dealt_to(SEATS.index(victim), change))
    assert outcome.left[victim].exit == 3
    in_javascript = victim == "south" and HAVE_NODE
    assert wrong[in_javascript] in outcome.left[victim].said
    assert "they are kept: the proof" in outcome.left[victim].said
    assert outcome.found(receipts=True) == (3, "referee")


def test_cards_under_another_root_are_found_out_by_their_seats_and_kept_as_the_proof(
    tmp_path: Path,
) -> None:
    outcome = against_clients(tmp_path, Cheat(root=bytes(32)))
    both_left(outcome, "its root is not that of the deck", "our cards name another root")
    assert outcome.found(receipts=True) == (3, "referee")


def test_a_secret_that_is_not_of_the_chain_is_found_out_before_any_seed_is_shown(
    tmp_path: Path,
) -> None:
    seeds: list[PublicEvent] = []

    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, CommitSet):
            below = bytes(32)
            cset = commit_set(bytes(16), event.deal, "E24", below, event.commits)
            return replace(event, r_commit=below, cset=cset)
        if event.kind == "reveal_set":
            seeds.append(event)
        return event

    outcome = against_clients(tmp_path, Cheat(lie=lie))
    both_left(
        outcome, "does not continue the referee's chain", "does not continue the referee's chain"
    )
    assert outcome.found() == (3, "referee")
    assert seeds == []


def test_a_changed_commitment_of_another_seat_is_found_out_before_any_seed_is_shown(
    tmp_path: Path,
) -> None:
    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, CommitSet):
            return replace(event, commits=(event.commits[0], bytes(32), *event.commits[2:]))
        return event

    outcome = against_clients(tmp_path, Cheat(lie=lie))
    both_left(outcome, "is not the one it made", "east is not its own")
    assert outcome.found() == (3, "referee")


def test_a_skipped_deal_number_is_found_out_by_its_gap(tmp_path: Path) -> None:
    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, DealOpen) and event.deal > 1:
            return replace(event, deal=event.deal + 1)
        return event

    outcome = against_clients(tmp_path, Cheat(lie=lie), target="10")
    both_left(outcome, "deal 3 is not the next one", "a gap")
    assert outcome.found() == (3, "referee")


def test_another_dealer_than_was_drawn_is_found_out(tmp_path: Path) -> None:
    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, DealerDrawn):
            return replace(event, dealer=(event.dealer + 1) % 4)
        return event

    outcome = against_clients(tmp_path, Cheat(lie=lie))
    both_left(outcome, "the dealer draw named the wrong dealer", "the draw makes")
    assert outcome.found() == (3, "referee")


class AlterMove:
    """The first plain move of a seat stands in the record as another one."""

    def __init__(self, seat: int, *, fallback: bool = False) -> None:
        self._seat = seat
        self._fallback = fallback
        self._done = False

    def __call__(self, event: PublicEvent) -> PublicEvent:
        mine = isinstance(event, ActionTaken) and event.seat == self._seat
        if self._done or not isinstance(event, ActionTaken) or not mine or event.commit:
            return event
        self._done = True
        if self._fallback:
            return replace(event, fallback="TIMEOUT", seat_sig=None)
        return replace(event, action="order" if event.action == "pass" else "pass")


def test_an_altered_move_is_found_out_by_its_seat_and_by_the_rules(tmp_path: Path) -> None:
    outcome = against_clients(tmp_path, Cheat(lie=AlterMove(NORTH)))
    assert outcome.left["north"].exit == 3
    assert "is not the move we made" in outcome.left["north"].said
    assert outcome.found() == (1, "referee")


def test_an_altered_move_of_a_signing_seat_is_found_out_by_everybody(tmp_path: Path) -> None:
    outcome = against_signers(tmp_path, Cheat(lie=AlterMove(NORTH)))
    both_left(
        outcome,
        "the move of north is not signed by its seat",
        "the move of north is not signed by its seat",
    )
    assert outcome.found() == (4, "referee")


def test_an_accepted_move_that_is_denied_is_found_out_by_its_seat(tmp_path: Path) -> None:
    outcome = against_signers(tmp_path, Cheat(lie=AlterMove(NORTH, fallback=True)))
    assert outcome.left["north"].exit == 3
    assert "our move was accepted" in outcome.left["north"].said


def test_a_forged_move_of_a_signing_seat_is_found_out_by_everybody(tmp_path: Path) -> None:
    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, ActionTaken) and event.seat == NORTH and event.seat_sig:
            return replace(event, seat_sig=bytes(64))
        return event

    outcome = against_signers(tmp_path, Cheat(lie=lie))
    both_left(
        outcome,
        "the move of north is not signed by its seat",
        "the move of north is not signed by its seat",
    )
    assert outcome.found() == (4, "referee")


def test_an_attempt_that_a_signing_seat_never_made_is_found_out_by_everybody(
    tmp_path: Path,
) -> None:
    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, DealClose) and event.deal == 1:
            invented = Attempt(after=1, seat=NORTH, action="play 2S", reason="NOT_IN_HAND")
            return replace(event, attempts=(invented,))
        return event

    outcome = against_signers(tmp_path, Cheat(lie=lie))
    both_left(outcome, "attempt of north is not signed", "attempt of north is not signed")
    assert outcome.found() == (4, "referee")


STUMBLING = """
from euchre_bot import run

tried = []


def choose(view, legal):
    tried.append(view)
    return "play 2S" if len(tried) == 1 else legal[0]


run(choose)
"""


def test_an_attempt_that_a_signing_seat_made_once_is_not_counted_against_it_twice(
    tmp_path: Path,
) -> None:
    """Else one stumble would be as many attempts as a forfeit takes, each under its signature."""

    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, DealClose):
            return replace(event, attempts=event.attempts * 2)
        return event

    bot = tmp_path / "stumbling.py"
    bot.write_text(STUMBLING)
    key = ("--seat-key", str(seat_key(tmp_path, "anna")))
    north = f"dial:{sys.executable} {bot} --receipts {tmp_path}/receipts {' '.join(key)}"
    outcome = played(tmp_path, Cheat(lie=lie), north=north, south=node_bot(tmp_path, *key))
    both_left(outcome, "is listed twice", "is listed twice")
    assert outcome.found() == (3, "referee")


def test_a_changed_score_is_found_out_by_the_verifier(tmp_path: Path) -> None:
    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, DealClose) and event.outcome == "played":
            return replace(event, score=Pair(event.score.ns + 1, event.score.ew))
        return event

    outcome = against_clients(tmp_path, Cheat(lie=lie))
    assert outcome.found() == (1, "referee")


def test_a_winner_who_did_not_win_is_found_out_by_the_verifier(tmp_path: Path) -> None:
    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, MatchClose) and event.winner is not None:
            return replace(event, winner=1 - event.winner)
        return event

    assert against_clients(tmp_path, Cheat(lie=lie)).found() == (1, "referee")


def test_a_deal_that_is_not_closed_is_found_out(tmp_path: Path) -> None:
    def drop(event: Event) -> bool:
        return isinstance(event, DealClose) and event.deal == 1

    outcome = against_clients(tmp_path, Cheat(drop=drop))
    both_left(outcome, "cannot come after action", "does not stand here")
    assert outcome.found() == (3, "referee")


def test_a_match_that_is_not_closed_is_incomplete(tmp_path: Path) -> None:
    outcome = against_clients(tmp_path, Cheat())
    lines = outcome.transcript.splitlines(keepends=True)
    outcome.transcript = b"".join(lines[:-1])
    assert outcome.found() == (5, "nobody")


def test_a_leaf_of_another_card_is_found_out_before_it_is_played(tmp_path: Path) -> None:
    def lie(event: PublicEvent) -> PublicEvent:
        if isinstance(event, DeckRoot) and event.deal > 0:
            leaves = (*event.leaves[1:], event.leaves[0])
            return replace(event, leaves=leaves, root=tree_head(leaves))
        return event

    outcome = against_clients(tmp_path, Cheat(lie=lie))
    both_left(outcome, "its root is not that of the deck", "another root")
    assert outcome.found() == (3, "referee")
