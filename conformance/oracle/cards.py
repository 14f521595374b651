"""The pack, and which card beats which (chapters pack and rank)."""

from functools import cache

from conformance.errors import PositionError

SEATS = ("north", "east", "south", "west")
SUITS = "CDHS"
TWIN = {"C": "S", "S": "C", "D": "H", "H": "D"}
BEST = ("2S", "BB")
RANKS_OF = {"E24": "9TJQKA", "E25": "9TJQKA"}


def left(seat: str) -> str:
    """The next seat clockwise."""
    return SEATS[(SEATS.index(seat) + 1) % 4]


def partner(seat: str) -> str:
    """The seat opposite."""
    return left(left(seat))


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
    """The cards of a pack, in the order that a seal writes them."""
    if name not in RANKS_OF:
        raise PositionError(f"the pack {name!r} is not built yet")
    cards = tuple(rank + suit for suit in SUITS for rank in RANKS_OF[name])
    return (*cards, "2S") if name == "E25" else cards


def suit_of(card: str, trump: str | None) -> str:
    """The suit that a card counts as."""
    if trump is not None:
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
    trumps = [*BEST, "J" + trump, "J" + TWIN[trump], *(rank + trump for rank in "AKQT9")]
    plain = [rank + led for rank in "AKQJT9" if rank + led not in trumps]
    return trumps + plain


def winner(trick: list[tuple[str, str]], trump: str) -> str:
    """The seat whose card takes the trick."""
    led = suit_of(trick[0][1], trump)
    seat_of = {card: seat for seat, card in trick}
    for card in ladder(trump, led):
        if card in seat_of:
            return seat_of[card]
    raise PositionError("no card of the trick can win it")
