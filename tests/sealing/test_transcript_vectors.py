"""The shared vectors of whole files, which verifiers in other languages run too."""

import json

import pytest

from referee.sealing import parse_key
from tests.journal.support import report_of
from tests.vectors.honest import Case
from tests.vectors.transcripts import FILE, all_cases, document

CASES = {case.id: case for case in all_cases()}


def pinned_report(case: Case) -> tuple[int, str | None]:
    report = report_of(case.text, pinned=None if case.pinned is None else parse_key(case.pinned))
    failure = report.verdict.failure
    return report.exit, None if failure is None else failure.party


@pytest.mark.parametrize("name", CASES)
def test_a_case_has_the_verdict_that_it_states(name: str) -> None:
    case = CASES[name]
    assert pinned_report(case) == (case.exit, case.party)


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
