from referee.pb.euchre.referee.v1 import events_pb2 as _events_pb2
from referee.pb.euchre.referee.v1 import table_pb2 as _table_pb2
from google.rpc import status_pb2 as _status_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Level(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEVEL_UNSPECIFIED: _ClassVar[Level]
    LEVEL_PLAYS: _ClassVar[Level]
    LEVEL_SEEDS: _ClassVar[Level]
    LEVEL_CHECKS: _ClassVar[Level]
    LEVEL_SIGNS: _ClassVar[Level]
LEVEL_UNSPECIFIED: Level
LEVEL_PLAYS: Level
LEVEL_SEEDS: Level
LEVEL_CHECKS: Level
LEVEL_SIGNS: Level

class SeatHello(_message.Message):
    __slots__ = ("token", "name", "level", "own_seeds", "key", "resume")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    OWN_SEEDS_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    token: str
    name: str
    level: Level
    own_seeds: bool
    key: bytes
    resume: int
    def __init__(self, token: _Optional[str] = ..., name: _Optional[str] = ..., level: _Optional[_Union[Level, str]] = ..., own_seeds: bool = ..., key: _Optional[bytes] = ..., resume: _Optional[int] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "seats")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    seats: _containers.RepeatedCompositeFieldContainer[SeatHello]
    def __init__(self, protocol: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[SeatHello, _Mapping]]] = ...) -> None: ...

class Act(_message.Message):
    __slots__ = ("seq", "action", "blind", "seat_sig")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    BLIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_SIG_FIELD_NUMBER: _ClassVar[int]
    seq: int
    action: str
    blind: bytes
    seat_sig: bytes
    def __init__(self, seq: _Optional[int] = ..., action: _Optional[str] = ..., blind: _Optional[bytes] = ..., seat_sig: _Optional[bytes] = ...) -> None: ...

class Commit(_message.Message):
    __slots__ = ("deal", "commit")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    deal: int
    commit: bytes
    def __init__(self, deal: _Optional[int] = ..., commit: _Optional[bytes] = ...) -> None: ...

class Reveal(_message.Message):
    __slots__ = ("deal", "seed", "cut", "cset", "head", "sig")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    CUT_FIELD_NUMBER: _ClassVar[int]
    CSET_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    SIG_FIELD_NUMBER: _ClassVar[int]
    deal: int
    seed: bytes
    cut: int
    cset: bytes
    head: bytes
    sig: bytes
    def __init__(self, deal: _Optional[int] = ..., seed: _Optional[bytes] = ..., cut: _Optional[int] = ..., cset: _Optional[bytes] = ..., head: _Optional[bytes] = ..., sig: _Optional[bytes] = ...) -> None: ...

class Leave(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PlayInput(_message.Message):
    __slots__ = ("match", "seat", "request_id", "act", "commit", "reveal", "leave", "hello")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    match: str
    seat: _table_pb2.Seat
    request_id: bytes
    act: Act
    commit: Commit
    reveal: Reveal
    leave: Leave
    hello: SeatHello
    def __init__(self, match: _Optional[str] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., request_id: _Optional[bytes] = ..., act: _Optional[_Union[Act, _Mapping]] = ..., commit: _Optional[_Union[Commit, _Mapping]] = ..., reveal: _Optional[_Union[Reveal, _Mapping]] = ..., leave: _Optional[_Union[Leave, _Mapping]] = ..., hello: _Optional[_Union[SeatHello, _Mapping]] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ("hello", "inputs")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    inputs: _containers.RepeatedCompositeFieldContainer[PlayInput]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., inputs: _Optional[_Iterable[_Union[PlayInput, _Mapping]]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("match", "seat", "rules", "policy", "declined", "referee_key")
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
    SEAT_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    DECLINED_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    match: str
    seat: _table_pb2.Seat
    rules: _containers.ScalarMap[str, str]
    policy: _containers.ScalarMap[str, int]
    declined: bool
    referee_key: bytes
    def __init__(self, match: _Optional[str] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., rules: _Optional[_Mapping[str, str]] = ..., policy: _Optional[_Mapping[str, int]] = ..., declined: bool = ..., referee_key: _Optional[bytes] = ...) -> None: ...

class Ask(_message.Message):
    __slots__ = ("what", "view", "deal", "cutter", "limit_ms")
    WHAT_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    CUTTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    what: str
    view: _table_pb2.View
    deal: int
    cutter: bool
    limit_ms: int
    def __init__(self, what: _Optional[str] = ..., view: _Optional[_Union[_table_pb2.View, _Mapping]] = ..., deal: _Optional[int] = ..., cutter: bool = ..., limit_ms: _Optional[int] = ...) -> None: ...

class PrivateDeal(_message.Message):
    __slots__ = ("deal", "root", "cards", "sig")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    SIG_FIELD_NUMBER: _ClassVar[int]
    deal: int
    root: bytes
    cards: _containers.RepeatedCompositeFieldContainer[_events_pb2.OpenedCard]
    sig: bytes
    def __init__(self, deal: _Optional[int] = ..., root: _Optional[bytes] = ..., cards: _Optional[_Iterable[_Union[_events_pb2.OpenedCard, _Mapping]]] = ..., sig: _Optional[bytes] = ...) -> None: ...

class ReceiptItem(_message.Message):
    __slots__ = ("match", "deal", "seq", "head")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    match: bytes
    deal: int
    seq: int
    head: bytes
    def __init__(self, match: _Optional[bytes] = ..., deal: _Optional[int] = ..., seq: _Optional[int] = ..., head: _Optional[bytes] = ...) -> None: ...

class Receipt(_message.Message):
    __slots__ = ("items", "sig")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    SIG_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ReceiptItem]
    sig: bytes
    def __init__(self, items: _Optional[_Iterable[_Union[ReceiptItem, _Mapping]]] = ..., sig: _Optional[bytes] = ...) -> None: ...

class FaultNotice(_message.Message):
    __slots__ = ("seat", "why")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    seat: _table_pb2.Seat
    why: str
    def __init__(self, seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., why: _Optional[str] = ...) -> None: ...

class Superseded(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Draining(_message.Message):
    __slots__ = ("retry_ms",)
    RETRY_MS_FIELD_NUMBER: _ClassVar[int]
    retry_ms: int
    def __init__(self, retry_ms: _Optional[int] = ...) -> None: ...

class PlayItem(_message.Message):
    __slots__ = ("match", "seat", "after", "request_id", "welcome", "event", "ask", "ruling", "private_deal", "receipt", "fault", "status", "superseded", "draining")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_DEAL_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    match: str
    seat: _table_pb2.Seat
    after: int
    request_id: bytes
    welcome: Welcome
    event: _events_pb2.Event
    ask: Ask
    ruling: _table_pb2.Ruling
    private_deal: PrivateDeal
    receipt: Receipt
    fault: FaultNotice
    status: _status_pb2.Status
    superseded: Superseded
    draining: Draining
    def __init__(self, match: _Optional[str] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., after: _Optional[int] = ..., request_id: _Optional[bytes] = ..., welcome: _Optional[_Union[Welcome, _Mapping]] = ..., event: _Optional[_Union[_events_pb2.Event, _Mapping]] = ..., ask: _Optional[_Union[Ask, _Mapping]] = ..., ruling: _Optional[_Union[_table_pb2.Ruling, _Mapping]] = ..., private_deal: _Optional[_Union[PrivateDeal, _Mapping]] = ..., receipt: _Optional[_Union[Receipt, _Mapping]] = ..., fault: _Optional[_Union[FaultNotice, _Mapping]] = ..., status: _Optional[_Union[_status_pb2.Status, _Mapping]] = ..., superseded: _Optional[_Union[Superseded, _Mapping]] = ..., draining: _Optional[_Union[Draining, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[PlayItem]
    def __init__(self, items: _Optional[_Iterable[_Union[PlayItem, _Mapping]]] = ...) -> None: ...

class ActRequest(_message.Message):
    __slots__ = ("input",)
    INPUT_FIELD_NUMBER: _ClassVar[int]
    input: PlayInput
    def __init__(self, input: _Optional[_Union[PlayInput, _Mapping]] = ...) -> None: ...

class ActResponse(_message.Message):
    __slots__ = ("item", "view", "receipt")
    ITEM_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    item: PlayItem
    view: _table_pb2.View
    receipt: Receipt
    def __init__(self, item: _Optional[_Union[PlayItem, _Mapping]] = ..., view: _Optional[_Union[_table_pb2.View, _Mapping]] = ..., receipt: _Optional[_Union[Receipt, _Mapping]] = ...) -> None: ...

class GetViewRequest(_message.Message):
    __slots__ = ("match", "seat", "from_seq", "wait_ms")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FROM_SEQ_FIELD_NUMBER: _ClassVar[int]
    WAIT_MS_FIELD_NUMBER: _ClassVar[int]
    match: str
    seat: _table_pb2.Seat
    from_seq: int
    wait_ms: int
    def __init__(self, match: _Optional[str] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., from_seq: _Optional[int] = ..., wait_ms: _Optional[int] = ...) -> None: ...

class GetViewResponse(_message.Message):
    __slots__ = ("view", "items")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    view: _table_pb2.View
    items: _containers.RepeatedCompositeFieldContainer[PlayItem]
    def __init__(self, view: _Optional[_Union[_table_pb2.View, _Mapping]] = ..., items: _Optional[_Iterable[_Union[PlayItem, _Mapping]]] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("match", "from_seq")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    FROM_SEQ_FIELD_NUMBER: _ClassVar[int]
    match: str
    from_seq: int
    def __init__(self, match: _Optional[str] = ..., from_seq: _Optional[int] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_events_pb2.Event]
    def __init__(self, events: _Optional[_Iterable[_Union[_events_pb2.Event, _Mapping]]] = ...) -> None: ...
