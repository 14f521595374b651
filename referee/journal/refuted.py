"""What the replay of the rules finds: a claim of the transcript that the rule book refutes."""

from dataclasses import dataclass

from referee.sealing.verdict import Stage


@dataclass(frozen=True, slots=True)
class Finding:
    """A check of the rules or the score that failed, and the event it names."""

    stage: Stage
    message: str
    seq: int
    deal: int | None


class RefutedError(Exception):
    """The transcript claims what the rule book does not give."""

    def __init__(self, message: str, seq: int, stage: Stage = Stage.RULES) -> None:
        super().__init__(message)
        self.seq = seq
        self.stage = stage


def check(holds: bool, message: str, seq: int, stage: Stage = Stage.RULES) -> None:  # noqa: FBT001 -- reads as a sentence
    """Refute the transcript at an event unless a condition holds."""
    if not holds:
        raise RefutedError(message, seq, stage)
