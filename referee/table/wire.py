"""A view as plain data, as the stdio protocol and the suite write it."""

from referee.sealing.canonical import Json
from referee.sealing.packs import SEATS
from referee.table.view import View


def view_map(view: View) -> dict[str, Json]:
    """The view in the words of `conformance.md`, section 3; what has no meaning yet is absent."""
    shown: dict[str, Json | None] = {
        "seat": view.seat.word,
        "deal": view.deal,
        "phase": view.phase,
        "dealer": view.dealer.word,
        "hand": list(view.hand),
        "counts": dict(zip(SEATS, view.counts, strict=True)),
        "upcard": view.upcard,
        "upcard_state": view.upcard_state,
        "trump": view.trump,
        "maker": None if view.maker is None else view.maker.word,
        "alone": [seat.word for seat in view.alone],
        "out": [seat.word for seat in view.out],
        "led": view.led,
        "trick": [{"seat": seat.word, "card": card} for seat, card in view.trick],
        "tricks": view.tricks.fields(),
        "score": view.score.fields(),
        "turn": None if view.turn is None else view.turn.word,
        "legal": list(view.legal),
        "state_version": view.state_version,
    }
    return {name: value for name, value in shown.items() if value is not None}
