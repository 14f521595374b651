"""The list of commands, each of which is imported only when it is asked for."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from referee.cli import COMMANDS, main
from referee.cli.bridge import bridge

PROBE = "import sys, referee.cli; print(*(name for name in sys.modules if 'referee.' in name))"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_under_its_own_name_and_says_what_it_does(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert command.get_short_help_str()


def test_help_lists_every_command() -> None:
    shown = CliRunner().invoke(main, ["--help"]).output
    assert all(f"  {name} " in shown for name in COMMANDS)


def test_a_command_that_is_not_there_is_one_line() -> None:
    result = CliRunner().invoke(main, ["nothing"])
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "no such command 'nothing'" in result.output


def test_nothing_of_a_command_is_imported_before_it_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, check=True)
    assert set(done.stdout.decode().split()) == {
        "referee.cli",
        "referee.cli.errors",
        "referee.cli.later",
        "referee.errors",
    }


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_for_both_commands(shell: str) -> None:
    shown = CliRunner().invoke(main, ["completion", shell], prog_name="euchre-referee").output
    for name in ("EUCHRE_REFEREE", "EUCHRE_BRIDGE"):
        assert f"_{name}_COMPLETE={shell}_complete" in shown


def test_bad_flag_of_the_bridge_is_one_line() -> None:
    result = CliRunner().invoke(bridge, ["./bot", "--levels", "seeds"])
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "no such option '--levels'" in result.output
