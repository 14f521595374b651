"""A deal played on by rule of thumb: what a call is worth, told quickly and roughly."""

from collections.abc import Sequence
from typing import Final

from euchre_bot.bots.strong.cards import REGIONS, SUIT_MASK, TRUMP_LOW, TRUMP_MASK
from euchre_bot.bots.strong.solve import NEXT, Table

TRICKS: Final = 5
_PLAIN: Final = TRUMP_LOW - 1


def tricks_of(dealt: Sequence[int], leader: int, maker: int, out: int) -> int:
    """How many tricks the maker's side takes; `out` is the set of those who sit out."""
    hands = [0 if out >> seat & 1 else hand for seat, hand in enumerate(dealt)]
    seats = [seat for seat in range(4) if not out >> seat & 1]
    taken = 0
    while out >> leader & 1:
        leader = (leader + 1) % 4
    for _ in range(TRICKS):
        start = seats.index(leader)
        order = seats[start:] + seats[:start]
        leader = _trick(hands, order, maker)
        taken += not (leader ^ maker) & 1
    return taken


def finished(table: Table, maker: int) -> int:
    """How many tricks the maker's side has in the end, from a trick of which some cards lie."""
    hands = table.hands
    for seat in range(4):
        if table.out >> seat & 1:
            hands[seat] = 0
    made, leader = table.made, table.turn
    if table.laid:
        order, seat = [], table.turn
        for _ in range(4 - table.out.bit_count() - table.laid):
            order.append(seat)
            seat = NEXT[table.out][seat]
        leader = _followed(hands, order, table.best, table.best_seat, table.led)
        made += not (leader ^ maker) & 1
    while hands[leader]:
        order = [leader]
        while (seat := NEXT[table.out][order[-1]]) != leader:
            order.append(seat)
        leader = _trick(hands, order, maker)
        made += not (leader ^ maker) & 1
    return made


def _trick(hands: list[int], order: Sequence[int], maker: int) -> int:
    """Play one trick; who takes it."""
    leader = order[0]
    card = lead(hands, leader, ours=not (leader ^ maker) & 1)
    hands[leader] ^= card
    return _followed(hands, order[1:], card, leader, SUIT_MASK[card.bit_length() - 1])


def _followed(hands: list[int], order: Sequence[int], best: int, winner: int, led: int) -> int:
    """Follow to a trick of which some cards lie; who takes it."""
    last = order[-1]
    for seat in order:
        hand = hands[seat]
        legal = hand & led or hand
        takes = legal & (led | TRUMP_MASK) & ~(2 * best - 1)
        helped = winner == seat ^ 2 and (seat == last or best & _bosses(hands, best))
        if not takes or helped:
            card = lowest(legal, hand)
        elif seat == last or takes & TRUMP_MASK:
            card = takes & -takes
        else:
            card = 1 << takes.bit_length() - 1
        hands[seat] = hand ^ card
        if card & takes:
            best, winner = card, seat
    return winner


def _bosses(hands: Sequence[int], best: int) -> int:
    """The best card, where nothing that is out in its suit stands above it."""
    above = (hands[0] | hands[1] | hands[2] | hands[3]) & SUIT_MASK[best.bit_length() - 1]
    return best if above < best else 0


def lead(hands: Sequence[int], seat: int, *, ours: bool) -> int:
    """What to lead: trumps from the top for the makers, then what nobody can top, then low."""
    hand = hands[seat]
    rest = (hands[0] | hands[1] | hands[2] | hands[3]) ^ hand
    trumps = hand & TRUMP_MASK
    theirs = rest & TRUMP_MASK
    if trumps and theirs and ours and (trumps > theirs or trumps & (trumps - 1)):
        return 1 << trumps.bit_length() - 1
    for region in REGIONS[:4]:
        held = hand & region
        if held and held > rest & region:
            return 1 << held.bit_length() - 1
    if trumps > theirs:
        return 1 << trumps.bit_length() - 1
    return lowest(hand, hand)


def lowest(legal: int, hand: int) -> int:
    """The card that is missed least: plain and low, alone in its suit where that makes a void."""
    plain = legal & _PLAIN
    if not plain:
        return legal & -legal
    if not hand & TRUMP_MASK:
        return _lowest_plain(plain)
    best, found = 1 << 20, 0
    for region in REGIONS[:4]:
        held = plain & region
        if held:
            low = held & -held
            cost = (hand & region).bit_count() * 12 + _height(low)
            if cost < best:
                best, found = cost, low
    return found


def _lowest_plain(plain: int) -> int:
    return min((held & -held for region in REGIONS[:4] if (held := plain & region)), key=_height)


def _height(card: int) -> int:
    return (card.bit_length() - 1) % 12
