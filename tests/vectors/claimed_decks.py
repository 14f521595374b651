"""Claims about streams, decks, leaves, openings and the dealer draw."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

from conformance.jsontypes import Json
from conformance.oracle import seal
from tests.vectors.claims import MATCH, OTHER_MATCH, Claim, Truth, drawn, flipped, hexes, numbers

SIZES = {"E24": 24, "E25": 25, "E28": 28, "E32": 32, "E25J": 25, "E33J": 33}
ALL = ["E24", "E25", "E28", "E32", "E25J", "E33J"]


def stream_claims() -> Iterator[Claim]:
    """`below`: so many bytes are taken and give this value; `start`: where a draw starts."""
    for name, comment, m, data, value in (
        ("1", "below 1 takes one byte", 1, "ff", 0),
        ("256", "below 256 takes every byte", 256, "ff", 255),
        ("24-last", "the last byte that 24 accepts", 24, "ef", 23),
        ("24-reject", "the first byte that 24 rejects", 24, "f005", 5),
        ("24-reject-twice", "two rejected bytes", 24, "f0ff18", 0),
        ("129", "below 129 only bytes up to 128 count", 129, "81ff80", 128),
        ("255", "below 255 only 255 is rejected", 255, "fffe", 254),
    ):
        taken = len(data) // 2
        yield Claim(f"below-{name}", comment, ("stream",), "below",
                    {"m": m, "bytes": data, "value": value, "taken": taken})  # fmt: skip
    for name, comment, m, data, value, taken in (
        ("modulo", "a byte that has to be rejected, taken modulo 24", 24, "f005", 0, 1),
        ("early", "a byte that need not be rejected", 24, "ef05", 5, 2),
        ("scaled", "a byte scaled instead of reduced", 24, "80", 12, 1),
        ("limit", "the limit itself is accepted", 129, "8105", 0, 1),
        ("count", "a rejected byte is not counted", 24, "f005", 5, 1),
    ):
        parts: dict[str, Json] = {"m": m, "bytes": data, "value": value, "taken": taken}
        yield Claim(f"below-{name}", comment, ("stream", "bias"), "below", parts, 3, "referee")
    key = next(
        drawn("start", n) for n in numbers()
        if seal.first_seat(drawn("start", n))
        != seal.below(seal.stream(drawn("start", n), "deck-stream"), 4)
    )  # fmt: skip
    true = Truth("start", "draw", {"key": key.hex(), "seat": seal.first_seat(key)})
    yield true.valid("start", "the start seat has a stream of its own")
    other = seal.below(seal.stream(key, "deck-stream"), 4)
    yield true.invalid("start-deck", "the start seat taken from the deck's stream", seat=other)


class Sealed:
    """One whole deal, as its file publishes it."""

    def __init__(
        self, pack: str = "E24", *, cutter: int | None = None, cut: int | None = None,
        declined: tuple[int, ...] = (), number: int = 0, deal: int = 5,
    ) -> None:  # fmt: skip
        self.deal, self.pack, self.cutter, self.cut = deal, pack, cutter, cut
        self.declined = declined
        self.seeds = [b"" if i in declined else drawn("seed", i, number) for i in range(4)]
        self.r = drawn("r", pack, number)
        self.below = seal.link_below(MATCH, deal + 1, self.r)
        cuts = [cut if i == cutter else None for i in range(4)]
        self.commits = [seal.seat_commit(MATCH, deal, i, self.seeds[i], cuts[i]) for i in range(4)]
        self.cset = seal.commit_set(MATCH, deal, pack, self.below, self.commits)
        self.key = seal.deck_key(self.cset, self.r, self.seeds, cut)
        self.dealt(seal.deck_of(self.key, pack, cut))

    def dealt(self, deck: list[str]) -> "Sealed":
        """The same deal with another deck under its leaves."""
        self.deck = deck
        self.salts = [seal.salt_of(self.key, p) for p in range(len(deck))]
        self.leaves = [
            seal.leaf(MATCH, self.deal, p, card, self.salts[p]) for p, card in enumerate(deck)
        ]
        return self

    def truth(self) -> Truth:
        parts: dict[str, Json] = {
            "match": MATCH.hex(), "deal": self.deal, "pack": self.pack,
            "r_commit": self.below.hex(), "r": self.r.hex(), "commits": hexes(self.commits),
            "declined": [i in self.declined for i in range(4)], "seeds": hexes(self.seeds),
            "cutter": self.cutter, "cut": self.cut, "leaves": hexes(self.leaves),
            "root": seal.tree_head(self.leaves).hex(), "deck": " ".join(self.deck),
        }  # fmt: skip
        return Truth("deck", "deck", parts)

    def taken(self) -> int:
        """How many bytes of the stream the shuffle takes."""
        count, source = 0, seal.stream(self.key, "deck-stream")

        def counted() -> Iterator[int]:
            nonlocal count
            for x in source:
                count += 1
                yield x

        step = counted()
        for i in range(SIZES[self.pack] - 1, 0, -1):
            seal.below(step, i + 1)
        return count


def first(pack: str, wanted: Callable[[Sealed], bool]) -> Sealed:
    """The first deal of a pack that shows what is wanted."""
    return next(deal for n in numbers() if wanted(deal := Sealed(pack, number=n)))


def deck_claims() -> Iterator[Claim]:
    """`deck`: everything that is published of a deal belongs together."""
    true = Sealed().truth()
    yield true.valid("deck", "24 cards, nothing cut")
    for pack in ALL[1:]:
        yield Sealed(pack).truth().valid(f"deck-{pack.lower()}", f"{SIZES[pack]} cards", "pack")
    for cut in (0, 7, 23):
        yield Sealed(cutter=3, cut=cut).truth().valid(f"deck-cut-{cut}", f"cut at {cut}", "cut")
    yield Sealed(declined=(1,)).truth().valid("deck-declined", "one seat declined", "declined")
    yield (
        Sealed(declined=(0, 1, 2, 3))
        .truth()
        .valid("deck-all-declined", "all seats declined: the referee alone", "declined")
    )
    yield Sealed(deal=0).truth().valid("deck-zero", "deal 0, for the dealer draw", "draw")
    yield (
        first("E24", lambda s: s.taken() == 23)
        .truth()
        .valid("deck-no-reject", "no byte is rejected", "stream")
    )
    yield (
        first("E24", lambda s: s.taken() > 24)
        .truth()
        .valid("deck-reject", "two bytes or more are rejected", "stream")
    )
    yield (
        first("E32", lambda s: s.taken() > 32)
        .truth()
        .valid("deck-second-block", "the stream runs into its second block", "stream")
    )
    yield (
        first("E33J", lambda s: s.taken() > 34)
        .truth()
        .valid("deck-second-block-deep", "33 cards, well into the second block", "stream")
    )
    yield (
        first("E24", lambda s: s.deck[-1] == seal.pack("E24")[-1])
        .truth()
        .valid("deck-last-stays", "the last card stays in its place", "stream")
    )
    yield from false_decks(true)
    yield from other_shuffles()


def false_decks(true: Truth) -> Iterator[Claim]:
    deal = Sealed()
    yield true.invalid("deck-r", "an r that its link does not hold", "chain", r=drawn("x").hex())
    yield true.invalid("deck-deal", "another deal number", "replay", deal=6)
    yield true.invalid("deck-match", "another match", "replay", match=OTHER_MATCH.hex())
    yield true.invalid("deck-root", "another root", root=flipped(seal.tree_head(deal.leaves).hex()))
    yield true.invalid("deck-leaf", "one leaf is changed, and so the root", leaves=hexes(
        [drawn("x"), *deal.leaves[1:]]),
        root=seal.tree_head([drawn("x"), *deal.leaves[1:]]).hex())  # fmt: skip
    yield true.invalid("deck-leaf-missing", "a leaf is missing", leaves=hexes(deal.leaves[:-1]),
                       root=seal.tree_head(deal.leaves[:-1]).hex())  # fmt: skip
    other = Sealed()
    two = other.dealt([other.deck[1], other.deck[0], *other.deck[2:]])
    yield two.truth().invalid("deck-swapped", "two cards sealed in each other's place")
    double = Sealed()
    double.dealt([double.deck[1], *double.deck[1:]])
    yield double.truth().invalid("deck-card-twice", "one card is sealed twice")
    yield true.invalid("deck-text", "the deck published is not the one sealed",
                       deck=" ".join(reversed(deal.deck)))  # fmt: skip
    yield true.invalid("deck-text-spaces", "two spaces in the deck's text",
                       deck="  ".join(deal.deck))  # fmt: skip
    seeds = hexes(deal.seeds)
    yield true.invalid("deck-seeds-swapped", "two seeds have changed seats",
                       seeds=[seeds[1], seeds[0], *seeds[2:]])  # fmt: skip
    yield true.invalid("deck-seed-filled", "a seed that the referee filled in",
                       seeds=[bytes(32).hex(), *seeds[1:]])  # fmt: skip
    yield true.invalid("deck-seed-empty", "an empty seed, and nobody has declined",
                       seeds=["", *seeds[1:]])  # fmt: skip
    cut = Sealed(cutter=3, cut=7)
    yield cut.truth().invalid("deck-cut-changed", "another cut than the committed one", "cut",
                              cut=8)  # fmt: skip
    yield cut.truth().invalid("deck-cut-other-seat", "a cut by another seat", "cut", cutter=2)
    uncut = Sealed(cutter=3, cut=7)
    uncut.dealt(seal.deck_of(uncut.key, "E24", None))
    yield uncut.truth().invalid("deck-cut-unused", "the cut is not made", "cut")
    yield true.invalid("deck-cut-late", "a cut after all, by nobody", "cut", cut=7,
                       deck=" ".join(seal.deck_of(deal.key, "E24", 7)))  # fmt: skip
    doubled = Sealed("E25")
    tree = doubled.leaves + [doubled.leaves[-1]] * 7
    yield doubled.truth().invalid("deck-tree-padded", "the tree is filled up with its last leaf",
                                  "tree", root=seal.tree_head(tree).hex())  # fmt: skip
    flat = sha256(b"".join(deal.leaves)).hexdigest()
    yield true.invalid("deck-tree-flat", "a hash of all leaves in place of a tree", "tree",
                       root=flat)  # fmt: skip


def swapped(deal: Sealed, steps: Iterable[tuple[int, int]]) -> list[str]:
    """The pack after these swaps."""
    cards = seal.pack(deal.pack)
    for i, j in steps:
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def modulo(deal: Sealed) -> list[str]:
    source = seal.stream(deal.key, "deck-stream")
    return swapped(deal, ((i, next(source) % (i + 1)) for i in range(23, 0, -1)))


def sattolo(deal: Sealed) -> list[str]:
    source = seal.stream(deal.key, "deck-stream")
    return swapped(deal, ((i, seal.below(source, i)) for i in range(23, 0, -1)))


def upwards(deal: Sealed) -> list[str]:
    source = seal.stream(deal.key, "deck-stream")
    return swapped(deal, ((i, seal.below(source, i + 1)) for i in range(1, 24)))


def keyed(deal: Sealed, parts: bytes) -> list[str]:
    """The deck under a key made of other parts than the seal's."""
    return seal.deck_of(seal.mac(seal.th("deck-salt", deal.cset), parts), "E24", None)


def mixed(deal: Sealed) -> bytes:
    """All contributions combined by exclusive or."""
    total = bytes(32)
    for part in (deal.r, *deal.seeds):
        total = bytes(a ^ b for a, b in zip(total, part, strict=True))
    return total


def other_shuffles() -> Iterator[Claim]:
    """Decks made in a way that is not the seal's, under leaves that fit them."""
    deal = first("E24", lambda s: s.taken() > 24)
    for name, comment, flag, deck in (
        ("modulo", "bytes taken modulo, none rejected", "bias", modulo(deal)),
        ("sattolo", "a shuffle in which no card stays", "bias", sattolo(deal)),
        ("upwards", "the shuffle runs the other way", "stream", upwards(deal)),
        ("key-joined", "the key's parts without their lengths", "encoding",
         keyed(deal, deal.r + b"".join(deal.seeds))),
        ("key-xor", "contributions combined by exclusive or", "encoding", keyed(deal, mixed(deal))),
        ("key-short", "the reserved last field of the key is left out", "encoding",
         keyed(deal, seal.lp(deal.r, *deal.seeds, b""))),
        ("key-published", "the deck follows from what was published first", "encoding",
         seal.deck_of(deal.cset, "E24", None)),
        ("key-32-bit", "the deck follows from four bytes", "encoding",
         seal.deck_of(seal.mac(b"", deal.r[:4]), "E24", None)),
    ):  # fmt: skip
        yield deal.dealt(deck).truth().invalid(f"deck-{name}", comment, flag)


def draw_claims() -> Iterator[Claim]:
    """`draw`: these positions are turned from the start seat, and this seat deals."""
    rest = "9C TC QC KC AC 9D TD QD KD AD"
    for name, comment, method, deck, start, turned, dealer in (
        ("jack-first", "the first card is a black jack", "black_jack", "JS 9C TC", 2, 1, 2),
        ("jack-red", "a red jack does not count", "black_jack", "JH JD 9C JC TC", 1, 4, 0),
        ("jack-any", "a red jack counts", "any_jack", "9C JH JC TC", 3, 2, 0),
        ("low", "the lowest card deals", "draw_low", "TH 9D QS KC " + rest, 0, 4, 1),
        ("low-ace", "the ace is low", "draw_low", "TH 9D AS KC " + rest, 0, 4, 2),
        ("high", "the king is the highest", "draw_high", "TH AD QS KC " + rest, 1, 4, 0),
        ("tied", "two tied seats draw again", "draw_low", "9H 9D QS KC TS 9S " + rest, 0, 6, 1),
        ("tied-twice", "tied again, and again", "draw_high",
         "KH KD 9S 9C QS QH TD JD " + rest, 0, 8, 1),
        ("tied-three", "three tied seats, then two", "draw_low",
         "9H 9D 9S KC TS TH QS 9C JD " + rest, 0, 9, 0),
        ("over", "2S and the joker are passed over", "draw_low",
         "2S TH BB 9D QS KC " + rest, 0, 6, 1),
        ("agreed", "nothing is turned", "agreed", "9H 9D QS KC", 3, 0, 3),
    ):  # fmt: skip
        parts = drawing(method, deck, start, turned, dealer)
        yield Claim(f"draw-{name}", comment, ("draw",), "draw", parts)
    for name, comment, method, deck, start, turned, dealer in (
        ("red-counts", "a red jack counts as a black one", "black_jack", "JH JC 9C", 0, 1, 0),
        ("ace-high", "the ace counts as the highest", "draw_high", "TH AD QS KC", 0, 4, 1),
        ("left", "the start seat is left out", "draw_low", "TH 9D QS KC", 0, 4, 2),
        ("tied-first", "the first of the tied seats deals", "draw_low",
         "9H 9D QS KC TS 9S " + rest, 0, 4, 0),
        ("tied-all", "all seats draw again", "draw_low",
         "9H 9D QS KC TS 9S JD JH " + rest, 0, 8, 1),
        ("over-counts", "2S counts as the lowest card", "draw_low", "TH 2S QS KC 9D", 0, 4, 1),
        ("over-skipped", "2S is not listed among the turned", "draw_low",
         "2S TH 9D QS KC " + rest, 0, 4, 1),
        ("one-more", "one card more is turned", "black_jack", "9H JC TC", 0, 3, 1),
    ):  # fmt: skip
        parts = drawing(method, deck, start, turned, dealer)
        yield Claim(f"draw-{name}", comment, ("draw",), "draw", parts, 3, "referee")


def drawing(method: str, deck: str, start: int, turned: int, dealer: int) -> dict[str, Json]:
    return {
        "method": method, "deck": deck, "start": start, "turned": list(range(turned)),
        "dealer": dealer,
    }  # fmt: skip


def opening_claims() -> Iterator[Claim]:
    """`opening`: a card with its salt is what the leaf of its position holds."""
    deal = Sealed("E25")
    true = Truth("opening", "opening", {
        "match": MATCH.hex(), "deal": 5, "pack": "E25", "position": 20, "card": deal.deck[20],
        "salt": deal.salts[20].hex(), "leaves": hexes(deal.leaves),
        "root": seal.tree_head(deal.leaves).hex(),
    })  # fmt: skip
    yield true.valid("opening", "the upcard opens")
    yield true.valid("opening-first", "position 0", position=0, card=deal.deck[0],
                     salt=deal.salts[0].hex())  # fmt: skip
    yield true.valid("opening-last", "the last position, an odd one in the tree", position=24,
                     card=deal.deck[24], salt=deal.salts[24].hex())  # fmt: skip
    yield true.invalid("opening-card", "another card", card=deal.deck[19])
    yield true.invalid("opening-position", "another position", position=19)
    yield true.invalid("opening-beyond", "a position beyond the pack", position=25)
    yield true.invalid("opening-salt", "another salt", salt=flipped(deal.salts[20].hex()))
    yield true.invalid("opening-salt-of-another", "the salt of another position",
                       salt=deal.salts[21].hex())  # fmt: skip
    yield true.invalid("opening-deal", "another deal", "replay", deal=6)
    yield true.invalid("opening-match", "another match", "replay", match=OTHER_MATCH.hex())
    yield true.invalid("opening-root", "leaves that are not under the root",
                       root=drawn("x").hex())  # fmt: skip
    yield true.invalid("opening-lower-case", "a card in lower case", card=deal.deck[20].lower())
    no_mark = sha256(seal.tagged(
        "leaf", MATCH, seal.u32(5), seal.u32(20), deal.deck[20].encode(), deal.salts[20]
    )).digest()  # fmt: skip
    leaves = [*deal.leaves[:20], no_mark, *deal.leaves[21:]]
    yield true.invalid("opening-unmarked", "a leaf hashed without the byte that marks leaves",
                       "tree", leaves=hexes(leaves), root=seal.tree_head(leaves).hex())  # fmt: skip
    foreign = seal.leaf(MATCH, 5, 20, "7C", deal.salts[20])
    leaves = [*deal.leaves[:20], foreign, *deal.leaves[21:]]
    yield true.invalid("opening-foreign", "a card that the pack does not hold, well sealed",
                       card="7C", leaves=hexes(leaves),
                       root=seal.tree_head(leaves).hex())  # fmt: skip
