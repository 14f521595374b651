import json

import pytest
from click.testing import CliRunner, Result

from referee.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["legal", *arguments])


def test_the_left_bower_is_refused_when_its_printed_suit_is_led() -> None:
    result = run("--hand", "JD TD", "--trump", "H", "--led", "AD")
    assert result.exit_code == 0
    assert result.output == (
        "hearts are trump, AD was led\n"
        "legal    TD\n"
        "refused  JD  MUST_FOLLOW_SUIT (play.follow-suit)\n"
        "         AD was led; JD (the left bower, so hearts) does not follow diamonds,"
        " and TD does\n"
    )


def test_json_names_the_reason_and_the_rule() -> None:
    result = run("--hand", "JD TD", "--trump", "H", "--led", "AD", "--json")
    answer = json.loads(result.output)
    assert answer["legal"] == ["TD"]
    assert [(r["card"], r["reason"], r["rule"]) for r in answer["refused"]] == [
        ("JD", "MUST_FOLLOW_SUIT", "play.follow-suit")
    ]


def test_every_card_may_be_led() -> None:
    result = run("--hand", "JD TD 9S", "--trump", "H", "--json")
    answer = json.loads(result.output)
    assert (answer["legal"], answer["refused"]) == (["TD", "JD", "9S"], [])
    assert "led" not in answer


def test_the_best_bower_follows_trump_where_the_pack_has_it() -> None:
    arguments = ("--hand", "2S AC", "--trump", "H", "--led", "9H", "--rules", "winnipeg")
    assert json.loads(run(*arguments, "--json").output)["legal"] == ["2S"]


def test_without_trump_a_jack_follows_its_printed_suit() -> None:
    result = run("--hand", "JD TD 9S", "--trump", "N", "--led", "AD")
    assert result.output.splitlines()[:2] == ["there is no trump, AD was led", "legal    TD JD"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hand", "10H", "--trump", "H"), "not a card of the pack: '10H'"),
        (("--hand", "jh", "--trump", "H"), "not a card of the pack: 'jh'"),
        (("--hand", "2S", "--trump", "H"), "'2S' is not in the pack E24"),
        (("--hand", "JH JH", "--trump", "H"), "'JH' is there twice"),
        (("--hand", "", "--trump", "H"), "1 to 5 cards, not 0"),
        (("--hand", "9C TC JC QC KC AC", "--trump", "H"), "1 to 5 cards, not 6"),
        (("--hand", "9C", "--trump", "X"), "no such trump: 'X'"),
        (("--hand", "9C", "--trump", ""), "no such trump: ''"),
        (("--hand", "9C", "--trump", "H", "--led", "9C"), "was led and is held"),
        (("--hand", "9C", "--trump", "H", "--led", "8C"), "'8C' is not in the pack E24"),
        (("--hand", "9C", "--trump", "H", "--rules", "standrad"), "did you mean 'standard'?"),
        (("--hand", "9C"), "missing option '--trump'"),
        (("--hand", "9C", "--trmp", "H"), "no such option"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert message in result.output
