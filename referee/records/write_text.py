"""Our own formats, written: plain text, and JSON of the format `euchre-record/1`."""

import json
from collections.abc import Sequence
from typing import Final

from referee.records.jsonfields import Json
from referee.records.model import Happening, Laid, Record, RecordedDeal, Said
from referee.records.ours import FORMAT, VERSIONS
from referee.records.phases import Written, named_rules, rules_of
from referee.records.report import sides, trump_letter
from referee.rules import SEATS, Card, card_text

_HEADER: Final = "euchre record 1"


def _card(card: Card | None) -> str:
    return "X" if card is None else card_text(card)


def _cards(cards: Sequence[Card | None]) -> str:
    return " ".join(map(_card, cards))


def write_text(record: Record) -> Written:
    """The record as plain text."""
    name, apart = named_rules(rules_of(record))
    knobs = "".join(f" {knob}={value}" for knob, value in apart.items())
    lines = [_HEADER, f"rules {name}{knobs}", "score {}-{}".format(*record.score)]
    if record.games > 1:
        lines.append(f"games {record.games}")
    if record.table_rules:
        lines.append("table " + " ".join(f"{k}={v}" for k, v in record.table_rules.items()))
    if any(record.players):
        lines.append("players " + ", ".join(name.replace(",", " ") for name in record.players))
    for deal in record.deals:
        lines += ["", *_deal_lines(deal)]
    return Written("\n".join(lines) + "\n", record.notes)


def _deal_lines(deal: RecordedDeal) -> list[str]:
    turned = "" if deal.upcard is None else f" up {_card(deal.upcard)}"
    dealer = f" dealer {deal.dealer.word}" if deal.has_dealer else ""
    lines = [f"deal {deal.number}{dealer}{turned}"]
    for seat, hand in zip(SEATS, deal.hands, strict=True):
        if hand is not None:
            lines.append(f"hand {seat.word} {_cards(hand)}")
    if deal.kitty:
        lines.append(f"kitty {_cards(deal.kitty)}")
    if deal.said:
        lines.append("calls " + ", ".join(_said(said, ": ") for said in deal.said))
    if deal.discard is not None:
        lines.append(f"discard {_card(deal.discard)}")
    if deal.trump is not None:
        lines.append(f"trump {trump_letter(deal.trump)}")
    if deal.maker is not None:
        lines.append(f"maker {deal.maker.word}")
    if deal.alone:
        lines.append("alone " + " ".join(seat.word for seat in deal.alone))
    lines += [f"trick {_trick(trick)}" for trick in deal.tricks]
    for happening in deal.happenings:
        words = [f"{name}={_plain(value)}" for name, value in _happening(happening).items()]
        lines.append(" ".join([happening.kind, *words[1:]]))
    for claim in deal.claims:
        late = "" if claim.at == "deal" else f" {claim.at}"
        lines.append(f"claim {claim.by.word} {claim.against.word} {claim.trick}{late}")
    if deal.points is not None:
        lines.append("points {}-{}".format(*deal.points))
    return lines


def _plain(value: Json) -> str:
    return "true" if value is True else str(value)


def _said(said: Said, mark: str) -> str:
    return said.words if said.seat is None else f"{said.seat.word}{mark}{said.words}"


def _trick(trick: Sequence[Laid]) -> str:
    """The cards in the order they fell, each with its seat where that is known."""
    return " ".join(
        _card(laid.card) if laid.seat is None else f"{laid.seat.word}:{_card(laid.card)}"
        for laid in trick
    )


def _happening(happening: Happening) -> dict[str, Json]:
    fields: dict[str, Json] = {"kind": happening.kind}
    if happening.seat is not None:
        fields["by"] = happening.seat.word
    if happening.trick is not None:
        fields["trick"] = happening.trick
    if happening.card is not None:
        fields["card"] = _card(happening.card)
    if happening.at:
        fields["at"] = happening.at
    if happening.number is not None:
        fields["number"] = happening.number
    if happening.claimed:
        fields["agreed" if happening.kind == "laydown" else "claimed"] = True
    if happening.called is not None:
        fields["called"] = happening.called
    return fields


def write_json(record: Record) -> Written:
    """The record as JSON of our own format."""
    name, apart = named_rules(rules_of(record))
    rules: Json = name if not apart else dict(rules_of(record).to_map())
    value: dict[str, Json] = {"format": f"{FORMAT}/{VERSIONS[-1]}", "rules": rules}
    if record.table_rules:
        value["table_rules"] = dict(record.table_rules)
    if any(record.players):
        value["players"] = {
            seat.word: player for seat, player in zip(SEATS, record.players, strict=False)
        }
    if record.games > 1:
        value["games"] = record.games
    value["score"] = sides(record.score)
    value["deals"] = [_deal_map(deal) for deal in record.deals]
    return Written(json.dumps(value, indent=2, ensure_ascii=False) + "\n", record.notes)


def _deal_map(deal: RecordedDeal) -> dict[str, Json]:
    found: dict[str, Json] = {"deal": deal.number}
    if deal.has_dealer:
        found["dealer"] = deal.dealer.word
    if deal.upcard is not None:
        found["upcard"] = _card(deal.upcard)
    hands: dict[str, Json] = {
        seat.word: _cards(hand)
        for seat, hand in zip(SEATS, deal.hands, strict=True)
        if hand is not None
    }
    if hands:
        found["hands"] = hands
    if deal.kitty:
        found["kitty"] = _cards(deal.kitty)
    if deal.said:
        found["calls"] = [_said(said, " ") for said in deal.said]
    if deal.discard is not None:
        found["discard"] = _card(deal.discard)
    if deal.trump is not None:
        found["trump"] = trump_letter(deal.trump)
    if deal.maker is not None:
        found["maker"] = deal.maker.word
    if deal.alone:
        found["alone"] = [seat.word for seat in deal.alone]
    found |= _play_map(deal)
    if deal.points is not None:
        found["points"] = sides(deal.points)
    return found


def _laid(laid: Laid) -> str:
    card = _card(laid.card)
    return card if laid.seat is None else f"{laid.seat.word} {card}"


def _play_map(deal: RecordedDeal) -> dict[str, Json]:
    """The play, its irregularities and its claims, where there are any."""
    tricks: Json = [[_laid(laid) for laid in trick] for trick in deal.tricks]
    happened: Json = [_happening(happening) for happening in deal.happenings]
    claims: Json = [
        {"by": c.by.word, "against": c.against.word, "trick": c.trick, "at": c.at}
        for c in deal.claims
    ]
    found = {"tricks": tricks, "irregularities": happened, "claims": claims}
    return {name: value for name, value in found.items() if value}
