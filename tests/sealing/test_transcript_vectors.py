"""The shared vectors of whole files, which verifiers in other languages run too."""

import json
from io import BytesIO

import pytest

from referee.journal.replay import positions_by_word
from referee.journal.verify import verify_stream
from referee.sealing import parse_key
from referee.sealing.receipts import Receipts, read_receipt
from referee.sealing.roster import Roster
from tests.vectors.honest import Case
from tests.vectors.transcripts import FILE, all_cases, document

CASES = {case.id: case for case in all_cases()}


def said(case: Case) -> tuple[int, str | None]:
    """Exit and party of a case, with all that it is held against."""
    kept = [
        read_receipt(line, f"{number}.jsonl", place)
        for number, file in enumerate(case.receipts)
        for place, line in enumerate(file, start=1)
    ]
    report = verify_stream(
        BytesIO(case.text),
        pinned=None if case.pinned is None else parse_key(case.pinned),
        strict=case.strict,
        roster=Roster.read(case.roster) if case.roster else None,
        receipts=Receipts(kept, positions_by_word) if kept else None,
    )
    failure = report.verdict.failure
    return report.exit, None if failure is None else failure.party


@pytest.mark.parametrize("name", CASES)
def test_a_case_has_the_verdict_that_it_states(name: str) -> None:
    case = CASES[name]
    assert said(case) == (case.exit, case.party)


def test_every_id_is_used_once() -> None:
    assert len(CASES) == len(all_cases())


def test_the_file_is_what_its_maker_makes() -> None:
    assert FILE.read_text(encoding="ascii") == document()


def test_every_case_reads_back_from_the_file() -> None:
    entries = json.loads(FILE.read_text(encoding="ascii"))["cases"]
    base = entries[0]["input"]
    for entry in entries:
        read = [base[item] if isinstance(item, int) else item for item in entry["input"]]
        text = "".join(f"{line}\n" for line in read) + entry["tail"]
        assert text.encode("latin-1") == CASES[entry["id"]].text
