from fractions import Fraction

import pytest

from referee.arena.statistics import StatisticsError, swing_report
from referee.arena.tournament.model import (
    BoardKey,
    BoardPlayed,
    player_seatings,
    team_seatings,
)
from referee.sealing.parts import Pair


def board(number: int, *points: tuple[int, int], void: str = "") -> BoardPlayed:
    return BoardPlayed(
        key=BoardKey(round=1, encounter=1, board=number),
        id=f"{number:032x}",
        matches=("", ""),
        dealer=0,
        seatings=team_seatings("ann", "ben"),
        outcomes=("lone_march", "made") if points else (),
        points=tuple(Pair(*pair) for pair in points),
        void=void,
    )


BOARDS = (
    board(1, (4, 0), (0, 1)),
    board(2, (1, 0), (1, 0)),
    board(3, (0, 2), (0, 1)),
    board(4, void="INFRA"),
)


def test_the_largest_swing_stands_first_and_says_what_happened_at_both_tables() -> None:
    report = swing_report(BOARDS, "ann")
    assert [swing.score for swing in report.swings] == [Fraction(5, 2), Fraction(-1, 2)]
    assert report.swings[0].text == (
        "round 1, encounter 1, board 1: +2.5 points per deal against ben;"
        " table 1 as north-south: 4 to 0 (lone march); table 2 as east-west: 1 to 0 (made)"
    )


def test_one_side_s_swing_is_the_other_s_turned() -> None:
    ann, ben = swing_report(BOARDS, "ann"), swing_report(BOARDS, "ben")
    assert [swing.score for swing in ben.swings] == [-swing.score for swing in ann.swings]
    assert ann.mean == -ben.mean == Fraction(2, 3)


def test_void_boards_are_counted_and_left_out() -> None:
    report = swing_report(BOARDS, "ann")
    assert (report.boards, report.void) == (3, 1)


def test_the_largest_swing_made_five_sixths_of_the_points() -> None:
    report = swing_report(BOARDS, "ann")
    assert report.share(1) == Fraction(5, 6)
    assert report.share(9) == 1


def test_one_board_that_made_the_result_is_found() -> None:
    report = swing_report(BOARDS, "ann")
    assert (report.without_low, report.without_high) == (Fraction(-1, 4), Fraction(5, 4))
    assert not report.sign_holds
    assert report.turned_by == 1


def test_a_result_of_many_boards_does_not_hang_on_one() -> None:
    boards = [board(number, (1, 0), (0, 1)) for number in range(1, 6)]
    report = swing_report(boards, "ben")
    assert report.sign_holds
    assert report.turned_by == 5


def test_level_boards_alone_have_no_swings() -> None:
    report = swing_report([board(2, (1, 0), (1, 0))], "ann")
    assert not report.swings
    assert report.share(3) == report.turned_by == 0


def test_a_player_s_swing_names_the_partner_and_all_three_others() -> None:
    played = BoardPlayed(
        key=BoardKey(round=2, encounter=1, board=7),
        id="00" * 16,
        matches=("",) * 6,
        dealer=1,
        seatings=player_seatings(("ann", "ben", "cat", "dan")),
        points=(Pair(2, 0), *(Pair(0, 0),) * 5),
    )
    swing = swing_report([played], "ann").swings[0]
    assert swing.against == ("ben", "cat", "dan")
    assert swing.text.startswith("round 2, encounter 1, board 7: +0.333333 points per deal against")
    assert "table 1 as north-south with cat: 2 to 0" in swing.text


def test_an_entry_that_played_nothing_is_refused() -> None:
    with pytest.raises(StatisticsError, match="entry 'zoe' has finished no board"):
        swing_report(BOARDS, "zoe")
