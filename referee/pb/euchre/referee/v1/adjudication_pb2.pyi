from referee.pb.euchre.referee.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RuleSet(_message.Message):
    __slots__ = ("name", "rules", "id")
    class RulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    rules: _containers.ScalarMap[str, str]
    id: bytes
    def __init__(self, name: _Optional[str] = ..., rules: _Optional[_Mapping[str, str]] = ..., id: _Optional[bytes] = ...) -> None: ...

class Knob(_message.Message):
    __slots__ = ("name", "values", "default")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    name: str
    values: _containers.RepeatedScalarFieldContainer[str]
    default: str
    def __init__(self, name: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ..., default: _Optional[str] = ...) -> None: ...

class ListRuleSetsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListRuleSetsResponse(_message.Message):
    __slots__ = ("rule_sets", "knobs")
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    KNOBS_FIELD_NUMBER: _ClassVar[int]
    rule_sets: _containers.RepeatedCompositeFieldContainer[RuleSet]
    knobs: _containers.RepeatedCompositeFieldContainer[Knob]
    def __init__(self, rule_sets: _Optional[_Iterable[_Union[RuleSet, _Mapping]]] = ..., knobs: _Optional[_Iterable[_Union[Knob, _Mapping]]] = ...) -> None: ...

class GetRuleSetRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetRuleSetResponse(_message.Message):
    __slots__ = ("rule_set",)
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    rule_set: RuleSet
    def __init__(self, rule_set: _Optional[_Union[RuleSet, _Mapping]] = ...) -> None: ...

class Deal(_message.Message):
    __slots__ = ("dealer", "north", "east", "south", "west", "upcard")
    DEALER_FIELD_NUMBER: _ClassVar[int]
    NORTH_FIELD_NUMBER: _ClassVar[int]
    EAST_FIELD_NUMBER: _ClassVar[int]
    SOUTH_FIELD_NUMBER: _ClassVar[int]
    WEST_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    dealer: _table_pb2.Seat
    north: _containers.RepeatedScalarFieldContainer[str]
    east: _containers.RepeatedScalarFieldContainer[str]
    south: _containers.RepeatedScalarFieldContainer[str]
    west: _containers.RepeatedScalarFieldContainer[str]
    upcard: str
    def __init__(self, dealer: _Optional[_Union[_table_pb2.Seat, str]] = ..., north: _Optional[_Iterable[str]] = ..., east: _Optional[_Iterable[str]] = ..., south: _Optional[_Iterable[str]] = ..., west: _Optional[_Iterable[str]] = ..., upcard: _Optional[str] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("rule_set", "rules", "deal", "actions", "score")
    class RulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    rule_set: str
    rules: _containers.ScalarMap[str, str]
    deal: Deal
    actions: _containers.RepeatedScalarFieldContainer[str]
    score: _table_pb2.Sides
    def __init__(self, rule_set: _Optional[str] = ..., rules: _Optional[_Mapping[str, str]] = ..., deal: _Optional[_Union[Deal, _Mapping]] = ..., actions: _Optional[_Iterable[str]] = ..., score: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ...) -> None: ...

class LegalActionsRequest(_message.Message):
    __slots__ = ("positions",)
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    positions: _containers.RepeatedCompositeFieldContainer[Position]
    def __init__(self, positions: _Optional[_Iterable[_Union[Position, _Mapping]]] = ...) -> None: ...

class LegalSet(_message.Message):
    __slots__ = ("turn", "phase", "legal")
    TURN_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    turn: _table_pb2.Seat
    phase: str
    legal: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, turn: _Optional[_Union[_table_pb2.Seat, str]] = ..., phase: _Optional[str] = ..., legal: _Optional[_Iterable[str]] = ...) -> None: ...

class LegalActionsResponse(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[LegalSet]
    def __init__(self, answers: _Optional[_Iterable[_Union[LegalSet, _Mapping]]] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("position", "action", "by")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    position: Position
    action: str
    by: _table_pb2.Seat
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., action: _Optional[str] = ..., by: _Optional[_Union[_table_pb2.Seat, str]] = ...) -> None: ...

class AdjudicateRequest(_message.Message):
    __slots__ = ("questions",)
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[Question]
    def __init__(self, questions: _Optional[_Iterable[_Union[Question, _Mapping]]] = ...) -> None: ...

class Adjudication(_message.Message):
    __slots__ = ("ruling", "after")
    RULING_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    ruling: _table_pb2.Ruling
    after: LegalSet
    def __init__(self, ruling: _Optional[_Union[_table_pb2.Ruling, _Mapping]] = ..., after: _Optional[_Union[LegalSet, _Mapping]] = ...) -> None: ...

class AdjudicateResponse(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[Adjudication]
    def __init__(self, answers: _Optional[_Iterable[_Union[Adjudication, _Mapping]]] = ...) -> None: ...

class ReplayDealsRequest(_message.Message):
    __slots__ = ("deals",)
    DEALS_FIELD_NUMBER: _ClassVar[int]
    deals: _containers.RepeatedCompositeFieldContainer[Position]
    def __init__(self, deals: _Optional[_Iterable[_Union[Position, _Mapping]]] = ...) -> None: ...

class ReplayedDeal(_message.Message):
    __slots__ = ("outcome", "winners", "tricks", "points", "maker", "alone", "refused_at", "ruling")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    MAKER_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    REFUSED_AT_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    outcome: str
    winners: _containers.RepeatedScalarFieldContainer[_table_pb2.Seat]
    tricks: _table_pb2.Sides
    points: _table_pb2.Sides
    maker: _table_pb2.Seat
    alone: _containers.RepeatedScalarFieldContainer[_table_pb2.Seat]
    refused_at: int
    ruling: _table_pb2.Ruling
    def __init__(self, outcome: _Optional[str] = ..., winners: _Optional[_Iterable[_Union[_table_pb2.Seat, str]]] = ..., tricks: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., points: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., maker: _Optional[_Union[_table_pb2.Seat, str]] = ..., alone: _Optional[_Iterable[_Union[_table_pb2.Seat, str]]] = ..., refused_at: _Optional[int] = ..., ruling: _Optional[_Union[_table_pb2.Ruling, _Mapping]] = ...) -> None: ...

class ReplayDealsResponse(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[ReplayedDeal]
    def __init__(self, answers: _Optional[_Iterable[_Union[ReplayedDeal, _Mapping]]] = ...) -> None: ...
