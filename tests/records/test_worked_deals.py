import pytest

from tests.records.support import F1, F2, F3, F4, F5, both_alone, found, judged, only

NORTH_SOUTH, EAST_WEST = 0, 1


def test_a_march_after_a_led_left_bower_pays_the_makers_two() -> None:
    deal = only(judged(F1))
    assert (deal.trump, deal.maker, deal.word) == ("H", 3, "march")
    assert [trick.winner for trick in deal.tricks] == [3, 3, 3, 3, 3]
    assert (deal.points, deal.score, deal.irregularities) == ((0, 2), (0, 2), ())


def test_every_trump_lead_that_the_ace_of_trump_does_not_follow_is_a_renege() -> None:
    wrong = F1.replace("JD AH KH JH", "JD QC KH JH").replace("KS TC QC 9C", "KS TC AH 9C")
    assert found(wrong) == [f"renege.definition east {trick}" for trick in (1, 2, 3)]


def test_a_lone_march_of_the_dealers_right_is_led_by_the_dealers_partner() -> None:
    deal = only(judged(F2))
    assert (deal.alone, deal.word, deal.points) == ((2,), "lone march", (4, 0))
    assert deal.tricks[0].plays[0] == (1, "AD")
    assert deal.irregularities == ()


def test_the_dealers_partner_orders_alone_and_the_dealer_sits_out() -> None:
    deal = only(judged(F3))
    assert (deal.maker, deal.alone, deal.word, deal.points) == (1, (1,), "lone march", (0, 4))
    assert deal.irregularities == ()


def test_a_lone_defender_who_takes_four_tricks_is_paid_four() -> None:
    deal = only(judged(F4))
    assert (deal.alone, deal.tricks_won, deal.points) == ((2, 3), (1, 4), (0, 4))
    assert deal.tricks[0].plays == ((2, "JC"), (3, "TC"))
    assert deal.irregularities == ()


def test_a_euchre_of_the_stuck_dealer_ends_the_game_at_ten() -> None:
    judgement = judged(F5)
    assert (judgement.score, judgement.exit) == ((10, 9), 0)
    assert judgement.winner is not None
    assert judgement.winner.value == "ns"
    assert judgement.deals[0].next_dealer is None


@pytest.mark.parametrize(("tricks", "points"), [(3, (1, 0)), (5, (4, 0)), (2, (0, 4)), (0, (0, 4))])
def test_a_lone_maker_against_a_lone_defender_is_paid_by_the_tricks(
    tricks: int, points: tuple[int, int]
) -> None:
    judgement = judged(both_alone(tricks))
    deal = only(judgement)
    assert (deal.tricks_won, deal.points) == ((tricks, 5 - tricks), points)
    assert judgement.exit == 0


RENEGE = """\
deal 1 dealer west up 9S
hand east JC 9C AD KH QH
trump S
trick north: AC JC TC QC
"""


def test_the_left_bower_on_a_club_lead_is_a_renege_where_the_nine_of_clubs_is_held() -> None:
    assert found(RENEGE) == ["renege.definition east 1"]


def test_the_same_play_is_lawful_where_no_club_is_held() -> None:
    lawful = RENEGE.replace("JC 9C AD KH QH", "JC AD KH QH 9D")
    assert found(lawful) == []
    assert only(judged(lawful)).open == ()


def test_the_renege_is_found_from_the_play_alone_once_the_club_is_shown() -> None:
    shown = RENEGE.replace("hand east JC 9C AD KH QH\n", "") + "trick 9C AH KC KD\n"
    assert found(shown) == ["renege.definition east 1"]


def test_the_renege_is_open_where_neither_hand_nor_play_tells() -> None:
    unknown = RENEGE.replace("hand east JC 9C AD KH QH\n", "")
    assert found(unknown) == []
    assert (
        "east plays JC to AC; whether it could have followed is not known"
        in (only(judged(unknown)).open[0])
    )
