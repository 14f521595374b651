"""The verifier: what it accepts, which check fails first, and whom that speaks against."""

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.sealing import (
    ActionTaken,
    Chain,
    CommitSet,
    DealClose,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    Event,
    HiddenOpening,
    MatchOpen,
    RevealSet,
    SealedDeck,
    SeatCommit,
    TurnUp,
    line_bytes,
    sign_event,
    split_line,
)
from referee.sealing.closing import Fault
from referee.sealing.errors import NoSuchDealError, UnreadableError
from referee.sealing.leaves import leaves, tree_head
from referee.sealing.messages import key_id
from referee.sealing.proof import prove_deal
from tests.sealing.support import (
    KEY,
    OTHER_KEY,
    STANDARD,
    Move,
    Played,
    Script,
    on,
    proof_verdict,
    sealed_match,
    secret,
    verdict_of,
)

HONEST = sealed_match().text


def lines(text: bytes = HONEST) -> list[bytes]:
    return text.splitlines(keepends=True)


def find(kind: str, deal: int | None = None, text: bytes = HONEST) -> int:
    """The number of the first line of a kind, of a deal where one is given."""
    for number, line in enumerate(lines(text)):
        event = json.loads(line)["event"]
        if event["kind"] == kind and deal in {None, event.get("deal")}:
            return number
    raise AssertionError(kind)


def swap_hex(raw: bytes) -> bytes:
    return bytes((raw[0] ^ 1,)) + raw[1:]


def said(text: bytes, **options: bool) -> tuple[int, str | None, int | None, int | None]:
    """Exit code, party, event and deal."""
    verdict = verdict_of(text, **options)  # type: ignore[arg-type]  # strict alone
    failure = verdict.failure
    if failure is None:
        return 0, None, None, None
    return failure.exit, failure.party, failure.seq, failure.deal


def test_an_honest_match_is_verified() -> None:
    verdict = verdict_of(HONEST)
    assert verdict.failure is None
    assert (verdict.totals.deals, verdict.totals.verified) == (4, 4)
    assert verdict.seeds == (4, 0, 0)


@pytest.mark.parametrize("pack", ["E24", "E25", "E28", "E32", "E25J", "E33J"])
@pytest.mark.parametrize("cut", ["none", "dealers_right", "dealers_left"])
def test_every_pack_and_cut_is_verified(pack: str, cut: str) -> None:
    script = sealed_match(2, rules={**STANDARD, "pack": pack, "cut": cut})
    assert verdict_of(script.text).exit == 0


@pytest.mark.parametrize("method", ["any_jack", "draw_low", "draw_high", "agreed"])
def test_every_dealer_draw_is_verified(method: str) -> None:
    script = sealed_match(1, rules={**STANDARD, "pack": "E25", "first_dealer": method})
    assert verdict_of(script.text).exit == 0


def test_a_declined_seat_makes_the_match_unrated() -> None:
    levels = ("checks", "plays", "seeds", "checks")
    script = sealed_match(2, levels=levels, seed_by=("seat", "host", "host", "seat"))
    verdict = verdict_of(script.text)
    assert (verdict.exit, verdict.rated, verdict.seeds) == (0, False, (2, 1, 1))


def test_a_declined_cutter_leaves_the_pack_uncut() -> None:
    rules = {**STANDARD, "cut": "dealers_left"}
    script = sealed_match(4, rules=rules, levels=("plays", "checks", "checks", "checks"))
    assert verdict_of(script.text).exit == 0
    cutters = [json.loads(line)["event"].get("cutter") for line in lines(script.text)]
    assert set(cutters) == {None, "east", "south", "west"}


def test_signing_seats_are_verified() -> None:
    script = sealed_match(2, levels=("signs",) * 4)
    assert verdict_of(script.text, pinned=KEY.public, strict=True).exit == 0


def test_a_match_whose_first_dealer_is_agreed_begins_with_deal_one() -> None:
    script = Script(rules={**STANDARD, "first_dealer": "agreed"})
    script.open_match()
    script.play(1, 2)
    script.close_match(winner=0)
    assert verdict_of(script.text).exit == 0


RESIGNED: dict[str, tuple[Callable[[Event], Event], str, int | None, str]] = {
    "rule_set": (
        on(MatchOpen, None, lambda e: replace(e, rule_set=bytes(32))),
        "match_open",
        None,
        "rule_set is not the hash",
    ),
    "pack": (on(MatchOpen, None, lambda e: replace(e, pack="E25")), "match_open", None, "pack"),
    "r0": (
        on(MatchOpen, None, lambda e: replace(e, r0=swap_hex(e.r0))),
        "commit_set",
        0,
        "does not continue",
    ),
    "table without a board": (
        on(MatchOpen, None, lambda e: replace(e, table=0)),
        "match_open",
        None,
        "with their board",
    ),
    "seat key without signing": (
        on(
            MatchOpen,
            None,
            lambda e: replace(e, seats=(replace(e.seats[0], key=KEY.public.text), *e.seats[1:])),
        ),
        "match_open",
        None,
        "a key goes with the level signs",
    ),
    "gap": (on(DealOpen, 2, lambda e: replace(e, deal=3)), "deal_open", 3, "a gap"),
    "deal beyond the chain": (
        on(MatchOpen, None, lambda e: replace(e, chain=2)),
        "deal_open",
        2,
        "beyond the referee's chain",
    ),
    "no dealer": (on(DealOpen, 1, lambda e: replace(e, dealer=None)), "deal_open", 1, "dealer"),
    "cutter where nobody cuts": (
        on(DealOpen, 1, lambda e: replace(e, cutter=1)),
        "deal_open",
        1,
        "cutter",
    ),
    "wrong deal": (
        on(SeatCommit, 1, lambda e: replace(e, deal=2)),
        "seat_commit",
        2,
        "inside deal 1",
    ),
    "a seat commits twice": (
        on(SeatCommit, 1, lambda e: replace(e, seat=2)),
        "seat_commit",
        1,
        "commits twice",
    ),
    "another commit in the set": (
        on(CommitSet, 1, lambda e: replace(e, commits=(bytes(32), *e.commits[1:]))),
        "commit_set",
        1,
        "the commitment of north",
    ),
    "commits of two seats swapped": (
        on(
            CommitSet,
            1,
            lambda e: replace(e, commits=(e.commits[1], e.commits[0], *e.commits[2:])),
        ),
        "commit_set",
        1,
        "is not its own",
    ),
    "chain does not continue": (
        on(CommitSet, 1, lambda e: replace(e, r_commit=swap_hex(e.r_commit))),
        "commit_set",
        1,
        "does not continue",
    ),
    "cset": (
        on(CommitSet, 1, lambda e: replace(e, cset=swap_hex(e.cset))),
        "commit_set",
        1,
        "cset",
    ),
    "a seed that was not committed": (
        on(RevealSet, 1, lambda e: replace(e, seeds=(secret("other"), *e.seeds[1:]))),
        "reveal_set",
        1,
        "north reveals what",
    ),
    "a short seed": (
        on(RevealSet, 1, lambda e: replace(e, seeds=(e.seeds[0][:31], *e.seeds[1:]))),
        "reveal_set",
        1,
        "0 or 32 bytes",
    ),
    "a long seed": (
        on(RevealSet, 1, lambda e: replace(e, seeds=(e.seeds[0] + b"\0", *e.seeds[1:]))),
        "reveal_set",
        1,
        "0 or 32 bytes",
    ),
    "a seed missing": (
        on(RevealSet, 1, lambda e: replace(e, seeds=(b"", *e.seeds[1:]))),
        "reveal_set",
        1,
        "unless it has declined",
    ),
    "seeds of two seats swapped": (
        on(RevealSet, 1, lambda e: replace(e, seeds=(e.seeds[1], e.seeds[0], *e.seeds[2:]))),
        "reveal_set",
        1,
        "north reveals what",
    ),
    "a cut where nobody cuts": (
        on(RevealSet, 1, lambda e: replace(e, cut=3)),
        "reveal_set",
        1,
        "a cut stands where",
    ),
    "a signature of a seat without key": (
        on(RevealSet, 1, lambda e: replace(e, sigs=(bytes(64), *e.sigs[1:]))),
        "reveal_set",
        1,
        "its seat has no key",
    ),
    "root": (
        on(DeckRoot, 1, lambda e: replace(e, root=swap_hex(e.root))),
        "deck_root",
        1,
        "root is not",
    ),
    "a leaf too few": (
        on(DeckRoot, 1, lambda e: replace(e, leaves=e.leaves[:-1])),
        "deck_root",
        1,
        "one leaf a card",
    ),
    "another upcard": (
        on(
            TurnUp,
            1,
            lambda e: replace(
                e, turned=replace(e.turned, card="9C" if e.turned.card != "9C" else "TC")
            ),
        ),
        "turn_up",
        1,
        "does not open",
    ),
    "another salt": (
        on(
            TurnUp,
            1,
            lambda e: replace(e, turned=replace(e.turned, salt=swap_hex(e.turned.salt))),
        ),
        "turn_up",
        1,
        "does not open",
    ),
    "another position": (
        on(TurnUp, 1, lambda e: replace(e, turned=replace(e.turned, position=21))),
        "turn_up",
        1,
        "position 20",
    ),
    "no such card": (
        on(TurnUp, 1, lambda e: replace(e, turned=replace(e.turned, card="XX"))),
        "turn_up",
        1,
        "'XX'",
    ),
    "a card of another pack": (
        on(TurnUp, 1, lambda e: replace(e, turned=replace(e.turned, card="7S"))),
        "turn_up",
        1,
        "not a card of the pack",
    ),
    "the start of the draw": (
        on(DealerDrawn, 0, lambda e: replace(e, start=(e.start + 1) % 4)),
        "dealer_draw",
        0,
        "the draw starts",
    ),
    "the dealer of the draw": (
        on(DealerDrawn, 0, lambda e: replace(e, dealer=(e.dealer + 1) % 4)),
        "dealer_draw",
        0,
        "the dealer",
    ),
    "a turned card left out": (
        on(DealerDrawn, 0, lambda e: replace(e, turned=e.turned[:-1])),
        "dealer_draw",
        0,
        "the cards turned",
    ),
    "a discard in the open": (
        on(
            ActionTaken,
            1,
            lambda e: replace(e, action="discard 9C") if e.commit is not None else e,
        ),
        "action",
        1,
        "stands in the open",
    ),
    "a commit beside an open move": (
        on(ActionTaken, 1, lambda e: replace(e, commit=bytes(32))),
        "action",
        1,
        "goes with a hidden move",
    ),
    "a hidden move that opens to something else": (
        on(
            DealClose,
            1,
            lambda e: replace(
                e, openings=(HiddenOpening(e.openings[0].seq, (3,), e.openings[0].blinds),)
            ),
        ),
        "deal_close",
        1,
        "opens to something else",
    ),
    "a hidden move not opened": (
        on(DealClose, 1, lambda e: replace(e, openings=())),
        "deal_close",
        1,
        "not those of the hidden moves",
    ),
    "an opening of two cards": (
        on(
            DealClose,
            1,
            lambda e: replace(
                e,
                openings=(HiddenOpening(e.openings[0].seq, (3, 20), e.openings[0].blinds * 2),),
            ),
        ),
        "deal_close",
        1,
        "does not name its cards",
    ),
    "another r": (
        on(DealClose, 1, lambda e: replace(e, r=swap_hex(e.r or b""))),
        "deal_close",
        1,
        "r does not continue",
    ),
    "another deck in the close": (
        on(DealClose, 1, lambda e: replace(e, deck=" ".join(reversed((e.deck or "").split())))),
        "deal_close",
        1,
        "deck is not",
    ),
    "no deck in the close": (
        on(DealClose, 1, lambda e: replace(e, deck=None)),
        "deal_close",
        1,
        "deck stands where",
    ),
    "a draw outside deal 0": (
        on(DealClose, 1, lambda e: replace(e, outcome="draw")),
        "deal_close",
        1,
        "draw is for deal 0",
    ),
    "an unknown level": (
        on(
            MatchOpen,
            None,
            lambda e: replace(e, seats=(replace(e.seats[0], level="watches"), *e.seats[1:])),
        ),
        "match_open",
        None,
        "one of plays",
    ),
    "a voided deal and the match goes on": (
        on(DealClose, 1, lambda e: replace(e, outcome="void")),
        "deal_open",
        2,
        "match_close may follow",
    ),
}


@pytest.mark.parametrize("name", RESIGNED)
def test_a_wrong_event_that_is_signed_speaks_against_the_referee(name: str) -> None:
    change, kind, deal, words = RESIGNED[name]
    script = sealed_match(2, change=change)
    failure = verdict_of(script.text).failure
    assert failure is not None
    assert (failure.exit, failure.party, failure.deal) == (3, "referee", deal)
    assert words in failure.message
    assert failure.seq is not None
    assert json.loads(script.lines[failure.seq])["event"]["kind"] == kind


def test_a_deck_other_than_the_one_fixed_is_named_at_its_root() -> None:
    """The referee deals a deck of its own choice, consistently, and is found out at the close."""

    swapped: dict[int, SealedDeck] = {}

    def change(event: Event) -> Event:
        if isinstance(event, DeckRoot) and event.deal == 1:
            fixed = swapped[1]
            return replace(event, leaves=fixed.leaves, root=fixed.root)
        if isinstance(event, TurnUp) and event.deal == 1:
            return replace(event, turned=replace(event.turned, card=swapped[1].cards[20]))
        return event

    script = Script(change=change)
    script.open_match()
    script.draw()
    probe = Script()
    probe.open_match()
    probe.draw()
    deck = probe.seal(1, probe.turned_dealer)
    cards = list(deck.cards)
    cards[0], cards[20] = cards[20], cards[0]
    chosen = leaves(script.match, 1, cards, deck.salts)
    swapped[1] = SealedDeck(tuple(cards), deck.salts, chosen, tree_head(chosen), deck.key)
    script.play(1, script.turned_dealer)
    script.close_match(winner=0)
    failure = verdict_of(script.text).failure
    assert failure is not None
    assert (failure.exit, failure.party, failure.deal) == (3, "referee", 1)
    assert "position 0 differs" in failure.message
    assert failure.seq == find("deck_root", 1, script.text)


def test_a_flipped_card_breaks_the_chain() -> None:
    number = find("turn_up", 2)
    changed = lines()
    card = json.loads(changed[number])["event"]["card"].encode()
    changed[number] = changed[number].replace(card, b"9C" if card != b"9C" else b"TC")
    assert said(b"".join(changed)) == (3, "file", number + 1, 2)


def test_a_deleted_play_breaks_the_chain() -> None:
    number = find("action", 2) + 1
    changed = lines()
    del changed[number]
    assert said(b"".join(changed)) == (3, "file", number + 1, 2)


def test_two_swapped_events_break_the_chain() -> None:
    number = find("action", 2)
    changed = lines()
    changed[number], changed[number + 1] = changed[number + 1], changed[number]
    assert said(b"".join(changed)) == (3, "file", number + 1, 2)


def test_a_line_written_twice_breaks_the_chain() -> None:
    number = find("action", 1)
    changed = lines()
    changed.insert(number, changed[number])
    assert said(b"".join(changed)) == (3, "file", number, 1)


def test_a_file_cut_inside_a_line_is_incomplete() -> None:
    assert said(HONEST[:-40]) == (5, "nobody", len(lines()) - 1, None)


def test_a_file_without_its_last_line_feed_is_incomplete() -> None:
    assert said(HONEST[:-1])[:2] == (5, "nobody")


def test_a_file_cut_at_a_deal_boundary_is_incomplete() -> None:
    number = find("deal_open", 3)
    assert said(b"".join(lines()[:number])) == (5, "nobody", number, None)


def test_a_file_cut_inside_a_deal_is_incomplete() -> None:
    number = find("action", 3)
    assert said(b"".join(lines()[:number])) == (5, "nobody", number, 3)


def test_an_empty_file_is_incomplete() -> None:
    assert said(b"")[:2] == (5, "nobody")


def test_a_pinned_key_that_is_not_the_files_speaks_against_the_key() -> None:
    failure = verdict_of(HONEST, pinned=OTHER_KEY.public).failure
    assert failure is not None
    assert (failure.exit, failure.party, failure.seq) == (4, "key", 0)


def test_a_file_of_which_no_signature_verifies_speaks_against_the_key() -> None:
    script = sealed_match(
        1,
        key=OTHER_KEY,
        change=on(MatchOpen, None, lambda e: replace(e, referee_key=KEY.public.text)),
    )
    assert said(script.text) == (4, "key", 0, None)


def test_a_line_rewritten_with_all_after_it_speaks_against_the_file() -> None:
    """Somebody without the key changes an event and rebuilds the chain behind it."""
    honest = sealed_match(2)
    number = find("action", 2, honest.text)
    forged = sealed_match(
        2, change=on(ActionTaken, 2, lambda e: replace(e, used_ms=99) if e.commit is None else e)
    )
    text = b"".join(
        mine if i < number else line_bytes(split_line(theirs[:-1])[0], split_line(mine[:-1])[1])
        for i, (mine, theirs) in enumerate(zip(honest.lines, forged.lines, strict=True))
    )
    assert said(text) == (4, "file", find("deal_close", 2, honest.text), 2)


def test_a_signature_taken_away_speaks_against_the_file() -> None:
    number = find("deck_root", 1)
    changed = lines()
    raw, _ = split_line(changed[number][:-1])
    changed[number] = line_bytes(raw, b"")
    assert said(b"".join(changed)) == (4, "file", number, 1)


def test_a_wrong_signature_where_none_is_needed_is_found() -> None:
    number = find("turn_up", 1)
    changed = lines()
    raw, _ = split_line(changed[number][:-1])
    changed[number] = line_bytes(raw, bytes(64))
    assert said(b"".join(changed)) == (4, "file", number, 1)


def test_a_signature_on_another_kind_is_allowed() -> None:
    class Eager(Script):
        def add(self, event: Event) -> int:
            seq = super().add(event)
            raw, _ = split_line(self.lines[-1][:-1])
            self.lines[-1] = line_bytes(raw, sign_event(self.key, self.writer.head))
            return seq

    script = Eager()
    script.open_match()
    script.draw()
    script.close_match(winner=0)
    assert verdict_of(script.text).exit == 0


def test_a_key_of_small_order_speaks_against_the_key() -> None:
    raw = b"\x01" + bytes(31)
    text = f"n+{key_id('n', raw)}+{b64encode(raw).decode()}"
    script = sealed_match(1, change=on(MatchOpen, None, lambda e: replace(e, referee_key=text)))
    assert said(script.text) == (4, "key", 0, None)


def test_two_signed_events_of_one_number_speak_against_the_referee() -> None:
    """A second commit set, signed too, laid beside the first."""
    other = sealed_match(1, change=on(CommitSet, 1, lambda e: replace(e, cset=swap_hex(e.cset))))
    number = find("commit_set", 1)
    text = b"".join([*lines()[: number + 1], other.lines[number], *lines()[number + 1 :]])
    assert said(text) == (3, "referee", number, 1)


def test_a_line_of_another_match_breaks_the_chain() -> None:
    other = sealed_match(match=bytes(16))
    number = find("deal_open", 2)
    text = b"".join([*lines()[:number], *other.lines[number:]])
    assert said(text) == (3, "file", number, 2)


def test_a_match_without_match_open_is_no_transcript() -> None:
    script = Script()
    script.draw()
    assert said(script.text)[:2] == (6, "file")


@pytest.mark.parametrize(
    "edit",
    [
        lambda line: line.replace(b'"deal":1', b'"deal": 1'),
        lambda line: line.replace(b'"deal":1', b'"deal":01'),
        lambda line: line.replace(b'"deal":1', b'"deal":1.0'),
        lambda line: line.replace(b'"deal":1', b'"deal":1,"deal":1'),
        lambda line: line.replace(b'"deal":1', b'"deal":-1'),
        lambda line: line.replace(b'"deal":1', b'"deal":null'),
        lambda line: line.replace(b"deal_open", b"deal\\u005fopen"),
        lambda line: b"\xef\xbb\xbf" + line,
        lambda line: line[:-1] + b" \n",
        lambda line: line[:-1] + b"\r\n",
        lambda line: b"\n" + line,
    ],
)
def test_a_form_that_is_not_canonical_is_unreadable(edit: Callable[[bytes], bytes]) -> None:
    number = find("deal_open", 1)
    changed = lines()
    changed[number] = edit(changed[number])
    assert said(b"".join(changed)) == (6, "file", number, None)


def test_an_unknown_field_that_is_signed_speaks_against_the_referee() -> None:
    class Chatty(DealOpen):
        kind = "deal_open"

        def fields(self) -> dict[str, object]:  # type: ignore[override]  # a wrong event
            return {**super().fields(), "note": "x"}

    script = sealed_match(
        1, change=on(DealOpen, 1, lambda e: Chatty(deal=e.deal, dealer=e.dealer, cutter=e.cutter))
    )
    failure = verdict_of(script.text).failure
    assert failure is not None
    assert (failure.exit, failure.party) == (3, "referee")
    assert "unknown field 'note'" in failure.message


def test_a_fault_may_close_a_deal_before_its_commit_set() -> None:
    script = Script()
    script.open_match()
    script.draw()
    script.add(DealOpen(deal=1, dealer=script.turned_dealer))
    fault = Played((), outcome="fault", faults=(Fault(2, "WITHHELD"),))
    script.close_deal(1, fault, None, ())
    script.close_match("forfeit", by=2, winner=1)
    verdict = verdict_of(script.text)
    assert verdict.exit == 0
    assert [(f.deal, f.seat, f.why) for f in verdict.totals.faults] == [(1, 2, "WITHHELD")]
    assert verdict.totals.verified == 1


def test_play_cannot_close_a_deal_before_its_deck() -> None:
    script = Script()
    script.open_match()
    script.draw()
    script.add(DealOpen(deal=1, dealer=script.turned_dealer))
    script.close_deal(1, Played(()), None, ())
    script.close_match(winner=0)
    assert said(script.text)[:2] == (3, "referee")


def test_a_deal_voided_after_its_commit_set_is_counted() -> None:
    def stop(event: Event) -> Event:
        return replace(event, outcome="void") if isinstance(event, DealClose) else event

    script = Script()
    script.open_match()
    script.draw()
    script.change = stop
    script.play(1, script.turned_dealer)
    script.close_match("void")
    verdict = verdict_of(script.text)
    assert (verdict.exit, verdict.totals.voided) == (0, 1)


def test_events_after_the_close_are_refused() -> None:
    script = sealed_match(1)
    script.close_match(winner=0)
    assert said(script.text)[:2] == (3, "referee")


def test_a_move_of_a_signing_seat_without_signature_is_found() -> None:
    change = on(ActionTaken, 1, lambda e: replace(e, seat_sig=None))
    script = sealed_match(1, levels=("signs",) * 4, change=change)
    assert said(script.text)[:2] == (4, "referee")


def test_a_fallback_of_a_signing_seat_needs_no_signature() -> None:
    def late(_: object, dealer: int) -> Played:
        left = (dealer + 1) % 4
        fault = Fault(left, "TIMEOUT")
        return Played((Move(left, "pass", fallback="TIMEOUT"),), faults=(fault,))

    script = Script(levels=("signs",) * 4)
    script.open_match()
    script.draw()
    script.play(1, script.turned_dealer, late)
    script.close_match(winner=0)
    assert verdict_of(script.text).exit == 0


def test_a_reveal_signed_by_another_seat_is_found() -> None:
    change = on(RevealSet, 1, lambda e: replace(e, sigs=(e.sigs[1], *e.sigs[1:])))
    script = sealed_match(1, levels=("signs",) * 4, change=change)
    assert said(script.text)[:2] == (4, "referee")


@pytest.mark.parametrize(
    ("levels", "seed_by", "words"),
    [
        (("signs",) * 4, ("seat",) * 4, "pinned"),
        (("plays", "signs", "signs", "signs"), ("seat",) * 4, "north has declined"),
        (("signs", "signs", "checks", "signs"), ("seat",) * 4, "south does not sign"),
        (("signs",) * 4, ("seat", "host", "seat", "seat"), "east had its seeds"),
    ],
)
def test_strict_says_what_is_weak(
    levels: tuple[str, ...], seed_by: tuple[str, ...], words: str
) -> None:
    script = sealed_match(1, levels=levels, seed_by=seed_by)
    pinned = None if words == "pinned" else KEY.public
    verdict = verdict_of(script.text, pinned=pinned, strict=True)
    assert (verdict.exit, verdict.stands) == (7, True)
    assert verdict.failure is not None
    assert words in verdict.failure.message
    assert verdict.failure.party is None


@pytest.mark.parametrize("deal", [0, 1, 3])
def test_a_proof_of_one_deal_is_verified_alone(deal: int) -> None:
    verdict = proof_verdict(prove_deal(iter(HONEST.splitlines()), deal))
    assert (verdict.exit, verdict.kind, verdict.totals.verified) == (0, "deal-proof", 1)


def test_a_proof_of_a_deal_that_is_not_there_is_refused() -> None:
    with pytest.raises(NoSuchDealError, match="no closed deal 9"):
        prove_deal(iter(HONEST.splitlines()), 9)


def test_a_proof_with_a_line_too_few_is_found() -> None:
    proof = json.loads(prove_deal(iter(HONEST.splitlines()), 2))
    del proof["lines"][4]
    text = json.dumps(proof, separators=(",", ":")).encode()
    failure = proof_verdict(text).failure
    assert failure is not None
    assert (failure.exit, failure.party) == (3, "file")


def test_a_proof_cut_before_the_close_is_incomplete() -> None:
    proof = json.loads(prove_deal(iter(HONEST.splitlines()), 2))
    del proof["lines"][-1]
    text = json.dumps(proof, separators=(",", ":")).encode()
    failure = proof_verdict(text).failure
    assert failure is not None
    assert (failure.exit, failure.party) == (5, "nobody")


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b'{"format":"euchre-deal-proof/1"}', b"\xff"])
def test_bytes_that_are_no_proof_are_unreadable(text: bytes) -> None:
    with pytest.raises(UnreadableError):
        proof_verdict(text)


def test_a_chain_of_another_match_does_not_continue() -> None:
    script = Script()
    script.chain = Chain(bytes(16), secret("other"), 64)
    script.open_match()
    script.match = bytes(16)
    script.draw()
    assert said(script.text)[:2] == (3, "referee")
