"""A record of any format that is known, told by how its file begins."""

import re
from typing import Final

from referee.records import egn, ours
from referee.records.jsonfields import not_utf8, parse
from referee.records.model import Record, UnreadableRecordError
from referee.records.plain import FIRST_WORDS, read_plain
from referee.records.ptn import read_ptn
from referee.records.transcript import START, read_transcript

LARGEST: Final = 1 << 26
FORMATS: Final = "EGN, PTN, euchre-record JSON, plain text, or a transcript"
_TAG_PAIR: Final = re.compile(r'^\s*\[\w+\s+"', re.MULTILINE)
_BOM: Final = b"\xef\xbb\xbf"


def read_record(text: bytes) -> Record:
    """The record in a file's bytes; UnreadableRecordError where they are none."""
    if len(text) > LARGEST:
        raise UnreadableRecordError(f"a record of {len(text)} bytes (split it: {LARGEST} at most)")
    text = text.removeprefix(_BOM)
    if text.startswith(START):
        return read_transcript(text)
    start = text.lstrip()[:1]
    if start == b"{":
        value = parse(text)
        if value.get("fileType") == egn.FILE_TYPE:
            return egn.read_egn(value)
        named = value.get("format")
        if isinstance(named, str) and named.partition("/")[0] == ours.FORMAT:
            return ours.read_ours(value)
        raise UnreadableRecordError(
            f'a JSON object that names no format (write "format": "{ours.FORMAT}/1",'
            f' or "fileType": "{egn.FILE_TYPE}")'
        )
    try:
        lines = text.decode("utf-8")
    except UnicodeDecodeError as err:
        raise UnreadableRecordError(f"not text: {not_utf8(text, err)}: give {FORMATS}") from err
    if _TAG_PAIR.search(lines):
        return read_ptn(lines)
    if not lines.strip():
        raise UnreadableRecordError(f"the record is empty (give {FORMATS})")
    if not any(line.split()[:1] and line.split()[0] in FIRST_WORDS for line in lines.splitlines()):
        raise UnreadableRecordError(f"not a record: it begins {lines[:24]!r} (give {FORMATS})")
    return read_plain(lines)
