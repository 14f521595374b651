"""What is true of the rules whatever is dealt, whatever is chosen and whatever is said."""

import re
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from referee.rules import (
    ACTION_TEXTS,
    KNOBS,
    PRESETS,
    Card,
    Cards,
    Deal,
    Game,
    Hand,
    IllegalActionError,
    InvalidCardError,
    Phase,
    Reason,
    Result,
    RuleSet,
    RuleSetError,
    Seat,
    UnknownSeatError,
    Violation,
    action_text,
    apply,
    card_text,
    cards_of,
    deal_from_deck,
    fallback_action,
    hand_of,
    legal_actions,
    outcome_of,
    pack_cards,
    parse_action,
    parse_card,
    parse_seat,
    points_won,
    preset,
    ruling,
    violation,
)
from referee.rules.cards import BEST_BOWERS, CARD_TEXTS, PACK_BITS
from referee.rules.knobs import NoTrump
from referee.rules.notation import swap_cards, swap_codes

SWAPS = ("swap 9C 9D TC", "swap 2S 7C BB")
SAYABLE = (*ACTION_TEXTS.values(), *SWAPS)


def made(values: Mapping[str, str]) -> RuleSet | None:
    try:
        return RuleSet.from_map(values)
    except RuleSetError:
        return None


def built_values(name: str) -> st.SearchStrategy[str]:
    knob = KNOBS[name]
    words = st.sampled_from(knob.words or ("",))
    if knob.least is None or knob.most is None:
        return words
    numbers = st.integers(knob.least, knob.most).map(str)
    return st.one_of(words, numbers) if knob.words else numbers


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """A named rule set, some of its knobs turned where that has a meaning."""
    values = preset(draw(st.sampled_from(list(PRESETS)))).to_map()
    for name in draw(st.sets(st.sampled_from(list(KNOBS)), max_size=6)):
        turned = {**values, name: draw(built_values(name))}
        if made(turned) is not None:
            values = turned
    return RuleSet.from_map(values)


@st.composite
def deals(draw: st.DrawFn) -> tuple[RuleSet, Deal]:
    rules = draw(rule_sets())
    deck = draw(st.permutations(pack_cards(rules.pack)))
    return rules, deal_from_deck(deck, rules, draw(st.sampled_from(Seat)))


def chances() -> st.SearchStrategy[Random]:
    """A source of choices; a third of them passes whenever it can."""
    return st.integers(0, 2**32).map(Random)


def choose(hand: Hand, chance: Random) -> int:
    legal = hand.legal()
    if parse_action("pass") in legal and chance.random() < 0.6:
        return legal[0]
    return chance.choice(legal)


def played(rules: RuleSet, deal: Deal, chance: Random) -> tuple[Hand, list[int]]:
    hand, codes = Hand(rules, deal), []
    while hand.turn >= 0:
        codes.append(choose(hand, chance))
        hand.advance(codes[-1])
    return hand, codes


def cards_on_the_table(hand: Hand) -> list[Card]:
    turned = [] if hand.upcard_state == "taken" else [hand.upcard]
    held = [card for cards in hand.hands for card in cards_of(cards)]
    return sorted([*held, *hand.plays, *hand.buried, *turned, *hand.kitty])


@settings(max_examples=60)
@given(deals(), chances())
def test_legal_is_exactly_what_nothing_is_found_against(
    dealt: tuple[RuleSet, Deal], chance: Random
) -> None:
    hand = Hand(*dealt)
    while True:
        legal = {action_text(code) for code in hand.legal()}
        for seat in Seat:
            sayable = chance.sample(SAYABLE, 5)
            if seat == hand.turn:
                own = map(action_text, swap_codes(cards_of(hand.hands[seat])))
                sayable = sorted({*SAYABLE, *own})
            accepted = set()
            for text in sayable:
                found = ruling(hand, seat, text)
                wrong = found if isinstance(found, Violation) else None
                code = parse_action(text)
                assert code is not None
                assert violation(hand, seat, code) == violation(hand, seat, text) == wrong
                accepted |= {text} if wrong is None else set()
            assert accepted == (legal if seat == hand.turn else set())
        if hand.turn < 0:
            break
        hand.advance(choose(hand, chance))


@given(deals(), chances())
def test_cards_are_conserved_and_the_deal_ends(dealt: tuple[RuleSet, Deal], chance: Random) -> None:
    rules, deal = dealt
    hand = Hand(rules, deal)
    for _ in range(60):
        assert cards_on_the_table(hand) == sorted(pack_cards(rules.pack))
        if hand.turn < 0:
            break
        assert hand.legal() == sorted(set(hand.legal())) == legal_actions(hand) != []
        assert fallback_action(hand) in hand.legal()
        hand.advance(choose(hand, chance))
    assert hand.phase is Phase.OVER


@given(deals(), chances())
def test_a_refused_action_changes_nothing_and_a_copy_is_independent(
    dealt: tuple[RuleSet, Deal], chance: Random
) -> None:
    hand = Hand(*dealt)
    while hand.turn >= 0:
        twin = hand.copy()
        wrong = chance.choice([code for code in ACTION_TEXTS if code not in hand.legal()])
        with pytest.raises(IllegalActionError):
            apply(hand, wrong)
        assert hand == twin
        code = choose(hand, chance)
        apply(twin, code)
        assert hand != twin
        hand.advance(code)
        assert hand == twin


@given(deals(), chances())
def test_one_side_is_paid_for_five_tricks_or_nobody_for_none(
    dealt: tuple[RuleSet, Deal], chance: Random
) -> None:
    rules, deal = dealt
    hand, _ = played(rules, deal, chance)
    outcome = outcome_of(hand)
    assert sum(outcome.tricks) == (5 if outcome.outcome is Result.PLAYED else 0)
    assert 0 in outcome.points
    sizes = {len(trick.plays) for trick in hand.past_tricks}
    assert sizes <= {4 - len(hand.out_seats)}
    if outcome.tricks != (0, 0):
        alone = sum(1 << seat for seat in outcome.alone)
        maker = -1 if outcome.maker is None else outcome.maker
        assert points_won(rules, maker, alone, outcome.tricks) == outcome.points


def turned_round(deal: Deal, places: int) -> Deal:
    hands = [deal.hands[(seat - places) & 3] for seat in range(4)]
    return Deal((deal.dealer + places) & 3, (hands[0], hands[1], hands[2], hands[3]), *deal[2:])


@given(deals(), chances(), st.integers(1, 3))
def test_turning_the_table_turns_only_the_seats(
    dealt: tuple[RuleSet, Deal], chance: Random, places: int
) -> None:
    rules, deal = dealt
    hand, codes = played(rules, deal, chance)
    twin = Hand(rules, turned_round(deal, places))
    here = Hand(rules, deal)
    for code in codes:
        assert twin.legal() == here.legal()
        assert twin.turn == (here.turn + places) & 3
        twin.advance(code)
        here.advance(code)
    ours, theirs = outcome_of(hand), outcome_of(twin)
    step = -1 if places & 1 else 1
    assert (theirs.tricks, theirs.points) == (ours.tricks[::step], ours.points[::step])


class Swap:
    """The suits of a color pair exchanged; the best bower stays what it is."""

    def __init__(self, pairs: str) -> None:
        self.letters = str.maketrans(pairs + pairs[::-1], pairs[::-1] + pairs)

    def text(self, text: str) -> str:
        return text if text.endswith("2S") else text.translate(self.letters)

    def card(self, card: Card) -> Card:
        text = card_text(card)
        return parse_card(text[0] + self.text(text)[1:])

    def cards(self, cards: Cards) -> Cards:
        return hand_of(map(self.card, cards_of(cards)))

    def action(self, code: int) -> int:
        word, *rest = action_text(code).split(" ")
        changed = parse_action(" ".join([word, *self.words(word, rest)]))
        assert changed is not None
        return changed

    def words(self, verb: str, rest: list[str]) -> list[str]:
        changed = [self.word(word) for word in rest]
        return sorted(changed) if verb == "swap" else changed

    def word(self, word: str) -> str:
        if word == "alone":
            return word
        return self.text(word) if len(word) == 1 else card_text(self.card(parse_card(word)))

    def deal(self, deal: Deal) -> Deal:
        n, e, s, w = map(self.cards, deal.hands)
        kitty = tuple(map(self.card, deal.kitty))
        return Deal(deal.dealer, (n, e, s, w), self.card(deal.upcard), kitty)


@given(deals(), chances(), st.sampled_from(["CS", "DH"]))
def test_swapping_the_suits_of_a_color_changes_only_names(
    dealt: tuple[RuleSet, Deal], chance: Random, pair: str
) -> None:
    rules, deal = dealt
    assume(not BEST_BOWERS >> deal.upcard & 1)
    with_best = PACK_BITS[rules.pack] & BEST_BOWERS
    assume(pair == "DH" or rules.no_trump is NoTrump.NEVER or not with_best)
    swap = Swap(pair)
    hand, codes = played(rules, deal, chance)
    here, twin = Hand(rules, deal), Hand(rules, swap.deal(deal))
    for code in codes:
        assert set(twin.legal()) == set(map(swap.action, here.legal()))
        here.advance(code)
        twin.advance(swap.action(code))
    assert outcome_of(twin) == outcome_of(hand)
    assert [trick.winner for trick in twin.past_tricks] == [t.winner for t in hand.past_tricks]


SPOKEN = "pass order alone name play discard decline swap give redeal C H N JD 10H 2S"
WORDS = st.sampled_from([*SPOKEN.split(), ""])
SPEECH = st.one_of(st.text(), st.lists(WORDS, max_size=5).map(" ".join))


@given(SPEECH)
@example("swap 9C 9D TC")
def test_words_are_an_action_only_where_they_read_back(text: str) -> None:
    code = parse_action(text)
    if code is not None:
        assert action_text(code) == text
        assert not text.startswith("swap") or len(swap_cards(code)) == 3


@given(deals(), chances(), SPEECH)
def test_any_words_get_a_ruling(dealt: tuple[RuleSet, Deal], chance: Random, text: str) -> None:
    hand = Hand(*dealt)
    while hand.turn >= 0:
        before = hand.copy()
        for seat in Seat:
            found = ruling(hand, seat, text)
            if isinstance(found, Violation):
                assert found.sentence
                assert "\n" not in found.sentence
            else:
                assert found in hand.legal()
        assert hand == before
        hand.advance(choose(hand, chance))


@given(deals(), st.integers())
def test_any_number_gets_a_ruling(dealt: tuple[RuleSet, Deal], code: int) -> None:
    hand = Hand(*dealt)
    found = violation(hand, hand.turn, code)
    assert (found is None) == (code in hand.legal())


@given(st.text(max_size=4))
@example("\U0001019d" * 4)
def test_text_is_a_card_or_is_refused_in_quotes(text: str) -> None:
    if text in CARD_TEXTS:
        assert card_text(parse_card(text)) == text
        return
    with pytest.raises(InvalidCardError, match=re.escape(repr(text))):
        parse_card(text)


@given(st.text(max_size=8))
@example("\U0001019d" * 8)
def test_text_is_a_seat_or_is_refused_in_quotes(text: str) -> None:
    if text in [seat.word for seat in Seat]:
        assert parse_seat(text).word == text
        return
    with pytest.raises(UnknownSeatError, match=re.escape(repr(text))):
        parse_seat(text)


@given(
    st.dictionaries(
        st.one_of(st.sampled_from(list(KNOBS)), st.text(max_size=6)),
        st.one_of(
            st.text(max_size=6),
            st.sampled_from([word for knob in KNOBS.values() for word in knob.words]),
            st.integers(-1, 1000).map(str),
        ),
        max_size=5,
    )
)
def test_any_map_makes_a_rule_set_or_an_error_of_ours(values: dict[str, str]) -> None:
    rules = made(values)
    if rules is None:
        with pytest.raises(RuleSetError, match=r"\A[^\n]+\Z"):
            RuleSet.from_map(values)
        return
    complete = rules.to_map()
    assert {name: complete[name] for name in values} == values
    assert RuleSet.from_map(complete) == rules


@given(rule_sets(), st.integers(0, 2**32).map(Random))
def test_a_game_passes_the_deal_and_ends(rules: RuleSet, chance: Random) -> None:
    game = Game(rules=rules, dealer=Seat.NORTH)
    deck = list(pack_cards(rules.pack))
    for _ in range(30):
        if game.is_over:
            break
        chance.shuffle(deck)
        hand, _ = played(rules, deal_from_deck(deck, rules, game.dealer), chance)
        outcome = outcome_of(hand)
        after = game.after(outcome)
        assert after.deals == game.deals + (outcome.outcome is not Result.REDEAL)
        assert after.dealer in {game.dealer, game.dealer.left}
        game = after
    if game.is_over:
        hand = Hand(rules, deal_from_deck(deck, rules, game.dealer))
        found = game.ruling(hand, hand.turn, "pass")
        assert isinstance(found, Violation)
        assert found.reason is Reason.GAME_OVER
        assert game.winner is not None or game.score[0] == game.score[1]
