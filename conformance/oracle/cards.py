"""The pack, and which card beats which (chapters pack and rank)."""

from functools import cache

from conformance.errors import PositionError

SEATS = ("north", "east", "south", "west")
NEXT = {"north": "east", "east": "south", "south": "west", "west": "north"}
OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}
SUITS = "CDHS"
NO_TRUMP = "N"
TWIN = {"C": "S", "S": "C", "D": "H", "H": "D"}
BEST = ("2S", "BB")
LOW_RANKS = ("9", "T")
FACES = ("J", "Q", "K")
PACKS = {
    "E24": ("9TJQKA", ""),
    "E25": ("9TJQKA", "2S"),
    "E28": ("89TJQKA", ""),
    "E32": ("789TJQKA", ""),
    "E25J": ("9TJQKA", "BB"),
    "E33J": ("789TJQKA", "BB"),
}


def left(seat: str) -> str:
    """The next seat clockwise."""
    return NEXT[seat]


def partner(seat: str) -> str:
    """The seat opposite."""
    return OPPOSITE[seat]


def side(seat: str) -> str:
    """The side a seat plays for."""
    return "ns" if seat in ("north", "south") else "ew"


def other(which: str) -> str:
    """The other side."""
    return "ew" if which == "ns" else "ns"


def clockwise(first: str) -> list[str]:
    """All four seats, beginning with one."""
    seats = [first]
    while len(seats) < len(SEATS):
        seats.append(left(seats[-1]))
    return seats


@cache
def pack(name: str) -> tuple[str, ...]:
    """The cards of a pack, suit by suit, a best bower last."""
    if name not in PACKS:
        raise PositionError(f"not a pack: {name!r}")
    ranks, best = PACKS[name]
    cards = tuple(rank + suit for suit in SUITS for rank in ranks)
    return (*cards, best) if best else cards


def suit_of(card: str, trump: str | None) -> str:
    """The suit that a card counts as; without a trump suit a best bower is a spade, the lowest."""
    if trump is not None and trump != NO_TRUMP:
        if card in BEST:
            return trump
        if card == "J" + TWIN[trump]:
            return trump
    return "S" if card in BEST else card[1]


def natural(card: str, trump: str) -> bool:
    """Whether a card is of the trump suit without being the left bower."""
    return suit_of(card, trump) == trump and card != "J" + TWIN[trump]


def ladder(trump: str, led: str) -> list[str]:
    """Every card that can win a trick, the highest first."""
    if trump == NO_TRUMP:
        best = BEST if led == "S" else ()
        return [*(rank + led for rank in "AKQJT987"), *best]
    trumps = [*BEST, "J" + trump, "J" + TWIN[trump], *(rank + trump for rank in "AKQT987")]
    plain = [rank + led for rank in "AKQJT987" if rank + led not in trumps]
    return trumps + plain


def winner(trick: list[tuple[str, str]], trump: str) -> str:
    """The seat whose card takes the trick."""
    led = suit_of(trick[0][1], trump)
    seat_of = {card: seat for seat, card in trick}
    for card in ladder(trump, led):
        if card in seat_of:
            return seat_of[card]
    raise PositionError("no card of the trick can win it")
