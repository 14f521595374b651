"""The deals of a sealed match, read from its transcript; nothing is verified here."""

from dataclasses import replace
from typing import Final

from referee.records.model import (
    Hand,
    Laid,
    Record,
    RecordedDeal,
    Said,
    UnreadableRecordError,
)
from referee.rules import SEATS, Packets, parse_card, positions, uncovered
from referee.sealing import (
    ActionTaken,
    DealClose,
    DealOpen,
    MatchOpen,
    UnreadableError,
    read_line,
    split_line,
)
from referee.sealing.boardevents import BoardClose
from referee.sealing.packs import UPCARD_POSITION
from referee.sealing.transcript import BOARD_OPENS, read_board_line

START: Final = b'{"event":'
DECK_ELSEWHERE: Final = "the deck of a sealed board stands in its board's file (give it: --board)"
_PLAYED: Final = frozenset({"played", "thrown_in", "redeal"})


def read_transcript(text: bytes) -> Record:
    """The record of every deal that was dealt and closed by its play.

    The file of a table of a sealed board follows its board's own, which has the deck.
    """
    record = Record(format="transcript", version="1")
    deals: list[RecordedDeal] = []
    notes: list[str] = []
    opened: DealOpen | None = None
    actions: list[tuple[int, ActionTaken]] = []
    packets = Packets.THREE_TWO
    deck: str | None = None
    try:
        lines = text.splitlines()
        if lines and BOARD_OPENS.match(lines[0]):
            deck = _board_deck(lines)
            if not lines:
                raise UnreadableRecordError(
                    "a sealed board's file has a deck and no play (give the file of one of its"
                    " tables, and this one as --board)"
                )
        for line in lines:
            read = read_line(*split_line(line))
            match read.event:
                case MatchOpen() as event:
                    record = _opened(record, event)
                    packets = Packets(event.rules.get("packets", "3-2"))
                case DealOpen() as event:
                    opened, actions = event, []
                case ActionTaken() as event:
                    actions.append((read.seq, event))
                case DealClose() as closed if opened is not None and opened.dealer is not None:
                    close = replace(closed, deck=closed.deck or deck)
                    if close.outcome in _PLAYED and close.deck is not None:
                        deals.append(_deal(opened.dealer, actions, close, packets))
                    elif close.deck is None and close.r is None:
                        notes.append(f"deal {close.deal}: {DECK_ELSEWHERE}: left out")
                    else:
                        notes.append(f"deal {close.deal} was closed as {close.outcome}: left out")
                case _:
                    pass
    except (UnreadableError, ValueError) as err:
        raise UnreadableRecordError(f"not a transcript: {err}") from err
    return replace(record, deals=tuple(deals), notes=tuple(notes))


def _board_deck(lines: list[bytes]) -> str | None:
    """The deck that a board's lines give, which are taken out; all others are a table's."""
    while lines:
        event = read_board_line(split_line(lines.pop(0))[0])
        if isinstance(event, BoardClose):
            return event.deck
    return None


def _opened(record: Record, event: MatchOpen) -> Record:
    return replace(
        record,
        rules="standard",
        knobs=dict(event.rules),
        games=max(1, event.policy.games),
        players=tuple(seat.name for seat in event.seats),
    )


def _deal(
    dealer: int, actions: list[tuple[int, ActionTaken]], close: DealClose, packets: Packets
) -> RecordedDeal:
    deck = [parse_card(card) for card in (close.deck or "").split(" ")]
    shown = {
        opening.seq: [card_at(close, place) for place in opening.positions]
        for opening in close.openings
    }
    hands: list[Hand] = [
        tuple(deck[place] for place in positions(packets, dealer, seat)) for seat in SEATS
    ]
    n, e, s, w = hands
    said: list[Said] = []
    plays: list[Laid] = []
    discard = None
    for seq, event in actions:
        words = uncovered(event.action, shown[seq]) if seq in shown else event.action
        seat = SEATS[event.seat]
        if words.startswith("play "):
            text = words.removeprefix("play ")
            plays.append(Laid(parse_card(text), seat, text))
        elif words.startswith("discard ") and not any(s.words.startswith("give ") for s in said):
            discard = parse_card(words.removeprefix("discard "))
        else:
            said.append(Said(words, seat))
    return RecordedDeal(
        number=close.deal,
        dealer=SEATS[dealer],
        upcard=deck[UPCARD_POSITION],
        hands=(n, e, s, w),
        kitty=tuple(deck[UPCARD_POSITION + 1 :]),
        said=tuple(said),
        discard=discard,
        tricks=_tricks(plays),
        points=(close.points.ns, close.points.ew),
    )


def card_at(close: DealClose, place: int) -> str:
    """The card at a position of the deck that was opened."""
    deck = (close.deck or "").split(" ")
    return deck[place] if place < len(deck) else ""


def _tricks(plays: list[Laid]) -> tuple[tuple[Laid, ...], ...]:
    size = len({laid.seat for laid in plays}) or 1
    return tuple(tuple(plays[n : n + size]) for n in range(0, len(plays), size))
