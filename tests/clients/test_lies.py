"""Each client under a referee that lies to it: it leaves with exit 3, and says what differs."""

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from referee.pb.euchre.referee.v1 import play_pb2, table_pb2
from referee.sealing import SigningKey
from referee.sealing.canonical import Json, dump
from referee.sealing.commit import commit_set
from referee.sealing.deck import SealedDeck, sealed_deck
from referee.sealing.leaves import leaf, tree_head
from referee.sealing.messages import rule_set_id
from referee.service.lies import (
    Closing,
    hidden_in_the_open,
    hidden_otherwise,
    late_blame,
    short_chain,
    thrown_away,
)
from referee.service.lying import Lies, Row
from tests.adversaries.support import Cheat
from tests.clients.known import Client
from tests.clients.lying import Story, told

NORTH, EAST = "north", "east"
SEAL, KEY = (3,), (2, 3)
OTHER: Final = SigningKey.from_bytes("other", bytes(range(32, 64)))
OTHER_BYTES: Final = bytes(range(64, 96))
OTHER_HEX: Final = OTHER_BYTES.hex()


def texts(value: Json) -> list[str]:
    """A list of texts of an event, which may be changed."""
    assert isinstance(value, list)
    return value


def rows(value: Json) -> list[Row]:
    """A list of objects of an event."""
    assert isinstance(value, list)
    return value


def at(kind: str, change: Callable[[Row], None]) -> Lies:
    """Change every event of a kind."""

    def row(event: Row) -> None:
        if event["kind"] == kind:
            change(event)

    return Lies(row=row)


def put(kind: str, /, **fields: Json) -> Lies:
    """Put other values into every event of a kind."""
    return at(kind, lambda row: row.update(fields))


class Match:
    """What of match_open a lie needs to be made to fit."""

    def __init__(self) -> None:
        self.id = b""
        self.pack = "E24"
        self.mine = ""
        self.root = b""

    def see(self, row: Row) -> None:
        if row["kind"] == "match_open":
            self.id = bytes.fromhex(str(row["match"]))
        if row["kind"] == "seat_commit" and row["seat"] == NORTH:
            self.mine = str(row["commit"])

    def seal(self, row: Row) -> None:
        """Make a commit set's hash that of what it holds now."""
        commits = [bytes.fromhex(text) for text in texts(row["commits"])]
        below = bytes.fromhex(str(row["r_commit"]))
        assert isinstance(row["deal"], int)
        row["cset"] = commit_set(self.id, row["deal"], self.pack, below, commits).hex()


def other_commits(*seats: int, own: bool = False) -> Lies:
    """A commit set with another commitment at some seats; `own` changes what the seats said too."""
    match = Match()

    def row(event: Row) -> None:
        match.see(event)
        if own and event["kind"] == "seat_commit" and _number(event["seat"]) in seats:
            event["commit"] = OTHER_HEX
        if event["kind"] == "commit_set":
            for seat in seats:
                texts(event["commits"])[seat] = OTHER_HEX
            match.seal(event)

    return Lies(row=row)


def _number(seat: Json) -> int:
    return ("north", "east", "south", "west").index(str(seat))


def other_link() -> Lies:
    match = Match()

    def row(event: Row) -> None:
        match.see(event)
        if event["kind"] == "commit_set":
            event["r_commit"] = OTHER_HEX
            match.seal(event)

    return Lies(row=row)


def other_rules() -> Lies:
    def change(row: Row) -> None:
        rules = row["rules"]
        assert isinstance(rules, dict)
        rules["target"] = "11"
        row["rule_set"] = rule_set_id(dump(rules)).hex()

    return at("match_open", change)


def entry(**fields: str) -> Lies:
    """Another entry of north in match_open."""
    return at("match_open", lambda row: rows(row["seats"])[0].update(fields))


def other_seed(seat: int) -> Lies:
    def change(row: Row) -> None:
        texts(row["seeds"])[seat] = OTHER_HEX

    return at("reveal_set", change)


def other_leaves(*places: int) -> Lies:
    """Other leaves under another root, which the private deal names too."""
    match = Match()

    def row(event: Row) -> None:
        if event["kind"] == "deck_root":
            for place in places:
                texts(event["leaves"])[place] = OTHER_HEX
            match.root = tree_head([bytes.fromhex(text) for text in texts(event["leaves"])])
            event["root"] = match.root.hex()

    def cards(dealt: play_pb2.PrivateDeal) -> None:
        dealt.root = match.root

    return Lies(row=row, cards=cards)


def other_card(dealt: play_pb2.PrivateDeal) -> None:
    dealt.cards[0].card = "9C" if dealt.cards[0].card != "9C" else "TC"


def other_place(dealt: play_pb2.PrivateDeal) -> None:
    dealt.cards[0].position = (dealt.cards[0].position + 10) % 20


def other_root(dealt: play_pb2.PrivateDeal) -> None:
    dealt.root = OTHER_BYTES


def fewer_cards(dealt: play_pb2.PrivateDeal) -> None:
    del dealt.cards[4:]


def other_upcard(row: Row) -> None:
    row["card"] = "9C" if row["card"] != "9C" else "TC"


def unsigned(*kinds: str) -> Lies:
    return Lies(sig=lambda kind, sig: b"" if kind in kinds else sig)


def signed_by_nobody(*kinds: str) -> Lies:
    return Lies(sig=lambda kind, sig: sig[:32] + bytes(32) if kind in kinds else sig)


def signed_by_another(kind: str) -> Lies:
    return Lies(sig=lambda its, sig: OTHER.sign(b"anything") if its == kind else sig)


def broken_chain(kind: str) -> Lies:
    def seam(row: Row) -> None:
        if row["kind"] == kind:
            row["prev"] = OTHER_HEX

    return Lies(seam=seam)


def skipped_number(row: Row) -> None:
    assert isinstance(row["seq"], int)
    row["seq"] += 1


def swapped_deck(row: Row) -> None:
    deck = str(row["deck"]).split(" ")
    row["deck"] = " ".join([deck[1], deck[0], *deck[2:]])


def other_opening(row: Row) -> None:
    if row["openings"]:
        rows(row["openings"])[0]["blinds"] = [OTHER_HEX]


def no_opening(row: Row) -> None:
    row["openings"] = []


def own_move(change: Callable[[Row], None]) -> Lies:
    def moved(row: Row) -> None:
        if row["seat"] == NORTH and "commit" not in row and "fallback" not in row:
            change(row)

    return at("action", moved)


def another_word(row: Row) -> None:
    row["action"] = "order" if row["action"] == "pass" else "pass"


def played_for_us(row: Row) -> None:
    row["fallback"] = "TIMEOUT"


def jumped_deal(row: Row) -> None:
    assert isinstance(row["deal"], int)
    row["deal"] += row["deal"] > 1


def other_cutter(row: Row) -> None:
    row["cutter"] = "north" if row["cutter"] != "north" else "south"


def other_head(receipt: play_pb2.Receipt) -> None:
    receipt.items[0].head = OTHER_BYTES


def other_deal(receipt: play_pb2.Receipt) -> None:
    receipt.items[0].deal += 1


def no_items(receipt: play_pb2.Receipt) -> None:
    del receipt.items[:]


def strange_hand(view: table_pb2.View) -> None:
    seen = {*view.hand, view.upcard}
    view.hand[0] = next(card for card in ("9C", "TC", "JC", "QC", "KC", "AC") if card not in seen)


def stacked(cards: Callable[[list[str]], Sequence[str]]) -> Cheat:
    """A referee that seals another deck than the seeds give, true salts, leaves and all."""

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
        other = tuple(cards(list(true.cards)))
        pairs = enumerate(zip(other, true.salts, strict=True))
        leaves = tuple(leaf(match, deal, place, card, salt) for place, (card, salt) in pairs)
        return replace(true, cards=other, leaves=leaves, root=tree_head(leaves))

    return Cheat(sealer=deck)


@dataclass(frozen=True)
class Lie:
    """A lie, what the last line has to speak of, and up to what the seat may go."""

    name: str
    speaks_of: str
    story: Story
    exits: tuple[int, ...] = SEAL
    heavy: bool = True


def lie(
    name: str,
    speaks_of: str,
    lies: Lies,
    *,
    exits: tuple[int, ...] = SEAL,
    heavy: bool = True,
) -> Lie:
    return Lie(name, speaks_of, Story(lies=lies), exits, heavy)


COMMITS: Final = (
    lie("another seat's commitment changed", "commit", other_commits(1), heavy=False),
    lie("our commitment missing", "commit", other_commits(0)),
    lie("our commitment changed as it arrives", "commit", other_commits(0, own=True)),
    lie("a commitment copied", "commit|same|alike|equal|twice", other_commits(1, 2, 3, own=True)),
    lie(
        "a commit set under another hash",
        "cset|commit set|commit_set",
        put("commit_set", cset=OTHER_HEX),
    ),
    lie("a link that is not of the chain", "chain|r_commit|link", other_link()),
    lie("a commit set that is not signed", "sign", unsigned("commit_set")),
    lie("a commit set that is signed wrongly", "sign", signed_by_nobody("commit_set")),
    lie("a commit set signed by another", "sign", signed_by_another("commit_set")),
    lie("another cutter", "cut", at("deal_open", other_cutter)),
)
OPENINGS: Final = (
    lie(
        "another upcard",
        "leaf|sealed|open|upcard|turn_up|position 20",
        at("turn_up", other_upcard),
        heavy=False,
    ),
    lie(
        "an upcard under another salt",
        "leaf|sealed|open|upcard|turn_up",
        put("turn_up", salt=OTHER_HEX),
    ),
    lie("another card of ours", "sealed|leaf|card", Lies(cards=other_card), heavy=False),
    lie("a card of another's place", "card|position|place|those", Lies(cards=other_place)),
    lie("too few cards", "card|position|place|those", Lies(cards=fewer_cards)),
    lie("cards under another root", "root", Lies(cards=other_root)),
    lie("cards that are not signed", "sign", Lies(cards_sig=bytes(64))),
    lie("a root that is not of the leaves", "root", put("deck_root", root=OTHER_HEX)),
    lie("the leaves of all hands changed", "leaf|sealed|card", other_leaves(*range(20))),
    lie("a leaf of the kitty changed", "leaf|deck|derive", other_leaves(23)),
    lie("another's seed changed", "seed|commit", other_seed(1)),
    lie("our seed changed", "seed|commit", other_seed(0)),
    lie("a hand that we do not hold", "card|hand|view|dealt", Lies(view=strange_hand)),
)
RECORD: Final = (
    lie("an event that breaks the chain", "chain|prev", broken_chain("turn_up")),
    lie("an event of another number", "seq|event \\d+|number", at("turn_up", skipped_number)),
    lie("an opening of the match that is not signed", "sign", unsigned("match_open")),
    lie("a deck that is not signed", "sign", unsigned("deck_root"), heavy=False),
    lie("a close that is signed wrongly", "sign", signed_by_nobody("deal_close")),
    lie("our move changed", "move|action", own_move(another_word), heavy=False),
    lie("a move of ours that was accepted and denied", "accepted|move", own_move(played_for_us)),
    lie(
        "a move of ours that was denied and then accepted",
        "accepted|move",
        replace(own_move(played_for_us), late=True),
    ),
    lie("a deal left out", "deal", at("deal_open", jumped_deal)),
    lie("an event of a strange kind", "kind|event", put("turn_up", kind="turn_down")),
    lie("another level of ours", "level|seat|entered|names", entry(level="seeds")),
    lie("another name of ours", "name|seat|entered", entry(name="somebody")),
    lie("seeds that a host has drawn", "seed|seat|entered", entry(seed_by="host")),
    lie("another match", "match", put("match_open", match="00" * 16)),
    lie("other rules than Welcome named", "rule", other_rules()),
    lie("a rule set under another hash", "rule", put("match_open", rule_set=OTHER_HEX)),
    lie(
        "another key than Welcome showed",
        "key|sign",
        put("match_open", referee_key=OTHER.public.text),
        exits=KEY,
    ),
)
CLOSE: Final = (
    lie("another deck named at the close", "deck", at("deal_close", swapped_deck), heavy=False),
    lie("a secret that is not of the chain", "chain|r ", put("deal_close", r=OTHER_HEX)),
    lie("a hidden card opened wrongly", "open|hid|blind", at("deal_close", other_opening)),
    lie("a hidden card never opened", "open|hid", at("deal_close", no_opening)),
    Lie(
        "another deck sealed than the seeds give",
        "deck|leaf|derive",
        Story(cheat=stacked(lambda cards: [cards[20], *cards[1:20], cards[0], *cards[21:]])),
        heavy=False,
    ),
)
RECEIPTS: Final = (
    lie("a receipt for another record", "receipt", Lies(receipt=other_head), heavy=False),
    lie("a receipt for another deal", "receipt", Lies(receipt=other_deal)),
    lie("a receipt that is not signed", "receipt", Lies(receipt_sig=bytes(64))),
    lie("no receipt at all", "receipt", Lies(receipt=no_items)),
)
ALL: Final = (*COMMITS, *OPENINGS, *RECORD, *CLOSE, *RECEIPTS)


def marked(lies: Sequence[Lie]) -> list[object]:
    return [
        pytest.param(
            lie, id=lie.name.replace(" ", "-"), marks=[pytest.mark.heavy] if lie.heavy else []
        )
        for lie in lies
    ]


@pytest.mark.parametrize("lie", marked(ALL))
def test_a_lie_is_found_out_and_said(client: Client, lie: Lie, tmp_path: Path) -> None:
    left = told(client, lie.story, tmp_path)
    assert left.exit in lie.exits, (left.exit, left.said)
    assert re.search(lie.speaks_of, left.last, re.IGNORECASE), left.last
    if lie in COMMITS:
        assert left.liar.said("reveal") == []


ENDINGS: Final = (
    lie("said to have withheld in a deal that was played", "withheld", late_blame(), heavy=False),
    lie("a match that goes on after a deal thrown away", "void|match_close", thrown_away()),
    lie("a deal beyond the end of the chain", "chain", short_chain()),
    lie("two cards opened where one was hidden", "open|position", hidden_otherwise(0, 1)),
    lie("a card opened beyond the pack", "open|position", hidden_otherwise(24)),
    lie("a card hidden without a commitment", "hid|commit", hidden_in_the_open()),
)


@pytest.mark.parametrize("lie", marked(ENDINGS))
def test_a_lie_about_how_a_deal_ends_is_found_out_and_said(
    client: Client, lie: Lie, tmp_path: Path
) -> None:
    left = told(client, lie.story, tmp_path)
    assert left.exit == 3, (left.exit, left.said)
    assert re.search(lie.speaks_of, left.last, re.IGNORECASE), left.last


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("ending", "speaks_of"),
    [(Closing.withheld, "our reveal was accepted"), (Closing.cut_short, "fault or a void")],
    ids=["withheld-after-our-reveal-was-accepted", "played-without-a-deck"],
)
def test_a_deal_that_is_closed_before_its_deck_is_held_against_what_was_accepted(
    client: Client, ending: Callable[[Closing], Lies], speaks_of: str, tmp_path: Path
) -> None:
    drawn: list[bytes] = []

    def chance(size: int) -> bytes:
        drawn.append(secrets.token_bytes(size))
        return drawn[-1]

    left = told(client, Story(lies=ending(Closing(drawn)), chance=chance), tmp_path)
    assert left.exit == 3, (left.exit, left.said)
    assert speaks_of in left.last


def drops_first(kind: str) -> Callable[[play_pb2.PlayInput], bool]:
    """Drop the line at the first input of a kind."""
    dropped: list[bytes] = []

    def cut(said: play_pb2.PlayInput) -> bool:
        if said.WhichOneof("input") != kind or dropped:
            return False
        dropped.append(said.request_id)
        return True

    return cut


@pytest.mark.heavy
def test_what_was_not_answered_goes_again_under_the_same_request_id(
    client: Client, tmp_path: Path
) -> None:
    dropped: list[play_pb2.PlayInput] = []

    def once(said: play_pb2.PlayInput) -> bool:
        if said.WhichOneof("input") in {one.WhichOneof("input") for one in dropped}:
            return False
        dropped.append(said)
        return True

    left = told(client, Story(lies=Lies(cut=once), knobs={"target": "1"}), tmp_path)
    assert left.exit == 0, left.said
    assert [said.WhichOneof("input") for said in dropped] == ["commit", "reveal", "act"]
    for said in dropped:
        assert left.liar.inputs.count(said) == 2
    assert [hello.resume > 0 for hello in left.liar.hellos] == [False, True, True, True]


def test_a_seed_is_never_shown_for_a_second_commit_set_after_a_restart(
    client: Client, tmp_path: Path
) -> None:
    first = Lies(cut=drops_first("reveal"))
    left = told(client, Story(lies=first, again=other_commits(1, own=True)), tmp_path)
    assert left.exit == 3, left.said
    assert re.search("commit set|commit_set|cset", left.last), left.last
    (shown,) = left.liar.said("reveal")
    assert len(shown.reveal.seed) == 32


@pytest.mark.heavy
def test_a_second_commit_set_after_a_lost_connection_is_not_answered(
    client: Client, tmp_path: Path
) -> None:
    match = Match()
    sets: list[Row] = []

    def row(event: Row) -> None:
        match.see(event)
        if event["kind"] == "commit_set":
            sets.append(dict(event))
        elif event["kind"] == "reveal_set" and sets:
            event.clear()
            event.update(sets[0])
            texts(event["commits"])[1] = OTHER_HEX
            match.seal(event)

    left = told(client, Story(lies=Lies(row=row)), tmp_path)
    assert left.exit == 3, left.said
    assert len({bytes(said.reveal.cset) for said in left.liar.said("reveal")}) == 1


@pytest.mark.heavy
def test_a_match_id_under_another_chain_is_left_after_a_restart(
    client: Client, tmp_path: Path
) -> None:
    first, again = Lies(cut=drops_first("reveal")), put("match_open", r0=OTHER_HEX)
    left = told(client, Story(lies=first, again=again), tmp_path)
    assert left.exit == 3, left.said
    assert re.search("r0|chain", left.last), left.last
    assert len(left.liar.said("reveal")) == 1


@pytest.mark.heavy
@pytest.mark.parametrize("pinned", [True, False], ids=["pinned", "not-pinned"])
def test_another_key_after_a_lost_connection_is_refused(
    client: Client, tmp_path: Path, *, pinned: bool
) -> None:
    seen: list[play_pb2.Welcome] = []

    def welcome(given: play_pb2.Welcome) -> None:
        seen.append(given)
        if len(seen) > 1:
            given.referee_key = OTHER.public.raw

    lies = Lies(welcome=welcome, cut=drops_first("act"))
    left = told(client, Story(lies=lies, pinned=pinned), tmp_path)
    assert left.exit in KEY, left.said
    assert "key" in left.last
    assert len(left.liar.said("act")) == 1


def test_another_key_than_the_pinned_one_is_refused_before_anything_is_said(
    client: Client, tmp_path: Path
) -> None:
    def welcome(given: play_pb2.Welcome) -> None:
        given.referee_key = OTHER.public.raw

    left = told(client, Story(lies=Lies(welcome=welcome)), tmp_path)
    assert left.exit == 2, left.said
    assert OTHER.public.raw != left.liar.hellos[0].key
    assert left.liar.inputs == []


POOR: Final = ("9C", "9D", "TC", "TD", "9S")
NORTHS_PLACES: Final = (3, 4, 5, 14, 15)
"""Where packets of three and two put north's cards when south deals."""
MATCH_ID: Final = b"one match id for all"[:16]
SWAPS: Final = 10
"""Ways to give three of five cards away; sorted behind the one word of who declines."""


def poor_north(deck: list[str]) -> list[str]:
    """A first deal in which north holds a farmer's hand."""
    rest = [card for card in deck if card not in POOR]
    for place, card in zip(NORTHS_PLACES, POOR, strict=True):
        rest.insert(place, card)
    return rest


def seed_that_swaps() -> str:
    """A seed for the random bot under which it swaps, whenever in the first round it is asked."""

    def swaps(seed: int, seq: int) -> bool:
        digest = sha256(f"{seed}/{MATCH_ID.hex()}/{seq}/north".encode()).digest()
        return int.from_bytes(digest[:4], "big") % (SWAPS + 1) > 0

    return str(next(seed for seed in count() if all(swaps(seed, seq) for seq in range(9, 15))))


@pytest.mark.heavy
def test_cards_of_a_swap_that_are_not_the_sealed_ones_are_found_out(
    client: Client, tmp_path: Path
) -> None:
    if not client.seeded:
        pytest.skip("its bot has no --seed, and swaps as chance will have it")
    dealt: list[int] = []
    drawn = [MATCH_ID]

    def cards(given: play_pb2.PrivateDeal) -> None:
        dealt.append(len(given.cards))
        if len(given.cards) == 3:
            other_card(given)

    story = Story(
        lies=Lies(cards=cards),
        cheat=stacked(poor_north),
        knobs={"farmers_hand": "swap_three"},
        chance=lambda size: drawn.pop() if drawn else secrets.token_bytes(size),
        flags=("--seed", seed_that_swaps()),
    )
    left = told(client, story, tmp_path)
    assert dealt == [5, 3]
    assert left.exit == 3, left.said
    assert re.search("sealed|leaf|card", left.last), left.last
