"""Files held against the cards that the referee dealt to a seat under its signature."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.rules.deal import positions
from referee.rules.knobs import Packets
from referee.sealing import Opening, SealedDeck, SigningKey, private_deal_bytes
from referee.sealing.canonical import Json, dump
from referee.sealing.packs import SEATS
from referee.sealing.proof import prove_deal
from tests.sealing.support import KEY, MATCH, OTHER_KEY
from tests.vectors.honest import HONEST, SHORT, Case, find, flip, short_match
from tests.vectors.signed import deck_of_honest

NORTH, EAST, SOUTH = 0, 1, 2
DEALER = SOUTH
FIVE = {seat: positions(Packets(SHORT["packets"]), DEALER, seat) for seat in range(4)}


def opened(deck: SealedDeck, places: Iterable[int]) -> tuple[Opening, ...]:
    return tuple(Opening(place, deck.cards[place], deck.salts[place]) for place in places)


def private_deal(
    cards: tuple[Opening, ...], root: bytes, *, deal: int = 1, seat: int = NORTH,
    key: SigningKey = KEY,
) -> bytes:  # fmt: skip
    """The line of a private deal, without its line feed."""
    rows: list[Json] = [
        {"card": c.card, "position": c.position, "salt": c.salt.hex()} for c in cards
    ]
    sig = key.sign(private_deal_bytes(MATCH, deal, seat, root, cards))
    return dump(
        {
            "cards": rows,
            "deal": deal,
            "match": MATCH.hex(),
            "root": root.hex(),
            "seat": SEATS[seat],
            "sig": sig.hex(),
        }
    )


def dealt_cases() -> Iterator[Case]:
    """What private deals say to the honest file: cards that it holds, and others."""
    deck = deck_of_honest()
    five = opened(deck, FIVE[NORTH])
    first, *rest = five
    right: list[tuple[str, str, tuple[bytes, ...]]] = [
        ("agree", "the five cards of two seats", (
            private_deal(five, deck.root),
            private_deal(opened(deck, FIVE[EAST]), deck.root, seat=EAST))),
        ("later", "three cards of the kitty, and one card", (
            private_deal(opened(deck, (21, 22, 23)), deck.root),
            private_deal(opened(deck, FIVE[SOUTH][:1]), deck.root))),
    ]  # fmt: skip
    for name, comment, kept in right:
        yield Case(f"dealt-{name}", comment, ("dealt",), HONEST.text, receipts=(kept,))
    other = "9C" if first.card != "9C" else "TC"
    wrong: list[tuple[str, str, bytes]] = [
        ("other-card", "another card than the sealed one",
         private_deal((replace(first, card=other), *rest), deck.root)),
        ("no-card", "a card that is none of any pack",
         private_deal((replace(first, card="joker"), *rest), deck.root)),
        ("other-salt", "the sealed card under another salt",
         private_deal((replace(first, salt=flip(first.salt)), *rest), deck.root)),
        ("other-root", "the sealed cards under another root", private_deal(five, flip(deck.root))),
        ("other-seat", "the sealed cards of another seat",
         private_deal(opened(deck, FIVE[EAST]), deck.root)),
        ("upcard", "the upcard in the place of a card of its own",
         private_deal(opened(deck, (*FIVE[NORTH][:4], 20)), deck.root)),
        ("four", "four cards", private_deal(five[:4], deck.root)),
        ("turned-round", "the five cards in falling position",
         private_deal(five[::-1], deck.root)),
        ("beyond-pack", "a position beyond the pack",
         private_deal((replace(first, position=24),), deck.root)),
        ("no-deck", "cards of a deal that the file has not",
         private_deal(five, deck.root, deal=2)),
    ]  # fmt: skip
    for name, comment, line in wrong:
        yield Case(f"dealt-{name}", comment, ("dealt",), HONEST.text, 3, "referee",
                   receipts=((private_deal(five, deck.root), line),))  # fmt: skip
    lie = wrong[0][2]
    yield Case("dealt-forged", "cards that the referee did not sign prove nothing",
               ("dealt", "signature"), HONEST.text, 4, "file",
               receipts=((private_deal(five, flip(deck.root), key=OTHER_KEY),),))  # fmt: skip
    yield Case("dealt-torn", "the file ends before the deck", ("dealt", "truncated"),
               b"".join(HONEST.lines[: find("deck_root")]), 5, "nobody",
               receipts=((lie,),))  # fmt: skip
    proof = prove_deal(HONEST.text.splitlines(), 1)
    yield Case("dealt-proof", "the proof of the deal is contradicted", ("dealt", "proof"), proof,
               3, "referee", receipts=((lie,),))  # fmt: skip
    drawn = short_match({**SHORT, "first_dealer": "black_jack"}, dealer=None)
    line = next(line for line in drawn.lines if b'"kind":"deck_root"' in line)
    root = bytes.fromhex(line.partition(b'"root":"')[2][:64].decode())
    yield Case("dealt-draw", "cards of the draw for the deal, in which nobody is dealt any",
               ("dealt", "draw"), drawn.text, 3, "referee",
               receipts=((private_deal(five, root, deal=0),),))  # fmt: skip
