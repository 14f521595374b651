"""Two seats that play with one secret: nobody cheats, and both of their clients say so."""

from pathlib import Path

import pytest

from tests.adversaries.support import Cheat, node_bot, played, python_bot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which north's and south's files of secrets are the same one."""
    secret = tmp_path / "north.secret"
    secret.write_text("5a" * 32 + "\n", encoding="ascii")
    secret.chmod(0o600)
    (tmp_path / "south.secret").hardlink_to(secret)
    return tmp_path


def test_both_clients_warn_and_the_match_is_played(folder: Path) -> None:
    outcome = played(folder, Cheat(), north=python_bot(folder), south=node_bot(folder))
    assert {left.exit for left in outcome.left.values()} == {0}, outcome.left
    assert outcome.found() == (0, None)
    for mine, other in (("north", "south"), ("south", "north")):
        said = (folder / f"{mine}.log").read_text(encoding="utf-8")
        assert said.count(f"warning: {other} plays with our secret") == 1
        assert said.count("plays with our secret") == 1
