"""Sealed boards played with bots: one deck at all tables, and nothing but the bots to differ by."""

from pathlib import Path

import pytest

from referee.arena.boards import ChunkError, EntryFailure, check_entry, recover_boards
from referee.arena.players import FailureKind
from referee.sealing.closing import ZERO
from tests.arena.boards_support import PLAYERS, TEAMS, chunk, house, specs
from tests.host.support import in_loop


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
async def test_a_chunk_without_a_bot_for_an_entry_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        with pytest.raises(ChunkError, match="no bot for the entry 'B'"):
            await there.play(chunk(1), specs(A="sensible"))
