"""Euchre Game Notation 1.4, written."""

import json
from typing import Final

from referee.records.egn import FILE_TYPE, read_egn
from referee.records.jsonfields import Json
from referee.records.model import Record, RecordedDeal
from referee.records.phases import (
    CannotExpressError,
    Told,
    Written,
    check_one_game,
    lost_notes,
    rules_of,
    told,
)
from referee.rules import Card, Hand, Phase, RuleSet, Seat, card_text, parse_card, preset
from referee.rules.knobs import AllPass, TrumpMaking
from referee.rules.seats import SEATS

VERSION: Final = "1.4"
_MOST_DEALS: Final = 100
_JOKER: Final = parse_card("BB")
_MIN_RANK: Final = {"E24": 9, "E28": 8, "E32": 7, "E25J": 9, "E33J": 7}
_ROUNDS: Final = frozenset({Phase.ROUND_ONE, Phase.ROUND_TWO})
_BESIDE: Final = frozenset({"first_dealer", "packets", "cut", "enforcement", "alone_when"})
"""Knobs that do not bear on what an EGN file holds."""


def write_egn(record: Record) -> Written:
    """The record as EGN 1.4; CannotExpressError where EGN has no way to say it."""
    rules = rules_of(record)
    check_one_game(record, "EGN")
    _check(rules)
    if len(record.deals) > _MOST_DEALS:
        raise CannotExpressError(f"EGN holds {_MOST_DEALS} deals, not {len(record.deals)}")
    notes = [*record.notes, *lost_notes(record, "EGN")]
    deals = [
        _deal(deal, told(rules, deal, ordered=record.ordered, house_said=record.house_said), notes)
        for deal in record.deals
    ]
    players = (*record.players, "", "", "", "")
    names: list[Json] = [players[seat] or seat.word for seat in SEATS]
    value: dict[str, Json] = {
        "fileType": FILE_TYPE,
        "version": VERSION,
        "metadata": {
            "players": names,
            "initialScore": list(record.score),
            "ruleset": _ruleset(rules),
        },
        "deals": [deal for deal in deals if deal is not None],
    }
    notes += _left_out(rules, value)
    return Written(json.dumps(value, indent=2, ensure_ascii=False) + "\n", tuple(notes))


def _check(rules: RuleSet) -> None:
    """Refuse rule sets whose deals EGN cannot tell."""
    if rules.trump_making is not TrumpMaking.TWO_ROUNDS:
        raise CannotExpressError(
            f"EGN has no calls for trump_making: {rules.trump_making} (export it as text or json)"
        )
    if rules.pack not in _MIN_RANK:
        raise CannotExpressError(
            f"EGN has no letter for a card of the pack {rules.pack} (export it as text or json)"
        )


def _ruleset(rules: RuleSet) -> dict[str, Json]:
    values = rules.to_map()
    found: dict[str, Json] = {
        "std": rules.all_pass is AllPass.STICK,
        "min_rank": _MIN_RANK[values["pack"]],
        "canadian": values["partner_order"] == "must_be_alone",
        "loner_lead": "LEFT_OF_LONER"
        if values["loner_lead"] == "loners_left"
        else "LEFT_OF_DEALER",
        "loner_march_score": int(values["points_lone_march"]),
        "loner_euchred_score": int(values["points_lone_euchred"]),
        "defend_alone": values["defend_alone"] != "never",
        "partners_best": values["partners_best"] != "none",
        "go_under": values["going_under"] != "none",
        "joker": values["pack"].endswith("J"),
        "allow_no_trump": values["no_trump"] != "never",
    }
    if rules.deals is None:
        found["winning_score"] = rules.target
    else:
        found["num_deals"] = rules.deals
    return found


def _left_out(rules: RuleSet, value: dict[str, Json]) -> list[str]:
    """The knobs that are lost when the file is read back."""
    back = {**preset("standard").to_map(), **read_egn(value).knobs}
    return [
        f"{knob}: {word} is not written: EGN has no key for it"
        for knob, word in rules.to_map().items()
        if back[knob] != word and knob not in _BESIDE
    ]


def _card(card: Card | None) -> str:
    if card is None:
        return "X"
    if card == _JOKER:
        return "B"
    text = card_text(card)
    return text[0] + text[1].lower()


def _deal(deal: RecordedDeal, called: Told, notes: list[str]) -> Json:
    if any(word.words == "redeal" for word in called.words):
        notes.append(f"deal {deal.number} was dealt again: left out")
        return None
    if any(word.phase is Phase.DEALER_NAMES for word in called.words):
        raise CannotExpressError(
            f"deal {deal.number}: EGN has no call for a blind naming (export it as text or json)"
        )
    if deal.upcard is None:
        raise CannotExpressError(f"deal {deal.number}: EGN needs the upcard, and it is not known")
    state: dict[str, Json] = {"dealer": int(deal.dealer), "upCard": _card(deal.upcard)}
    if all(hand is not None for hand in deal.hands):
        state["playerCards"] = [[_card(card) for card in hand or ()] for hand in deal.hands]
    phases: list[Json] = [_calling(deal, called, notes)]
    if called.tricks:
        tricks: list[Json] = [[_card(laid.card) for laid in trick] for trick in called.tricks]
        phases.append({"phaseNumber": 1, "type": "TRICK_PLAY", "tricks": tricks})
    return {"dealNumber": deal.number, "initialState": state, "phases": phases}


def _calling(deal: RecordedDeal, called: Told, notes: list[str]) -> Json:
    hand = called.hand
    phase: dict[str, Json] = {
        "phaseNumber": 0,
        "type": "EUCHRE_BIDDING",
        "calls": [_call(word.words) for word in called.words if word.phase in _ROUNDS],
        "isAlone": _is_alone(deal, hand),
    }
    defender = _lone_defender(deal, hand)
    if defender is not None:
        phase["aloneDefender"] = int(defender)
    if deal.discard is not None:
        phase["discard"] = _card(deal.discard)
    exchanges: list[Json] = []
    for word in called.words:
        verb, _, cards = word.words.partition(" ")
        if verb == "give":
            notes.append(f"deal {deal.number}: what the loner put away is not written")
            card = parse_card(cards)
            exchanges.append(
                {
                    "sender": int(word.seat),
                    "receiver": int(word.seat.partner),
                    "cards": [_card(card)],
                }
            )
        elif verb == "swap":
            raise CannotExpressError(
                f"deal {deal.number}: EGN cannot say which cards were laid away in a swap"
                " (export it as text or json)"
            )
    if exchanges:
        phase["cardExchanges"] = exchanges
    return phase


def _call(words: str) -> str:
    first, _, rest = words.partition(" ")
    return rest[:1].lower() if first == "name" else first.capitalize()


def _is_alone(deal: RecordedDeal, hand: Hand) -> bool:
    maker = hand.maker_seat
    if maker is None:
        return False
    if maker.partner in hand.alone_seats:
        raise CannotExpressError(
            f"deal {deal.number}: EGN has no way to say that the maker's partner is alone"
            " (export it as text or json)"
        )
    return maker in hand.alone_seats


def _lone_defender(deal: RecordedDeal, hand: Hand) -> Seat | None:
    maker = hand.maker_seat
    lone = [seat for seat in hand.alone_seats if maker is not None and seat.side != maker.side]
    if lone and maker not in hand.alone_seats:
        raise CannotExpressError(
            f"deal {deal.number}: EGN knows a lone defender only against a loner"
            " (export it as text or json)"
        )
    return lone[0] if lone else None
