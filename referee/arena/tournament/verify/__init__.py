"""A published event verified offline, from its files and a pinned key alone.

Every record is verified and held against what was announced; from them the pairings, the scores,
the standings and at last every published file are made again, byte for byte.
"""

from referee.arena.tournament.verify.report import EventReport, Finding
from referee.arena.tournament.verify.whole import verify_event

__all__ = ["EventReport", "Finding", "verify_event"]
