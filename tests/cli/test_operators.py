"""Operators' tokens, quotas and codes on the command line: what is taken, and what is refused."""

from pathlib import Path

import pytest

from referee.cli import main
from referee.cli.operators import VARIABLE, operator_token, operators_of
from referee.errors import RefereeError
from referee.service.operators import Operators
from tests.cli.test_bad_input import complaint, run_here

ADA, BOB = "a" * 16, "b" * 16


def file_of(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "operators"
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_each_line_names_an_operator(tmp_path: Path) -> None:
    found = operators_of(file_of(tmp_path, f"# ours\nada {ADA}\n\n  bob\t{BOB}  \n"))
    assert (found.name_of(ADA), found.name_of(BOB)) == ("ada", "bob")
    for token in ("", "ada", ADA[:-1], ADA + "a", ADA.upper(), f"ada {ADA}"):
        assert found.name_of(token) is None


def test_a_token_alone_is_the_operators(tmp_path: Path) -> None:
    assert operators_of(file_of(tmp_path, ADA)).name_of(ADA) == "operator"


def test_one_operator_may_have_two_tokens_while_one_is_replaced(tmp_path: Path) -> None:
    found = operators_of(file_of(tmp_path, f"ada {ADA}\nada {BOB}\n"))
    assert (found.name_of(ADA), found.name_of(BOB)) == ("ada", "ada")


def test_the_environment_adds_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not operators_of(None)
    monkeypatch.setenv(VARIABLE, BOB)
    assert operators_of(None).name_of(BOB) == "operator"
    both = operators_of(file_of(tmp_path, f"ada {ADA}\n"))
    assert (both.name_of(ADA), both.name_of(BOB)) == ("ada", "operator")


def test_no_token_stands_in_what_is_shown_of_operators() -> None:
    found = Operators.of([("ada", ADA)], "here")
    assert ADA not in repr(found)
    assert str(found.known[0][1]) not in repr(found)


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        (f"ada {ADA}\n", 0o640, "can be read by others (chmod 600"),
        (f"ada {ADA}\n", 0o604, "can be read by others (chmod 600"),
        ("ada short\n", 0o600, "the token of ada has 5 characters"),
        (f"ada {ADA}\nbob {ADA}\n", 0o600, "a token stands there twice"),
        (f"a/da {ADA}\n", 0o600, "line 1 is not NAME TOKEN"),
        (f"# x\nada {ADA} more\n", 0o600, "line 2 is not NAME TOKEN"),
        (f"ada {ADA[:-1]}\u00e9\n", 0o600, "line 1 is not NAME TOKEN"),
        ("# nobody\n", 0o600, "holds no token"),
        ("", 0o600, "holds no token"),
    ],
)
def test_a_file_that_names_no_operators_is_one_sentence_without_a_token(
    tmp_path: Path, text: str, mode: int, said: str
) -> None:
    with pytest.raises(RefereeError) as caught:
        operators_of(file_of(tmp_path, text, mode))
    assert said in str(caught.value)
    assert "operators" in str(caught.value)
    assert ADA[:-1] not in str(caught.value)


def test_an_operators_own_command_takes_the_one_token_of_its_file(tmp_path: Path) -> None:
    assert operator_token(file_of(tmp_path, f"ada {ADA}\n")) == ADA
    assert operator_token(file_of(tmp_path, f"{BOB}\n")) == BOB
    assert operator_token(None) == ""
    with pytest.raises(RefereeError, match="2 operators"):
        operator_token(file_of(tmp_path, f"ada {ADA}\nbob {BOB}\n"))


FREE = ("serve", "--db", "j.db", "--listen", "127.0.0.1:0")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((*FREE, "--operator-token-file", "none"), "cannot read 'none'"),
        ((*FREE, "--operator-token-file", "."), "cannot read '.'"),
        ((*FREE, "--quota", "calls_per_pear=1"), "did you mean 'calls_per_peer'"),
        ((*FREE, "--quota", "nothing=1"), "one of streams_per_token"),
        ((*FREE, "--quota", "calls_per_peer"), "NAME=VALUE"),
        ((*FREE, "--quota", "calls_per_peer=0"), "use 1 to"),
        ((*FREE, "--quota", "calls_per_peer=-1"), "use a number from 1 on"),
        ((*FREE, "--quota", "calls_per_peer=99999999999"), "use a number from 1 on"),
        ((*FREE, "--quota", "calls_per_peer=1", "--quota", "calls_per_peer=2"), "'1' and as '2'"),
        (("join", "7KQM-2D9X", "--token-file", "t"), "is no invitation"),
        (("join", "7KQM-2D9X-RT4W"), "--token-file"),
        (("join", "7KQM-2D9X-RT4W", "--token-file", "none/t"), "cannot make 'none/t'"),
        (("join", "7KQM-2D9X-RT4W", "--token-file", "there"), "cannot make 'there': File exists"),
        (("join", "7KQM-2D9X-RT4W", "--token-file", "t", "--referee", "127.0.0.1:1"), "no referee"),
        (("lobby", "--referee", "127.0.0.1:1"), "start one: euchre-referee serve"),
        (("matches", "--referee", "127.0.0.1:1"), "start one: euchre-referee serve"),
        (("matches", "--referee", "unix:none"), "start one: euchre-referee serve"),
        (("matches", "--state", "over"), "'over' is not one of"),
        (("abort", "ff", "--referee", "127.0.0.1:1", "--yes"), "start one"),
        (("abort", "f" * 32, "--referee", "127.0.0.1:1"), "give --yes"),
        (("create", "--open", "up"), "'up' is not one of"),
        (("create", "--public", "--referee", "127.0.0.1:1"), "give --open SEAT"),
        (("create", "--operator-token-file", "none"), "cannot read 'none'"),
        (("create", "--cert", "there"), "--cert and --cert-key"),
        (("trail", "none.db"), "no such file"),
        (("trail", "there"), "file is not a database"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, words: tuple[str, ...], text: str) -> None:
    (tmp_path / "there").write_bytes(b"rubbish\n" * 100)
    result = run_here(tmp_path, main, words)
    assert text in complaint(result)
    assert result.code == (6 if words[0] == "trail" else 2)
    assert not (tmp_path / "t").exists()
