from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Seat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEAT_UNSPECIFIED: _ClassVar[Seat]
    SEAT_NORTH: _ClassVar[Seat]
    SEAT_EAST: _ClassVar[Seat]
    SEAT_SOUTH: _ClassVar[Seat]
    SEAT_WEST: _ClassVar[Seat]
SEAT_UNSPECIFIED: Seat
SEAT_NORTH: Seat
SEAT_EAST: Seat
SEAT_SOUTH: Seat
SEAT_WEST: Seat

class Sides(_message.Message):
    __slots__ = ("ns", "ew")
    NS_FIELD_NUMBER: _ClassVar[int]
    EW_FIELD_NUMBER: _ClassVar[int]
    ns: int
    ew: int
    def __init__(self, ns: _Optional[int] = ..., ew: _Optional[int] = ...) -> None: ...

class PlayedCard(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: Seat
    card: str
    def __init__(self, seat: _Optional[_Union[Seat, str]] = ..., card: _Optional[str] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("seat", "phase", "dealer", "hand", "counts", "upcard", "upcard_state", "trump", "maker", "alone", "out", "led", "trick", "tricks", "score", "turn", "legal", "state_version", "deal")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    UPCARD_STATE_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    MAKER_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    OUT_FIELD_NUMBER: _ClassVar[int]
    LED_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    STATE_VERSION_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    seat: Seat
    phase: str
    dealer: Seat
    hand: _containers.RepeatedScalarFieldContainer[str]
    counts: _containers.RepeatedScalarFieldContainer[int]
    upcard: str
    upcard_state: str
    trump: str
    maker: Seat
    alone: _containers.RepeatedScalarFieldContainer[Seat]
    out: _containers.RepeatedScalarFieldContainer[Seat]
    led: str
    trick: _containers.RepeatedCompositeFieldContainer[PlayedCard]
    tricks: Sides
    score: Sides
    turn: Seat
    legal: _containers.RepeatedScalarFieldContainer[str]
    state_version: int
    deal: int
    def __init__(self, seat: _Optional[_Union[Seat, str]] = ..., phase: _Optional[str] = ..., dealer: _Optional[_Union[Seat, str]] = ..., hand: _Optional[_Iterable[str]] = ..., counts: _Optional[_Iterable[int]] = ..., upcard: _Optional[str] = ..., upcard_state: _Optional[str] = ..., trump: _Optional[str] = ..., maker: _Optional[_Union[Seat, str]] = ..., alone: _Optional[_Iterable[_Union[Seat, str]]] = ..., out: _Optional[_Iterable[_Union[Seat, str]]] = ..., led: _Optional[str] = ..., trick: _Optional[_Iterable[_Union[PlayedCard, _Mapping]]] = ..., tricks: _Optional[_Union[Sides, _Mapping]] = ..., score: _Optional[_Union[Sides, _Mapping]] = ..., turn: _Optional[_Union[Seat, str]] = ..., legal: _Optional[_Iterable[str]] = ..., state_version: _Optional[int] = ..., deal: _Optional[int] = ...) -> None: ...

class Ruling(_message.Message):
    __slots__ = ("request_id", "accepted", "reason", "rule", "text", "legal", "seq", "position", "blind", "attempts", "positions")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    BLIND_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    request_id: bytes
    accepted: bool
    reason: str
    rule: str
    text: str
    legal: _containers.RepeatedScalarFieldContainer[str]
    seq: int
    position: int
    blind: bytes
    attempts: int
    positions: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, request_id: _Optional[bytes] = ..., accepted: bool = ..., reason: _Optional[str] = ..., rule: _Optional[str] = ..., text: _Optional[str] = ..., legal: _Optional[_Iterable[str]] = ..., seq: _Optional[int] = ..., position: _Optional[int] = ..., blind: _Optional[bytes] = ..., attempts: _Optional[int] = ..., positions: _Optional[_Iterable[int]] = ...) -> None: ...
