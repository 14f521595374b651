"""Log lines: one an event, as text or as JSON, and nothing that somebody's exception says."""

import json
import logging
from io import StringIO

import pytest

from referee.cli.logs import JsonLines, TextLines


def line_of(form: logging.Formatter, message: str, *args: object, err: bool = False) -> str:
    """What a call of the log comes to."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(form)
    log = logging.getLogger("referee.tests")
    log.setLevel(logging.INFO)
    log.handlers = [handler]
    try:
        int("the salt is 5a17" if err else "1")
        log.info(message, *args)
    except ValueError:
        log.exception(message, *args)
    finally:
        log.handlers = []
    return stream.getvalue()


def test_an_event_is_its_name_and_its_values() -> None:
    line = line_of(TextLines(), "match_closed match=%s deals=%s", "ab12", 9)
    assert line.endswith(" info match_closed match=ab12 deals=9\n")


def test_the_same_event_is_one_json_object() -> None:
    found = json.loads(line_of(JsonLines(), "match_closed match=%s deals=%s", "ab12", 9))
    assert (found["event"], found["match"], found["deals"]) == ("match_closed", "ab12", 9)
    assert (found["level"], found["logger"]) == ("info", "referee.tests")
    assert found["time"].endswith("Z")


@pytest.mark.parametrize("value", ["two words", "a=b", 'a"b', "two\nlines", ""])
def test_a_value_with_spaces_or_marks_is_quoted_and_stays_on_its_line(value: str) -> None:
    line = line_of(TextLines(), "not_recorded error=%s", value)
    assert line.count("\n") == 1
    assert json.loads(line.partition("error=")[2]) == value


@pytest.mark.parametrize("form", [TextLines(), JsonLines()])
def test_an_exception_is_its_type_and_place_and_nothing_that_it_says(
    form: logging.Formatter,
) -> None:
    line = line_of(form, "internal_error id=%s", "77", err=True)
    assert "ValueError < line_of test_logs.py:" in line
    assert "5a17" not in line
    assert line.count("\n") == 1


def test_what_another_library_says_is_named_and_not_told() -> None:
    record = logging.LogRecord("asyncio", 40, "", 1, "Task got token %r", ("s3cret",), None)
    line = TextLines().format(record)
    assert line.endswith(" error said by=asyncio")
