"""How deals and matches end: withheld seeds, forfeits, and what a referee may not take back."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.cli.verify import summary
from referee.journal.verify import Report
from referee.rules import largest_points, preset
from referee.sealing import Attempt, DealClose, DealOpen, Event, Fault, MatchClose, Pair
from referee.sealing.proof import prove_deal
from tests.journal.support import Match, failed, report_of, words
from tests.sealing.support import POLICY, STANDARD, Played, Script
from tests.vectors.endings import ending_cases

ENDINGS = {case.id: case.text for case in ending_cases()}


@pytest.mark.parametrize(
    ("name", "signed", "word"),
    [
        ("forfeit-signed", True, "north at fault, ILLEGAL, for attempts that it signed"),
        ("forfeit-illegal", False, "north at fault, ILLEGAL, on the referee's word"),
        ("forfeit-gone", False, "north at fault, DISCONNECT, on the referee's word"),
    ],
)
def test_a_fault_that_its_seat_signed_is_not_the_referees_word_alone(
    name: str, *, signed: bool, word: str
) -> None:
    report = report_of(ENDINGS[name])
    assert report.exit == 0
    assert [fault.signed for fault in report.verdict.totals.faults] == [signed]
    assert any(word in line for line in summary(name, report))


def withheld(*seats: int, points: Pair, score: Pair, policy_rated: bool = True) -> Report:
    """A deal that closes for want of commitments, and the end of the match."""
    script = Script(policy=replace(POLICY, rated=policy_rated))
    match = Match(script)
    match.begin()
    assert match.game is not None
    script.add(DealOpen(deal=1, dealer=match.game.dealer))
    faults = tuple(Fault(seat, "WITHHELD") for seat in seats)
    done = Played((), outcome="fault", points=points, score=score, faults=faults)
    script.close_deal(1, done, None, ())
    script.close_match("aborted", score=Pair(0, 0), deals=1)
    return report_of(match.text)


MOST = largest_points(preset("standard"))


def test_a_withheld_seed_pays_the_most_a_deal_can() -> None:
    assert failed(withheld(0, points=Pair(0, MOST), score=Pair(0, MOST))) == (0, None, None)


def test_both_sides_at_fault_leave_nobody_paid() -> None:
    assert failed(withheld(0, 1, points=Pair(0, 0), score=Pair(0, 0))) == (0, None, None)


def test_a_withheld_seed_that_pays_too_little_is_found() -> None:
    report = withheld(0, points=Pair(0, 1), score=Pair(0, 1))
    assert failed(report) == (1, "referee", 1)


def test_a_seat_is_charged_once_for_what_it_withheld() -> None:
    report = withheld(0, 0, points=Pair(0, MOST), score=Pair(0, MOST))
    assert failed(report) == (1, "referee", 1)
    assert "beside another fault" in words(report)


def test_a_match_that_a_side_has_forfeited_is_not_aborted() -> None:
    """The second seed that a side withholds is the end, and who won is not left open."""
    script = Script()
    match = Match(script)
    match.begin()
    assert match.game is not None
    for deal in (1, 2):
        script.add(DealOpen(deal=deal, dealer=(match.game.dealer + deal - 1) % 4))
        faults = (Fault(2 * deal - 2, "WITHHELD"),)
        paid = Pair(0, deal * MOST)
        done = Played((), outcome="fault", points=Pair(0, MOST), score=paid, faults=faults)
        script.close_deal(deal, done, None, ())
    script.close_match("aborted", score=Pair(0, 0), deals=2)
    report = report_of(match.text)
    assert failed(report) == (1, "referee", None)
    assert "is forfeited, and is closed as aborted" in words(report)


def test_an_attempt_in_the_draw_is_found() -> None:
    def change(event: Event) -> Event:
        if isinstance(event, DealClose) and event.deal == 0:
            tried = Attempt(after=1, seat=0, action="pass", reason="NOT_YOUR_TURN")
            return replace(event, attempts=(tried,))
        return event

    report = report_of(Match(Script(change=change)).to_the_end().text)
    assert failed(report) == (1, "referee", 0)
    assert "no card was dealt" in words(report)


def test_a_score_below_what_the_deal_pays_is_found_in_a_proof_too() -> None:
    def change(event: Event) -> Event:
        if isinstance(event, DealClose) and event.outcome == "played":
            return replace(event, score=Pair(0, 0))
        return event

    text = Match(Script(change=change)).to_the_end().text
    report = report_of(prove_deal(text.splitlines(), 1))
    assert failed(report) == (1, "referee", 1)
    assert "less than the deal pays" in words(report)


def test_an_unrated_match_has_no_fault() -> None:
    report = withheld(0, points=Pair(0, MOST), score=Pair(0, MOST), policy_rated=False)
    assert "into void" in words(report)


@pytest.mark.parametrize(
    ("edit", "part"),
    [
        (lambda e: replace(e, winner=1 - (e.winner or 0)), "the winner is"),
        (lambda e: replace(e, winner=None), "the winner is"),
        (lambda e: replace(e, deals=e.deals + 1), "deals count"),
        (lambda e: replace(e, score=Pair(5, 5)), "the result is"),
        (lambda e: replace(e, outcome="forfeit", by=0, winner=1), "no fault of it"),
        (lambda e: replace(e, outcome="forfeit"), "by names who"),
        (lambda e: replace(e, by=0), "by names who"),
    ],
)
def test_a_wrong_end_is_found(edit: Callable[[MatchClose], MatchClose], part: str) -> None:
    def change(event: Event) -> Event:
        return edit(event) if isinstance(event, MatchClose) else event

    match = Match(Script(change=change)).to_the_end()
    report = report_of(match.text)
    assert failed(report) == (1, "referee", None)
    assert part in words(report)


def test_a_match_that_ends_too_early_is_found() -> None:
    match = Match(Script())
    match.begin()
    match.play(1)
    match.script.close_match(score=Pair(0, 0), deals=1)
    assert "is not over" in words(report_of(match.text))


def test_a_deal_after_the_end_is_found() -> None:
    match = Match(Script(rules={**STANDARD, "deals": "1"}))
    match.begin()
    match.play(1)
    assert match.game is not None
    match.game = match.game.next_game()
    match.play(2)
    match.script.close_match(score=Pair(0, 0), deals=1)
    assert "follows the end" in words(report_of(match.text))
