"""The sealed deal: commit-reveal shuffles that anyone can check.

Pure: bytes in, bytes out; randomness and time are arguments. Seats are 0 north, 1 east, 2 south,
3 west; cards are two characters, rank then suit.
"""

from referee.sealing.chain import Chain, hash_down, link_below
from referee.sealing.closing import (
    Attempt,
    DealClose,
    Event,
    Fault,
    HiddenOpening,
    MatchClose,
    read_event,
)
from referee.sealing.commit import (
    commit_set,
    declined_commit,
    hidden_move,
    reveal_fault,
    seat_commit,
    seat_seed,
)
from referee.sealing.deck import SealedDeck, sealed_deck
from referee.sealing.draw import DealerDraw, dealer_draw
from referee.sealing.encode import PROTOCOL
from referee.sealing.errors import DealProofError, KeyFormError, UnreadableError
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
from referee.sealing.keys import SigningKey, VerifyKey, parse_key
from referee.sealing.leaves import leaf, tree_head
from referee.sealing.messages import (
    Opening,
    ReceiptItem,
    move_bytes,
    private_deal_bytes,
    receipt_bytes,
    referee_bytes,
    reveal_bytes,
    roster_bytes,
)
from referee.sealing.packs import PACKS, SEATS, SIDES
from referee.sealing.parts import Pair, Policy, SeatInfo
from referee.sealing.transcript import (
    ZERO_HEAD,
    Line,
    Writer,
    event_bytes,
    event_hash,
    line_bytes,
    read_line,
    rule_set_hash,
    sign_event,
    split_line,
)

__all__ = [
    "PACKS",
    "PROTOCOL",
    "SEATS",
    "SIDES",
    "ZERO_HEAD",
    "ActionTaken",
    "Attempt",
    "Chain",
    "CommitSet",
    "DealClose",
    "DealOpen",
    "DealProofError",
    "DealerDraw",
    "DealerDrawn",
    "DeckRoot",
    "Event",
    "Fault",
    "HiddenOpening",
    "KeyFormError",
    "Line",
    "MatchClose",
    "MatchOpen",
    "Opening",
    "Pair",
    "Policy",
    "ReceiptItem",
    "RevealSet",
    "SealedDeck",
    "SeatCommit",
    "SeatInfo",
    "SigningKey",
    "TurnUp",
    "Turned",
    "UnreadableError",
    "VerifyKey",
    "Writer",
    "commit_set",
    "dealer_draw",
    "declined_commit",
    "event_bytes",
    "event_hash",
    "hash_down",
    "hidden_move",
    "leaf",
    "line_bytes",
    "link_below",
    "move_bytes",
    "parse_key",
    "private_deal_bytes",
    "read_event",
    "read_line",
    "receipt_bytes",
    "referee_bytes",
    "reveal_bytes",
    "reveal_fault",
    "roster_bytes",
    "rule_set_hash",
    "sealed_deck",
    "seat_commit",
    "seat_seed",
    "sign_event",
    "split_line",
    "tree_head",
]
