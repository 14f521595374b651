from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListDeedsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class Deed(_message.Message):
    __slots__ = ("at", "who", "what", "match", "detail")
    AT_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    WHAT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    at: int
    who: str
    what: str
    match: str
    detail: str
    def __init__(self, at: _Optional[int] = ..., who: _Optional[str] = ..., what: _Optional[str] = ..., match: _Optional[str] = ..., detail: _Optional[str] = ...) -> None: ...

class ListDeedsResponse(_message.Message):
    __slots__ = ("deeds", "next_page_token")
    DEEDS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    deeds: _containers.RepeatedCompositeFieldContainer[Deed]
    next_page_token: str
    def __init__(self, deeds: _Optional[_Iterable[_Union[Deed, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatusResponse(_message.Message):
    __slots__ = ("version", "referee_key", "started_at", "up_ms", "draining", "journal_ok", "open_matches", "waiting_matches", "resumed_matches", "seats_connected", "play_streams", "watch_streams", "actions", "actions_a_second", "refusals", "faults", "latencies", "commits", "loop_lag_ms")
    class ActionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    class RefusalsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    class FaultsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    VERSION_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    UP_MS_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    JOURNAL_OK_FIELD_NUMBER: _ClassVar[int]
    OPEN_MATCHES_FIELD_NUMBER: _ClassVar[int]
    WAITING_MATCHES_FIELD_NUMBER: _ClassVar[int]
    RESUMED_MATCHES_FIELD_NUMBER: _ClassVar[int]
    SEATS_CONNECTED_FIELD_NUMBER: _ClassVar[int]
    PLAY_STREAMS_FIELD_NUMBER: _ClassVar[int]
    WATCH_STREAMS_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_A_SECOND_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    LATENCIES_FIELD_NUMBER: _ClassVar[int]
    COMMITS_FIELD_NUMBER: _ClassVar[int]
    LOOP_LAG_MS_FIELD_NUMBER: _ClassVar[int]
    version: str
    referee_key: str
    started_at: int
    up_ms: int
    draining: bool
    journal_ok: bool
    open_matches: int
    waiting_matches: int
    resumed_matches: int
    seats_connected: int
    play_streams: int
    watch_streams: int
    actions: _containers.ScalarMap[str, int]
    actions_a_second: float
    refusals: _containers.ScalarMap[str, int]
    faults: _containers.ScalarMap[str, int]
    latencies: _containers.RepeatedCompositeFieldContainer[Latency]
    commits: Commits
    loop_lag_ms: float
    def __init__(self, version: _Optional[str] = ..., referee_key: _Optional[str] = ..., started_at: _Optional[int] = ..., up_ms: _Optional[int] = ..., draining: bool = ..., journal_ok: bool = ..., open_matches: _Optional[int] = ..., waiting_matches: _Optional[int] = ..., resumed_matches: _Optional[int] = ..., seats_connected: _Optional[int] = ..., play_streams: _Optional[int] = ..., watch_streams: _Optional[int] = ..., actions: _Optional[_Mapping[str, int]] = ..., actions_a_second: _Optional[float] = ..., refusals: _Optional[_Mapping[str, int]] = ..., faults: _Optional[_Mapping[str, int]] = ..., latencies: _Optional[_Iterable[_Union[Latency, _Mapping]]] = ..., commits: _Optional[_Union[Commits, _Mapping]] = ..., loop_lag_ms: _Optional[float] = ...) -> None: ...

class Latency(_message.Message):
    __slots__ = ("rpc", "count", "p50_ms", "p99_ms")
    RPC_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    P50_MS_FIELD_NUMBER: _ClassVar[int]
    P99_MS_FIELD_NUMBER: _ClassVar[int]
    rpc: str
    count: int
    p50_ms: float
    p99_ms: float
    def __init__(self, rpc: _Optional[str] = ..., count: _Optional[int] = ..., p50_ms: _Optional[float] = ..., p99_ms: _Optional[float] = ...) -> None: ...

class Commits(_message.Message):
    __slots__ = ("count", "rows", "failures", "last_rows", "last_ms", "last_flush_ms")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    LAST_ROWS_FIELD_NUMBER: _ClassVar[int]
    LAST_MS_FIELD_NUMBER: _ClassVar[int]
    LAST_FLUSH_MS_FIELD_NUMBER: _ClassVar[int]
    count: int
    rows: int
    failures: int
    last_rows: int
    last_ms: float
    last_flush_ms: float
    def __init__(self, count: _Optional[int] = ..., rows: _Optional[int] = ..., failures: _Optional[int] = ..., last_rows: _Optional[int] = ..., last_ms: _Optional[float] = ..., last_flush_ms: _Optional[float] = ...) -> None: ...
