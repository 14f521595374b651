"""Records of deals played at real tables: their formats, and what the law says of them.

A record is read as leniently as it can be and judged as strictly: what is wrong with it is named,
and the rest is still judged.
"""

from referee.records.judge import judge
from referee.records.model import (
    Problem,
    Record,
    RecordedDeal,
    TimedClaim,
    UnreadableRecordError,
)
from referee.records.phases import CannotExpressError, Written
from referee.records.plain import parse_claim
from referee.records.reading import read_record
from referee.records.report import JudgedDeal, JudgedTrick, Judgement
from referee.records.tablerules import TABLE_KNOBS, TableRules, TableRulesError
from referee.records.writing import WRITERS

__all__ = [
    "TABLE_KNOBS",
    "WRITERS",
    "CannotExpressError",
    "JudgedDeal",
    "JudgedTrick",
    "Judgement",
    "Problem",
    "Record",
    "RecordedDeal",
    "TableRules",
    "TableRulesError",
    "TimedClaim",
    "UnreadableRecordError",
    "Written",
    "judge",
    "parse_claim",
    "read_record",
]
