"""Recomputing a vectors file (`euchre-sealed-vectors/1`): each field that differs, by its path.

For porters: it says whether this implementation and the file's agree, and where they part.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from referee.sealing.boardvectors import BOARDS_FORMAT, check_boards
from referee.sealing.canonical import parse
from referee.sealing.chain import Chain, link_below
from referee.sealing.claims import CLAIMS_FORMAT, check_claims
from referee.sealing.commit import commit_set, hidden_move, seat_commit, seat_seed
from referee.sealing.draw import dealer_draw
from referee.sealing.encode import Mac
from referee.sealing.errors import KeyFormError, UnreadableError
from referee.sealing.keys import SigningKey
from referee.sealing.leaves import leaves, salts, tree_head
from referee.sealing.messages import (
    Opening,
    ReceiptItem,
    key_id,
    move_bytes,
    private_deal_bytes,
    receipt_bytes,
    referee_bytes,
    reveal_bytes,
    rule_set_id,
)
from referee.sealing.node import Node
from referee.sealing.packs import LARGEST_PACK, PACKS
from referee.sealing.shuffle import Stream, deal_order, deck_key, first_seat, permutation
from referee.sealing.transcript import ZERO_HEAD, event_hash, split_line

FORMAT: Final = "euchre-sealed-vectors/1"


def check_vectors(text: bytes) -> tuple[int, list[str]]:
    """How many deals or claims a file holds, and a sentence for each thing that differs."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise UnreadableError("not a vectors file: it is not JSON") from err
    root = Node(value, "")
    named = root["format"].value if root.has("format") else None
    if named == CLAIMS_FORMAT:
        return check_claims(root)
    if named == BOARDS_FORMAT:
        return check_boards(root)
    if named != FORMAT:
        raise UnreadableError(
            f"not a vectors file: its format is none of {FORMAT!r}, {CLAIMS_FORMAT!r}"
            f" and {BOARDS_FORMAT!r}"
        )
    match = root["match"].raw()
    found = list(_chain(root["chain"], match)) if root.has("chain") else []
    deals = {deal["id"].text(): deal for deal in root["deals"].items()}
    for deal in deals.values():
        found += _deal(deal, match)
    if root.has("transcript"):
        found += _transcript(root["transcript"])
    if root.has("messages"):
        found += _messages(root["messages"], root, deals, match)
    return len(deals), found


def _chain(node: Node, match: bytes) -> Iterator[str]:
    chain = Chain(match, node["last"].raw(), node["length"].number())
    yield from node["first"].differs(chain.first)
    yield from node["second"].differs(chain.commitment(1))


def _deal(node: Node, match: bytes) -> Iterator[str]:
    pack, deal = node["pack"].text(), node["deal"].number()
    if pack not in PACKS:
        raise UnreadableError(f"{node['pack'].path}: unknown pack {pack!r}")
    cutter, cut = node["cutter"].maybe_number(), node["cut"].maybe_number()
    if cut is not None and cut >= len(PACKS[pack]):
        raise UnreadableError(f"{node['cut'].path}: {pack} cannot be cut at {cut}")
    seeds = [seed.raw() for seed in node["seeds"].items()]
    r = node["r"].raw()
    commits = [
        seat_commit(match, deal, seat, seed, cut if seat == cutter else None)
        for seat, seed in enumerate(seeds)
    ]
    yield from node["seat_commits"].differs(commits)
    below = link_below(match, deal + 1, r)
    yield from node["referee_commitment"].differs(below)
    cset = commit_set(match, deal, pack, below, commits)
    yield from node["commit_set"].differs(cset)
    raw_key = deck_key(cset, r, seeds, cut)
    yield from node["deck_key"].differs(raw_key)
    key = Mac(raw_key)
    stream = Stream(key)
    cards = deal_order(pack, permutation(stream, len(PACKS[pack])), cut)
    yield from node["stream_bytes"].differs(stream.taken)
    yield from node["rejected"].differs(stream.rejected)
    yield from node["deck"].differs(" ".join(cards))
    all_salts = salts(key, len(cards))
    yield from node["first_salt"].differs(all_salts[0])
    all_leaves = leaves(match, deal, cards, all_salts)
    yield from node["leaves"].differs(all_leaves)
    yield from node["root"].differs(tree_head(all_leaves))
    if node.has("dealer_draw"):
        drawn = node["dealer_draw"]
        start = first_seat(key)
        draw = dealer_draw(cards, "black_jack", start)
        yield from drawn["start_seat"].differs(start)
        yield from drawn["turned"].differs(len(draw.turned))
        yield from drawn["dealer"].differs(draw.dealer)


def _signing_key(root: Node) -> SigningKey:
    return SigningKey.from_bytes("vectors", root["transcript"]["referee_private_key"].raw())


def _transcript(node: Node) -> Iterator[str]:
    try:
        key = SigningKey.from_bytes("vectors", node["referee_private_key"].raw())
    except KeyFormError as err:
        raise UnreadableError(f"{node.path}: {err}") from err
    yield from node["referee_public_key"].differs(key.public.raw)
    head = ZERO_HEAD
    for item in node["lines"].items():
        raw, sig = split_line(item["line"].text().encode("ascii", "replace"))
        parse(raw)
        head = event_hash(head, raw)
        yield from item["head"].differs(head)
        if not key.public.accepts(sig, referee_bytes(head)):
            yield f"{item.path}.line: the signature does not verify"


def _messages(node: Node, root: Node, deals: dict[str, Node], match: bytes) -> Iterator[str]:
    name = node["deal_id"].text()
    if name not in deals:
        raise UnreadableError(f"{node.path}.deal_id: no deal has the id {name!r}")
    deal, head, key = deals[name], node["head"].raw(), _signing_key(root)
    yield from _reveal_and_deal(node, deal, match, key)
    number = deal["deal"].number()
    hidden = node["hidden_move"]
    moved = (hidden["position"].number(), hidden["blind"].raw())
    yield from hidden["commit"].differs(
        hidden_move(match, number, hidden["seat"].number(), [moved])
    )
    for move in (node["seat_move"], node["hidden_seat_move"]):
        signed = move_bytes(match, number, move["seq"].number(), head, move["move"].text())
        yield from _signed(move, signed, key)
    receipt = node["receipt"]
    items = [
        ReceiptItem(match, item.at(0).number(), item.at(1).number(), head)
        for item in receipt["items"].items()
    ]
    yield from _signed(receipt, receipt_bytes(items), key)
    seed = node["seat_seed"]
    yield from seed["seed"].differs(seat_seed(seed["secret"].raw(), match, seed["deal"].number()))
    yield from node["key_id"]["id"].differs(key_id(node["key_id"]["name"].text(), key.public.raw))
    rules = node["rule_set"]
    yield from rules["id"].differs(rule_set_id(rules["text"].text().encode("ascii", "replace")))


def _reveal_and_deal(node: Node, deal: Node, match: bytes, key: SigningKey) -> Iterator[str]:
    number, cset = deal["deal"].number(), deal["commit_set"].raw()
    reveal = node["reveal"]
    seat = reveal["seat"].number()
    commit = deal["seat_commits"].at(seat).raw()
    signed = reveal_bytes(match, number, seat, cset=cset, commit=commit, head=node["head"].raw())
    yield from _signed(reveal, signed, key)
    private = node["private_deal"]
    cards = deal["deck"].text().split(" ")
    all_salts = salts(Mac(deal["deck_key"].raw()), LARGEST_PACK)
    places = [p.number() for p in private["positions"].items()]
    if max(places, default=0) >= len(cards):
        raise UnreadableError(f"{private.path}.positions: the deck has {len(cards)} cards")
    entries = [Opening(p, cards[p], all_salts[p]) for p in places]
    signed = private_deal_bytes(
        match, number, private["seat"].number(), deal["root"].raw(), entries
    )
    yield from _signed(private, signed, key)


def _signed(node: Node, ours: bytes, key: SigningKey) -> Iterator[str]:
    """What differs in a message's bytes, and whether its signature is the key's."""
    if node.has("signed_bytes"):
        yield from node["signed_bytes"].differs(ours)
    else:
        yield from node["signed_bytes_sha256"].differs(sha256(ours).digest())
    if node.has("sig") and not key.public.accepts(node["sig"].raw(), ours):
        yield f"{node.path}.sig: the signature does not verify"
