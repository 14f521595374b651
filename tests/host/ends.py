"""What the record of a house's match says came of it."""

from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.events import ActionTaken
from tests.host.support import House


def last_action(house: House) -> ActionTaken:
    taken = [e.event for e in house.match.log if isinstance(e.event, ActionTaken)]
    return taken[-1]


def end(house: House) -> MatchClose:
    closed = house.match.durable.closed
    assert closed is not None
    return closed


def last_close(house: House) -> DealClose:
    return [e.event for e in house.match.log if isinstance(e.event, DealClose)][-1]
