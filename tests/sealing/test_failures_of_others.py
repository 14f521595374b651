"""What other dealers got wrong, each shown not to happen here."""

from dataclasses import fields, replace
from itertools import product

import pytest

from referee.sealing import (
    ActionTaken,
    CommitSet,
    Event,
    commit_set,
    event_hash,
    reveal_fault,
    sealed_deck,
    seat_commit,
    seat_seed,
    sign_event,
)
from referee.sealing.canonical import dump
from referee.sealing.encode import Mac
from referee.sealing.leaves import leaf, tree_head
from referee.sealing.messages import referee_bytes
from referee.sealing.shuffle import Stream, deck_key, permutation
from tests.sealing.support import KEY, MATCH, Script, sealed_match, secret, verdict_of

SEEDS = [secret("seed", 1, i) for i in range(4)]
R = secret("r")


def deck_of(seeds: list[bytes], *, r: bytes = R, deal: int = 1) -> str:
    """The deck of a deal under four seeds, commitments included."""
    commits = [seat_commit(MATCH, deal, i, seed, None) for i, seed in enumerate(seeds)]
    cset = commit_set(MATCH, deal, "E24", secret("below"), commits)
    return sealed_deck(MATCH, deal, "E24", r=r, cset=cset, seeds=seeds, cut=None).text


@pytest.mark.parametrize("size", [0, 4, 8, 31, 33, 64])
def test_a_seed_that_is_not_32_bytes_is_a_fault(size: int) -> None:
    """32-bit seeds: some dealers draw from four billion decks, which can all be tried."""
    seed = bytes(size)
    commit = seat_commit(MATCH, 1, 0, seed, None)
    found = reveal_fault(MATCH, 1, 0, pack="E24", commit=commit, seed=seed, cut=None)
    assert found is not None
    assert "32 bytes" in found


def test_what_is_published_before_the_reveals_does_not_give_the_deck() -> None:
    """The published commitment as the source: the deck changes with r and with every seed."""
    decks = {deck_of(SEEDS), deck_of(SEEDS, r=secret("other r"))}
    for seat in range(4):
        seeds = list(SEEDS)
        seeds[seat] = secret("other seed", seat)
        decks.add(deck_of(seeds))
    assert len(decks) == 6


def test_no_secret_of_a_deal_stands_in_the_file_before_it_is_due() -> None:
    """The seed on the wire during play: r, salts and blinds come with the close, seeds before."""
    script = sealed_match(1)
    chain = script.chain
    close = next(i for i, line in enumerate(script.lines) if b"deal_close" in line and i > 12)
    before = b"".join(script.lines[:close])
    assert chain.secret(1).hex().encode() not in before
    assert (b"\x77" * 32).hex().encode() not in before
    reveals = next(i for i, line in enumerate(script.lines) if b'"deal":1,"kind":"reveal' in line)
    early = b"".join(script.lines[:reveals])
    assert all(secret("seed", 1, i).hex().encode() not in early for i in range(4))


def test_the_referee_cannot_fill_in_an_absent_seed() -> None:
    """The server filling in a seat's seed: what the seat committed to is all that verifies."""

    def change(event: Event) -> Event:
        if isinstance(event, CommitSet) and event.deal == 1:
            mine = seat_commit(MATCH, 1, 2, b"\0" * 32, None)
            return replace(event, commits=(*event.commits[:2], mine, event.commits[3]))
        return event

    failure = verdict_of(sealed_match(1, change=change).text).failure
    assert failure is not None
    assert (failure.exit, failure.party) == (3, "referee")


def test_mirrored_contributions_do_not_cancel() -> None:
    """XOR of contributions: a copied seed would take another's out of the deck."""
    copied = [SEEDS[0], SEEDS[0], SEEDS[2], SEEDS[3]]
    other = [SEEDS[1], SEEDS[1], SEEDS[2], SEEDS[3]]
    assert deck_of(copied) != deck_of(other)


def test_a_copied_commitment_is_refused_in_the_set() -> None:
    """A seat that repeats another's commitment cannot open it, since its own index is bound."""
    commit = seat_commit(MATCH, 1, 0, SEEDS[0], None)
    assert commit != seat_commit(MATCH, 1, 1, SEEDS[0], None)
    found = reveal_fault(MATCH, 1, 1, pack="E24", commit=commit, seed=SEEDS[0], cut=None)
    assert found is not None


@pytest.mark.parametrize(("match", "deal"), [(bytes(16), 1), (MATCH, 2)])
def test_a_commitment_of_another_match_or_deal_does_not_open(match: bytes, deal: int) -> None:
    commit = seat_commit(MATCH, 1, 0, SEEDS[0], None)
    found = reveal_fault(match, deal, 0, pack="E24", commit=commit, seed=SEEDS[0], cut=None)
    assert found is not None


@pytest.mark.parametrize("cut", [24, 255])
def test_a_cut_beyond_the_pack_is_a_fault(cut: int) -> None:
    commit = seat_commit(MATCH, 1, 0, SEEDS[0], cut)
    found = reveal_fault(MATCH, 1, 0, pack="E24", commit=commit, seed=SEEDS[0], cut=cut)
    assert found is not None
    assert "a cut of E24" in found


def test_a_cut_other_than_the_committed_one_is_a_fault() -> None:
    commit = seat_commit(MATCH, 1, 0, SEEDS[0], 3)
    assert reveal_fault(MATCH, 1, 0, pack="E24", commit=commit, seed=SEEDS[0], cut=3) is None
    assert reveal_fault(MATCH, 1, 0, pack="E24", commit=commit, seed=SEEDS[0], cut=4) is not None
    assert reveal_fault(MATCH, 1, 0, pack="E24", commit=commit, seed=SEEDS[0], cut=None) is not None


def test_moving_a_byte_between_two_fields_changes_the_hash() -> None:
    """Concatenation without lengths: `ab` + `c` and `a` + `bc` would be one commitment."""
    one = [SEEDS[0] + b"x", SEEDS[1], SEEDS[2], SEEDS[3]]
    other = [SEEDS[0], b"x" + SEEDS[1], SEEDS[2], SEEDS[3]]
    assert b"".join(one) == b"".join(other)
    assert deck_key(b"c", R, one, None) != deck_key(b"c", R, other, None)


def test_a_plain_remainder_would_be_biased_and_is_not_what_is_done() -> None:
    """Modulo bias: 256 values over 24 cards favor sixteen of them."""
    favored = [x % 24 for x in range(256)]
    assert favored.count(0) != favored.count(23)
    accepted = [x for x in range(256) if x < 256 - 256 % 24]
    assert len({[x % 24 for x in accepted].count(m) for m in range(24)}) == 1


def test_every_card_can_stay_and_can_go_anywhere() -> None:
    """Off-by-one shuffles: in Sattolo's, no card ever stays in its place."""
    orders = [permutation(Stream(Mac(secret("order", k))), 6) for k in range(600)]
    places = {(card, order.index(card)) for order in orders for card in range(6)}
    assert places == set(product(range(6), range(6)))


def test_an_action_event_has_no_place_for_a_hidden_card() -> None:
    """Hidden cards sent to every client: the event holds the commitment of a discard alone."""
    names = {field.name for field in fields(ActionTaken)}
    assert names == {"deal", "seat", "action", "used_ms", "commit", "seat_sig", "fallback"}
    script = sealed_match(1)
    line = next(line for line in script.lines if b'"action":"discard"' in line)
    assert b'"commit":"' in line


def test_two_leaves_are_not_the_node_above_them() -> None:
    """Leaf and node hashed alike: a node's bytes could be shown as a leaf."""
    one = leaf(MATCH, 1, 0, "JH", secret("salt"))
    other = leaf(MATCH, 1, 1, "JD", secret("salt"))
    node = tree_head([one, other])
    assert tree_head([node]) == node
    assert node not in {one, other}


def test_an_unopened_card_cannot_be_guessed_from_its_leaf() -> None:
    """Without its salt none of the 24 cards gives the leaf."""
    deck = sealed_match(1)
    leaves = {leaf(MATCH, 1, p, c, bytes(32)) for p in range(24) for c in ("JH", "JD")}
    assert not any(made.hex().encode() in deck.text for made in leaves)


def test_the_order_in_which_fields_are_given_does_not_matter() -> None:
    """JSON key order and float text: there is one text for a value."""
    assert dump({"b": 1, "a": [True, "x"]}) == dump({"a": [True, "x"], "b": 1})
    assert dump({"a": 10**6}) == b'{"a":1000000}'


def test_what_is_signed_is_the_bytes_of_the_event_and_not_a_message_made_again() -> None:
    """Signing re-serialised protobuf: a signature must hold for the very bytes that are kept."""
    script = Script()
    script.open_match()
    raw = script.lines[0][len(b'{"event":') : -138 - 1]
    head = event_hash(bytes(32), raw)
    assert KEY.public.accepts(sign_event(KEY, head), referee_bytes(head))
    spaced = raw.replace(b'":', b'": ', 1)
    assert event_hash(bytes(32), spaced) != head


def test_a_seats_seed_differs_from_deal_to_deal_and_from_match_to_match() -> None:
    seeds = {
        seat_seed(secret("kept"), match, deal) for match in (MATCH, bytes(16)) for deal in (0, 1)
    }
    assert len(seeds) == 4
