"""What a run looks like afterwards: one event log, and every report made of it."""

from conformance.report.lines import line
from conformance.report.tables import by_chapter, failing_share

__all__ = ["by_chapter", "failing_share", "line"]
