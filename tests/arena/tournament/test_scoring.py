"""What boards and rulings come to: scores, games, forfeits, and what is left to play."""

from fractions import Fraction

from referee.arena.formats.model import Encounter, RoundPlan
from referee.arena.tournament.actions import Action, Rulings, in_force
from referee.arena.tournament.agenda import agenda_of, chunked
from referee.arena.tournament.model import (
    BoardKey,
    BoardPlayed,
    player_seatings,
    team_seatings,
)
from referee.arena.tournament.scoring import Tally
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.sheetread import parse_sheet
from referee.sealing.parts import Pair

PLAN = RoundPlan(number=1, encounters=(Encounter(entries=("a", "b"), reason="drawn"),))
DUEL = "name: c\nformat: round_robin\nboards: 4\nentries: [{name: a, bot: random}, "


def duel(more: str = "") -> Sheet:
    return parse_sheet("c.yaml", f"{DUEL}{{name: b, bot: random}}]\n{more}".encode())


def board(
    number: int, first: tuple[int, int], second: tuple[int, int], *, attempt: int = 1
) -> BoardPlayed:
    return BoardPlayed(
        key=BoardKey(1, 1, number, attempt),
        id=f"{number}{attempt}" * 16,
        matches=("0" * 32, "1" * 32),
        dealer=0,
        seatings=team_seatings("a", "b"),
        outcomes=("played", "played"),
        points=(Pair(*first), Pair(*second)),
    )


def void(number: int, attempt: int = 1) -> BoardPlayed:
    key = BoardKey(1, 1, number, attempt)
    return BoardPlayed(
        key=key, id="f" * 32, matches=(), dealer=0, seatings=team_seatings("a", "b"), void="INFRA"
    )


def act(kind: str, number: int, **more: object) -> Action:
    made = Action(
        seq=0, kind=kind, who="w", reason="r", at_ms=0, round=1, encounter=1, board=number
    )
    for name, value in more.items():
        object.__setattr__(made, name, value)
    return made


def test_an_encounter_is_the_sum_of_its_boards() -> None:
    tally = Tally(duel(), [board(1, (2, 0), (0, 0)), board(2, (0, 1), (1, 0))], Rulings())
    meeting = tally.meeting(PLAN, 1)
    assert meeting.totals == {"a": Fraction(0), "b": Fraction(0)}
    assert (meeting.counted, meeting.finished, meeting.outcome.winner) == (2, False, None)


def test_a_void_board_waits_for_its_successor_and_no_longer_than_it_makes_sense() -> None:
    tally = Tally(duel("attempts: 2\n"), [void(1)], Rulings())
    meetings = tally.meetings(PLAN)
    agenda = agenda_of(meetings, tally, {(1, 1, 1): 1, (1, 1, 2): 1}, 2)
    assert agenda.announce == (BoardKey(1, 1, 1, 2), BoardKey(1, 1, 3), BoardKey(1, 1, 4))
    assert agenda.outstanding == (BoardKey(1, 1, 2),)
    tally.add(void(1, 2))
    agenda = agenda_of(tally.meetings(PLAN), tally, {(1, 1, 1): 2}, 2)
    assert agenda.exhausted == (BoardKey(1, 1, 1),)


def test_rulings_change_what_counts_and_not_what_was_played() -> None:
    played = [board(1, (4, 0), (0, 4)), board(2, (1, 0), (0, 0))]
    rulings = Rulings((act("void", 1), act("adjust", 2, entry="b", score=Fraction(3, 2))))
    meeting = Tally(duel(), played, rulings).meeting(PLAN, 1)
    assert meeting.totals == {"a": Fraction(-3, 2), "b": Fraction(3, 2)}
    again = Tally(duel(), played, Rulings((act("replay", 1, attempt=1),)))
    agenda = agenda_of(again.meetings(PLAN), again, {(1, 1, 1): 1, (1, 1, 2): 1}, 5)
    assert BoardKey(1, 1, 1, 2) in agenda.announce


def test_a_board_whose_replay_is_undone_counts_as_it_was_first_played() -> None:
    played = [board(1, (4, 0), (0, 0)), board(1, (0, 4), (0, 0), attempt=2)]
    replayed = Tally(duel(), played, Rulings((act("replay", 1, attempt=1),)))
    assert replayed.meeting(PLAN, 1).totals["a"] == -2
    assert Tally(duel(), played, Rulings()).meeting(PLAN, 1).totals["a"] == 2


def test_who_forfeits_loses_what_was_not_played_by_the_largest_points() -> None:
    ruling = Rulings((act("forfeit", 0, entries=("a",)),))
    tally = Tally(duel(), [board(1, (4, 0), (0, 4))], ruling)
    meeting = tally.meeting(PLAN, 1)
    assert meeting.finished
    assert meeting.totals["a"] == 4 - 3 * 4
    both = Rulings((act("forfeit", 0, entries=("a", "b")),))
    assert Tally(duel(), [], both).meeting(PLAN, 1).totals == {"a": 0, "b": 0}


def test_scores_of_six_tables_sum_to_nothing_where_one_forfeits() -> None:
    four = ("a", "b", "c", "d")
    plan = RoundPlan(number=1, encounters=(Encounter(entries=four, reason="drawn"),))
    tally = Tally(duel(), [], Rulings((act("forfeit", 0, entries=("c",)),)))
    totals = tally.meeting(plan, 1).totals
    assert totals["c"] == -16
    assert sum(totals.values()) == 0
    assert len(player_seatings(four)) == 6


def test_games_go_on_from_board_to_board_at_each_table() -> None:
    sheet = duel("mode: games\nrules: quick\n")
    played = [board(1, (4, 0), (2, 0)), board(2, (1, 0), (0, 1)), board(3, (0, 2), (4, 0))]
    tally = Tally(sheet, played, Rulings())
    meeting = tally.meeting(PLAN, 1)
    assert [table.score for table in meeting.games_before(2)] == [Pair(4, 0), Pair(2, 0)]
    assert [table.score for table in meeting.games_before(4)] == [Pair(0, 2), Pair(0, 0)]
    assert meeting.games == (1, 1)
    agenda = agenda_of(tally.meetings(PLAN), tally, {}, 5)
    assert agenda.announce == (BoardKey(1, 1, 4),)
    tally.add(board(4, (0, 3), (0, 0)))
    assert tally.meeting(PLAN, 1).outcome.winner == "b"


def test_tries_are_put_into_chunks_of_one_encounter() -> None:
    keys = [BoardKey(1, 1, 1), BoardKey(1, 1, 2, 3), BoardKey(1, 2, 1), BoardKey(1, 1, 9)]
    assert [len(chunk) for chunk in chunked(sorted(keys), 4)] == [2, 1, 1]


def test_an_undoing_can_be_undone() -> None:
    taken = [
        Action(seq=n, kind=kind, who="w", reason="r", at_ms=0, undoes=undoes)
        for n, (kind, undoes) in enumerate((("void", -1), ("undo", 0), ("undo", 1)))
    ]
    assert [len(in_force(taken[:n])) for n in (1, 2, 3)] == [1, 0, 1]


def test_a_duel_that_can_be_stopped_is_played_chunk_by_chunk_until_it_is_decided() -> None:
    sheet = duel("stop: {h0: 0, h1: 1}\n")
    sheet = parse_sheet("c.yaml", sheet.text.replace(b"boards: 4", b"boards: 40"))
    tally = Tally(sheet, [], Rulings())
    assert len(agenda_of(tally.meetings(PLAN), tally, {}, 5).announce) == 4
    for number in range(1, 17):
        tally.add(board(number, (2, 0), (0, 2)))
    meeting = tally.meeting(PLAN, 1)
    assert (meeting.finished, len(meeting.boards), meeting.outcome.winner) == (True, 16, "a")
    level = Tally(sheet, [board(n, (1, 0), (1, 0)) for n in range(1, 9)], Rulings())
    assert not level.meeting(PLAN, 1).finished
