"""A league in bad weather is sound, and what checks it finds what is not."""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest
from rich.console import Console

from referee.pb.euchre.referee.v1 import match_pb2, play_pb2
from referee.sealing.transcript import ZERO_HEAD, event_hash
from tests.adversaries.book import RULINGS, Book, Latencies
from tests.adversaries.explain import downs, unexplained
from tests.adversaries.judge import Judged, judge
from tests.adversaries.league import Scale, run
from tests.adversaries.sitters import Board, Sitter
from tests.adversaries.stage import Sample, Stage, slope

MATCHES = 4


@pytest.mark.heavy
def test_sixty_matches_in_bad_weather_are_what_the_replay_says(tmp_path: Path) -> None:
    scale = Scale(matches=64, seconds=25, seed=7, rate=150, every=2.0, calm_s=15)
    league = run(scale, tmp_path, Console(quiet=True))
    assert not league.result.wrong
    assert league.result.struck.total() > 5
    assert league.result.rulings > 1_000


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a few matches were played to their end by a crowd."""
    folder = tmp_path_factory.mktemp("played")

    async def play() -> None:
        stage = Stage(folder)
        try:
            await stage.serve()
            words = ("--rules", "quick", "--knob", "deals=2", "--seed", "3")
            await stage.crowd("--matches", str(MATCHES), *words)
            assert await stage.over("crowd") == 0, stage.said("crowd")
            assert stage.figures()["over"]
            assert stage.sample().rss_kib > 10_000
            assert await stage.end("referee") == 0
            assert not stage.trouble()
        finally:
            await stage.strike()

    asyncio.run(play())
    return folder


@pytest.fixture
def rulings(played: Path) -> Iterator[list[list[str]]]:
    """The answers of the run, to be changed and written; afterwards they are as they were."""
    path = played / RULINGS
    before = path.read_text("ascii")
    lines = [line.split("\t") for line in before.splitlines()]
    yield lines
    path.write_text(before, "ascii")


def judged(folder: Path, lines: list[list[str]]) -> list[Judged]:
    text = "".join("\t".join(words) + "\n" for words in lines)
    (folder / RULINGS).write_text(text, "ascii")
    return judge(folder, folder / "journal.db", lambda _done: None)


def wrong(folder: Path, lines: list[list[str]]) -> str:
    return " / ".join(what for one in judged(folder, lines) for what in one.wrong)


def of(lines: list[list[str]], verdict: str, word: str) -> list[str]:
    return next(line for line in lines if line[3] == verdict and line[7].startswith(word))


def test_what_a_sound_run_was_told_is_what_the_replay_says(
    played: Path, rulings: list[list[str]]
) -> None:
    found = judged(played, rulings)
    assert len(found) == MATCHES
    assert not any(one.wrong for one in found)
    assert sum(one.rulings for one in found) == len(rulings) > 100


def test_an_acceptance_that_was_a_refusal_is_found(played: Path, rulings: list[list[str]]) -> None:
    of(rulings, "accepted", "play")[3] = "refused"
    assert "the replay says accepted" in wrong(played, rulings)


def test_an_answer_to_an_attempt_that_the_journal_does_not_hold_is_found(
    played: Path, rulings: list[list[str]]
) -> None:
    of(rulings, "accepted", "commit")[2] = "00" * 16
    assert "the journal has no such attempt" in wrong(played, rulings)


def test_another_action_than_the_accepted_one_is_found(
    played: Path, rulings: list[list[str]]
) -> None:
    of(rulings, "accepted", "play")[7] = "play BB"
    assert "another action stands there" in wrong(played, rulings)


def test_an_attempt_turned_away_as_late_that_nobody_came_before_is_found(
    played: Path, rulings: list[list[str]]
) -> None:
    line = of(rulings, "accepted", "play")
    line[2:4] = ["00" * 16, "ABORTED"]
    assert "an action that is no fallback stands there" in wrong(played, rulings)


# What a seat finds while it plays.


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    found = Book(tmp_path)
    yield found
    found.close()


@pytest.fixture
def sitters(book: Book) -> tuple[Sitter, Sitter]:
    made = match_pb2.CreateMatchResponse(seat_tokens=["a", "b", "c", "d"])
    made.match.match = "5f" * 16
    board = Board(made, book, random.Random(1))
    return Sitter(board, 0), Sitter(board, 1)


def event(seq: int, raw: bytes = b"{}") -> play_pb2.PlayItem:
    item = play_pb2.PlayItem()
    item.event.seq, item.event.event = seq, raw
    return item


def test_events_in_order_are_fine_for_every_seat(
    book: Book, sitters: tuple[Sitter, Sitter]
) -> None:
    for seq in range(3):
        for sitter in sitters:
            sitter.hear(event(seq), 0.0)
    assert not book.errors
    assert book.counted["events"] == 3


@pytest.mark.parametrize("second", [0, 2])
def test_an_event_told_twice_or_left_out_is_found(
    book: Book, sitters: tuple[Sitter, Sitter], second: int
) -> None:
    sitters[0].hear(event(0), 0.0)
    sitters[0].hear(event(second), 0.0)
    assert f"was told event {second} where 1 was due" in book.errors[0]


def test_seats_that_are_told_different_events_are_found(
    book: Book, sitters: tuple[Sitter, Sitter]
) -> None:
    sitters[0].hear(event(0), 0.0)
    sitters[1].hear(event(0, b"{ }"), 0.0)
    assert "event 0 differs for seat 1" in book.errors[0]


@pytest.mark.parametrize("early", [True, False])
def test_a_receipt_with_another_head_is_found_whenever_it_comes(
    book: Book, sitters: tuple[Sitter, Sitter], *, early: bool
) -> None:
    board = sitters[0].board
    head = event_hash(ZERO_HEAD, b"{}")
    for sitter, given in zip(sitters, (head, bytes(32)), strict=True):
        receipt = play_pb2.ReceiptItem(match=board.id, seq=sitter.resume, head=given)
        if early:
            board.receipt(receipt)
        sitter.hear(event(0), 0.0)
        if not early:
            board.receipt(play_pb2.ReceiptItem(match=board.id, seq=0, head=given))
        board.heads.clear()
    assert len(book.errors) == 1


def asked(version: int) -> play_pb2.PlayItem:
    item = play_pb2.PlayItem()
    item.ask.what = "act"
    item.ask.view.state_version = version
    item.ask.view.legal.extend(["pass"])
    return item


def ruled(request_id: bytes, seq: int) -> play_pb2.PlayItem:
    item = play_pb2.PlayItem(request_id=request_id)
    item.ruling.accepted = True
    item.ruling.seq = seq
    return item


def test_an_attempt_answered_twice_is_found(book: Book, sitters: tuple[Sitter, Sitter]) -> None:
    seat = sitters[0]
    assert seat.hear(asked(6), 0.0)
    said = seat.say(0.0)
    assert said is not None
    seat.hear(ruled(said.request_id, 7), 0.0)
    assert not book.errors
    seat.hear(ruled(said.request_id, 7), 0.0)
    assert "answered twice" in book.errors[0]


def test_what_was_not_answered_is_said_again_word_for_word_and_only_once(
    book: Book, sitters: tuple[Sitter, Sitter]
) -> None:
    seat = sitters[0]
    seat.hear(asked(6), 0.0)
    said = seat.say(0.0)
    seat.hello()
    assert seat.again() == [said]
    seat.hear(asked(6), 0.0)
    assert seat.say(0.0) is None
    assert not book.errors


def test_an_action_accepted_at_another_place_is_found(
    book: Book, sitters: tuple[Sitter, Sitter]
) -> None:
    seat = sitters[0]
    seat.hear(asked(6), 0.0)
    said = seat.say(0.0)
    assert said is not None
    seat.hear(ruled(said.request_id, 8), 0.0)
    assert "7 was accepted as 8" in book.errors[0]


# What the proxy's log explains.


def logs(
    folder: Path, faults: list[tuple[int, str, bool]], down: tuple[int, int], what: str
) -> Path:
    def write(name: str, lines: list[dict[str, object]]) -> None:
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")

    write("matches.jsonl", [{"match": "m", "doors": [0, 1]}])
    write("proxy.jsonl", [{"at_ms": down[0], "door": 1, "what": what}])
    write("doors.jsonl", [{"at_ms": down[1], "door": 1, "what": "back"}])
    told = [
        {"at_ms": at, "match": "m", "seq": 1, "seat": 3, "why": why, "close": close}
        for at, why, close in faults
    ]
    write("faults.jsonl", [dict(line) for line in told])
    return folder


def test_a_seat_cut_off_for_its_grace_explains_its_forfeit(tmp_path: Path) -> None:
    folder = logs(tmp_path, [(40_000, "DISCONNECT", True)], (9_000, 60_000), "reset")
    assert downs(folder) == {1: [(9_000, 60_000)]}
    assert unexplained(folder) == []


@pytest.mark.parametrize(
    ("at_ms", "why", "down", "what"),
    [
        (40_000, "DISCONNECT", (20_000, 60_000), "reset"),  # away too short a time
        (40_000, "DISCONNECT", (1_000, 12_000), "blackout"),  # back before
        (40_000, "DISCONNECT", (1_000, 60_000), "delay"),  # slow is not away
        (200_000, "TIMEOUT", (1_000, 60_000), "cut"),  # long ago
        (40_000, "ILLEGAL", (1_000, 60_000), "cut"),  # no weather makes a seat try that
    ],
)
def test_a_fault_that_no_cut_line_accounts_for_is_found(
    tmp_path: Path, at_ms: int, why: str, down: tuple[int, int], what: str
) -> None:
    folder = logs(tmp_path, [(at_ms, why, True)], down, what)
    assert len(unexplained(folder)) == 1


# Figures.


def test_percentiles_come_out_to_a_tenth() -> None:
    times = Latencies()
    for tenth in range(1, 1_001):
        times.add(tenth / 1_000)
    assert 500 <= times.percentile_ms(50) <= 550
    assert 990 <= times.percentile_ms(99) <= 1_089
    assert Latencies().percentile_ms(50) == 0


def test_the_slope_of_memory_is_that_of_the_line_through_it() -> None:
    none = MappingProxyType[str, int]({})
    samples = [Sample(at, 1_000 + 3 * at, 0, 0, 0, dict(none)) for at in range(0, 100, 10)]
    assert slope(samples) == pytest.approx(3)
    assert slope(samples[:1]) == 0
