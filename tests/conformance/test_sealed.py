"""The plain verifier of the suite says what the shared vectors state, event included."""

import pytest

from conformance.oracle.sealed import judged, verify
from tests.journal.support import report_of
from tests.vectors.honest import HONEST, Case
from tests.vectors.transcripts import all_cases

POLICY = "what a fault costs, and how a match closes, is the policy's, and stands in no rule book"
NOT_KNOWN = {
    "replay-fallback": "which action is played for a seat that is late stands in no rule book",
    "won-aborted": POLICY,
    "won-void": POLICY,
    "won-forfeit": POLICY,
    "played-charged": POLICY,
    "played-fault": POLICY,
    "charged-illegal": POLICY,
    "charged-timeout": POLICY,
    "forfeit-by-another": POLICY,
}


def plain(case: Case) -> bool:
    """A transcript that is held against nothing but itself."""
    besides = case.pinned or case.strict or case.receipts or case.roster
    return not besides and not case.text.startswith(b'{"format"')


CASES = {case.id: case for case in all_cases() if plain(case) and case.id not in NOT_KNOWN}


@pytest.mark.parametrize("name", CASES)
def test_both_engines_name_the_same_exit_party_and_event(name: str) -> None:
    case = CASES[name]
    failure = report_of(case.text).verdict.failure
    said = judged(case.text.decode("latin-1"))
    assert (said.exit, said.party) == (case.exit, case.party)
    assert said.event == (None if failure is None else failure.seq)


def test_the_answer_leaves_out_what_is_nobody_and_nowhere() -> None:
    assert verify({"text": HONEST.text.decode()}) == {"exit": 0}
    torn = verify({"text": HONEST.text[:-1].decode()})
    assert torn == {"exit": 5, "party": "nobody", "event": len(HONEST.lines) - 1}
