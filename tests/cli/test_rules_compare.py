import json

from click.testing import CliRunner

from referee.cli import main

COMPARE = ("rules", "compare")


def test_two_rule_sets_are_compared_on_the_same_decks() -> None:
    words = [*COMPARE, "standard", "ontario", "--boards", "40", "--json"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["rules"], told["boards"], told["failures"]) == (["standard", "ontario"], 40, [])
    one, other = told["means"]
    assert abs(told["difference"]["mean"] - (other - one)) < 1e-9
    assert told["difference"]["low"] <= told["difference"]["mean"] <= told["difference"]["high"]


def test_people_are_told_both_means_and_the_difference() -> None:
    done = CliRunner().invoke(main, [*COMPARE, "standard", "ontario", "--boards", "8"])
    assert done.exit_code == 0, done.output
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "sensible", "standard", "ontario", "difference", "boards",
    ]  # fmt: skip


def test_what_cannot_be_compared_is_said_in_one_line() -> None:
    for words, code, told in (
        (["standard", "winnipeg"], 2, "the packs differ: E24 and"),
        (["standard", "house"], 2, "'house'"),
        (["standard", "ontario", "--bot", "nobody"], 2, "not a bot: 'nobody'"),
        (["standard", "ontario", "--against", "dial"], 2, "cannot play unsealed decks"),
        (["standard", "ontario", "--against", "cmd:./there-is-none"], 4, "cannot start"),
        (["standard", "ontario", "--boards", "3"], 2, "3 is not in the range"),
    ):
        done = CliRunner().invoke(main, [*COMPARE, *words])
        assert (done.exit_code, told in done.output) == (code, True), done.output
        assert "Traceback" not in done.output


def test_the_help_lists_it_beside_the_others() -> None:
    assert "compare" in CliRunner().invoke(main, ["rules", "--help"]).output
