"""What the referee rules on each command, and what follows from it."""

from itertools import pairwise

import pytest

from referee.rules import PRESETS, largest_points, preset
from referee.sealing.closing import Attempt, Fault
from referee.sealing.commit import declined_commit, hidden_move
from referee.sealing.events import ActionTaken, MatchOpen
from referee.sealing.packs import SEATS
from referee.sealing.parts import Pair
from referee.table.commands import (
    Abort,
    Command,
    Forfeit,
    GiveCommit,
    GiveSeed,
    Malformed,
    SeedsMissing,
    SitDown,
    TakeAction,
)
from referee.table.decide import Decision
from referee.table.follow import follow
from referee.table.view import asks, private_cards
from tests.table.support import BLIND, KEY, NOW_MS, Table, created, info, sealed, seed_of


def kinds(decision: Decision) -> list[str]:
    return [event.kind for event in decision.events]


def dealers_table() -> Table:
    """The first caller orders the dealer up, who must discard."""
    table = sealed()
    table.act("order")
    return table


# -- opening


def test_the_match_opens_when_the_fourth_seat_sits_down() -> None:
    table = Table(created())
    for seat in (2, 0, 3):
        assert kinds(table.give(SitDown(seat=seat, info=info(seat)))) == ["seated"]
    last = table.give(SitDown(seat=1, info=info(1)))
    assert kinds(last) == ["seated", "match_open", "deal_open"]
    opened = last.events[1]
    assert isinstance(opened, MatchOpen)
    assert [seat.name for seat in opened.seats] == ["bot0", "bot1", "bot2", "bot3"]
    assert opened.opened_at == NOW_MS


def test_a_seat_is_taken_once() -> None:
    table = Table(created())
    table.give(SitDown(seat=0, info=info(0)))
    assert table.misuse(SitDown(seat=0, info=info(0))) == "CONFLICT"


@pytest.mark.parametrize(
    "command",
    [
        GiveCommit(seat=0, deal=0, commit=bytes(32)),
        GiveSeed(seat=0, deal=0, seed=bytes(32), cut=None, cset=bytes(32)),
        TakeAction(seat=0, action="pass", blind=BLIND, used_ms=0),
        Malformed(seat=0),
        SeedsMissing(),
    ],
)
def test_nothing_is_asked_for_before_the_match_opens(command: Command) -> None:
    assert Table(created()).misuse(command) == "NOT_NOW"


def test_the_dealer_draw_is_deal_0_and_has_no_dealer() -> None:
    table = Table(created()).sit()
    assert (table.deal.number, table.deal.dealer, table.deal.cutter) == (0, None, None)


def test_a_named_first_dealer_leaves_out_the_draw() -> None:
    table = Table(created("winnipeg", first_dealer=2)).sit()
    assert (table.deal.number, table.deal.dealer) == (1, 2)


def test_a_seat_that_declines_makes_the_match_unrated() -> None:
    table = Table(created()).sit("checks", "plays", "checks", "checks")
    assert table.state.rated is False
    assert table.state.created.policy.rated is True


# -- commits and reveals


def test_the_fourth_commitment_closes_the_set() -> None:
    table = Table(created()).sit()
    for seat in (3, 1, 0):
        assert kinds(table.give(table.commit_of(seat))) == ["seat_commit"]
    assert kinds(table.give(table.commit_of(2))) == ["seat_commit", "commit_set"]


def test_the_fourth_seed_deals_the_cards() -> None:
    table = Table(created("winnipeg", first_dealer=0)).sit().commit()
    for seat in (3, 1, 0):
        assert kinds(table.give(table.seed_for(seat))) == ["seed"]
    last = table.give(table.seed_for(2))
    assert kinds(last) == ["seed", "reveal_set", "deck_root", "turn_up"]


def test_the_draw_closes_itself_and_the_first_deal_opens() -> None:
    table = Table(created()).sit().commit().reveal(0, 1, 2)
    last = table.give(table.seed_for(3))
    assert kinds(last) == [
        *("seed", "reveal_set", "deck_root", "dealer_draw", "deal_close", "deal_open")
    ]
    assert table.closes[0].outcome == "draw"
    assert table.deal.dealer is not None


def test_an_equal_commitment_is_accepted_again_and_changes_nothing() -> None:
    table = Table(created()).sit()
    table.give(table.commit_of(0))
    assert table.give(table.commit_of(0)).events == ()


def test_another_commitment_conflicts() -> None:
    table = Table(created()).sit()
    table.give(table.commit_of(0))
    assert table.misuse(GiveCommit(seat=0, deal=0, commit=bytes(32))) == "CONFLICT"


def test_a_commitment_copied_from_another_seat_conflicts() -> None:
    table = Table(created()).sit()
    table.give(table.commit_of(0))
    copied = table.commit_of(0).commit
    assert table.misuse(GiveCommit(seat=1, deal=0, commit=copied)) == "CONFLICT"


def test_a_commitment_copied_from_a_declined_seat_conflicts() -> None:
    table = Table(created()).sit("plays", "checks", "checks", "checks")
    copied = declined_commit(table.state.match, 0, 0)
    assert table.misuse(GiveCommit(seat=1, deal=0, commit=copied)) == "CONFLICT"


@pytest.mark.parametrize("deal", [1, 7])
def test_a_commitment_for_another_deal_is_not_asked_for(deal: int) -> None:
    table = Table(created()).sit()
    assert table.misuse(GiveCommit(seat=0, deal=deal, commit=bytes(32))) == "NOT_NOW"


def test_a_seed_is_not_asked_for_before_the_set_stands() -> None:
    table = Table(created()).sit().commit(0, 1, 2)
    given = GiveSeed(seat=0, deal=0, seed=seed_of(0, 0), cut=None, cset=bytes(32))
    assert table.misuse(given) == "NOT_NOW"


def test_a_seed_for_another_commit_set_conflicts_and_costs_nothing() -> None:
    table = Table(created()).sit().commit()
    given = GiveSeed(seat=0, deal=0, seed=seed_of(0, 0), cut=None, cset=bytes(32))
    assert table.misuse(given) == "CONFLICT"


def test_an_equal_seed_is_accepted_again_also_with_a_cut_that_nobody_asked_for() -> None:
    table = Table(created()).sit().commit().reveal(0)
    again = table.seed_for(0)
    assert table.give(again).events == ()
    odd = GiveSeed(seat=0, deal=0, seed=again.seed, cut=5, cset=again.cset)
    assert table.give(odd).events == ()


def test_another_seed_conflicts_once_one_stands() -> None:
    table = Table(created()).sit().commit().reveal(0)
    given = GiveSeed(seat=0, deal=0, seed=bytes(32), cut=None, cset=table.deal.cset)
    assert table.misuse(given) == "CONFLICT"


def test_a_declined_seat_has_its_commitment_computed_and_never_cuts() -> None:
    made = created("guide", knobs={"first_dealer": "agreed"}, first_dealer=0)
    table = Table(made).sit("checks", "checks", "checks", "plays")
    assert table.deal.cutter is None
    assert table.misuse(GiveCommit(seat=3, deal=1, commit=bytes(32))) == "NOT_NOW"
    table.commit()
    assert table.deal.commits[3] == declined_commit(table.state.match, 1, 3)
    assert not table.state.rated


@pytest.mark.parametrize(
    ("cut", "cutter"), [("dealers_right", 3), ("dealers_left", 1), ("none", None)]
)
def test_the_cutter_sits_where_the_rules_say(cut: str, cutter: int | None) -> None:
    made = created("guide", knobs={"first_dealer": "agreed", "cut": cut}, first_dealer=0)
    assert Table(made).sit().deal.cutter == cutter


def test_the_cut_stands_in_the_reveal_set() -> None:
    made = created("guide", knobs={"first_dealer": "agreed"}, first_dealer=0)
    table = Table(made).sit().commit().reveal()
    shown = next(event for event in table.events if event.kind == "reveal_set")
    assert shown.fields()["cut"] == 1


@pytest.mark.parametrize("cut", [24, None])
def test_a_cut_beyond_the_pack_or_no_cut_is_withheld(cut: int | None) -> None:
    made = created("guide", knobs={"first_dealer": "agreed"}, first_dealer=0)
    table = Table(made).sit().commit()
    good = table.seed_for(3)
    table.give(GiveSeed(seat=3, deal=1, seed=good.seed, cut=cut, cset=good.cset))
    assert table.closes[0].faults == (Fault(3, "WITHHELD"),)


# -- withheld seeds


def first_deal(rules: str = "standard", *, rated: bool = True, limit: int = 2) -> Table:
    """The first deal after the draw, with nothing committed yet."""
    made = created(rules, rated=rated, limits={"withheld_limit": limit})
    return Table(made).sit().commit().reveal()


@pytest.mark.parametrize("rules", PRESETS)
def test_one_side_that_withholds_pays_the_largest_points_of_the_rules(rules: str) -> None:
    table = first_deal(rules).commit(0, 2, 3)
    table.give(SeedsMissing())
    close = table.closes[-1]
    assert (close.outcome, close.faults) == ("fault", (Fault(1, "WITHHELD"),))
    assert close.points == Pair(largest_points(preset(rules)), 0)
    assert close.deck is None
    assert table.deal.number == 2


def test_the_deal_passes_left_after_a_fault() -> None:
    table = first_deal()
    before = table.deal.dealer
    assert before is not None
    table.commit(0, 2, 3).give(SeedsMissing())
    assert table.deal.dealer == (before + 1) % 4


def test_both_sides_that_withhold_score_nothing() -> None:
    table = first_deal().commit(0, 1)
    table.give(SeedsMissing())
    close = table.closes[-1]
    assert (close.outcome, close.points) == ("fault", Pair(0, 0))
    assert not table.state.over


def test_a_wrong_reveal_is_withheld_and_closes_the_deal_at_once() -> None:
    table = first_deal().commit()
    given = GiveSeed(seat=2, deal=1, seed=bytes(32), cut=None, cset=table.deal.cset)
    decision = table.give(given)
    assert kinds(decision) == ["deal_close", "deal_open"]
    assert table.closes[-1].faults == (Fault(2, "WITHHELD"),)
    assert table.closes[-1].points == Pair(0, largest_points(preset("standard")))


def test_a_short_seed_is_withheld() -> None:
    table = first_deal().commit()
    table.give(GiveSeed(seat=2, deal=1, seed=b"short", cut=None, cset=table.deal.cset))
    assert table.closes[-1].faults == (Fault(2, "WITHHELD"),)


def test_a_fault_publishes_r_and_uses_up_the_number() -> None:
    table = first_deal().commit(0, 2, 3)
    table.give(SeedsMissing())
    assert len(table.closes[-1].r or b"") == 32
    assert (table.closes[-1].deal, table.deal.number) == (1, 2)


def test_the_second_fault_of_a_side_forfeits() -> None:
    table = first_deal().commit(0, 2, 3)
    table.give(SeedsMissing())
    table.commit(0, 1, 2)
    table.give(SeedsMissing())
    assert (table.end.outcome, table.end.by, table.end.winner) == ("forfeit", 3, 0)


def test_a_fault_of_each_side_forfeits_nothing_yet() -> None:
    table = first_deal().commit(0, 2, 3)
    table.give(SeedsMissing())
    table.commit(1, 2, 3)
    table.give(SeedsMissing())
    assert not table.state.over
    assert table.state.withheld == Pair(1, 1)


def test_a_fault_in_the_dealer_draw_forfeits_at_once() -> None:
    table = Table(created()).sit().commit(0, 1, 2)
    table.give(SeedsMissing())
    assert table.closes[0].points == Pair(0, 0)
    assert (table.end.outcome, table.end.by, table.end.winner) == ("forfeit", 3, 0)


def test_both_sides_at_fault_in_the_dealer_draw_void_the_match() -> None:
    table = Table(created()).sit().commit(0, 1)
    table.give(SeedsMissing())
    assert (table.end.outcome, table.end.by, table.end.winner) == ("void", None, None)


def test_an_unrated_fault_is_void_and_pays_nothing() -> None:
    table = first_deal(rated=False).commit(0, 2, 3)
    table.give(SeedsMissing())
    close = table.closes[-1]
    assert (close.outcome, close.points) == ("void", Pair(0, 0))
    assert not table.state.over


def test_a_void_after_the_commit_set_closes_the_match() -> None:
    table = first_deal(rated=False).commit().reveal(0, 1, 2)
    table.give(SeedsMissing())
    assert (table.closes[-1].outcome, table.end.outcome) == ("void", "void")


def test_seeds_are_missing_only_while_they_are_asked_for() -> None:
    assert sealed().misuse(SeedsMissing()) == "NOT_NOW"


# -- actions


def test_a_legal_action_is_an_event_with_its_time() -> None:
    table = sealed()
    turn = table.turn
    decision = table.act("pass", used_ms=17)
    assert decision.events == (ActionTaken(deal=1, seat=turn, action="pass", used_ms=17),)


def test_an_illegal_action_is_refused_with_reason_and_rule_and_changes_nothing_public() -> None:
    table = sealed()
    before = table.state.version
    decision = table.act("play JD")
    assert decision.violation is not None
    assert decision.violation.reason.value == "WRONG_PHASE"
    assert kinds(decision) == ["attempt"]
    assert table.state.version == before


def test_an_action_out_of_turn_is_an_attempt_of_the_seat_that_made_it() -> None:
    table = sealed()
    seat = (table.turn + 1) % 4
    decision = table.act("pass", seat=seat)
    assert decision.violation is not None
    assert decision.violation.reason.value == "NOT_YOUR_TURN"
    assert table.state.attempts[seat] == 1


def test_rubbish_stands_in_the_transcript_as_a_question_mark() -> None:
    table = sealed()
    seat = table.turn
    table.give(Malformed(seat=seat))
    assert table.deal.attempts == (
        Attempt(after=table.state.version, seat=seat, action="?", reason="UNKNOWN_ACTION"),
    )


def test_the_third_attempt_forfeits_and_the_close_lists_all_three() -> None:
    table = sealed(illegal_limit=3)
    seat = table.turn
    for _ in range(3):
        table.act("play JD", seat=seat)
    assert (table.end.outcome, table.end.by) == ("forfeit", seat)
    close = table.closes[-1]
    assert (close.outcome, close.points) == ("fault", Pair(0, 0))
    assert close.faults == (Fault(seat, "ILLEGAL"),)
    assert [attempt.seat for attempt in close.attempts] == [seat] * 3


def test_attempts_are_counted_over_the_whole_match() -> None:
    table = sealed(illegal_limit=3)
    for _ in range(2):
        table.act("play JD", seat=0)
    table.play_deal().commit().reveal()
    table.act("play JD", seat=0)
    assert (table.end.outcome, table.end.by) == ("forfeit", 0)


def test_a_discard_is_hidden_behind_the_commitment_of_its_position() -> None:
    table = dealers_table()
    dealer, card = table.turn, table.legal[0].split()[1]
    decision = table.act(f"discard {card}")
    assert kinds(decision) == ["hidden", "action"]
    taken = decision.events[1]
    assert isinstance(taken, ActionTaken)
    assert table.deal.deck is not None
    place = table.deal.deck.cards.index(card)
    assert taken.action == "discard"
    assert taken.commit == hidden_move(table.state.match, 1, dealer, [(place, BLIND[:32])])


def test_the_upcard_is_discarded_from_position_20() -> None:
    table = dealers_table()
    assert table.deal.deck is not None
    upcard = table.deal.deck.cards[20]
    table.act(f"discard {upcard}")
    assert table.deal.openings[0].positions == (20,)


def test_the_close_opens_the_discard() -> None:
    table = dealers_table()
    seq = table.state.version + 1
    table.act(table.legal[0])
    table.play_deal()
    opening = table.closes[-1].openings[0]
    assert (opening.seq, opening.blinds) == (seq, (BLIND[:32],))


# -- fallback actions


def test_the_fallback_passes_where_it_may_and_is_marked_and_counted() -> None:
    table = sealed()
    seat = table.turn
    decision = table.fall_back()
    taken = decision.events[0]
    assert isinstance(taken, ActionTaken)
    assert (taken.action, taken.fallback) == ("pass", "TIMEOUT")
    assert table.state.timeouts[seat] == 1
    assert table.deal.faults == (Fault(seat, "TIMEOUT"),)


def test_the_fallback_of_a_discard_is_the_first_card_by_its_words_and_hidden() -> None:
    table = dealers_table()
    first = min(table.legal)
    table.fall_back()
    assert table.deal.deck is not None
    place = table.deal.openings[0].positions[0]
    assert f"discard {table.deal.deck.cards[place]}" == first


def test_nothing_is_played_for_a_seat_that_is_not_on_turn() -> None:
    table = sealed()
    seat = (table.turn + 1) % 4
    command = TakeAction(seat=seat, action="", blind=BLIND, used_ms=0, fallback="CRASH")
    assert table.misuse(command) == "NOT_NOW"


def test_timeouts_at_the_limit_forfeit() -> None:
    table = sealed(timeout_limit=1)
    seat = table.turn
    table.fall_back()
    assert (table.end.outcome, table.end.by, table.end.winner) == ("forfeit", seat, 1 - (seat & 1))
    assert table.closes[-1].faults == (Fault(seat, "TIMEOUT"),)


def test_the_bank_pays_for_time_over_the_limit_and_the_increment_comes_back() -> None:
    table = sealed(move_ms=1_000, bank_ms=5_000, increment_ms=300)
    seat = table.turn
    assert asks(table.state)[0].limit_ms == 6_000
    table.act("pass", used_ms=2_500)
    assert table.state.banks[seat] == 5_000 - 1_500 + 300


def test_the_bank_never_goes_below_nothing() -> None:
    table = sealed(move_ms=1_000, bank_ms=500)
    seat = table.turn
    table.act("pass", used_ms=9_000)
    assert table.state.banks[seat] == 0


# -- the end


def test_a_forfeit_in_play_closes_the_deal_and_names_the_seat() -> None:
    table = sealed()
    table.give(Forfeit(seat=2, why="DISCONNECT"))
    close = table.closes[-1]
    assert (close.outcome, close.points) == ("fault", Pair(0, 0))
    assert close.faults == (Fault(2, "DISCONNECT"),)
    assert close.deck is not None
    assert (table.end.outcome, table.end.by, table.end.winner) == ("forfeit", 2, 1)


@pytest.mark.parametrize(("void", "outcome"), [(False, "aborted"), (True, "void")])
def test_an_abort_closes_the_deal_void_and_nobody_wins(*, void: bool, outcome: str) -> None:
    table = sealed()
    table.give(Abort(void=void))
    assert (table.closes[-1].outcome, table.closes[-1].faults) == ("void", ())
    assert (table.end.outcome, table.end.winner) == (outcome, None)


@pytest.mark.parametrize(
    "command", [Abort(void=False), Abort(void=True), Forfeit(seat=1, why="START_FAIL")]
)
def test_a_match_that_ends_before_it_opens_is_dropped_and_has_no_transcript(
    command: Command,
) -> None:
    table = Table(created())
    table.give(SitDown(seat=0, info=info(0)))
    assert kinds(table.give(command)) == ["dropped"]
    assert table.state.over
    assert table.transcript == b""


def test_nothing_happens_after_the_end() -> None:
    table = sealed()
    table.give(Abort(void=False))
    assert table.misuse(TakeAction(seat=0, action="pass", blind=BLIND, used_ms=0)) == "CLOSED"
    assert follow(table.state, now_ms=NOW_MS) is None
    assert asks(table.state) == ()


def test_a_chain_used_up_closes_the_match_void() -> None:
    table = Table(created(chain=3)).sit()
    table.to_the_end()
    assert [close.deal for close in table.closes] == [0, 1, 2]
    assert (table.end.outcome, table.end.winner, table.end.deals) == ("void", None, 2)
    assert table.report.exit == 0


def test_two_games_start_again_at_nothing_and_the_deal_passes_on() -> None:
    table = Table(created("quick", limits={"games": 2})).sit().to_the_end()
    scores = [close.score for close in table.closes]
    ends = [place for place, score in enumerate(scores) if max(score.ns, score.ew) >= 5]
    assert len(ends) == 2
    first_of_second = table.closes[ends[0] + 1]
    assert first_of_second.score == first_of_second.points
    opened = [e for e in table.events if e.kind == "deal_open" and e.fields().get("dealer")]
    dealers = [SEATS.index(str(e.fields()["dealer"])) for e in opened]
    assert all((b - a) % 4 == 1 for a, b in pairwise(dealers))
    assert table.end.score.ns + table.end.score.ew == 2


def test_a_fixed_number_of_deals_ignores_the_target_and_scores_points() -> None:
    table = Table(created("standard", knobs={"deals": "3", "target": "1"})).sit().to_the_end()
    counted = [close for close in table.closes if close.outcome in {"played", "thrown_in"}]
    assert (len(counted), table.end.deals) == (3, 3)
    assert table.end.score == table.closes[-1].score


def test_equal_points_after_a_fixed_number_of_deals_have_no_winner() -> None:
    made = created("throw-in", knobs={"deals": "1"})
    table = Table(made).sit().seal()
    for _ in range(8):
        table.act("pass")
    assert (table.end.outcome, table.end.winner, table.end.score) == ("finished", None, Pair(0, 0))


def test_a_deal_thrown_in_keeps_its_number_and_the_next_goes_on() -> None:
    table = sealed("throw-in")
    for _ in range(8):
        table.act("pass")
    assert table.closes[-1].outcome == "thrown_in"
    assert table.deal.number == 2


# -- what is asked


def test_commits_and_reveals_are_asked_of_those_who_still_owe_them() -> None:
    table = Table(created(limits={"commit_ms": 700, "reveal_ms": 800})).sit().commit(1)
    assert [(a.seat, a.what, a.limit_ms) for a in asks(table.state)] == [
        (0, "commit", 700),
        (2, "commit", 700),
        (3, "commit", 700),
    ]
    table.commit(0, 2, 3).reveal(3)
    assert [(a.seat, a.what, a.limit_ms) for a in asks(table.state)] == [
        (seat, "reveal", 800) for seat in (0, 1, 2)
    ]


def test_only_the_cutter_is_asked_for_a_cut() -> None:
    made = created("guide", knobs={"first_dealer": "agreed"}, first_dealer=0)
    assert [ask.cutter for ask in asks(Table(made).sit().state)] == [False, False, False, True]


def test_a_seat_is_shown_its_five_cards_and_no_others() -> None:
    table = sealed()
    hands = [private_cards(table.state, seat) for seat in range(4)]
    places = [opening.position for hand in hands for opening in hand]
    assert sorted(places) == list(range(20))
    assert all(len(hand) == 5 for hand in hands)


def test_the_dealer_draw_shows_no_hand() -> None:
    table = Table(created()).sit().commit().reveal(0, 1, 2)
    assert private_cards(table.state, 0) == ()


def test_a_whole_game_verifies_under_its_key() -> None:
    table = Table(created()).sit().to_the_end()
    report = table.report
    assert report.exit == 0
    assert report.verdict.key == KEY.public.text
