from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Verdict(_message.Message):
    __slots__ = ("exit", "party", "seq", "deal", "text", "deals")
    EXIT_FIELD_NUMBER: _ClassVar[int]
    PARTY_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    exit: int
    party: str
    seq: int
    deal: int
    text: str
    deals: int
    def __init__(self, exit: _Optional[int] = ..., party: _Optional[str] = ..., seq: _Optional[int] = ..., deal: _Optional[int] = ..., text: _Optional[str] = ..., deals: _Optional[int] = ...) -> None: ...

class VerifyDealRequest(_message.Message):
    __slots__ = ("proof", "referee_key")
    PROOF_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    proof: bytes
    referee_key: str
    def __init__(self, proof: _Optional[bytes] = ..., referee_key: _Optional[str] = ...) -> None: ...

class VerifyDealResponse(_message.Message):
    __slots__ = ("verdict",)
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    def __init__(self, verdict: _Optional[_Union[Verdict, _Mapping]] = ...) -> None: ...

class VerifyTranscriptRequest(_message.Message):
    __slots__ = ("chunk", "referee_key")
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    referee_key: str
    def __init__(self, chunk: _Optional[bytes] = ..., referee_key: _Optional[str] = ...) -> None: ...

class VerifyTranscriptResponse(_message.Message):
    __slots__ = ("verdict",)
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    def __init__(self, verdict: _Optional[_Union[Verdict, _Mapping]] = ...) -> None: ...
