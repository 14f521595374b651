"""The faults that a transcript lists, held against its actions and attempts, and counted.

The policy says how many of each a seat or a side may have; who has more forfeits the match.
"""

from typing import Final

from referee.journal.refuted import check
from referee.sealing import DealClose
from referee.sealing.packs import SEATS
from referee.sealing.parts import Policy
from referee.sealing.record import DealRecord

CUT_SHORT: Final = frozenset({"fault", "void"})
"""How a deal closes that was not played to its end."""
_FORFEITING: Final = frozenset({"ILLEGAL", "DISCONNECT", "CRASH", "START_FAIL"})


class ReplayedFaults:
    """The faults of one match, deal by deal.

    In a deal proof, where the deals before are not known, nobody forfeits.
    """

    __slots__ = ("_attempts", "_policy", "_proof", "_timeouts", "_withheld", "by")

    def __init__(self, policy: Policy, *, proof: bool) -> None:
        self._policy = policy
        self._proof = proof
        self._attempts = [0, 0, 0, 0]
        self._timeouts = [0, 0, 0, 0]
        self._withheld = [0, 0]
        self.by: set[int] = set()
        """The seats that forfeit the match."""

    def timed_out(self, record: DealRecord) -> bool:
        """Whether a seat has reached the limit of fallback actions in a deal."""
        fallbacks = [seat for seat, _ in _fallbacks(record)]
        limit = self._policy.timeout_limit
        return self._proof or any(
            self._timeouts[seat] + fallbacks.count(seat) >= limit for seat in fallbacks
        )

    def check(self, record: DealRecord, close: DealClose) -> None:
        """The faults listed are those of the fallback actions, then what ended the deal."""
        seq = record.close_seq
        if close.outcome == "fault":
            check(bool(close.faults), "a fault closes the deal, and none is listed", seq)
        fallbacks = _fallbacks(record)
        listed = [(fault.seat, fault.why) for fault in close.faults]
        check(
            listed[: len(fallbacks)] == fallbacks,
            "the faults listed are not those of the fallback actions",
            seq,
        )
        for at, (seat, why) in enumerate(listed[len(fallbacks) :]):
            if why != "WITHHELD":
                self._check_last(record, close, seat, why)
            check(
                len(listed) == len(fallbacks) + 1
                or (why == "WITHHELD" and (seat, why) not in listed[:at]),
                f"{SEATS[seat]} is charged with {why} beside another fault",
                seq,
            )

    def _check_last(self, record: DealRecord, close: DealClose, seat: int, why: str) -> None:
        """A fault that is no withheld seed and no fallback ends the deal and the match."""
        word, seq = SEATS[seat], record.close_seq
        check(
            why in _FORFEITING and close.outcome in CUT_SHORT,
            f"{word} is charged with {why} in a deal that closes {close.outcome}",
            seq,
        )
        tried = self._attempts[seat] + sum(attempt.seat == seat for attempt in close.attempts)
        check(
            why != "ILLEGAL" or self._proof or tried >= self._policy.illegal_limit,
            f"{word} is charged with ILLEGAL, and {tried} attempts of it are listed",
            seq,
        )

    def count(self, record: DealRecord, close: DealClose) -> None:
        """Count what the policy counts, and note who forfeits by it."""
        policy = self._policy
        for attempt in close.attempts:
            self._attempts[attempt.seat] += 1
        for seat, _ in _fallbacks(record):
            self._timeouts[seat] += 1
        withheld = {fault.seat for fault in close.faults if fault.why == "WITHHELD"}
        for side in {seat & 1 for seat in withheld}:
            self._withheld[side] += 1
        limit = policy.withheld_limit if close.deal else 1
        self.by |= {seat for seat in withheld if self._withheld[seat & 1] >= limit}
        for seat in range(4):
            if self._attempts[seat] >= policy.illegal_limit:
                self.by.add(seat)
            if self._timeouts[seat] >= policy.timeout_limit:
                self.by.add(seat)
        charged = close.faults[len(_fallbacks(record)) :]
        self.by |= {fault.seat for fault in charged if fault.why != "WITHHELD"}
        if self._proof:
            self.by.clear()


def _fallbacks(record: DealRecord) -> list[tuple[int, str]]:
    """The seats that were played for, in order, and why."""
    return [
        (placed.action.seat, placed.action.fallback)
        for placed in record.actions
        if placed.action.fallback is not None
    ]
