import json

from click.testing import CliRunner

from referee.cli import main
from referee.rules import KNOBS, PRESETS


def test_list_names_every_rule_set() -> None:
    result = CliRunner().invoke(main, ["rules", "list"])
    assert [line.split()[0] for line in result.output.splitlines()] == list(PRESETS)


def test_list_tells_what_sets_a_rule_set_apart() -> None:
    result = CliRunner().invoke(main, ["rules", "list"])
    assert "quick             target: 5\n" in result.output


def test_list_answers_in_json() -> None:
    result = CliRunner().invoke(main, ["rules", "list", "--json"])
    assert json.loads(result.output) == list(PRESETS)


def test_show_gives_the_whole_map_as_text() -> None:
    result = CliRunner().invoke(main, ["rules", "show", "ontario", "--json"])
    values = json.loads(result.output)
    assert list(values) == list(KNOBS)
    assert values["order_needs_trump"] == "left_counts"


def test_show_marks_what_is_not_the_first_value() -> None:
    result = CliRunner().invoke(main, ["rules", "show", "quick"])
    assert "5*" in result.output
    assert result.output.count("*") == 1


def test_an_unknown_rule_set_is_one_line_with_the_names() -> None:
    result = CliRunner().invoke(main, ["rules", "show", "house"])
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "no such rule or rule set: 'house'" in result.output
    assert "winnipeg-call-24" in result.output


def test_no_verb_prints_the_help() -> None:
    result = CliRunner().invoke(main, [])
    assert "Commands:" in result.output


def test_an_unknown_verb_is_one_line() -> None:
    result = CliRunner().invoke(main, ["lgal"])
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
