"""Judging the claims of a derivation vectors file (`euchre-derivation-vectors/1`).

Each case claims something about bytes: a link, a commitment, a deck, a signature. The judgement
here uses the same functions as the verifier of whole files, so a port can be held against it.
"""

from collections.abc import Callable, Iterator
from typing import Final

from referee.sealing.canonical import parse
from referee.sealing.chain import link_below
from referee.sealing.commit import commit_set, hidden_move, reveal_fault, seat_commit, seat_seed
from referee.sealing.deck import sealed_deck
from referee.sealing.draw import METHODS, dealer_draw
from referee.sealing.encode import Mac
from referee.sealing.errors import DealProofError, KeyFormError, UnreadableError
from referee.sealing.keys import parse_key
from referee.sealing.leaves import leaf, tree_head
from referee.sealing.messages import (
    Opening,
    ReceiptItem,
    move_bytes,
    private_deal_bytes,
    receipt_bytes,
    reveal_bytes,
)
from referee.sealing.node import Node
from referee.sealing.packs import PACKS, SEATS
from referee.sealing.parts import CARDS_MOVED
from referee.sealing.roster import Roster, RosterError
from referee.sealing.shuffle import Stream, first_seat
from referee.sealing.transcript import event_hash

CLAIMS_FORMAT: Final = "euchre-derivation-vectors/1"


def check_claims(root: Node) -> tuple[int, list[str]]:
    """How many claims a file holds, and a sentence for each whose result is not ours."""
    cases = root["cases"].items()
    found = []
    for case in cases:
        name, result = case["id"].text(), case["result"].text()
        if result not in {"valid", "invalid"}:
            raise UnreadableError(f"{case.path}.result: valid or invalid, not {result!r}")
        ours = "valid" if claim_holds(case["op"].text(), case["input"]) else "invalid"
        if ours != result:
            found.append(f"{name}: the file says {result}, judged {ours}")
    return len(cases), found


def claim_holds(op: str, given: Node) -> bool:
    """Whether a claim holds; UnreadableError where it is none."""
    if op not in _JUDGES:
        raise UnreadableError(f"{given.path}: unknown op {op!r}")
    try:
        return _JUDGES[op](given)
    except UnreadableError:
        raise
    except (DealProofError, KeyFormError, RosterError):
        return False


def _link(n: Node) -> bool:
    below = link_below(n["match"].raw(), n["k"].number(), n["link"].raw())
    return n["below"].raw() == below


def _seed(n: Node) -> bool:
    made = seat_seed(n["secret"].raw(), n["match"].raw(), n["deal"].number())
    return n["seed"].raw() == made


def _commit(n: Node) -> bool:
    match, deal, seat = n["match"].raw(), n["deal"].number(), n["seat"].number()
    seed, cut, commit = n["seed"].raw(), n["cut"].maybe_number(), n["commit"].raw()
    if n["cutter"].flag() != (cut is not None):
        return False
    if n["declined"].flag():
        return not seed and seat_commit(match, deal, seat, seed, cut) == commit
    pack = _pack(n)
    return not reveal_fault(match, deal, seat, pack=pack, commit=commit, seed=seed, cut=cut)


def _commit_set(n: Node) -> bool:
    commits = n["commits"].raws()
    made = commit_set(n["match"].raw(), n["deal"].number(), _pack(n), n["r_commit"].raw(), commits)
    return len(set(commits)) == len(commits) == len(SEATS) and n["cset"].raw() == made


def _below(n: Node) -> bool:
    class Given(Stream):
        """A stream whose bytes are given."""

        def byte(self) -> int:
            """The next byte given."""
            self.taken += 1
            return data[self.taken - 1]

    data = n["bytes"].raw()
    stream = Given(Mac(b""))
    value = stream.below(n["m"].number())
    return (value, stream.taken) == (n["value"].number(), n["taken"].number())


def _start(n: Node) -> bool:
    return first_seat(Mac(n["key"].raw())) == n["seat"].number()


def _deck(n: Node) -> bool:
    match, deal, pack = n["match"].raw(), n["deal"].number(), _pack(n)
    seeds, commits, r = n["seeds"].raws(), n["commits"].raws(), n["r"].raw()
    cutter, cut = n["cutter"].maybe_number(), n["cut"].maybe_number()
    declined = [item.flag() for item in n["declined"].items()]
    if (cutter is None) != (cut is None) or n["r_commit"].raw() != link_below(match, deal + 1, r):
        return False
    for seat, (seed, commit) in enumerate(zip(seeds, commits, strict=True)):
        mine = cut if seat == cutter else None
        if bool(seed) == declined[seat] or seat_commit(match, deal, seat, seed, mine) != commit:
            return False
    cset = commit_set(match, deal, pack, n["r_commit"].raw(), commits)
    deck = sealed_deck(match, deal, pack, r=r, cset=cset, seeds=seeds, cut=cut)
    return (list(deck.leaves), deck.root, deck.text) == (
        n["leaves"].raws(),
        n["root"].raw(),
        n["deck"].text(),
    )


def _draw(n: Node) -> bool:
    method = n["method"].text()
    if method not in METHODS:
        raise UnreadableError(f"{n.path}.method: unknown {method!r}")
    draw = dealer_draw(n["deck"].text().split(" "), method, n["start"].number())
    turned = tuple(item.number() for item in n["turned"].items())
    return (draw.turned, draw.dealer) == (turned, n["dealer"].number())


def _opens(n: Node, position: int, card: str, salt: bytes) -> bool:
    """Whether a card opens one of the leaves."""
    leaves = n["leaves"].raws()
    if position >= len(leaves) or not card.isascii():
        return False
    return leaf(n["match"].raw(), n["deal"].number(), position, card, salt) == leaves[position]


def _opening(n: Node) -> bool:
    card = n["card"].text()
    return (
        card in PACKS[_pack(n)]
        and tree_head(n["leaves"].raws()) == n["root"].raw()
        and _opens(n, n["position"].number(), card, n["salt"].raw())
    )


def _hidden(n: Node) -> bool:
    move = n["move"].text()
    if move not in CARDS_MOVED:
        raise UnreadableError(f"{n.path}.move: unknown {move!r}")
    places = [item.number() for item in n["positions"].items()]
    blinds = n["blinds"].raws()
    if len(places) != CARDS_MOVED[move] or places != sorted(set(places)):
        return False
    if places[-1] >= len(PACKS[_pack(n)]) or len(blinds) != len(places):
        return False
    cards = zip(places, blinds, strict=True)
    made = hidden_move(n["match"].raw(), n["deal"].number(), n["seat"].number(), cards)
    return n["commit"].raw() == made


def _form(n: Node) -> bool:
    try:
        parse(n["text"].text().encode("latin-1", "replace"))
    except UnreadableError:
        return False
    return True


def _event(n: Node) -> bool:
    return event_hash(n["prev"].raw(), n["event"].text().encode()) == n["head"].raw()


def _key(n: Node) -> bool:
    return bool(parse_key(n["key"].text()))


def _signed(n: Node, message: bytes) -> bool:
    return parse_key(n["key"].text()).accepts(n["sig"].raw(), message)


def _signature(n: Node) -> bool:
    return _signed(n, n["message"].raw())


def _reveal(n: Node) -> bool:
    where = n["match"].raw(), n["deal"].number(), n["seat"].number()
    return _signed(
        n,
        reveal_bytes(*where, cset=n["cset"].raw(), commit=n["commit"].raw(), head=n["head"].raw()),
    )


def _move(n: Node) -> bool:
    where = n["match"].raw(), n["deal"].number(), n["seq"].number()
    return _signed(n, move_bytes(*where, n["prev"].raw(), n["move"].text()))


def _private_deal(n: Node) -> bool:
    root, places = n["root"].raw(), [item.number() for item in n["positions"].items()]
    cards = [
        Opening(item["position"].number(), item["card"].text(), item["salt"].raw())
        for item in n["cards"].items()
    ]
    where = n["match"].raw(), n["deal"].number(), n["seat"].number()
    return (
        _signed(n, private_deal_bytes(*where, root, cards))
        and tree_head(n["leaves"].raws()) == root
        and [card.position for card in cards] == places
        and all(_opens(n, card.position, card.card, card.salt) for card in cards)
    )


def _receipt(n: Node) -> bool:
    def items() -> Iterator[ReceiptItem]:
        for item in n["items"].items():
            number, seq = item["deal"].number(), item["seq"].number()
            yield ReceiptItem(item["match"].raw(), number, seq, item["head"].raw())

    return _signed(n, receipt_bytes(items()))


def _roster(n: Node) -> bool:
    roster = Roster()
    try:
        for item in n["entries"].items():
            roster.add(item.object())
    except UnreadableError:
        return False
    return True


def _pack(n: Node) -> str:
    pack = n["pack"].text()
    if pack not in PACKS:
        raise UnreadableError(f"{n.path}.pack: unknown pack {pack!r}")
    return pack


_JUDGES: Final[dict[str, Callable[[Node], bool]]] = {
    "link": _link,
    "seed": _seed,
    "commit": _commit,
    "commit_set": _commit_set,
    "below": _below,
    "start": _start,
    "deck": _deck,
    "draw": _draw,
    "opening": _opening,
    "hidden": _hidden,
    "form": _form,
    "event": _event,
    "key": _key,
    "signature": _signature,
    "reveal": _reveal,
    "move": _move,
    "private_deal": _private_deal,
    "receipt": _receipt,
    "roster": _roster,
}
