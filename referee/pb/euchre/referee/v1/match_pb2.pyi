from referee.pb.euchre.referee.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Policy(_message.Message):
    __slots__ = ("rated", "games", "illegal_limit", "timeout_limit", "withheld_limit", "move_ms", "bank_ms", "increment_ms", "start_ms", "commit_ms", "reveal_ms", "grace_ms")
    RATED_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    ILLEGAL_LIMIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_LIMIT_FIELD_NUMBER: _ClassVar[int]
    WITHHELD_LIMIT_FIELD_NUMBER: _ClassVar[int]
    MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    START_MS_FIELD_NUMBER: _ClassVar[int]
    COMMIT_MS_FIELD_NUMBER: _ClassVar[int]
    REVEAL_MS_FIELD_NUMBER: _ClassVar[int]
    GRACE_MS_FIELD_NUMBER: _ClassVar[int]
    rated: bool
    games: int
    illegal_limit: int
    timeout_limit: int
    withheld_limit: int
    move_ms: int
    bank_ms: int
    increment_ms: int
    start_ms: int
    commit_ms: int
    reveal_ms: int
    grace_ms: int
    def __init__(self, rated: bool = ..., games: _Optional[int] = ..., illegal_limit: _Optional[int] = ..., timeout_limit: _Optional[int] = ..., withheld_limit: _Optional[int] = ..., move_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., start_ms: _Optional[int] = ..., commit_ms: _Optional[int] = ..., reveal_ms: _Optional[int] = ..., grace_ms: _Optional[int] = ...) -> None: ...

class Match(_message.Message):
    __slots__ = ("match", "state", "rule_set", "rules", "names", "score", "games", "deal", "events", "outcome", "winner")
    class RulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    match: str
    state: str
    rule_set: str
    rules: _containers.ScalarMap[str, str]
    names: _containers.RepeatedScalarFieldContainer[str]
    score: _table_pb2.Sides
    games: _table_pb2.Sides
    deal: int
    events: int
    outcome: str
    winner: str
    def __init__(self, match: _Optional[str] = ..., state: _Optional[str] = ..., rule_set: _Optional[str] = ..., rules: _Optional[_Mapping[str, str]] = ..., names: _Optional[_Iterable[str]] = ..., score: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., games: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., deal: _Optional[int] = ..., events: _Optional[int] = ..., outcome: _Optional[str] = ..., winner: _Optional[str] = ...) -> None: ...

class CreateMatchRequest(_message.Message):
    __slots__ = ("request_id", "rule_set", "rules", "policy", "first_dealer", "open_seats", "public")
    class RulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    FIRST_DEALER_FIELD_NUMBER: _ClassVar[int]
    OPEN_SEATS_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_FIELD_NUMBER: _ClassVar[int]
    request_id: bytes
    rule_set: str
    rules: _containers.ScalarMap[str, str]
    policy: Policy
    first_dealer: _table_pb2.Seat
    open_seats: _containers.RepeatedScalarFieldContainer[_table_pb2.Seat]
    public: bool
    def __init__(self, request_id: _Optional[bytes] = ..., rule_set: _Optional[str] = ..., rules: _Optional[_Mapping[str, str]] = ..., policy: _Optional[_Union[Policy, _Mapping]] = ..., first_dealer: _Optional[_Union[_table_pb2.Seat, str]] = ..., open_seats: _Optional[_Iterable[_Union[_table_pb2.Seat, str]]] = ..., public: bool = ...) -> None: ...

class Invitation(_message.Message):
    __slots__ = ("seat", "code", "ends_at")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    ENDS_AT_FIELD_NUMBER: _ClassVar[int]
    seat: _table_pb2.Seat
    code: str
    ends_at: int
    def __init__(self, seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., code: _Optional[str] = ..., ends_at: _Optional[int] = ...) -> None: ...

class CreateMatchResponse(_message.Message):
    __slots__ = ("match", "seat_tokens", "watch_token", "referee_key", "invitations")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    WATCH_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    match: Match
    seat_tokens: _containers.RepeatedScalarFieldContainer[str]
    watch_token: str
    referee_key: str
    invitations: _containers.RepeatedCompositeFieldContainer[Invitation]
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ..., seat_tokens: _Optional[_Iterable[str]] = ..., watch_token: _Optional[str] = ..., referee_key: _Optional[str] = ..., invitations: _Optional[_Iterable[_Union[Invitation, _Mapping]]] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: str
    def __init__(self, match: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "state")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    state: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., state: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[Match, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AbortMatchRequest(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: str
    def __init__(self, match: _Optional[str] = ...) -> None: ...

class AbortMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class GetTranscriptRequest(_message.Message):
    __slots__ = ("match", "from_seq")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    FROM_SEQ_FIELD_NUMBER: _ClassVar[int]
    match: str
    from_seq: int
    def __init__(self, match: _Optional[str] = ..., from_seq: _Optional[int] = ...) -> None: ...

class GetTranscriptResponse(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, lines: _Optional[_Iterable[bytes]] = ...) -> None: ...
