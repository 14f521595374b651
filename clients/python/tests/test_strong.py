"""The stronger bot: what it remembers, the worlds it deals, how it solves and when it stops."""

import random
from collections.abc import Sequence

import pytest
from test_bots import CALLS, NAMES, plays, trick, view

from euchre_bot.bots.strong import Effort, Strong
from euchre_bot.bots.strong.__main__ import Ears
from euchre_bot.bots.strong.calling import Caller, Calls
from euchre_bot.bots.strong.cards import SUIT_MASK, TRUMP_MASK, layout, mask, pack_of, worth
from euchre_bot.bots.strong.memory import Memory
from euchre_bot.bots.strong.playout import _followed, finished, tricks_of
from euchre_bot.bots.strong.solve import NEXT, Prices, Solver, Table
from euchre_bot.bots.strong.worlds import Unknown
from euchre_bot.dealing import SEATS
from euchre_bot.views import View

FEW = Effort(worlds=8)
PRICES = Prices.of(made=1, march=2, euchre=2, swept=2)
FIVE = {"north": 5, "east": 5, "south": 5, "west": 5}
FOUR = {"north": 4, "east": 4, "south": 4, "west": 4}


def calling(hand: str, dealer: str, *, phase: str = "round_one") -> View:
    state = "turned" if phase == "round_one" else "turned_down"
    return view(phase=phase, hand=hand.split(), upcard="QH", upcard_state=state, dealer=dealer)


@pytest.mark.parametrize(
    ("hand", "dealer", "action"),
    [
        ("JH JD AH KH AS", "south", "order alone"),
        ("JH AH KH 9S AC", "north", "order"),
        ("9S TS 9C TC 9D", "south", "pass"),
        ("9S TS 9C TC 9D", "west", "pass"),
    ],
)
def test_strong_calls_what_wins_and_passes_what_does_not(
    hand: str, dealer: str, action: str
) -> None:
    assert Strong().choose(calling(hand, dealer), CALLS) == action


def test_strong_dealer_that_is_stuck_names_its_best_suit() -> None:
    stuck = [name for name in NAMES if name != "pass"]
    shown = calling("JS AS KS 9D TD", "south", phase="round_two")
    assert Strong().choose(shown, stuck) in {"name S", "name S alone"}


def test_strong_takes_the_last_trick_that_the_makers_need() -> None:
    shown = view(
        hand=["KH", "9C"],
        trump="H",
        maker="south",
        upcard="9H",
        upcard_state="taken",
        led="KS",
        trick=trick("west KS", "north QS", "east AS"),
        tricks={"ns": 2, "ew": 1},
        counts={"north": 1, "east": 1, "south": 2, "west": 1},
    )
    assert Strong().choose(shown, plays("KH 9C")) == "play KH"


def test_strong_plays_the_only_card_without_a_thought() -> None:
    def clock() -> float:
        ticks.append(0.0)
        return 0.0

    ticks: list[float] = []
    assert Strong(clock=clock).choose(view(hand=["9C"], trump="H"), ["play 9C"]) == "play 9C"
    assert len(ticks) == 1


def test_strong_answers_one_question_alike_with_a_number_of_worlds() -> None:
    shown = view(hand=["JH", "AS", "KS", "9D", "TD"], trump="H", maker="east", upcard="9H",
                 upcard_state="taken", dealer="west", counts=FIVE)  # fmt: skip
    legal = plays("JH AS KS 9D TD")
    answers = {Strong(FEW).choose(shown, legal) for _ in range(5)}
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("budget_ms", "limit_ms", "seconds"), [(50, 5000, 0.05), (50, 100, 0.025), (900, 400, 0.1)]
)
def test_strong_stops_at_its_budget_and_well_within_the_clock(
    budget_ms: int, limit_ms: int, seconds: float
) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.001
        return now

    shown = view(hand=["JH", "AS", "KS", "9D", "TD"], trump="H", maker="east", upcard="9H",
                 upcard_state="taken", dealer="west", counts=FIVE, limit_ms=limit_ms)  # fmt: skip
    bot = Strong(Effort(budget_ms=budget_ms, worlds=0), clock)
    assert bot.choose(shown, plays("JH AS KS 9D TD")) in plays("JH AS KS 9D TD")
    assert now <= seconds + 0.004


def test_strong_thinks_longer_where_it_has_longer() -> None:
    def looks(budget_ms: int) -> int:
        count = 0

        def clock() -> float:
            nonlocal count
            count += 1
            return count / 1_000

        shown = view(hand=["JH", "AS", "KS", "9D", "TD"], trump="H", maker="east", upcard="9H",
                     upcard_state="taken", dealer="west", counts=FIVE)  # fmt: skip
        Strong(Effort(budget_ms=budget_ms), clock).choose(shown, plays("JH AS KS 9D TD"))
        return count

    assert 3 <= looks(3) < looks(10) < looks(1_000)


def test_what_others_make_is_our_loss_and_what_our_partner_makes_our_gain() -> None:
    shown = calling("9S TS 9C TC 9D", "west")
    top, low = ["JH", "JD", "AH", "KH", "AS"], ["9S", "TS", "9C", "TC", "9D"]
    rest = (["AC", "KC", "JC", "QC", "AD"], ["KD", "QD", "TD", "KS", "QS"])
    caller = Caller(shown, Memory())

    def gain(maker: int) -> int:
        hands = [mask(top if seat == maker else low if seat == 2 else rest[seat // 2], "N")
                 for seat in range(4)]  # fmt: skip
        return caller.called(hands, maker, "H", takes=False)

    assert gain(1) == -2
    assert gain(0) == 2


def test_the_last_player_wins_as_cheaply_as_it_can() -> None:
    bits = layout("H")
    hands = [0, 0, 0, bits["AS"] | bits["KS"]]
    spades = SUIT_MASK[bits["9S"].bit_length() - 1]
    assert _followed(hands, [3], bits["QS"], 0, spades) == 3
    assert hands[3] == bits["AS"]


def worlds_of(shown: View, memory: Memory, count: int = 60) -> list[list[int]]:
    known = memory.look(shown)
    unknown = Unknown.of(shown, memory, known, shown.get("trump", "N"))
    rng = random.Random(1)  # noqa: S311 -- cards to try, no secrets
    return [unknown.world(rng) for _ in range(count)]


def test_a_void_that_was_shown_in_an_earlier_trick_is_remembered() -> None:
    memory = Memory()
    first = view(hand=["AS", "KS", "9D", "TD", "9H"], trump="H", maker="east", upcard="QH",
                 upcard_state="turned_down", led="AC", trick=trick("west AC", "north 9S"),
                 counts={**FIVE, "west": 4, "north": 4})  # fmt: skip
    memory.look(first)
    second = view(hand=["KS", "9D", "TD", "9H"], trump="H", maker="east", upcard="QH",
                  upcard_state="turned_down", counts=FOUR)  # fmt: skip
    clubs = mask(("9C", "TC", "JC", "QC", "KC"), "H")
    for hands in worlds_of(second, memory):
        assert not hands[0] & clubs
        assert [hand.bit_count() for hand in hands] == [4, 4, 4, 4]
        assert not any(hand & mask(("AC", "9S", "AS", "QH"), "H") for hand in hands)


def test_the_left_bower_shows_no_void_in_trumps() -> None:
    memory = Memory()
    memory.look(view(hand=["9S"], trump="H", led="AH", trick=trick("west AH", "north JD")))
    known = memory.look(view(hand=["9S"], trump="H", led="AH", trick=trick("west AH", "north JD")))
    assert known.voids == set()


def test_worlds_hold_together_where_earlier_tricks_were_missed() -> None:
    shown = view(hand=["KS", "9D"], trump="H", maker="east", upcard="QH", upcard_state="taken",
                 dealer="east", counts={"north": 2, "east": 2, "south": 2, "west": 2})  # fmt: skip
    for hands in worlds_of(shown, Memory()):
        assert [hand.bit_count() for hand in hands] == [2, 2, 2, 2]
        assert hands[1] & layout("H")["QH"]
        assert hands[2] == mask(["KS", "9D"], "H")
        assert (hands[0] | hands[1] | hands[2] | hands[3]).bit_count() == 8


def test_a_new_deal_forgets_the_last_one() -> None:
    memory = Memory()
    memory.look(view(hand=["9S"], trump="H", led="AC", trick=trick("west AC", "north 9D")))
    known = memory.look(view(hand=["9C"], deal=2))
    assert (known.voids, known.plays, known.mine) == (set(), {}, {"9C"})


def test_events_tell_what_was_played_after_us_and_who_had_none_of_a_suit() -> None:
    memory = Memory()
    told: list[dict[str, object]] = [
        {"kind": "match_open", "match": "00" * 16, "rules": {"pack": "E32", "points_march": "3"}},
        {"kind": "deal_open", "deal": 1},
        {"kind": "turn_up", "card": "QH"},
        {"kind": "action", "seat": "north", "action": "order"},
        {"kind": "action", "seat": "south", "action": "play 9S"},
        {"kind": "action", "seat": "west", "action": "play TS"},
        {"kind": "action", "seat": "north", "action": "play AC"},
        {"kind": "action", "seat": "east", "action": "play KS"},
        {"kind": "action", "seat": "east", "action": "play 9D"},
    ]
    for event in told:
        memory.hear(event)
    known = memory.look(view(hand=["9C"], trump="H", upcard="QH", dealer="north"))
    assert known.voids == {("north", "S")}
    assert known.plays["KS"] == "east"
    assert memory.price("points_march") == 3
    assert "7C" in memory.unseen(known)
    assert memory.price("points_lone_march") == 4


def brute(
    hands: Sequence[int],
    turn: int,
    trick: list[tuple[int, int]],
    made: int,
    *,
    left: int,
    out: int,
) -> int:
    """The value by trying everything: slow, plain, and no relative of the solver."""
    if not left:
        return PRICES.by_tricks[made]
    led = SUIT_MASK[trick[0][1].bit_length() - 1] if trick else -1
    legal = hands[turn] & led or hands[turn]
    values = []
    for card in (1 << bit for bit in range(60) if legal >> bit & 1):
        after = [hand ^ card if seat == turn else hand for seat, hand in enumerate(hands)]
        laid = [*trick, (turn, card)]
        if len(laid) < 4 - out.bit_count():
            values.append(brute(after, NEXT[out][turn], laid, made, left=left, out=out))
            continue
        follow = SUIT_MASK[laid[0][1].bit_length() - 1] | TRUMP_MASK
        winner = max(laid, key=lambda played: played[1] if played[1] & follow else 0)[0]
        values.append(brute(after, winner, [], made + (not winner & 1), left=left - 1, out=out))
    return min(values) if turn & 1 else max(values)


@pytest.mark.parametrize("seed", range(40))
def test_solver_finds_what_trying_everything_finds(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 -- cards to try, no secrets
    deck = rng.sample(pack_of("E24"), 12)
    hands = [mask(deck[3 * seat : 3 * seat + 3], "H") for seat in range(4)]
    made, out = rng.randrange(3), rng.choice((0, 0, 4))
    turn = rng.choice([seat for seat in range(4) if not out >> seat & 1])
    table = Table(hands=hands, out=out, turn=turn, made=made, lost=2 - made)
    expected = brute(hands, turn, [], made, left=3, out=out)
    assert Solver(PRICES, 0, out).value(table) == expected
    card = hands[turn] & -hands[turn]
    after = [hand ^ card if seat == turn else hand for seat, hand in enumerate(hands)]
    expected = brute(after, NEXT[out][turn], [(turn, card)], made, left=3, out=out)
    assert Solver(PRICES, 0, out).value(table.after(hands, turn, card, 0)) == expected


def test_a_deal_is_played_out_to_its_last_card() -> None:
    rng = random.Random(3)  # noqa: S311 -- cards to try, no secrets
    for _ in range(200):
        deck = rng.sample(pack_of("E24"), 20)
        hands = [mask(deck[5 * seat : 5 * seat + 5], "S") for seat in range(4)]
        assert 0 <= tricks_of(hands, 1, 0, 0) <= 5
        table = Table(hands=list(hands), out=0, turn=1)
        assert finished(table, 0) == tricks_of(hands, 1, 0, 0)
        assert not any(table.hands)


def test_top_trumps_take_every_trick_alone() -> None:
    hands = [
        mask(words.split(), "H")
        for words in ("JH JD AH KH QH", "TH 9H AS KS QS", "AC KC QC JC TC", "AD KD QD TD 9D")
    ]
    assert tricks_of(hands, 1, 0, 1 << 2) == 5
    assert worth(hands[0]) == 6 + 5 + 3 + 3 + 2 + 3


def test_a_maker_with_nothing_is_not_likely_and_neither_is_a_good_hand_that_passed() -> None:
    shown = view(trump="H", maker="north", dealer="south", upcard="9H", upcard_state="taken")
    calls = Calls.of(shown, Memory().look(shown), "H")
    assert calls is not None
    strong, weak = (
        mask(["JH", "JD", "AH", "KH", "AS"], "H"),
        mask(["9S", "TS", "9C", "TC", "9D"], "H"),
    )
    assert calls.likely([strong, weak, 0, weak])
    assert not calls.likely([weak, weak, 0, weak])
    assert not calls.likely([weak, strong, 0, strong])
    assert not calls.likely([strong, weak, 0, mask(["JD", "AH", "KH", "AD", "AC"], "H")])


def test_seats_are_numbered_as_everywhere() -> None:
    assert [NEXT[0][seat] for seat in range(len(SEATS))] == [1, 2, 3, 0]
    assert [NEXT[1 << 2][seat] for seat in (0, 1, 3)] == [1, 3, 0]


def test_a_bot_that_dials_in_hears_the_events_too() -> None:
    bot = Strong(FEW)
    Ears(bot).heard({"kind": "match_open", "match": "00" * 16, "rules": {"points_march": "7"}})
    assert bot.memory.price("points_march") == 7
