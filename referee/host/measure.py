"""What the host counts and logs of a match, once it is durable."""

import logging

from referee.host.items import Misused, Ruling
from referee.host.ledger import Batch
from referee.meter import Cell, Meter
from referee.sealing.closing import MatchClose
from referee.sealing.events import MatchOpen
from referee.sealing.packs import SEATS, SIDES

log = logging.getLogger(__name__)


def measure(meter: Meter, accepted: Cell, batch: Batch) -> None:
    """Count what one decision came to, and log how a match begins, goes wrong and ends.

    `accepted` is the meter's cell for what happens most: an action, and nothing that follows.
    """
    answer = batch.answer
    if len(batch.told) == 1 and not batch.faults and isinstance(answer, Ruling) and answer.seq:
        accepted.number += 1
        return
    if isinstance(answer, Misused):
        if answer.wrong == "MALFORMED":
            meter.count("actions", "malformed")
    elif answer.seq is not None:
        meter.count("actions", "fallback" if batch.faults else "accepted")
    elif not answer.accepted:
        _refused(meter, answer)
    if batch.faults or batch.state.dropped or batch.told:
        _noted(meter, batch)


def note_away(match: bytes, seat: int, grace_ms: int) -> None:
    """A seat's stream has ended, and its time of grace runs."""
    log.info("seat_away match=%s seat=%s grace_ms=%s", match.hex(), SEATS[seat], grace_ms)


def note_back(match: bytes, seat: int) -> None:
    """A seat that was away shows that it is there."""
    log.info("seat_back match=%s seat=%s", match.hex(), SEATS[seat])


def note_superseded(meter: Meter, match: bytes, seat: int) -> None:
    """Another stream takes a seat."""
    meter.count("superseded")
    log.info("superseded match=%s seat=%s", match.hex(), SEATS[seat])


def _refused(meter: Meter, answer: Ruling) -> None:
    if answer.reason != "WITHHELD":  # a fault, not an action
        meter.count("actions", "refused")
        meter.count("refusals", answer.reason)


def _noted(meter: Meter, batch: Batch) -> None:
    match = batch.state.match.hex()
    for fault in batch.faults:
        meter.count("faults", fault.why)
        log.info("fault match=%s seat=%s why=%s", match, SEATS[fault.seat], fault.why)
    if batch.state.dropped:
        meter.count("matches", "dropped")
        log.info("match_dropped match=%s why=%s", match, batch.state.dropped)
    for item in batch.told:
        event = item.event
        if isinstance(event, MatchOpen):
            meter.count("matches", "opened")
            log.info("match_opened match=%s rated=%s", match, event.policy.rated)
        elif isinstance(event, MatchClose):
            meter.count("matches", event.outcome)
            winner = "nobody" if event.winner is None else SIDES[event.winner]
            words = "match_closed match=%s outcome=%s winner=%s deals=%s"
            log.info(words, match, event.outcome, winner, event.deals)
