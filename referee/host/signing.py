"""The signatures of a seat that holds a key: over its reveals and over its moves.

Both functions return the command as it may be decided, or None where a signature is due and does
not hold. A seat without a key signs nothing: what it sends as a signature is left out.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from referee.sealing.keys import VerifyKey, parse_key
from referee.sealing.messages import move_bytes, reveal_bytes
from referee.table.commands import GiveSeed, TakeAction
from referee.table.decide import signed_text
from referee.table.state import MatchState

NOT_SIGNED: Final = (
    "the seat's signature is missing or does not verify: nothing has changed (sign it with the key"
    " of the seat's first Hello, and draw your own blind)"
)


@lru_cache(maxsize=4_096)
def _parsed(text: str) -> VerifyKey:
    return parse_key(text)


def key_of_seat(state: MatchState, seat: int) -> VerifyKey | None:
    """The key of a signing seat; None where the seat does not sign."""
    info = state.seats[seat]
    return None if info is None or info.key is None else _parsed(info.key)


def signed_action(state: MatchState, command: TakeAction, before: bytes) -> TakeAction | None:
    """An action under its signature; `before` is the head of the chain that it follows."""
    key = key_of_seat(state, command.seat)
    deal = state.deal
    if key is None or deal is None or deal.hand is None:
        return replace(command, seat_sig=b"") if command.seat_sig else command
    move = signed_text(state, command.seat, command.action, command.blind)
    message = move_bytes(state.match, deal.number, state.version + 1, before, move)
    return command if key.accepts(command.seat_sig, message) else None


def signed_seed(state: MatchState, command: GiveSeed, head: bytes) -> GiveSeed | None:
    """A reveal under its signature; `head` is the head of the chain after the commit set."""
    key = key_of_seat(state, command.seat)
    deal = state.deal
    commit = None if deal is None else deal.commits[command.seat]
    if key is None or deal is None or commit is None or command.cset != deal.cset:
        return replace(command, sig=b"")
    message = reveal_bytes(
        state.match, deal.number, command.seat, cset=deal.cset, commit=commit, head=head
    )
    return command if key.accepts(command.sig, message) else None
