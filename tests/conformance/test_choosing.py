"""Which checks a run asks: named ones, shares, what failed last, in which order."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.choosing import MEMORY, Shard
from conformance.cli import main
from conformance.report.log import read_log
from conformance.scoring import check_ids
from tests.corpus import corpus

Folder = Callable[..., Path]
Program = Callable[[str], str]

ODD_ONES_FAIL = """
    hello()
    for line in sys.stdin:
        request = json.loads(line)
        say({**right(request), "turn": "west" if request["id"] % 2 else "east"})
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def suite(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def asked(folder: Path, *arguments: str) -> list[str]:
    suite("run", "--corpus", str(folder), "-o", "jsonl=run.jsonl", *arguments)
    return [entry.check for entry in read_log(Path("run.jsonl")).entries]


@pytest.mark.parametrize("count", [1, 2, 5, 7])
def test_the_shares_are_disjoint_and_hold_every_check_of_the_corpus(count: int) -> None:
    checks = check_ids(corpus())
    shares = [[it for it in checks if Shard(one, count).holds(it)] for one in range(1, count + 1)]
    assert sorted(check for share in shares for check in share) == sorted(checks)
    assert min(map(len, shares)) > len(checks) / count * 0.8


def test_a_share_stays_the_same_whatever_the_seed_and_whatever_else_there_is(
    corpus_dir: Folder,
) -> None:
    few = asked(corpus_dir(count=20), "-t", "null:", "--shard", "1/2")
    shuffled = asked(corpus_dir(count=20), "-t", "null:", "--shard", "1/2", "--seed", "3")
    more = asked(corpus_dir(count=40), "-t", "null:", "--shard", "1/2")
    assert sorted(shuffled) == few
    assert more[: len(few)] == few
    assert 0 < len(few) < 20


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"])
def test_a_share_that_is_none_is_refused(text: str) -> None:
    found = suite("run", "-t", "null:", "--shard", text)
    assert found.exit_code == 2
    assert f"not a share: {text!r} (write the second of five as --shard 2/5)" in found.output


def test_a_seed_shuffles_and_the_same_seed_shuffles_alike(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=12)
    plain = asked(folder, "-t", "null:")
    first = asked(folder, "-t", "null:", "--seed", "5")
    assert first == asked(folder, "-t", "null:", "--seed", "5")
    assert first != plain == sorted(first)


def test_a_check_is_named_with_its_rule_set_or_with_a_star(corpus_dir: Folder) -> None:
    folder = corpus_dir(
        "where: {ruleset: standard}", "where: {ruleset: [standard, guide]}", count=2
    )
    assert asked(folder, "-t", "null:", "--check", "small-002@guide") == ["small-002@guide"]
    assert len(asked(folder, "-t", "null:", "--check", "small-001")) == 2
    assert len(asked(folder, "-t", "null:", "--check", "small-*@standard")) == 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("smal-001", "no check 'smal-001', did you mean 'small-001'?"),
        ("small-001@quick", "no check 'small-001@quick': its case runs under standard"),
    ],
)
def test_a_check_that_is_not_there_is_said(corpus_dir: Folder, name: str, words: str) -> None:
    found = suite("run", "-t", "null:", "--corpus", str(corpus_dir()), "--check", name)
    assert found.exit_code == 2
    assert words in found.output


def test_what_failed_last_is_asked_again_alone(corpus_dir: Folder, program: Program) -> None:
    folder = corpus_dir(count=4)
    spec = program(ODD_ONES_FAIL)
    asked(folder, "-t", spec)
    assert asked(folder, "-t", spec, "--last-failed") == [
        "small-001@standard",
        "small-003@standard",
    ]


def test_what_failed_in_a_log_is_asked_again(corpus_dir: Folder, program: Program) -> None:
    folder = corpus_dir(count=4)
    spec = program(ODD_ONES_FAIL)
    asked(folder, "-t", spec)
    Path("run.jsonl").rename("old.jsonl")
    MEMORY.unlink()
    assert len(asked(folder, "-t", spec, "--last-failed", "old.jsonl")) == 2


def test_what_was_not_asked_this_time_is_not_forgotten(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=3)
    asked(folder, "-t", "null:")
    asked(folder, "-t", "null:", "--check", "small-002")
    assert len(asked(folder, "-t", "null:", "--last-failed")) == 3


def test_what_passes_now_is_no_longer_asked(
    corpus_dir: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mended_engine.py").write_text(
        "from pathlib import Path\n"
        "def answer(request):\n"
        "    if request['op'] == 'hello':\n"
        "        return {'protocol': 1, 'ops': ['legal'], 'rulesets': ['standard']}\n"
        "    return {'turn': 'east' if Path('mended').exists() else 'west'}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    folder, spec = corpus_dir(count=3), "py:mended_engine:answer"
    assert len(asked(folder, "-t", spec)) == 3
    Path("mended").touch()
    assert len(asked(folder, "-t", spec, "--last-failed")) == 3
    found = suite("run", "-t", spec, "--corpus", str(folder), "--last-failed")
    assert found.exit_code == 6
    assert "incomplete: no check was executed" in found.output


def test_a_folder_without_failures_is_left_as_it_is(corpus_dir: Folder) -> None:
    asked(corpus_dir(), "-t", "referee:")
    assert not MEMORY.parent.exists()


def test_where_nothing_is_remembered_it_is_said(corpus_dir: Folder) -> None:
    folder = str(corpus_dir())
    found = suite("run", "-t", "null:", "--corpus", folder, "--last-failed")
    assert found.exit_code == 2
    assert "no failures are remembered here" in found.output
    asked(corpus_dir(), "-t", "null:")
    found = suite("run", "-t", "wrong:", "--corpus", folder, "--last-failed")
    assert "no failures of 'wrong:' are remembered (there are those of: null:)" in found.output


@pytest.mark.parametrize("content", ["", "[]", '{"targets": 3}', '{"targets": {"null:": "all"}}'])
def test_a_memory_that_is_spoiled_is_said_and_then_made_anew(
    corpus_dir: Folder, content: str
) -> None:
    folder = corpus_dir()
    MEMORY.parent.mkdir()
    MEMORY.write_text(content)
    found = suite("run", "-t", "null:", "--corpus", str(folder), "--last-failed")
    assert found.exit_code == 2
    assert "(remove the file)" in found.output
    asked(folder, "-t", "null:")
    assert json.loads(MEMORY.read_text())["targets"] == {"null:": ["small-001@standard"]}


def test_a_target_named_twice_is_refused() -> None:
    found = suite("run", "-t", "null:", "-t", "null:")
    assert (found.exit_code, "the target 'null:' is named twice" in found.output) == (2, True)


def test_a_run_that_fails_fast_keeps_what_came_before(corpus_dir: Folder, program: Program) -> None:
    spec = program(ODD_ONES_FAIL.replace("% 2", "== 2"))
    folder = corpus_dir(count=4)
    assert len(asked(folder, "-t", spec, "--fail-fast")) == 2
    closing = read_log(Path("run.jsonl")).closing
    assert closing is not None
    assert (closing.exit, closing.stopped[spec]) == (6, "stopped at the first failure")
