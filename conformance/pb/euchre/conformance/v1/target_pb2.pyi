from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HelloRequest(_message.Message):
    __slots__ = ("id", "op", "protocol", "runner", "corpus")
    ID_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    RUNNER_FIELD_NUMBER: _ClassVar[int]
    CORPUS_FIELD_NUMBER: _ClassVar[int]
    id: int
    op: str
    protocol: int
    runner: str
    corpus: str
    def __init__(self, id: _Optional[int] = ..., op: _Optional[str] = ..., protocol: _Optional[int] = ..., runner: _Optional[str] = ..., corpus: _Optional[str] = ...) -> None: ...

class KnobValues(_message.Message):
    __slots__ = ("values",)
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, values: _Optional[_Iterable[str]] = ...) -> None: ...

class HelloResponse(_message.Message):
    __slots__ = ("id", "protocol", "name", "version", "language", "ops", "knobs", "rulesets", "parallel")
    class KnobsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: KnobValues
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[KnobValues, _Mapping]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    OPS_FIELD_NUMBER: _ClassVar[int]
    KNOBS_FIELD_NUMBER: _ClassVar[int]
    RULESETS_FIELD_NUMBER: _ClassVar[int]
    PARALLEL_FIELD_NUMBER: _ClassVar[int]
    id: int
    protocol: int
    name: str
    version: str
    language: str
    ops: _containers.RepeatedScalarFieldContainer[str]
    knobs: _containers.MessageMap[str, KnobValues]
    rulesets: _containers.RepeatedScalarFieldContainer[str]
    parallel: bool
    def __init__(self, id: _Optional[int] = ..., protocol: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., language: _Optional[str] = ..., ops: _Optional[_Iterable[str]] = ..., knobs: _Optional[_Mapping[str, KnobValues]] = ..., rulesets: _Optional[_Iterable[str]] = ..., parallel: bool = ...) -> None: ...

class Hands(_message.Message):
    __slots__ = ("north", "east", "south", "west")
    NORTH_FIELD_NUMBER: _ClassVar[int]
    EAST_FIELD_NUMBER: _ClassVar[int]
    SOUTH_FIELD_NUMBER: _ClassVar[int]
    WEST_FIELD_NUMBER: _ClassVar[int]
    north: _containers.RepeatedScalarFieldContainer[str]
    east: _containers.RepeatedScalarFieldContainer[str]
    south: _containers.RepeatedScalarFieldContainer[str]
    west: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, north: _Optional[_Iterable[str]] = ..., east: _Optional[_Iterable[str]] = ..., south: _Optional[_Iterable[str]] = ..., west: _Optional[_Iterable[str]] = ...) -> None: ...

class Deal(_message.Message):
    __slots__ = ("dealer", "hands", "upcard", "kitty")
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    KITTY_FIELD_NUMBER: _ClassVar[int]
    dealer: str
    hands: Hands
    upcard: str
    kitty: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, dealer: _Optional[str] = ..., hands: _Optional[_Union[Hands, _Mapping]] = ..., upcard: _Optional[str] = ..., kitty: _Optional[_Iterable[str]] = ...) -> None: ...

class Sides(_message.Message):
    __slots__ = ("ns", "ew")
    NS_FIELD_NUMBER: _ClassVar[int]
    EW_FIELD_NUMBER: _ClassVar[int]
    ns: int
    ew: int
    def __init__(self, ns: _Optional[int] = ..., ew: _Optional[int] = ...) -> None: ...

class Counts(_message.Message):
    __slots__ = ("north", "east", "south", "west")
    NORTH_FIELD_NUMBER: _ClassVar[int]
    EAST_FIELD_NUMBER: _ClassVar[int]
    SOUTH_FIELD_NUMBER: _ClassVar[int]
    WEST_FIELD_NUMBER: _ClassVar[int]
    north: int
    east: int
    south: int
    west: int
    def __init__(self, north: _Optional[int] = ..., east: _Optional[int] = ..., south: _Optional[int] = ..., west: _Optional[int] = ...) -> None: ...

class PlayedCard(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: str
    card: str
    def __init__(self, seat: _Optional[str] = ..., card: _Optional[str] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("seat", "phase", "dealer", "hand", "counts", "upcard", "upcard_state", "trump", "maker", "alone", "out", "led", "trick", "tricks", "score", "turn", "legal")
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
    seat: str
    phase: str
    dealer: str
    hand: _containers.RepeatedScalarFieldContainer[str]
    counts: Counts
    upcard: str
    upcard_state: str
    trump: str
    maker: str
    alone: _containers.RepeatedScalarFieldContainer[str]
    out: _containers.RepeatedScalarFieldContainer[str]
    led: str
    trick: _containers.RepeatedCompositeFieldContainer[PlayedCard]
    tricks: Sides
    score: Sides
    turn: str
    legal: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, seat: _Optional[str] = ..., phase: _Optional[str] = ..., dealer: _Optional[str] = ..., hand: _Optional[_Iterable[str]] = ..., counts: _Optional[_Union[Counts, _Mapping]] = ..., upcard: _Optional[str] = ..., upcard_state: _Optional[str] = ..., trump: _Optional[str] = ..., maker: _Optional[str] = ..., alone: _Optional[_Iterable[str]] = ..., out: _Optional[_Iterable[str]] = ..., led: _Optional[str] = ..., trick: _Optional[_Iterable[_Union[PlayedCard, _Mapping]]] = ..., tricks: _Optional[_Union[Sides, _Mapping]] = ..., score: _Optional[_Union[Sides, _Mapping]] = ..., turn: _Optional[str] = ..., legal: _Optional[_Iterable[str]] = ...) -> None: ...

class Actions(_message.Message):
    __slots__ = ("actions",)
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, actions: _Optional[_Iterable[str]] = ...) -> None: ...

class GameDeal(_message.Message):
    __slots__ = ("deal", "actions")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    deal: Deal
    actions: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, deal: _Optional[_Union[Deal, _Mapping]] = ..., actions: _Optional[_Iterable[str]] = ...) -> None: ...

class AnswerRequest(_message.Message):
    __slots__ = ("id", "op", "ruleset", "rules", "score", "deal", "actions", "view", "action", "by", "seat", "tricks", "deck", "packets", "dealer", "start", "method", "deals", "depth", "text", "record", "claims")
    class RulesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    DECK_FIELD_NUMBER: _ClassVar[int]
    PACKETS_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    id: int
    op: str
    ruleset: str
    rules: _containers.ScalarMap[str, str]
    score: Sides
    deal: Deal
    actions: _containers.RepeatedScalarFieldContainer[str]
    view: View
    action: str
    by: str
    seat: str
    tricks: _containers.RepeatedCompositeFieldContainer[Actions]
    deck: _containers.RepeatedScalarFieldContainer[str]
    packets: str
    dealer: str
    start: str
    method: str
    deals: _containers.RepeatedCompositeFieldContainer[GameDeal]
    depth: int
    text: str
    record: PlayRecord
    claims: _containers.RepeatedCompositeFieldContainer[RenegeClaim]
    def __init__(self, id: _Optional[int] = ..., op: _Optional[str] = ..., ruleset: _Optional[str] = ..., rules: _Optional[_Mapping[str, str]] = ..., score: _Optional[_Union[Sides, _Mapping]] = ..., deal: _Optional[_Union[Deal, _Mapping]] = ..., actions: _Optional[_Iterable[str]] = ..., view: _Optional[_Union[View, _Mapping]] = ..., action: _Optional[str] = ..., by: _Optional[str] = ..., seat: _Optional[str] = ..., tricks: _Optional[_Iterable[_Union[Actions, _Mapping]]] = ..., deck: _Optional[_Iterable[str]] = ..., packets: _Optional[str] = ..., dealer: _Optional[str] = ..., start: _Optional[str] = ..., method: _Optional[str] = ..., deals: _Optional[_Iterable[_Union[GameDeal, _Mapping]]] = ..., depth: _Optional[int] = ..., text: _Optional[str] = ..., record: _Optional[_Union[PlayRecord, _Mapping]] = ..., claims: _Optional[_Iterable[_Union[RenegeClaim, _Mapping]]] = ...) -> None: ...

class PlayRecord(_message.Message):
    __slots__ = ("trump", "tricks")
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    trump: str
    tricks: _containers.RepeatedCompositeFieldContainer[Plays]
    def __init__(self, trump: _Optional[str] = ..., tricks: _Optional[_Iterable[_Union[Plays, _Mapping]]] = ...) -> None: ...

class Plays(_message.Message):
    __slots__ = ("plays",)
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    plays: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, plays: _Optional[_Iterable[str]] = ...) -> None: ...

class RenegeClaim(_message.Message):
    __slots__ = ("by", "against", "trick")
    BY_FIELD_NUMBER: _ClassVar[int]
    AGAINST_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    by: str
    against: str
    trick: int
    def __init__(self, by: _Optional[str] = ..., against: _Optional[str] = ..., trick: _Optional[int] = ...) -> None: ...

class RenegeFinding(_message.Message):
    __slots__ = ("trick", "seat", "card", "rule")
    TRICK_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    trick: int
    seat: str
    card: str
    rule: str
    def __init__(self, trick: _Optional[int] = ..., seat: _Optional[str] = ..., card: _Optional[str] = ..., rule: _Optional[str] = ...) -> None: ...

class RenegePenalty(_message.Message):
    __slots__ = ("side", "points")
    SIDE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    side: str
    points: int
    def __init__(self, side: _Optional[str] = ..., points: _Optional[int] = ...) -> None: ...

class AnswerResponse(_message.Message):
    __slots__ = ("id", "turn", "phase", "legal", "closed", "refused", "view", "winners", "outcome", "tricks", "points", "score", "next_dealer", "at", "hands", "upcard", "kitty", "dealer", "turned", "scores", "winner", "leaves", "spread", "exit", "party", "event", "unsupported", "error", "findings", "penalty")
    class SpreadEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_DEALER_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    UPCARD_FIELD_NUMBER: _ClassVar[int]
    KITTY_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    TURNED_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    LEAVES_FIELD_NUMBER: _ClassVar[int]
    SPREAD_FIELD_NUMBER: _ClassVar[int]
    EXIT_FIELD_NUMBER: _ClassVar[int]
    PARTY_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    UNSUPPORTED_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    PENALTY_FIELD_NUMBER: _ClassVar[int]
    id: int
    turn: str
    phase: str
    legal: _containers.RepeatedScalarFieldContainer[str]
    closed: bool
    refused: str
    view: View
    winners: _containers.RepeatedScalarFieldContainer[str]
    outcome: str
    tricks: Sides
    points: Sides
    score: Sides
    next_dealer: str
    at: int
    hands: Hands
    upcard: str
    kitty: _containers.RepeatedScalarFieldContainer[str]
    dealer: str
    turned: int
    scores: _containers.RepeatedCompositeFieldContainer[Sides]
    winner: str
    leaves: int
    spread: _containers.ScalarMap[str, int]
    exit: int
    party: str
    event: int
    unsupported: str
    error: str
    findings: _containers.RepeatedCompositeFieldContainer[RenegeFinding]
    penalty: RenegePenalty
    def __init__(self, id: _Optional[int] = ..., turn: _Optional[str] = ..., phase: _Optional[str] = ..., legal: _Optional[_Iterable[str]] = ..., closed: bool = ..., refused: _Optional[str] = ..., view: _Optional[_Union[View, _Mapping]] = ..., winners: _Optional[_Iterable[str]] = ..., outcome: _Optional[str] = ..., tricks: _Optional[_Union[Sides, _Mapping]] = ..., points: _Optional[_Union[Sides, _Mapping]] = ..., score: _Optional[_Union[Sides, _Mapping]] = ..., next_dealer: _Optional[str] = ..., at: _Optional[int] = ..., hands: _Optional[_Union[Hands, _Mapping]] = ..., upcard: _Optional[str] = ..., kitty: _Optional[_Iterable[str]] = ..., dealer: _Optional[str] = ..., turned: _Optional[int] = ..., scores: _Optional[_Iterable[_Union[Sides, _Mapping]]] = ..., winner: _Optional[str] = ..., leaves: _Optional[int] = ..., spread: _Optional[_Mapping[str, int]] = ..., exit: _Optional[int] = ..., party: _Optional[str] = ..., event: _Optional[int] = ..., unsupported: _Optional[str] = ..., error: _Optional[str] = ..., findings: _Optional[_Iterable[_Union[RenegeFinding, _Mapping]]] = ..., penalty: _Optional[_Union[RenegePenalty, _Mapping]] = ...) -> None: ...
