from referee.pb.euchre.referee.v1 import match_pb2 as _match_pb2
from referee.pb.euchre.referee.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JoinMatchRequest(_message.Message):
    __slots__ = ("code", "request_id")
    CODE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    code: str
    request_id: bytes
    def __init__(self, code: _Optional[str] = ..., request_id: _Optional[bytes] = ...) -> None: ...

class JoinMatchResponse(_message.Message):
    __slots__ = ("match", "seat", "token", "referee_key")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    match: _match_pb2.Match
    seat: _table_pb2.Seat
    token: str
    referee_key: str
    def __init__(self, match: _Optional[_Union[_match_pb2.Match, _Mapping]] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., token: _Optional[str] = ..., referee_key: _Optional[str] = ...) -> None: ...

class ListOpenSeatsRequest(_message.Message):
    __slots__ = ("page_size",)
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    def __init__(self, page_size: _Optional[int] = ...) -> None: ...

class OpenMatch(_message.Message):
    __slots__ = ("match", "policy", "invitations")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    match: _match_pb2.Match
    policy: _match_pb2.Policy
    invitations: _containers.RepeatedCompositeFieldContainer[_match_pb2.Invitation]
    def __init__(self, match: _Optional[_Union[_match_pb2.Match, _Mapping]] = ..., policy: _Optional[_Union[_match_pb2.Policy, _Mapping]] = ..., invitations: _Optional[_Iterable[_Union[_match_pb2.Invitation, _Mapping]]] = ...) -> None: ...

class ListOpenSeatsResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[OpenMatch]
    def __init__(self, matches: _Optional[_Iterable[_Union[OpenMatch, _Mapping]]] = ...) -> None: ...
