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

class RenegeClaim(_message.Message):
    __slots__ = ("by", "against", "trick", "at")
    BY_FIELD_NUMBER: _ClassVar[int]
    AGAINST_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    by: _table_pb2.Seat
    against: _table_pb2.Seat
    trick: int
    at: str
    def __init__(self, by: _Optional[_Union[_table_pb2.Seat, str]] = ..., against: _Optional[_Union[_table_pb2.Seat, str]] = ..., trick: _Optional[int] = ..., at: _Optional[str] = ...) -> None: ...

class JudgeRecordRequest(_message.Message):
    __slots__ = ("record", "rule_set", "rules", "table_rules", "claims")
    class RulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class TableRulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    RECORD_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    TABLE_RULES_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    record: bytes
    rule_set: str
    rules: _containers.ScalarMap[str, str]
    table_rules: _containers.ScalarMap[str, str]
    claims: _containers.RepeatedCompositeFieldContainer[RenegeClaim]
    def __init__(self, record: _Optional[bytes] = ..., rule_set: _Optional[str] = ..., rules: _Optional[_Mapping[str, str]] = ..., table_rules: _Optional[_Mapping[str, str]] = ..., claims: _Optional[_Iterable[_Union[RenegeClaim, _Mapping]]] = ...) -> None: ...

class Penalty(_message.Message):
    __slots__ = ("side", "points")
    SIDE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    side: str
    points: int
    def __init__(self, side: _Optional[str] = ..., points: _Optional[int] = ...) -> None: ...

class Irregularity(_message.Message):
    __slots__ = ("rule", "what", "trick", "seat", "card", "remedy", "penalty")
    RULE_FIELD_NUMBER: _ClassVar[int]
    WHAT_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    REMEDY_FIELD_NUMBER: _ClassVar[int]
    PENALTY_FIELD_NUMBER: _ClassVar[int]
    rule: str
    what: str
    trick: int
    seat: _table_pb2.Seat
    card: str
    remedy: str
    penalty: Penalty
    def __init__(self, rule: _Optional[str] = ..., what: _Optional[str] = ..., trick: _Optional[int] = ..., seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., card: _Optional[str] = ..., remedy: _Optional[str] = ..., penalty: _Optional[_Union[Penalty, _Mapping]] = ...) -> None: ...

class RecordProblem(_message.Message):
    __slots__ = ("at", "message")
    AT_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    at: str
    message: str
    def __init__(self, at: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class JudgedPlay(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: _table_pb2.Seat
    card: str
    def __init__(self, seat: _Optional[_Union[_table_pb2.Seat, str]] = ..., card: _Optional[str] = ...) -> None: ...

class JudgedTrick(_message.Message):
    __slots__ = ("trick", "plays", "winner")
    TRICK_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    trick: int
    plays: _containers.RepeatedCompositeFieldContainer[JudgedPlay]
    winner: _table_pb2.Seat
    def __init__(self, trick: _Optional[int] = ..., plays: _Optional[_Iterable[_Union[JudgedPlay, _Mapping]]] = ..., winner: _Optional[_Union[_table_pb2.Seat, str]] = ...) -> None: ...

class JudgedDeal(_message.Message):
    __slots__ = ("deal", "dealer", "upcard", "trump", "maker", "alone", "calls", "play", "irregularities", "open", "problems", "outcome", "tricks", "points", "penalties", "score", "next_dealer")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    MAKER_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    IRREGULARITIES_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PENALTIES_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_DEALER_FIELD_NUMBER: _ClassVar[int]
    deal: int
    dealer: _table_pb2.Seat
    upcard: str
    trump: str
    maker: _table_pb2.Seat
    alone: _containers.RepeatedScalarFieldContainer[_table_pb2.Seat]
    calls: _containers.RepeatedScalarFieldContainer[str]
    play: _containers.RepeatedCompositeFieldContainer[JudgedTrick]
    irregularities: _containers.RepeatedCompositeFieldContainer[Irregularity]
    open: _containers.RepeatedScalarFieldContainer[str]
    problems: _containers.RepeatedCompositeFieldContainer[RecordProblem]
    outcome: str
    tricks: _table_pb2.Sides
    points: _table_pb2.Sides
    penalties: _containers.RepeatedCompositeFieldContainer[Penalty]
    score: SignedSides
    next_dealer: _table_pb2.Seat
    def __init__(self, deal: _Optional[int] = ..., dealer: _Optional[_Union[_table_pb2.Seat, str]] = ..., upcard: _Optional[str] = ..., trump: _Optional[str] = ..., maker: _Optional[_Union[_table_pb2.Seat, str]] = ..., alone: _Optional[_Iterable[_Union[_table_pb2.Seat, str]]] = ..., calls: _Optional[_Iterable[str]] = ..., play: _Optional[_Iterable[_Union[JudgedTrick, _Mapping]]] = ..., irregularities: _Optional[_Iterable[_Union[Irregularity, _Mapping]]] = ..., open: _Optional[_Iterable[str]] = ..., problems: _Optional[_Iterable[_Union[RecordProblem, _Mapping]]] = ..., outcome: _Optional[str] = ..., tricks: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., points: _Optional[_Union[_table_pb2.Sides, _Mapping]] = ..., penalties: _Optional[_Iterable[_Union[Penalty, _Mapping]]] = ..., score: _Optional[_Union[SignedSides, _Mapping]] = ..., next_dealer: _Optional[_Union[_table_pb2.Seat, str]] = ...) -> None: ...

class SignedSides(_message.Message):
    __slots__ = ("ns", "ew")
    NS_FIELD_NUMBER: _ClassVar[int]
    EW_FIELD_NUMBER: _ClassVar[int]
    ns: int
    ew: int
    def __init__(self, ns: _Optional[int] = ..., ew: _Optional[int] = ...) -> None: ...

class JudgeRecordResponse(_message.Message):
    __slots__ = ("exit", "format", "version", "rule_set", "rules", "table_rules", "notes", "problems", "deals", "score", "winner")
    class RulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class TableRulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    EXIT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    TABLE_RULES_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    exit: int
    format: str
    version: str
    rule_set: str
    rules: _containers.ScalarMap[str, str]
    table_rules: _containers.ScalarMap[str, str]
    notes: _containers.RepeatedScalarFieldContainer[str]
    problems: _containers.RepeatedCompositeFieldContainer[RecordProblem]
    deals: _containers.RepeatedCompositeFieldContainer[JudgedDeal]
    score: SignedSides
    winner: str
    def __init__(self, exit: _Optional[int] = ..., format: _Optional[str] = ..., version: _Optional[str] = ..., rule_set: _Optional[str] = ..., rules: _Optional[_Mapping[str, str]] = ..., table_rules: _Optional[_Mapping[str, str]] = ..., notes: _Optional[_Iterable[str]] = ..., problems: _Optional[_Iterable[_Union[RecordProblem, _Mapping]]] = ..., deals: _Optional[_Iterable[_Union[JudgedDeal, _Mapping]]] = ..., score: _Optional[_Union[SignedSides, _Mapping]] = ..., winner: _Optional[str] = ...) -> None: ...
