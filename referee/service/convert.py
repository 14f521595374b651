"""From the house's values to the wire's messages, and back."""

from collections.abc import Iterable
from typing import Final

from google.protobuf.message import Message

from referee.host.items import CardsItem, EventItem, FaultItem, Ruling
from referee.pb.euchre.referee.v1 import events_pb2, match_pb2, play_pb2, table_pb2
from referee.rules import Violation, action_text, legal_actions
from referee.rules.hand import Hand
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.events import (
    ActionTaken,
    CommitSet,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    MatchOpen,
    RevealSet,
    SeatCommit,
    Turned,
    TurnUp,
)
from referee.sealing.keys import parse_key
from referee.sealing.packs import SIDES
from referee.sealing.parts import Pair, Policy, SeatInfo
from referee.table.events import PublicEvent
from referee.table.view import Ask, View

LEVELS: Final = {
    play_pb2.LEVEL_UNSPECIFIED: "plays",
    play_pb2.LEVEL_PLAYS: "plays",
    play_pb2.LEVEL_SEEDS: "seeds",
    play_pb2.LEVEL_CHECKS: "checks",
    play_pb2.LEVEL_SIGNS: "signs",
}


def seat_value(seat: int) -> table_pb2.Seat:
    """The wire's seat."""
    return _SEATS[seat]


_SEATS: Final = (
    table_pb2.SEAT_NORTH,
    table_pb2.SEAT_EAST,
    table_pb2.SEAT_SOUTH,
    table_pb2.SEAT_WEST,
)


def seat_number(value: int) -> int | None:
    """The house's seat; None where none was named."""
    return value - 1 if value in _SEATS else None


def sides(pair: Pair) -> table_pb2.Sides:
    """A count for each side."""
    return table_pb2.Sides(ns=pair.ns, ew=pair.ew)


def maybe(seat: int | None) -> table_pb2.Seat | None:
    """A seat that may be nobody."""
    return None if seat is None else seat_value(seat)


def seats(several: Iterable[int]) -> list[table_pb2.Seat]:
    """Seats, in order."""
    return [seat_value(seat) for seat in several]


def view_message(view: View) -> table_pb2.View:
    """A seat's view."""
    message = table_pb2.View()
    fill_view(message, view)
    return message


def fill_view(message: table_pb2.View, view: View) -> None:
    """Write a seat's view where it goes: a view is in every question, and is copied nowhere."""
    message.seat = _SEATS[view.seat]
    message.phase = view.phase
    message.dealer = _SEATS[view.dealer]
    message.hand.extend(view.hand)
    message.counts.extend(view.counts)
    message.upcard = view.upcard
    message.upcard_state = view.upcard_state
    if view.trump is not None:
        message.trump = view.trump
    if view.maker is not None:
        message.maker = _SEATS[view.maker]
    if view.alone:
        message.alone.extend(seats(view.alone))
    if view.out:
        message.out.extend(seats(view.out))
    if view.led is not None:
        message.led = view.led
    for seat, card in view.trick:
        message.trick.add(seat=_SEATS[seat], card=card)
    message.tricks.ns, message.tricks.ew = view.tricks.ns, view.tricks.ew
    message.score.ns, message.score.ew = view.score.ns, view.score.ew
    if view.turn is not None:
        message.turn = _SEATS[view.turn]
    message.legal.extend(view.legal)
    message.state_version = max(view.state_version, 0)
    message.deal = view.deal


def fill_ruling(message: table_pb2.Ruling, ruling: Ruling) -> None:
    """Write the answer to an attempt where it goes."""
    message.request_id = ruling.request_id
    message.accepted = ruling.accepted
    if not ruling.accepted:
        message.reason = ruling.reason
        message.rule = ruling.rule
        message.text = ruling.text
        message.legal.extend(ruling.legal)
    if ruling.seq is not None:
        message.seq = ruling.seq
    if len(ruling.positions) == 1:
        message.position = ruling.positions[0]
    else:
        message.positions.extend(ruling.positions)
    message.blind = b"".join(ruling.blinds)
    message.attempts = ruling.attempts


def violation_message(hand: Hand, violation: Violation | None) -> table_pb2.Ruling:
    """The ruling on a question about a position."""
    if violation is None:
        return table_pb2.Ruling(accepted=True)
    return table_pb2.Ruling(
        accepted=False,
        reason=violation.reason.value,
        rule=violation.rule,
        text=violation.sentence,
        legal=[action_text(code) for code in legal_actions(hand)],
    )


def fill_ask(message: play_pb2.Ask, ask: Ask) -> None:
    """Write what a seat is asked where it goes."""
    message.what = ask.what
    if ask.view is not None:
        fill_view(message.view, ask.view)
    message.deal = ask.deal
    message.cutter = ask.cutter
    message.limit_ms = ask.limit_ms


def cards_message(item: CardsItem) -> play_pb2.PrivateDeal:
    """A seat's own cards."""
    cards = [
        events_pb2.OpenedCard(position=c.position, card=c.card, salt=c.salt) for c in item.cards
    ]
    return play_pb2.PrivateDeal(deal=item.deal, root=item.root, cards=cards, sig=item.sig)


def fault_message(item: FaultItem) -> play_pb2.FaultNotice:
    """A fault, as it happened."""
    return play_pb2.FaultNotice(seat=seat_value(item.fault.seat), why=item.fault.why)


def policy_map(policy: Policy) -> dict[str, int]:
    """A policy's counts and limits; `rated` travels by itself."""
    return {name: value for name, value in policy.fields().items() if type(value) is int}


def given_policy(message: match_pb2.Policy) -> dict[str, int]:
    """The fields of a policy that the request gives."""
    return {
        field.name: value
        for field, value in message.ListFields()
        if field.name != "rated" and type(value) is int
    }


def _key(text: str | None) -> bytes:
    return b"" if text is None else parse_key(text).raw


def _entry(info: SeatInfo) -> events_pb2.SeatEntry:
    return events_pb2.SeatEntry(
        name=info.name, level=info.level, seed_by=info.seed_by, key=_key(info.key)
    )


def _card(card: Turned) -> events_pb2.OpenedCard:
    return events_pb2.OpenedCard(position=card.position, card=card.card, salt=card.salt)


def event_message(item: EventItem) -> events_pb2.Event:
    """A public event: its exact bytes, and the same typed."""
    message = events_pb2.Event(event=item.raw, sig=item.sig, seq=item.seq)
    typed = _typed(item.event)
    field: Message = getattr(message, item.event.kind)
    field.CopyFrom(typed)
    return message


def _typed(event: PublicEvent) -> Message:
    match event:
        case ActionTaken():
            return events_pb2.ActionTaken(
                deal=event.deal,
                seat=_SEATS[event.seat],
                action=event.action,
                commit=event.commit,
                used_ms=event.used_ms,
                seat_sig=event.seat_sig,
                fallback=event.fallback,
            )
        case MatchOpen():
            return _match_opened(event)
        case DealClose():
            return _deal_closed(event)
        case DealOpen():
            return events_pb2.DealOpened(
                deal=event.deal, dealer=maybe(event.dealer), cutter=maybe(event.cutter)
            )
        case SeatCommit() | CommitSet() | RevealSet() | DeckRoot():
            return _seal_message(event)
        case DealerDrawn():
            return events_pb2.DealerDrawn(
                start=seat_value(event.start),
                turned=[_card(card) for card in event.turned],
                dealer=seat_value(event.dealer),
            )
        case TurnUp():
            return events_pb2.TurnedUp(deal=event.deal, card=_card(event.turned))
        case MatchClose():
            return events_pb2.MatchClosed(
                outcome=event.outcome,
                by=maybe(event.by),
                winner="" if event.winner is None else SIDES[event.winner],
                score=sides(event.score),
                deals=event.deals,
            )


def _seal_message(event: SeatCommit | CommitSet | RevealSet | DeckRoot) -> Message:
    match event:
        case SeatCommit():
            return events_pb2.SeatCommitted(
                deal=event.deal, seat=seat_value(event.seat), commit=event.commit
            )
        case CommitSet():
            return events_pb2.CommitSet(
                deal=event.deal,
                r_commit=event.r_commit,
                commits=event.commits,
                cset=event.cset,
            )
        case RevealSet():
            return events_pb2.RevealSet(
                deal=event.deal, seeds=event.seeds, cut=event.cut, sigs=event.sigs
            )
        case DeckRoot():
            return events_pb2.DeckRoot(deal=event.deal, leaves=event.leaves, root=event.root)


def _match_opened(event: MatchOpen) -> events_pb2.MatchOpened:
    return events_pb2.MatchOpened(
        match=event.match,
        protocol="euchre-sealed/v1",
        rules=event.rules,
        seats=[_entry(info) for info in event.seats],
        referee_key=_key(event.referee_key),
        chain=event.chain,
        r0=event.r0,
        policy=policy_map(event.policy),
        rated=event.policy.rated,
    )


def _deal_closed(event: DealClose) -> events_pb2.DealClosed:
    return events_pb2.DealClosed(
        deal=event.deal,
        outcome=event.outcome,
        maker=maybe(event.maker),
        alone=seats(event.alone),
        tricks=sides(event.tricks),
        points=sides(event.points),
        score=sides(event.score),
        faults=[events_pb2.Fault(seat=seat_value(f.seat), why=f.why) for f in event.faults],
        r=event.r or b"",
        deck=(event.deck or "").split(),
        attempts=[
            events_pb2.Attempt(
                after=a.after,
                seat=seat_value(a.seat),
                action=a.action,
                reason=a.reason,
                seat_sig=a.seat_sig or b"",
            )
            for a in event.attempts
        ],
    )
