"""The sample bots, in positions where the right action is plain to see."""

import subprocess
import sys

import pytest

from euchre_bot.bots import random, sensible
from euchre_bot.views import View


def view(**fields: object) -> View:
    shown: View = {
        "match": "00" * 16,
        "deal": 1,
        "state_version": 9,
        "limit_ms": 5000,
        "seat": "south",
        "phase": "play",
        "dealer": "west",
        "hand": [],
        "counts": {"north": 5, "east": 5, "south": 5, "west": 5},
        "alone": [],
        "out": [],
        "trick": [],
        "tricks": {"ns": 0, "ew": 0},
        "score": {"ns": 0, "ew": 0},
        "legal": [],
    }
    shown.update(fields)  # type: ignore[typeddict-item]  # a view with some fields of the test's
    return shown


def plays(hand: str) -> list[str]:
    return [f"play {card}" for card in hand.split()]


def trick(*played: str) -> list[dict[str, str]]:
    return [dict(zip(("seat", "card"), each.split(), strict=True)) for each in played]


CALLS = ["pass", "order", "order alone"]
NAMES = ["pass", *(f"name {suit}{tail}" for suit in "CDS" for tail in ("", " alone"))]


@pytest.mark.parametrize(
    ("hand", "dealer", "action"),
    [
        ("JH JD AH KH AS", "south", "order alone"),
        ("JH AH KH 9S TC", "north", "order"),
        ("9H TS QS 9C TC", "north", "pass"),
        ("JH AH 9S TC QD", "west", "pass"),
    ],
)
def test_sensible_calls_on_the_strength_of_its_trumps(hand: str, dealer: str, action: str) -> None:
    shown = view(phase="round_one", hand=hand.split(), upcard="QH", dealer=dealer)
    assert sensible.choose(shown, CALLS) == action


def test_sensible_dealer_without_a_hand_is_stuck_with_its_best_suit() -> None:
    shown = view(phase="round_two", hand=["9S", "TS", "QC", "9D", "TH"], upcard="9H")
    stuck = [name for name in NAMES if name != "pass"]
    assert sensible.choose(shown, stuck) == "name S"
    assert sensible.choose(shown, NAMES) == "pass"


@pytest.mark.parametrize(
    ("hand", "action"),
    [
        ("JH JD AH KH AS 9C", "discard 9C"),
        ("JH JD AH KH 9H TH", "discard 9H"),
        ("AH KH 9S KS TC AD", "discard TC"),
    ],
)
def test_sensible_discards_low_and_from_a_short_suit(hand: str, action: str) -> None:
    shown = view(phase="discard", hand=hand.split(), trump="H")
    legal = [f"discard {card}" for card in hand.split()]
    assert sensible.choose(shown, legal) == action


@pytest.mark.parametrize(
    ("hand", "maker", "action"),
    [
        ("JH AH 9S TC AD", "south", "play JH"),
        ("JD AH 9S TC AD", "south", "play JD"),
        ("JH AH 9S TC AD", "east", "play AD"),
        ("9S TS TC QH KH", "east", "play TC"),
    ],
)
def test_sensible_leads_trumps_as_maker_and_aces_as_defender(
    hand: str, maker: str, action: str
) -> None:
    shown = view(hand=hand.split(), trump="H", maker=maker)
    assert sensible.choose(shown, plays(hand)) == action


@pytest.mark.parametrize(
    ("hand", "on_table", "action"),
    [
        ("AS 9S", ("west KS", "north QS", "east TS"), "play AS"),
        ("AS 9S", ("west KS", "north AS", "east TS"), "play 9S"),
        ("KH 9C", ("west KS", "north QS", "east TS"), "play KH"),
        ("JD 9H", ("west KS", "north QS", "east QH"), "play JD"),
        ("9S TS", ("west KS",), "play 9S"),
    ],
)
def test_sensible_wins_as_cheaply_as_it_can_and_spares_its_partner(
    hand: str, on_table: tuple[str, ...], action: str
) -> None:
    led = on_table[0].split()[1]
    shown = view(hand=hand.split(), trump="H", led=led, trick=trick(*on_table))
    assert sensible.choose(shown, plays(hand)) == action


def test_sensible_knows_that_the_left_bower_is_a_trump() -> None:
    assert sensible.suit_of("JD", "H") == "H"
    assert sensible.suit_of("JD", "S") == "D"
    assert sensible.suit_of("2S", "H") == "H"


def test_sensible_takes_a_legal_action_in_a_phase_it_does_not_know() -> None:
    assert sensible.choose(view(phase="siesta"), ["redeal", "pass"]) == "pass"


def test_sensible_has_a_hand_without_an_ace_or_face_dealt_again() -> None:
    assert sensible.choose(view(phase="house"), ["redeal", "pass"]) == "redeal"


def test_random_answers_one_question_alike_and_differently_by_seed() -> None:
    legal = plays("9C TC JC QC KC")
    shown = view()
    answers = {seed: random.chooser(seed)(shown, legal) for seed in "0123456789"}
    assert random.chooser("0")(shown, legal[::-1]) == answers["0"]
    assert len(set(answers.values())) > 1


@pytest.mark.parametrize("name", ["random", "sensible"])
def test_sample_bot_without_a_token_says_so_in_one_line(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"euchre_bot.bots.{name}", "--token-file", "/nowhere"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "euchre-bot: cannot read the token '/nowhere': No such file or directory\n"
    )
