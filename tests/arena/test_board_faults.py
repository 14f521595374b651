"""What goes wrong at a table of a board: whose it is, and that every board has a score."""

import secrets
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from referee.arena.boards import Chunk, MakesPlayers, play_chunk
from referee.arena.bots import PythonSpec
from referee.arena.builtin import Sensible
from referee.arena.inprocess import PythonPlayer
from referee.arena.players import JSON, Player
from referee.arena.tournament.model import BoardPlayed
from referee.host.boards import BoardHost
from referee.host.clock import LoopClock
from referee.host.match import Match
from referee.journal.audit import audit_match
from referee.journal.boardverify import verify_board
from referee.journal.sqlite import SqliteStore
from referee.journal.verify import Asked
from referee.rules import PRESETS, largest_points, preset
from referee.sealing.parts import Pair
from referee.table.board import SealedBoard
from referee.table.policy import policy
from tests.arena.boards_support import KEY, House, chunk, house, specs
from tests.host.support import MemoryStore, in_loop

HOUSE_RULES = {
    "pack": "E33J",
    "best_bower_turned": "dealer_names_blind",
    "no_trump": "round_two",
    "going_under": "swap_three",
    "farmers_hand": "redeal",
    "ace_no_face": "redeal",
    "partners_best": "one_card",
    "defend_alone": "any",
    "enforcement": "table",
}
PLAIN = Asked(None, strict=False, roster=None, receipts=None)
MOST = largest_points(preset("standard"))


class Crashing(Sensible):
    """Fails at the first card that it is to play, once in its life."""

    instant: ClassVar[bool] = True

    def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        if view.get("phase") == "play":
            raise RuntimeError("no card")
        return super().choose(view, legal)


class Illegal(Sensible):
    """Wants what is not legal."""

    def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        del view, legal
        return "order order"


class Stuck:
    """Never answers."""

    def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        del view, legal
        self.wait()
        return ""

    def wait(self) -> None:
        STUCK.acquire()


STUCK = threading.Semaphore(0)


class Failing(BoardHost):
    """A host that cannot take up one of its tables."""

    def __init__(self, store: SqliteStore, match: bytes) -> None:
        super().__init__(store=store, key=KEY, clock=LoopClock(), chance=secrets.token_bytes)
        self._broken = match

    def match_at(self, sealed: SealedBoard, table: int) -> Match:
        if sealed.created.matches[table] == self._broken:
            raise OSError("the host's own")
        return super().match_at(sealed, table)


class Ours:
    """A player with which something of ours fails that is no failure of a bot."""

    text = "ours"

    def player(self) -> Player:
        return OursPlayer("ours", Sensible)


class OursPlayer(PythonPlayer):
    async def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        if view["phase"] == "play":
            raise OSError("the host's own")
        return await super().choose(view, legal)


@in_loop
async def test_an_error_of_ours_is_charged_to_no_bot(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        played = await there.play(chunk(1), {**specs(A="sensible"), "B": Ours()})
    assert (played[0].void, played[0].faults) == ("INFRA", ())


def verified(there: House, played: Sequence[BoardPlayed]) -> bool:
    """Whether the files of boards verify."""
    for board in played:
        texts = list(there.host.files(bytes.fromhex(board.id)).values())
        report, tables = verify_board(texts[0], list(enumerate(texts[1:])), PLAIN)
        if report.exit or any(table.exit for table in tables):
            return False
    return True


def against(make: type) -> dict[str, MakesPlayers]:
    """A bot of some class against a sensible one."""
    return {**specs(A="sensible"), "B": PythonSpec(f"py:{make.__name__}", make)}


async def played_in_memory(asked: Chunk, bots: Mapping[str, MakesPlayers]) -> list[BoardPlayed]:
    """The boards of a chunk whose journal is no disk's, verified and decided again."""
    store = MemoryStore()
    host = BoardHost(store=store, key=KEY, clock=LoopClock(), chance=secrets.token_bytes)
    playing = play_chunk(asked, host=host, bots=bots, chance=secrets.token_bytes)
    played = [board async for board in playing]
    for board in played:
        texts = list(host.files(bytes.fromhex(board.id)).values())
        report, tables = verify_board(texts[0], list(enumerate(texts[1:])), PLAIN)
        assert (report.exit, [table.exit for table in tables]) == (0, [0, 0])
        rows = store.kept[bytes.fromhex(board.id)]
        for match in map(bytes.fromhex, board.matches):
            found = audit_match(match, store.kept[match], still_open=False, board=rows)
            assert found.fault == ""
    return played


@pytest.mark.parametrize("rule_set", sorted(PRESETS))
@in_loop
async def test_boards_of_every_named_rule_set_verify(rule_set: str) -> None:
    asked = chunk(3, rule_set=rule_set)
    played = await played_in_memory(asked, specs(A="random", B="sensible"))
    assert [board.void for board in played] == [""] * 3


@in_loop
async def test_boards_under_all_house_rules_at_once_verify() -> None:
    asked = chunk(12, knobs=HOUSE_RULES)
    played = await played_in_memory(asked, specs(A="random", B="random"))
    assert len({outcome for board in played for outcome in board.outcomes}) > 1


@in_loop
async def test_a_crash_is_the_bots_own_and_its_seat_is_played_on_for(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        played = await there.play(chunk(2), against(Crashing))
        assert verified(there, played)
    whys = {fault.why for board in played for fault in board.faults}
    assert [board.void for board in played] == ["", ""]
    assert whys == {"CRASH"}
    assert {fault.entry for board in played for fault in board.faults} == {"B"}


@in_loop
async def test_whoever_stops_a_table_pays_the_most_that_a_deal_can_pay(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        played = await there.play(chunk(2), against(Illegal))
        assert verified(there, played)
    assert [board.points for board in played] == [(Pair(MOST, 0), Pair(0, MOST))] * 2
    assert [board.outcomes for board in played] == [("fault", "fault")] * 2
    assert all(board.scores == {"A": MOST, "B": -MOST} for board in played)


@in_loop
async def test_a_bot_that_never_answers_stops_no_event(tmp_path: Path) -> None:
    limits = policy({"move_ms": 250, "timeout_limit": 2})
    async with house(tmp_path) as there:
        played = await there.play(chunk(1, limits=limits), against(Stuck))
        assert verified(there, played)
    assert played[0].outcomes == ("fault", "fault")
    assert {fault.why for fault in played[0].faults} == {"TIMEOUT"}
    assert played[0].scores == {"A": MOST, "B": -MOST}


@in_loop
async def test_boards_that_nobody_listens_to_any_more_are_closed_void(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        asked = chunk(6)
        bots = specs(A="sensible", B="sensible")
        playing = play_chunk(asked, host=there.host, bots=bots, chance=secrets.token_bytes)
        first = await anext(playing)
        await playing.aclose()
        left = await there.host.recover()
        assert there.store.open_matches() == []
    assert not first.void
    assert len(left) == 6
    assert any(board.void for board in left)


@in_loop
async def test_a_failure_of_ours_at_one_table_voids_the_board_at_all(tmp_path: Path) -> None:
    async with house(tmp_path) as there:
        asked = chunk(3)
        there.host = Failing(there.store, bytes.fromhex(asked.boards[1].matches[1]))
        seen = await there.play(asked, specs(A="sensible", B="sensible"))
        assert verified(there, seen)
    assert {board.key.board: board.void for board in seen} == {1: "", 2: "INFRA", 3: ""}
    assert next(board for board in seen if board.void).points == ()
