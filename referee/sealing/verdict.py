"""What a verification says: whether the file stands, else the first failing check and its party."""

from dataclasses import dataclass, field, replace
from enum import IntEnum, unique
from typing import Final

from referee.sealing.errors import DealProofError


@unique
class Stage(IntEnum):
    """The checks in their order: of several that fail, the lowest decides."""

    FORM = 0
    SIGNATURE = 1
    SEAL = 2
    SEAT_SIGNATURE = 3
    RECEIPT = 4
    RULES = 5
    SCORE = 6
    END = 7
    STRICT = 8


VERIFIED: Final = 0
EXIT_OF: Final = {
    Stage.FORM: 3,
    Stage.SIGNATURE: 4,
    Stage.SEAL: 3,
    Stage.SEAT_SIGNATURE: 4,
    Stage.RECEIPT: 3,
    Stage.RULES: 1,
    Stage.SCORE: 1,
    Stage.END: 5,
    Stage.STRICT: 7,
}
UNREADABLE: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed check: where, why, and whom it speaks against (`party`) where that is known."""

    stage: Stage
    exit: int
    message: str
    seq: int | None = None
    deal: int | None = None
    party: str | None = None


class Failures:
    """The failed checks of one file, of which the one that decides is kept.

    `broken` says that the form itself failed, so that nothing that follows can decide.
    """

    __slots__ = ("_deciding", "broken")

    def __init__(self) -> None:
        self._deciding: Failure | None = None
        self.broken = False

    def still(self, stage: Stage) -> bool:
        """Whether a check of this stage can still decide."""
        return self._deciding is None or stage < self._deciding.stage

    def fail(
        self, stage: Stage, message: str, *, seq: int | None = None, deal: int | None = None
    ) -> None:
        """Report a failed check; it decides where no earlier stage, or event, has failed."""
        if self.still(stage):
            self._deciding = Failure(
                stage=stage, exit=EXIT_OF[stage], message=message, seq=seq, deal=deal
            )
            self.broken = stage is Stage.FORM

    def form(
        self, code: int, message: str, *, seq: int | None = None, deal: int | None = None,
        party: str = "file",
    ) -> None:  # fmt: skip
        """Report that the form failed, with the exit code and the party; it decides at once."""
        self._deciding = Failure(
            stage=Stage.FORM, exit=code, message=message, seq=seq, deal=deal, party=party
        )
        self.broken = True

    def blamed(self, last: int, *, wrong_key: bool) -> Failure | None:
        """The deciding failure with its party.

        `last` is the last event that the referee's signature covers, -1 where none is.
        """
        failure = self._deciding
        if failure is None or failure.party is not None:
            return failure
        return replace(failure, party=_party(failure, last, wrong_key=wrong_key))


def _party(failure: Failure, last: int, *, wrong_key: bool) -> str | None:
    match failure.stage:
        case Stage.STRICT:
            return None
        case Stage.END:
            return "nobody"
        case Stage.SIGNATURE:
            return "key" if wrong_key or last < 0 else "file"
        case _:
            covered = failure.seq is not None and last >= failure.seq
            return "referee" if covered else "file"


class CheckError(DealProofError):
    """A check of the seal has failed; `seq` where another event than the present one is named."""

    def __init__(self, message: str, *, seq: int | None = None) -> None:
        super().__init__(message)
        self.seq = seq


def require(condition: bool, message: str, *, seq: int | None = None) -> None:  # noqa: FBT001 -- reads as a sentence
    """Fail the walk at this event, or at another, unless a condition holds."""
    if not condition:
        raise CheckError(message, seq=seq)


@dataclass(frozen=True, slots=True)
class CountedFault:
    """A seat's fault that a deal lists: the referee's word, unless the seat signed it."""

    deal: int
    seat: int
    why: str
    signed: bool = False


@dataclass(slots=True)
class Totals:
    """What has been counted on the way through a file.

    `deals` are all that were sealed, of which `draws` were dealt for the first dealer alone.
    """

    deals: int = 0
    draws: int = 0
    verified: int = 0
    voided: int = 0
    played: int = 0
    faults: list[CountedFault] = field(default_factory=list)
    outcome: str | None = None
    score: tuple[int, int] | None = None
    winner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer about one file: exit code 0 and no failure where everything holds.

    `listed` is None where no roster was given, `receipts` (items that agree) where none were.
    `board` and `table` are there for a table of a board; a board's own id stands in `match`.
    """

    failure: Failure | None
    kind: str
    match: str | None
    key: str | None
    pinned: bool
    listed: bool | None
    receipts: int | None
    rated: bool | None
    seeds: tuple[int, int, int]
    totals: Totals
    board: str | None = None
    table: int | None = None

    @property
    def exit(self) -> int:
        """The exit code of `verify` for this file."""
        return VERIFIED if self.failure is None else self.failure.exit

    @property
    def stands(self) -> bool:
        """Whether the file itself passed, be it that `--strict` asks for more."""
        return self.failure is None or self.failure.stage is Stage.STRICT
