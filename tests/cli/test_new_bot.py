"""`euchre-referee new-bot`: folders that are whole, and bots that play at once."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.cli.carried import CLIENTS, SAMPLES, carried
from referee.cli.new_bot import LANGUAGES
from tests.docs.places import ROOT, quiet_environment, with_package

PATIENCE_S: Final = 1_200
HERE: Final = [lang for lang in LANGUAGES if (ROOT / "clients" / lang).is_dir()]
NEEDS: Final = {
    "python": ("make", "bash"),
    "node": ("node", "npm", "make"),
    "go": ("go", "make"),
    "rust": ("cargo", "cc", "make"),
    "java": ("javac", "mvn", "make"),
    "cpp": ("c++", "cmake", "make"),
    "shell": ("bash", "jq"),
    "perl": ("perl",),
    "ruby": ("ruby",),
    "lua": ("lua5.4",),
}


def new_bot(lang: str, folder: Path) -> Result:
    return CliRunner().invoke(main, ["new-bot", "--lang", lang, str(folder)])


def commands(said: str) -> list[str]:
    """The commands that are to be run next."""
    return [line.strip() for line in said.partition("next:\n")[2].splitlines()]


def played(folder: Path, said: str, environment: Mapping[str, str]) -> Mapping[str, object]:
    """Do what is to be done next, and tell how the match ended."""
    *before, match = (shlex.split(command) for command in commands(said))
    for command in before:
        subprocess.run(command, cwd=folder, env=environment, check=True, timeout=PATIENCE_S)
    more = ("--deals", "1", "--json", "--key", "key.pem", "--transcript", "t.jsonl")
    done = subprocess.run(
        (*match, *more),
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    told: Mapping[str, object] = json.loads(done.stdout)
    return told


def with_commands_of_ours() -> dict[str, str]:
    """An environment in which our commands are found."""
    ours = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{ours}{os.pathsep}{os.environ['PATH']}"}


def needs(lang: str) -> None:
    """Skip a test whose language is not here."""
    missing = [program for program in NEEDS[lang] if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is missing")


@pytest.mark.parametrize("lang", HERE)
def test_folder_holds_the_bot_what_starts_it_and_a_page(lang: str, tmp_path: Path) -> None:
    result = new_bot(lang, tmp_path / "my bot")
    assert result.exit_code == 0, result.output
    folder = tmp_path / "my bot"
    assert "choose" in (folder / LANGUAGES[lang].file).read_text()
    assert os.access(folder / "play", os.X_OK)
    page = (folder / "README.md").read_text()
    assert page.startswith("# my_bot\n")
    assert "dial:./play" in page
    assert not [path for path in folder.iterdir() if re.search("@[A-Z]+@", path.name)]
    own = (path for path in folder.iterdir() if path.is_file())
    assert not [path for path in own if re.search("@[A-Z]+@", path.read_text())]


@pytest.mark.parametrize("lang", [lang for lang in HERE if lang in CLIENTS])
def test_folder_takes_along_the_client_and_the_protocol_and_nothing_that_was_built(
    lang: str, tmp_path: Path
) -> None:
    new_bot(lang, tmp_path / "bot")
    taken = tmp_path / "bot" / "euchre"
    files = {str(path.relative_to(taken)) for path in taken.rglob("*") if path.is_file()}
    listed = ("git", "ls-files", f"clients/{lang}", "proto")
    kept = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert files <= set(kept.split())
    assert "proto/euchre/referee/v1/play.proto" in files
    assert f"clients/{lang}/README.md" in files


@pytest.mark.parametrize("lang", [lang for lang in HERE if lang in CLIENTS])
def test_bot_that_is_not_built_says_so_in_a_line(lang: str, tmp_path: Path) -> None:
    new_bot(lang, tmp_path / "bot")
    play = str(tmp_path / "bot" / "play")
    done = subprocess.run((play, "--help"), check=False, capture_output=True, text=True)
    said = f"{play}: the bot is not built yet (make -C {tmp_path / 'bot'})\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.parametrize("lang", [lang for lang in HERE if lang in SAMPLES])
def test_bot_over_stdio_plays_with_the_command_that_is_printed(lang: str, tmp_path: Path) -> None:
    needs(lang)
    said = new_bot(lang, tmp_path / "my bot").output
    told = played(tmp_path, said, with_commands_of_ours())
    assert (told["outcome"], told["seeds"]) == ("finished", {"seat": 2, "host": 2})


@pytest.mark.heavy
@pytest.mark.parametrize("lang", [lang for lang in HERE if lang in CLIENTS])
def test_bot_with_a_client_is_built_and_plays_with_the_commands_that_are_printed(
    lang: str, tmp_path: Path
) -> None:
    needs(lang)
    said = new_bot(lang, tmp_path / "my-bot").output
    if lang == "rust" and (built := ROOT / "clients" / "rust" / "target").is_dir():
        (tmp_path / "my-bot" / "target").symlink_to(built)  # crates of others are built once
    told = played(tmp_path, said, with_commands_of_ours())
    assert (told["outcome"], told["seeds"]) == ("finished", {"seat": 2, "host": 2})


@pytest.mark.heavy
def test_installed_package_carries_the_clients_and_the_bridge(tmp_path: Path) -> None:
    environment = with_package(tmp_path, quiet_environment(tmp_path / "state"))
    script = (
        "import referee.cli.new_bot as n; from referee.cli.carried import carried;"
        "print(n._root()); print(*carried(n._root()))"
    )
    asked = ("python", "-c", script)
    listed = subprocess.run(
        asked, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert "site-packages" in listed[0]
    assert listed[1].split() == [str(path) for path in carried(ROOT)]
    made = ("euchre-referee", "new-bot", "--lang", "perl", "bot")
    said = subprocess.run(
        made, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    ).stdout
    needs("perl")
    assert played(tmp_path, said, environment)["outcome"] == "finished"


def test_folder_that_holds_something_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    result = new_bot("perl", tmp_path)
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "is not empty (name a new folder)" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_file_in_the_place_of_the_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = new_bot("perl", tmp_path / "file")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "cannot make" in result.output


def test_empty_folder_is_filled(tmp_path: Path) -> None:
    assert new_bot("ruby", tmp_path).exit_code == 0
    assert (tmp_path / "bot.rb").is_file()


def test_every_language_with_a_client_or_a_sample_is_offered() -> None:
    assert set(LANGUAGES) == {*CLIENTS, *SAMPLES}
