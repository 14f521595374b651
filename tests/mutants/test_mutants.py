"""Wrong engines, one wrong rule each: every one is killed by cases of two topics."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module

import pytest

from conformance.check import Check, checks_of
from conformance.corpus import load
from conformance.jsontypes import Json, Record, map_of
from conformance.oracle import Hand
from conformance.oracle import answer as right_answer
from conformance.oracle.cards import (
    SEATS,
    TWIN,
    clockwise,
    ladder,
    left,
    partner,
    side,
    suit_of,
)
from conformance.runner import run
from conformance.targets.base import InProcess, claims_everything
from conformance.targets.referee import answer as referee_answer
from conformance.verdict import FAILURES


@cache
def checks() -> tuple[Check, ...]:
    """Every case once, under the first rule set that it runs under, and its own question only."""
    first: dict[str, Check] = {}
    for check in checks_of(load()):
        if check.case.op != "perft":
            first.setdefault(check.case.id, replace(check, steps=check.steps[-1:]))
    return tuple(first.values())


def killers(answer: Callable[[Record], Record]) -> set[str]:
    """Topics of cases that the wrong engine fails: all of them, or the first two or more."""
    corpus = load_once()
    found: set[str] = set()
    for chapter in CHAPTERS:
        part = [check for check in checks() if check.case.chapter == chapter]
        target = InProcess("mutant", answer, claims_everything("mutant", corpus.rulesets))
        results = run(target, corpus, part).results
        found |= {result.check.case.topic for result in results if result.verdict in FAILURES}
        if len(found) > 1:
            break
    return found


CHAPTERS = [
    "play",
    "rank",
    "discard",
    "dealer",
    "deal",
    "calling",
    "score",
    "alone",
    "view",
    "game",
    "action",
    "house",
    "renege",
]
load_once = cache(load)


class LeftFollowsItsPrintedSuit(Hand):
    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if not self.trick:
            return False
        led = self.trick[0][1][1]
        return card[1] != led and any(held[1] == led for held in self.hands[seat])


class RenegesAreAccepted(Hand):
    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        return {**super()._broken(seat, words), "MUST_FOLLOW_SUIT": False}


class MustTrumpWhenVoid(Hand):
    def _fails_to_follow(self, seat: str, card: str) -> bool:
        if super()._fails_to_follow(seat, card) or not self.trick:
            return super()._fails_to_follow(seat, card)
        led = suit_of(self.trick[0][1], self.trump)
        void = all(suit_of(held, self.trump) != led for held in self.hands[seat])
        trumps = [held for held in self.hands[seat] if suit_of(held, self.trump) == self.trump]
        return void and bool(trumps) and card not in trumps


class PartnerOfTheLonerLeads(Hand):
    def _leader(self) -> str:
        return partner(self.alone[0]) if self.alone else super()._leader()


class LonerLeads(Hand):
    def _leader(self) -> str:
        return self.alone[0] if self.alone else super()._leader()


class MakerLeads(Hand):
    def _leader(self) -> str:
        return self.maker or super()._leader()


class SitterPlays(Hand):
    def out(self) -> list[str]:
        return []


class OpponentsSitOut(Hand):
    def out(self) -> list[str]:
        return [seat for seat in SEATS if left(seat) in self.alone]


class StuckDealerPasses(Hand):
    def _stuck(self, seat: str) -> bool:
        return self.phase == "dealer_names" and seat == self.dealer


class FourthSeatIsStuck(Hand):
    def _stuck(self, seat: str) -> bool:
        return self.phase == "round_two" and seat == "west"


class TurnedDownSuitMayBeNamed(Hand):
    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        return {**super()._broken(seat, words), "SUIT_TURNED_DOWN": False}


class UnheldCardsAreAccepted(Hand):
    def _broken(self, seat: str, words: list[str]) -> dict[str, bool]:
        return {**super()._broken(seat, words), "CARD_NOT_HELD": False}

    def _play(self, seat: str, card: str) -> None:
        self.hands[seat].add(card)
        super()._play(seat, card)


class OrderInRoundTwo(Hand):
    def faults(self, seat: str, text: str) -> list[str]:
        if self.phase == "round_two" and text == "order" and seat == self.turn:
            return []
        return super().faults(seat, text)


class TurnIsNotChecked(Hand):
    def faults(self, seat: str, text: str) -> list[str]:
        return super().faults(self.turn or seat, text)


class PlayBeforeTheDiscard(Hand):
    def faults(self, seat: str, text: str) -> list[str]:
        if self.phase == "discard" and text.startswith("play"):
            return []
        return super().faults(seat, text)

    def apply(self, text: str) -> None:
        if self.phase != "discard" or not text.startswith("play"):
            super().apply(text)


class DealerKeepsSixCards(Hand):
    def apply(self, text: str) -> None:
        buried = text.split(" ")[1] if text.startswith("discard") else ""
        super().apply(text)
        if buried:
            self.hands[self.dealer].add(buried)


class SittingOutDealerLeavesTheUpcard(Hand):
    def _make(self, seat: str, words: list[str]) -> None:
        super()._make(seat, words)
        if self.phase == "discard" and self.dealer in self.out():
            self.hands[self.dealer].discard(self.upcard)
            self._ask_alone()


class UpcardTakenInRoundTwo(Hand):
    def _make(self, seat: str, words: list[str]) -> None:
        if words[0] == "name":
            self.hands[self.dealer].add(self.upcard)
        super()._make(seat, words)


class PassesFeedTheDealer(Hand):
    def _pass(self, seat: str) -> None:
        self.hands[self.dealer].add(self.upcard)
        super()._pass(seat)


class RoundTwoGoesRoundForEver(Hand):
    def _pass(self, seat: str) -> None:
        super()._pass(seat)
        if self.phase == "over":
            self.phase, self.turn, self.passes = "round_two", left(self.dealer), 4


class ThrowInKeepsTheDealer(Hand):
    def next_dealer(self) -> str:
        return self.dealer if self.trump is None else super().next_dealer()


class ThrowInSkipsADealer(Hand):
    def next_dealer(self) -> str:
        return left(super().next_dealer()) if self.trump is None else super().next_dealer()


class DealNeverReachesNorth(Hand):
    def next_dealer(self) -> str:
        after = super().next_dealer()
        return "east" if after == "north" else after


class MarchPaysOne(Hand):
    def _made(self, taken: int, *, lone: bool) -> int:
        return super()._made(taken, lone=lone) if lone else 1


class LoneMarchPaysTwo(Hand):
    def _made(self, taken: int, *, lone: bool) -> int:
        return min(2, super()._made(taken, lone=lone))


class LoneMadePaysTwo(Hand):
    def _made(self, taken: int, *, lone: bool) -> int:
        return super()._made(taken, lone=lone) + (lone and taken < 5)


class EuchrePaysOne(Hand):
    def _euchred(self, taken: int, *, lone: bool) -> int:
        return super()._euchred(taken, lone=lone) - 1


class PricesAdd(Hand):
    def _euchred(self, taken: int, *, lone: bool) -> int:
        return super()._euchred(taken, lone=lone) + (2 if lone else 0)


class MakersTricksAloneCount(Hand):
    def tricks(self) -> dict[str, int]:
        count = super().tricks()
        if self.maker is None or self.phase != "over":
            return count
        which = side(self.maker)
        own = self.winners.count(self.maker)
        return {name: own if name == which else 5 - own for name in count}


class PointsGoByTheDealer(Hand):
    def points(self) -> dict[str, int]:
        points = super().points()
        if side(self.dealer) == "ns":
            return points
        return {"ns": points["ew"], "ew": points["ns"]}


class WinnerIsThePlaceAtTheTable(Hand):
    def _play(self, seat: str, card: str) -> None:
        laid = [*self.trick, (seat, card)]
        super()._play(seat, card)
        if not self.trick and self.turn is not None and self.phase == "play":
            place = [who for who, _ in laid].index(self.winners[-1])
            self.turn = clockwise("north")[place]
            if self.turn in self.out():
                self.turn = left(self.turn)


class MakerIsForgotten(Hand):
    def making_side(self) -> str | None:
        return side(self.dealer) if self.maker else None


class DefendersAskedAgainstTwo(Hand):
    def makers_alone(self) -> bool:
        return self.maker is not None


class BothDefendersMayGoAlone(Hand):
    def _may_still_go(self, seat: str) -> bool:
        if partner(seat) in self.alone and seat not in self.asked:
            return self.making_side() != side(seat)
        return super()._may_still_go(seat)


class DealersLeftIsNotAskedFirst(Hand):
    def _ask_alone(self) -> None:
        super()._ask_alone()
        waiting = [seat for seat in SEATS if self._may_still_go(seat)]
        if self.phase == "alone" and self.turn != self.maker and waiting:
            self.turn = waiting[-1]


class LateAloneIsAnyOtherWrongPhase(Hand):
    def _out_of_phase(self, seat: str, text: str) -> str:
        return "WRONG_PHASE" if text else super()._out_of_phase(seat, text)


ENGINES = sorted(Hand.__subclasses__(), key=lambda engine: engine.__name__)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__)
def test_an_engine_with_one_wrong_rule_is_killed_by_two_topics(
    engine: type[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checks()
    monkeypatch.setattr(import_module("conformance.oracle.answer"), "Hand", engine)
    assert len(killers(right_answer)) >= 2


def jack_below_ten(trump: str, led: str) -> list[str]:
    ranked = ladder(trump, led)
    if led != trump and "J" + led in ranked[7:]:
        jack, ten = ranked.index("J" + led), ranked.index("T" + led)
        ranked[jack], ranked[ten] = ranked[ten], ranked[jack]
    return ranked


def left_below_ace(trump: str, led: str) -> list[str]:
    ranked = ladder(trump, led)
    ranked.insert(ranked.index("A" + trump), ranked.pop(ranked.index("J" + TWIN[trump])))
    return ranked


def left_above_right(trump: str, led: str) -> list[str]:
    ranked = ladder(trump, led)
    ranked.remove("J" + TWIN[trump])
    return ["J" + TWIN[trump], *ranked]


def two_of_spades_is_a_low_spade(trump: str, led: str) -> list[str]:
    return [*(card for card in ladder(trump, led) if card != "2S"), "2S"]


def trumps_do_not_ruff(trump: str, led: str) -> list[str]:
    ranked = ladder(trump, led)
    plain = [card for card in ranked if suit_of(card, trump) == led]
    return plain + [card for card in ranked if card not in plain]


def high_discards_win(trump: str, led: str) -> list[str]:
    ranked = ladder(trump, led)
    aces = [rank + suit for rank in "AK" for suit in "CDHS"]
    return ranked[:9] + [card for card in aces if card not in ranked] + ranked[9:]


@pytest.mark.parametrize(
    "order",
    [
        jack_below_ten,
        left_below_ace,
        left_above_right,
        two_of_spades_is_a_low_spade,
        trumps_do_not_ruff,
        high_discards_win,
    ],
    ids=lambda order: order.__name__,
)
def test_an_engine_with_one_wrong_ranking_is_killed(
    order: Callable[[str, str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checks()
    monkeypatch.setattr("conformance.oracle.cards.ladder", order)
    assert killers(right_answer)


def without_a_left_bower(card: str, trump: str | None) -> str:
    best = trump or "S"
    return best if card == "2S" else card[1]


def two_of_spades_is_a_spade(card: str, trump: str | None) -> str:
    return "S" if card == "2S" else suit_of(card, trump)


def left_bower_goes_by_color(card: str, trump: str | None) -> str:
    if trump is None or trump not in TWIN or card[0] != "J":
        return suit_of(card, trump)
    return TWIN[trump] if card[1] in (trump, TWIN[trump]) else suit_of(card, trump)


@pytest.mark.parametrize(
    "suit",
    [without_a_left_bower, two_of_spades_is_a_spade, left_bower_goes_by_color],
    ids=lambda suit: suit.__name__,
)
def test_an_engine_with_one_wrong_suit_is_killed(
    suit: Callable[[str, str | None], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checks()
    monkeypatch.setattr("conformance.oracle.ruling.suit_of", suit)
    assert killers(right_answer)


SEEN_IN_CASES = [
    *("pack", "target", "deals", "trump_making", "all_pass", "throw_in_dealer"),
    *("order_needs_trump", "order_needs_trump_scope", "partner_order", "upcard", "bury_upcard"),
    *("sitting_out_dealer", "alone_who", "alone_when", "defend_alone", "defend_alone_poll"),
    *("loner_lead", "both_alone_lead", "points_made", "points_march", "points_lone_march"),
    *("points_euchre", "points_euchre_all_five", "points_lone_euchred", "points_lone_defender"),
]


@pytest.mark.parametrize("knob", SEEN_IN_CASES)
def test_an_engine_that_ignores_a_knob_is_killed(knob: str) -> None:
    default = load_once().rulesets.knobs[knob].default

    def ignoring(request: Record) -> Record:
        rules = map_of(request["rules"], "rules")
        return right_answer({**request, "rules": {**rules, knob: default}})

    assert killers(ignoring)


@pytest.mark.parametrize(("field", "value"), [("packets", "3-2"), ("method", "black_jack")])
def test_an_engine_that_deals_or_draws_in_one_way_only_is_killed(field: str, value: str) -> None:
    def ignoring(request: Record) -> Record:
        return right_answer({**request, field: value} if field in request else request)

    assert killers(ignoring)


def edited(op: str, edit: Callable[[dict[str, Json], Record], None]) -> Callable[[Record], Record]:
    """The referee, with one op answered wrongly."""

    def answer(request: Record) -> Record:
        found = dict(referee_answer(request))
        if request["op"] == op:
            edit(found, request)
        return found

    return answer


def shows_the_upcard_as_turned(found: dict[str, Json], _: Record) -> None:
    found["view"] = {**map_of(found["view"], "view"), "upcard_state": "turned"}


def shows_all_hands(found: dict[str, Json], request: Record) -> None:
    deal = map_of(request["deal"], "deal")
    found["view"] = {**map_of(found["view"], "view"), "hands": deal["hands"]}


def shows_the_legal_actions_of_others(found: dict[str, Json], request: Record) -> None:
    legal = referee_answer({**request, "op": "legal"})["legal"]
    found["view"] = {**map_of(found["view"], "view"), "legal": legal}


def shows_the_old_score(found: dict[str, Json], request: Record) -> None:
    score = request.get("score", {"ns": 0, "ew": 0})
    found["view"] = {**map_of(found["view"], "view"), "score": score}


def says_nothing_after_a_refusal(found: dict[str, Json], _: Record) -> None:
    if "refused" in found:
        found.pop("turn", None)
        found.pop("legal", None)


def passes_the_turn_after_a_refusal(found: dict[str, Json], _: Record) -> None:
    turn = found.get("turn")
    if "refused" in found and isinstance(turn, str):
        found["turn"] = left(turn)


def says_not_your_turn_to_all(found: dict[str, Json], _: Record) -> None:
    if found.get("refused") == "SITTING_OUT":
        found["refused"] = "NOT_YOUR_TURN"


def names_the_first_dealer_again(found: dict[str, Json], _: Record) -> None:
    if "dealer" in found:
        found["dealer"] = "north"


def forgets_the_last_deal(found: dict[str, Json], _: Record) -> None:
    scores = found.get("scores")
    if isinstance(scores, list):
        found["scores"] = [*scores[:-1], *scores[-2:-1]]


def starts_one_seat_late(found: dict[str, Json], _: Record) -> None:
    dealer = found.get("dealer")
    if isinstance(dealer, str):
        found["dealer"] = left(dealer)


def keeps_dealing_after_the_end(found: dict[str, Json], request: Record) -> None:
    found.setdefault("next_dealer", left(str(map_of(request["deal"], "deal")["dealer"])))


def never_closes(found: dict[str, Json], _: Record) -> None:
    found.pop("closed", None)


EDITS: Mapping[str, tuple[Callable[[dict[str, Json], Record], None], ...]] = {
    "view": (
        shows_the_upcard_as_turned,
        shows_all_hands,
        shows_the_legal_actions_of_others,
        shows_the_old_score,
    ),
    "apply": (
        says_nothing_after_a_refusal,
        passes_the_turn_after_a_refusal,
        says_not_your_turn_to_all,
    ),
    "game": (names_the_first_dealer_again, forgets_the_last_deal),
    "draw": (starts_one_seat_late,),
    "replay": (keeps_dealing_after_the_end,),
    "legal": (never_closes,),
}


@pytest.mark.parametrize(
    ("op", "edit"), [(op, edit) for op, edits in EDITS.items() for edit in edits]
)
def test_an_engine_with_one_wrong_answer_is_killed(
    op: str, edit: Callable[[dict[str, Json], Record], None]
) -> None:
    assert killers(edited(op, edit))


def test_every_chapter_is_asked() -> None:
    assert {check.case.chapter for check in checks()} == set(CHAPTERS)


def test_the_engines_that_the_mutants_are_made_of_pass() -> None:
    assert killers(right_answer) == set()
    assert killers(referee_answer) == set()
