"""The positions of a seat: as the rules have them."""

import pytest

from referee.rules.deal import positions
from referee.rules.knobs import Packets
from referee.sealing.packets import dealt_positions


@pytest.mark.parametrize("packets", Packets)
@pytest.mark.parametrize("dealer", range(4))
def test_every_seat_has_the_positions_of_the_rules(packets: Packets, dealer: int) -> None:
    for seat in range(4):
        assert dealt_positions(packets.value, dealer, seat) == positions(packets, dealer, seat)


def test_unknown_packets_deal_nothing() -> None:
    assert dealt_positions("4-1", 0, 0) == ()
