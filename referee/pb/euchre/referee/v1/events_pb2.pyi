from referee.pb.euchre.referee.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Event(_message.Message):
    __slots__ = ("event", "sig", "seq", "match_open", "deal_open", "seat_commit", "commit_set", "reveal_set", "deck_root", "dealer_draw", "turn_up", "action", "deal_close", "match_close")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    SIG_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    MATCH_OPEN_FIELD_NUMBER: _ClassVar[int]
    DEAL_OPEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_COMMIT_FIELD_NUMBER: _ClassVar[int]
    COMMIT_SET_FIELD_NUMBER: _ClassVar[int]
    REVEAL_SET_FIELD_NUMBER: _ClassVar[int]
    DECK_ROOT_FIELD_NUMBER: _ClassVar[int]
    DEALER_DRAW_FIELD_NUMBER: _ClassVar[int]
    TURN_UP_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    DEAL_CLOSE_FIELD_NUMBER: _ClassVar[int]
    MATCH_CLOSE_FIELD_NUMBER: _ClassVar[int]
    event: bytes
    sig: bytes
    seq: int
    match_open: MatchOpened
    deal_open: DealOpened
    seat_commit: SeatCommitted
    commit_set: CommitSet
    reveal_set: RevealSet
    deck_root: DeckRoot
    dealer_draw: DealerDrawn
    turn_up: TurnedUp
    action: ActionTaken
    deal_close: DealClosed
    match_close: MatchClosed
    def __init__(self, event: _Optional[bytes] = ..., sig: _Optional[bytes] = ..., seq: _Optional[int] = ..., match_open: _Optional[_Union[MatchOpened, _Mapping]] = ..., deal_open: _Optional[_Union[DealOpened, _Mapping]] = ..., seat_commit: _Optional[_Union[SeatCommitted, _Mapping]] = ..., commit_set: _Optional[_Union[CommitSet, _Mapping]] = ..., reveal_set: _Optional[_Union[RevealSet, _Mapping]] = ..., deck_root: _Optional[_Union[DeckRoot, _Mapping]] = ..., dealer_draw: _Optional[_Union[DealerDrawn, _Mapping]] = ..., turn_up: _Optional[_Union[TurnedUp, _Mapping]] = ..., action: _Optional[_Union[ActionTaken, _Mapping]] = ..., deal_close: _Optional[_Union[DealClosed, _Mapping]] = ..., match_close: _Optional[_Union[MatchClosed, _Mapping]] = ...) -> None: ...

class SeatEntry(_message.Message):
    __slots__ = ("name", "level", "seed_by", "key")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    SEED_BY_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    name: str
    level: str
    seed_by: str
    key: bytes
    def __init__(self, name: _Optional[str] = ..., level: _Optional[str] = ..., seed_by: _Optional[str] = ..., key: _Optional[bytes] = ...) -> None: ...

class MatchOpened(_message.Message):
    __slots__ = ("match", "protocol", "rules", "seats", "referee_key", "chain", "r0", "policy", "rated")
    class RulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class PolicyEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    MATCH_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    R0_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    match: bytes
    protocol: str
    rules: _containers.ScalarMap[str, str]
    seats: _containers.RepeatedCompositeFieldContainer[SeatEntry]
    referee_key: bytes
    chain: int
    r0: bytes
    policy: _containers.ScalarMap[str, int]
    rated: bool
    def __init__(self, match: _Optional[bytes] = ..., protocol: _Optional[str] = ..., rules: _Optional[_Mapping[str, str]] = ..., seats: _Optional[_Iterable[_Union[SeatEntry, _Mapping]]] = ..., referee_key: _Optional[bytes] = ..., chain: _Optional[int] = ..., r0: _Optional[bytes] = ..., policy: _Optional[_Mapping[str, int]] = ..., rated: bool = ...) -> None: ...

class DealOpened(_message.Message):
    __slots__ = ("deal", "dealer", "cutter")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    CUTTER_FIELD_NUMBER: _ClassVar[int]
    deal: int
    dealer: _table_pb2.Seat
    cutter: _table_pb2.Seat
    def __init__(self, deal: _Optional[int] = ..., dealer: _Optional[_Union[_table_pb2.Seat, str]] = ..., cutter: _Optional[_Union[_table_pb2.Seat, str]] = ...) -> None: ...

class SeatCommitted(_message.Message):
    __slots__ = ("deal", "seat", "commit")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    deal: int
    seat: _table_pb2.Seat
    commit: bytes
    def __init__(self, deal: _Optional[int] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., commit: _Optional[bytes] = ...) -> None: ...

class CommitSet(_message.Message):
    __slots__ = ("deal", "r_commit", "commits", "cset")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    R_COMMIT_FIELD_NUMBER: _ClassVar[int]
    COMMITS_FIELD_NUMBER: _ClassVar[int]
    CSET_FIELD_NUMBER: _ClassVar[int]
    deal: int
    r_commit: bytes
    commits: _containers.RepeatedScalarFieldContainer[bytes]
    cset: bytes
    def __init__(self, deal: _Optional[int] = ..., r_commit: _Optional[bytes] = ..., commits: _Optional[_Iterable[bytes]] = ..., cset: _Optional[bytes] = ...) -> None: ...

class RevealSet(_message.Message):
    __slots__ = ("deal", "seeds", "cut", "sigs")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SEEDS_FIELD_NUMBER: _ClassVar[int]
    CUT_FIELD_NUMBER: _ClassVar[int]
    SIGS_FIELD_NUMBER: _ClassVar[int]
    deal: int
    seeds: _containers.RepeatedScalarFieldContainer[bytes]
    cut: int
    sigs: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, deal: _Optional[int] = ..., seeds: _Optional[_Iterable[bytes]] = ..., cut: _Optional[int] = ..., sigs: _Optional[_Iterable[bytes]] = ...) -> None: ...

class DeckRoot(_message.Message):
    __slots__ = ("deal", "leaves", "root")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    LEAVES_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    deal: int
    leaves: _containers.RepeatedScalarFieldContainer[bytes]
    root: bytes
    def __init__(self, deal: _Optional[int] = ..., leaves: _Optional[_Iterable[bytes]] = ..., root: _Optional[bytes] = ...) -> None: ...

class OpenedCard(_message.Message):
    __slots__ = ("position", "card", "salt")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    position: int
    card: str
    salt: bytes
    def __init__(self, position: _Optional[int] = ..., card: _Optional[str] = ..., salt: _Optional[bytes] = ...) -> None: ...

class DealerDrawn(_message.Message):
    __slots__ = ("start", "turned", "dealer")
    START_FIELD_NUMBER: _ClassVar[int]
    TURNED_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    start: _table_pb2.Seat
    turned: _containers.RepeatedCompositeFieldContainer[OpenedCard]
    dealer: _table_pb2.Seat
    def __init__(self, start: _Optional[_Union[_table_pb2.Seat, str]] = ..., turned: _Optional[_Iterable[_Union[OpenedCard, _Mapping]]] = ..., dealer: _Optional[_Union[_table_pb2.Seat, str]] = ...) -> None: ...

class TurnedUp(_message.Message):
    __slots__ = ("deal", "card")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    deal: int
    card: OpenedCard
    def __init__(self, deal: _Optional[int] = ..., card: _Optional[_Union[OpenedCard, _Mapping]] = ...) -> None: ...

class ActionTaken(_message.Message):
    __slots__ = ("deal", "seat", "action", "commit", "used_ms", "seat_sig", "fallback")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    USED_MS_FIELD_NUMBER: _ClassVar[int]
    SEAT_SIG_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_FIELD_NUMBER: _ClassVar[int]
    deal: int
    seat: _table_pb2.Seat
    action: str
    commit: bytes
    used_ms: int
    seat_sig: bytes
    fallback: str
    def __init__(self, deal: _Optional[int] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., action: _Optional[str] = ..., commit: _Optional[bytes] = ..., used_ms: _Optional[int] = ..., seat_sig: _Optional[bytes] = ..., fallback: _Optional[str] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("seat", "why")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    seat: _table_pb2.Seat
    why: str
    def __init__(self, seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., why: _Optional[str] = ...) -> None: ...

class Attempt(_message.Message):
    __slots__ = ("after", "seat", "action", "reason", "seat_sig")
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SEAT_SIG_FIELD_NUMBER: _ClassVar[int]
    after: int
    seat: _table_pb2.Seat
    action: str
    reason: str
    seat_sig: bytes
    def __init__(self, after: _Optional[int] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., action: _Optional[str] = ..., reason: _Optional[str] = ..., seat_sig: _Optional[bytes] = ...) -> None: ...

class DealClosed(_message.Message):
    __slots__ = ("deal", "outcome", "maker", "alone", "tricks", "points", "score", "faults", "r", "deck", "attempts")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    MAKER_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    R_FIELD_NUMBER: _ClassVar[int]
    DECK_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    deal: int
    outcome: str
    maker: _table_pb2.Seat
    alone: _containers.RepeatedScalarFieldContainer[_table_pb2.Seat]
    tricks: _table_pb2.Sides
    points: _table_pb2.Sides
    score: _table_pb2.Sides
    faults: _containers.RepeatedCompositeFieldContainer[Fault]
    r: bytes
    deck: _containers.RepeatedScalarFieldContainer[str]
    attempts: _containers.RepeatedCompositeFieldContainer[Attempt]
    def __init__(self, deal: _Optional[int] = ..., outcome: _Optional[str] = ..., maker: _Optional[_Union[_table_pb2.Seat, str]] = ..., alone: _Optional[_Iterable[_Union[_table_pb2.Seat, str]]] = ..., tricks: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., points: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., score: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., faults: _Optional[_Iterable[_Union[Fault, _Mapping]]] = ..., r: _Optional[bytes] = ..., deck: _Optional[_Iterable[str]] = ..., attempts: _Optional[_Iterable[_Union[Attempt, _Mapping]]] = ...) -> None: ...

class MatchClosed(_message.Message):
    __slots__ = ("outcome", "by", "winner", "score", "deals")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    outcome: str
    by: _table_pb2.Seat
    winner: str
    score: _table_pb2.Sides
    deals: int
    def __init__(self, outcome: _Optional[str] = ..., by: _Optional[_Union[_table_pb2.Seat, str]] = ..., winner: _Optional[str] = ..., score: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., deals: _Optional[int] = ...) -> None: ...
