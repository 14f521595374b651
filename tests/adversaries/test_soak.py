"""What a soak measures: growth a match, files and threads, since the warm-up and not before."""

import pytest

from tests.adversaries.soak import Result, measure
from tests.adversaries.stage import Sample


def samples(
    *, kib_a_match: float = 0.0, files_a_match: float = 0.0, finished: int = 10
) -> list[Sample]:
    """Ten minutes of a referee that finishes some matches a second."""
    return [
        Sample(
            at_s=at,
            rss_kib=100_000 + round(kib_a_match * at * finished),
            files=20 + round(files_a_match * at * finished),
            threads=9,
            journal_kib=at,
            figures={"finished": at * finished, "actions": at * 100},
        )
        for at in range(600)
    ]


def found(given: list[Sample]) -> Result:
    result = Result(seed=1, minutes=10)
    measure(result, given)
    return result


def test_a_referee_that_stays_as_it_was_is_fine() -> None:
    result = found(samples(kib_a_match=1.5))
    assert result.wrong == []
    assert result.kib_a_match == pytest.approx(1.5, abs=0.01)
    assert result.mib_an_hour == pytest.approx(1.5 * 10 * 3_600 / 1_024, abs=1)
    assert (result.matches, result.actions) == (5_990, 59_900)


def test_a_match_that_stays_in_memory_is_found() -> None:
    assert "memory grows by 35.0 KiB a match" in found(samples(kib_a_match=35)).wrong[0]


def test_files_that_are_not_closed_are_found() -> None:
    assert "open files have grown" in found(samples(files_a_match=0.1)).wrong[0]


def test_a_soak_in_which_nothing_is_finished_is_none() -> None:
    assert found(samples(finished=0)).wrong == ["no match has been finished after the warm-up"]


def test_what_grew_before_the_warm_up_is_not_held_against_the_referee() -> None:
    given = samples()
    cold = [Sample(s.at_s, 50_000, 5, 1, 0, s.figures) for s in given[:150]]
    assert found([*cold, *given[150:]]).wrong == []
