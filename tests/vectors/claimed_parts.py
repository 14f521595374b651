"""Claims about links, commitments, hidden moves and the form of an event."""

from collections.abc import Iterator
from hashlib import sha256

from conformance.oracle import seal
from tests.vectors.claims import MATCH, OTHER_MATCH, Claim, Truth, drawn, flipped, hexes

OTHER = OTHER_MATCH.hex()


def link_claims() -> Iterator[Claim]:
    """`link`: below is the link under link number k."""
    link = drawn("link", 8)
    true = Truth("link", "chain", {
        "match": MATCH.hex(), "k": 8, "link": link.hex(),
        "below": seal.link_below(MATCH, 8, link).hex(),
    })  # fmt: skip
    yield true.valid("link", "one step down the chain")
    yield true.valid("link-1", "the step to the tip", k=1,
                     below=seal.link_below(MATCH, 1, link).hex())  # fmt: skip
    high = 1 << 20
    yield true.valid("link-high", "the largest number of a link", k=high,
                     below=seal.link_below(MATCH, high, link).hex())  # fmt: skip
    yield true.invalid("link-k", "the number of another link", k=7)
    yield true.invalid("link-match", "a link of another match", "replay", match=OTHER)
    yield true.invalid("link-bit", "one bit of the link is changed", link=flipped(link.hex()))
    yield true.invalid("link-plain", "a plain hash instead of the tagged one", "encoding",
                       below=sha256(link).hexdigest())  # fmt: skip
    joined = sha256(b"euchre-sealed/v1/ref-chain" + MATCH + seal.u32(8) + link).hexdigest()
    yield true.invalid("link-joined", "the parts without their lengths", "encoding", below=joined)
    seed = seal.seat_seed(drawn("secret"), MATCH, 3).hex()
    drawn_seed = Truth("seed", "seed", {
        "secret": drawn("secret").hex(), "match": MATCH.hex(), "deal": 3, "seed": seed,
    }, party="seat")  # fmt: skip
    yield drawn_seed.valid("seed", "a seat's seed from its secret")
    yield drawn_seed.invalid("seed-deal", "the seed of another deal", "replay", deal=4)
    yield drawn_seed.invalid("seed-match", "the seed of another match", "replay", match=OTHER)


def reveal(seat: int, seed: bytes, cut: int | None, *, declined: bool = False) -> Truth:
    """A reveal, its commitment, and who cuts."""
    commit = seal.seat_commit(MATCH, 5, seat, seed, cut)
    return Truth("commit", "commit", {
        "match": MATCH.hex(), "deal": 5, "pack": "E24", "seat": seat, "declined": declined,
        "cutter": cut is not None, "seed": seed.hex(), "cut": cut, "commit": commit.hex(),
    }, party="seat")  # fmt: skip


def commit_claims() -> Iterator[Claim]:
    """`commit`: the reveal is good and is what the commitment holds; `commit_set`: the set."""
    seed = drawn("seed", 1)
    true = reveal(1, seed, None)
    yield true.valid("commit", "a seat that does not cut")
    yield true.invalid("commit-copied", "the commitment of another seat, copied", "copied", seat=2)
    yield true.invalid("commit-deal", "a commitment of another deal", "replay", deal=6)
    yield true.invalid("commit-match", "a commitment of another match", "replay", match=OTHER)
    yield true.invalid("commit-seed", "another seed is revealed", seed=drawn("other").hex())
    yield true.invalid("commit-no-seed", "no seed, and the seat has not declined", "seed", seed="")
    yield true.invalid("commit-cut-unasked", "a cut of a seat that does not cut", "cut", cut=0)
    for size in (4, 31, 33, 64):
        yield reveal(1, drawn("long")[:size] + bytes(max(0, size - 32)), None).invalid(
            f"commit-seed-{size}", f"a seed of {size} bytes, well committed", "seed"
        )
    joined = sha256(
        b"euchre-sealed/v1/seat-commit" + MATCH + seal.u32(5) + seal.u32(1) + seed
    ).hexdigest()
    yield true.invalid("commit-joined", "the parts without their lengths", "encoding",
                       commit=joined)  # fmt: skip
    untagged = sha256(seal.lp(MATCH, seal.u32(5), seal.u32(1), seed, b"")).hexdigest()
    yield true.invalid("commit-untagged", "no tag before the parts", "encoding", commit=untagged)
    yield from cut_claims(seed)
    declined = reveal(2, b"", None, declined=True)
    yield declined.valid("commit-declined", "a declined seat has the empty seed", "declined")
    with_seed = reveal(2, seed, None, declined=True)
    yield with_seed.invalid("commit-declined-seed", "a declined seat with a seed", "declined")
    yield from set_claims()


def cut_claims(seed: bytes) -> Iterator[Claim]:
    for cut in (0, 7, 23):
        yield reveal(3, seed, cut).valid(f"commit-cut-{cut}", f"a cut at {cut} of 24", "cut")
    for cut in (24, 255):
        yield reveal(3, seed, cut).invalid(
            f"commit-cut-{cut}", f"a cut at {cut} of 24, well committed", "cut"
        )
    cutter = reveal(3, seed, 7)
    yield cutter.invalid("commit-cut-other", "a cut other than the committed one", "cut", cut=8)
    yield cutter.invalid("commit-cut-missing", "the cutter reveals no cut", "cut", cut=None)
    yield cutter.invalid("commit-cut-by-another", "a cut of a seat that is not the cutter", "cut",
                         cutter=False)  # fmt: skip
    none = seal.seat_commit(MATCH, 5, 3, seed, None).hex()
    yield cutter.invalid("commit-cut-late", "a cut at 0 that was not committed", "cut", cut=0,
                         commit=none)  # fmt: skip


def set_claims() -> Iterator[Claim]:
    commits = [seal.seat_commit(MATCH, 5, i, drawn("seed", i), None) for i in range(4)]
    below = drawn("below")
    cset = seal.commit_set(MATCH, 5, "E24", below, commits)
    true = Truth("commit_set", "commit-set", {
        "match": MATCH.hex(), "deal": 5, "pack": "E24", "r_commit": below.hex(),
        "commits": hexes(commits), "cset": cset.hex(),
    })  # fmt: skip
    yield true.valid("cset", "four commitments and the referee's link")
    swapped = [commits[1], commits[0], *commits[2:]]
    yield true.invalid("cset-swapped", "two commitments have changed seats",
                       commits=hexes(swapped))  # fmt: skip
    yield true.invalid("cset-pack", "another pack", pack="E25")
    yield true.invalid("cset-deal", "another deal", "replay", deal=6)
    yield true.invalid("cset-match", "another match", "replay", match=OTHER)
    yield true.invalid("cset-link", "another link of the referee", r_commit=drawn("x").hex())
    yield true.invalid("cset-three", "three commitments", commits=hexes(commits[:3]))
    copied = [commits[0], commits[0], *commits[2:]]
    yield true.invalid("cset-copied", "two commitments are the same, well hashed", "copied",
                       commits=hexes(copied),
                       cset=seal.commit_set(MATCH, 5, "E24", below, copied).hex())  # fmt: skip
    whole = seal.th("commit-set", MATCH, seal.u32(5), b"E24", below, b"".join(commits)).hex()
    yield true.invalid("cset-joined", "the commitments as one part", "encoding", cset=whole)


def hidden_claims() -> Iterator[Claim]:
    """`hidden`: the commitment of a hidden move opens to these positions and blinds."""
    blinds = [drawn("blind", i) for i in range(3)]

    def truth(move: str, places: list[int]) -> Truth:
        cards = list(zip(places, blinds, strict=False))
        return Truth("hidden", "hidden", {
            "match": MATCH.hex(), "deal": 5, "seat": 2, "pack": "E24", "move": move,
            "positions": list(places), "blinds": hexes(blinds[: len(places)]),
            "commit": seal.hidden_move(MATCH, 5, 2, cards).hex(),
        })  # fmt: skip

    discard, swap = truth("discard", [20]), truth("swap", [3, 9, 14])
    yield discard.valid("hidden-discard", "the upcard is discarded")
    yield truth("give", [4]).valid("hidden-give", "a card is given")
    yield swap.valid("hidden-swap", "three cards are swapped, in rising position")
    yield discard.invalid("hidden-position", "it opens to another position", positions=[19])
    yield discard.invalid("hidden-blind", "another blind", blinds=[drawn("x").hex()])
    yield discard.invalid("hidden-seat", "the move of another seat", seat=0)
    yield discard.invalid("hidden-deal", "the move of another deal", "replay", deal=6)
    yield discard.invalid("hidden-match", "the move of another match", "replay", match=OTHER)
    yield truth("discard", [24]).invalid("hidden-beyond", "a position beyond the pack")
    yield truth("discard", [3, 9]).invalid("hidden-two", "two cards are discarded")
    yield truth("swap", [9, 3, 14]).invalid("hidden-order", "positions that do not rise")
    yield truth("swap", [3, 3, 14]).invalid("hidden-twice", "one position twice")
    unblinded = seal.th("hidden-move", MATCH, seal.u32(5), seal.u32(2), seal.u32(20)).hex()
    yield discard.invalid("hidden-unblinded", "a commitment without its blind", "encoding",
                          commit=unblinded)  # fmt: skip


def form_claims() -> Iterator[Claim]:
    """`form`: the text is canonical; `event`: the head of the chain after an event."""
    for name, comment, text in (
        ("small", "the shortest object", "{}"),
        ("nested", "objects and arrays", '{"a":[true,{"b":[0,""]}],"c":"x y"}'),
        ("largest", "2**53 - 1", '{"a":9007199254740991}'),
        ("deepest", "six levels", '{"a":[[[[[1]]]]]}'),
        ("key-long", "a key of 32 characters", '{"a' + "0" * 31 + '":1}'),
    ):
        yield Claim(f"form-{name}", comment, ("form",), "form", {"text": text})
    for name, comment, text in (
        ("array", "an array at the top", "[]"),
        ("empty", "no byte at all", ""),
        ("space", "a space", '{"a": 1}'),
        ("space-after", "a space after the object", '{"a":1} '),
        ("line-feed", "a line feed after the object", '{"a":1}\n'),
        ("two", "two objects", '{"a":1}{"a":1}'),
        ("unsorted", "keys out of order", '{"b":1,"a":1}'),
        ("twice", "one key twice", '{"a":1,"a":1}'),
        ("null", "null", '{"a":null}'),
        ("float", "a fraction", '{"a":1.0}'),
        ("exponent", "an exponent", '{"a":1e3}'),
        ("negative", "a negative number", '{"a":-1}'),
        ("minus-zero", "minus zero", '{"a":-0}'),
        ("leading-zero", "a leading zero", '{"a":01}'),
        ("too-large", "2**53", '{"a":9007199254740992}'),
        ("nan", "not a number", '{"a":NaN}'),
        ("escape", "an escape", '{"a":"\\u0041"}'),
        ("quote", "an escaped quote", '{"a":"\\""}'),
        ("backslash", "an escaped backslash", '{"a":"\\\\"}'),
        ("tab", "a tab in a string", '{"a":"\t"}'),
        ("delete", "the character 127", '{"a":"\x7f"}'),
        ("umlaut", "a character above 126", '{"a":"\xe9"}'),
        ("mark", "a byte order mark", '\xef\xbb\xbf{"a":1}'),
        ("deep", "seven levels", '{"a":[[[[[[1]]]]]]}'),
        ("key-empty", "an empty key", '{"":1}'),
        ("key-upper", "a key in upper case", '{"A":1}'),
        ("key-digit", "a key that starts with a digit", '{"1":1}'),
        ("key-too-long", "a key of 33 characters", '{"a' + "0" * 32 + '":1}'),
        ("comment", "a comment", '{"a":1/**/}'),
        ("comma", "a comma before the end", '{"a":1,}'),
        ("single", "single quotes", "{'a':1}"),
    ):
        yield Claim(f"form-{name}", comment, ("form",), "form", {"text": text}, 6, "file")
    before, event = drawn("head"), '{"kind":"turn_up","prev":"00","seq":1}'
    head = seal.event_head(before, event.encode())
    true = Truth("event", "chain", {"prev": before.hex(), "event": event, "head": head.hex()},
                 party="file")  # fmt: skip
    yield true.valid("event", "the head after an event")
    yield true.invalid("event-prev", "another head before it", prev=drawn("x").hex())
    yield true.invalid("event-byte", "another byte", event=event.replace("1", "2"))
    plain = sha256(before + event.encode()).hexdigest()
    yield true.invalid("event-plain", "a plain hash of head and event", "encoding", head=plain)
