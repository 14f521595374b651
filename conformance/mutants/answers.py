"""Engines that play right and answer wrongly: views, refusals, deals, draws and games."""

from collections.abc import Sequence
from typing import Final

from conformance.jsontypes import Json, Record, map_of, texts_of
from conformance.mutants.making import Mutant, edited, function
from conformance.oracle import answer as right_answer
from conformance.oracle.answer import check_cards, whole
from conformance.oracle.cards import SEATS, left
from conformance.oracle.dealing import deal_cards, draw_dealer


def _view(found: dict[str, Json], **changes: Json) -> None:
    found["view"] = {**map_of(found["view"], "view"), **changes}


def shows_the_upcard_as_turned(found: dict[str, Json], _: Record) -> None:
    """The upcard is shown as turned in every phase."""
    _view(found, upcard_state="turned")


def shows_all_hands(found: dict[str, Json], request: Record) -> None:
    """A view holds the hands of all four seats."""
    _view(found, hands=map_of(request["deal"], "deal")["hands"])


def shows_the_partners_hand(found: dict[str, Json], request: Record) -> None:
    """A view holds the partner's hand besides the own one."""
    hands = map_of(map_of(request["deal"], "deal")["hands"], "hands")
    view = map_of(found["view"], "view")
    _view(found, partner=hands[left(left(str(view["seat"])))])


def shows_the_kitty(found: dict[str, Json], request: Record) -> None:
    """A view holds every card that lies face down."""
    hands = map_of(map_of(request["deal"], "deal")["hands"], "hands")
    dealt = {card for seat in SEATS for card in texts_of(hands[seat], "hand")}
    pack = [rank + suit for suit in "CDHS" for rank in "9TJQKA"]
    _view(found, kitty=[card for card in pack if card not in dealt])


def shows_the_buried_card(found: dict[str, Json], request: Record) -> None:
    """A view tells what the dealer buried."""
    actions = texts_of(request.get("actions", []), "actions")
    buried = [text.split(" ")[1] for text in actions if text.startswith("discard ")]
    _view(found, discard=buried)


def shows_the_legal_actions_of_others(found: dict[str, Json], request: Record) -> None:
    """A view holds the legal actions of the seat on turn, whoever looks."""
    _view(found, legal=right_answer({**request, "op": "legal"})["legal"])


def shows_the_old_score(found: dict[str, Json], request: Record) -> None:
    """A view after the deal holds the score before it."""
    _view(found, score=request.get("score", {"ns": 0, "ew": 0}))


def shows_the_hand_as_dealt(found: dict[str, Json], request: Record) -> None:
    """A view holds the five cards that were dealt, whatever was played."""
    hands = map_of(map_of(request["deal"], "deal")["hands"], "hands")
    _view(found, hand=hands[str(map_of(found["view"], "view")["seat"])])


def forgets_who_sits_out(found: dict[str, Json], _: Record) -> None:
    """A view names nobody as sitting out."""
    _view(found, out=[])


def forgets_the_maker(found: dict[str, Json], _: Record) -> None:
    """A view names no maker."""
    _view(found, maker=None)


def keeps_the_last_trick_on_the_table(found: dict[str, Json], request: Record) -> None:
    """Between two tricks the old cards still lie on the table."""
    view = map_of(found["view"], "view")
    if view.get("trick") == []:
        actions = texts_of(request.get("actions", []), "actions")
        last = [text.split(" ")[1] for text in actions if text.startswith("play ")][-1:]
        _view(found, trick=[{"seat": "north", "card": card} for card in last])


def says_nothing_after_a_refusal(found: dict[str, Json], _: Record) -> None:
    """A refusal does not tell how things stand."""
    if "refused" in found:
        found.pop("turn", None)
        found.pop("legal", None)


def passes_the_turn_after_a_refusal(found: dict[str, Json], _: Record) -> None:
    """A refused action costs the turn."""
    turn = found.get("turn")
    if "refused" in found and isinstance(turn, str):
        found["turn"] = left(turn)


def takes_the_first_legal_action_instead(found: dict[str, Json], request: Record) -> None:
    """In place of a refused action another is made."""
    legal = found.get("legal")
    if found.get("refused") in ("MUST_FOLLOW_SUIT", "CARD_NOT_HELD") and isinstance(legal, list):
        found.pop("refused")
        found |= right_answer({**request, "action": legal[0], "by": found["turn"]})


def says_not_your_turn_to_all(found: dict[str, Json], _: Record) -> None:
    """A seat that sits out is told to wait for its turn."""
    if found.get("refused") == "SITTING_OUT":
        found["refused"] = "NOT_YOUR_TURN"


def gives_one_reason_for_everything(found: dict[str, Json], _: Record) -> None:
    """Every refusal says the same."""
    if "refused" in found:
        found["refused"] = "WRONG_PHASE"


def stays_silent_about_a_game_that_is_over(found: dict[str, Json], _: Record) -> None:
    """After the game only the deal is called over."""
    if found.get("refused") == "GAME_OVER":
        found["refused"] = "HAND_OVER"


def names_the_first_dealer_again(found: dict[str, Json], _: Record) -> None:
    """North deals next, whoever dealt."""
    if "dealer" in found:
        found["dealer"] = "north"


def forgets_the_last_deal(found: dict[str, Json], _: Record) -> None:
    """The last deal of a game is not counted."""
    scores = found.get("scores")
    if isinstance(scores, list):
        found["scores"] = [*scores[:-1], *scores[-2:-1]]


def names_no_winner(found: dict[str, Json], _: Record) -> None:
    """A game that is over has no winner."""
    found.pop("winner", None)


def starts_one_seat_late(found: dict[str, Json], _: Record) -> None:
    """The draw begins one seat after the start."""
    dealer = found.get("dealer")
    if isinstance(dealer, str):
        found["dealer"] = left(dealer)


def counts_turned_cards_from_zero(found: dict[str, Json], _: Record) -> None:
    """The place of the card that decides is told, not how many were turned."""
    turned = found.get("turned")
    if isinstance(turned, int):
        found["turned"] = turned - 1


def draws_from_north(deck: list[str], method: str, start: str) -> dict[str, Json]:
    """The first card of a draw goes to north, whatever the start."""
    return draw_dealer(deck, method, start if method == "agreed" else "north")


def west_never_draws(deck: list[str], method: str, start: str) -> dict[str, Json]:
    """West is never the first dealer."""
    found = draw_dealer(deck, method, start)
    return {**found, "dealer": "south"} if found["dealer"] == "west" else found


def aces_are_high_in_a_draw(deck: list[str], method: str, start: str) -> dict[str, Json]:
    """In a draw the ace is the highest card."""
    if not method.startswith("draw"):
        return draw_dealer(deck, method, start)
    higher = {"A": "K", "K": "Q", "Q": "J", "J": "T", "T": "9", "9": "8", "8": "7", "7": "A"}
    moved = [card if card in ("2S", "BB") else higher[card[0]] + card[1] for card in deck]
    return draw_dealer(moved, method, start)


def ties_go_to_the_first(deck: list[str], method: str, start: str) -> dict[str, Json]:
    """Who ties in a draw does not draw again."""
    found = draw_dealer(deck, method, start)
    if not method.startswith("draw"):
        return found
    tied = draw_dealer([*deck[: len(SEATS)], *(["2S"] * len(deck))], method, start)
    return {**found, "dealer": tied["dealer"]}


def deals_to_the_dealer_first(deck: list[str], packets: str, dealer: str) -> dict[str, Json]:
    """The first packet goes to the dealer."""
    return deal_cards(deck, packets, left(left(left(dealer))))


def deals_as_if_north_dealt(deck: list[str], packets: str, _: str) -> dict[str, Json]:
    """The first packet goes to east, whoever deals."""
    return deal_cards(deck, packets, "north")


def turns_the_last_card(deck: list[str], packets: str, dealer: str) -> dict[str, Json]:
    """The last card of the pack is turned."""
    found = deal_cards(deck, packets, dealer)
    kitty = [str(found["upcard"]), *texts_of(found["kitty"], "kitty")]
    return {**found, "upcard": kitty[-1], "kitty": kitty[:-1]}


def turns_the_first_card(deck: list[str], packets: str, dealer: str) -> dict[str, Json]:
    """The card that is turned is taken off before the deal."""
    found = deal_cards([*deck[1:], deck[0]], packets, dealer)
    kitty = [str(found["upcard"]), *texts_of(found["kitty"], "kitty")]
    return {**found, "upcard": kitty[-1], "kitty": kitty[:-1]}


def takes_any_deck(name: str, deck: Sequence[str]) -> None:
    """A deck that lacks a card, or has one twice, is dealt all the same."""


def takes_any_cards(name: str, cards: Sequence[str]) -> None:
    """Hands may hold a card twice, or a card of another pack."""


def _any_dealer(request: Record) -> Record:
    found = right_answer(request)
    return {"scores": []} if "dealt by" in str(found.get("error", "")) else found


def keeps_dealing_after_the_end(found: dict[str, Json], request: Record) -> None:
    """A next dealer is named although the game is over."""
    found.setdefault("next_dealer", left(str(map_of(request["deal"], "deal")["dealer"])))


def never_closes(found: dict[str, Json], _: Record) -> None:
    """A deal that is over is not called closed."""
    found.pop("closed", None)


def answers_points_as_the_score(found: dict[str, Json], _: Record) -> None:
    """The points of a deal stand where its score should."""
    if "points" in found:
        found["score"] = found["points"]


def counts_a_leaf_for_each_trick(found: dict[str, Json], _: Record) -> None:
    """One leaf too many is counted."""
    leaves = found.get("leaves")
    if isinstance(leaves, int):
        found["leaves"] = leaves + 1


def verifies_whatever_it_reads(found: dict[str, Json], _: Record) -> None:
    """Every transcript is in order."""
    found.clear()
    found["exit"] = 0


def blames_the_file_for_all(found: dict[str, Json], _: Record) -> None:
    """Whatever fails speaks against the file."""
    if "party" in found:
        found["party"] = "file"


def blames_the_referee_for_all(found: dict[str, Json], _: Record) -> None:
    """Whatever fails speaks against the referee."""
    if "party" in found:
        found["party"] = "referee"


def names_the_event_before(found: dict[str, Json], _: Record) -> None:
    """The event named is the one before the one that fails."""
    event = found.get("event")
    if isinstance(event, int):
        found["event"] = event - 1


def calls_every_failure_a_broken_seal(found: dict[str, Json], _: Record) -> None:
    """Whatever fails is the seal."""
    if found.get("exit") != 0:
        found["exit"] = 3


def does_not_miss_the_end(found: dict[str, Json], _: Record) -> None:
    """A transcript without its end is in order."""
    if found.get("exit") == 5:  # noqa: PLR2004 -- the code of a missing end
        verifies_whatever_it_reads(found, _)


def finds_fault_with_the_honest(found: dict[str, Json], _: Record) -> None:
    """A transcript in order is refuted."""
    if found.get("exit") == 0:
        found["exit"] = 3


_EDITS: Final = {
    "view": (
        shows_the_upcard_as_turned,
        shows_all_hands,
        shows_the_partners_hand,
        shows_the_kitty,
        shows_the_buried_card,
        shows_the_legal_actions_of_others,
        shows_the_old_score,
        shows_the_hand_as_dealt,
        forgets_who_sits_out,
        forgets_the_maker,
        keeps_the_last_trick_on_the_table,
    ),
    "apply": (
        says_nothing_after_a_refusal,
        passes_the_turn_after_a_refusal,
        takes_the_first_legal_action_instead,
        says_not_your_turn_to_all,
        gives_one_reason_for_everything,
        stays_silent_about_a_game_that_is_over,
    ),
    "game": (names_the_first_dealer_again, forgets_the_last_deal, names_no_winner),
    "draw": (starts_one_seat_late, counts_turned_cards_from_zero),
    "replay": (keeps_dealing_after_the_end, answers_points_as_the_score),
    "legal": (never_closes,),
    "perft": (counts_a_leaf_for_each_trick,),
    "verify": (
        verifies_whatever_it_reads,
        blames_the_file_for_all,
        blames_the_referee_for_all,
        names_the_event_before,
        calls_every_failure_a_broken_seal,
        does_not_miss_the_end,
        finds_fault_with_the_honest,
    ),
}
MUTANTS: Final[tuple[Mutant, ...]] = (
    Mutant(
        name="any-dealer-deals",
        text="A deal by the wrong dealer counts in a game.",
        answer=_any_dealer,
    ),
    function(whole, takes_any_deck),
    function(check_cards, takes_any_cards),
    *(edited(op, edit) for op, edits in _EDITS.items() for edit in edits),
    *(
        function(draw_dealer, wrong)
        for wrong in (
            draws_from_north,
            west_never_draws,
            aces_are_high_in_a_draw,
            ties_go_to_the_first,
        )
    ),
    *(
        function(deal_cards, wrong)
        for wrong in (
            deals_to_the_dealer_first,
            deals_as_if_north_dealt,
            turns_the_last_card,
            turns_the_first_card,
        )
    ),
)
