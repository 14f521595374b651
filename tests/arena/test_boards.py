"""Sealed boards played with bots: one deck at all tables, and nothing but the bots to differ by."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from referee.arena.boards import ChunkError, EntryFailure, check_entry, recover_boards
from referee.arena.bots import PythonSpec
from referee.arena.players import JSON, FailureKind
from referee.sealing.closing import ZERO
from referee.sealing.parts import Pair
from tests.arena.boards_support import PLAYERS, TEAMS, chunk, house, specs
from tests.host.support import in_loop

PID_BOT = Path(__file__).with_name("pid_bot.py")


@in_loop
async def test_two_teams_of_one_deterministic_bot_score_nothing_on_any_board(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as there:
        played = await there.play(chunk(8), specs(A="sensible", B="sensible"))
    assert sorted(board.key.board for board in played) == list(range(1, 9))
    assert all(set(board.scores.values()) == {0} for board in played)
    assert all(board.points[0] == board.points[1] for board in played)
    assert any(board.points[0] != ZERO for board in played)


@in_loop
async def test_four_players_of_one_deterministic_bot_score_nothing_at_six_tables(
    tmp_path: Path,
) -> None:
    bots = specs(A="sensible", B="sensible", C="sensible", D="sensible")
    async with house(tmp_path) as there:
        played = await there.play(chunk(2, PLAYERS), bots)
    assert [len(set(board.points)) for board in played] == [1, 1]
    assert all(set(board.scores.values()) == {0} for board in played)


@in_loop
async def test_scores_of_a_board_sum_to_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        played = await there.play(chunk(6), specs(A="sensible", B="random"))
    assert all(sum(board.scores.values()) == 0 for board in played)
    assert {board.seatings for board in played} == {TEAMS}


@in_loop
async def test_a_bot_that_does_not_start_is_named_before_a_board_is_opened(
    tmp_path: Path,
) -> None:
    asked = chunk(2)
    async with house(tmp_path) as there:
        with pytest.raises(EntryFailure, match="'B' does not start") as caught:
            await there.play(asked, specs(A="sensible", B="cmd:/no/such/bot"))
        assert there.store.matches() == []
        assert await recover_boards(there.host) == ()
    assert (caught.value.kind, caught.value.entry) == (FailureKind.START_FAIL, "B")


@in_loop
async def test_an_entry_can_be_asked_to_start_before_anything_is_played(tmp_path: Path) -> None:
    del tmp_path
    bots = specs(A="sensible", B="cmd:/no/such/bot")
    rules = chunk(1).rules
    await check_entry("A", bots["A"], rules=rules, start_ms=5_000)
    with pytest.raises(EntryFailure, match="check the command"):
        await check_entry("B", bots["B"], rules=rules, start_ms=5_000)


@in_loop
async def test_every_seat_of_every_table_has_a_process_of_its_own_that_ends_with_the_chunk(
    tmp_path: Path,
) -> None:
    pids = tmp_path / "pids"
    pids.mkdir()
    command = f"cmd:{sys.executable} {PID_BOT} {pids}"
    async with house(tmp_path) as there:
        played = await there.play(chunk(3), specs(A=command, B=command))
    assert [(board.void, board.faults) for board in played] == [("", ())] * 3
    assert all(set(board.scores.values()) == {0} for board in played)
    assert len(processes(pids)) == 8
    assert not any(map(runs, processes(pids)))


def processes(directory: Path) -> list[str]:
    """The numbers that the bots have left."""
    return [path.name for path in directory.iterdir()]


def runs(number: str) -> bool:
    """Whether a process is there."""
    return Path("/proc", number).exists()


class Scores:
    """Says which scores it was shown."""

    seen: ClassVar[set[tuple[object, object]]] = set()
    instant: ClassVar[bool] = True

    def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        self.seen.add((view["seat"], json.dumps(view["score"])))
        return legal[0]


@in_loop
async def test_a_running_score_is_shown_to_the_seats_of_its_table(tmp_path: Path) -> None:
    asked = chunk(1)
    board = replace(asked.boards[0], scores=(Pair(2, 7), Pair(0, 0)))
    bots = {**specs(B="sensible"), "A": PythonSpec("py:scores", Scores)}
    async with house(tmp_path) as there:
        (played,) = await there.play(replace(asked, boards=(board,)), bots)
        assert [file.exists() for file in there.files([played], tmp_path)] == [True] * 3
    told = {(seat, score) for seat, score in Scores.seen if seat in {"north", "south"}}
    assert {score for _, score in told} == {'{"ns": 2, "ew": 7}'}
    assert {score for _, score in Scores.seen - told} == {'{"ns": 0, "ew": 0}'}


@pytest.mark.parametrize(
    ("scores", "said"),
    [((Pair(1, 1),), "one for each table"), ((Pair(10, 0), Pair(0, 0)), "the game is over")],
)
@in_loop
async def test_scores_that_no_board_can_be_played_at_are_refused(
    scores: tuple[Pair, ...], said: str, tmp_path: Path
) -> None:
    asked = chunk(1)
    board = replace(asked.boards[0], scores=scores)
    async with house(tmp_path) as there:
        with pytest.raises(ChunkError, match=said):
            await there.play(replace(asked, boards=(board,)), specs(A="sensible", B="sensible"))


@in_loop
async def test_a_chunk_without_a_bot_for_an_entry_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        with pytest.raises(ChunkError, match="no bot for the entry 'B'"):
            await there.play(chunk(1), specs(A="sensible"))
